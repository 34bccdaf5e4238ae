// Numbers, dates and timestamps from pages straight into an encoded Column: a dictionary's values are encoded once, and rows
// are copies of them.
#pragma once

#include <optional>

#include "storage/parquet/column_decoder.hpp"
#include "storage/parquet/page_stream.hpp"

namespace saccade {

// Whether the column's type and the target's encoding are among those that are done here.
bool has_number_pages(const ParquetColumn& column, const DecodeTarget& target);

// Nothing where an encoding of the pages is not among those done here (plain and dictionary): decode_column() does all. Errors:
// as of decode_column().
std::optional<Column> decode_number_pages(PageStream& pages, const ParquetColumn& column, const DecodeTarget& target,
                                          MemoryPool& pool);

}  // namespace saccade
