// Window functions: which function, over which window, and with which frame.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/expression_binder.hpp"
#include "sql/binder/limit_clause.hpp"
#include "sql/binder/literals.hpp"
#include "sql/binder/type_rules.hpp"
#include "sql/binder/window_clause.hpp"

namespace saccade {

namespace {

constexpr DataType kBigintType{TypeKind::kBigint};
constexpr DataType kIntegerType{TypeKind::kInteger};
constexpr DataType kBooleanType{TypeKind::kBoolean};
constexpr std::string_view kWindowingError = "42P20";

using Bound = WindowFrame::Bound;
using Mode = WindowFrame::Mode;

struct FunctionName {
  std::string_view name;
  WindowKind kind;
  std::size_t least, most;  // arguments
};

constexpr std::array<FunctionName, 11> kFunctions = {{{"row_number", WindowKind::kRowNumber, 0, 0},
                                                      {"rank", WindowKind::kRank, 0, 0},
                                                      {"dense_rank", WindowKind::kDenseRank, 0, 0},
                                                      {"percent_rank", WindowKind::kPercentRank, 0, 0},
                                                      {"cume_dist", WindowKind::kCumeDist, 0, 0},
                                                      {"ntile", WindowKind::kNtile, 1, 1},
                                                      {"lag", WindowKind::kLag, 1, 3},
                                                      {"lead", WindowKind::kLead, 1, 3},
                                                      {"first_value", WindowKind::kFirstValue, 1, 1},
                                                      {"last_value", WindowKind::kLastValue, 1, 1},
                                                      {"nth_value", WindowKind::kNthValue, 2, 2}}};

const FunctionName* find_function_name(std::string_view name) {
  const auto* found = std::find_if(kFunctions.begin(), kFunctions.end(), [&](const auto& entry) { return entry.name == name; });
  return found == kFunctions.end() ? nullptr : found;
}

// PostgreSQL's bits of a frame, as its grammar sets them.
constexpr std::int64_t kRowsBit = 0x4, kGroupsBit = 0x8;
constexpr std::int64_t kExcludeRowBit = 0x8000, kExcludeGroupBit = 0x10000, kExcludeTiesBit = 0x20000;

// `shift`: 0 for the start's bits, 1 for the end's.
Bound bound_of(std::int64_t options, int shift) {
  const auto has = [&](std::int64_t bit) { return (options & (bit << shift)) != 0; };
  if (has(0x20)) return Bound::kUnboundedPreceding;
  if (has(0x80)) return Bound::kUnboundedFollowing;
  if (has(0x800)) return Bound::kPreceding;
  if (has(0x2000)) return Bound::kFollowing;
  return Bound::kCurrentRow;
}

WindowFrame::Exclusion exclusion_of(std::int64_t options) {
  if ((options & kExcludeRowBit) != 0) return WindowFrame::Exclusion::kCurrentRow;
  if ((options & kExcludeGroupBit) != 0) return WindowFrame::Exclusion::kGroup;
  if ((options & kExcludeTiesBit) != 0) return WindowFrame::Exclusion::kTies;
  return WindowFrame::Exclusion::kNone;
}

std::string_view mode_name(Mode mode) {
  return mode == Mode::kRows ? "ROWS" : mode == Mode::kRange ? "RANGE" : "GROUPS";
}

// Below 0, or no number at all.
bool is_negative(const Value& value) {
  if (const auto* integer = std::get_if<int128>(&value.data)) return *integer < 0;
  if (const auto* real = std::get_if<double>(&value.data)) return std::isnan(*real) || *real < 0;
  const auto* interval = std::get_if<Interval>(&value.data);
  constexpr std::int64_t kDay = 86'400'000'000;
  return interval != nullptr &&
         (static_cast<int128>(interval->months) * 30 + interval->days) * kDay + interval->microseconds < 0;
}

// Days and months from a time with a zone are counted on the zone's clocks, which are put forward and back.
bool depends_on_zone(const DataType& key, const Value& offset) {
  const auto* span = std::get_if<Interval>(&offset.data);
  return key.kind == TypeKind::kTimestamptz && span != nullptr && (span->months != 0 || span->days != 0) &&
         !literal_times().time_zone().is_fixed();
}

// The type of a distance from a key of this type; nothing where there is none.
std::optional<DataType> distance_type(const DataType& key) {
  switch (key.kind) {
    case TypeKind::kSmallint:
    case TypeKind::kInteger:
    case TypeKind::kBigint:
      return kBigintType;
    case TypeKind::kNumeric:
    case TypeKind::kDouble:
    case TypeKind::kReal:
      return DataType{key.kind == TypeKind::kNumeric ? TypeKind::kNumeric : TypeKind::kDouble};
    case TypeKind::kDate:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestamptz:
      return DataType{TypeKind::kInterval};
    default:
      return std::nullopt;
  }
}

}  // namespace

bool is_window_function(std::string_view name) {
  return find_function_name(name) != nullptr;
}

Expression ExpressionBinder::bind_window(const std::string& name, const nlohmann::json& fields,
                                         std::optional<AggregateKind> aggregate, int position) {
  if (in_window_) throw Error(kWindowingError, "window function calls cannot be nested", position);
  if (in_aggregate_)
    throw Error(sqlstate::kGroupingError, "aggregate function calls cannot contain window function calls", position);
  if (windows_ == nullptr) {
    throw Error(kWindowingError, fmt::format("window functions are not allowed in {}", clause_), position,
                "Compute them in a subquery in FROM, and use their columns here.");
  }
  const FunctionName* function = find_function_name(name);
  if (function == nullptr && !aggregate) {
    throw Error("42809", fmt::format("OVER specified, but {} is not a window function nor an aggregate function", name),
                position);
  }
  if (fields.contains("agg_distinct")) context_.unsupported("DISTINCT in a window function", position);
  if (fields.contains("agg_order")) context_.unsupported("ORDER BY in a window function's arguments", position);
  if (function != nullptr && fields.contains("agg_filter"))
    context_.unsupported("FILTER in a window function that is no aggregate", position);
  in_window_ = true;
  Expression result =
      aggregate ? window_aggregate(*aggregate, name, fields, position) : window_call(function->kind, name, fields, position);
  in_window_ = false;
  result.position = position;
  return result;
}

Expression ExpressionBinder::window_aggregate(AggregateKind kind, const std::string& name, const nlohmann::json& fields,
                                              int position) {
  WindowCall call;
  call.kind = WindowKind::kAggregate;
  call.aggregate = aggregate_call(kind, name, fields, position);
  call.aggregate->output = -1;
  call.type = call.aggregate->type;
  return over(std::move(call), fields.at("over"));
}

Expression ExpressionBinder::window_call(WindowKind kind, const std::string& name, const nlohmann::json& fields, int position) {
  const FunctionName* function = find_function_name(name);
  std::vector<Expression> arguments;
  if (fields.contains("args")) {
    for (const nlohmann::json& argument : fields.at("args")) arguments.push_back(bind(argument));
  }
  const bool fits =
      arguments.size() >= function->least && arguments.size() <= function->most && !flag_field(fields, "agg_star");
  if (!fits) no_function(name, arguments, position);
  WindowCall call;
  call.kind = kind;
  const bool value = kind >= WindowKind::kLag;
  std::optional<Expression> otherwise;
  if (arguments.size() == 3) {
    const auto type = common_type(arguments[0], arguments[2]);
    if (!type) no_function(name, arguments, position);
    arguments[0] = coerce(resolve_literal(std::move(arguments[0]), *type), *type);
    otherwise = coerce(resolve_literal(std::move(arguments[2]), *type), *type);
    arguments.pop_back();
  }
  if (value) {
    if (is_unknown_literal(arguments[0])) arguments[0] = coerce(std::move(arguments[0]), {TypeKind::kText});
    call.type = arguments[0].type;
  }
  for (std::size_t i = value ? 1 : 0; i < arguments.size(); ++i) {
    arguments[i] = resolve_literal(std::move(arguments[i]), kIntegerType);
    if (!arguments[i].type.is_integer() || arguments[i].type.kind == TypeKind::kBigint) no_function(name, arguments, position);
  }
  const bool shifts = kind == WindowKind::kLag || kind == WindowKind::kLead;
  if (shifts && arguments.size() == 1) arguments.push_back(literal_expression({kIntegerType, int128{1}}));
  if (kind <= WindowKind::kDenseRank) call.type = kBigintType;
  if (kind == WindowKind::kPercentRank || kind == WindowKind::kCumeDist) call.type = {TypeKind::kDouble};
  if (kind == WindowKind::kNtile) call.type = kIntegerType;
  call.arguments = std::move(arguments);
  if (!otherwise) return over(std::move(call), fields.at("over"));
  // The default counts where there is no row, and is evaluated nowhere else.
  WindowCall outside = call;
  outside.kind = kind == WindowKind::kLag ? WindowKind::kLagOutside : WindowKind::kLeadOutside;
  outside.type = kBooleanType;
  outside.arguments.erase(outside.arguments.begin());
  const DataType type = call.type;
  Expression is_outside = over(std::move(outside), fields.at("over"));
  Expression shifted = over(std::move(call), fields.at("over"));
  return call_expression(Operation::kCase, type, {std::move(is_outside), std::move(*otherwise), std::move(shifted)});
}

// The call over the window of its OVER clause, as a column.
Expression ExpressionBinder::over(WindowCall call, const nlohmann::json& fields) {
  const WindowDefinition window = windows_->resolve(fields);
  std::vector<Expression> partition;
  std::vector<SortKey> order;
  if (window.partition != nullptr) {
    for (const nlohmann::json& item : *window.partition) partition.push_back(bind_value(item));
  }
  if (window.order != nullptr) {
    for (const nlohmann::json& item : *window.order) {
      const nlohmann::json& sort = syntax_node(item).fields;
      SortKey key;
      set_direction(context_, sort, key);
      key.expression = bind_value(sort.at("node"));
      order.push_back(std::move(key));
    }
  }
  WindowFrame frame = bind_frame(*window.frame, order, window.position);
  if (call.kind >= WindowKind::kFirstValue) call.frame = std::move(frame);
  const DataType type = call.type;
  return column_expression(windows_->add(context_, std::move(partition), std::move(order), std::move(call)), type);
}

WindowFrame ExpressionBinder::bind_frame(const nlohmann::json& fields, const std::vector<SortKey>& order, int position) {
  const std::int64_t options = fields.value("frameOptions", std::int64_t{0x422});
  WindowFrame frame;
  frame.mode = (options & kRowsBit) != 0 ? Mode::kRows : (options & kGroupsBit) != 0 ? Mode::kGroups : Mode::kRange;
  frame.start = bound_of(options, 0);
  frame.end = bound_of(options, 1);
  frame.exclusion = exclusion_of(options);
  if (frame.mode == Mode::kGroups && order.empty())
    throw Error(kWindowingError, "GROUPS mode requires an ORDER BY clause", position);
  if (fields.contains("startOffset")) frame.start_offset = bind_offset(fields.at("startOffset"), frame.mode, order, "starting");
  if (fields.contains("endOffset")) frame.end_offset = bind_offset(fields.at("endOffset"), frame.mode, order, "ending");
  return frame;
}

Value ExpressionBinder::bind_offset(const nlohmann::json& json, WindowFrame::Mode mode, const std::vector<SortKey>& order,
                                    std::string_view end) {
  Expression offset = bind(json);
  const int position = context_.position(json);
  if (!columns_of(offset).empty())
    throw Error(sqlstate::kInvalidColumnReference, fmt::format("argument of {} must not contain variables", mode_name(mode)),
                position);
  DataType type = kBigintType;
  if (mode == Mode::kRange) {
    if (order.size() != 1) {
      throw Error(kWindowingError, "RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column", position);
    }
    const DataType& key = order.front().expression.type;
    const auto distance = distance_type(key);
    const bool matches =
        distance && (is_unknown_literal(offset) || offset.type.kind == distance->kind ||
                     (offset.type.is_number() && (distance->kind != TypeKind::kBigint || offset.type.is_integer())));
    if (!matches) {
      throw Error(sqlstate::kFeatureNotSupported,
                  fmt::format("RANGE with offset PRECEDING/FOLLOWING is not supported for column type {}{}", to_string(key),
                              distance ? " and offset type " + to_string(offset.type) : std::string()),
                  position, "Cast the offset value to an appropriate type.");
    }
    type = *distance;
    if (type.kind == TypeKind::kNumeric && offset.type.is_number()) type = numeric_type_of(offset);
  }
  offset = resolve_literal(std::move(offset), type);
  if (offset.type.is_number()) offset = narrow_literal(std::move(offset), type);
  if (mode != Mode::kRange && !offset.type.is_integer()) {
    throw Error(sqlstate::kDatatypeMismatch,
                fmt::format("argument of {} must be type bigint, not type {}", mode_name(mode), to_string(offset.type)),
                position);
  }
  // A numeric keeps its own scale; the planner brings key and offset to one.
  if (type.kind != TypeKind::kNumeric) offset = coerce(std::move(offset), type);
  if (offset.operation != Operation::kLiteral) context_.unsupported("a frame offset that is not a constant", position);
  if (mode == Mode::kRange && depends_on_zone(order.front().expression.type, offset.literal))
    context_.unsupported("a RANGE frame of days or months over times with a zone, where the zone has summer time,", position);
  if (offset.literal.is_null()) throw Error("22004", fmt::format("frame {} offset must not be null", end), position);
  if (is_negative(offset.literal)) {
    if (mode != Mode::kRange) throw Error("22013", fmt::format("frame {} offset must not be negative", end), position);
    throw Error("22013", "invalid preceding or following size in window function", position);
  }
  return offset.literal;
}

}  // namespace saccade
