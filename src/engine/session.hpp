// One user's session: settings, and statements one after another.
#pragma once

#include <saccade/saccade.hpp>

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "engine/core.hpp"
#include "physical/planner.hpp"
#include "sql/binder/binder.hpp"

namespace saccade {

class SessionImplementation : public Session {
 public:
  explicit SessionImplementation(std::shared_ptr<Core> core);

  std::unique_ptr<QueryResult> execute(const std::string& sql) override;
  void cancel() noexcept override { cancellation_.cancel(); }

 private:
  std::unique_ptr<QueryResult> select(const LogicalPlan& plan);
  std::unique_ptr<QueryResult> explain(const LogicalPlan& plan, bool analyze);
  std::unique_ptr<QueryResult> create_table(const BoundStatement& statement);
  std::unique_ptr<QueryResult> drop_tables(const BoundStatement& statement);
  physical::PlannerOptions options() const;
  // Runs `run` with what is known, again for each assumption that it shows to be wrong.
  template <class Run>
  auto with_assumptions(const Run& run);

  std::shared_ptr<Core> core_;
  Settings settings_;
  Cancellation cancellation_;
  std::set<std::pair<std::string, int>> refuted_;  // columns that a run has shown to repeat values
};

}  // namespace saccade
