// Casts between text and the other types.
#include <fmt/format.h>

#include <charconv>
#include <string>

#include "common/error.hpp"
#include "data/date_time.hpp"
#include "data/parse_value.hpp"
#include "function/registry.hpp"
#include "function/scalar/all.hpp"
#include "function/text/implementations.hpp"

namespace saccade::text_impl {
namespace {

DataType integer_type(std::int64_t bytes) {
  return {bytes == 2 ? TypeKind::kSmallint : bytes == 4 ? TypeKind::kInteger : TypeKind::kBigint};
}

// A value of `type` read from each row's text.
template <class Take>
void parse_rows(TextCall& call, const DataType& type, const Take& take) {
  call.each_row([&](std::int64_t row) { take(row, parse_value(call.operands[0].text(row), type)); });
}

void write_integer(TextCall& call, std::int64_t row, std::int64_t value) {
  char digits[24];
  const auto written = std::to_chars(digits, digits + sizeof(digits), value);
  call.put(row, {digits, static_cast<std::size_t>(written.ptr - digits)});
}

}  // namespace

void run_text_of_boolean(TextCall& call) {
  call.each_row([&](std::int64_t row) { call.put(row, call.operands[0].boolean(row) ? "true" : "false"); });
}

void run_text_of_integer(TextCall& call) {
  call.each_row([&](std::int64_t row) { write_integer(call, row, call.operands[0].integer(row)); });
}

void run_text_of_numeric(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    call.put(row, decimal_text(call.operands[0].wide(row), static_cast<int>(call.operands[1].integer(row))));
  });
}

void run_text_of_double(TextCall& call) {
  call.each_row([&](std::int64_t row) { call.put(row, to_string(Value{{TypeKind::kDouble}, call.operands[0].real(row)})); });
}

void run_text_of_date(TextCall& call) {
  call.each_row([&](std::int64_t row) { call.put(row, date_text(call.operands[0].integer(row))); });
}

void run_text_of_timestamp(TextCall& call) {
  call.each_row([&](std::int64_t row) { call.put(row, timestamp_text(call.operands[0].integer(row))); });
}

void run_boolean_of_text(TextCall& call) {
  parse_rows(call, {TypeKind::kBoolean},
             [&](std::int64_t row, const Value& value) { call.put_boolean(row, std::get<bool>(value.data)); });
}

// Plain digits are read here; what is longer, signed oddly or wrong is left to parse_value.
void run_integer_of_text(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row);
    const DataType type = integer_type(call.operands[1].integer(row));
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool plain = read.ec == std::errc() && read.ptr == text.data() + text.size() && fits(value, type);
    if (!plain) value = static_cast<std::int64_t>(std::get<int128>(parse_value(text, type).data));
    call.put_integer(row, value);
  });
}

void run_numeric_of_text(TextCall& call) {
  parse_rows(call, {TypeKind::kNumeric}, [&](std::int64_t row, const Value& value) {
    const auto precision = static_cast<int>(call.operands[1].integer(row));
    const auto scale = static_cast<int>(call.operands[2].integer(row));
    FunctionError error = FunctionError::kNone;
    const int128 digits = std::get<int128>(value.data);
    const int from = value.type.scale;
    const int128 scaled = scale >= from ? multiply_checked_i128(digits, power_of_ten(scale - from), error)
                                        : round_down_scale_i128(digits, power_of_ten(from - scale));
    check_magnitude_i128(scaled, power_of_ten(precision) - 1, error);
    if (error != FunctionError::kNone) throw to_error(error);
    call.put_wide(row, scaled);
  });
}

void run_double_of_text(TextCall& call) {
  parse_rows(call, {TypeKind::kDouble},
             [&](std::int64_t row, const Value& value) { call.put_real(row, std::get<double>(value.data)); });
}

void run_date_of_text(TextCall& call) {
  parse_rows(call, {TypeKind::kDate}, [&](std::int64_t row, const Value& value) {
    call.put_integer(row, static_cast<std::int64_t>(std::get<int128>(value.data)));
  });
}

void run_timestamp_of_text(TextCall& call) {
  parse_rows(call, {TypeKind::kTimestamp}, [&](std::int64_t row, const Value& value) {
    call.put_integer(row, static_cast<std::int64_t>(std::get<int128>(value.data)));
  });
}

}  // namespace saccade::text_impl
