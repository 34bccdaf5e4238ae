#include "storage/arrow/arrow_values.hpp"

#include <arrow/api.h>
#include <arrow/extension_type.h>
#include <arrow/util/decimal.h>
#include <arrow/util/float16.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "function/scalar/interval.hpp"
#include "storage/parquet/utf8.hpp"

namespace saccade {
namespace {

using arrow::Type;

constexpr int kMaximumDigits = 38;
constexpr std::int64_t kMillisecondsPerDay = 86400000;

bool is_uuid(const arrow::DataType& type) {
  return type.id() == Type::EXTENSION && static_cast<const arrow::ExtensionType&>(type).extension_name() == "arrow.uuid";
}

// Arrow's is_temporal() knows only points in time.
bool is_span(Type::type id) {
  return arrow::is_interval(id) || id == Type::DURATION;
}

DataType decimal_type(const arrow::DecimalType& type) {
  if (type.precision() < 1 || type.precision() > kMaximumDigits || type.scale() < 0 || type.scale() > type.precision())
    return {};
  return DataType::numeric(type.precision(), type.scale());
}

// What converts one column's values.
class Conversion {
 public:
  Conversion(PartColumn& column, std::int64_t first, const std::string& where)
      : column_(column), first_(first), where_(where) {}

  void convert(const arrow::Array& array) {
    switch (array.type_id()) {
      case Type::NA:
        for (std::int64_t i = 0; i < array.length(); ++i) column_.set_null(first_ + i);
        return;
      case Type::BOOL:
        return each<arrow::BooleanArray>(array, [&](std::int64_t row, bool v) { column_.set<std::uint8_t>(row, v ? 1 : 0); });
      case Type::DICTIONARY:
        return dictionary(static_cast<const arrow::DictionaryArray&>(array));
      case Type::EXTENSION:
        return is_uuid(*array.type()) ? uuids(*static_cast<const arrow::ExtensionArray&>(array).storage())
                                      : convert(*static_cast<const arrow::ExtensionArray&>(array).storage());
      default:
        break;
    }
    if (arrow::is_integer(array.type_id())) return integers(array);
    if (arrow::is_floating(array.type_id())) return floats(array);
    if (arrow::is_decimal(array.type_id())) return decimals(array);
    if (arrow::is_temporal(array.type_id())) return times(array);
    if (is_span(array.type_id())) return intervals(array);
    strings(array);
  }

 private:
  // Calls set(row, value) where there is a value.
  template <class Array, class Set>
  void each(const arrow::Array& array, Set set) {
    const auto& typed = static_cast<const Array&>(array);
    for (std::int64_t i = 0; i < array.length(); ++i) {
      if (array.IsNull(i)) {
        column_.set_null(first_ + i);
      } else if constexpr (requires { typed.GetView(i); }) {
        set(first_ + i, typed.GetView(i));
      } else {
        set(first_ + i, typed.GetValue(i));
      }
    }
  }

  template <class Array>
  void as_integers(const arrow::Array& array) {
    each<Array>(array, [&](std::int64_t row, auto value) {
      if (column_.lane() == Lane::kInt128) {
        column_.set<int128>(row, value);
      } else {
        column_.set<std::int64_t>(row, static_cast<std::int64_t>(value));
      }
    });
  }

  void integers(const arrow::Array& array) {
    switch (array.type_id()) {
      case Type::INT8:
        return as_integers<arrow::Int8Array>(array);
      case Type::INT16:
        return as_integers<arrow::Int16Array>(array);
      case Type::INT32:
        return as_integers<arrow::Int32Array>(array);
      case Type::INT64:
        return as_integers<arrow::Int64Array>(array);
      case Type::UINT8:
        return as_integers<arrow::UInt8Array>(array);
      case Type::UINT16:
        return as_integers<arrow::UInt16Array>(array);
      case Type::UINT32:
        return as_integers<arrow::UInt32Array>(array);
      default:
        return as_integers<arrow::UInt64Array>(array);
    }
  }

  void floats(const arrow::Array& array) {
    const auto set = [&](std::int64_t row, auto value) { column_.set<double>(row, static_cast<double>(value)); };
    if (array.type_id() == Type::FLOAT) return each<arrow::FloatArray>(array, set);
    if (array.type_id() == Type::DOUBLE) return each<arrow::DoubleArray>(array, set);
    each<arrow::HalfFloatArray>(array, [&](std::int64_t row, std::uint16_t bits) {
      column_.set<double>(row, arrow::util::Float16::FromBits(bits).ToDouble());
    });
  }

