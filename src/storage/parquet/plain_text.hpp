// Text of one row group as strings: what pages hold is copied into a heap, row after row, with no dictionary.
#pragma once

#include <parquet/column_reader.h>

#include "data/column.hpp"
#include "storage/parquet/text_column.hpp"

namespace saccade {

// Offsets of 4 bytes are too few for more bytes of strings.
inline constexpr std::int64_t kMaxNarrowHeap = 0xffffffff;

// Whether strings of a column are better taken as they stand than by a dictionary of the whole table: some part of it is not
// dictionary-encoded, or the dictionaries of the parts are large beside their rows.
bool prefers_plain_text(const std::vector<TextPart>& parts);

// The column in plain form, with offsets of `width` bytes. Errors: 22021 invalid UTF-8, XX001, 54000 where the strings are too
// long for the width, 53200.
Column decode_plain_text(parquet::ColumnReader& reader, const TextPart& part, int width, MemoryPool& pool);

}  // namespace saccade
