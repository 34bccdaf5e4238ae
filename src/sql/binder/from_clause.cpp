#include "sql/binder/from_clause.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/expression_binder.hpp"
#include "sql/binder/file_call_binder.hpp"
#include "sql/binder/select_binder.hpp"
#include "sql/binder/subqueries.hpp"
#include "sql/binder/type_rules.hpp"
#include "sql/binder/view_binding.hpp"

namespace saccade {

namespace {

enum class JoinType { kInner, kLeft, kRight, kFull };

// Plans nest a level a table.
constexpr int kMaxRelations = 500;

class FromBinder {
 public:
  FromBinder(BindingContext& context, const Scope* outer) : context_(context), outer_(outer), visible_(outer) {}

  FromClause bind_list(const nlohmann::json& items) {
    FromClause result = bind_item(items.at(0));
    for (std::size_t i = 1; i < items.size(); ++i) {
      FromClause right = bind_beside(result.scope, items[i]);
      result = combine(std::move(result), std::move(right), {}, context_.position(items[i]));
    }
    return result;
  }

 private:
  // An item that LATERAL lets see the names to its left.
  FromClause bind_beside(const Scope& left, const nlohmann::json& item) {
    const Scope visible = left.inside(visible_);
    const Scope* before = std::exchange(visible_, &visible);
    FromClause result = bind_item(item);
    visible_ = before;
    return result;
  }

  FromClause bind_item(const nlohmann::json& item) {
    const auto [kind, fields] = syntax_node(item);
    if (kind == "RangeVar") return bind_name(fields);
    if (kind == "RangeFunction") return bind_function(fields);
    if (kind == "JoinExpr") return bind_join(fields);
    const int position = context_.position(fields);
    if (kind == "RangeSubselect") return bind_subquery(fields, position);
    if (kind == "RangeTableSample") context_.unsupported("TABLESAMPLE", position);
    context_.unsupported("this form of table in FROM", position);
  }

  FromClause bind_subquery(const nlohmann::json& fields, int position) {
    const auto [kind, query] = syntax_node(fields.at("subquery"));
    if (kind != "SelectStmt") context_.unsupported("this form of subquery in FROM", position);
    count_relation(position);
    BoundQuery bound = bind_query(context_, query, flag_field(fields, "lateral") ? visible_ : outer_);
    return as_table(std::move(bound), "subquery", alias_of(fields), outer_, position);
  }

  static nlohmann::json alias_of(const nlohmann::json& fields) {
    return fields.contains("alias") ? fields.at("alias") : nlohmann::json::object();
  }

  void count_relation(int position) {
    if (++context_.relations > kMaxRelations) {
      throw Error(sqlstate::kStatementTooComplex, "the statement names more than 500 tables", position);
    }
  }

  FromClause bind_name(const nlohmann::json& fields) {
    const std::string name = text_field(fields, "relname");
    const std::string schema = text_field(fields, "schemaname");
    const int position = context_.tree.position(fields.value("location", 0));
    const CommonTable* common = schema.empty() ? find_common_table(context_, name) : nullptr;
    if (common != nullptr) {
      count_relation(position);
      return as_table(read_common_table(context_, *common), name, alias_of(fields), outer_, position);
    }
    const bool is_public = schema.empty() || schema == "public";
    if (const auto view = is_public ? context_.catalog.find_view(name) : nullptr) return bind_view(*view, fields, position);
    std::shared_ptr<Table> table;
    if (is_public) table = context_.catalog.find(name);
    if (table != nullptr) context_.note_relation(name);
    if (schema == "information_schema") table = open_system_table(name, position);
    if (table == nullptr) undefined(schema, name, position);
    return bind_table(table, name, fields, position);
  }

  std::shared_ptr<Table> open_system_table(const std::string& name, int position) const {
    try {
      return context_.opener.open("information_schema", name);
    } catch (const Error& error) {
      throw Error(error.sqlstate(), error.what(), position, error.hint());
    }
  }

  // A view is its query, bound from its text as if nothing were around it.
  FromClause bind_view(const View& view, const nlohmann::json& fields, int position) {
    context_.note_relation(view.name);
    count_relation(position);
    BoundQuery bound;
    try {
      const ViewBinding inside(context_, view.sql, position);
      bound = bind_query(context_, syntax_node(inside.statement()).fields, nullptr);
    } catch (const Error& error) {
      throw Error(error.sqlstate(), fmt::format("in view \"{}\": {}", view.name, error.what()), position, error.hint());
    }
    if (bound.columns.size() != view.columns.size()) {
      throw Error(sqlstate::kFeatureNotSupported,
                  fmt::format("what view \"{}\" reads has other columns than when the view was created", view.name), position,
                  "Create the view again: CREATE OR REPLACE VIEW ...");
    }
    for (std::size_t i = 0; i < view.columns.size(); ++i) bound.columns[i].name = view.columns[i].name;
    return as_table(std::move(bound), view.name, alias_of(fields), outer_, position);
  }

