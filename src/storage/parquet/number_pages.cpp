#include "storage/parquet/number_pages.hpp"

#include <fmt/format.h>

#include <concepts>
#include <cstring>
#include <limits>

#include "common/error.hpp"
#include "storage/parquet/page_rows.hpp"

namespace saccade {
namespace {

// `Stored` is the file's type; `Out` is what the target's encoding has: unsigned integers, or doubles as their bits.
template <class Stored, class Out>
class NumberPages {
 public:
  NumberPages(PageStream& pages, const DecodeTarget& target, MemoryPool& pool)
      : pages_(pages),
        target_(target),
        pool_(pool),
        base_(target.encoding.form == Form::kNarrowed ? static_cast<std::uint64_t>(target.base) : 0),
        rows_(target.rows, pages.skipped(), target.more, target.may_be_null, target.where, pool) {}

  std::optional<Column> decode() {
    EncodedPage page;
    while (!rows_.complete() && pages_.next(page)) {
      if (page.is_dictionary) {
        if (!is_plain(page.encoding)) return std::nullopt;
        read_dictionary(page);
      } else if (page.encoding == parquet::Encoding::PLAIN) {
        rows_.add(page, [&](Out* to, std::int64_t count) { read_plain(page.values, to, count); });
      } else if (is_index_encoding(page.encoding)) {
        const std::span<const Out> map(map_ == nullptr ? nullptr : map_->template as<Out>(), entries_);
        rows_.add(page, [&](Out* to, std::int64_t count) {
          decode_indexes(page.values, map, std::span<const std::uint8_t>(refused_), to, count, target_.where);
        });
      } else {
        return std::nullopt;
      }
    }
    Column column = finish();
    pages_.check_end(target_.more);
    return column;
  }

 private:
  static constexpr bool kFloat = std::floating_point<Stored>;

  static bool is_plain(parquet::Encoding::type encoding) {
    return encoding == parquet::Encoding::PLAIN || encoding == parquet::Encoding::PLAIN_DICTIONARY;
  }

  Out encode(Stored value) const {
    if constexpr (kFloat) {
      const double wide = value;
      Out bits = 0;
      std::memcpy(&bits, &wide, sizeof(bits));
      return bits;
    } else {  // a value outside of the range wraps here, and is refused
      return static_cast<Out>(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) - base_);
    }
  }

  bool in_range(std::int64_t low, std::int64_t high) const { return low >= target_.range.low && high <= target_.range.high; }

  Stored stored_at(std::span<const std::uint8_t> bytes, std::int64_t i) const {
    Stored value;
    std::memcpy(&value, bytes.data() + static_cast<std::size_t>(i) * sizeof(Stored), sizeof(Stored));
    return value;
  }

  // Bounds of `count` values; none of them where there are none.
  std::pair<std::int64_t, std::int64_t> bounds_of(std::span<const std::uint8_t> bytes, std::int64_t count) const {
    Stored low = std::numeric_limits<Stored>::max(), high = std::numeric_limits<Stored>::lowest();
    for (std::int64_t i = 0; i < count; ++i) {
      low = std::min(low, stored_at(bytes, i));
      high = std::max(high, stored_at(bytes, i));
    }
    return {static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)};
  }

  void check_length(std::span<const std::uint8_t> bytes, std::int64_t count) const {
    if (static_cast<std::int64_t>(bytes.size() / sizeof(Stored)) < count) raise_damaged(target_.where, "it has too few values");
  }

  void widen(std::int64_t low, std::int64_t high) {
    low_ = std::min(low_, low);
    high_ = std::max(high_, high);
  }

  void read_plain(std::span<const std::uint8_t> bytes, Out* to, std::int64_t count) {
    check_length(bytes, count);
    if constexpr (!kFloat) {
      const auto [low, high] = bounds_of(bytes, count);
      if (count > 0 && !in_range(low, high)) {
        raise_damaged(target_.where,
                      fmt::format("its values go from {} to {}, its statistics and type say from {} to {}", low, high,
                                  decimal_text(target_.range.low, 0), decimal_text(target_.range.high, 0)));
      }
      if (count > 0) widen(low, high);
    }
    for (std::int64_t i = 0; i < count; ++i) to[i] = encode(stored_at(bytes, i));
  }

