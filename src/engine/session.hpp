// One user's session: settings, and statements one after another.
#pragma once

#include <saccade/saccade.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "engine/core.hpp"
#include "engine/execute.hpp"
#include "engine/result.hpp"
#include "physical/planner.hpp"
#include "sql/binder/binder.hpp"

namespace saccade {

// What a session and its prepared statements share. One statement at a time; cancel() and progress() from any thread.
class SessionState : public std::enable_shared_from_this<SessionState> {
 public:
  explicit SessionState(std::shared_ptr<Core> core);

  // Binds and runs a statement. Errors: QueryError.
  std::unique_ptr<QueryResult> execute(const std::string& sql);
  std::unique_ptr<QueryResult> execute(const SyntaxTree& tree, StatementParameters& parameters);
  std::unique_ptr<PreparedStatement> prepare(const std::string& sql);

  void cancel() noexcept { control_.cancellation.cancel(); }
  Progress progress() const noexcept;

 private:
  // Runs `work` as the database's only statement, and turns what it throws into a QueryError.
  template <class Work>
  auto alone(const Work& work);
  // `pool`: for what binding needs; lives as long as the statement.
  BoundStatement bind(const SyntaxTree& tree, StatementParameters* parameters, MemoryPool& pool);
  std::unique_ptr<QueryResult> run(const SyntaxTree& tree, StatementParameters* parameters);
  std::unique_ptr<QueryResult> select(const LogicalPlan& plan);
  std::unique_ptr<QueryResult> explain(const LogicalPlan& plan, BoundStatement::Explain what);
  // named_statements.cpp
  std::unique_ptr<QueryResult> prepare_named(const SyntaxTree& tree, const BoundStatement& statement);
  std::unique_ptr<QueryResult> execute_named(const BoundStatement& statement);
  std::unique_ptr<QueryResult> deallocate(const std::string& name);

  std::unique_ptr<QueryResult> show(const std::string& name);
  std::unique_ptr<QueryResult> reset(const BoundStatement& statement);

  std::unique_ptr<QueryResult> copy_to(const BoundStatement& statement);

  // table_statements.cpp
  std::unique_ptr<QueryResult> create_table(const BoundStatement& statement);
  std::unique_ptr<QueryResult> create_table_as(const BoundStatement& statement);
  std::unique_ptr<QueryResult> create_view(const BoundStatement& statement);
  std::unique_ptr<QueryResult> drop(const BoundStatement& statement);
  std::unique_ptr<QueryResult> truncate(const BoundStatement& statement);
  std::unique_ptr<QueryResult> call_tpch(const BoundStatement& statement);
  std::unique_ptr<QueryResult> insert_values(const BoundStatement& statement);
  std::unique_ptr<QueryResult> insert(const BoundStatement& statement);
  std::unique_ptr<QueryResult> update(const BoundStatement& statement);
  std::unique_ptr<QueryResult> remove(const BoundStatement& statement);
  // Runs a plan whose rows go into the table `name`, and puts the table's new version into the catalog.
  Execution change_table(const LogicalPlan& plan, const std::string& name, InsertMode mode);
  // The values of constant expressions that folding has left, as a query.
  std::vector<Value> evaluate(const std::vector<Expression>& expressions);
  void drop_relation(const std::string& name);

  physical::PlannerOptions options() const;
  ResultOwner owner(std::shared_ptr<MemoryPool> pool, std::shared_ptr<TextStore> text = nullptr) const;
  // Runs `run` with what is known, again for each assumption that it shows to be wrong.
  template <class Run>
  auto with_assumptions(const Run& run) {
    while (true) {
      try {
        return run(options());
      } catch (const AssumptionFailed& broken) {
        // Each retry refutes one column of a table; a plan assumes a refuted one no more, so this ends.
        SACCADE_CHECK(refuted_.insert({broken.table, broken.column}).second);
      }
    }
  }

  std::shared_ptr<Core> core_;
  Settings settings_;
  StatementControl control_;
  // What PREPARE has named.
  struct NamedStatement {
    SyntaxTree tree;
    StatementParameters parameters;
  };
  std::map<std::string, NamedStatement> named_statements_;
  std::set<std::pair<std::string, int>> refuted_;  // columns that a run has shown to repeat values
};

class SessionImplementation : public Session {
 public:
  explicit SessionImplementation(std::shared_ptr<Core> core) : state_(std::make_shared<SessionState>(std::move(core))) {}

  std::unique_ptr<QueryResult> execute(const std::string& sql) override { return state_->execute(sql); }
  std::unique_ptr<PreparedStatement> prepare(const std::string& sql) override { return state_->prepare(sql); }
  void cancel() noexcept override { state_->cancel(); }
  Progress progress() const noexcept override { return state_->progress(); }

 private:
  std::shared_ptr<SessionState> state_;
};

}  // namespace saccade
