#include "storage/arrow/arrow_rows.hpp"

#include <arrow/api.h>
#include <arrow/extension/uuid.h>
#include <arrow/extension_type.h>
#include <arrow/util/decimal.h>
#include <fmt/format.h>

#include <array>
#include <set>
#include <utility>

#include "common/error.hpp"
#include "function/scalar/interval.hpp"
#include "storage/lane_value.hpp"

namespace saccade {
namespace {

std::shared_ptr<arrow::DataType> arrow_type(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return arrow::boolean();
    case TypeKind::kSmallint:
      return arrow::int16();
    case TypeKind::kInteger:
      return arrow::int32();
    case TypeKind::kBigint:
      return arrow::int64();
    case TypeKind::kReal:
      return arrow::float32();
    case TypeKind::kDouble:
      return arrow::float64();
    case TypeKind::kNumeric:
      return arrow::decimal128(type.precision, type.scale);
    case TypeKind::kDate:
      return arrow::date32();
    case TypeKind::kTime:
      return arrow::time64(arrow::TimeUnit::MICRO);
    case TypeKind::kTimestamp:
      return arrow::timestamp(arrow::TimeUnit::MICRO);
    case TypeKind::kTimestamptz:
      return arrow::timestamp(arrow::TimeUnit::MICRO, "UTC");
    case TypeKind::kUuid:
      return arrow::extension::uuid();
    case TypeKind::kUnknown:
    case TypeKind::kText:
    case TypeKind::kVarchar:
    case TypeKind::kChar:
      return arrow::large_utf8();
    case TypeKind::kBytea:
      return arrow::large_binary();
    case TypeKind::kInterval:
      return arrow::month_day_nano_interval();
  }
  raise_internal("a known type", __FILE__, __LINE__);
}

std::int64_t count_rows(std::span<const RowSlice> slices) {
  std::int64_t rows = 0;
  for (const RowSlice& slice : slices) rows += slice.end - slice.begin;
  return rows;
}

// Calls append(column, row) for each value and appends nulls.
template <class Builder, class Append>
std::shared_ptr<arrow::Array> build(Builder& builder, std::size_t number, std::span<const RowSlice> slices, Append append) {
  check_written(builder.Reserve(count_rows(slices)));
  for (const RowSlice& slice : slices) {
    const LaneColumn& column = slice.rows.columns[number];
    for (std::int64_t row = slice.begin; row < slice.end; ++row) {
      if (column.is_valid(row)) {
        append(column, row);
      } else {
        builder.UnsafeAppendNull();
      }
    }
  }
  std::shared_ptr<arrow::Array> array;
  check_written(builder.Finish(&array));
  return array;
}

template <class Builder>
std::shared_ptr<arrow::Array> build_integers(Builder&& builder, std::size_t number, std::span<const RowSlice> slices) {
  using Stored = typename std::remove_cvref_t<Builder>::value_type;
  return build(builder, number, slices, [&](const LaneColumn& column, std::int64_t row) {
    const auto value = static_cast<std::int64_t>(integer_at(column, row));
    if (value != static_cast<std::int64_t>(static_cast<Stored>(value))) {
      throw Error(sqlstate::kDatetimeFieldOverflow, "a date is out of the range that the file can hold");
    }
    builder.UnsafeAppend(static_cast<Stored>(value));
  });
}

// The texts of the slices' rows as codes of a dictionary of their own; null where texts hardly repeat.
std::shared_ptr<arrow::Array> build_dictionary(const WriteColumn& column, std::size_t number, std::span<const RowSlice> slices,
                                               CountedArrowPool& pool) {
  std::vector<std::int32_t> used(static_cast<std::size_t>(column.dictionary->size()), -1);
  arrow::Int32Builder codes(&pool);
  arrow::StringBuilder texts(&pool);
  const std::int64_t most = count_rows(slices) / 2;
  std::int32_t next = 0;
  for (const RowSlice& slice : slices) {
    const LaneColumn& lane = slice.rows.columns[number];
    for (std::int64_t row = slice.begin; row < slice.end; ++row) {
      if (!lane.is_valid(row)) {
        check_written(codes.AppendNull());
        continue;
      }
      const std::int64_t code = lane.as<std::int64_t>()[row];
      std::int32_t& mapped = used[static_cast<std::size_t>(code)];
      if (mapped < 0) {
        const std::string_view text = column.dictionary->at(code);
        if (next >= most || texts.value_data_length() + static_cast<std::int64_t>(text.size()) > INT32_MAX / 2) return nullptr;
        mapped = next++;
        check_written(texts.Append(text));
      }
      check_written(codes.Append(mapped));
    }
  }
  std::shared_ptr<arrow::Array> code_array, text_array;
  check_written(codes.Finish(&code_array));
  check_written(texts.Finish(&text_array));
  return std::make_shared<arrow::DictionaryArray>(arrow::dictionary(arrow::int32(), arrow::utf8()), code_array, text_array);
}

std::shared_ptr<arrow::Array> build_texts(const WriteColumn& column, std::size_t number, std::span<const RowSlice> slices,
                                          bool dictionaries, CountedArrowPool& pool) {
  if (dictionaries && column.dictionary != nullptr && column.dictionary->size() < INT32_MAX) {
    if (std::shared_ptr<arrow::Array> array = build_dictionary(column, number, slices, pool)) return array;
  }
  const auto append_to = [&](auto&& builder) {
    return build(builder, number, slices, [&](const LaneColumn& lane, std::int64_t row) {
      std::string_view text = text_at(lane, column.dictionary.get(), row);
      check_written(builder.Append(text));
    });
  };
  if (column.type.kind == TypeKind::kBytea) return append_to(arrow::LargeBinaryBuilder(&pool));
  return append_to(arrow::LargeStringBuilder(&pool));
}

// Arrow's times end before 24:00, and its readers refuse a file with more as damaged; Parquet's readers take it.
std::shared_ptr<arrow::Array> build_times(const WriteColumn& column, std::size_t number, std::span<const RowSlice> slices,
                                          FileFormat format, CountedArrowPool& pool) {
  arrow::Time64Builder builder(arrow_type(column.type), &pool);
  return build(builder, number, slices, [&](const LaneColumn& lane, std::int64_t row) {
    const auto time = static_cast<std::int64_t>(integer_at(lane, row));
    if (time == kMicrosecondsPerDay && format == FileFormat::kArrow) {
      throw Error(sqlstate::kDatetimeFieldOverflow,
                  fmt::format("column \"{}\" holds the time 24:00:00, which Arrow files can't hold", column.name), 0,
                  "Cast it to interval or text, or write a CSV or Parquet file.");
    }
    builder.UnsafeAppend(time);
  });
}

// Nanoseconds reach as far as 292 years; Arrow's months and days are signed 32-bit numbers as well.
std::shared_ptr<arrow::Array> build_intervals(std::size_t number, std::span<const RowSlice> slices, CountedArrowPool& pool) {
  arrow::MonthDayNanoIntervalBuilder builder(&pool);
  return build(builder, number, slices, [&](const LaneColumn& lane, std::int64_t row) {
    const IntervalParts parts = interval_parts(integer_at(lane, row));
    std::int64_t nanoseconds = 0;
    if (__builtin_mul_overflow(parts.microseconds, std::int64_t{1000}, &nanoseconds)) {
      throw Error(sqlstate::kDatetimeFieldOverflow, "an interval is out of the range that the file can hold");
    }
    builder.UnsafeAppend({static_cast<std::int32_t>(parts.months), static_cast<std::int32_t>(parts.days), nanoseconds});
  });
}

// The lane's signed order is that of the bytes: the sign bit is turned over.
std::shared_ptr<arrow::Array> build_uuids(std::size_t number, std::span<const RowSlice> slices, CountedArrowPool& pool) {
  arrow::FixedSizeBinaryBuilder builder(arrow::fixed_size_binary(16), &pool);
  const auto storage = build(builder, number, slices, [&](const LaneColumn& lane, std::int64_t row) {
    auto bits = static_cast<uint128>(integer_at(lane, row)) ^ (static_cast<uint128>(1) << 127);
    std::array<std::uint8_t, 16> bytes;
    for (std::size_t i = 16; i-- > 0; bits >>= 8) bytes[i] = static_cast<std::uint8_t>(bits);
    builder.UnsafeAppend(bytes.data());
  });
  return arrow::ExtensionType::WrapArray(arrow::extension::uuid(), storage);
}

}  // namespace

