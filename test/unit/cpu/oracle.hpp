// Runs physical plans a row at a time, in the plainest way that could be right: what the CPU backend is compared with.
#pragma once

#include <algorithm>
#include <map>
#include <set>

#include "execution/cpu/kernels/kernels.hpp"
#include "unit/cpu/plan_fixture.hpp"

namespace saccade::cpu_test {

class Oracle {
 public:
  Oracle(const Plan& plan, const Fixture& fixture) : plan_(plan), fixture_(fixture) {}

  std::vector<CellRow> run() {
    for (const Pipeline& pipeline : plan_.pipelines) run_pipeline(pipeline);
    return outputs_.back();
  }

 private:
  struct Build {
    std::multimap<std::vector<int128>, std::size_t> rows;  // by key
    std::vector<CellRow> payload;
    std::vector<bool> matched;
  };

  static void store(const Cell& cell, Lane lane, void* out) {
    if (lane == Lane::kBoolean) *static_cast<std::uint8_t*>(out) = static_cast<std::uint8_t>(cell.integer);
    if (lane == Lane::kInt64) *static_cast<std::int64_t*>(out) = static_cast<std::int64_t>(cell.integer);
    if (lane == Lane::kInt128) *static_cast<int128*>(out) = cell.integer;
    if (lane == Lane::kFloat64) *static_cast<double*>(out) = cell.real;
  }

  static Cell fetch(const void* in, Lane lane) {
    if (lane == Lane::kBoolean) return integer(*static_cast<const std::uint8_t*>(in));
    if (lane == Lane::kInt64) return integer(*static_cast<const std::int64_t*>(in));
    if (lane == Lane::kInt128) return integer(*static_cast<const int128*>(in));
    return real(*static_cast<const double*>(in));
  }

  Cell call_function(const Node& node, const CellRow& row) const {
    alignas(16) std::byte storage[4][16] = {};
    cpu::Operand operands[3];
    bool any_null = false;
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
      const Cell cell = evaluate(node.arguments[i], row);
      any_null |= cell.null;
      store(cell, node.arguments[i].lane, storage[i]);
      operands[i] = {storage[i], false};
    }
    if (any_null) return null();
    FunctionError error = FunctionError::kNone;
    const cpu::Kernels& kernels = *cpu::supported_kernels().front();
    kernels.functions[static_cast<std::size_t>(node.function)](operands, nullptr, storage[3], 1, error);
    if (error != FunctionError::kNone) throw to_error(error);
    return fetch(storage[3], node.lane);
  }

  Cell evaluate(const Node& node, const CellRow& row) const {
    switch (node.kind) {
      case NodeKind::kSlot:
        return row[static_cast<std::size_t>(node.index)];
      case NodeKind::kLiteral: {
        const Literal& literal = pipeline_->literals[static_cast<std::size_t>(node.index)];
        return literal.is_null ? null() : Cell{false, literal.integer, literal.real};
      }
      case NodeKind::kCall:
        return call_function(node, row);
      case NodeKind::kAnd:
      case NodeKind::kOr: {
        const int128 settling = node.kind == NodeKind::kAnd ? 0 : 1;
        bool unknown = false;
        for (const Node& argument : node.arguments) {
          const Cell cell = evaluate(argument, row);
          if (!cell.null && cell.integer == settling) return integer(settling);
          unknown |= cell.null;
        }
        return unknown ? null() : integer(1 - settling);
      }
      case NodeKind::kNot: {
        const Cell cell = evaluate(node.arguments[0], row);
        return cell.null ? cell : integer(1 - cell.integer);
      }
      case NodeKind::kIsNull:
        return integer(evaluate(node.arguments[0], row).null ? 1 : 0);
      case NodeKind::kCase:
        for (std::size_t i = 0; i + 1 < node.arguments.size(); i += 2) {
          if (is_true(evaluate(node.arguments[i], row))) return evaluate(node.arguments[i + 1], row);
        }
        return evaluate(node.arguments.back(), row);
      case NodeKind::kOrElse: {
        const Cell cell = evaluate(node.arguments[0], row);
        return cell.null ? evaluate(node.arguments[1], row) : cell;
      }
      case NodeKind::kLookup: {
        const Lookup& lookup = pipeline_->lookups[static_cast<std::size_t>(node.index)];
        const Cell cell = evaluate(node.arguments[0], row);
        if (cell.null) return cell;
        return integer(lookup.values.at(static_cast<std::size_t>(cell.integer - lookup.base)));
      }
      case NodeKind::kDictionaryText:
      case NodeKind::kIntern:
      case NodeKind::kTextOfKey:
      case NodeKind::kTextCall:
        break;  // no plan here has text
    }
    return null();
  }

