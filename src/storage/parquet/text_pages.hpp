// Text from pages: as codes of a table's dictionary, or as plain strings whose pages are copied as they stand.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "storage/parquet/page_stream.hpp"
#include "storage/parquet/string_interner.hpp"
#include "storage/parquet/text_column.hpp"

namespace saccade {

// The strings of a row group's dictionary page, which has to stand first: for each its number in `strings`.
// Errors: XX001, 22021 invalid UTF-8, 53200.
std::vector<std::uint32_t> read_dictionary_page(PageStream& pages, const TextPart& part, StringInterner& strings);

// The rows of a chunk all of whose pages hold indexes of its dictionary page. `codes`: by index. Errors: XX001.
Column decode_code_pages(PageStream& pages, const std::vector<std::uint32_t>& codes, const DecodeTarget& target,
                         MemoryPool& pool);

// The chunk in plain form, offsets of `width` bytes. Nothing where an encoding is not done here: decode_plain_text() does all.
// Errors: as of decode_plain_text().
std::optional<Column> decode_text_pages(PageStream& pages, const TextPart& part, int width, MemoryPool& pool);

}  // namespace saccade