void check_written(const arrow::Status& status) {
  if (status.ok()) return;
  if (status.IsCancelled()) throw Error(sqlstate::kQueryCanceled, status.message());
  throw Error(status.IsOutOfMemory() ? sqlstate::kOutOfMemory : sqlstate::kIoError,
              fmt::format("could not write the file: {}", status.message()));
}

std::shared_ptr<arrow::Schema> make_arrow_schema(std::span<const WriteColumn> columns) {
  std::set<std::string> names;
  arrow::FieldVector fields;
  for (const WriteColumn& column : columns) {
    if (!names.insert(column.name).second) {
      throw Error(sqlstate::kDuplicateColumn, fmt::format("column \"{}\" specified more than once", column.name), 0,
                  "The columns of a file need different names: give one another by AS.");
    }
    fields.push_back(arrow::field(column.name, arrow_type(column.type)));
  }
  return arrow::schema(std::move(fields));
}

std::shared_ptr<arrow::Array> make_arrow_array(const WriteColumn& column, std::size_t number, std::span<const RowSlice> slices,
                                               FileFormat format, CountedArrowPool& pool) {
  switch (column.type.kind) {
    case TypeKind::kBoolean: {
      arrow::BooleanBuilder builder(&pool);
      return build(builder, number, slices,
                   [&](const LaneColumn& lane, std::int64_t row) { builder.UnsafeAppend(integer_at(lane, row) != 0); });
    }
    case TypeKind::kSmallint:
      return build_integers(arrow::Int16Builder(&pool), number, slices);
    case TypeKind::kInteger:
      return build_integers(arrow::Int32Builder(&pool), number, slices);
    case TypeKind::kBigint:
      return build_integers(arrow::Int64Builder(&pool), number, slices);
    case TypeKind::kDate:
      return build_integers(arrow::Date32Builder(&pool), number, slices);
    case TypeKind::kTime:
      return build_times(column, number, slices, format, pool);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestamptz:
      return build_integers(arrow::TimestampBuilder(arrow_type(column.type), &pool), number, slices);
    case TypeKind::kInterval:
      return build_intervals(number, slices, pool);
    case TypeKind::kUuid:
      return build_uuids(number, slices, pool);
    case TypeKind::kReal: {
      arrow::FloatBuilder builder(&pool);
      return build(builder, number, slices, [&](const LaneColumn& lane, std::int64_t row) {
        builder.UnsafeAppend(static_cast<float>(lane.as<double>()[row]));
      });
    }
    case TypeKind::kDouble: {
      arrow::DoubleBuilder builder(&pool);
      return build(builder, number, slices,
                   [&](const LaneColumn& lane, std::int64_t row) { builder.UnsafeAppend(lane.as<double>()[row]); });
    }
    case TypeKind::kNumeric: {
      arrow::Decimal128Builder builder(arrow_type(column.type), &pool);
      return build(builder, number, slices, [&](const LaneColumn& lane, std::int64_t row) {
        const int128 value = integer_at(lane, row);
        builder.UnsafeAppend(arrow::Decimal128(static_cast<std::int64_t>(value >> 64), static_cast<std::uint64_t>(value)));
      });
    }
    default:
      return build_texts(column, number, slices, format == FileFormat::kParquet, pool);
  }
}

}  // namespace saccade
