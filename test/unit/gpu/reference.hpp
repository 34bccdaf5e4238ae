// A pipeline run row by row on the host, as physical_plan.hpp says it: what the kernels' answers are compared with.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "function/scalar/all.hpp"
#include "physical/physical_plan.hpp"
#include "unit/function/edge_values.hpp"
#include "unit/gpu/array_table.hpp"

namespace saccade::test {

using Row = std::vector<Cell>;
using Parts = std::vector<std::int64_t>;

inline LaneValue lane_value(const Cell& value, Lane lane) {
  switch (lane) {
    case Lane::kBoolean:
      return lane_value(value.integer != 0);
    case Lane::kInt64:
      return lane_value(static_cast<i64>(value.integer));
    case Lane::kInt128:
      return lane_value(static_cast<i128>(value.integer));
    default:
      return lane_value(value.real);
  }
}
inline Cell cell_of(const LaneValue& value) {
  switch (value.lane) {
    case Lane::kBoolean:
      return cell(value.boolean ? 1 : 0);
    case Lane::kInt64:
      return cell(value.int64);
    case Lane::kInt128:
      return cell(value.int128);
    default:
      return real_cell(value.float64);
  }
}

// One pipeline's rows, and what it left behind. Errors of functions are thrown as SQL errors.
class ReferencePipeline {
 public:
  struct Output {
    std::vector<Row> rows;    // as output_slots; of a build: payload
    std::vector<Parts> keys;  // of a build
  };

  ReferencePipeline(const physical::Plan& plan, int pipeline, const std::vector<Output>& outputs)
      : plan_(plan), pipeline_(plan.pipelines.at(static_cast<std::size_t>(pipeline))), outputs_(outputs) {}

  Output run(const ArrayTable* table, int rank = 0, int ranks = 1) {
    if (const auto* scan = std::get_if<physical::TableScan>(&pipeline_.source)) {
      for (const std::int64_t row : table->rows_of(rank, ranks)) {
        Row slots = fresh();
        for (const auto& column : scan->columns) {
          slots[static_cast<std::size_t>(column.slot)] =
              table->arrays().at(static_cast<std::size_t>(column.column)).cells.at(static_cast<std::size_t>(row));
        }
        step(slots, 0);
      }
    } else if (const auto* output = std::get_if<physical::OutputScan>(&pipeline_.source)) {
      for (const Row& row : outputs_.at(static_cast<std::size_t>(output->pipeline)).rows) {
        Row slots = fresh();
        for (std::size_t i = 0; i < output->slots.size(); ++i) {
          if (output->slots[i] >= 0) slots[static_cast<std::size_t>(output->slots[i])] = row[i];
        }
        step(slots, 0);
      }
    } else if (rank == 0) {
      Row slots = fresh();
      step(slots, 0);
    }
    finish();
    return std::move(output_);
  }

 private:
  Row fresh() const { return Row(pipeline_.slots.size(), null_cell()); }

  static Cell apply(FunctionId id, const std::vector<Cell>& arguments) {
    std::vector<LaneValue> values;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      values.push_back(lane_value(arguments[i], scalar_function(id).arguments[i]));
    FunctionError error = FunctionError::kNone;
    const LaneValue result = call(id, values, error);
    if (error != FunctionError::kNone) throw to_error(error);
    return cell_of(result);
  }

  static Cell logic(const physical::Node& node, const std::function<Cell(std::size_t)>& argument) {
    const bool settles = node.kind == physical::NodeKind::kOr;
    bool null = false;
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
      const Cell value = argument(i);
      if (!value.null && (value.integer != 0) == settles) return cell(settles ? 1 : 0);
      null = null || value.null;
    }
    return null ? null_cell() : cell(settles ? 0 : 1);
  }

