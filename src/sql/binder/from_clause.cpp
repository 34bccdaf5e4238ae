#include "sql/binder/from_clause.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/expression_binder.hpp"
#include "sql/binder/file_call_binder.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

enum class JoinType { kInner, kLeft, kRight, kFull };

// Plans nest a level a table.
constexpr int kMaxRelations = 500;

class FromBinder {
 public:
  explicit FromBinder(BindingContext& context) : context_(context) {}

  FromClause bind_list(const nlohmann::json& items) {
    FromClause result = bind_item(items.at(0));
    for (std::size_t i = 1; i < items.size(); ++i) {
      FromClause right = bind_item(items[i]);
      result = combine(std::move(result), std::move(right), {}, context_.position(items[i]));
    }
    return result;
  }

 private:
  FromClause bind_item(const nlohmann::json& item) {
    const auto [kind, fields] = syntax_node(item);
    if (kind == "RangeVar") return bind_name(fields);
    if (kind == "RangeFunction") return bind_function(fields);
    if (kind == "JoinExpr") return bind_join(fields);
    const int position = context_.position(fields);
    if (kind == "RangeSubselect") context_.unsupported("a subquery in FROM", position);
    if (kind == "RangeTableSample") context_.unsupported("TABLESAMPLE", position);
    context_.unsupported("this form of table in FROM", position);
  }

  FromClause bind_name(const nlohmann::json& fields) {
    const std::string name = text_field(fields, "relname");
    const std::string schema = text_field(fields, "schemaname");
    const int position = context_.tree.position(fields.value("location", 0));
    std::shared_ptr<Table> table;
    if (schema.empty() || schema == "public") table = context_.catalog.find(name);
    if (table == nullptr) undefined(schema, name, position);
    return bind_table(table, name, fields, position);
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
    if (++relations_ > kMaxRelations) {
      throw Error(sqlstate::kStatementTooComplex, "the statement names more than 500 tables", position);
    }
    const nlohmann::json no_alias = nlohmann::json::object();
    const nlohmann::json& alias = fields.contains("alias") ? fields.at("alias") : no_alias;
    const std::string alias_name = text_field(alias, "aliasname");
    const std::vector<std::string> column_names = string_list(alias, "colnames");
    FromClause result;
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
    FromClause right = bind_item(fields.at("rarg"));
    std::vector<std::string> names = string_list(fields, "usingClause");
    if (flag_field(fields, "isNatural")) names = common_columns(left.scope, right.scope);
    const int right_position = context_.position(fields.at("rarg"));
    FromClause result = combine(std::move(left), std::move(right), names, right_position, type->second);
    if (fields.contains("quals")) {
      ExpressionBinder binder(context_, result.scope, "JOIN conditions");
      result.node.conjuncts = split_conjuncts(binder.bind_boolean(fields.at("quals"), "JOIN/ON"));
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
      Expression a = left.scope.find(name, position).reference(position);
      Expression b = right.scope.find(name, position).reference(position);
      for (const ColumnId id : columns_of(a)) context_.use(id);
      for (const ColumnId id : columns_of(b)) context_.use(id);
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
  int relations_ = 0;
};

}  // namespace

FromClause bind_from(BindingContext& context, const nlohmann::json& items) {
  return FromBinder(context).bind_list(items);
}

void finish_scans(BindingContext& context, LogicalNode& node) {
  for (LogicalNode& child : node.children) finish_scans(context, child);
  if (node.kind != LogicalKind::kScan) return;
  std::vector<int> columns;
  std::vector<ColumnId> outputs;
  for (std::size_t i = 0; i < node.columns.size(); ++i) {
    if (!context.is_used(node.outputs[i])) continue;
    columns.push_back(node.columns[i]);
    outputs.push_back(node.outputs[i]);
  }
  node.columns = std::move(columns);
  node.outputs = std::move(outputs);
  if (!node.columns.empty()) node.table->prepare(node.columns, context.pool);
}

}  // namespace saccade
