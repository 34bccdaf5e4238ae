#include "sql/binder/set_operations.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/limit_clause.hpp"
#include "sql/binder/select_binder.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

constexpr DataType kBigintType{TypeKind::kBigint};
constexpr DataType kIntegerType{TypeKind::kInteger};
constexpr DataType kBooleanType{TypeKind::kBoolean};

// Operations that can't stand side by side in one union nest in the plan, a level each.
constexpr int kMostLevels = 200;

enum class Operator { kUnion, kIntersect, kExcept };

std::string_view name_of(Operator operation) {
  constexpr std::array<std::string_view, 3> kNames = {"UNION", "INTERSECT", "EXCEPT"};
  return kNames[static_cast<std::size_t>(operation)];
}

Operator operator_of(const nlohmann::json& select) {
  const std::string name = text_field(select, "op");
  return name == "SETOP_UNION" ? Operator::kUnion : name == "SETOP_INTERSECT" ? Operator::kIntersect : Operator::kExcept;
}

bool is_set_operation(const nlohmann::json& select) {
  return text_field(select, "op") != "SETOP_NONE";
}

// A query in parentheses may have clauses of its own.
bool has_clauses(const nlohmann::json& select) {
  return select.contains("sortClause") || select.contains("limitCount") || select.contains("limitOffset") ||
         select.contains("withClause") || select.contains("lockingClause");
}

// An untyped constant that a query puts out as it is: the other queries decide its type.
const Expression* untyped_constant(const LogicalNode& node, ColumnId column) {
  if (node.kind == LogicalKind::kSort || node.kind == LogicalKind::kLimit) return untyped_constant(node.children.at(0), column);
  if (node.kind != LogicalKind::kProject) return nullptr;
  const auto output = std::find(node.outputs.begin(), node.outputs.end(), column);
  if (output == node.outputs.end()) return nullptr;
  const Expression& expression = node.expressions[static_cast<std::size_t>(output - node.outputs.begin())];
  return is_unknown_literal(expression) ? &expression : nullptr;
}

// A query on its way into a union.
struct Branch {
  LogicalNode node;
  std::vector<Expression> columns;  // untyped constants stay what they are
};

// Rows put together so far.
struct Rows {
  std::vector<Branch> branches;
  std::vector<Expression> types;  // of the columns: a column or an untyped constant, whose type counts
  std::vector<std::string> names;
  bool distinct = false;  // repeated rows are to be removed
  int levels = 0;
};

class SetOperationBinder {
 public:
  SetOperationBinder(BindingContext& context, const Scope* outer) : context_(context), outer_(outer) {}

  // The chain of operations that nests to the left, from its first query on: the parser makes 10,000 levels of 10,000 queries.
  BoundQuery bind(const nlohmann::json& select) {
    std::vector<const nlohmann::json*> chain{&select};
    while (is_set_operation(chain.back()->at("larg")) && !has_clauses(chain.back()->at("larg")))
      chain.push_back(&chain.back()->at("larg"));
    Rows rows = rows_of(chain.back()->at("larg"));
    for (auto step = chain.rbegin(); step != chain.rend(); ++step) {
      const nlohmann::json& right = (*step)->at("rarg");
      add(rows, operator_of(**step), flag_field(**step, "all"), rows_of(right), right);
    }
    return finish(std::move(rows));
  }

 private:
  Rows rows_of(const nlohmann::json& select) {
    BoundQuery query = bind_branch(context_, select, outer_);
    Rows rows;
    Branch branch;
    for (const ResultColumn& column : query.columns) {
      const Expression* constant = untyped_constant(query.node, column.column);
      branch.columns.push_back(constant != nullptr ? *constant : column_expression(column.column, column.type));
      branch.columns.back().position = constant != nullptr ? constant->position : column_position(query.node, column.column);
      rows.names.push_back(column.name);
    }
    rows.types = branch.columns;
    branch.node = std::move(query.node);
    rows.branches.push_back(std::move(branch));
    return rows;
  }