  // A dictionary may have values outside of the range, of rows that are not read here: such a row is refused when it comes.
  void read_dictionary(const EncodedPage& page) {
    check_length(page.values, page.rows);
    map_ = Buffer::allocate(page.rows * static_cast<std::int64_t>(sizeof(Out)), pool_);
    entries_ = static_cast<std::size_t>(page.rows);
    refused_.clear();
    Out* map = map_->template as<Out>();
    for (std::int64_t i = 0; i < page.rows; ++i) map[i] = encode(stored_at(page.values, i));
    if constexpr (!kFloat) {
      if (page.rows == 0) return;
      const auto [low, high] = bounds_of(page.values, page.rows);
      if (in_range(low, high)) {
        widen(low, high);
      } else {
        refuse_outside(page);
      }
    }
  }

  void refuse_outside(const EncodedPage& page) {
    refused_.resize(entries_);
    for (std::int64_t i = 0; i < page.rows; ++i) {
      const auto value = static_cast<std::int64_t>(stored_at(page.values, i));
      if (in_range(value, value)) {
        widen(value, value);
      } else {
        refused_[static_cast<std::size_t>(i)] = 1;
      }
    }
  }

  Column finish() {
    Column column;
    column.type = target_.type;
    column.encoding = target_.encoding;
    column.base = target_.base;
    column.lane = kFloat ? Lane::kFloat64 : Lane::kInt64;
    if (!kFloat && low_ <= high_) column.bounds = Bounds{low_, high_};
    rows_.give(column);
    return column;
  }

  PageStream& pages_;
  const DecodeTarget& target_;
  MemoryPool& pool_;
  std::uint64_t base_;
  PageRows<Out> rows_;
  std::unique_ptr<Buffer> map_;  // the dictionary, encoded
  std::size_t entries_ = 0;
  std::vector<std::uint8_t> refused_;
  std::int64_t low_ = INT64_MAX, high_ = INT64_MIN;
};

template <class Stored>
std::optional<Column> decode_stored(PageStream& pages, const DecodeTarget& target, MemoryPool& pool) {
  if constexpr (std::floating_point<Stored>) {
    return NumberPages<Stored, std::uint64_t>(pages, target, pool).decode();
  } else {
    switch (target.encoding.width) {
      case 1:
        return NumberPages<Stored, std::uint8_t>(pages, target, pool).decode();
      case 2:
        return NumberPages<Stored, std::uint16_t>(pages, target, pool).decode();
      case 4:
        return NumberPages<Stored, std::uint32_t>(pages, target, pool).decode();
      default:
        return NumberPages<Stored, std::uint64_t>(pages, target, pool).decode();
    }
  }
}

}  // namespace

bool has_number_pages(const ParquetColumn& column, const DecodeTarget& target) {
  const int width = target.encoding.width;
  switch (column.source) {
    case ParquetSource::kInt32:
    case ParquetSource::kUint32:
    case ParquetSource::kInt64:
      return width == 1 || width == 2 || width == 4 || width == 8;
    case ParquetSource::kFloat:
    case ParquetSource::kDouble:
      return width == 8;
    default:
      return false;
  }
}

std::optional<Column> decode_number_pages(PageStream& pages, const ParquetColumn& column, const DecodeTarget& target,
                                          MemoryPool& pool) {
  switch (column.source) {
    case ParquetSource::kInt32:
      return decode_stored<std::int32_t>(pages, target, pool);
    case ParquetSource::kUint32:
      return decode_stored<std::uint32_t>(pages, target, pool);
    case ParquetSource::kInt64:
      return decode_stored<std::int64_t>(pages, target, pool);
    case ParquetSource::kFloat:
      return decode_stored<float>(pages, target, pool);
    case ParquetSource::kDouble:
      return decode_stored<double>(pages, target, pool);
    default:
      return std::nullopt;
  }
}

}  // namespace saccade
