// Brings the distinct strings of many parts into one sorted order: the dictionary of a table from those of its row groups.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "storage/parquet/string_interner.hpp"

namespace saccade {

struct MergedStrings {
  std::vector<std::string_view> sorted;             // distinct, ascending bytewise; views of the parts' strings
  std::vector<std::vector<std::uint32_t>> code_of;  // by part and number: the index in `sorted`
};

// One sort, by ranges of strings in parallel (sample sort: Frazer and McKellar, 1970). Memory needed on the way is counted in
// `pool`. Errors: 53200; 54001 where there are more than 2^32 - 1 strings.
MergedStrings merge_strings(const std::vector<const StringInterner*>& parts, int threads, MemoryPool& pool);

}  // namespace saccade