  static int column_position(const LogicalNode& node, ColumnId column) {
    if (node.kind == LogicalKind::kSort || node.kind == LogicalKind::kLimit) return column_position(node.children[0], column);
    for (std::size_t i = 0; i < node.outputs.size() && node.kind == LogicalKind::kProject; ++i) {
      if (node.outputs[i] == column) return node.expressions[i].position;
    }
    return 0;
  }

  void add(Rows& left, Operator operation, bool all, Rows right, const nlohmann::json& select) {
    match_types(left, right, operation, select);
    if (operation == Operator::kUnion) {
      if (all && left.distinct) left = as_one(std::move(left));
      std::move(right.branches.begin(), right.branches.end(), std::back_inserter(left.branches));
      left.distinct |= !all;
      return;
    }
    right.types = left.types;
    left = combine(as_one(std::move(left)), as_one(std::move(right)), operation, all);
  }

  // Settles the types of the columns of both. PostgreSQL does so operation by operation, from the left.
  void match_types(Rows& left, const Rows& right, Operator operation, const nlohmann::json& select) const {
    if (left.types.size() != right.types.size()) {
      throw Error(sqlstate::kSyntaxError, fmt::format("each {} query must have the same number of columns", name_of(operation)),
                  context_.position(select),
                  fmt::format("The queries have {} and {} columns.", left.types.size(), right.types.size()));
    }
    for (std::size_t i = 0; i < left.types.size(); ++i) {
      const Expression &a = left.types[i], &b = right.types[i];
      const auto type = common_type(a, b);
      if (!type) {
        throw Error(
            sqlstate::kDatatypeMismatch,
            fmt::format("{} types {} and {} cannot be matched", name_of(operation), to_string(a.type), to_string(b.type)),
            b.position, "Cast one of them to the other's type: CAST(x AS type).");
      }
      DataType known = *type;
      // A number that is written as text keeps the digits that it is written with.
      for (const auto& [constant, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
        if (!is_unknown_literal(*constant) || is_unknown_literal(*other)) continue;
        const Expression typed = resolve_literal(*constant, other->type);
        known = common_type(typed, *other).value_or(known);
      }
      left.types[i] = column_expression(-1, known);
      left.types[i].position = a.position;
    }
  }

  // Everything so far as a single branch, its columns in their types.
  Rows as_one(Rows rows) {
    if (++rows.levels > kMostLevels) {
      throw Error(sqlstate::kStatementTooComplex, "set operations of different kinds are nested too deep", 0,
                  "Use temporary results: CREATE TABLE name AS SELECT ...");
    }
    LogicalNode node = put_together(rows);
    Branch branch;
    for (std::size_t i = 0; i < rows.types.size(); ++i)
      branch.columns.push_back(column_expression(node.outputs[i], rows.types[i].type));
    branch.node = std::move(node);
    rows.branches.clear();
    rows.branches.push_back(std::move(branch));
    rows.distinct = false;
    return rows;
  }

  // Branches in their order, as a union whose columns have the settled types; without repeated rows where those have to go.
  LogicalNode put_together(Rows& rows) {
    LogicalNode node;
    node.kind = LogicalKind::kUnion;
    for (Expression& type : rows.types) {
      if (is_unknown_literal(type)) type.type = {TypeKind::kText};
    }
    add_outputs(node, rows);
    for (Branch& branch : rows.branches) {
      for (std::size_t i = 0; i < branch.columns.size(); ++i)
        node.expressions.push_back(coerce(std::move(branch.columns[i]), rows.types[i].type));
      node.children.push_back(std::move(branch.node));
    }
    return rows.distinct ? group_by_all(std::move(node), rows) : std::move(node);
  }

  void add_outputs(LogicalNode& node, const Rows& rows) {
    for (std::size_t i = 0; i < rows.types.size(); ++i)
      node.outputs.push_back(context_.add_column(rows.names[i], rows.types[i].type));
  }

  LogicalNode group_by_all(LogicalNode child, const Rows& rows) {
    LogicalNode node;
    node.kind = LogicalKind::kAggregate;
    for (std::size_t i = 0; i < rows.types.size(); ++i)
      node.expressions.push_back(column_expression(child.outputs[i], rows.types[i].type));
    add_outputs(node, rows);
    node.children.push_back(std::move(child));
    return node;
  }

  // INTERSECT and EXCEPT: rows of both sides are grouped together, and the sides that a group comes from decide. With ALL,
  // equal rows of a side are numbered first, so that the n-th of them meets the n-th of the other side.
  Rows combine(Rows left, Rows right, Operator operation, bool all) {
    const int levels = std::max(left.levels, right.levels);
    const std::size_t width = left.types.size();
    const Rows shape = left;
    LogicalNode both;
    both.kind = LogicalKind::kUnion;
    add_outputs(both, shape);
    const ColumnId number = all ? context_.add_column("number", kBigintType) : -1;
    const ColumnId side = context_.add_column("side", kIntegerType);
    if (all) both.outputs.push_back(number);
    both.outputs.push_back(side);
    int number_of_side = 0;
    for (Rows* rows : {&left, &right}) {
      Branch& branch = rows->branches.front();
      for (std::size_t i = 0; i < width; ++i) branch.columns[i] = coerce(std::move(branch.columns[i]), shape.types[i].type);
      if (all) branch.columns.push_back(number_rows(branch));
      branch.columns.push_back(literal_expression({kIntegerType, static_cast<int128>(number_of_side++)}));
      std::move(branch.columns.begin(), branch.columns.end(), std::back_inserter(both.expressions));
      both.children.push_back(std::move(branch.node));
    }
    return keep_groups(group_sides(std::move(both), shape, all), shape, operation, levels);
  }

  // The number of each row among those equal to it.
  Expression number_rows(Branch& branch) {
    LogicalNode window;
    window.kind = LogicalKind::kWindow;
    window.expressions = branch.columns;
    WindowCall call;
    call.kind = WindowKind::kRowNumber;
    call.type = kBigintType;
    call.output = context_.add_column("row_number", kBigintType);
    window.window_calls.push_back(call);
    window.children.push_back(std::move(branch.node));
    branch.node = std::move(window);
    return column_expression(call.output, kBigintType);
  }

  // Groups of equal rows, with the first and the last of the sides that have one.
  LogicalNode group_sides(LogicalNode both, const Rows& shape, bool all) {
    LogicalNode node;
    node.kind = LogicalKind::kAggregate;
    add_outputs(node, shape);
    for (std::size_t i = 0; i < shape.types.size(); ++i)
      node.expressions.push_back(column_expression(both.outputs[i], shape.types[i].type));
    if (all) {
      node.expressions.push_back(column_expression(both.outputs[shape.types.size()], kBigintType));
      node.outputs.push_back(context_.add_column("number", kBigintType));
    }
    for (const AggregateKind kind : {AggregateKind::kMin, AggregateKind::kMax}) {
      AggregateCall call;
      call.kind = kind;
      call.type = kIntegerType;
      call.arguments = {column_expression(both.outputs.back(), kIntegerType)};
      call.output = context_.add_column(kind == AggregateKind::kMin ? "first_side" : "last_side", kIntegerType);
      node.aggregates.push_back(std::move(call));
    }
    node.children.push_back(std::move(both));
    return node;
  }

  static Expression is_side(const AggregateCall& call, int side) {
    return call_expression(
        Operation::kEqual, kBooleanType,
        {column_expression(call.output, kIntegerType), literal_expression({kIntegerType, static_cast<int128>(side)})});
  }

  static Rows keep_groups(LogicalNode groups, const Rows& shape, Operator operation, int levels) {
    Rows result;
    result.names = shape.names;
    result.levels = levels;
    Branch branch;
    for (std::size_t i = 0; i < shape.types.size(); ++i) {
      branch.columns.push_back(column_expression(groups.outputs[i], shape.types[i].type));
      branch.columns.back().position = shape.types[i].position;
    }
    LogicalNode filter;
    filter.kind = LogicalKind::kFilter;
    const bool intersect = operation == Operator::kIntersect;
    filter.conjuncts.push_back(is_side(groups.aggregates[0], 0));
    filter.conjuncts.push_back(is_side(groups.aggregates[1], intersect ? 1 : 0));
    filter.children.push_back(std::move(groups));
    branch.node = std::move(filter);
    result.types = branch.columns;
    result.branches.push_back(std::move(branch));
    return result;
  }

  BoundQuery finish(Rows rows) {
    BoundQuery query;
    query.node = put_together(rows);
    for (std::size_t i = 0; i < rows.types.size(); ++i)
      query.columns.push_back({query.node.outputs[i], rows.names[i], rows.types[i].type});
    return query;
  }

  BindingContext& context_;
  const Scope* outer_;
};

}  // namespace

