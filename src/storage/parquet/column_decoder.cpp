#include "storage/parquet/column_decoder.hpp"

#include <arrow/util/float16.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstring>

#include "common/error.hpp"
#include "function/scalar/interval.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kBatch = 4096;  // values; a batch and what it is turned into stay in the cache

// Takes dense lane values batch by batch, and writes them encoded, with space for nulls.
template <class V>
class EncodedWriter {
 public:
  EncodedWriter(const DecodeTarget& target, MemoryPool& pool)
      : target_(target),
        values_(Buffer::allocate(target.rows * target.encoding.width, pool)),
        validity_(target.rows, target.may_be_null, target.where, pool),
        spaced_(new V[kBatch]) {}

  std::int64_t rows() const { return validity_.rows(); }

  void append(const V* dense, const std::int16_t* def_levels, std::int64_t levels, std::int64_t values) {
    if constexpr (!std::same_as<V, double>) {
      for (std::int64_t i = 0; i < values; ++i) {
        low_ = std::min(low_, dense[i]);
        high_ = std::max(high_, dense[i]);
      }
    }
    const std::int64_t at = validity_.rows();
    validity_.append(def_levels, levels, values);
    const V base = has_base() ? static_cast<V>(target_.base) : V{0};
    if (values != levels) {
      std::int64_t next = 0;
      for (std::int64_t i = 0; i < levels; ++i) spaced_[i] = def_levels[i] != 0 ? dense[next++] : base;
      dense = spaced_.get();
    }
    store(dense, base, at, levels);
  }

  Column finish() {
    Column column;
    column.type = target_.type;
    column.encoding = target_.encoding;
    column.base = target_.base;
    column.length = target_.rows;
    if constexpr (std::same_as<V, double>) {
      column.lane = Lane::kFloat64;
    } else {
      if (low_ <= high_) column.bounds = Bounds{low_, high_};
      check_range(column.bounds);
      const bool wide = target_.encoding.width == 16;
      column.lane = target_.type.kind == TypeKind::kBoolean ? Lane::kBoolean : wide ? Lane::kInt128 : Lane::kInt64;
    }
    column.values = values_->data();
    column.value_owner = std::move(values_);
    column.validity_owner = validity_.finish();
    if (column.validity_owner != nullptr) column.validity = column.validity_owner->as<std::uint64_t>();
    return column;
  }

 private:
  bool has_base() const { return target_.encoding.form == Form::kNarrowed || target_.encoding.form == Form::kConstant; }

  void check_range(const std::optional<Bounds>& bounds) const {
    if (!bounds || (bounds->low >= target_.range.low && bounds->high <= target_.range.high)) return;
    raise_damaged(target_.where, fmt::format("its values go from {} to {}, its statistics and type say from {} to {}",
                                             decimal_text(bounds->low, 0), decimal_text(bounds->high, 0),
                                             decimal_text(target_.range.low, 0), decimal_text(target_.range.high, 0)));
  }

  template <class Out>
  void store_as(const V* values, V base, std::int64_t at, std::int64_t count) {
    Out* out = values_->template as<Out>() + at;
    if constexpr (std::same_as<V, double>) {
      std::copy_n(values, count, out);
    } else {  // unsigned: a value out of range may wrap here, and is found by check_range
      using U = std::conditional_t<std::same_as<V, int128>, uint128, std::uint64_t>;
      for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<Out>(static_cast<U>(values[i]) - static_cast<U>(base));
    }
  }

  void store(const V* values, V base, std::int64_t at, std::int64_t count) {
    if constexpr (std::same_as<V, double>) {
      store_as<double>(values, base, at, count);
    } else {
      switch (target_.encoding.width) {
        case 0:
          break;
        case 1:
          store_as<std::uint8_t>(values, base, at, count);
          break;
        case 2:
          store_as<std::uint16_t>(values, base, at, count);
          break;
        case 4:
          store_as<std::uint32_t>(values, base, at, count);
          break;
        case 8:
          store_as<std::uint64_t>(values, base, at, count);
          break;
        default:
          store_as<uint128>(values, base, at, count);
          break;
      }
    }
  }

  const DecodeTarget& target_;
  std::shared_ptr<Buffer> values_;
  ValidityBuilder validity_;
  std::unique_ptr<V[]> spaced_;
  V low_ = V(std::same_as<V, int128> ? kInt128Max : INT64_MAX);
  V high_ = V(std::same_as<V, int128> ? kInt128Min : INT64_MIN);
};

