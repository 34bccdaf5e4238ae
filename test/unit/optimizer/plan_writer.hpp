// Logical plans written by hand, over tables of statistics without rows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "plan/logical_plan.hpp"
#include "unit/plan/fake_table.hpp"

namespace saccade::test {

inline const DataType kBoolean{TypeKind::kBoolean}, kInteger{TypeKind::kInteger}, kBigint{TypeKind::kBigint},
    kDate{TypeKind::kDate}, kTimestamp{TypeKind::kTimestamp}, kText{TypeKind::kText}, kDouble{TypeKind::kDouble},
    kInterval{TypeKind::kInterval};
inline const DataType kMoney = DataType::numeric(15, 2);

inline Expression integer(std::int64_t value) {
  return literal_expression({kInteger, int128{value}});
}
inline Expression numeric(std::int64_t value, int scale) {
  return literal_expression({DataType::numeric(18, scale), int128{value}});
}
inline Expression date(const char* text) {
  return literal_expression({kDate, int128{parse_date(text)}});
}
inline Expression text(const char* value) {
  return literal_expression({kText, std::string(value)});
}
inline Expression boolean(bool value) {
  return literal_expression({kBoolean, value});
}
inline Expression call(Operation operation, DataType type, std::vector<Expression> arguments) {
  return call_expression(operation, type, std::move(arguments));
}
inline Expression compare(Operation operation, Expression a, Expression b) {
  return call(operation, kBoolean, {std::move(a), std::move(b)});
}
inline Expression equal(Expression a, Expression b) {
  return compare(Operation::kEqual, std::move(a), std::move(b));
}
inline Expression all_of(std::vector<Expression> arguments) {
  return call(Operation::kAnd, kBoolean, std::move(arguments));
}
inline Expression any_of(std::vector<Expression> arguments) {
  return call(Operation::kOr, kBoolean, std::move(arguments));
}

// Adds nodes to one plan; every scan gets fresh columns, named after the table's.
class PlanWriter {
 public:
  LogicalPlan plan;

  LogicalNode scan(const std::shared_ptr<Table>& table) {
    LogicalNode node;
    node.kind = LogicalKind::kScan;
    node.table = table;
    node.alias = table->name();
    for (std::size_t i = 0; i < table->columns().size(); ++i) {
      node.columns.push_back(static_cast<int>(i));
      node.outputs.push_back(plan.add_column(table->columns()[i].name, table->columns()[i].type));
    }
    return node;
  }

  // The column of that name that was added last.
  Expression column(const std::string& name) const {
    for (std::size_t i = plan.names.size(); i-- > 0;) {
      if (plan.names[i] == name) return column_expression(static_cast<ColumnId>(i), plan.types[i]);
    }
    throw Error(sqlstate::kInternalError, "no column " + name);
  }

  LogicalNode filter(std::vector<Expression> conjuncts, LogicalNode child) const {
    LogicalNode node;
    node.kind = LogicalKind::kFilter;
    node.conjuncts = std::move(conjuncts);
    node.children.push_back(std::move(child));
    return node;
  }

  LogicalNode join(LogicalNode a, LogicalNode b, std::vector<Expression> conjuncts = {},
                   JoinKind kind = JoinKind::kInner) const {
    LogicalNode node;
    node.kind = LogicalKind::kJoin;
    node.join_kind = kind;
    node.conjuncts = std::move(conjuncts);
    node.children.push_back(std::move(a));
    node.children.push_back(std::move(b));
    return node;
  }

  LogicalNode project(std::vector<std::pair<std::string, Expression>> columns, LogicalNode child) {
    LogicalNode node;
    node.kind = LogicalKind::kProject;
    for (auto& [name, expression] : columns) {
      node.outputs.push_back(plan.add_column(name, expression.type));
      node.expressions.push_back(std::move(expression));
    }
    node.children.push_back(std::move(child));
    return node;
  }

  struct Call {
    std::string name;
    AggregateKind kind;
    DataType type;
    std::vector<Expression> arguments;
  };

  LogicalNode aggregate(std::vector<Expression> keys, std::vector<Call> calls, LogicalNode child) {
    LogicalNode node;
    node.kind = LogicalKind::kAggregate;
    for (Expression& key : keys) {
      const bool column = key.operation == Operation::kColumn;
      node.outputs.push_back(plan.add_column(column ? plan.names[static_cast<std::size_t>(key.column)] : "key", key.type));
      node.expressions.push_back(std::move(key));
    }
    for (Call& call : calls) {
      AggregateCall aggregate;
      aggregate.kind = call.kind;
      aggregate.type = call.type;
      aggregate.arguments = std::move(call.arguments);
      aggregate.output = plan.add_column(call.name, call.type);
      node.aggregates.push_back(std::move(aggregate));
    }
    node.children.push_back(std::move(child));
    return node;
  }

  LogicalNode sort(std::vector<std::pair<Expression, bool>> keys, LogicalNode child) const {
    LogicalNode node;
    node.kind = LogicalKind::kSort;
    for (auto& [expression, descending] : keys) node.sort_keys.push_back({std::move(expression), descending, descending});
    node.children.push_back(std::move(child));
    return node;
  }

  LogicalNode limit(std::int64_t rows, LogicalNode child) const {
    LogicalNode node;
    node.kind = LogicalKind::kLimit;
    node.limit = rows;
    node.children.push_back(std::move(child));
    return node;
  }

  // The plan with its root and its result: the named columns.
  LogicalPlan finish(LogicalNode root, const std::vector<std::string>& result) {
    plan.root = std::move(root);
    for (const std::string& name : result) {
      const Expression found = column(name);
      plan.result.push_back({found.column, name, found.type});
    }
    return plan;
  }
};

// The tables of TPC-H that the tests need, with the statistics of scale factor 1.
inline std::shared_ptr<Table> lineitem() {
  const int128 first = parse_date("1992-01-02"), last = parse_date("1998-12-01");
  return std::make_shared<FakeTable>(
      "lineitem", 6001215,
      std::vector{fake_column("l_orderkey", kBigint, 1, 6000000, 1500000), fake_column("l_partkey", kBigint, 1, 200000, 200000),
                  fake_column("l_quantity", kMoney, 100, 5000, 50),
                  fake_column("l_extendedprice", kMoney, 90100, 10494950, 933900), fake_column("l_discount", kMoney, 0, 10, 11),
                  fake_column("l_tax", kMoney, 0, 8, 9), fake_column("l_returnflag", kText, 0, 2, 3),
                  fake_column("l_linestatus", kText, 0, 1, 2), fake_column("l_shipdate", kDate, first, last, 2526)});
}

inline std::shared_ptr<Table> orders() {
  const int128 first = parse_date("1992-01-01"), last = parse_date("1998-08-02");
  return std::make_shared<FakeTable>(
      "orders", 1500000,
      std::vector{fake_column("o_orderkey", kBigint, 1, 6000000, 1500000, Uniqueness::kPossible),
                  fake_column("o_custkey", kBigint, 1, 149999, 99996), fake_column("o_orderdate", kDate, first, last, 2406),
                  fake_column("o_shippriority", kInteger, 0, 0, 1)});
}

inline std::shared_ptr<Table> customer() {
  return std::make_shared<FakeTable>(
      "customer", 150000,
      std::vector{fake_column("c_custkey", kBigint, 1, 150000, 150000, Uniqueness::kPossible),
                  fake_column("c_mktsegment", kText, 0, 4, 5), fake_column("c_nationkey", kInteger, 0, 24, 25)});
}

}  // namespace saccade::test