BoundQuery bind_set_operation(BindingContext& context, const nlohmann::json& select, const Scope* outer) {
  if (select.contains("lockingClause")) context.unsupported("FOR UPDATE or FOR SHARE", 0);
  const CommonTables common(context, select, outer);
  BoundQuery query = SetOperationBinder(context, outer).bind(select);
  return order_and_limit(context, select, std::move(query), "UNION/INTERSECT/EXCEPT");
}

BoundQuery order_and_limit(BindingContext& context, const nlohmann::json& select, BoundQuery query, std::string_view what) {
  std::vector<SortKey> keys;
  for (const nlohmann::json& item : select.value("sortClause", nlohmann::json::array())) {
    const nlohmann::json& fields = syntax_node(item).fields;
    SortKey key;
    set_direction(context, fields, key);
    const SyntaxNode node = syntax_node(fields.at("node"));
    const int position = context.position(node.fields);
    std::optional<std::size_t> found;
    const std::vector<std::string> names =
        node.kind == "ColumnRef" ? string_list(node.fields, "fields") : std::vector<std::string>();
    if (node.kind == "A_Const" && node.fields.contains("ival")) {
      const std::int64_t number = context.tree.integer(node.fields);
      if (number < 1 || number > static_cast<std::int64_t>(query.columns.size())) {
        throw Error(sqlstate::kInvalidColumnReference, fmt::format("ORDER BY position {} is not in select list", number),
                    position, fmt::format("The select list has {} columns.", query.columns.size()));
      }
      found = static_cast<std::size_t>(number - 1);
    }
    for (std::size_t i = 0; i < query.columns.size() && names.size() == 1 && !found; ++i) {
      if (query.columns[i].name == names[0]) found = i;
    }
    if (!found) {
      if (names.size() == 1)
        throw Error(sqlstate::kUndefinedColumn, fmt::format("column \"{}\" does not exist", names[0]), position,
                    "ORDER BY can name only the columns of the first query here.");
      throw Error(sqlstate::kFeatureNotSupported, fmt::format("invalid {} ORDER BY clause", what), position,
                  "Only names and positions of the result's columns can be used. Put the query into FROM to order by more.");
    }
    key.expression = column_expression(query.columns[*found].column, query.columns[*found].type);
    keys.push_back(std::move(key));
  }
  if (!keys.empty()) {
    LogicalNode sort;
    sort.kind = LogicalKind::kSort;
    sort.sort_keys = std::move(keys);
    sort.children.push_back(std::move(query.node));
    query.node = std::move(sort);
  }
  query.node = limit_rows(context, select, std::move(query.node));
  return query;
}

}  // namespace saccade
