// The pages of one column chunk, or of a range of its rows, unpacked but not decoded.
#pragma once

#include <parquet/column_page.h>
#include <parquet/column_reader.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "memory/buffer.hpp"
#include "storage/parquet/page_range.hpp"

namespace saccade {

// Whether values stand as indexes of the dictionary page.
bool is_index_encoding(parquet::Encoding::type encoding);

// One page of a flat column. The spans are valid until the next page is asked for.
struct EncodedPage {
  bool is_dictionary = false;
  parquet::Encoding::type encoding = parquet::Encoding::UNKNOWN;  // UNKNOWN also for levels of an outdated encoding
  std::int64_t rows = 0;                                          // of a dictionary: its values
  std::optional<std::span<const std::uint8_t>> levels;  // in runs of bits, 1 where a value is present; of optional columns
  std::span<const std::uint8_t> values;
};

class PageStream {
 public:
  // `reader`: of `file`. `pool` must outlive this. Errors: as of open_pages().
  PageStream(const ParquetFile& file, parquet::ParquetFileReader& reader, const ParquetColumn& column, const RowRange& range,
             std::string where, MemoryPool& pool);

  // Only the dictionary page, where there is one. Errors: XX001, 58030, 53200.
  static PageStream of_dictionary(const ParquetFile& file, const ParquetColumn& column, int row_group, std::string where,
                                  MemoryPool& pool);

  // False behind the last page. Errors: XX001, 53200.
  bool next(EncodedPage& page);
  // Rows at the beginning of the first page that lie before the range.
  std::int64_t skipped() const { return pages_.skipped; }
  // To be called once the range's rows are complete. Errors: XX001 where a further page follows in a whole row group (`more`:
  // a piece of one).
  void check_end(bool more);

 private:
  using Open = std::function<OpenedPages(Unpacking unpacking, CountedArrowPool& pool)>;

  PageStream(const ParquetFile& file, const ParquetColumn& column, int row_group, std::string where, MemoryPool& pool,
             const Open& open);
  std::span<const std::uint8_t> unpack(std::span<const std::uint8_t> packed);
  void split_first_version(const parquet::DataPageV1& from, EncodedPage& page);
  void split_second_version(const parquet::DataPageV2& from, EncodedPage& page);

  std::unique_ptr<CountedArrowPool> arrow_pool_;
  MemoryPool& pool_;
  std::string where_;
  bool optional_, snappy_;
  OpenedPages pages_;
  std::shared_ptr<parquet::Page> page_;
  std::unique_ptr<Buffer> unpacked_;
};

}  // namespace saccade
