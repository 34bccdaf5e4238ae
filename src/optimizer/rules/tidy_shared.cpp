#include <utility>
#include <vector>

#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

class TidyShared {
 public:
  explicit TidyShared(LogicalPlan& plan) : plan_(plan), readers_(plan.shared.size()), place_(plan.shared.size(), -1) {}

  void run() {
    count(plan_.root);
    LogicalNode root = rebuild(std::move(plan_.root));
    plan_.root = std::move(root);
    plan_.shared = std::move(kept_);
  }

 private:
  // Readers within parts that are read themselves.
  void count(const LogicalNode& root) {
    std::vector<std::size_t> met;
    for_each_node(root, [&](const LogicalNode& node) {
      if (node.kind != LogicalKind::kShared) return;
      const auto shared = static_cast<std::size_t>(node.shared);
      if (readers_[shared]++ == 0) met.push_back(shared);
    });
    for (const std::size_t shared : met) count(plan_.shared[shared].root);
  }

  LogicalNode rebuild(LogicalNode node) {
    for (LogicalNode& child : node.children) child = rebuild(std::move(child));
    if (node.kind != LogicalKind::kShared) return node;
    const auto number = static_cast<std::size_t>(node.shared);
    SharedPlan& shared = plan_.shared[number];
    if (readers_[number] == 1 && !shared.keep) {
      LogicalNode project;
      project.kind = LogicalKind::kProject;
      project.outputs = node.outputs;
      for (const int column : node.columns) {
        const ColumnId id = shared.columns.at(static_cast<std::size_t>(column));
        project.expressions.push_back(column_expression(id, plan_.types.at(static_cast<std::size_t>(id))));
      }
      project.children.push_back(rebuild(std::move(shared.root)));
      return project;
    }
    if (place_[number] < 0) {
      shared.root = rebuild(std::move(shared.root));
      place_[number] = static_cast<int>(kept_.size());
      kept_.push_back(std::move(shared));
    }
    node.shared = place_[number];
    return node;
  }

  LogicalPlan& plan_;
  std::vector<int> readers_, place_;  // by number before
  std::vector<SharedPlan> kept_;
};

}  // namespace

void tidy_shared(LogicalPlan& plan) {
  if (!plan.shared.empty()) TidyShared(plan).run();
}

}  // namespace saccade
