// Strings between ranks: each column travels as one run of length-prefixed strings, which is what the receiver's rows point to.
#pragma once

#include <vector>

#include "data/row_set.hpp"
#include "data/text_store.hpp"

namespace saccade {

// Strings of one column, packed for the ranks they go to.
struct PackedTexts {
  std::unique_ptr<Buffer> bytes;
  std::vector<std::int64_t> sizes;  // bytes for each part
};

// Row `i` goes to part `part_of[i]` of `parts`; a null pointer: all to one part. Rows of a part stay in order. Errors: 53200.
PackedTexts pack_texts(const LaneColumn& texts, std::int64_t rows, const std::int32_t* part_of, std::size_t parts,
                       MemoryPool& pool);

// The strings of `rows` rows in what arrived, which `store` keeps. Errors: 08006 where they are not so many.
std::shared_ptr<const Buffer> unpack_texts(std::shared_ptr<const Buffer> bytes, std::int64_t size, std::int64_t rows,
                                           TextStore& store, MemoryPool& pool);

}  // namespace saccade
