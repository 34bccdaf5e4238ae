// One user's session: settings, and statements one after another.
#pragma once

#include <saccade/saccade.hpp>

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
  std::unique_ptr<QueryResult> explain(const LogicalPlan& plan, bool analyze);
  std::unique_ptr<QueryResult> create_table(const BoundStatement& statement);
  std::unique_ptr<QueryResult> drop_tables(const BoundStatement& statement);
  physical::PlannerOptions options() const;
  ResultOwner owner(std::shared_ptr<MemoryPool> pool) const;
  // Runs `run` with what is known, again for each assumption that it shows to be wrong.
  template <class Run>
  auto with_assumptions(const Run& run);

  std::shared_ptr<Core> core_;
  Settings settings_;
  StatementControl control_;
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
