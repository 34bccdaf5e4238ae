#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "optimizer/cardinality.hpp"
#include "optimizer/join_order.hpp"
#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

constexpr std::size_t kMostRelations = 64;

class OrderJoins {
 public:
  explicit OrderJoins(const LogicalPlan& plan) : cardinality_(plan) {}

  LogicalNode order(LogicalNode node) const {
    if (!is_inner_join(node)) {
      for (LogicalNode& child : node.children) child = order(std::move(child));
      return node;
    }
    std::vector<LogicalNode> relations;
    std::vector<Expression> conjuncts;
    flatten(std::move(node), relations, conjuncts);
    if (relations.size() > kMostRelations) {
      throw Error(sqlstate::kStatementTooComplex, "a query joins more than 64 tables", 0, "Join them in several statements.");
    }
    return JoinOrder(cardinality_, std::move(relations), std::move(conjuncts)).build();
  }

 private:
  // Filters between joins are left there by the push-down because they can fail; they end a region, as do joins of other kinds.
  void flatten(LogicalNode node, std::vector<LogicalNode>& relations, std::vector<Expression>& conjuncts) const {
    if (!is_inner_join(node)) {
      relations.push_back(order(std::move(node)));
      return;
    }
    for (LogicalNode& child : node.children) flatten(std::move(child), relations, conjuncts);
    std::move(node.conjuncts.begin(), node.conjuncts.end(), std::back_inserter(conjuncts));
  }

  Cardinality cardinality_;
};

}  // namespace

void order_joins(LogicalPlan& plan) {
  const OrderJoins rule(plan);
  for_each_root(plan, [&](LogicalNode& root) { root = rule.order(std::move(root)); });
}

}  // namespace saccade