// Reads all values of a column chunk; `convert` turns a stored value into a lane value.
template <class Physical, class V, class Convert>
Column decode(parquet::ColumnReader& reader, const ParquetColumn& column, const DecodeTarget& target, MemoryPool& pool,
              Convert convert) {
  using Stored = typename Physical::c_type;
  auto& typed = static_cast<parquet::TypedColumnReader<Physical>&>(reader);
  EncodedWriter<V> writer(target, pool);
  const std::unique_ptr<Stored[]> stored(new Stored[kBatch]);
  const std::unique_ptr<V[]> lane(new V[kBatch]);
  const std::unique_ptr<std::int16_t[]> def_levels(column.optional ? new std::int16_t[kBatch] : nullptr);
  while (writer.rows() < target.rows) {
    const std::int64_t wanted = std::min(kBatch, target.rows - writer.rows());
    std::int64_t values = 0;
    const std::int64_t levels = typed.ReadBatch(wanted, def_levels.get(), nullptr, stored.get(), &values);
    if (levels <= 0 || levels > wanted || values < 0 || values > levels) raise_damaged(target.where, "it has too few values");
    for (std::int64_t i = 0; i < values; ++i) lane[i] = convert(stored[i]);
    writer.append(lane.get(), def_levels.get(), levels, values);
  }
  if (!target.more && reader.HasNext()) raise_damaged(target.where, "it has more values than its row group has rows");
  return writer.finish();
}

[[noreturn]] void raise_too_fine(const std::string& where) {
  throw Error(sqlstate::kFeatureNotSupported, fmt::format("{} has timestamps finer than microseconds", where), 0,
              "Write the file with timestamps in microseconds.");
}

[[noreturn]] void raise_time_range(const std::string& where) {
  throw Error(sqlstate::kDatetimeFieldOverflow, fmt::format("{}: timestamp out of range", where));
}

template <class Physical>
Column decode_milliseconds(parquet::ColumnReader& reader, const ParquetColumn& column, const DecodeTarget& target,
                           MemoryPool& pool) {
  return decode<Physical, std::int64_t>(reader, column, target, pool, [&](std::int64_t milliseconds) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(milliseconds, 1000, &result)) raise_time_range(target.where);
    return result;
  });
}

Column decode_nanoseconds(parquet::ColumnReader& reader, const ParquetColumn& column, const DecodeTarget& target,
                          MemoryPool& pool) {
  return decode<parquet::Int64Type, std::int64_t>(reader, column, target, pool, [&](std::int64_t nanoseconds) {
    if (nanoseconds % 1000 != 0) raise_too_fine(target.where);
    return nanoseconds / 1000;
  });
}

Column decode_int96(parquet::ColumnReader& reader, const ParquetColumn& column, const DecodeTarget& target, MemoryPool& pool) {
  constexpr std::int64_t kJulianDayOf1970 = 2440588, kMicrosecondsPerDay = 86400000000;
  return decode<parquet::Int96Type, std::int64_t>(reader, column, target, pool, [&](const parquet::Int96& stored) {
    std::int64_t nanoseconds = 0, result = 0;
    std::memcpy(&nanoseconds, &stored.value[0], sizeof(nanoseconds));
    if (nanoseconds % 1000 != 0) raise_too_fine(target.where);
    const std::int64_t days = static_cast<std::int64_t>(stored.value[2]) - kJulianDayOf1970;
    if (__builtin_mul_overflow(days, kMicrosecondsPerDay, &result) ||
        __builtin_add_overflow(result, nanoseconds / 1000, &result)) {
      raise_time_range(target.where);
    }
    return result;
  });
}

// The lane's signed order is that of the bytes: the sign bit is turned over.
Column decode_uuid(parquet::ColumnReader& reader, const ParquetColumn& column, const DecodeTarget& target, MemoryPool& pool) {
  return decode<parquet::FLBAType, int128>(reader, column, target, pool, [](const parquet::FixedLenByteArray& bytes) {
    uint128 bits = 0;
    for (int i = 0; i < 16; ++i) bits = bits << 8 | bytes.ptr[i];
    return static_cast<int128>(bits ^ static_cast<uint128>(1) << 127);
  });
}

Column decode_interval(parquet::ColumnReader& reader, const ParquetColumn& column, const DecodeTarget& target,
                       MemoryPool& pool) {
  return decode<parquet::FLBAType, int128>(reader, column, target, pool, [&](const parquet::FixedLenByteArray& bytes) {
    std::array<std::uint32_t, 3> parts{};  // months, days, milliseconds
    std::memcpy(parts.data(), bytes.ptr, sizeof(parts));
    FunctionError error = FunctionError::kNone;
    const int128 interval = pack_interval(parts[0], parts[1], std::int64_t{parts[2]} * 1000, error);
    if (error != FunctionError::kNone) raise_time_range(target.where);
    return interval;
  });
}

Column decode_half_float(parquet::ColumnReader& reader, const ParquetColumn& column, const DecodeTarget& target,
                         MemoryPool& pool) {
  return decode<parquet::FLBAType, double>(reader, column, target, pool, [](const parquet::FixedLenByteArray& bytes) {
    return arrow::util::Float16::FromLittleEndian(bytes.ptr).ToDouble();
  });
}

template <class Physical, class Length>
Column decode_decimal_bytes(parquet::ColumnReader& reader, const ParquetColumn& column, const DecodeTarget& target,
                            MemoryPool& pool, Length length) {
  return decode<Physical, int128>(reader, column, target, pool, [&](const typename Physical::c_type& bytes) {
    const std::optional<int128> value = big_endian_integer(bytes.ptr, length(bytes));
    if (!value) raise_damaged(target.where, "a decimal does not fit its type");
    return *value;
  });
}

