// Builders of physical plans for tests.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "physical/physical_plan.hpp"
#include "unit/gpu/array_table.hpp"

namespace saccade::test {

// A pipeline under construction: slots, literals and nodes by name of what they are.
class PipelineBuilder {
 public:
  explicit PipelineBuilder(physical::Plan& plan) : plan_(plan) { pipeline_.id = static_cast<int>(plan.pipelines.size()); }

  int slot(const std::string& name, Lane lane, bool nullable = false, std::optional<Bounds> bounds = std::nullopt) {
    physical::Slot slot;
    slot.name = name;
    slot.lane = lane;
    slot.type = {lane == Lane::kBoolean ? TypeKind::kBoolean : lane == Lane::kFloat64 ? TypeKind::kDouble : TypeKind::kBigint};
    slot.nullable = nullable;
    slot.bounds = bounds;
    pipeline_.slots.push_back(slot);
    return static_cast<int>(pipeline_.slots.size()) - 1;
  }
  // Reads columns of a table, or all, into slots of their names.
  void scan(const ArrayTable& table, const std::vector<std::string>& names = {}) {
    physical::TableScan scan;
    scan.table = table.name();
    scan.version = table.version();
    scan.rows = table.row_count();
    for (std::size_t i = 0; i < table.arrays().size(); ++i) {
      const ArrayColumn& column = table.arrays()[i];
      if (!names.empty() && std::find(names.begin(), names.end(), column.name) == names.end()) continue;
      bool nullable = false;
      std::optional<Bounds> bounds;
      for (const Cell& value : column.cells) {
        nullable = nullable || value.null;
        if (value.null || column.lane == Lane::kFloat64) continue;
        if (!bounds) bounds = Bounds{value.integer, value.integer};
        bounds = Bounds{std::min(bounds->low, value.integer), std::max(bounds->high, value.integer)};
      }
      if (column.lane == Lane::kBoolean) bounds.reset();
      const int number = slot(column.name, column.lane, nullable, bounds);
      pipeline_.slots.back().type = column.type;
      scan.columns.push_back({static_cast<int>(i), number, column.encoding, column.base});
    }
    pipeline_.source = scan;
  }
  void one_row() { pipeline_.source = physical::OneRow{}; }
  // Reads all columns of an earlier pipeline; names: column_0, ...
  void read(int pipeline) {
    physical::OutputScan scan;
    scan.pipeline = pipeline;
    for (const physical::Slot& output : physical::output_slots(plan_, pipeline)) {
      scan.slots.push_back(slot("column_" + std::to_string(scan.slots.size()), output.lane, output.nullable, output.bounds));
    }
    pipeline_.source = scan;
  }
  // Says otherwise of a slot than its cells do.
  void declare(const std::string& name, bool nullable, std::optional<Bounds> bounds) {
    physical::Slot& slot = pipeline_.slots[static_cast<std::size_t>(find(name))];
    slot.nullable = nullable;
    slot.bounds = bounds;
  }
  int find(const std::string& name) const {
    for (std::size_t i = 0; i < pipeline_.slots.size(); ++i) {
      if (pipeline_.slots[i].name == name) return static_cast<int>(i);
    }
    throw std::logic_error("no slot " + name);
  }

