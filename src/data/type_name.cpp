#include "data/type_name.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/error.hpp"

namespace saccade {
namespace {

constexpr std::array<std::pair<std::string_view, TypeKind>, 35> kNames = {{
    {"boolean", TypeKind::kBoolean},
    {"bool", TypeKind::kBoolean},
    {"smallint", TypeKind::kSmallint},
    {"int2", TypeKind::kSmallint},
    {"integer", TypeKind::kInteger},
    {"int", TypeKind::kInteger},
    {"int4", TypeKind::kInteger},
    {"bigint", TypeKind::kBigint},
    {"int8", TypeKind::kBigint},
    {"real", TypeKind::kReal},
    {"float4", TypeKind::kReal},
    {"double precision", TypeKind::kDouble},
    {"double", TypeKind::kDouble},
    {"float8", TypeKind::kDouble},
    {"float", TypeKind::kDouble},
    {"numeric", TypeKind::kNumeric},
    {"decimal", TypeKind::kNumeric},
    {"date", TypeKind::kDate},
    {"time", TypeKind::kTime},
    {"time without time zone", TypeKind::kTime},
    {"timestamp", TypeKind::kTimestamp},
    {"timestamp without time zone", TypeKind::kTimestamp},
    {"timestamptz", TypeKind::kTimestamptz},
    {"timestamp with time zone", TypeKind::kTimestamptz},
    {"interval", TypeKind::kInterval},
    {"uuid", TypeKind::kUuid},
    {"text", TypeKind::kText},
    {"string", TypeKind::kText},
    {"varchar", TypeKind::kVarchar},
    {"character varying", TypeKind::kVarchar},
    {"char", TypeKind::kChar},
    {"character", TypeKind::kChar},
    {"bpchar", TypeKind::kChar},
    {"bytea", TypeKind::kBytea},
    {"blob", TypeKind::kBytea},
}};

// In lower case, with single blanks and none at the ends or beside parentheses.
std::string normalized(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    const bool tight = result.empty() || result.back() == '(' || result.back() == ',' || result.back() == ' ';
    if (blank && tight) continue;
    if (!blank && (c == '(' || c == ',' || c == ')') && !result.empty() && result.back() == ' ') result.pop_back();
    result.push_back(blank ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

[[noreturn]] void raise_unknown(std::string_view text) {
  throw Error(sqlstate::kUndefinedObject, fmt::format("type \"{}\" does not exist", text), 0,
              "Types are boolean, smallint, integer, bigint, numeric(p,s), real, double precision, date, time, timestamp, "
              "timestamptz, interval, uuid, text, varchar(n), char(n), bytea.");
}

// The numbers of "(10,2)".
std::vector<int> modifiers(std::string_view text, std::string_view whole) {
  std::vector<int> numbers;
  if (text.empty()) return numbers;
  if (text.back() != ')') raise_unknown(whole);
  const char* at = text.data() + 1;
  const char* end = text.data() + text.size() - 1;
  while (true) {
    int number = 0;
    const auto read = std::from_chars(at, end, number);
    if (read.ec != std::errc()) raise_unknown(whole);
    numbers.push_back(number);
    if (read.ptr == end) return numbers;
    if (*read.ptr != ',') raise_unknown(whole);
    at = read.ptr + 1;
  }
}

DataType numeric_type(const std::vector<int>& numbers) {
  if (numbers.empty()) {
    throw Error(sqlstate::kFeatureNotSupported, "numeric without a precision and a scale is not supported here", 0,
                "Write numeric(p, s), with at most 38 digits.");
  }
  const int precision = numbers[0], scale = numbers.size() > 1 ? numbers[1] : 0;
  if (precision < 1 || precision > 38 || scale < 0 || scale > precision) {
    throw Error(sqlstate::kInvalidParameterValue, fmt::format("numeric({},{}) is not possible", precision, scale), 0,
                "A numeric has 1 to 38 digits, and as many or fewer behind the point.");
  }
  return DataType::numeric(precision, scale);
}

DataType text_type(TypeKind kind, const std::vector<int>& numbers) {
  DataType type{kind};
  type.length = !numbers.empty() ? numbers[0] : kind == TypeKind::kChar ? 1 : 0;
  if (!numbers.empty() && (type.length < 1 || type.length > 10485760)) {
    throw Error(sqlstate::kInvalidParameterValue, fmt::format("a length of {} is not possible", type.length), 0,
                "Lengths are from 1 to 10485760 characters.");
  }
  return type;
}

}  // namespace

DataType parse_type_name(std::string_view text) {
  const std::string whole = normalized(text);
  const std::size_t open = std::min(whole.find('('), whole.size());
  std::optional<TypeKind> kind;
  for (const auto& [name, candidate] : kNames) {
    if (std::string_view(whole).substr(0, open) == name) kind = candidate;
  }
  if (!kind) raise_unknown(text);
  const std::vector<int> numbers = modifiers(std::string_view(whole).substr(open), text);
  const bool sized = *kind == TypeKind::kVarchar || *kind == TypeKind::kChar;
  if (*kind == TypeKind::kNumeric && numbers.size() <= 2) return numeric_type(numbers);
  if (sized && numbers.size() <= 1) return text_type(*kind, numbers);
  if (!numbers.empty()) raise_unknown(text);
  return {*kind};
}

}  // namespace saccade
