// Parts of a plan with several readers: their rows are kept by a pipeline of their own.
#include <utility>

#include "physical/plan_builder.hpp"

namespace saccade::physical {

OpenPipeline PlanBuilder::visit_shared(const LogicalNode& node) {
  const SharedPlan& shared = logical_.shared.at(static_cast<std::size_t>(node.shared));
  auto found = shared_outputs_.find(node.shared);
  if (found == shared_outputs_.end()) {
    OpenPipeline open = visit(shared.root, {shared.columns.begin(), shared.columns.end()});
    Collect sink{slots_of(open, shared.columns)};
    const int id = close(open, std::move(sink));
    found = shared_outputs_.emplace(node.shared, SharedOutput{id, std::move(open)}).first;
  }
  const SharedOutput& output = found->second;
  OpenPipeline all = read_output(output.pipeline, output.from, shared.columns);
  // The columns under the names that this reader gives them.
  OpenPipeline open = all;
  open.columns.clear();
  open.unique.clear();
  for (std::size_t i = 0; i < node.columns.size(); ++i) {
    const ColumnId column = shared.columns.at(static_cast<std::size_t>(node.columns[i]));
    const int slot = all.columns.at(column);
    open.columns[node.outputs[i]] = slot;
    open.pipeline.slots[static_cast<std::size_t>(slot)].name = column_name(node.outputs[i]);
    const auto unique = all.unique.find(column);
    if (unique != all.unique.end()) open.unique[node.outputs[i]] = unique->second;
  }
  return open;
}

}  // namespace saccade::physical
