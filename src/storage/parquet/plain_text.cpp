#include "storage/parquet/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "storage/parquet/page_stream.hpp"
#include "storage/parquet/text_heap.hpp"
#include "storage/parquet/utf8.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kBatch = 4096;
constexpr std::int64_t kAlwaysSmall = 1 << 16;  // bytes of dictionaries, in the file

std::string_view checked(const parquet::ByteArray& bytes, const TextPart& part) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.ptr), bytes.len);
  if (part.column->type.is_text()) check_utf8(text, part.where);
  return text;
}

void put_offset(Buffer& offsets, int width, std::int64_t row, std::int64_t offset) {
  if (width == 4) {
    offsets.as<std::uint32_t>()[row] = static_cast<std::uint32_t>(offset);
  } else {
    offsets.as<std::uint64_t>()[row] = static_cast<std::uint64_t>(offset);
  }
}

}  // namespace

bool prefers_plain_text(const std::vector<TextPart>& parts) {
  std::int64_t dictionary_bytes = 0;
  std::int64_t rows = 0;
  for (const TextPart& part : parts) {
    const auto chunk = part.file->metadata().RowGroup(part.row_group)->ColumnChunk(part.column->leaf);
    bool plain_pages = false;
    for (const parquet::PageEncodingStats& pages : chunk->encoding_stats()) {
      const bool data = pages.page_type == parquet::PageType::DATA_PAGE || pages.page_type == parquet::PageType::DATA_PAGE_V2;
      plain_pages |= data && !is_index_encoding(pages.encoding);
    }
    if (plain_pages || chunk->encoding_stats().empty() || !chunk->has_dictionary_page()) return true;
    dictionary_bytes += std::max<std::int64_t>(chunk->data_page_offset() - chunk->dictionary_page_offset(), 0);
    rows += part.rows;
  }
  return dictionary_bytes > std::max(kAlwaysSmall, rows / 2);
}

Column decode_plain_text(parquet::ColumnReader& reader, const TextPart& part, int width, MemoryPool& pool) {
  auto& strings = static_cast<parquet::ByteArrayReader&>(reader);
  const auto group = part.file->metadata().RowGroup(part.row_group);
  const double share = static_cast<double>(part.rows) / static_cast<double>(group->num_rows());
  const auto stated = static_cast<double>(group->ColumnChunk(part.column->leaf)->total_uncompressed_size());
  TextHeap heap(static_cast<std::int64_t>(stated * share), width == 4 ? kMaxNarrowHeap : INT64_MAX, part.where, pool);
  ValidityBuilder validity(part.rows, part.may_be_null, part.where, pool);
  std::shared_ptr<Buffer> offsets = Buffer::allocate(part.rows * width, pool);
  std::vector<parquet::ByteArray> batch(kBatch);
  std::vector<std::int16_t> def_levels(part.column->optional ? kBatch : 0);
  while (validity.rows() < part.rows) {
    const std::int64_t at = validity.rows(), wanted = std::min(kBatch, part.rows - at);
    std::int64_t values = 0;
    std::int16_t* levels_out = def_levels.empty() ? nullptr : def_levels.data();
    const std::int64_t levels = strings.ReadBatch(wanted, levels_out, nullptr, batch.data(), &values);
    if (levels <= 0 || levels > wanted || values < 0 || values > levels) raise_damaged(part.where, "it has too few values");
    validity.append(levels_out, levels, values);
    std::int64_t next = 0;
    for (std::int64_t i = 0; i < levels; ++i) {
      const bool valid = levels_out == nullptr || levels_out[i] != 0;
      const std::int64_t offset = valid ? heap.append(checked(batch[static_cast<std::size_t>(next++)], part)) : 0;
      put_offset(*offsets, width, at + i, offset);
    }
  }
  if (!part.more && reader.HasNext()) raise_damaged(part.where, "it has more values than its row group has rows");
  Column column;
  column.type = part.column->type;
  column.lane = Lane::kText;
  column.encoding = {Form::kPlain, static_cast<std::uint8_t>(width)};
  column.length = part.rows;
  column.values = offsets->data();
  column.value_owner = std::move(offsets);
  column.validity_owner = validity.finish();
  if (column.validity_owner) column.validity = column.validity_owner->as<std::uint64_t>();
  column.heap_owner = heap.take();
  column.heap = column.heap_owner->data();
  return column;
}

}  // namespace saccade
