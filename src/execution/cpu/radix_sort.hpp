// Orders rows by tuples of int64 key parts: parts are packed into as few words as their ranges allow, and the words are sorted
// from the last to the first by stable radix passes of one byte (LSD radix sort; Knuth, volume 3, 5.2.5), each pass on all
// workers. Bytes that are equal in all rows cost nothing.
#pragma once

#include <memory>
#include <span>

#include "execution/cpu/pipeline_run.hpp"
#include "memory/buffer.hpp"

namespace saccade::cpu {

struct SortEntry {
  std::uint64_t key;
  std::int64_t row;
};

// The numbers of `rows` rows as entries in ascending order of parts[0][row], parts[1][row], ...; ties in order of their number.
// Called by one thread, which is the only one to use the run's workers meanwhile. Errors: 53200, 57014.
std::unique_ptr<Buffer> sorted_rows(std::span<const std::int64_t* const> parts, std::int64_t rows, const PipelineRun& run);

}  // namespace saccade::cpu
