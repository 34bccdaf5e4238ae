// The corridor in one screen: text > syntax > logical plan > optimized plan > physical plan > rows.
#include "engine/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/command.hpp"
#include "engine/execute.hpp"
#include "engine/explain_report.hpp"
#include "engine/prepared_statement.hpp"
#include "engine/query_error.hpp"
#include "optimizer/optimizer.hpp"
#include "physical/serialize.hpp"

namespace saccade {

namespace {

std::int64_t now_in_microseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

}  // namespace

SessionState::SessionState(std::shared_ptr<Core> core) : core_(std::move(core)), settings_(core_->settings) {}

template <class Work>
auto SessionState::alone(const Work& work) {
  return as_query_errors([&] {
    control_.cancellation.reset();
    std::unique_lock lock(core_->execution, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(20))) control_.cancellation.check();
    struct Running {
      explicit Running(ProgressMeter& meter) : meter(meter) { meter.start(); }
      ~Running() { meter.finish(); }
      ProgressMeter& meter;
    } const running(control_.progress);
    core_->pool.set_limit(memory_limit_of(settings_));
    return work();
  });
}

std::unique_ptr<QueryResult> SessionState::execute(const std::string& sql) {
  return alone([&] { return run(parse(sql), nullptr); });
}

std::unique_ptr<QueryResult> SessionState::execute(const SyntaxTree& tree, StatementParameters& parameters) {
  return alone([&] { return run(tree, &parameters); });
}

std::unique_ptr<PreparedStatement> SessionState::prepare(const std::string& sql) {
  return alone([&] {
    SyntaxTree tree = parse(sql);
    StatementParameters parameters;
    MemoryPool pool("statement", 0, &core_->pool);
    const BoundStatement statement = bind(tree, &parameters, pool);
    return make_prepared_statement(shared_from_this(), std::move(tree), std::move(parameters), statement);
  });
}

Progress SessionState::progress() const noexcept {
  const ProgressMeter::Reading reading = control_.progress.read();
  Progress progress{reading.running, reading.seconds, reading.fraction, -1, reading.rows};
  if (reading.fraction > 0) progress.seconds_left = reading.seconds * (1 - reading.fraction) / reading.fraction;
  return progress;
}

BoundStatement SessionState::bind(const SyntaxTree& tree, StatementParameters* parameters, MemoryPool& pool) {
  const StatementTime time{now_in_microseconds(), settings_.time_zone};
  pool.observe(&control_.cancellation);
  return bind_statement(tree, core_->catalog, *core_->opener, pool, time, parameters);
}

std::unique_ptr<QueryResult> SessionState::run(const SyntaxTree& tree, StatementParameters* parameters) {
  MemoryPool pool("statement", 0, &core_->pool);
  const BoundStatement statement = bind(tree, parameters, pool);
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
      return make_text_result(statement.name, {show_setting(settings_, statement.name)}, "SHOW", owner(nullptr));
    case BoundStatement::Kind::kEmpty:
      return make_command_result("");
  }
  raise_internal("a known kind of statement", __FILE__, __LINE__);
}

ResultOwner SessionState::owner(std::shared_ptr<MemoryPool> pool) const {
  struct Owner {
    std::shared_ptr<Core> core;  // outlives the pool below it
    std::shared_ptr<MemoryPool> pool;
  };
  MemoryPool& counted = pool ? *pool : core_->pool;
  return {counted, std::make_shared<Owner>(Owner{core_, std::move(pool)})};
}

template <class Run>
auto SessionState::with_assumptions(const Run& run) {
  while (true) {
    try {
      return run(options());
    } catch (const AssumptionFailed& broken) {
      // Each retry refutes one column of a table; a plan assumes a refuted one no more, so this ends.
      SACCADE_CHECK(refuted_.insert({broken.table, broken.column}).second);
    }
  }
}

physical::PlannerOptions SessionState::options() const {
  physical::PlannerOptions options;
  options.topology.ranks = core_->ranks();
  options.refuted = refuted_;
  options.gpu = settings_.device != Device::kCpu;
  options.gpu_fallback = settings_.gpu_fallback;
  return options;
}

std::unique_ptr<QueryResult> SessionState::select(const LogicalPlan& plan) {
  return with_assumptions([&](const physical::PlannerOptions& options) {
    const physical::PlannedQuery planned = physical::plan_query(plan, options);
    Execution execution = execute_plan(*core_, physical::serialize(planned.plan), planned.plan, settings_, control_);
    return make_row_result(planned, std::move(execution.rows), owner(execution.pool));
  });
}

std::unique_ptr<QueryResult> SessionState::explain(const LogicalPlan& plan, bool analyze) {
  return with_assumptions([&](const physical::PlannerOptions& options) {
    const physical::PlannedQuery planned = physical::plan_query(plan, options);
    std::vector<PipelineProfile> profile;
    if (analyze)
      profile = execute_plan(*core_, physical::serialize(planned.plan), planned.plan, settings_, control_).profile;
    return make_text_result("QUERY PLAN", explain_report(*core_, settings_, planned.plan, profile), "EXPLAIN",
                            owner(nullptr));
  });
}

std::unique_ptr<QueryResult> SessionState::create_table(const BoundStatement& statement) {
  if (core_->catalog.find(statement.name)) {
    if (statement.if_not_exists) return make_command_result("CREATE TABLE AS");
    throw Error(sqlstate::kDuplicateTable, fmt::format("relation \"{}\" already exists", statement.name));
  }
  const LogicalPlan plan = optimize(statement.plan);
  return with_assumptions([&](const physical::PlannerOptions& options) {
    const physical::PlannedQuery planned = physical::plan_insert(plan, statement.name, options);
    const Execution execution = execute_plan(*core_, physical::serialize(planned.plan), planned.plan, settings_, control_);
    core_->catalog.create(execution.table);
    return make_command_result(fmt::format("SELECT {}", execution.table->row_count()));
  });
}

std::unique_ptr<QueryResult> SessionState::drop_tables(const BoundStatement& statement) {
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
