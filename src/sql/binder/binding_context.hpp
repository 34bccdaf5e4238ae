// What the parts of the binder share while they bind one statement: the tree, the tables, the plan's columns.
//
// Lives for one call of bind_statement, on one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "catalog/catalog.hpp"
#include "common/error.hpp"
#include "plan/logical_plan.hpp"
#include "sql/binder/statement_parameters.hpp"
#include "sql/binder/statement_time.hpp"
#include "sql/parser.hpp"

namespace saccade {

// A node of the syntax tree: {"Kind": {fields}}. The empty object stands for no node.
struct SyntaxNode {
  std::string_view kind;
  const nlohmann::json& fields;
};

SyntaxNode syntax_node(const nlohmann::json& json);

// A field's text or flag; "" or false where it has its default value.
std::string text_field(const nlohmann::json& fields, const char* name);
bool flag_field(const nlohmann::json& fields, const char* name);
// The strings of a list of String nodes ("fields", "funcname", "colnames"); a star is "*" in a ColumnRef.
std::vector<std::string> string_list(const nlohmann::json& fields, const char* name);

struct CommonTable;  // common_tables.hpp
class ExpressionBinder;

// The tree that is being bound: the statement's own or, within a view, that of the view, whose nodes all have the place at
// which the statement names the view.
class CurrentTree {
 public:
  explicit CurrentTree(const SyntaxTree& tree) : tree_(&tree) {}
  CurrentTree(const SyntaxTree& view, int place) : tree_(&view), place_(place) {}

  int position(std::int64_t location) const { return place_ == 0 ? tree_->position(location) : location < 0 ? 0 : place_; }
  int start() const { return place_ == 0 ? tree_->start() : place_; }
  std::int64_t integer(const nlohmann::json& constant) const { return tree_->integer(constant); }
  std::string text_after_as() const { return tree_->text_after_as(); }
  bool in_view() const { return place_ != 0; }

 private:
  const SyntaxTree* tree_;
  int place_ = 0;
};

class BindingContext {
 public:
  BindingContext(const SyntaxTree& tree, const Catalog& catalog, FileOpener& opener, MemoryPool& pool, StatementTime time = {})
      : tree(tree), catalog(catalog), opener(opener), pool(pool), time(std::move(time)) {}

  CurrentTree tree;
  const Catalog& catalog;
  FileOpener& opener;
  MemoryPool& pool;
  const StatementTime time;
  StatementParameters* parameters = nullptr;  // null: the statement can have none
  LogicalPlan plan;  // names and types grow while the statement is bound; root and result are set at the end

  // The common tables that the query being bound sees, from the innermost on; set by CommonTables.
  const CommonTable* common_tables = nullptr;
  void keep_common_table(std::shared_ptr<const CommonTable> table) { kept_tables_.push_back(std::move(table)); }
  // grouping(...) of all queries: the column that stands for its value until the query's groups are known.
  struct GroupingCall {
    ColumnId column;
    std::vector<Expression> arguments;
  };
  std::vector<GroupingCall> grouping_calls;
  int relations = 0;  // tables and subqueries that the statement has named so far
  int depth = 0;      // queries around the one being bound
  // The binders of the expressions around the query being bound, from the outermost on: an aggregate may belong to one of them.
  std::vector<ExpressionBinder*> enclosing;
  // A view's tree, whose nodes parts of the binder may keep.
  void keep_tree(std::shared_ptr<const SyntaxTree> tree) { view_trees_.push_back(std::move(tree)); }

  // The tables and views of the catalog that the statement's own text names.
  void note_relation(const std::string& name) {
    if (!tree.in_view()) named_relations_.insert(name);
  }
  std::vector<std::string> named_relations() const { return {named_relations_.begin(), named_relations_.end()}; }

  ColumnId add_column(const std::string& name, DataType type);

  // $number: its value, or NULL that notes the type it is given. Errors: 42P02 where there can be none.
  Expression parameter(int number, int position);

  // The position of a node: its own location, or the first one found below it; 0 where there is none.
  int position(const nlohmann::json& fields) const;
  [[noreturn]] void unsupported(std::string_view what, int position) const;

  // A second use of an expression (BETWEEN, simple CASE ...). Errors: 54001 where copies of copies grow without bound.
  Expression duplicate(const Expression& expression);

 private:
  std::vector<std::shared_ptr<const CommonTable>> kept_tables_;
  std::vector<std::shared_ptr<const SyntaxTree>> view_trees_;
  std::set<std::string> named_relations_;
  std::int64_t duplicated_ = 0;
};

// The candidate that was probably meant by `name`; "" where none is near.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace saccade
