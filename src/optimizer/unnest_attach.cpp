// Unnesting with a domain: its values are pushed down through the right child of a dependent join.
#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "optimizer/null_analysis.hpp"
#include "optimizer/unnest.hpp"

namespace saccade {
namespace {

const DataType kBooleanType{TypeKind::kBoolean};

Expression equal(Expression a, Expression b) {
  return call_expression(Operation::kEqual, kBooleanType, {std::move(a), std::move(b)});
}

}  // namespace

ColumnId Unnesting::copy_column(ColumnId id) {
  const ColumnId copy = saccade::copy_column(plan_, id);
  origins_[copy] = id;
  return copy;
}

// What an aggregate without keys gives where no group was found: 0 for a count, NULL for others.
Expression Unnesting::count_or_value(const AggregateCall& call) const {
  Expression value = column(call.output);
  if (call.kind != AggregateKind::kCount && call.kind != AggregateKind::kCountStar) return value;
  return call_expression(Operation::kCoalesce, call.type, {std::move(value), literal_expression(Value{call.type, int128{0}})});
}

Substitution Unnesting::meaning_of(const Places& places) const {
  Substitution meaning;
  for (const auto& [outer, place] : places) meaning.emplace(outer, column(place));
  return meaning;
}

// Two results for the same domain, joined.
std::vector<Expression> Unnesting::same_values(const Places& a, bool a_exact, const Places& b, bool b_exact) {
  std::vector<Expression> conjuncts;
  for (const auto& [outer, place] : a) {
    const ColumnId other = b.at(outer);
    if (!a_exact || !b_exact) {
      conjuncts.push_back(equal(column(place), column(other)));
      continue;
    }
    conjuncts.push_back(not_distinct(column(place), column(other)));
  }
  return conjuncts;
}

// The distinct values of the correlated columns. The left rows, asked for a second time here, become a shared part.
Unnesting::Attached Unnesting::domain_rows(Domain& domain) {
  if (!domain.rows) domain.rows.emplace(plan_, *domain.left);
  std::vector<ColumnId> needed = domain.columns;
  for (const Expression& guard : domain.guards) {
    for (const ColumnId id : columns_of(guard)) needed.push_back(id);
  }
  Substitution renamed;
  LogicalNode rows = domain.rows->read(plan_, needed, renamed);
  for (const auto& [original, copy] : renamed) origins_[copy.column] = original;
  std::vector<Expression> guards;
  for (const Expression& guard : domain.guards) guards.push_back(substitute(guard, renamed));
  rows = make_filter(std::move(guards), std::move(rows));
  Attached result{{}, {}, true};
  result.node.kind = domain.columns.empty() ? LogicalKind::kLimit : LogicalKind::kAggregate;
  if (domain.columns.empty()) result.node.limit = 1;  // whether there is a row at all
  for (const ColumnId id : domain.columns) {
    result.places[id] = copy_column(id);
    result.node.outputs.push_back(result.places[id]);
    result.node.expressions.push_back(renamed.at(id));
  }
  result.node.children.push_back(std::move(rows));
  return result;
}

Unnesting::Attached Unnesting::with_domain(LogicalNode node, Domain& domain) {
  Attached rows = domain_rows(domain);
  LogicalNode join;
  join.kind = LogicalKind::kJoin;
  join.children.push_back(std::move(node));
  join.children.push_back(std::move(rows.node));
  return {std::move(join), std::move(rows.places), true};
}

namespace {

bool names_domain(const LogicalNode& node, const std::vector<ColumnId>& domain) {
  const std::vector<ColumnId> columns = free_columns(node);
  return std::any_of(columns.begin(), columns.end(),
                     [&](ColumnId id) { return std::binary_search(domain.begin(), domain.end(), id); });
}

}  // namespace

Unnesting::Attached Unnesting::attach(LogicalNode node, Domain& domain) {
  if (!names_domain(node, domain.columns)) return with_domain(std::move(node), domain);
  const bool inner = node.kind == LogicalKind::kJoin && node.join_kind == JoinKind::kInner;
  switch (node.kind) {
    case LogicalKind::kProject:
      return attach_project(std::move(node), domain);
    case LogicalKind::kFilter:
      return attach_region(std::move(node), domain);
    case LogicalKind::kJoin:
      if (node.join_kind == JoinKind::kFull) return attach_full_join(std::move(node), domain);
      return inner ? attach_region(std::move(node), domain) : attach_join(std::move(node), domain);
    case LogicalKind::kAggregate:
      return attach_aggregate(std::move(node), domain);
    case LogicalKind::kSort:
      return attach(std::move(node.children.at(0)), domain);
    case LogicalKind::kLimit:
      return attach_limit(std::move(node), domain);
    case LogicalKind::kWindow:
      return attach_window(std::move(node), domain);
    case LogicalKind::kUnion:
      return attach_union(std::move(node), domain);
    case LogicalKind::kRepeat:
      return attach_repeat(std::move(node), domain);
    default:
      throw Error(sqlstate::kInternalError, "a correlated subquery holds a node that unnesting does not know");
  }
}

Unnesting::Attached Unnesting::attach_project(LogicalNode node, Domain& domain) {
  Attached below = attach(std::move(node.children.at(0)), domain);
  const Substitution meaning = meaning_of(below.places);
  for (Expression& expression : node.expressions) expression = substitute(std::move(expression), meaning);
  std::set<ColumnId> passed;
  for (const auto& [outer, place] : below.places) {
    if (!passed.insert(place).second) continue;
    node.outputs.push_back(place);
    node.expressions.push_back(column(place));
  }
  node.children[0] = std::move(below.node);
  return {std::move(node), std::move(below.places), below.exact};
}

namespace {

// What a condition says a domain column is equal to, within the region: an expression of the same type.
const Expression* equal_to(const Expression& conjunct, ColumnId id, const std::vector<ColumnId>& domain) {
  if (conjunct.operation != Operation::kEqual) return nullptr;
  for (const std::size_t side : {0, 1}) {
    const Expression& own = conjunct.arguments.at(side);
    const Expression& other = conjunct.arguments.at(1 - side);
    const std::vector<ColumnId> columns = columns_of(other);
    const bool outside = std::any_of(columns.begin(), columns.end(),
                                     [&](ColumnId c) { return std::binary_search(domain.begin(), domain.end(), c); });
    const bool same_type = own.type.kind == other.type.kind && own.type.scale == other.type.scale;
    if (own.operation == Operation::kColumn && own.column == id && !columns.empty() && !outside && same_type) return &other;
  }
  return nullptr;
}

}  // namespace

// Columns of the region that equal the domain's stand for it: the region is computed for more values than are asked for.
std::optional<Unnesting::Attached> Unnesting::replace_domain(Region& region, const Domain& domain) {
  Substitution meaning;
  for (const ColumnId id : domain.columns) {
    const auto found = std::find_if(region.conjuncts.begin(), region.conjuncts.end(), [&](const Expression& conjunct) {
      return equal_to(conjunct, id, domain.columns) != nullptr;
    });
    if (found == region.conjuncts.end()) return std::nullopt;
    meaning.emplace(id, *equal_to(*found, id, domain.columns));
  }
  // The equality has let no NULL through, nor does what takes its place.
  ColumnSet never;
  for (const LogicalNode& child : region.children) never.merge(NullAnalysis(plan_).columns(child));
  std::vector<Expression> conjuncts;
  for (const auto& [id, expression] : meaning) {
    if (!is_never_null(expression, never))
      conjuncts.push_back(call_expression(Operation::kIsNotNull, kBooleanType, {expression}));
  }
  for (Expression& conjunct : region.conjuncts) {
    conjunct = substitute(std::move(conjunct), meaning);
    const bool trivial = conjunct.operation == Operation::kEqual && conjunct.arguments[0] == conjunct.arguments[1];
    if (!trivial) conjuncts.push_back(std::move(conjunct));
  }
  region.conjuncts = std::move(conjuncts);
  Attached result{build(std::move(region)), {}, false};
  LogicalNode project;
  project.kind = LogicalKind::kProject;
  for (const auto& [id, expression] : meaning) {
    if (expression.operation == Operation::kColumn) {
      result.places[id] = expression.column;
      continue;
    }
    result.places[id] = copy_column(id);
    project.outputs.push_back(result.places[id]);
    project.expressions.push_back(expression);
  }
  if (project.outputs.empty()) return result;
  for (const ColumnId id : output_columns(result.node)) {
    project.outputs.push_back(id);
    project.expressions.push_back(column(id));
  }
  project.children.push_back(std::move(result.node));
  result.node = std::move(project);
  return result;
}

Unnesting::Attached Unnesting::attach_region(LogicalNode node, Domain& domain) {
  Region region;
  flatten(std::move(node), region);
  if (region.children.size() == 1 && region.conjuncts.empty()) return attach_join(std::move(region.children[0]), domain);
  const bool own = std::none_of(region.children.begin(), region.children.end(),
                                [&](const LogicalNode& child) { return names_domain(child, domain.columns); });
  if (own && domain.replaceable) {
    if (auto replaced = replace_domain(region, domain)) return std::move(*replaced);
  }
  Attached result;
  bool first = true;
  std::vector<Expression> same;
  for (LogicalNode& child : region.children) {
    if (!names_domain(child, domain.columns)) continue;
    Attached attached = attach(std::move(child), domain);
    child = std::move(attached.node);
    if (std::exchange(first, false)) {
      result.places = attached.places;
      result.exact = attached.exact;
      continue;
    }
    same = same_values(result.places, result.exact, attached.places, attached.exact);
    std::move(same.begin(), same.end(), std::back_inserter(region.conjuncts));
    result.exact = result.exact && attached.exact;
  }
  if (first) {
    Attached rows = domain_rows(domain);
    region.children.push_back(std::move(rows.node));
    result.places = rows.places;
    result.exact = true;
  }
  const Substitution meaning = meaning_of(result.places);
  for (Expression& conjunct : region.conjuncts) conjunct = substitute(std::move(conjunct), meaning);
  result.node = build(std::move(region));
  return result;
}

// The domain's columns as further keys of an aggregate.
Unnesting::Places Unnesting::add_keys(LogicalNode& aggregate, const Places& places) {
  const Substitution meaning = meaning_of(places);
  for_each_expression(aggregate, [&](Expression& expression) { expression = substitute(std::move(expression), meaning); });
  Places keys;
  for (const auto& [outer, place] : places) {
    keys[outer] = copy_column(outer);
    aggregate.outputs.push_back(keys[outer]);
    aggregate.expressions.push_back(column(place));
  }
  return keys;
}

Unnesting::Attached Unnesting::attach_aggregate(LogicalNode node, Domain& domain) {
  const bool single_group = node.expressions.empty();
  Attached below = attach(std::move(node.children.at(0)), domain);
  node.children[0] = std::move(below.node);
  const Places keys = add_keys(node, below.places);
  if (!single_group) return {std::move(node), keys, below.exact};
  // Without keys there is a group even for values without rows: they come from the domain.
  Attached rows = domain_rows(domain);
  LogicalNode project;
  project.kind = LogicalKind::kProject;
  for (const auto& [outer, place] : rows.places) {
    project.outputs.push_back(place);
    project.expressions.push_back(column(place));
  }
  for (AggregateCall& call : node.aggregates) {
    const ColumnId state = copy_column(call.output);
    project.outputs.push_back(std::exchange(call.output, state));
    project.expressions.push_back(count_or_value(call));
  }
  LogicalNode join;
  join.kind = LogicalKind::kJoin;
  join.join_kind = JoinKind::kLeft;
  join.conjuncts = same_values(rows.places, true, keys, below.exact);
  join.children.push_back(std::move(rows.node));
  join.children.push_back(std::move(node));
  project.children.push_back(std::move(join));
  return {std::move(project), std::move(rows.places), true};
}

// The first rows for each value of the domain, by their number among the rows of that value.
Unnesting::Attached Unnesting::attach_limit(LogicalNode node, Domain& domain) {
  LogicalNode child = std::move(node.children.at(0));
  std::vector<SortKey> order;
  if (child.kind == LogicalKind::kSort) {
    order = std::move(child.sort_keys);
    LogicalNode below = std::move(child.children.at(0));
    child = std::move(below);
  }
  Attached rows = attach(std::move(child), domain);
  const Substitution meaning = meaning_of(rows.places);
  LogicalNode window;
  window.kind = LogicalKind::kWindow;
  for (const auto& [outer, place] : rows.places) window.expressions.push_back(column(place));
  for (SortKey& key : order) {
    key.expression = substitute(std::move(key.expression), meaning);
    window.sort_keys.push_back(std::move(key));
  }
  const DataType type{TypeKind::kBigint};
  WindowCall number;
  number.kind = WindowKind::kRowNumber;
  number.type = type;
  number.output = plan_.add_column("row_number", type);
  const auto bound = [&](Operation operation, std::int64_t value) {
    return call_expression(operation, kBooleanType, {column(number.output), literal_expression(Value{type, int128{value}})});
  };
  std::vector<Expression> kept;
  if (node.offset > 0) kept.push_back(bound(Operation::kGreater, node.offset));
  if (node.limit && *node.limit <= INT64_MAX - node.offset)
    kept.push_back(bound(Operation::kLessEqual, node.offset + *node.limit));
  window.window_calls.push_back(std::move(number));
  window.children.push_back(std::move(rows.node));
  rows.node = make_filter(std::move(kept), std::move(window));
  return rows;
}

Unnesting::Attached Unnesting::attach_window(LogicalNode node, Domain& domain) {
  Attached below = attach(std::move(node.children.at(0)), domain);
  const Substitution meaning = meaning_of(below.places);
  for_each_expression(node, [&](Expression& expression) { expression = substitute(std::move(expression), meaning); });
  for (const auto& [outer, place] : below.places) node.expressions.push_back(column(place));
  node.children[0] = std::move(below.node);
  return {std::move(node), std::move(below.places), below.exact};
}

Unnesting::Attached Unnesting::attach_union(LogicalNode node, Domain& domain) {
  const std::size_t width = node.outputs.size();
  Attached result;
  result.exact = true;
  for (const ColumnId outer : domain.columns) {
    result.places[outer] = copy_column(outer);
    node.outputs.push_back(result.places[outer]);
  }
  std::vector<Expression> expressions;
  for (std::size_t c = 0; c < node.children.size(); ++c) {
    Attached child = attach(std::move(node.children[c]), domain);
    const Substitution meaning = meaning_of(child.places);
    for (std::size_t i = 0; i < width; ++i) {
      expressions.push_back(substitute(std::move(node.expressions[c * width + i]), meaning));
    }
    for (const ColumnId outer : domain.columns) expressions.push_back(column(child.places.at(outer)));
    node.children[c] = std::move(child.node);
    // Where one child lacks rows for NULL, comparing for "both NULL" above is still right: it finds those of the others.
  }
  node.expressions = std::move(expressions);
  result.node = std::move(node);
  return result;
}

Unnesting::Attached Unnesting::attach_repeat(LogicalNode node, Domain& domain) {
  Attached below = attach(std::move(node.children.at(0)), domain);
  const Substitution meaning = meaning_of(below.places);
  for_each_expression(node, [&](Expression& expression) { expression = substitute(std::move(expression), meaning); });
  node.children[0] = std::move(below.node);
  return {std::move(node), std::move(below.places), below.exact};
}

// The left side has the domain; what the right side names of it, it then finds there: a dependent join again.
Unnesting::Attached Unnesting::attach_join(LogicalNode node, Domain& domain) {
  Attached left = attach(std::move(node.children.at(0)), domain);
  const Substitution meaning = meaning_of(left.places);
  for_each_expression(node, [&](Expression& expression) { expression = substitute(std::move(expression), meaning); });
  substitute_below(node.children.at(1), meaning);
  node.children[0] = std::move(left.node);
  return {std::move(node), std::move(left.places), left.exact};
}

// Rows of both sides stay: each side is computed for the domain, and a row's value stands on one of them at least.
Unnesting::Attached Unnesting::attach_full_join(LogicalNode node, Domain& domain) {
  Attached left = attach(std::move(node.children.at(0)), domain);
  Attached right = attach(std::move(node.children.at(1)), domain);
  const Substitution meaning = meaning_of(left.places);
  for (Expression& conjunct : node.conjuncts) conjunct = substitute(std::move(conjunct), meaning);
  std::vector<Expression> same = same_values(left.places, left.exact, right.places, right.exact);
  std::move(same.begin(), same.end(), std::back_inserter(node.conjuncts));
  node.children[0] = std::move(left.node);
  node.children[1] = std::move(right.node);
  LogicalNode project;
  project.kind = LogicalKind::kProject;
  for (const ColumnId id : output_columns(node)) {
    project.outputs.push_back(id);
    project.expressions.push_back(column(id));
  }
  Places places;
  for (const auto& [outer, place] : left.places) {
    places[outer] = copy_column(outer);
    project.outputs.push_back(places[outer]);
    const DataType type = plan_.types.at(static_cast<std::size_t>(outer));
    project.expressions.push_back(call_expression(Operation::kCoalesce, type, {column(place), column(right.places.at(outer))}));
  }
  project.children.push_back(std::move(node));
  return {std::move(project), std::move(places), left.exact && right.exact};
}

}  // namespace saccade
