// Rows from several places: unions, constant rows and repeated rows.
#include <algorithm>
#include <map>
#include <utility>

#include "common/error.hpp"
#include "optimizer/rewrite.hpp"
#include "physical/node.hpp"
#include "physical/plan_builder.hpp"

namespace saccade::physical {

namespace {

// A column of a union, or of constant rows: the values that end in it, each of its own pipeline, and the slot that holds them.
struct MergedColumn {
  std::size_t output = 0;  // of the node
  std::vector<Lowered> values;
  std::shared_ptr<const Dictionary> dictionary;
  Slot slot;
};

// One dictionary with the strings of all. A balanced merge: a union of many branches takes no quadratic time.
std::shared_ptr<const Dictionary> merge_all(std::vector<std::shared_ptr<const Dictionary>> dictionaries) {
  while (dictionaries.size() > 1) {
    std::vector<std::shared_ptr<const Dictionary>> merged;
    for (std::size_t i = 0; i + 1 < dictionaries.size(); i += 2) merged.push_back(merge(dictionaries[i], dictionaries[i + 1]));
    if (dictionaries.size() % 2 == 1) merged.push_back(dictionaries.back());
    dictionaries = std::move(merged);
  }
  return dictionaries.empty() ? nullptr : dictionaries.front();
}

// Whether text has to be taken as strings: some of it has no codes, or the dictionaries are large together.
bool needs_strings(const MergedColumn& column) {
  constexpr std::int64_t kLargestUnion = 1 << 18;
  std::map<std::uint64_t, std::int64_t> sizes;
  bool strings = false;
  for (const Lowered& value : column.values) {
    strings |= value.node.lane == Lane::kText;
    if (value.dictionary) sizes[value.dictionary->identity()] = value.dictionary->size();
  }
  std::int64_t total = 0;
  for (const auto& [identity, size] : sizes) total += size;
  const bool constants = std::all_of(column.values.begin(), column.values.end(),
                                     [](const Lowered& value) { return value.node.kind == NodeKind::kLiteral; });
  return strings || (sizes.size() > 1 && total > kLargestUnion && !constants);
}

// Settles the lane, the dictionary and the bounds in which all values can be.
void settle(MergedColumn& column) {
  std::vector<std::shared_ptr<const Dictionary>> dictionaries;
  Slot& slot = column.slot;
  slot.lane = column.values.front().node.lane;
  slot.bounds = column.values.front().bounds;
  for (const Lowered& value : column.values) {
    if (value.dictionary) dictionaries.push_back(value.dictionary);
    if (value.node.lane == Lane::kInt128) slot.lane = Lane::kInt128;
    slot.nullable |= value.node.nullable;
    slot.bounds = union_bounds(slot.bounds, value.bounds);
  }
  if (needs_strings(column)) {
    slot.lane = Lane::kText;
    slot.bounds.reset();
    return;
  }
  column.dictionary = merge_all(std::move(dictionaries));
  if (slot.lane == Lane::kFloat64) slot.bounds.reset();
  if (column.dictionary) slot.bounds = Bounds{0, std::max<int128>(column.dictionary->size() - 1, 0)};
}

// The value as the column holds it.
Lowered converted(OpenPipeline& open, Lowered value, const MergedColumn& column) {
  if (column.slot.lane == Lane::kText) {
    value = Lowering(open).to_text(std::move(value));
  } else if (column.dictionary && value.dictionary) {
    value.node = Lowering(open).remap(value, column.dictionary);
    value.dictionary = column.dictionary;
  } else if (column.slot.lane == Lane::kInt128) {
    value = Lowering(open).to_int128(std::move(value));
  }
  SACCADE_CHECK(value.node.lane == column.slot.lane);
  return value;
}

LogicalNode constant_rows(const LogicalNode& values, std::int64_t first, std::int64_t rows) {
  LogicalNode result;
  result.kind = LogicalKind::kValues;
  result.outputs = values.outputs;
  result.rows = rows;
  const auto width = static_cast<std::ptrdiff_t>(values.outputs.size());
  const auto begin = values.expressions.begin() + first * width;
  result.expressions.assign(begin, begin + rows * width);
  return result;
}

bool is_constant_row(const LogicalNode& values, std::int64_t row) {
  const auto width = static_cast<std::ptrdiff_t>(values.outputs.size());
  const auto begin = values.expressions.begin() + row * width;
  return std::all_of(begin, begin + width, is_literal);
}

// Rows that have to be computed, between runs of constant ones, as a union of both.
LogicalNode as_union(const LogicalNode& values) {
  const auto width = static_cast<std::ptrdiff_t>(values.outputs.size());
  LogicalNode result;
  result.kind = LogicalKind::kUnion;
  result.outputs = values.outputs;
  for (std::int64_t row = 0; row < values.rows;) {
    std::int64_t end = row;
    while (end < values.rows && is_constant_row(values, end)) ++end;
    if (end > row) {
      result.children.push_back(constant_rows(values, row, end - row));
      for (std::size_t i = 0; i < values.outputs.size(); ++i)
        result.expressions.push_back(column_expression(values.outputs[i], values.expressions[i].type));
      row = end;
      continue;
    }
    result.children.emplace_back();
    const auto begin = values.expressions.begin() + row * width;
    result.expressions.insert(result.expressions.end(), begin, begin + width);
    ++row;
  }
  return result;
}

}  // namespace

OpenPipeline PlanBuilder::visit_values(const LogicalNode& node, const ColumnSet& required) {
  for (std::int64_t row = 0; row < node.rows; ++row) {
    if (!is_constant_row(node, row)) return visit_union(as_union(node), required);
  }
  OpenPipeline open;
  std::vector<MergedColumn> columns;
  const std::size_t width = node.outputs.size();
  for (std::size_t i = 0; i < width; ++i) {
    if (!required.contains(node.outputs[i])) continue;
    MergedColumn column;
    column.output = i;
    const DataType& type = logical_.types.at(static_cast<std::size_t>(node.outputs[i]));
    for (std::int64_t row = 0; row < node.rows; ++row)
      column.values.push_back(Lowering(open).lower(node.expressions[static_cast<std::size_t>(row) * width + i]));
    column.slot.lane = lane_of(type);
    if (node.rows > 0) settle(column);
    column.slot.name = column_name(node.outputs[i]);
    column.slot.type = type;
    columns.push_back(std::move(column));
  }
  ValueRows source;
  source.rows = node.rows;
  for (MergedColumn& column : columns) {
    column.slot.dictionary = dictionary_index(column.dictionary);
    for (Lowered& value : column.values) value = converted(open, std::move(value), column);
    source.slots.push_back(open.add_slot(column.slot, column.dictionary));
    open.columns[node.outputs[column.output]] = source.slots.back();
  }
  // Lowering has put literals where it liked; the source reads them row by row.
  std::vector<Literal> literals;
  for (std::int64_t row = 0; row < node.rows; ++row) {
    for (const MergedColumn& column : columns) {
      const Node& value = column.values[static_cast<std::size_t>(row)].node;
      SACCADE_CHECK(value.kind == NodeKind::kLiteral);
      literals.push_back(open.pipeline.literals[static_cast<std::size_t>(value.index)]);
      literals.back().lane = column.slot.lane;
    }
  }
  open.pipeline.literals = std::move(literals);
  open.pipeline.source = std::move(source);
  open.max_rows = std::max<std::int64_t>(node.rows, 1);
  open.rows = static_cast<double>(node.rows);
  open.distribution = Distribution::kRankZero;
  return open;
}

// Each child ends in a pipeline of its own that keeps its rows; one that reads them all goes on.
OpenPipeline PlanBuilder::visit_union(const LogicalNode& node, const ColumnSet& required) {
  const std::size_t width = node.outputs.size();
  std::vector<MergedColumn> columns;
  for (std::size_t i = 0; i < width; ++i) {
    if (required.contains(node.outputs[i])) columns.push_back({i, {}, nullptr, {}});
  }
  std::vector<OpenPipeline> children;
  for (std::size_t c = 0; c < node.children.size(); ++c) {
    ColumnSet needed;
    for (const MergedColumn& column : columns) {
      for (const ColumnId id : columns_of(node.expressions[c * width + column.output])) needed.insert(id);
    }
    children.push_back(visit(node.children[c], needed));
    for (MergedColumn& column : columns)
      column.values.push_back(Lowering(children.back()).lower(node.expressions[c * width + column.output]));
  }
  OpenPipeline open;
  open.rows = 0;
  open.max_rows = 0;
  open.distribution = Distribution::kRankZero;
  for (MergedColumn& column : columns) {
    settle(column);
    column.slot.name = column_name(node.outputs[column.output]);
    column.slot.type = logical_.types.at(static_cast<std::size_t>(node.outputs[column.output]));
    column.slot.dictionary = dictionary_index(column.dictionary);
    open.columns[node.outputs[column.output]] = open.add_slot(column.slot, column.dictionary);
  }
  Concatenation source;
  const bool spread = std::any_of(children.begin(), children.end(),
                                  [](const OpenPipeline& child) { return child.distribution == Distribution::kSpread; });
  for (std::size_t c = 0; c < children.size(); ++c) {
    OpenPipeline& child = children[c];
    if (ranks() > 1 && spread && child.distribution == Distribution::kRankZero) keep_rank_zero(child);
    Collect kept;
    OutputScan input;
    for (const MergedColumn& column : columns) {
      const Lowered value = converted(child, column.values[c], column);
      kept.output.push_back(add_value_slot(child, column.slot.name, column.slot.type, value));
      input.slots.push_back(open.columns.at(node.outputs[column.output]));
    }
    if (child.distribution == Distribution::kSpread) open.distribution = Distribution::kSpread;
    open.rows += child.rows;
    open.max_rows = std::min(open.max_rows + child.max_rows, kInt64Bounds.high);
    input.pipeline = close(child, std::move(kept));
    source.inputs.push_back(std::move(input));
  }
  open.pipeline.source = std::move(source);
  return open;
}

OpenPipeline PlanBuilder::visit_repeat(const LogicalNode& node, const ColumnSet& required) {
  const Expression& count = node.expressions.at(0);
  ColumnSet needed = required;
  for (const ColumnId column : columns_of(count)) needed.insert(column);
  OpenPipeline open = visit(node.children.at(0), needed);
  Lowered times = Lowering(open).lower(count);
  SACCADE_CHECK(times.node.lane == Lane::kInt64);
  const int128 most = times.bounds ? std::max<int128>(times.bounds->high, 1) : kInt64Bounds.high;
  Slot slot{column_name(node.outputs.at(0)), {TypeKind::kBigint}, Lane::kInt64, false, Bounds{0, most - 1}, -1};
  Repeat step;
  step.count = std::move(times.node);
  step.number_slot = open.add_slot(std::move(slot), nullptr);
  open.columns[node.outputs[0]] = step.number_slot;
  open.pipeline.steps.emplace_back(std::move(step));
  open.max_rows = most > kInt64Bounds.high / open.max_rows ? kInt64Bounds.high : most * open.max_rows;
  open.rows = cardinality_.rows(node);
  open.unique.clear();
  return open;
}

}  // namespace saccade::physical