  [[noreturn]] void undefined(const std::string& schema, const std::string& name, int position) const {
    const std::string shown = schema.empty() ? name : schema + '.' + name;
    const std::string nearest = nearest_name(name, context_.catalog.names());
    std::string hint = "A file is a table too: FROM 'data/orders.parquet'.";
    if (name == "parquet") hint = fmt::format("A file's name stands in single quotes: FROM '{}'.", shown);
    if (!nearest.empty()) hint = fmt::format("Perhaps you meant the table \"{}\".", nearest);
    throw Error(sqlstate::kUndefinedTable, fmt::format("relation \"{}\" does not exist", shown), position, hint);
  }

  // read_file('path'), read_csv('path', delim => ';') ...
  FromClause bind_function(const nlohmann::json& fields) {
    const int position = context_.position(fields);
    const nlohmann::json& functions = fields.at("functions");
    const auto [kind, call] = syntax_node(syntax_node(functions.at(0)).fields.at("items").at(0));
    if (functions.size() != 1 || kind != "FuncCall" || flag_field(fields, "ordinality") || fields.contains("coldeflist")) {
      context_.unsupported("this form of function in FROM", position);
    }
    const BoundFileCall bound = bind_file_call(context_, call);
    std::shared_ptr<Table> table;
    try {
      table = context_.opener.open(bound.call.text(), bound.path);
    } catch (const Error& error) {
      throw Error(error.sqlstate(), error.what(), error.position() != 0 ? error.position() : bound.position, error.hint());
    }
    return bind_table(table, std::filesystem::path(bound.path).stem().string(), fields, bound.position);
  }

  FromClause bind_table(const std::shared_ptr<Table>& table, const std::string& name, const nlohmann::json& fields,
                        int position) {
    SACCADE_CHECK(table != nullptr);
    count_relation(position);
    const nlohmann::json no_alias = nlohmann::json::object();
    const nlohmann::json& alias = fields.contains("alias") ? fields.at("alias") : no_alias;
    const std::string alias_name = text_field(alias, "aliasname");
    const std::vector<std::string> column_names = string_list(alias, "colnames");
    FromClause result;
    result.scope = Scope(outer_);
    result.node.kind = LogicalKind::kScan;
    result.node.table = table;
    result.node.alias = alias_name.empty() ? name : alias_name;
    result.node.position = position;
    result.scope.add_relation(result.node.alias, position);
    const std::vector<ColumnInfo>& columns = table->columns();
    if (column_names.size() > columns.size()) {
      throw Error(sqlstate::kInvalidColumnReference,
                  fmt::format("table \"{}\" has {} columns available but {} columns specified", result.node.alias,
                              columns.size(), column_names.size()),
                  position);
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string& column_name = i < column_names.size() ? column_names[i] : columns[i].name;
      const ColumnId id = context_.add_column(column_name, columns[i].type);
      result.node.columns.push_back(static_cast<int>(i));
      result.node.outputs.push_back(id);
      result.scope.add_column({column_name, id, columns[i].type});
    }
    return result;
  }

  static constexpr std::array<std::pair<std::string_view, JoinType>, 4> kJoinTypes = {{
      {"JOIN_INNER", JoinType::kInner},
      {"JOIN_LEFT", JoinType::kLeft},
      {"JOIN_RIGHT", JoinType::kRight},
      {"JOIN_FULL", JoinType::kFull},
  }};

  FromClause bind_join(const nlohmann::json& fields) {
    const std::string type_name = text_field(fields, "jointype");
    const auto type = std::find_if(kJoinTypes.begin(), kJoinTypes.end(), [&](const auto& t) { return t.first == type_name; });
    if (type == kJoinTypes.end()) context_.unsupported("this kind of join", context_.position(fields));
    FromClause left = bind_item(fields.at("larg"));
    // A row that has no partner on the left has nothing there that LATERAL could name.
    const bool left_is_there = type->second == JoinType::kInner || type->second == JoinType::kLeft;
    FromClause right = left_is_there ? bind_beside(left.scope, fields.at("rarg")) : bind_item(fields.at("rarg"));
    std::vector<std::string> names = string_list(fields, "usingClause");
    if (flag_field(fields, "isNatural")) names = common_columns(left.scope, right.scope);
    const int right_position = context_.position(fields.at("rarg"));
    FromClause result = combine(std::move(left), std::move(right), names, right_position, type->second);
    if (fields.contains("quals")) {
      bind_join_condition(result, fields.at("quals"));
    }
    if (fields.contains("join_using_alias")) {
      const std::string alias = text_field(fields.at("join_using_alias"), "aliasname");
      result.scope.add_alias_of_merged(alias, names.size(), right_position);
    }
    if (fields.contains("alias")) {
      const nlohmann::json& alias = fields.at("alias");
      result.scope.rename(text_field(alias, "aliasname"), string_list(alias, "colnames"), right_position);
    }
    return result;
  }

