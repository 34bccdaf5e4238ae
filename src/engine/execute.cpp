#include "engine/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "engine/command.hpp"
#include "engine/rank_failure.hpp"
#include "engine/table_commands.hpp"
#include "physical/serialize.hpp"

namespace saccade {

int threads_of_rank(const Settings& settings, std::size_t local_ranks) {
  if (settings.threads > 0) return settings.threads;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return std::max(1, static_cast<int>(cores / local_ranks));
}

namespace {

// The rows of the plan's Insert on their way into a table.
struct InsertedRows {
  std::unique_ptr<MemoryTableBuilder> builder;
  InsertMode mode = InsertMode::kCreate;
  std::atomic<std::int64_t> changed{0};  // of kUpdate, on this process's ranks

  void take(int rank, RowSet rows) {
    if (mode == InsertMode::kUpdate) {
      const LaneColumn marks = std::move(rows.columns.back());
      rows.columns.pop_back();
      std::int64_t marked = 0;
      for (std::int64_t row = 0; row < rows.rows; ++row) marked += marks.as<std::uint8_t>()[row];
      changed += marked;
    }
    builder->add_rows(rank, rows);
  }
};

// The builder of the table that the plan's Insert makes.
std::unique_ptr<MemoryTableBuilder> make_builder(Core& core, const physical::Plan& plan, InsertMode mode,
                                                 std::uint64_t serial) {
  const physical::Pipeline& last = plan.pipelines.back();
  const auto& insert = std::get<physical::Insert>(last.sink);
  const auto dictionaries = core.executors.front()->dictionaries(plan, core.pool);
  const std::size_t columns = insert.output.size() - (mode == InsertMode::kUpdate ? 1 : 0);
  std::vector<DataType> types;
  std::vector<std::shared_ptr<const Dictionary>> column_dictionaries;
  for (std::size_t i = 0; i < columns; ++i) {
    const physical::Slot& described = last.slots.at(static_cast<std::size_t>(insert.output[i]));
    types.push_back(described.type.kind == TypeKind::kUnknown ? DataType{TypeKind::kText} : described.type);
    std::shared_ptr<const Dictionary> dictionary;
    if (described.dictionary >= 0) dictionary = dictionaries.at(static_cast<std::size_t>(described.dictionary));
    const bool codes = types.back().is_string() && described.lane != Lane::kText;
    if (codes && !dictionary) dictionary = Dictionary::from_strings({});
    column_dictionaries.push_back(std::move(dictionary));
  }
  std::vector<std::string> names(insert.column_names.begin(),
                                 insert.column_names.begin() + static_cast<std::ptrdiff_t>(columns));
  auto builder = std::make_unique<MemoryTableBuilder>(insert.table, std::move(names), std::move(types),
                                                      std::move(column_dictionaries), core.ranks(), core.pool);
  builder->set_serial(serial);
  if (mode == InsertMode::kCreate) return builder;
  const std::shared_ptr<Table> base = core.catalog.find(insert.table);
  SACCADE_CHECK(base != nullptr);
  if (mode == InsertMode::kAppend) {
    builder->append_to(base);
  } else {
    builder->declare(definition_of(*base));
  }
  return builder;
}

std::shared_ptr<Table> finish_table(Core& core, MemoryTableBuilder& builder, int threads) {
  const auto make = [&](const MemoryTableBuilder::Agree& agree) { return builder.finish(agree, threads); };
  if (core.distributed()) return core.executors.front()->make_table(make);
  builder.allow_dictionaries();
  return make([](std::vector<ColumnSummary> local) { return local; });
}

RowSet run_on_ranks(Core& core, const std::string& plan_text, const physical::Plan& plan, QueryContext& query,
                    const RowTaker& taker) {
  const std::size_t ranks = core.executors.size();
  std::vector<RowSet> rows(ranks);
  std::vector<std::exception_ptr> failures(ranks);
  const auto run_rank = [&](std::size_t rank) {
    try {
      rows[rank] = core.executors[rank]->run(plan_text, plan, query, taker);
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
                          StatementControl& control, InsertMode mode, std::uint64_t serial) {
  Execution execution;
  execution.pool = std::make_shared<MemoryPool>("query", 0, &core.pool);
  execution.pool->observe(&control.cancellation);
  execution.text = std::make_shared<TextStore>(*execution.pool);
  Profile profile;
  const int threads = threads_of_rank(settings, core.executors.size());
  QueryContext query{settings, *execution.pool, control.cancellation, profile, threads, execution.text};
  query.progress = &control.progress;
  InsertedRows inserted;
  inserted.mode = mode;
  const bool inserts = std::holds_alternative<physical::Insert>(plan.pipelines.back().sink);
  if (inserts && core.distributed()) {
    inserted.builder = core.executors.front()->or_abort([&] { return make_builder(core, plan, mode, serial); });
  } else if (inserts) {
    inserted.builder = make_builder(core, plan, mode, serial);
  }
  const RowTaker taker = [&](int rank, RowSet rows) { inserted.take(rank, std::move(rows)); };
  execution.rows = run_on_ranks(core, plan_text, plan, query, taker);
  execution.profile = profile.take();
  if (inserts) execution.table = finish_table(core, *inserted.builder, threads * static_cast<int>(core.executors.size()));
  if (mode == InsertMode::kUpdate) {
    execution.changed = inserted.changed;
    if (core.distributed()) execution.changed = core.executors.front()->sum_over_ranks(inserted.changed);
  }
  execution.pool->observe(nullptr);  // the result may outlive the session
  return execution;
}

}  // namespace

Execution execute_plan(Core& core, const std::string& plan_text, const physical::Plan& plan, const Settings& settings,
                       StatementControl& control, InsertMode mode) {
  const std::uint64_t serial = ++core.serial;
  if (core.distributed()) {
    Command command;
    command.kind = Command::Kind::kRun;
    command.plan = plan_text;
    command.mode = mode;
    command.serial = serial;
    command.settings = settings;
    send_command(command, core.executors.front()->communicator());
  }
  return execute_locally(core, plan_text, plan, settings, control, mode, serial);
}

int serve_commands(Core& core) {
  Communicator& communicator = core.executors.front()->communicator();
  while (true) {
    const Command command = receive_command(communicator);
    if (command.kind == Command::Kind::kExit) return 0;
    try {
      core.pool.set_limit(memory_limit_of(command.settings));
      if (command.kind != Command::Kind::kRun) {
        apply_command(core, command);
        continue;
      }
      StatementControl control;
      const physical::Plan plan = core.executors.front()->or_abort([&] { return physical::parse_plan(command.plan); });
      const Execution execution =
          execute_locally(core, command.plan, plan, command.settings, control, command.mode, command.serial);
      if (execution.table) core.catalog.replace(execution.table);
    } catch (const std::exception&) {
      // Rank 0 has been told by the abort and reports it; this rank waits for the next command.
    }
  }
}

}  // namespace saccade
