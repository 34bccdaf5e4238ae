#include "optimizer/join_order.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "common/error.hpp"
#include "optimizer/rewrite.hpp"

namespace saccade {
namespace {

// Relative to probing a row: an insert writes to memory at random, and the row is read once more.
constexpr double kInsertCost = 3;
constexpr double kOutputCost = 1;

}  // namespace

bool JoinOrder::Condition::connects(Set a, Set b) const {
  const bool straight = (left & ~a) == 0 && (right & ~b) == 0;
  const bool crossed = (left & ~b) == 0 && (right & ~a) == 0;
  return is_key && (straight || crossed);
}

JoinOrder::JoinOrder(const Cardinality& cardinality, std::vector<LogicalNode> relations, std::vector<Expression> conjuncts)
    : relations_(std::move(relations)) {
  SACCADE_CHECK(relations_.size() <= 64);
  for (const LogicalNode& node : relations_) {
    columns_.push_back(sorted_columns(node));
    rows_.push_back(std::max(1.0, cardinality.rows(node)));
  }
  std::vector<const LogicalNode*> inputs;
  for (const LogicalNode& node : relations_) inputs.push_back(&node);
  for (Expression& conjunct : conjuncts) {
    Condition condition;
    condition.relations = relations_of(columns_of(conjunct));
    SACCADE_CHECK(std::popcount(condition.relations) >= 2);
    condition.selectivity = cardinality.join_selectivity(conjunct, inputs);
    if (const auto equal = equal_operands(conjunct)) {
      condition.left = relations_of(columns_of(*equal->a));
      condition.right = relations_of(columns_of(*equal->b));
      condition.is_key = condition.left != 0 && condition.right != 0 && (condition.left & condition.right) == 0;
    }
    condition.expression = std::move(conjunct);
    conditions_.push_back(std::move(condition));
  }
  bound_composite_keys();
}

// A key of several columns has no more values than its side has rows: taken as independent, the columns of (ps_partkey,
// ps_suppkey) would make almost every pair of rows differ.
void JoinOrder::bound_composite_keys() {
  for (std::size_t first = 0; first < conditions_.size(); ++first) {
    Condition& bounded = conditions_[first];
    if (!bounded.is_key || std::popcount(bounded.relations) != 2) continue;
    double others = 1;
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      if (i != first && conditions_[i].is_key && conditions_[i].relations == bounded.relations)
        others *= conditions_[i].selectivity;
    }
    if (others == 1) continue;
    double most_rows = 1;
    for (std::size_t i = 0; i < relations_.size(); ++i) {
      if ((bounded.relations >> i & 1) != 0) most_rows = std::max(most_rows, rows_[i]);
    }
    bounded.selectivity = std::min(1.0, std::max(bounded.selectivity, 1 / (most_rows * others)));
  }
}

JoinOrder::Set JoinOrder::relations_of(const std::vector<ColumnId>& columns) const {
  Set relations = 0;
  for (const ColumnId column : columns) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (std::binary_search(columns_[i].begin(), columns_[i].end(), column)) relations |= Set{1} << i;
    }
  }
  return relations;
}

// Depends on the set alone, not on the order in which it was joined.
double JoinOrder::rows_of(Set relations) const {
  double rows = 1;
  for (std::size_t i = 0; i < relations_.size(); ++i) rows *= (relations >> i & 1) != 0 ? rows_[i] : 1;
  for (const Condition& condition : conditions_) {
    if ((condition.relations & ~relations) == 0) rows *= condition.selectivity;
  }
  return std::max(1.0, rows);
}

bool JoinOrder::connected(Set a, Set b) const {
  return std::any_of(conditions_.begin(), conditions_.end(),
                     [&](const Condition& condition) { return condition.connects(a, b); });
}

std::vector<JoinOrder::Set> JoinOrder::components() const {
  std::vector<Set> sets;
  for (std::size_t i = 0; i < relations_.size(); ++i) sets.push_back(Set{1} << i);
  for (const Condition& condition : conditions_) {
    if (!condition.is_key) continue;
    Set merged = 0;
    std::erase_if(sets, [&](Set set) {
      const bool touched = (set & condition.relations) != 0;
      if (touched) merged |= set;
      return touched;
    });
    sets.push_back(merged);
  }
  std::sort(sets.begin(), sets.end());
  return sets;
}

double JoinOrder::join_cost(double probe_rows, double build_rows, double rows) {
  return probe_rows + kInsertCost * build_rows + kOutputCost * rows;
}

JoinOrder::Subplan JoinOrder::relation(std::size_t index) const {
  return {Set{1} << index, rows_[index], 0, relations_[index]};
}

