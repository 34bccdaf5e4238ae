#include "physical/planner.hpp"

#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "physical/node.hpp"
#include "physical/plan_builder.hpp"

namespace saccade::physical {

namespace {

// The rows of a chunk that can pass `slot cmp literal`, as bounds of the column; nothing for other predicates.
struct SlotBound {
  int slot;
  Bounds bounds;
};

std::optional<SlotBound> slot_bound(const Pipeline& pipeline, const Node& node) {
  if (node.kind != NodeKind::kCall || node.arguments.size() != 2) return std::nullopt;
  const Node& slot = node.arguments[0];
  const Node& literal = node.arguments[1];
  if (slot.kind != NodeKind::kSlot || literal.kind != NodeKind::kLiteral || literal.nullable) return std::nullopt;
  if (slot.lane != Lane::kInt64) return std::nullopt;
  const int128 value = pipeline.literals[static_cast<std::size_t>(literal.index)].integer;
  switch (node.function) {
    case FunctionId::equal_i64:
      return SlotBound{slot.index, {value, value}};
    case FunctionId::less_i64:
      return SlotBound{slot.index, {kInt64Bounds.low, value - 1}};
    case FunctionId::less_equal_i64:
      return SlotBound{slot.index, {kInt64Bounds.low, value}};
    case FunctionId::greater_i64:
      return SlotBound{slot.index, {value + 1, kInt64Bounds.high}};
    case FunctionId::greater_equal_i64:
      return SlotBound{slot.index, {value, kInt64Bounds.high}};
    default:
      return std::nullopt;
  }
}

void add_skip_bounds(Pipeline& pipeline, const Node& predicate) {
  auto* scan = std::get_if<TableScan>(&pipeline.source);
  if (scan == nullptr) return;
  if (predicate.kind == NodeKind::kAnd) {
    for (const Node& argument : predicate.arguments) add_skip_bounds(pipeline, argument);
    return;
  }
  const auto bound = slot_bound(pipeline, predicate);
  if (!bound) return;
  for (const TableScan::ScanColumn& column : scan->columns) {
    if (column.slot == bound->slot) scan->skip.push_back({column.column, bound->bounds});
  }
}

bool is_true_literal(const Pipeline& pipeline, const Node& node) {
  return node.kind == NodeKind::kLiteral && !node.nullable &&
         pipeline.literals[static_cast<std::size_t>(node.index)].integer != 0;
}

}  // namespace

PlanBuilder::PlanBuilder(const LogicalPlan& logical, const PlannerOptions& options)
    : logical_(logical), options_(options), cardinality_(logical) {
  plan_.ranks = options.topology.ranks;
}

const std::string& PlanBuilder::column_name(ColumnId column) const {
  return logical_.names.at(static_cast<std::size_t>(column));
}

OpenPipeline PlanBuilder::visit(const LogicalNode& node, const ColumnSet& required) {
  const Reducers reducers = std::exchange(reducers_, {});
  const bool filters_scan = node.kind == LogicalKind::kFilter && node.children.at(0).kind == LogicalKind::kScan;
  if (!filters_scan && node.children.size() == 1) reducers_ = reducers_of_child(node, reducers, 0);
  OpenPipeline open;
  switch (node.kind) {
    case LogicalKind::kOneRow:
      open.pipeline.source = OneRow{};
      open.distribution = Distribution::kRankZero;
      return open;
    case LogicalKind::kScan:
      open = visit_scan(node);
      add_reducers(open, reducers);
      return open;
    case LogicalKind::kFilter:
      open = visit_filter(node, required);
      if (filters_scan) add_reducers(open, reducers);
      return open;
    case LogicalKind::kProject:
      return visit_project(node, required);
    case LogicalKind::kJoin:
      return visit_join(node, required, reducers);
    case LogicalKind::kAggregate:
      return visit_aggregate(node);
    case LogicalKind::kUnion:
      return visit_union(node, required);
    case LogicalKind::kValues:
      return visit_values(node, required);
    case LogicalKind::kRepeat:
      return visit_repeat(node, required);
    case LogicalKind::kWindow:
      return visit_window(node, required);
    case LogicalKind::kSort:
      return visit_sort(node, required);
    case LogicalKind::kLimit:
      return visit_limit(node, required);
    case LogicalKind::kShared:
      return visit_shared(node);
  }
  throw Error(sqlstate::kInternalError, "unknown node in a logical plan");
}

OpenPipeline PlanBuilder::visit_scan(const LogicalNode& node) {
  const Table& table = *node.table;
  for (const int column : node.columns) {
    if (options_.gpu) node.table->demand_dictionary(column);
  }
  OpenPipeline open;
  TableScan scan;
  scan.table = table.name();
  scan.opener = table.opener();
  scan.version = table.version();
  scan.rows = table.row_count();
  for (std::size_t i = 0; i < node.columns.size(); ++i) {
    const ColumnInfo& info = table.columns().at(static_cast<std::size_t>(node.columns[i]));
    const ColumnId id = node.outputs[i];
    const bool strings = (info.type.is_text() || info.type.kind == TypeKind::kBytea) && info.encoding.form == Form::kPlain;
    const Lane lane = strings ? Lane::kText : lane_of(info.type, info.statistics.bounds);
    Slot slot{info.name, info.type, lane, info.statistics.may_be_null, info.statistics.bounds, -1};
    if (!slot.bounds) slot.bounds = type_bounds(info.type);
    if (info.dictionary) {
      slot.bounds = Bounds{0, std::max<int128>(info.dictionary->size() - 1, 0)};
      dictionary_sources_.try_emplace(
          info.dictionary->identity(),
          DictionaryReference{table.name(), table.opener(), node.columns[i], {}, info.dictionary->identity()});
      slot.dictionary = dictionary_index(info.dictionary);
    }
    const int index = open.add_slot(std::move(slot), info.dictionary);
    scan.columns.push_back({node.columns[i], index, info.encoding, info.base});
    open.columns[id] = index;
    if (options_.refuted.contains({table.name(), node.columns[i]})) continue;
    if (info.statistics.unique == Uniqueness::kProven) open.unique[id] = {};
    // An assumption that is likely to fail costs a run: distinct values must be about as many as rows.
    const bool likely = info.statistics.distinct <= 0 || info.statistics.distinct >= 0.8 * static_cast<double>(scan.rows);
    if (info.statistics.unique == Uniqueness::kPossible && likely) open.unique[id] = {table.name(), node.columns[i]};
  }
  open.max_rows = std::max<int128>(scan.rows, 1);
  open.rows = static_cast<double>(scan.rows);
  open.pipeline.source = std::move(scan);
  return open;
}

void PlanBuilder::add_filter(OpenPipeline& open, Node predicate, std::string text, double selectivity) {
  if (is_true_literal(open.pipeline, predicate)) return;
  const bool only_filters = std::all_of(open.pipeline.steps.begin(), open.pipeline.steps.end(),
                                        [](const Step& step) { return std::holds_alternative<Filter>(step); });
  if (only_filters) add_skip_bounds(open.pipeline, predicate);
  open.pipeline.steps.emplace_back(Filter{std::move(predicate), std::move(text), selectivity});
  open.rows *= selectivity;
}

Node PlanBuilder::lower_condition(OpenPipeline& open, const Expression& condition) {
  Node predicate = Lowering(open).lower(condition).node;
  const bool untyped_null = predicate.kind == NodeKind::kLiteral && predicate.lane != Lane::kBoolean;
  return untyped_null ? null_literal(open.pipeline, Lane::kBoolean) : predicate;
}

void PlanBuilder::add_conjunct(OpenPipeline& open, const Expression& conjunct) {
  add_filter(open, lower_condition(open, conjunct), to_string(conjunct, logical_.names), cardinality_.selectivity(conjunct));
}

OpenPipeline PlanBuilder::visit_filter(const LogicalNode& node, const ColumnSet& required) {
  ColumnSet needed = required;
  for (const Expression& conjunct : node.conjuncts) {
    for (const ColumnId column : columns_of(conjunct)) needed.insert(column);
  }
  OpenPipeline open = visit(node.children.at(0), needed);
  for (const Expression& conjunct : node.conjuncts) add_conjunct(open, conjunct);
  open.rows = cardinality_.rows(node);
  return open;
}

int PlanBuilder::dictionary_index(const std::shared_ptr<const Dictionary>& dictionary) {
  if (!dictionary) return -1;
  for (std::size_t i = 0; i < dictionaries_.size(); ++i) {
    if (dictionaries_[i]->identity() == dictionary->identity()) return static_cast<int>(i);
  }
  const auto source = dictionary_sources_.find(dictionary->identity());
  plan_.dictionaries.push_back(source != dictionary_sources_.end()
                                   ? source->second
                                   : DictionaryReference{{}, {}, -1, dictionary->strings(), dictionary->identity()});
  dictionaries_.push_back(dictionary);
  return static_cast<int>(dictionaries_.size()) - 1;
}

int PlanBuilder::add_value_slot(OpenPipeline& open, const std::string& name, const DataType& type, const Lowered& value) {
  if (value.node.kind == NodeKind::kSlot && open.pipeline.slots[static_cast<std::size_t>(value.node.index)].type == type)
    return value.node.index;
  Slot slot{name, type, value.node.lane, value.node.nullable, value.bounds, dictionary_index(value.dictionary)};
  const int index = open.add_slot(std::move(slot), value.dictionary);
  // Neighbouring computations share a step.
  if (open.pipeline.steps.empty() || !std::holds_alternative<Compute>(open.pipeline.steps.back()))
    open.pipeline.steps.emplace_back(Compute{});
  auto& step = std::get<Compute>(open.pipeline.steps.back());
  step.slots.push_back(index);
  step.expressions.push_back(value.node);
  return index;
}

void PlanBuilder::compute(OpenPipeline& open, ColumnId column, const Lowered& value) {
  const DataType& type = logical_.types.at(static_cast<std::size_t>(column));
  open.columns[column] = add_value_slot(open, column_name(column), type, value);
}

OpenPipeline PlanBuilder::visit_project(const LogicalNode& node, const ColumnSet& required) {
  ColumnSet needed;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (!required.contains(node.outputs[i])) continue;
    for (const ColumnId column : columns_of(node.expressions[i])) needed.insert(column);
  }
  OpenPipeline open = visit(node.children.at(0), needed);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const ColumnId output = node.outputs[i];
    if (!required.contains(output)) continue;
    const Expression& expression = node.expressions[i];
    compute(open, output, Lowering(open).lower(expression));
    const auto unique = expression.operation == Operation::kColumn ? open.unique.find(expression.column) : open.unique.end();
    if (unique != open.unique.end()) open.unique[output] = unique->second;
  }
  return open;
}

PlannedQuery plan_query(const LogicalPlan& logical, const PlannerOptions& options) {
  return PlanBuilder(logical, options).build_query();
}

PlannedQuery plan_insert(const LogicalPlan& logical, const std::string& table, const PlannerOptions& options) {
  return PlanBuilder(logical, options).build_insert(table);
}

}  // namespace saccade::physical
