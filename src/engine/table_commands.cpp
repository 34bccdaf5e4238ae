#include "engine/table_commands.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/execute.hpp"
#include "storage/memory_table.hpp"
#include "storage/tpch/load.hpp"

namespace saccade {

namespace {

// The ranks of this process, ascending.
std::vector<int> local_ranks(Core& core) {
  std::vector<int> ranks;
  for (const auto& executor : core.executors) ranks.push_back(executor->communicator().rank());
  return ranks;
}

int all_threads(const Core& core, const Settings& settings) {
  return threads_of_rank(settings, core.executors.size()) * static_cast<int>(core.executors.size());
}

// Makes a table whose summaries are agreed between processes.
template <class Make>
std::shared_ptr<Table> make_agreed(Core& core, const Make& make) {
  if (core.distributed()) return core.executors.front()->make_table(make);
  return make(MemoryTableBuilder::Agree([](std::vector<ColumnSummary> local) { return local; }));
}

void append_rows(Core& core, const Command& command) {
  const ValueRows rows = decode_rows(command.payload);
  const std::shared_ptr<Table> table = make_agreed(core, [&](const MemoryTableBuilder::Agree& agree) {
    const std::shared_ptr<Table> base = core.catalog.find(command.name);
    SACCADE_CHECK(base != nullptr);
    const AppendRequest request{base,         rows,           local_ranks(core),
                                core.ranks(), command.serial, all_threads(core, command.settings)};
    return append_values(request, agree, core.pool);
  });
  core.catalog.replace(table);
}

void load_tpch(Core& core, const Command& command) {
  const std::shared_ptr<Table> table = make_agreed(core, [&](const MemoryTableBuilder::Agree& agree) {
    const tpch::LoadRequest request{tpch::table_spec(command.name).id,
                                    tpch::Scale::parse(command.payload),
                                    command.columns,
                                    core.ranks(),
                                    local_ranks(core),
                                    all_threads(core, command.settings)};
    return tpch::load(request, agree, core.pool);
  });
  core.catalog.create(table);
}

std::int64_t bytes_of(const ValueRows& rows) {
  std::int64_t bytes = 0;
  for (const std::vector<Value>& row : rows) {
    bytes += static_cast<std::int64_t>(sizeof(row) + row.size() * sizeof(Value));
    for (const Value& value : row) {
      if (const auto* text = std::get_if<std::string>(&value.data)) bytes += static_cast<std::int64_t>(text->size());
    }
  }
  return bytes;
}

}  // namespace

void apply_command(Core& core, const Command& command) {
  switch (command.kind) {
    case Command::Kind::kCreateTable: {
      const TableDefinition definition = decode_definition(command.payload);
      core.catalog.replace(make_empty_table(definition, core.ranks(), command.serial, core.pool));
      return;
    }
    case Command::Kind::kAppendRows:
      append_rows(core, command);
      return;
    case Command::Kind::kLoadTpch:
      load_tpch(core, command);
      return;
    case Command::Kind::kCreateView:
      core.catalog.put_view(decode_view(command.payload));
      return;
    case Command::Kind::kDrop:
      core.catalog.drop(command.name);
      return;
    case Command::Kind::kRun:
    case Command::Kind::kExit:
      break;
  }
  raise_internal("a command that changes the catalog", __FILE__, __LINE__);
}

void run_on_all_ranks(Core& core, Command command) {
  command.serial = ++core.serial;
  if (core.distributed()) send_command(command, core.executors.front()->communicator());
  if (command.kind == Command::Kind::kDrop || command.kind == Command::Kind::kCreateTable) {
    const std::string& name = command.kind == Command::Kind::kDrop ? command.name : decode_definition(command.payload).name;
    core.kept_rows.erase(name);
  }
  apply_command(core, command);
}

void keep_rows(Core& core, const std::string& table, ValueRows rows, const Settings& settings) {
  constexpr std::size_t kMaxKeptRows = 65'536;
  KeptRows& kept = core.kept_rows[table];
  if (kept.memory.bytes() == 0) kept.memory = Reservation(core.pool, 0);
  kept.memory.resize(kept.memory.bytes() + bytes_of(rows));
  kept.rows.insert(kept.rows.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
  if (kept.rows.size() >= kMaxKeptRows) append_kept_rows(core, settings);
}

void append_kept_rows(Core& core, const Settings& settings) {
  while (!core.kept_rows.empty()) {
    const auto kept = core.kept_rows.begin();
    if (!kept->second.rows.empty()) {
      Command command{Command::Kind::kAppendRows, {}, {}, kept->first, {}, encode_rows(kept->second.rows), 0, settings};
      run_on_all_ranks(core, std::move(command));
    }
    core.kept_rows.erase(kept);
  }
}

}  // namespace saccade
