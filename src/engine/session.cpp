// The corridor in one screen: text > syntax > logical plan > optimized plan > physical plan > rows.
#include "engine/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/command.hpp"
#include "engine/execute.hpp"
#include "engine/explain_report.hpp"
#include "engine/result.hpp"
#include "optimizer/optimizer.hpp"
#include "physical/serialize.hpp"
#include "sql/binder/binder.hpp"

namespace saccade {

namespace {

[[noreturn]] void raise_query_error() {
  try {
    throw;
  } catch (const Error& error) {
    throw QueryError(error.sqlstate(), error.what(), error.position(), error.hint());
  } catch (const std::bad_alloc&) {
    throw QueryError(std::string(sqlstate::kOutOfMemory), "out of memory", 0, "Lower memory_limit or free memory.");
  } catch (const std::exception& error) {
    throw QueryError(std::string(sqlstate::kInternalError), error.what(), 0, "This is a fault of Saccade; please report it.");
  }
}

std::int64_t now_in_microseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

}  // namespace

SessionImplementation::SessionImplementation(std::shared_ptr<Core> core) : core_(std::move(core)), settings_(core_->settings) {}

std::unique_ptr<QueryResult> SessionImplementation::execute(const std::string& sql) {
  try {
    const std::lock_guard lock(core_->execution);
    cancellation_.reset();
    core_->pool.set_limit(memory_limit_of(settings_));
    const StatementTime time{now_in_microseconds(), settings_.time_zone};
    MemoryPool binding_pool("statement", 0, &core_->pool);
    binding_pool.observe(&cancellation_);
    const BoundStatement statement = bind_statement(sql, core_->catalog, *core_->opener, binding_pool, time);
    switch (statement.kind) {
      case BoundStatement::Kind::kSelect:
        return select(optimize(statement.plan));
      case BoundStatement::Kind::kExplain:
        return explain(optimize(statement.plan), statement.explain_analyze);
      case BoundStatement::Kind::kCreateTableAs:
        return create_table(statement);
      case BoundStatement::Kind::kDropTable:
        return drop_tables(statement);
      case BoundStatement::Kind::kSet:
        set_setting(settings_, statement.name, statement.value);
        return make_command_result("SET");
      case BoundStatement::Kind::kShow:
        return make_text_result(statement.name, {show_setting(settings_, statement.name)}, "SHOW");
      case BoundStatement::Kind::kEmpty:
        return make_command_result("");
    }
    SACCADE_CHECK(false);
  } catch (...) {
    raise_query_error();
  }
}

template <class Run>
auto SessionImplementation::with_assumptions(const Run& run) {
  while (true) {
    try {
      return run(options());
    } catch (const AssumptionFailed& broken) {
      // Each retry refutes one column of a table; a plan assumes a refuted one no more, so this ends.
      SACCADE_CHECK(refuted_.insert({broken.table, broken.column}).second);
    }
  }
}

physical::PlannerOptions SessionImplementation::options() const {
  physical::PlannerOptions options;
  options.topology.ranks = core_->ranks();
  options.refuted = refuted_;
  options.gpu = settings_.device != Device::kCpu;
  options.gpu_fallback = settings_.gpu_fallback;
  return options;
}

std::unique_ptr<QueryResult> SessionImplementation::select(const LogicalPlan& plan) {
  return with_assumptions([&](const physical::PlannerOptions& options) {
    const physical::PlannedQuery planned = physical::plan_query(plan, options);
    Execution execution = execute_plan(*core_, physical::serialize(planned.plan), planned.plan, settings_, cancellation_);
    struct Owner {
      std::shared_ptr<Core> core;  // outlives the pool below it
      std::shared_ptr<MemoryPool> pool;
    };
    return make_row_result(planned, std::move(execution.rows), std::make_shared<Owner>(Owner{core_, execution.pool}));
  });
}

std::unique_ptr<QueryResult> SessionImplementation::explain(const LogicalPlan& plan, bool analyze) {
  return with_assumptions([&](const physical::PlannerOptions& options) {
    const physical::PlannedQuery planned = physical::plan_query(plan, options);
    std::vector<PipelineProfile> profile;
    if (analyze)
      profile = execute_plan(*core_, physical::serialize(planned.plan), planned.plan, settings_, cancellation_).profile;
    return make_text_result("QUERY PLAN", explain_report(*core_, settings_, planned.plan, profile), "EXPLAIN");
  });
}

std::unique_ptr<QueryResult> SessionImplementation::create_table(const BoundStatement& statement) {
  if (core_->catalog.find(statement.name)) {
    if (statement.if_not_exists) return make_command_result("CREATE TABLE AS");
    throw Error(sqlstate::kDuplicateTable, fmt::format("relation \"{}\" already exists", statement.name));
  }
  const LogicalPlan plan = optimize(statement.plan);
  return with_assumptions([&](const physical::PlannerOptions& options) {
    const physical::PlannedQuery planned = physical::plan_insert(plan, statement.name, options);
    const Execution execution = execute_plan(*core_, physical::serialize(planned.plan), planned.plan, settings_, cancellation_);
    core_->catalog.create(execution.table);
    return make_command_result(fmt::format("SELECT {}", execution.table->row_count()));
  });
}

std::unique_ptr<QueryResult> SessionImplementation::drop_tables(const BoundStatement& statement) {
  for (const std::string& name : statement.names) {
    if (!core_->catalog.find(name) && !statement.if_exists)
      throw Error(sqlstate::kUndefinedTable, fmt::format("table \"{}\" does not exist", name));
  }
  for (const std::string& name : statement.names) {
    if (!core_->catalog.drop(name)) continue;
    std::erase_if(refuted_, [&](const auto& refuted) { return refuted.first == name; });
    if (core_->distributed())
      send_command({Command::Kind::kDropTable, {}, name, settings_}, core_->executors.front()->communicator());
  }
  return make_command_result("DROP TABLE");
}

}  // namespace saccade
