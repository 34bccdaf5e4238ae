#include "storage/parquet/text_pages.hpp"

#include <fmt/format.h>

#include <cstring>

#include "common/error.hpp"
#include "storage/parquet/page_rows.hpp"
#include "storage/parquet/plain_text.hpp"
#include "storage/parquet/text_heap.hpp"
#include "storage/parquet/utf8.hpp"

namespace saccade {
namespace {

// Calls take(offset within the bytes, string) for `count` strings, each behind its length. Gives the bytes they have together.
template <class Take>
std::size_t for_each_string(std::span<const std::uint8_t> bytes, std::int64_t count, const std::string& where, Take take) {
  std::size_t at = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint32_t length = 0;
    if (bytes.size() - at < sizeof(length)) raise_damaged(where, "it has too few values");
    std::memcpy(&length, bytes.data() + at, sizeof(length));
    if (length > bytes.size() - at - sizeof(length)) raise_damaged(where, "a string is longer than its page");
    if (length > kMaxTextBytes) throw Error("54000", fmt::format("{} has a string that is too long", where));
    take(at, std::string_view(reinterpret_cast<const char*>(bytes.data()) + at + sizeof(length), length));
    at += sizeof(length) + length;
  }
  return at;
}

// Offset is the type of offsets into the heap.
template <class Offset>
class TextPages {
 public:
  TextPages(PageStream& pages, const TextPart& part, MemoryPool& pool)
      : pages_(pages),
        part_(part),
        heap_(expected_bytes(part), sizeof(Offset) == 4 ? kMaxNarrowHeap : INT64_MAX, part.where, pool),
        rows_(part.rows, pages.skipped(), part.more, part.may_be_null, part.where, pool) {}

  std::optional<Column> decode() {
    EncodedPage page;
    while (!rows_.complete() && pages_.next(page)) {
      if (page.is_dictionary) {
        check_count(page.values, page.rows);
        map_.resize(static_cast<std::size_t>(page.rows));
        read_strings(page.values, map_.data(), page.rows);
      } else if (page.encoding == parquet::Encoding::PLAIN) {
        rows_.add(page, [&](Offset* to, std::int64_t count) { read_strings(page.values, to, count); });
      } else if (is_index_encoding(page.encoding)) {
        rows_.add(page, [&](Offset* to, std::int64_t count) {
          decode_indexes(page.values, std::span<const Offset>(map_), {}, to, count, part_.where);
        });
      } else {
        return std::nullopt;
      }
    }
    Column column = finish();
    pages_.check_end(part_.more);
    return column;
  }

 private:
  static std::int64_t expected_bytes(const TextPart& part) {
    const auto group = part.file->metadata().RowGroup(part.row_group);
    const double share = static_cast<double>(part.rows) / static_cast<double>(group->num_rows());
    const auto stated = static_cast<double>(group->ColumnChunk(part.column->leaf)->total_uncompressed_size());
    return static_cast<std::int64_t>(stated * share);
  }

  // Before room is made for them.
  void check_count(std::span<const std::uint8_t> bytes, std::int64_t count) const {
    if (count > static_cast<std::int64_t>(bytes.size())) raise_damaged(part_.where, "it has too few values");
  }

  // Strings in a page look as they do in the heap. Most are ASCII, and then so are all bytes of the page.
  void read_strings(std::span<const std::uint8_t> bytes, Offset* to, std::int64_t count) {
    const auto first = static_cast<Offset>(heap_.append_block(bytes));
    const bool text = part_.column->type.is_text();
    const bool checked = !text || is_ascii({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    for_each_string(bytes, count, part_.where, [&](std::size_t at, std::string_view string) {
      if (!checked) check_utf8(string, part_.where);
      *to++ = static_cast<Offset>(first + at);
    });
  }

  Column finish() {
    Column column;
    column.type = part_.column->type;
    column.lane = Lane::kText;
    column.encoding = {Form::kPlain, sizeof(Offset)};
    rows_.give(column);
    column.heap_owner = heap_.take();
    column.heap = column.heap_owner->data();
    return column;
  }

  PageStream& pages_;
  const TextPart& part_;
  TextHeap heap_;
  PageRows<Offset> rows_;
  std::vector<Offset> map_;  // offsets of the dictionary's strings
};

template <class Code>
Column decode_codes(PageStream& pages, const std::vector<std::uint32_t>& codes, const DecodeTarget& target, MemoryPool& pool) {
  const std::vector<Code> map(codes.begin(), codes.end());
  PageRows<Code> rows(target.rows, pages.skipped(), target.more, target.may_be_null, target.where, pool);
  EncodedPage page;
  while (!rows.complete() && pages.next(page)) {
    if (page.is_dictionary) continue;
    if (!is_index_encoding(page.encoding)) raise_damaged(target.where, "a page is encoded in another way than its footer says");
    rows.add(page, [&](Code* to, std::int64_t count) {
      decode_indexes(page.values, std::span<const Code>(map), {}, to, count, target.where);
    });
  }
  Column column;
  column.type = target.type;
  column.lane = Lane::kInt64;
  column.encoding = target.encoding;
  rows.give(column);
  pages.check_end(target.more);
  return column;
}

}  // namespace

std::vector<std::uint32_t> read_dictionary_page(PageStream& pages, const TextPart& part, StringInterner& strings) {
  EncodedPage page;
  if (!pages.next(page) || !page.is_dictionary) raise_damaged(part.where, "its dictionary is missing");
  std::vector<std::uint32_t> numbers;
  for_each_string(page.values, page.rows, part.where, [&](std::size_t, std::string_view string) {
    const std::int64_t before = strings.size();
    numbers.push_back(strings.intern(string));
    if (strings.size() != before && part.column->type.is_text()) check_utf8(string, part.where);
  });
  return numbers;
}

Column decode_code_pages(PageStream& pages, const std::vector<std::uint32_t>& codes, const DecodeTarget& target,
                         MemoryPool& pool) {
  switch (target.encoding.width) {
    case 1:
      return decode_codes<std::uint8_t>(pages, codes, target, pool);
    case 2:
      return decode_codes<std::uint16_t>(pages, codes, target, pool);
    default:
      return decode_codes<std::uint32_t>(pages, codes, target, pool);
  }
}

std::optional<Column> decode_text_pages(PageStream& pages, const TextPart& part, int width, MemoryPool& pool) {
  if (width == 4) return TextPages<std::uint32_t>(pages, part, pool).decode();
  return TextPages<std::uint64_t>(pages, part, pool).decode();
}

}  // namespace saccade
