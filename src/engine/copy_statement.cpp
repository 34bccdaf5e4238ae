// COPY ... TO 'file': the rows of a query as a file, written by rank 0.
#include <fmt/format.h>

#include "engine/session.hpp"
#include "optimizer/optimizer.hpp"
#include "physical/serialize.hpp"
#include "storage/file_writer.hpp"

namespace saccade {

namespace {

std::vector<WriteColumn> write_columns(const physical::PlannedQuery& planned) {
  const std::vector<DataType> types = result_types(planned.plan);
  const std::vector<physical::Slot> slots =
      physical::output_slots(planned.plan, static_cast<int>(planned.plan.pipelines.size()) - 1);
  std::vector<WriteColumn> columns;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const int dictionary = slots[i].dictionary;
    columns.push_back({planned.plan.result_names.at(i), types[i],
                       dictionary < 0 ? nullptr : planned.dictionaries.at(static_cast<std::size_t>(dictionary))});
  }
  return columns;
}

}  // namespace

std::unique_ptr<QueryResult> SessionState::copy_to(const BoundStatement& statement) {
  const WriteOptions write = parse_write_options(statement.value, statement.options);
  const LogicalPlan plan = optimize(statement.plan);
  return with_assumptions([&](const physical::PlannerOptions& options) {
    const physical::PlannedQuery planned = physical::plan_query(plan, options);
    MemoryPool pool("copy", 0, &core_->pool);
    pool.observe(&control_.cancellation);
    Execution execution;  // ends after the writer, which keeps its rows until they fill a batch
    // Made first: a path that can't be written to is told before the query runs.
    const std::unique_ptr<FileWriter> writer = make_file_writer(statement.value, write_columns(planned), write, pool);
    execution = execute_plan(*core_, physical::serialize(planned.plan), planned.plan, settings_, control_);
    writer->write(execution.rows);
    writer->finish();
    return make_command_result(fmt::format("COPY {}", execution.rows.rows));
  });
}

}  // namespace saccade
