#include "sql/binder/limit_clause.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/literals.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

constexpr DataType kBigintType{TypeKind::kBigint};
constexpr DataType kBooleanType{TypeKind::kBoolean};

LogicalNode over(LogicalKind kind, LogicalNode child) {
  LogicalNode node;
  node.kind = kind;
  node.children.push_back(std::move(child));
  return node;
}

// The value of LIMIT or OFFSET; nothing for ALL and NULL.
std::optional<std::int64_t> row_count(BindingContext& context, const nlohmann::json& select, const char* field,
                                      std::string_view clause, std::string_view state) {
  if (!select.contains(field)) return std::nullopt;
  const SyntaxNode node = syntax_node(select.at(field));
  const bool constant = node.kind == "A_Const";
  const int position = context.position(node.fields);
  if (constant && flag_field(node.fields, "isnull")) return std::nullopt;
  Value value = Value::null();
  if (node.kind == "ParamRef") {
    value = coerce(context.parameter(node.fields.value("number", 0), position), kBigintType).literal;
    if (value.is_null()) return std::nullopt;
  }
  if (constant && node.fields.contains("ival")) value = {kBigintType, int128{context.tree.integer(node.fields)}};
  if (constant && node.fields.contains("fval")) {
    value = number_literal(text_field(node.fields.at("fval"), "fval"), position);
  }
  if (!value.type.is_integer()) context.unsupported(fmt::format("{} by anything but a whole number", clause), position);
  const auto count = static_cast<std::int64_t>(std::get<int128>(value.data));
  if (count < 0) throw Error(state, fmt::format("{} must not be negative", clause), position);
  return count;
}

// Rows offset + 1 to offset + limit in the sort's order, and those after them that are equal to the last.
LogicalNode limit_with_ties(BindingContext& context, LogicalNode sort, std::int64_t limit, std::int64_t offset) {
  SACCADE_CHECK(sort.kind == LogicalKind::kSort);
  LogicalNode window = over(LogicalKind::kWindow, std::move(sort.children.at(0)));
  window.sort_keys = sort.sort_keys;
  const ColumnId rank = add_row_number(context, window, WindowKind::kRank);
  const ColumnId number = add_row_number(context, window, WindowKind::kRowNumber);
  LogicalNode filter = over(LogicalKind::kFilter, std::move(window));
  const std::int64_t last = limit > INT64_MAX - offset ? INT64_MAX : limit + offset;
  filter.conjuncts.push_back(compare_count(Operation::kLessEqual, rank, last));
  filter.conjuncts.push_back(compare_count(Operation::kGreater, number, offset));
  sort.children[0] = std::move(filter);
  return sort;
}

}  // namespace

ColumnId add_row_number(BindingContext& context, LogicalNode& window, WindowKind kind) {
  WindowCall call;
  call.kind = kind;
  call.type = kBigintType;
  call.output = context.add_column(kind == WindowKind::kRank ? "rank" : "row_number", kBigintType);
  window.window_calls.push_back(std::move(call));
  return window.window_calls.back().output;
}

Expression compare_count(Operation operation, ColumnId column, std::int64_t number) {
  return call_expression(
      operation, kBooleanType,
      {column_expression(column, kBigintType), literal_expression({kBigintType, static_cast<int128>(number)})});
}

void set_direction(const BindingContext& context, const nlohmann::json& fields, SortKey& key) {
  const std::string direction = text_field(fields, "sortby_dir");
  const std::string nulls = text_field(fields, "sortby_nulls");
  if (direction == "SORTBY_USING") context.unsupported("ORDER BY ... USING", context.position(fields));
  key.descending = direction == "SORTBY_DESC";
  key.nulls_first = nulls == "SORTBY_NULLS_FIRST" || (nulls == "SORTBY_NULLS_DEFAULT" && key.descending);
}

LogicalNode limit_rows(BindingContext& context, const nlohmann::json& select, LogicalNode node) {
  const std::optional<std::int64_t> limit = row_count(context, select, "limitCount", "LIMIT", "2201W");
  const std::int64_t offset = row_count(context, select, "limitOffset", "OFFSET", "2201X").value_or(0);
  if (limit && text_field(select, "limitOption") == "LIMIT_OPTION_WITH_TIES")
    return limit_with_ties(context, std::move(node), *limit, offset);
  if (!limit && offset == 0) return node;
  node = over(LogicalKind::kLimit, std::move(node));
  node.limit = limit;
  node.offset = offset;
  return node;
}

}  // namespace saccade
