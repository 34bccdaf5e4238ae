#include "engine/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "engine/command.hpp"
#include "engine/rank_failure.hpp"
#include "physical/serialize.hpp"

namespace saccade {

namespace {

int threads_of_rank(const Settings& settings, std::size_t local_ranks) {
  if (settings.threads > 0) return settings.threads;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return std::max(1, static_cast<int>(cores / local_ranks));
}

// The builder of the table that the plan's Insert makes; null where the plan makes none.
std::unique_ptr<MemoryTableBuilder> make_builder(Core& core, const physical::Plan& plan) {
  const physical::Pipeline& last = plan.pipelines.back();
  const auto* insert = std::get_if<physical::Insert>(&last.sink);
  if (insert == nullptr) return nullptr;
  const auto dictionaries = core.executors.front()->dictionaries(plan, core.pool);
  std::vector<DataType> types;
  std::vector<std::shared_ptr<const Dictionary>> column_dictionaries;
  for (const int slot : insert->output) {
    const physical::Slot& described = last.slots.at(static_cast<std::size_t>(slot));
    types.push_back(described.type.kind == TypeKind::kUnknown ? DataType{TypeKind::kText} : described.type);
    std::shared_ptr<const Dictionary> dictionary;
    if (described.dictionary >= 0) dictionary = dictionaries.at(static_cast<std::size_t>(described.dictionary));
    if (types.back().kind == TypeKind::kText && !dictionary) dictionary = Dictionary::from_strings({});
    column_dictionaries.push_back(std::move(dictionary));
  }
  return std::make_unique<MemoryTableBuilder>(insert->table, insert->column_names, std::move(types),
                                              std::move(column_dictionaries), core.ranks(), core.pool);
}

std::shared_ptr<Table> finish_table(Core& core, MemoryTableBuilder& builder, int threads) {
  if (core.distributed()) return core.executors.front()->finish_table(builder, threads);
  return builder.finish([](std::vector<ColumnSummary> local) { return local; }, threads);
}

RowSet run_on_ranks(Core& core, const std::string& plan_text, const physical::Plan& plan, QueryContext& query,
                    MemoryTableBuilder* builder) {
  const std::size_t ranks = core.executors.size();
  std::vector<RowSet> rows(ranks);
  std::vector<std::exception_ptr> failures(ranks);
  const auto run_rank = [&](std::size_t rank) {
    try {
      rows[rank] = core.executors[rank]->run(plan_text, plan, query, builder);
    } catch (...) {
      failures[rank] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t rank = 1; rank < ranks; ++rank) threads.emplace_back(run_rank, rank);
  run_rank(0);
  for (std::thread& thread : threads) thread.join();
  rethrow_failure(failures);
  return std::move(rows.front());
}

Execution execute_locally(Core& core, const std::string& plan_text, const physical::Plan& plan, const Settings& settings,
                          StatementControl& control) {
  Execution execution;
  execution.pool = std::make_shared<MemoryPool>("query", 0, &core.pool);
  execution.pool->observe(&control.cancellation);
  Profile profile;
  const int threads = threads_of_rank(settings, core.executors.size());
  QueryContext query{settings, *execution.pool, control.cancellation, profile, threads, nullptr};
  query.progress = &control.progress;
  std::unique_ptr<MemoryTableBuilder> builder;
  if (core.distributed()) {
    builder = core.executors.front()->or_abort([&] { return make_builder(core, plan); });
  } else {
    builder = make_builder(core, plan);
  }
  execution.rows = run_on_ranks(core, plan_text, plan, query, builder.get());
  execution.profile = profile.take();
  if (builder) execution.table = finish_table(core, *builder, threads * static_cast<int>(core.executors.size()));
  execution.pool->observe(nullptr);  // the result may outlive the session
  return execution;
}

}  // namespace

Execution execute_plan(Core& core, const std::string& plan_text, const physical::Plan& plan, const Settings& settings,
                       StatementControl& control) {
  if (core.distributed()) send_command({Command::Kind::kRun, plan_text, {}, settings}, core.executors.front()->communicator());
  return execute_locally(core, plan_text, plan, settings, control);
}

int serve_commands(Core& core) {
  Communicator& communicator = core.executors.front()->communicator();
  while (true) {
    const Command command = receive_command(communicator);
    if (command.kind == Command::Kind::kExit) return 0;
    if (command.kind == Command::Kind::kDropTable) {
      core.catalog.drop(command.table);
      continue;
    }
    try {
      StatementControl control;
      core.pool.set_limit(memory_limit_of(command.settings));
      const physical::Plan plan = core.executors.front()->or_abort([&] { return physical::parse_plan(command.plan); });
      const Execution execution = execute_locally(core, command.plan, plan, command.settings, control);
      if (execution.table) core.catalog.create(execution.table);
    } catch (const std::exception&) {
      // Rank 0 has been told by the abort and reports it; this rank waits for the next command.
    }
  }
}

}  // namespace saccade