  physical::Node node(const std::string& name) const { return slot_node(find(name)); }
  physical::Node slot_node(int index) const {
    const physical::Slot& slot = pipeline_.slots.at(static_cast<std::size_t>(index));
    physical::Node node;
    node.kind = physical::NodeKind::kSlot;
    node.lane = slot.lane;
    node.nullable = slot.nullable;
    node.index = index;
    return node;
  }
  physical::Node literal(Lane lane, Cell value) {
    pipeline_.literals.push_back({lane, value.null, value.integer, value.real, {}});
    physical::Node node;
    node.kind = physical::NodeKind::kLiteral;
    node.lane = lane;
    node.nullable = value.null;
    node.index = static_cast<int>(pipeline_.literals.size()) - 1;
    return node;
  }
  physical::Node integer(int128 value) { return literal(Lane::kInt64, cell(value)); }
  static physical::Node call(FunctionId function, std::vector<physical::Node> arguments) {
    const ScalarFunction& known = scalar_function(function);
    physical::Node node = combine(physical::NodeKind::kCall, known.result, std::move(arguments));
    node.function = function;
    node.can_fail = node.can_fail || known.can_fail;
    return node;
  }
  static physical::Node combine(physical::NodeKind kind, Lane lane, std::vector<physical::Node> arguments) {
    physical::Node node;
    node.kind = kind;
    node.lane = lane;
    for (const physical::Node& argument : arguments) {
      node.nullable = node.nullable || argument.nullable;
      node.can_fail = node.can_fail || argument.can_fail;
    }
    node.arguments = std::move(arguments);
    if (kind == physical::NodeKind::kIsNull) node.nullable = false;
    if (kind == physical::NodeKind::kOrElse) node.nullable = node.arguments.at(0).nullable && node.arguments.at(1).nullable;
    if (kind == physical::NodeKind::kCase) {
      node.nullable = node.arguments.back().nullable;
      for (std::size_t i = 1; i < node.arguments.size(); i += 2) node.nullable = node.nullable || node.arguments[i].nullable;
    }
    return node;
  }
  physical::Node lookup(physical::Lookup lookup, physical::Node argument) {
    const Lane lane = lookup.lane;
    pipeline_.lookups.push_back(std::move(lookup));
    physical::Node node = combine(physical::NodeKind::kLookup, lane, {std::move(argument)});
    node.index = static_cast<int>(pipeline_.lookups.size()) - 1;
    return node;
  }

  void filter(physical::Node predicate, double selectivity = 0.5, std::string text = "condition") {
    pipeline_.steps.emplace_back(physical::Filter{std::move(predicate), std::move(text), selectivity});
  }
  int compute(const std::string& name, physical::Node expression, std::optional<Bounds> bounds = std::nullopt) {
    const int number = slot(name, expression.lane, expression.nullable, bounds);
    pipeline_.steps.emplace_back(physical::Compute{{number}, {std::move(expression)}});
    return number;
  }
  // Payload columns into slots of these names ("": not read).
  void probe(int build, std::vector<physical::Node> keys, const std::vector<std::string>& payload, const std::string& row = "",
             std::string text = "keys") {
    physical::Probe probe;
    probe.build = build;
    probe.keys = std::move(keys);
    const std::vector<physical::Slot> slots = physical::payload_slots(plan_, build);
    for (std::size_t i = 0; i < payload.size(); ++i) {
      if (payload[i].empty()) {
        probe.payload.push_back(-1);
        continue;
      }
      probe.payload.push_back(slot(payload[i], slots.at(i).lane, slots[i].nullable, slots[i].bounds));
    }
    if (!row.empty()) probe.row_slot = slot(row, Lane::kInt64);
    probe.text = std::move(text);
    pipeline_.steps.emplace_back(probe);
  }

  static physical::Aggregate aggregate(physical::AggregateFunction function, Lane state,
                                       std::vector<physical::Node> argument = {}) {
    return {function, state, std::move(argument)};
  }

  // Adds the pipeline to the plan; its number.
  int end(physical::Sink sink, double estimated_rows = 0) {
    pipeline_.sink = std::move(sink);
    pipeline_.estimated_rows = estimated_rows;
    plan_.pipelines.push_back(pipeline_);
    return pipeline_.id;
  }
  int result(const std::vector<std::string>& names) {
    physical::Result result;
    for (const std::string& name : names) result.output.push_back(find(name));
    return end(result);
  }

 private:
  physical::Plan& plan_;
  physical::Pipeline pipeline_;
};

}  // namespace saccade::test
