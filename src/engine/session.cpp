// The corridor in one screen: text > syntax > logical plan > optimized plan > physical plan > rows.
#include "engine/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/execute.hpp"
#include "engine/explain_report.hpp"
#include "engine/prepared_statement.hpp"
#include "engine/query_error.hpp"
#include "engine/table_commands.hpp"
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
    append_kept_rows(*core_, settings_);
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
  if (reads_tables(tree)) append_kept_rows(*core_, settings_);
  MemoryPool pool("statement", 0, &core_->pool);
  const BoundStatement statement = bind(tree, parameters, pool);
  using Kind = BoundStatement::Kind;
  switch (statement.kind) {
    case Kind::kEmpty:
      return make_command_result("");
    case Kind::kNothing:
      return make_command_result(statement.name, statement.notices);
    case Kind::kSelect:
      return select(optimize(statement.plan));
    case Kind::kExplain:
      return explain(optimize(statement.plan), statement.explain);
    case Kind::kCreateTable:
      return create_table(statement);
    case Kind::kCreateTableAs:
      return create_table_as(statement);
    case Kind::kCreateView:
      return create_view(statement);
    case Kind::kDrop:
      return drop(statement);
    case Kind::kTruncate:
      return truncate(statement);
    case Kind::kInsertValues:
      return insert_values(statement);
    case Kind::kInsert:
      return insert(statement);
    case Kind::kUpdate:
      return update(statement);
    case Kind::kDelete:
      return remove(statement);
    case Kind::kCopyTo:
      return copy_to(statement);
    case Kind::kCallTpch:
      return call_tpch(statement);
    case Kind::kPrepare:
      return prepare_named(tree, statement);
    case Kind::kExecute:
      return execute_named(statement);
    case Kind::kDeallocate:
      return deallocate(statement.name);
    case Kind::kSet:
      // A zone is checked here: the settings know of no zones.
      if (statement.name == "timezone") find_time_zone(statement.value);
      set_setting(settings_, statement.name, statement.value);
      return make_command_result("SET");
    case Kind::kReset:
      return reset(statement);
    case Kind::kShow:
      return show(statement.name);
  }
  raise_internal("a known kind of statement", __FILE__, __LINE__);
}

std::unique_ptr<QueryResult> SessionState::show(const std::string& name) {
  if (name != "all") return make_text_result(name, {show_setting(settings_, name)}, "SHOW", owner(nullptr));
  std::vector<std::vector<std::string>> cells;
  for (const std::string& setting : setting_names())
    cells.push_back({setting, show_setting(settings_, setting), describe_setting(setting)});
  return make_text_result({"name", "setting", "description"}, std::move(cells), "SHOW", owner(nullptr));
}

std::unique_ptr<QueryResult> SessionState::reset(const BoundStatement& statement) {
  for (const std::string& name : statement.name.empty() ? setting_names() : std::vector<std::string>{statement.name})
    set_setting(settings_, name, show_setting(core_->settings, name));
  return make_command_result(statement.value);
}

ResultOwner SessionState::owner(std::shared_ptr<MemoryPool> pool, std::shared_ptr<TextStore> text) const {
  struct Owner {
    std::shared_ptr<Core> core;        // outlives the pool below it
    std::shared_ptr<MemoryPool> pool;  // outlives the strings
    std::shared_ptr<TextStore> text;
  };
  MemoryPool& counted = pool ? *pool : core_->pool;
  return {counted, std::make_shared<Owner>(Owner{core_, std::move(pool), std::move(text)})};
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
    return make_row_result(planned, std::move(execution.rows), owner(execution.pool, execution.text),
                           find_time_zone(settings_.time_zone));
  });
}

std::unique_ptr<QueryResult> SessionState::explain(const LogicalPlan& plan, BoundStatement::Explain what) {
  return with_assumptions([&](const physical::PlannerOptions& options) {
    const physical::PlannedQuery planned = physical::plan_query(plan, options);
    std::vector<PipelineProfile> profile;
    const bool pipeline = what == BoundStatement::Explain::kPipeline;
    const int workers = pipeline ? threads_of_rank(settings_, core_->executors.size()) : 0;
    if (what == BoundStatement::Explain::kAnalyze)
      profile = execute_plan(*core_, physical::serialize(planned.plan), planned.plan, settings_, control_).profile;
    return make_text_result("QUERY PLAN", explain_report(*core_, settings_, planned.plan, profile, workers), "EXPLAIN",
                            owner(nullptr));
  });
}

}  // namespace saccade
