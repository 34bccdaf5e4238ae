// Strings of a table in memory as codes of a sorted dictionary: where few are distinct, and where a device works on codes only.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "data/row_set.hpp"
#include "storage/column_summary.hpp"

namespace saccade {

// Whether codes and a dictionary are smaller, and faster to work on, than the strings.
bool prefers_dictionary(const ColumnSummary& summary);

// Puts codes (lane int64) in the place of the strings of one column of all rows; returns their dictionary, which counts its
// memory in `pool`. Errors: 53200.
std::shared_ptr<const Dictionary> code_texts(std::vector<std::vector<RowSet>>& rows, std::size_t column, int threads,
                                             MemoryPool& pool);

// The same for chunks of plain text, which become chunks in dictionary form, all of one encoding.
struct CodedChunks {
  std::shared_ptr<const Dictionary> dictionary;
  Encoding encoding;
  std::vector<Column> chunks;
};
CodedChunks code_chunks(const std::vector<const Column*>& chunks, MemoryPool& pool);

// A dictionary that counts its memory in `pool` as long as it lives.
std::shared_ptr<const Dictionary> counted_dictionary(std::span<const std::string_view> sorted, MemoryPool& pool);

}  // namespace saccade