  // A condition with subqueries filters the pairs of an inner join; in an outer join it filters the side that may be missing,
  // for each row of the other one: a dependent join.
  void bind_join_condition(FromClause& result, const nlohmann::json& condition) {
    SubqueryJoins subqueries;
    ExpressionBinder binder(context_, result.scope, "JOIN conditions", nullptr, &subqueries);
    std::vector<ConditionPart> parts = bind_condition(binder, subqueries, condition, "JOIN/ON");
    if (const auto conjuncts = plain_conjuncts(parts)) {
      result.node.conjuncts = *conjuncts;
    } else if (result.node.join_kind == JoinKind::kInner) {
      result.node = filter_by(std::move(result.node), std::move(parts));
    } else if (result.node.join_kind == JoinKind::kLeft) {
      LogicalNode& inner = result.node.children.at(1);
      inner = filter_by(std::move(inner), std::move(parts));
    } else {
      context_.unsupported("a subquery in the condition of a full join", context_.position(condition));
    }
  }

  static std::vector<std::string> common_columns(const Scope& left, const Scope& right) {
    std::vector<std::string> names;
    for (const ScopeColumn& column : left.columns()) {
      if (!column.merged && right.has_column(column.name)) names.push_back(column.name);
    }
    return names;
  }

  // A join of two parts, over equal columns of these names. A right join is a left one of the parts exchanged.
  FromClause combine(FromClause left, FromClause right, const std::vector<std::string>& names, int position,
                     JoinType type = JoinType::kInner) {
    FromClause result;
    result.node.kind = LogicalKind::kJoin;
    if (type == JoinType::kLeft || type == JoinType::kRight) result.node.join_kind = JoinKind::kLeft;
    if (type == JoinType::kFull) result.node.join_kind = JoinKind::kFull;
    std::vector<MergedColumn> merged;
    for (const std::string& name : names) {
      Expression a = left.scope.find_own(name, position).reference(position);
      Expression b = right.scope.find_own(name, position).reference(position);
      if (!common_type(a, b)) {
        throw Error(sqlstate::kDatatypeMismatch,
                    fmt::format("JOIN/USING types {} and {} cannot be matched", to_string(a.type), to_string(b.type)), position,
                    "Use ON with a cast of one side.");
      }
      ExpressionBinder binder(context_, left.scope, "JOIN/USING");
      result.node.conjuncts.push_back(binder.compare(Operation::kEqual, a, b, position));
      merged.push_back(merge_column(name, std::move(a), std::move(b), type));
    }
    const std::size_t first_right = left.scope.columns().size();
    result.scope = std::move(left.scope);
    result.scope.append(std::move(right.scope), position);
    result.scope.merge_columns(merged, first_right);
    if (type == JoinType::kRight) std::swap(left.node, right.node);
    result.node.children.push_back(std::move(left.node));
    result.node.children.push_back(std::move(right.node));
    return result;
  }

  // The column that a USING makes of two: that of the side whose rows are all kept, in the type that both have in common. Of an
  // inner join either will do, and the one that needs no cast is taken.
  static MergedColumn merge_column(const std::string& name, Expression a, Expression b, JoinType type) {
    using From = MergedColumn::From;
    const std::optional<DataType> common = common_type(a, b);
    SACCADE_CHECK(common.has_value());  // else they could not have been compared
    const bool plain_a = a.type == *common, plain_b = b.type == *common;
    if (type == JoinType::kFull) {
      std::vector<Expression> sides;
      sides.push_back(coerce(std::move(a), *common));
      sides.push_back(coerce(std::move(b), *common));
      return {name, From::kValue, call_expression(Operation::kCoalesce, *common, std::move(sides))};
    }
    const bool takes_right = type == JoinType::kRight || (type == JoinType::kInner && !plain_a && plain_b);
    if (takes_right ? plain_b : plain_a) return {name, takes_right ? From::kRight : From::kLeft, std::nullopt};
    return {name, From::kValue, coerce(takes_right ? std::move(b) : std::move(a), *common)};
  }

  BindingContext& context_;
  const Scope* outer_;    // the enclosing query's
  const Scope* visible_;  // what LATERAL sees: the names to the left, and behind them `outer_`
};

}  // namespace

FromClause bind_from(BindingContext& context, const nlohmann::json& items, const Scope* outer) {
  return FromBinder(context, outer).bind_list(items);
}

FromClause as_table(BoundQuery query, const std::string& name, const nlohmann::json& alias, const Scope* outer, int position) {
  const std::string alias_name = text_field(alias, "aliasname");
  const std::string& shown = alias_name.empty() ? name : alias_name;
  const std::vector<std::string> column_names = string_list(alias, "colnames");
  if (column_names.size() > query.columns.size()) {
    throw Error(sqlstate::kInvalidColumnReference,
                fmt::format("table \"{}\" has {} columns available but {} columns specified", shown, query.columns.size(),
                            column_names.size()),
                position);
  }
  FromClause result;
  result.scope = Scope(outer);
  result.scope.add_relation(shown, position);
  for (std::size_t i = 0; i < query.columns.size(); ++i) {
    const ResultColumn& column = query.columns[i];
    result.scope.add_column({i < column_names.size() ? column_names[i] : column.name, column.column, column.type});
  }
  result.node = std::move(query.node);
  return result;
}

}  // namespace saccade