void set_bits(std::uint64_t* words, std::int64_t begin, std::int64_t count) {
  for (std::int64_t at = begin, end = begin + count; at < end;) {
    const std::int64_t bit = at % 64, bits = std::min(64 - bit, end - at);
    const std::uint64_t ones = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    words[at / 64] |= ones << bit;
    at += bits;
  }
}

}  // namespace

void raise_damaged(const std::string& where, const std::string& what) {
  throw Error(sqlstate::kDataCorrupted, fmt::format("{} is damaged: {}", where, what), 0, "Write or copy the file anew.");
}

ValidityBuilder::ValidityBuilder(std::int64_t rows, bool may_be_null, std::string where, MemoryPool& pool)
    : rows_(rows), where_(std::move(where)) {
  if (may_be_null) bitmap_ = Buffer::allocate_zeroed((rows + 63) / 64 * 8, pool);
}

void ValidityBuilder::append(const std::int16_t* def_levels, std::int64_t levels, std::int64_t values) {
  SACCADE_CHECK(at_ + levels <= rows_);
  if (bitmap_ == nullptr) {
    if (values != levels) raise_damaged(where_, "it has nulls although its statistics say that it has none");
    at_ += levels;
    return;
  }
  auto* words = bitmap_->as<std::uint64_t>();
  if (def_levels == nullptr) {
    if (values != levels) raise_damaged(where_, "its nulls and values do not add up to its rows");
    set_bits(words, at_, levels);
    at_ += levels;
    return;
  }
  std::int64_t present = 0;
  for (std::int64_t i = 0; i < levels; ++i, ++at_) {
    const std::uint64_t valid = def_levels[i] != 0 ? 1 : 0;
    present += static_cast<std::int64_t>(valid);
    words[at_ / 64] |= valid << (at_ % 64);
  }
  if (present != values) raise_damaged(where_, "its nulls and values do not add up to its rows");
  nulls_ += levels - values;
}

std::shared_ptr<const Buffer> ValidityBuilder::finish() {
  SACCADE_CHECK(at_ == rows_);
  if (nulls_ == 0) bitmap_.reset();
  return std::move(bitmap_);
}

Column decode_column(parquet::ColumnReader& reader, const ParquetColumn& column, const DecodeTarget& target, MemoryPool& pool) {
  const auto same = [](auto value) { return static_cast<std::int64_t>(value); };
  switch (column.source) {
    case ParquetSource::kBoolean:
      return decode<parquet::BooleanType, std::int64_t>(reader, column, target, pool, same);
    case ParquetSource::kInt32:
      return decode<parquet::Int32Type, std::int64_t>(reader, column, target, pool, same);
    case ParquetSource::kInt64:
      return decode<parquet::Int64Type, std::int64_t>(reader, column, target, pool, same);
    case ParquetSource::kUint32:
      return decode<parquet::Int32Type, std::int64_t>(reader, column, target, pool,
                                                      [](std::int32_t value) { return static_cast<std::uint32_t>(value); });
    case ParquetSource::kUint64:
      return decode<parquet::Int64Type, int128>(reader, column, target, pool,
                                                [](std::int64_t value) { return static_cast<std::uint64_t>(value); });
    case ParquetSource::kMilliseconds:
      return column.type.kind == TypeKind::kTime ? decode_milliseconds<parquet::Int32Type>(reader, column, target, pool)
                                                 : decode_milliseconds<parquet::Int64Type>(reader, column, target, pool);
    case ParquetSource::kNanoseconds:
      return decode_nanoseconds(reader, column, target, pool);
    case ParquetSource::kInt96:
      return decode_int96(reader, column, target, pool);
    case ParquetSource::kFloat:
      return decode<parquet::FloatType, double>(reader, column, target, pool, [](float value) { return double{value}; });
    case ParquetSource::kDouble:
      return decode<parquet::DoubleType, double>(reader, column, target, pool, [](double value) { return value; });
    case ParquetSource::kHalfFloat:
      return decode_half_float(reader, column, target, pool);
    case ParquetSource::kUuid:
      return decode_uuid(reader, column, target, pool);
    case ParquetSource::kInterval:
      return decode_interval(reader, column, target, pool);
    case ParquetSource::kDecimalFixed:
      return decode_decimal_bytes<parquet::FLBAType>(reader, column, target, pool,
                                                     [&](const auto&) { return std::int64_t{column.fixed_bytes}; });
    case ParquetSource::kDecimalBytes:
      return decode_decimal_bytes<parquet::ByteArrayType>(reader, column, target, pool,
                                                          [](const auto& bytes) { return std::int64_t{bytes.len}; });
    default:
      break;
  }
  raise_internal("a supported column that is not text", __FILE__, __LINE__);
}

}  // namespace saccade
