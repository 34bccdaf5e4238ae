// Deals the rows of a pipeline's source to its workers, a morsel at a time.
//
// next() may be called by all workers at once. A chunk of a table is loaded by one worker and shared by all.
#pragma once

#include <compare>
#include <memory>
#include <vector>

#include "execution/cpu/batch.hpp"
#include "execution/cpu/pipeline_run.hpp"

namespace saccade::cpu {

inline constexpr std::int64_t kMorselRows = 32 * kBatchRows;

// The place of a morsel in the source's order.
struct MorselPlace {
  std::int64_t chunk = 0;
  std::int64_t begin = 0;
  auto operator<=>(const MorselPlace&) const = default;
};

// Columns of one chunk, and what keeps them alive.
struct Chunk {
  std::int64_t rows = 0;
  std::vector<Column> columns;
  std::vector<SourceColumn> sources;
  std::vector<std::shared_ptr<const Buffer>> memory;  // of sources that are no column's
};

struct Morsel {
  std::shared_ptr<const Chunk> chunk;
  MorselPlace place;
  std::int64_t count = 0;  // rows from place.begin on
};

class MorselSource {
 public:
  virtual ~MorselSource() = default;
  // False where no rows are left. Errors: those of reading.
  virtual bool next(Morsel& morsel) = 0;
  // More workers than this would find nothing to do.
  virtual std::int64_t useful_workers() const = 0;
  virtual std::int64_t chunks() const { return 0; }
  virtual std::int64_t chunks_skipped() const { return 0; }
};

std::unique_ptr<MorselSource> make_morsel_source(const PipelineRun& run);

}  // namespace saccade::cpu
