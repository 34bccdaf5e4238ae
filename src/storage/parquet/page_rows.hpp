// Puts what pages decode to, one after the other, into the rows of a column: nulls, rows to leave out, the column's end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "memory/buffer.hpp"
#include "storage/parquet/column_decoder.hpp"
#include "storage/parquet/page_stream.hpp"

namespace saccade {

// Decodes indexes (a byte of width, then runs) into `count` values of `map`. Where `refused` is not empty, an index whose entry
// there is not 0 is an error. Errors: XX001 also for too few indexes, or one outside of the map.
template <class Out>
void decode_indexes(std::span<const std::uint8_t> bytes, std::span<const Out> map, std::span<const std::uint8_t> refused,
                    Out* to, std::int64_t count, const std::string& where);

// Definition levels of a page: for each row 1 where it has a value. Errors: XX001.
struct PageLevels {
  PageLevels(const EncodedPage& page, const std::string& where);

  std::int64_t present = 0;
  std::vector<std::int16_t> levels;  // empty where all rows have values
};

// A column of `rows` values of type Out, filled page by page.
template <class Out>
class PageRows {
 public:
  // `skipped`: rows at the beginning of the first page to leave out. `more`: the last page may hold further rows. What stands
  // at nulls is Out{}.
  PageRows(std::int64_t rows, std::int64_t skipped, bool more, bool may_be_null, std::string where, MemoryPool& pool)
      : rows_(rows),
        skipped_(skipped),
        more_(more),
        where_(std::move(where)),
        pool_(pool),
        values_(Buffer::allocate(rows * static_cast<std::int64_t>(sizeof(Out)), pool)),
        validity_(rows, may_be_null, where_, pool) {}

  bool complete() const { return validity_.rows() == rows_; }

  // `decode(to, count)` decodes the page's values, of which there are `count`.
  template <class Decode>
  void add(const EncodedPage& page, Decode decode) {
    const std::int64_t first = std::min(skipped_, page.rows), at = validity_.rows();
    const std::int64_t kept = std::min(page.rows - first, rows_ - at);
    if (!more_ && kept < page.rows - first) raise_damaged(where_, "it has more values than its row group has rows");
    const PageLevels levels(page, where_);
    skipped_ -= first;
    Out* to = values_->as<Out>() + at;
    if (levels.levels.empty() && kept == page.rows) {
      decode(to, kept);
    } else {
      decode(room_for(levels.present), levels.present);
      spread(levels, first, kept, to);
    }
    const std::int16_t* rows = levels.levels.empty() ? nullptr : levels.levels.data() + first;
    validity_.append(rows, kept, rows == nullptr ? kept : std::count(rows, rows + kept, 1));
  }

  // Hands values, validity and their number to the column. Errors: XX001 too few values.
  void give(Column& column) {
    if (!complete()) raise_damaged(where_, "it has too few values");
    column.length = rows_;
    column.values = values_->data();
    column.value_owner = std::move(values_);
    column.validity_owner = validity_.finish();
    if (column.validity_owner != nullptr) column.validity = column.validity_owner->template as<std::uint64_t>();
  }

 private:
  Out* room_for(std::int64_t count) {
    const std::int64_t bytes = count * static_cast<std::int64_t>(sizeof(Out));
    if (dense_ == nullptr || dense_->size() < bytes) dense_ = Buffer::allocate(bytes, pool_);
    return dense_->as<Out>();
  }

  void spread(const PageLevels& levels, std::int64_t first, std::int64_t kept, Out* to) const {
    const Out* dense = dense_->as<Out>();
    if (levels.levels.empty()) {
      std::copy_n(dense + first, kept, to);
      return;
    }
    const std::int16_t* level = levels.levels.data();
    dense += std::count(level, level + first, 1);
    for (std::int64_t i = 0; i < kept; ++i) to[i] = level[first + i] != 0 ? *dense++ : Out{};
  }

  std::int64_t rows_, skipped_;
  bool more_;
  std::string where_;
  MemoryPool& pool_;
  std::shared_ptr<Buffer> values_;
  std::unique_ptr<Buffer> dense_;
  ValidityBuilder validity_;
};

}  // namespace saccade