  static bool is_true(const Cell& cell) { return !cell.null && cell.integer != 0; }

  // WHERE stops at the first conjunct that is not true.
  bool passes(const Node& predicate, const CellRow& row) const {
    if (predicate.kind != NodeKind::kAnd) return is_true(evaluate(predicate, row));
    return std::all_of(predicate.arguments.begin(), predicate.arguments.end(),
                       [&](const Node& argument) { return passes(argument, row); });
  }

  void add_rows(const std::vector<CellRow>& from, const std::vector<int>& slots, std::vector<CellRow>& rows) const {
    for (const CellRow& row : from) {
      rows.emplace_back(pipeline_->slots.size());
      for (std::size_t c = 0; c < slots.size(); ++c) {
        if (slots[c] >= 0) rows.back()[static_cast<std::size_t>(slots[c])] = row[c];
      }
    }
  }

  std::vector<CellRow> source_rows() const {
    std::vector<CellRow> rows;
    const CellRow empty(pipeline_->slots.size());
    if (const auto* scan = std::get_if<TableScan>(&pipeline_->source)) {
      const TestTable& table = *fixture_.tables.at(scan->table);
      rows.assign(static_cast<std::size_t>(table.row_count()), empty);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const auto& column : scan->columns) {
          rows[i][static_cast<std::size_t>(column.slot)] = table.cells()[static_cast<std::size_t>(column.column)].cells[i];
        }
      }
    } else if (const auto* output = std::get_if<OutputScan>(&pipeline_->source)) {
      add_rows(outputs_[static_cast<std::size_t>(output->pipeline)], output->slots, rows);
    } else if (const auto* all = std::get_if<Concatenation>(&pipeline_->source)) {
      for (const OutputScan& input : all->inputs)
        add_rows(outputs_[static_cast<std::size_t>(input.pipeline)], input.slots, rows);
    } else if (const auto* scan = std::get_if<BuildScan>(&pipeline_->source)) {
      const Build& build = builds_.at(scan->build);
      std::vector<CellRow> wanted;
      for (std::size_t b = 0; b < build.payload.size(); ++b) {
        if (build.matched[b] == (scan->which == BuildScan::Which::kMatched)) wanted.push_back(build.payload[b]);
      }
      add_rows(wanted, scan->slots, rows);
    } else {
      rows.push_back(empty);
    }
    return rows;
  }

  CellRow values(const std::vector<Node>& nodes, const CellRow& row) const {
    CellRow result;
    for (const Node& node : nodes) result.push_back(evaluate(node, row));
    return result;
  }
  static CellRow pick(const std::vector<int>& slots, const CellRow& row) {
    CellRow result;
    for (const int slot : slots) result.push_back(row[static_cast<std::size_t>(slot)]);
    return result;
  }

  std::vector<CellRow> probe_rows(const Probe& probe, const std::vector<CellRow>& rows) {
    Build& build = builds_.at(probe.build);
    const bool puts_out_pairs = probe.kind == ProbeKind::kInner || probe.kind == ProbeKind::kLeft;
    std::vector<CellRow> result;
    for (const CellRow& row : rows) {
      const auto [first, last] = build.rows.equal_range(order_key(values(probe.keys, row)));
      bool found = false;
      for (auto match = first; match != last; ++match) {
        const std::size_t b = match->second;
        CellRow pair = row;
        for (std::size_t c = 0; c < probe.payload.size(); ++c) {
          if (probe.payload[c] >= 0) pair[static_cast<std::size_t>(probe.payload[c])] = build.payload[b][c];
        }
        if (probe.row_slot >= 0) pair[static_cast<std::size_t>(probe.row_slot)] = integer(static_cast<int128>(b));
        if (!probe.condition.empty() && !passes(probe.condition.front(), pair)) continue;
        found = build.matched[b] = true;
        if (puts_out_pairs) result.push_back(std::move(pair));
      }
      if (!put_out_row(probe.kind, found)) continue;
      result.push_back(row);
      for (const int slot : probe.payload) {
        if (slot >= 0) result.back()[static_cast<std::size_t>(slot)] = null();
      }
      if (probe.mark_slot >= 0) result.back()[static_cast<std::size_t>(probe.mark_slot)] = integer(found ? 1 : 0);
    }
    return result;
  }

  static bool put_out_row(ProbeKind kind, bool found) {
    if (kind == ProbeKind::kLeft || kind == ProbeKind::kAnti) return !found;
    return kind == ProbeKind::kMark || (kind == ProbeKind::kSemi && found);
  }

  void run_pipeline(const Pipeline& pipeline) {
    pipeline_ = &pipeline;
    std::vector<CellRow> rows = source_rows();
    for (const Step& step : pipeline.steps) {
      if (const auto* filter = std::get_if<Filter>(&step)) {
        std::erase_if(rows, [&](const CellRow& row) { return !passes(filter->predicate, row); });
      } else if (const auto* compute = std::get_if<Compute>(&step)) {
        for (CellRow& row : rows) {
          for (std::size_t i = 0; i < compute->slots.size(); ++i) {
            row[static_cast<std::size_t>(compute->slots[i])] = evaluate(compute->expressions[i], row);
          }
        }
      } else {
        rows = probe_rows(std::get<Probe>(step), rows);
      }
    }
    outputs_.push_back(sink_rows(pipeline, rows));
  }

  std::vector<CellRow> sink_rows(const Pipeline& pipeline, const std::vector<CellRow>& rows) {
    std::vector<CellRow> result;
    if (const auto* build = std::get_if<JoinBuild>(&pipeline.sink)) {
      Build& to = builds_[pipeline.id];
      for (const CellRow& row : rows) {
        to.rows.emplace(order_key(values(build->keys, row)), to.payload.size());
        to.payload.push_back(pick(build->payload, row));
      }
      to.matched.assign(to.payload.size(), false);
    } else if (const auto* aggregation = std::get_if<Aggregation>(&pipeline.sink)) {
      result = aggregate(*aggregation, rows);
    } else if (const auto* sort = std::get_if<Sort>(&pipeline.sink)) {
      result = sorted(*sort, rows);
    } else if (const auto* exchange = std::get_if<Exchange>(&pipeline.sink)) {
      for (const CellRow& row : rows) {
        result.push_back(pick(exchange->output, row));
        for (const Cell& key : values(exchange->keys, row)) result.back().push_back(key);
      }
    } else if (const auto* collect = std::get_if<Collect>(&pipeline.sink)) {
      for (const CellRow& row : rows) result.push_back(pick(collect->output, row));
    } else {
      for (const CellRow& row : rows) result.push_back(pick(std::get<Result>(pipeline.sink).output, row));
    }
    return result;
  }

  static std::vector<int128> order_key(const CellRow& cells) {
    std::vector<int128> key;
    for (const Cell& cell : cells) key.push_back(cell.integer);
    return key;
  }

  std::vector<CellRow> sorted(const Sort& sort, const std::vector<CellRow>& rows) const {
    std::vector<std::pair<std::vector<int128>, CellRow>> keyed;
    for (const CellRow& row : rows) keyed.emplace_back(order_key(values(sort.keys, row)), pick(sort.output, row));
    std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<CellRow> result;
    for (std::size_t i = static_cast<std::size_t>(sort.offset); i < keyed.size(); ++i) {
      if (sort.limit && result.size() == static_cast<std::size_t>(*sort.limit)) break;
      result.push_back(keyed[i].second);
    }
    return result;
  }

  static Cell identity(const Aggregate& aggregate) {
    const bool wide = aggregate.state == Lane::kInt128;
    const bool real_state = aggregate.state == Lane::kFloat64;
    if (aggregate.function == AggregateFunction::kMin) {
      return real_state ? real(__builtin_nan("")) : integer(wide ? kInt128Max : int128{INT64_MAX});
    }
    if (aggregate.function == AggregateFunction::kMax) {
      return real_state ? real(-__builtin_inf()) : integer(wide ? kInt128Min : int128{INT64_MIN});
    }
    return {};
  }

  void take_up(const Aggregate& aggregate, const CellRow& row, Cell& state) const {
    if (aggregate.function == AggregateFunction::kCountStar) {
      ++state.integer;
      return;
    }
    const Cell cell = evaluate(aggregate.argument[0], row);
    if (cell.null) return;
    const auto below = [](const Cell& a, const Cell& b) {
      if (a.real != a.real) return false;
      return b.real != b.real || a.real < b.real || a.integer < b.integer;
    };
    if (aggregate.function == AggregateFunction::kCount) ++state.integer;
    if (aggregate.function == AggregateFunction::kSum) state = {false, state.integer + cell.integer, state.real + cell.real};
    if (aggregate.function == AggregateFunction::kMin && below(cell, state)) state = cell;
    if (aggregate.function == AggregateFunction::kMax && below(state, cell)) state = cell;
  }

  std::vector<CellRow> aggregate(const Aggregation& aggregation, const std::vector<CellRow>& rows) const {
    std::map<std::vector<int128>, CellRow> groups;
    CellRow initial;
    for (const Aggregate& aggregate : aggregation.aggregates) initial.push_back(identity(aggregate));
    if (aggregation.layout == Aggregation::Layout::kSingle) groups[{}] = initial;
    for (const CellRow& row : rows) {
      CellRow& states = groups.try_emplace(order_key(values(aggregation.keys, row)), initial).first->second;
      for (std::size_t a = 0; a < states.size(); ++a) take_up(aggregation.aggregates[a], row, states[a]);
    }
    std::vector<CellRow> result;
    for (const auto& [key, states] : groups) {
      CellRow row;
      if (aggregation.layout == Aggregation::Layout::kBuildRow) {
        row = builds_.at(aggregation.build).payload[static_cast<std::size_t>(key[0])];
      } else {
        for (const int128 part : key) row.push_back(integer(part));
      }
      row.insert(row.end(), states.begin(), states.end());
      result.push_back(row);
    }
    return result;
  }

  const Plan& plan_;
  const Fixture& fixture_;
  const Pipeline* pipeline_ = nullptr;
  std::vector<std::vector<CellRow>> outputs_;
  std::map<int, Build> builds_;
};

// Rows in one order, for comparing what has none.
inline std::vector<CellRow> in_order(std::vector<CellRow> rows) {
  const auto key = [](const Cell& cell) {
    return std::tuple(cell.null, cell.null ? 0 : cell.integer, cell.real != cell.real, cell.real != cell.real ? 0 : cell.real);
  };
  std::sort(rows.begin(), rows.end(), [&](const CellRow& a, const CellRow& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [&](const Cell& x, const Cell& y) { return key(x) < key(y); });
  });
  return rows;
}

}  // namespace saccade::cpu_test
