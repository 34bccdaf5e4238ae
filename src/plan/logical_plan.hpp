// Logical plans: what a query asks for, without how. Immutable values handed from binder to optimizer to planner.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/table.hpp"
#include "plan/expression.hpp"
#include "plan/window.hpp"

namespace saccade {

enum class LogicalKind : std::uint8_t {
  kOneRow,     // SELECT without FROM: one row, no columns
  kScan,       // table, columns[i] read as outputs[i]
  kFilter,     // conjuncts, in the query's order
  kProject,    // expressions[i] named outputs[i]; other columns of the child are gone
  kJoin,       // join_kind: children 0 and 1; conjuncts as conditions (none: every pair matches; the planner turns
               // equalities into keys)
  kAggregate,  // expressions[i] are the keys, named outputs[i]; aggregates
  kUnion,      // all rows of all children (one or more): outputs[i] is expressions[c * outputs.size() + i] of child c, of one
               // type in all children. Rows that are equal stay; UNION without ALL is a kAggregate over it
  kValues,     // constant rows: outputs[i] of row r is expressions[r * outputs.size() + i], which names no column; `rows` rows
  kRepeat,     // each row of the child expressions[0] times (bigint; null or less than 1: not at all); outputs[0] numbers the
               // copies of a row from 0 on
  kWindow,     // the child's rows and columns, with the outputs of window_calls besides: expressions are the partition's keys,
               // sort_keys the order within a partition. A condition on partition keys may be applied below it, another one
               // may not. What is true of kAggregate when a join is pushed below it is true of kWindow: the columns on which
               // the outer side is distinct have to become partition keys
  kSort,       // sort_keys, over the child's columns
  kLimit,      // limit, offset
  kShared,     // the rows of LogicalPlan::shared[shared]: its columns[i] read as outputs[i]
};

// What a join hands on. A pair of rows matches where all conjuncts are true. (A right join is a left one with its children
// exchanged.)
enum class JoinKind : std::uint8_t {
  kInner,  // pairs
  kLeft,   // pairs, and rows of the left without a match with NULL in the right's columns
  kFull,   // as kLeft, and rows of the right without a match with NULL in the left's columns
  kSemi,   // rows of the left with a match, each once
  kAnti,   // rows of the left without one
  kMark,   // all rows of the left, each once; `mark` is true where there is a match, else false
};

struct SortKey {
  Expression expression;
  bool descending = false;
  bool nulls_first = false;
  bool operator==(const SortKey&) const = default;
};

struct LogicalNode {
  LogicalKind kind = LogicalKind::kOneRow;
  std::vector<LogicalNode> children;
  std::shared_ptr<Table> table;         // kScan
  std::string alias;                    // kScan: for EXPLAIN
  int position = 0;                     // kScan: where the statement names it, for errors
  std::vector<int> columns;             // kScan: column numbers in the table; kShared: in SharedPlan::columns
  int shared = -1;                      // kShared
  std::vector<ColumnId> outputs;        // kScan, kProject, kAggregate (keys), kUnion, kValues, kRepeat
  std::vector<Expression> expressions;  // kProject, kAggregate (keys), kUnion, kValues, kRepeat, kWindow (partition keys)
  std::vector<Expression> conjuncts;    // kFilter, kJoin
  JoinKind join_kind = JoinKind::kInner;
  ColumnId mark = -1;  // kJoin of kind kMark: a boolean column, never null
  // kJoin with a subquery, until it is unnested: what the right child gives is never used for rows of the left for which one of
  // these is not true (a CASE around the subquery), so that it need not be evaluated for them and must raise no error there.
  std::vector<Expression> guards;
  std::vector<AggregateCall> aggregates;
  std::vector<WindowCall> window_calls;
  std::int64_t rows = 0;  // kValues
  std::vector<SortKey> sort_keys;
  std::optional<std::int64_t> limit;
  std::int64_t offset = 0;
};

// A column of the result.
struct ResultColumn {
  ColumnId column;
  std::string name;
  DataType type;
};

// A part of the plan that several nodes of kind kShared read, computed once. It reads only such as stand before it, and names
// no column of its surroundings.
struct SharedPlan {
  LogicalNode root;
  std::vector<ColumnId> columns;  // of root
  std::string name;               // for EXPLAIN
  bool keep = false;              // computed on its own even for a single reader (WITH ... AS MATERIALIZED)
};

struct LogicalPlan {
  LogicalNode root;
  std::vector<SharedPlan> shared;
  std::vector<ResultColumn> result;
  ColumnNames names;            // by ColumnId; for EXPLAIN
  std::vector<DataType> types;  // by ColumnId
  // A new column, for rules that introduce one.
  ColumnId add_column(std::string name, DataType type);
};

bool is_inner_join(const LogicalNode& node);

// The join hands on the columns of its right child.
bool shows_right(JoinKind kind);

// The columns a node hands to its parent.
std::vector<ColumnId> output_columns(const LogicalNode& node);

std::string to_string(const LogicalPlan& plan);  // an indented tree, a line a node: golden plans and EXPLAIN

}  // namespace saccade