  // Little-endian two's complement of 4 to 32 bytes.
  void decimals(const arrow::Array& array) {
    const int bytes = static_cast<const arrow::FixedWidthType&>(*array.type()).bit_width() / 8;
    const int128 limit = power_of_ten(column_.type().precision);
    each<arrow::FixedSizeBinaryArray>(array, [&](std::int64_t row, std::string_view stored) {
      const std::uint8_t sign = (static_cast<std::uint8_t>(stored[stored.size() - 1]) & 0x80U) != 0 ? 0xff : 0;
      uint128 value = sign != 0 ? ~static_cast<uint128>(0) : 0;
      std::memcpy(&value, stored.data(), static_cast<std::size_t>(std::min(bytes, 16)));
      bool fits = true;
      for (int i = 16; i < bytes; ++i) fits = fits && static_cast<std::uint8_t>(stored[static_cast<std::size_t>(i)]) == sign;
      const auto number = static_cast<int128>(value);
      if (!fits || number >= limit || number <= -limit) raise_range("a decimal does not fit its type");
      if (column_.lane() == Lane::kInt128) {
        column_.set<int128>(row, number);
      } else {
        column_.set<std::int64_t>(row, static_cast<std::int64_t>(number));
      }
    });
  }

  auto time_of_day(arrow::TimeUnit::type unit) {
    return [this, unit](std::int64_t row, std::int64_t value) {
      const std::int64_t time = microseconds(value, unit);
      if (time < 0 || time > kMicrosecondsPerDay) raise_range("time out of range");
      column_.set<std::int64_t>(row, time);
    };
  }

  void times(const arrow::Array& array) {
    const auto scaled = [&](arrow::TimeUnit::type unit) {
      return [this, unit](std::int64_t row, std::int64_t value) { column_.set<std::int64_t>(row, microseconds(value, unit)); };
    };
    switch (array.type_id()) {
      case Type::DATE32:
        return as_integers<arrow::Date32Array>(array);
      case Type::DATE64:
        return each<arrow::Date64Array>(array, [&](std::int64_t row, std::int64_t value) {
          const std::int64_t days = value / kMillisecondsPerDay - (value % kMillisecondsPerDay < 0 ? 1 : 0);
          if (days != static_cast<std::int32_t>(days)) raise_range("date out of range");
          column_.set<std::int64_t>(row, days);
        });
      case Type::TIME32:
        return each<arrow::Time32Array>(array, time_of_day(static_cast<const arrow::Time32Type&>(*array.type()).unit()));
      case Type::TIME64:
        return each<arrow::Time64Array>(array, time_of_day(static_cast<const arrow::Time64Type&>(*array.type()).unit()));
      default:
        return each<arrow::TimestampArray>(array, scaled(static_cast<const arrow::TimestampType&>(*array.type()).unit()));
    }
  }

  void intervals(const arrow::Array& array) {
    switch (array.type_id()) {
      case Type::INTERVAL_MONTHS:
        return each<arrow::MonthIntervalArray>(array, [&](std::int64_t row, std::int32_t v) { interval(row, v, 0, 0); });
      case Type::INTERVAL_DAY_TIME:
        return each<arrow::DayTimeIntervalArray>(
            array, [&](std::int64_t row, const auto& v) { interval(row, 0, v.days, std::int64_t{v.milliseconds} * 1000); });
      case Type::INTERVAL_MONTH_DAY_NANO:
        return each<arrow::MonthDayNanoIntervalArray>(array, [&](std::int64_t row, const auto& v) {
          interval(row, v.months, v.days, microseconds(v.nanoseconds, arrow::TimeUnit::NANO));
        });
      default: {
        const auto unit = static_cast<const arrow::DurationType&>(*array.type()).unit();
        return each<arrow::DurationArray>(
            array, [&](std::int64_t row, std::int64_t v) { interval(row, 0, 0, microseconds(v, unit)); });
      }
    }
  }

  void interval(std::int64_t row, std::int64_t months, std::int64_t days, std::int64_t time) {
    FunctionError error = FunctionError::kNone;
    column_.set<int128>(row, pack_interval(months, days, time, error));
    if (error != FunctionError::kNone) raise_range("interval out of range");
  }

  void strings(const arrow::Array& array) {
    const auto set = [&](std::int64_t row, std::string_view text) { column_.set_text(row, checked(text)); };
    switch (array.type_id()) {
      case Type::STRING:
      case Type::BINARY:
        return each<arrow::BinaryArray>(array, set);
      case Type::LARGE_STRING:
      case Type::LARGE_BINARY:
        return each<arrow::LargeBinaryArray>(array, set);
      case Type::STRING_VIEW:
      case Type::BINARY_VIEW:
        return each<arrow::BinaryViewArray>(array, set);
      case Type::FIXED_SIZE_BINARY:
        return each<arrow::FixedSizeBinaryArray>(array, set);
      default:
        raise_internal("a supported Arrow type", __FILE__, __LINE__);
    }
  }

  // The lane's signed order is that of the bytes: the sign bit is turned over.
  void uuids(const arrow::Array& array) {
    each<arrow::FixedSizeBinaryArray>(array, [&](std::int64_t row, std::string_view stored) {
      uint128 bits = 0;
      for (const char c : stored) bits = bits << 8 | static_cast<std::uint8_t>(c);
      column_.set<int128>(row, static_cast<int128>(bits ^ static_cast<uint128>(1) << 127));
    });
  }

