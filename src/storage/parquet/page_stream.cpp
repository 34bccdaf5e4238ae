#include "storage/parquet/page_stream.hpp"

#include <cstring>

#include "common/error.hpp"
#include "storage/parquet/column_decoder.hpp"
#include "storage/parquet/snappy.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kLargestSnappyRatio = 22;  // three bytes stand for 64 at most

bool is_snappy(const ParquetFile& file, const ParquetColumn& column, int row_group) {
  return file.metadata().RowGroup(row_group)->ColumnChunk(column.leaf)->compression() == parquet::Compression::SNAPPY;
}

}  // namespace

PageStream::PageStream(const ParquetFile& file, const ParquetColumn& column, int row_group, std::string where, MemoryPool& pool,
                       const Open& open)
    : arrow_pool_(std::make_unique<CountedArrowPool>(pool)),
      pool_(pool),
      where_(std::move(where)),
      optional_(column.optional),
      snappy_(is_snappy(file, column, row_group)),
      pages_(open(snappy_ ? Unpacking::kByCaller : Unpacking::kByReader, *arrow_pool_)) {}

PageStream::PageStream(const ParquetFile& file, parquet::ParquetFileReader& reader, const ParquetColumn& column,
                       const RowRange& range, std::string where, MemoryPool& pool)
    : PageStream(file, column, range.row_group, std::move(where), pool, [&](Unpacking unpacking, CountedArrowPool& arrow_pool) {
        return open_pages(file, reader, column, range, unpacking, arrow_pool);
      }) {}

PageStream PageStream::of_dictionary(const ParquetFile& file, const ParquetColumn& column, int row_group, std::string where,
                                     MemoryPool& pool) {
  return {file, column, row_group, std::move(where), pool, [&](Unpacking unpacking, CountedArrowPool& arrow_pool) {
            return open_dictionary(file, column, row_group, unpacking, arrow_pool);
          }};
}

bool is_index_encoding(parquet::Encoding::type encoding) {
  return encoding == parquet::Encoding::RLE_DICTIONARY || encoding == parquet::Encoding::PLAIN_DICTIONARY;
}

void PageStream::check_end(bool more) {
  EncodedPage page;
  if (!more && next(page)) raise_damaged(where_, "it has more values than its row group has rows");
}

bool PageStream::next(EncodedPage& page) {
  page_ = pages_.pages->NextPage();
  if (page_ == nullptr) return false;
  page = {};
  switch (page_->type()) {
    case parquet::PageType::DICTIONARY_PAGE: {
      const auto& dictionary = static_cast<const parquet::DictionaryPage&>(*page_);
      page.is_dictionary = true;
      page.encoding = dictionary.encoding();
      page.rows = dictionary.num_values();
      page.values = {dictionary.data(), static_cast<std::size_t>(dictionary.size())};
      if (snappy_) page.values = unpack(page.values);
      break;
    }
    case parquet::PageType::DATA_PAGE:
      split_first_version(static_cast<const parquet::DataPageV1&>(*page_), page);
      break;
    case parquet::PageType::DATA_PAGE_V2:
      split_second_version(static_cast<const parquet::DataPageV2&>(*page_), page);
      break;
    default:
      break;  // of a kind that nobody knows: nothing is decoded from it
  }
  if (page.rows < 0) raise_damaged(where_, "a page has an impossible number of values");
  return true;
}

std::span<const std::uint8_t> PageStream::unpack(std::span<const std::uint8_t> packed) {
  const std::optional<std::int64_t> length = snappy_length(packed);
  if (!length || *length > kLargestSnappyRatio * static_cast<std::int64_t>(packed.size())) {
    raise_damaged(where_, "a page cannot be decompressed");
  }
  if (unpacked_ == nullptr || unpacked_->size() < *length) {
    unpacked_.reset();
    unpacked_ = Buffer::allocate(*length, pool_);
  }
  const std::span<std::uint8_t> result(unpacked_->as<std::uint8_t>(), static_cast<std::size_t>(*length));
  if (!unpack_snappy(packed, result)) raise_damaged(where_, "a page cannot be decompressed");
  return result;
}

// Levels (behind their length) and values are compressed together.
void PageStream::split_first_version(const parquet::DataPageV1& from, EncodedPage& page) {
  page.encoding = from.encoding();
  page.rows = from.num_values();
  page.values = {from.data(), static_cast<std::size_t>(from.size())};
  if (snappy_) page.values = unpack(page.values);
  if (!optional_) return;
  if (from.definition_level_encoding() != parquet::Encoding::RLE) {
    page.encoding = parquet::Encoding::UNKNOWN;
    return;
  }
  std::uint32_t length = 0;
  if (page.values.size() >= sizeof(length)) std::memcpy(&length, page.values.data(), sizeof(length));
  if (page.values.size() < sizeof(length) || length > page.values.size() - sizeof(length)) {
    raise_damaged(where_, "the levels of a page are longer than the page");
  }
  page.levels = page.values.subspan(sizeof(length), length);
  page.values = page.values.subspan(sizeof(length) + length);
}

// Levels stand in front, not compressed.
void PageStream::split_second_version(const parquet::DataPageV2& from, EncodedPage& page) {
  page.encoding = from.encoding();
  page.rows = from.num_values();
  const std::span<const std::uint8_t> bytes(from.data(), static_cast<std::size_t>(from.size()));
  const std::int64_t before = from.repetition_levels_byte_length(), length = from.definition_levels_byte_length();
  if (before < 0 || length < 0 || before + length > static_cast<std::int64_t>(bytes.size())) {
    raise_damaged(where_, "the levels of a page are longer than the page");
  }
  if (optional_) page.levels = bytes.subspan(static_cast<std::size_t>(before), static_cast<std::size_t>(length));
  page.values = bytes.subspan(static_cast<std::size_t>(before + length));
  if (snappy_ && from.is_compressed() && !page.values.empty()) page.values = unpack(page.values);
}

}  // namespace saccade
