// The statements that make, change and drop tables and views.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "engine/result_column.hpp"
#include "engine/session.hpp"
#include "engine/table_commands.hpp"
#include "optimizer/optimizer.hpp"
#include "physical/serialize.hpp"
#include "storage/tpch/schema.hpp"

namespace saccade {

namespace {

// What reserves memory in the pool is cancelled with the statement, for as long as this lives.
class CancelledWithin {
 public:
  CancelledWithin(MemoryPool& pool, const Cancellation& cancellation) : pool_(pool) { pool.observe(&cancellation); }
  ~CancelledWithin() { pool_.observe(nullptr); }
  CancelledWithin(const CancelledWithin&) = delete;
  CancelledWithin& operator=(const CancelledWithin&) = delete;

 private:
  MemoryPool& pool_;
};

bool is_constant(const Expression& expression) {
  return expression.operation == Operation::kLiteral;
}

Command catalog_command(Command::Kind kind, std::string name, std::string payload, const Settings& settings) {
  Command command;
  command.kind = kind;
  command.name = std::move(name);
  command.payload = std::move(payload);
  command.settings = settings;
  return command;
}

// The places of a table's columns in TPC-H's schema. Errors: 42703, 42701.
std::vector<int> column_places(const tpch::TableSpec& spec, const std::vector<std::string>& names) {
  std::vector<int> places;
  for (std::size_t i = 0; names.empty() && i < spec.columns.size(); ++i) places.push_back(static_cast<int>(i));
  for (const std::string& name : names) {
    const auto found = std::find_if(spec.columns.begin(), spec.columns.end(),
                                    [&](const tpch::ColumnSpec& column) { return column.name == name; });
    if (found == spec.columns.end())
      throw Error(sqlstate::kUndefinedColumn, fmt::format("column \"{}\" of \"{}\" does not exist", name, spec.name));
    places.push_back(static_cast<int>(found - spec.columns.begin()));
    if (std::count(places.begin(), places.end(), places.back()) > 1)
      throw Error(sqlstate::kDuplicateColumn, fmt::format("column \"{}\" specified more than once", name));
  }
  return places;
}

}  // namespace

std::unique_ptr<QueryResult> SessionState::create_table(const BoundStatement& statement) {
  TableDefinition definition = statement.table;
  for (std::size_t i = 0; i < definition.columns.size(); ++i) {
    if (!statement.defaults[i]) continue;
    const Expression value = fold_constants(*statement.defaults[i]);
    definition.columns[i].default_value = is_constant(value) ? value.literal : evaluate({value}).front();
  }
  run_on_all_ranks(*core_, catalog_command(Command::Kind::kCreateTable, {}, encode_definition(definition), settings_));
  return make_command_result("CREATE TABLE");
}

Execution SessionState::change_table(const LogicalPlan& plan, const std::string& name, InsertMode mode) {
  const LogicalPlan optimized = optimize(plan);
  return with_assumptions([&](const physical::PlannerOptions& options) {
    const physical::PlannedQuery planned = physical::plan_insert(optimized, name, options);
    Execution execution = execute_plan(*core_, physical::serialize(planned.plan), planned.plan, settings_, control_, mode);
    core_->catalog.replace(execution.table);
    return execution;
  });
}

std::unique_ptr<QueryResult> SessionState::create_table_as(const BoundStatement& statement) {
  const Execution execution = change_table(statement.plan, statement.name, InsertMode::kCreate);
  return make_command_result(fmt::format("SELECT {}", execution.table->row_count()));
}

std::unique_ptr<QueryResult> SessionState::create_view(const BoundStatement& statement) {
  run_on_all_ranks(*core_, catalog_command(Command::Kind::kCreateView, {}, encode_view(statement.view), settings_));
  return make_command_result("CREATE VIEW");
}

void SessionState::drop_relation(const std::string& name) {
  run_on_all_ranks(*core_, catalog_command(Command::Kind::kDrop, name, {}, settings_));
  std::erase_if(refuted_, [&](const auto& refuted) { return refuted.first == name; });
}

std::unique_ptr<QueryResult> SessionState::drop(const BoundStatement& statement) {
  for (const std::string& name : statement.names) drop_relation(name);
  return make_command_result(statement.name, statement.notices);
}

std::unique_ptr<QueryResult> SessionState::truncate(const BoundStatement& statement) {
  std::int64_t rows = 0;
  for (const std::string& name : statement.names) {
    const std::shared_ptr<Table> table = core_->catalog.find(name);
    rows += table->row_count();
    run_on_all_ranks(*core_,
                     catalog_command(Command::Kind::kCreateTable, {}, encode_definition(definition_of(*table)), settings_));
  }
  return make_command_result(statement.target ? fmt::format("DELETE {}", rows) : "TRUNCATE TABLE");
}

std::unique_ptr<QueryResult> SessionState::call_tpch(const BoundStatement& statement) {
  tpch::Scale::parse(statement.value);
  std::vector<BoundStatement::LoadedTable> loaded = statement.loaded;
  if (loaded.empty()) {
    for (const tpch::TableSpec& spec : tpch::tables()) loaded.push_back({std::string(spec.name), {}});
  }
  std::vector<Command> commands;
  std::vector<double> weights;
  for (const BoundStatement::LoadedTable& table : loaded) {
    const tpch::TableSpec& spec = tpch::table_spec(table.name);
    if (core_->catalog.find(table.name) || core_->catalog.find_view(table.name)) {
      throw Error(sqlstate::kDuplicateTable, fmt::format("relation \"{}\" already exists", table.name), 0,
                  fmt::format("Drop it first (DROP TABLE {}), or name the tables to make: CALL tpch(1, tables => 'orders').",
                              table.name));
    }
    commands.push_back(catalog_command(Command::Kind::kLoadTpch, table.name, statement.value, settings_));
    commands.back().columns = column_places(spec, table.columns);
    weights.push_back(static_cast<double>(tpch::unit_count(spec.id, tpch::Scale::parse(statement.value))));
  }
  control_.progress.start_plan(std::move(weights));
  const CancelledWithin observed(core_->pool, control_.cancellation);
  std::size_t done = 0;
  try {
    for (; done < commands.size(); ++done) {
      control_.cancellation.check();
      control_.progress.start_pipeline(static_cast<int>(done), -1);
      run_on_all_ranks(*core_, commands[done]);
    }
  } catch (...) {
    for (std::size_t i = 0; i < done; ++i) drop_relation(commands[i].name);
    throw;
  }
  return make_command_result("CALL");
}

std::vector<Value> SessionState::evaluate(const std::vector<Expression>& expressions) {
  LogicalPlan logical;
  LogicalNode project;
  project.kind = LogicalKind::kProject;
  project.children.emplace_back();
  for (const Expression& expression : expressions) {
    project.expressions.push_back(expression);
    project.outputs.push_back(logical.add_column("value", expression.type));
    logical.result.push_back({project.outputs.back(), "value", expression.type});
  }
  logical.root = std::move(project);
  const physical::PlannedQuery planned = physical::plan_query(optimize(logical), options());
  const Execution execution = execute_plan(*core_, physical::serialize(planned.plan), planned.plan, settings_, control_);
  std::vector<Value> values;
  for (const ResultLane& column : result_lanes(planned, execution.rows)) values.push_back(column.value(0));
  return values;
}

std::unique_ptr<QueryResult> SessionState::insert_values(const BoundStatement& statement) {
  constexpr std::size_t kExpressionsAtOnce = 500;
  ValueRows rows(statement.rows.size());
  std::vector<Expression> left;
  std::vector<Value*> places;
  const auto evaluate_left = [&] {
    if (left.empty()) return;
    std::vector<Value> values = evaluate(left);
    for (std::size_t i = 0; i < places.size(); ++i) *places[i] = std::move(values[i]);
    left.clear();
    places.clear();
  };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (row % 1024 == 0) control_.cancellation.check();
    rows[row].resize(statement.rows[row].size());
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      Expression value = fold_constants(statement.rows[row][column]);
      if (is_constant(value)) {
        rows[row][column] = std::move(value.literal);
        continue;
      }
      left.push_back(std::move(value));
      places.push_back(&rows[row][column]);
      if (left.size() >= kExpressionsAtOnce) evaluate_left();
    }
  }
  evaluate_left();
  const std::vector<ColumnInfo>& columns = statement.target->columns();
  for (const std::vector<Value>& row : rows) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (columns[column].not_null && row[column].is_null()) raise_null_value(statement.target->name(), columns[column].name);
    }
  }
  const std::size_t count = rows.size();
  keep_rows(*core_, statement.target->name(), std::move(rows), settings_);
  return make_command_result(fmt::format("INSERT 0 {}", count));
}

std::unique_ptr<QueryResult> SessionState::insert(const BoundStatement& statement) {
  const Execution execution = change_table(statement.plan, statement.target->name(), InsertMode::kAppend);
  const std::int64_t rows = execution.table->row_count() - statement.target->row_count();
  return make_command_result(fmt::format("{} {}", statement.name, rows));
}

std::unique_ptr<QueryResult> SessionState::update(const BoundStatement& statement) {
  const Execution execution = change_table(statement.plan, statement.target->name(), InsertMode::kUpdate);
  return make_command_result(fmt::format("UPDATE {}", execution.changed));
}

std::unique_ptr<QueryResult> SessionState::remove(const BoundStatement& statement) {
  const Execution execution = change_table(statement.plan, statement.target->name(), InsertMode::kReplace);
  return make_command_result(fmt::format("DELETE {}", statement.target->row_count() - execution.table->row_count()));
}

}  // namespace saccade