  // The dictionary's values are converted once, then copied by their indices.
  void dictionary(const arrow::DictionaryArray& array) {
    const arrow::Array& values = *array.dictionary();
    PartColumn entries(column_.type(), values.length(), column_.pool());
    Conversion(entries, 0, where_).convert(values);
    for (std::int64_t i = 0; i < array.length(); ++i) {
      const std::int64_t index = array.IsNull(i) ? -1 : array.GetValueIndex(i);
      if (index < 0 || entries.is_null(index)) {
        column_.set_null(first_ + i);
      } else {
        column_.copy_value(first_ + i, entries, index);
      }
    }
    column_.keep_strings(entries);
  }

  std::string_view checked(std::string_view text) const {
    if (!column_.type().is_text()) return text;
    const bool zero = !text.empty() && std::memchr(text.data(), 0, text.size()) != nullptr;
    if (zero || !is_valid_utf8(text)) {
      throw Error(sqlstate::kCharacterNotInRepertoire, fmt::format("{}: invalid byte sequence for encoding \"UTF8\"", where_),
                  0, "Write the file with its text in UTF-8.");
    }
    return text;
  }

  std::int64_t microseconds(std::int64_t value, arrow::TimeUnit::type unit) const {
    if (unit == arrow::TimeUnit::NANO) {
      if (value % 1000 != 0) {
        throw Error(sqlstate::kFeatureNotSupported, fmt::format("{} has times finer than microseconds", where_), 0,
                    "Write the file with times in microseconds.");
      }
      return value / 1000;
    }
    const std::int64_t factor = unit == arrow::TimeUnit::SECOND ? 1000000 : unit == arrow::TimeUnit::MILLI ? 1000 : 1;
    std::int64_t result = 0;
    if (__builtin_mul_overflow(value, factor, &result)) raise_range("a time is out of range");
    return result;
  }

  [[noreturn]] void raise_range(const char* what) const {
    throw Error(sqlstate::kDatetimeFieldOverflow, fmt::format("{}: {}", where_, what));
  }

  PartColumn& column_;
  std::int64_t first_;
  const std::string& where_;
};

DataType integer_type(const arrow::DataType& type) {
  switch (type.id()) {
    case Type::INT8:
    case Type::INT16:
    case Type::UINT8:
      return {TypeKind::kSmallint};
    case Type::INT32:
    case Type::UINT16:
      return {TypeKind::kInteger};
    case Type::UINT64:
      return DataType::numeric(20, 0);
    default:
      return {TypeKind::kBigint};
  }
}

DataType temporal_type(const arrow::DataType& type) {
  switch (type.id()) {
    case Type::DATE32:
    case Type::DATE64:
      return {TypeKind::kDate};
    case Type::TIME32:
    case Type::TIME64:
      return {TypeKind::kTime};
    default:
      return {static_cast<const arrow::TimestampType&>(type).timezone().empty() ? TypeKind::kTimestamp
                                                                                : TypeKind::kTimestamptz};
  }
}

}  // namespace

DataType type_of_arrow(const arrow::DataType& type) {
  if (arrow::is_integer(type.id())) return integer_type(type);
  if (arrow::is_decimal(type.id())) return decimal_type(static_cast<const arrow::DecimalType&>(type));
  if (arrow::is_temporal(type.id())) return temporal_type(type);
  if (is_span(type.id())) return {TypeKind::kInterval};
  switch (type.id()) {
    case Type::NA:
      return {TypeKind::kText};
    case Type::BOOL:
      return {TypeKind::kBoolean};
    case Type::HALF_FLOAT:
    case Type::FLOAT:
      return {TypeKind::kReal};
    case Type::DOUBLE:
      return {TypeKind::kDouble};
    case Type::STRING:
    case Type::LARGE_STRING:
    case Type::STRING_VIEW:
      return {TypeKind::kText};
    case Type::BINARY:
    case Type::LARGE_BINARY:
    case Type::BINARY_VIEW:
    case Type::FIXED_SIZE_BINARY:
      return {TypeKind::kBytea};
    case Type::DICTIONARY: {
      const arrow::DataType& values = *static_cast<const arrow::DictionaryType&>(type).value_type();
      return values.id() == Type::DICTIONARY ? DataType{} : type_of_arrow(values);
    }
    case Type::EXTENSION:
      if (is_uuid(type)) return {TypeKind::kUuid};
      return type_of_arrow(*static_cast<const arrow::ExtensionType&>(type).storage_type());
    default:
      return {};
  }
}

void set_arrow_values(PartColumn& column, std::int64_t first, const arrow::Array& array, const std::string& where) {
  Conversion(column, first, where).convert(array);
}

}  // namespace saccade
