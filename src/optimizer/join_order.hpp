// The order of inner joins over one region: relations and the conditions between them.
//
// Dynamic programming over connected sets of relations (DPsub) up to kExactRelations, greedy beyond. The cost of a join counts
// the rows that are inserted into the build side, probed, and put out; inserting is the dearest. A region that falls apart is
// joined part by part, and the parts by cross products at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "optimizer/cardinality.hpp"
#include "plan/logical_plan.hpp"

namespace saccade {

class JoinOrder {
 public:
  // `relations`: at most 64. `conjuncts` are conditions over two or more of them, none of which can fail.
  JoinOrder(const Cardinality& cardinality, std::vector<LogicalNode> relations, std::vector<Expression> conjuncts);

  // The joined tree, conditions that are no keys in filters right above the joins that complete their columns.
  LogicalNode build();

 private:
  static constexpr std::size_t kExactRelations = 12;
  using Set = std::uint64_t;  // of relations

  struct Condition {
    Expression expression;
    Set relations = 0;
    Set left = 0, right = 0;  // of an equality's sides
    double selectivity = 1;
    bool is_key = false;  // an equality whose sides have no relation in common
    bool connects(Set a, Set b) const;
  };
  // A way to join the relations of a set: two halves that have plans themselves (0: a single relation).
  struct Candidate {
    Set a = 0, b = 0;
    double cost = 0, rows = 0;
  };
  struct Subplan {
    Set relations = 0;
    double rows = 0, cost = 0;
    LogicalNode node;
  };

  Set relations_of(const std::vector<ColumnId>& columns) const;
  void bound_composite_keys();
  double rows_of(Set relations) const;
  bool connected(Set a, Set b) const;
  std::vector<Set> components() const;
  static double join_cost(double probe_rows, double build_rows, double rows);

  Subplan relation(std::size_t index) const;
  Subplan join(Subplan a, Subplan b) const;
  Subplan build_component(Set component) const;
  Subplan build_exact(Set component) const;
  Subplan build_greedy(std::vector<Subplan> parts) const;
  std::optional<Candidate> best_split(Set set, const std::vector<std::optional<Candidate>>& best,
                                      const std::vector<std::size_t>& members, bool allow_cross) const;
  Subplan rebuild(Set set, const std::vector<std::optional<Candidate>>& best, const std::vector<std::size_t>& members) const;

  std::vector<LogicalNode> relations_;
  std::vector<std::vector<ColumnId>> columns_;  // of each relation, sorted
  std::vector<double> rows_;
  std::vector<Condition> conditions_;
};

}  // namespace saccade
