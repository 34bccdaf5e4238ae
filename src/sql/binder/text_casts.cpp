#include "sql/binder/text_casts.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "data/parse_value.hpp"
#include "sql/binder/literals.hpp"
#include "sql/binder/time_casts.hpp"

namespace saccade {

namespace {

constexpr DataType kTextType{TypeKind::kText};

struct HostCast {
  TypeKind kind;
  std::string_view to_text, from_text;
};

constexpr std::array<HostCast, 6> kCasts = {{
    {TypeKind::kReal, "text_of_real", "real_of_text"},
    {TypeKind::kTime, "text_of_time", "time_of_text"},
    {TypeKind::kTimestamptz, "text_of_timestamptz", "timestamptz_of_text"},
    {TypeKind::kInterval, "text_of_interval", "interval_of_text"},
    {TypeKind::kUuid, "text_of_uuid", "uuid_of_text"},
    {TypeKind::kBytea, "text_of_bytea", "bytea_of_text"},
}};

const HostCast* find_cast(TypeKind kind) {
  const auto found = std::find_if(kCasts.begin(), kCasts.end(), [&](const HostCast& cast) { return cast.kind == kind; });
  return found == kCasts.end() ? nullptr : &*found;
}

Expression retyped(Expression expression, const DataType& type) {
  if (expression.type == type) return expression;
  const int position = expression.position;
  Expression result = call_expression(Operation::kCast, type, {std::move(expression)});
  result.position = position;
  return result;
}

Expression session_zone() {
  return literal_expression({kTextType, literal_times().time_zone().name()});
}

// A text as one of the three types; char is kept without its trailing blanks.
Expression cut_to(Expression text, const DataType& to) {
  const int position = text.position;
  const bool trimmed = to.kind == TypeKind::kChar;
  if (to.length == 0 && (!trimmed || text.type.kind == TypeKind::kChar)) return retyped(std::move(text), to);
  Expression cut = retyped(std::move(text), kTextType);
  if (to.length > 0) cut = text_function("left", to, {std::move(cut), integer_argument(to.length)}, position);
  if (!trimmed) return cut;
  cut.type = kTextType;
  return text_function("rtrim", to, {std::move(cut), literal_expression({kTextType, std::string(" ")})}, position);
}

}  // namespace

Expression text_function(std::string_view name, DataType type, std::vector<Expression> arguments, int position) {
  Expression result = call_expression(Operation::kTextFunction, type, std::move(arguments));
  result.name = name;
  result.position = position;
  return result;
}

std::optional<Expression> cast_text(const Expression& expression, const DataType& to) {
  const DataType& from = expression.type;
  const int position = expression.position;
  if (to.is_text()) {
    if (from.is_text()) return cut_to(expression, to);
    if (const HostCast* cast = find_cast(from.kind)) {
      std::vector<Expression> arguments{expression};
      if (from.kind == TypeKind::kTimestamptz) arguments.push_back(session_zone());
      return cut_to(text_function(cast->to_text, kTextType, std::move(arguments), position), to);
    }
    if (to.kind == TypeKind::kText) return std::nullopt;
    return cut_to(retyped(expression, kTextType), to);
  }
  const HostCast* cast = find_cast(to.kind);
  if (!from.is_text() || cast == nullptr) return std::nullopt;
  std::vector<Expression> arguments{retyped(expression, kTextType)};
  if (to.kind == TypeKind::kTimestamptz) {
    arguments.push_back(session_zone());
    arguments.push_back(integer_argument(literal_times().now));
  }
  return text_function(cast->from_text, to, std::move(arguments), position);
}

Expression fit_to_column(Expression expression, const DataType& to) {
  if (!to.is_text() || to.length == 0 || !expression.type.is_text() || expression.type == to) return expression;
  const int position = expression.position;
  if (expression.operation == Operation::kLiteral) {
    if (expression.literal.is_null()) return literal_expression(Value::null(to));
    const std::string& text = std::get<std::string>(expression.literal.data);
    if (text.find_first_not_of(' ', truncate_text(text, to.length).size()) != std::string::npos) {
      throw Error("22001", fmt::format("value too long for type {}", to_string(to)), position);
    }
    Expression fitted = literal_expression(parse_value(text, to));
    fitted.position = position;
    return fitted;
  }
  Expression fitted = text_function("fit_text", {TypeKind::kVarchar},
                                    {retyped(std::move(expression), kTextType), integer_argument(to.length)}, position);
  return cut_to(std::move(fitted), to);
}

// Of a varchar and a char the first counts, as in PostgreSQL.
DataType common_text_type(const DataType& a, const DataType& b) {
  if (a.kind == TypeKind::kText || b.kind == TypeKind::kText) return kTextType;
  if (a.kind != b.kind) return {a.kind};
  if (a.kind == TypeKind::kVarchar) return {TypeKind::kVarchar};
  DataType longer = a;
  longer.length = std::max(a.length, b.length);
  return longer;
}

}  // namespace saccade