  Cell evaluate(const physical::Node& node, const Row& slots) const {
    using physical::NodeKind;
    const auto argument = [&](std::size_t i) { return evaluate(node.arguments.at(i), slots); };
    switch (node.kind) {
      case NodeKind::kSlot:
        return slots.at(static_cast<std::size_t>(node.index));
      case NodeKind::kLiteral: {
        const physical::Literal& literal = pipeline_.literals.at(static_cast<std::size_t>(node.index));
        return {literal.is_null, literal.integer, literal.real};
      }
      case NodeKind::kCall: {
        std::vector<Cell> arguments;
        for (std::size_t i = 0; i < node.arguments.size(); ++i) arguments.push_back(argument(i));
        if (std::any_of(arguments.begin(), arguments.end(), [](const Cell& cell) { return cell.null; })) return null_cell();
        return apply(node.function, arguments);
      }
      case NodeKind::kAnd:
      case NodeKind::kOr:
        return logic(node, argument);
      case NodeKind::kNot: {
        const Cell value = argument(0);
        return value.null ? value : cell(value.integer == 0);
      }
      case NodeKind::kIsNull:
        return cell(argument(0).null);
      case NodeKind::kCase: {
        std::size_t i = 0;
        for (; i + 1 < node.arguments.size(); i += 2) {
          const Cell condition = argument(i);
          if (!condition.null && condition.integer != 0) return argument(i + 1);
        }
        return argument(i);
      }
      case NodeKind::kOrElse: {
        const Cell value = argument(0);
        return value.null ? argument(1) : value;
      }
      case NodeKind::kLookup: {
        const Cell value = argument(0);
        const physical::Lookup& lookup = pipeline_.lookups.at(static_cast<std::size_t>(node.index));
        return value.null ? value : cell(lookup.values.at(static_cast<std::size_t>(value.integer - lookup.base)));
      }
      case NodeKind::kDictionaryText:
      case NodeKind::kIntern:
      case NodeKind::kTextOfKey:
      case NodeKind::kTextCall:
        throw std::logic_error("no GPU has strings");
    }
    throw std::logic_error("no such node");
  }

  Parts parts_of(const std::vector<physical::Node>& keys, const Row& slots) const {
    Parts parts;
    for (const physical::Node& key : keys) parts.push_back(static_cast<std::int64_t>(evaluate(key, slots).integer));
    return parts;
  }

  void step(Row& slots, std::size_t number) {
    if (number == pipeline_.steps.size()) return sink(slots);
    const physical::Step& current = pipeline_.steps[number];
    if (const auto* filter = std::get_if<physical::Filter>(&current)) {
      const Cell kept = evaluate(filter->predicate, slots);
      if (!kept.null && kept.integer != 0) step(slots, number + 1);
    } else if (const auto* compute = std::get_if<physical::Compute>(&current)) {
      for (std::size_t i = 0; i < compute->slots.size(); ++i) {
        slots[static_cast<std::size_t>(compute->slots[i])] = evaluate(compute->expressions[i], slots);
      }
      step(slots, number + 1);
    } else {
      const auto& probe = std::get<physical::Probe>(current);
      const Parts parts = parts_of(probe.keys, slots);
      const Output& build = outputs_.at(static_cast<std::size_t>(probe.build));
      for (std::size_t row = 0; row < build.keys.size(); ++row) {
        if (build.keys[row] != parts) continue;
        Row matched = slots;
        for (std::size_t i = 0; i < probe.payload.size(); ++i) {
          if (probe.payload[i] >= 0) matched[static_cast<std::size_t>(probe.payload[i])] = build.rows[row][i];
        }
        if (probe.row_slot >= 0) matched[static_cast<std::size_t>(probe.row_slot)] = cell(static_cast<int128>(row));
        step(matched, number + 1);
      }
    }
  }

  Row pick(const std::vector<int>& output, const Row& slots) const {
    Row row;
    for (const int slot : output) row.push_back(slots[static_cast<std::size_t>(slot)]);
    return row;
  }