// The smaller one builds.
JoinOrder::Subplan JoinOrder::join(Subplan a, Subplan b) const {
  if (a.rows < b.rows) std::swap(a, b);
  Subplan result;
  result.relations = a.relations | b.relations;
  result.rows = rows_of(result.relations);
  result.cost = a.cost + b.cost + join_cost(a.rows, b.rows, result.rows);
  LogicalNode node;
  node.kind = LogicalKind::kJoin;
  std::vector<Expression> others;
  for (const Condition& condition : conditions_) {
    const bool complete = (condition.relations & ~result.relations) == 0;
    const bool earlier = (condition.relations & ~a.relations) == 0 || (condition.relations & ~b.relations) == 0;
    if (!complete || earlier) continue;
    (condition.connects(a.relations, b.relations) ? node.conjuncts : others).push_back(condition.expression);
  }
  node.children.push_back(std::move(a.node));
  node.children.push_back(std::move(b.node));
  result.node = make_filter(std::move(others), std::move(node));
  return result;
}

LogicalNode JoinOrder::build() {
  std::vector<Subplan> parts;
  for (const Set component : components()) parts.push_back(build_component(component));
  return build_greedy(std::move(parts)).node;
}

JoinOrder::Subplan JoinOrder::build_component(Set component) const {
  if (static_cast<std::size_t>(std::popcount(component)) <= kExactRelations) return build_exact(component);
  std::vector<Subplan> parts;
  for (std::size_t i = 0; i < relations_.size(); ++i) {
    if ((component >> i & 1) != 0) parts.push_back(relation(i));
  }
  return build_greedy(std::move(parts));
}

// Joins the pair with the fewest rows next, cross products only where nothing is connected.
JoinOrder::Subplan JoinOrder::build_greedy(std::vector<Subplan> parts) const {
  while (parts.size() > 1) {
    std::size_t best_a = 0, best_b = 1;
    double best_rows = -1;
    bool best_connected = false;
    for (std::size_t a = 0; a < parts.size(); ++a) {
      for (std::size_t b = a + 1; b < parts.size(); ++b) {
        const bool is_connected = connected(parts[a].relations, parts[b].relations);
        const double rows = rows_of(parts[a].relations | parts[b].relations);
        const bool better = is_connected != best_connected ? is_connected : rows < best_rows;
        if (best_rows >= 0 && !better) continue;
        best_a = a, best_b = b, best_rows = rows, best_connected = is_connected;
      }
    }
    parts[best_a] = join(std::move(parts[best_a]), std::move(parts[best_b]));
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best_b));
  }
  return std::move(parts.front());
}

namespace {

// Bit i of a dense set stands for members[i].
std::uint64_t spread(std::uint64_t dense, const std::vector<std::size_t>& members) {
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if ((dense >> i & 1) != 0) set |= std::uint64_t{1} << members[i];
  }
  return set;
}

}  // namespace

JoinOrder::Subplan JoinOrder::build_exact(Set component) const {
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < relations_.size(); ++i) {
    if ((component >> i & 1) != 0) members.push_back(i);
  }
  const Set full = (Set{1} << members.size()) - 1;
  // Some sets of a component become connected only by a cross product: where a key needs columns of two relations at once.
  for (const bool allow_cross : {false, true}) {
    std::vector<std::optional<Candidate>> best(full + 1);
    for (Set set = 1; set <= full; ++set) {
      const bool single = std::has_single_bit(set);
      best[set] = single ? Candidate{0, 0, 0, rows_of(spread(set, members))} : best_split(set, best, members, allow_cross);
    }
    if (best[full]) return rebuild(full, best, members);
  }
  throw Error(sqlstate::kInternalError, "no join order was found");
}

// Every split into two sets that have plans; each is seen once, as the half with the lowest relation comes first.
std::optional<JoinOrder::Candidate> JoinOrder::best_split(Set set, const std::vector<std::optional<Candidate>>& best,
                                                          const std::vector<std::size_t>& members, bool allow_cross) const {
  std::optional<Candidate> result;
  const Set lowest = set & (~set + 1);
  const double rows = rows_of(spread(set, members));
  for (Set half = (set - 1) & set; half != 0; half = (half - 1) & set) {
    const Set other = set & ~half;
    if ((half & lowest) == 0 || !best[half] || !best[other]) continue;
    if (!allow_cross && !connected(spread(half, members), spread(other, members))) continue;
    const auto [fewer, more] = std::minmax(best[half]->rows, best[other]->rows);
    const double cost = best[half]->cost + best[other]->cost + join_cost(more, fewer, rows);
    if (!result || cost < result->cost) result = Candidate{half, other, cost, rows};
  }
  return result;
}

JoinOrder::Subplan JoinOrder::rebuild(Set set, const std::vector<std::optional<Candidate>>& best,
                                      const std::vector<std::size_t>& members) const {
  if (std::has_single_bit(set)) return relation(members[static_cast<std::size_t>(std::countr_zero(set))]);
  const Candidate& candidate = *best[set];
  return join(rebuild(candidate.a, best, members), rebuild(candidate.b, best, members));
}

}  // namespace saccade