  void sink(const Row& slots) {
    if (const auto* build = std::get_if<physical::JoinBuild>(&pipeline_.sink)) {
      output_.keys.push_back(parts_of(build->keys, slots));
      output_.rows.push_back(pick(build->payload, slots));
    } else if (const auto* aggregation = std::get_if<physical::Aggregation>(&pipeline_.sink)) {
      const Parts group = parts_of(aggregation->keys, slots);
      auto found = groups_.find(group);
      if (found == groups_.end()) found = groups_.emplace(group, identities(*aggregation)).first;
      for (std::size_t i = 0; i < aggregation->aggregates.size(); ++i)
        update(aggregation->aggregates[i], found->second[i], slots);
    } else if (const auto* sort = std::get_if<physical::Sort>(&pipeline_.sink)) {
      sorted_.emplace_back(parts_of(sort->keys, slots), pick(sort->output, slots));
    } else if (const auto* exchange = std::get_if<physical::Exchange>(&pipeline_.sink)) {
      Row row = pick(exchange->output, slots);
      for (const std::int64_t part : parts_of(exchange->keys, slots)) row.push_back(cell(part));
      output_.rows.push_back(row);
    } else if (const auto* result = std::get_if<physical::Result>(&pipeline_.sink)) {
      output_.rows.push_back(pick(result->output, slots));
    } else {
      output_.rows.push_back(pick(std::get<physical::Insert>(pipeline_.sink).output, slots));
    }
  }

  static Row identities(const physical::Aggregation& aggregation) {
    Row states;
    for (const physical::Aggregate& aggregate : aggregation.aggregates) {
      const bool minimum = aggregate.function == physical::AggregateFunction::kMin;
      const bool wide = aggregate.state == Lane::kInt128;
      if (!minimum && aggregate.function != physical::AggregateFunction::kMax) {
        states.push_back({false, 0, 0});
      } else if (aggregate.state == Lane::kFloat64) {
        states.push_back(real_cell(minimum ? std::nan("") : -INFINITY));
      } else {
        const int128 largest = wide ? kInt128Max : int128{INT64_MAX};
        states.push_back(cell(minimum ? largest : -largest - 1));
      }
    }
    return states;
  }

  // NaN above everything.
  static bool real_less(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }

  void update(const physical::Aggregate& aggregate, Cell& state, const Row& slots) const {
    using physical::AggregateFunction;
    if (aggregate.function == AggregateFunction::kCountStar) {
      ++state.integer;
      return;
    }
    const Cell value = evaluate(aggregate.argument.at(0), slots);
    if (value.null) return;
    const bool real = aggregate.state == Lane::kFloat64;
    switch (aggregate.function) {
      case AggregateFunction::kCount:
        ++state.integer;
        break;
      case AggregateFunction::kSum:
        state.integer += value.integer;
        state.real += value.real;
        break;
      case AggregateFunction::kMin:
        if (real ? real_less(value.real, state.real) : value.integer < state.integer) state = value;
        break;
      default:
        if (real ? real_less(state.real, value.real) : value.integer > state.integer) state = value;
        break;
    }
  }

  void finish() {
    if (const auto* aggregation = std::get_if<physical::Aggregation>(&pipeline_.sink)) {
      if (aggregation->layout == physical::Aggregation::Layout::kSingle && groups_.empty()) {
        groups_.emplace(Parts{}, identities(*aggregation));
      }
      for (const auto& [parts, states] : groups_) {
        Row row;
        if (aggregation->layout == physical::Aggregation::Layout::kBuildRow) {
          row = outputs_.at(static_cast<std::size_t>(aggregation->build)).rows.at(static_cast<std::size_t>(parts[0]));
        } else {
          for (const std::int64_t part : parts) row.push_back(cell(part));
        }
        row.insert(row.end(), states.begin(), states.end());
        output_.rows.push_back(row);
      }
    }
    const auto* sort = std::get_if<physical::Sort>(&pipeline_.sink);
    if (sort == nullptr) return;
    std::stable_sort(sorted_.begin(), sorted_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      if (at >= sort->offset && (!sort->limit || at < sort->offset + *sort->limit)) output_.rows.push_back(sorted_[i].second);
    }
  }

  const physical::Plan& plan_;
  const physical::Pipeline& pipeline_;
  const std::vector<Output>& outputs_;
  Output output_;
  std::map<Parts, Row> groups_;
  std::vector<std::pair<Parts, Row>> sorted_;
};

}  // namespace saccade::test
