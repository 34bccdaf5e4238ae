#include "physical/explain.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace saccade::physical {

namespace {

std::string grouped(double number) {
  std::string digits = fmt::format("{:.0f}", std::max(number, 0.0));
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string bytes_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.1f} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.1f} MB", bytes / 1e6);
  return fmt::format("{:.1f} kB", bytes / 1e3);
}

std::string milliseconds(double seconds) {
  return fmt::format("{:.3f} ms", seconds * 1e3);
}

std::string slot_names(const Pipeline& pipeline, const std::vector<int>& slots) {
  std::string text;
  for (const int slot : slots) {
    const std::string& name = pipeline.slots[static_cast<std::size_t>(slot)].name;
    text += (text.empty() ? "" : ", ") + (name.empty() ? fmt::format("#{}", slot) : name);
  }
  return text;
}

std::string source_line(const Pipeline& pipeline) {
  if (const auto* scan = std::get_if<TableScan>(&pipeline.source)) {
    std::string columns;
    for (const TableScan::ScanColumn& column : scan->columns) {
      columns += columns.empty() ? ": " : ", ";
      columns += fmt::format("{} ({})", pipeline.slots[static_cast<std::size_t>(column.slot)].name, to_string(column.encoding));
    }
    return fmt::format("scan {}{}; {} rows", scan->table, columns, grouped(static_cast<double>(scan->rows)));
  }
  if (const auto* scan = std::get_if<OutputScan>(&pipeline.source)) return fmt::format("read pipeline {}", scan->pipeline);
  if (const auto* scan = std::get_if<BuildScan>(&pipeline.source))
    return fmt::format("{} rows of the build of pipeline {}",
                       scan->which == BuildScan::Which::kMatched ? "matched" : "unmatched", scan->build);
  if (const auto* concatenation = std::get_if<Concatenation>(&pipeline.source)) {
    std::vector<int> numbers;
    for (const OutputScan& input : concatenation->inputs) numbers.push_back(input.pipeline);
    return fmt::format("read pipelines {}", fmt::join(numbers, ", "));
  }
  if (const auto* values = std::get_if<ValueRows>(&pipeline.source))
    return fmt::format("values; {} rows", grouped(static_cast<double>(values->rows)));
  return "one row";
}

const char* layout_text(JoinBuild::Layout layout) {
  return layout == JoinBuild::Layout::kDense ? "dense" : layout == JoinBuild::Layout::kHash ? "hash" : "all rows";
}

const char* matches_text(const JoinBuild& build) {
  return build.distinct ? "distinct" : build.unique ? "unique" : "multi-match";
}

std::string probe_line(const Plan& plan, const Probe& probe) {
  static constexpr const char* kNames[] = {"join", "left join", "semi join", "anti join", "mark join", "mark matches"};
  const auto& build = std::get<JoinBuild>(plan.pipelines[static_cast<std::size_t>(probe.build)].sink);
  return fmt::format("{}{}{} ({}, {}) with pipeline {}", kNames[static_cast<int>(probe.kind)], probe.text.empty() ? "" : " ",
                     probe.text, layout_text(build.layout), matches_text(build), probe.build);
}

std::string step_line(const Plan& plan, const Pipeline& pipeline, const Step& step) {
  if (const auto* filter = std::get_if<Filter>(&step))
    return fmt::format("filter {}; estimated {:.3g}", filter->text, filter->selectivity);
  if (const auto* compute = std::get_if<Compute>(&step)) return "compute " + slot_names(pipeline, compute->slots);
  if (std::holds_alternative<Repeat>(step)) return "repeat rows";
  return probe_line(plan, std::get<Probe>(step));
}

std::string aggregate_text(const Aggregation& sink) {
  switch (sink.layout) {
    case Aggregation::Layout::kSingle:
      return "aggregate all rows";
    case Aggregation::Layout::kPerfect:
      return fmt::format("aggregate by key (perfect, {} slots)", sink.groups);
    case Aggregation::Layout::kBuildRow:
      return fmt::format("aggregate by row of the build of pipeline {} (dense)", sink.build);
    case Aggregation::Layout::kHash:
      return fmt::format("aggregate by key (hash, estimated {} groups)", grouped(sink.estimated_groups));
  }
  return {};
}

std::string states_text(const Aggregation& sink) {
  std::string text;
  static constexpr const char* kNames[] = {"count(*)", "count", "sum", "min", "max"};
  for (const Aggregate& aggregate : sink.aggregates) {
    text += text.empty() ? "" : ", ";
    text += fmt::format("{} {}", kNames[static_cast<int>(aggregate.function)], to_string(aggregate.state));
  }
  return text;
}

std::string exchange_text(const Exchange& sink, const ExplainOptions& options) {
  std::string text =
      fmt::format("exchange over {}: {}; estimated {} rows", options.communicator, sink.text, grouped(sink.estimated_rows));
  if (sink.kind == Exchange::Kind::kGather) return text + "; predicted: gather " + milliseconds(sink.broadcast_seconds);
  return text + fmt::format("; predicted: broadcast {}, shuffle {}", milliseconds(sink.broadcast_seconds),
                            milliseconds(sink.shuffle_seconds));
}

std::string sink_line(const Pipeline& pipeline, const ExplainOptions& options) {
  if (const auto* build = std::get_if<JoinBuild>(&pipeline.sink)) {
    return fmt::format("build join table ({}, {}{}{}); estimated {} rows", layout_text(build->layout), matches_text(*build),
                       build->assumed_column >= 0 ? ", assumed" : "", build->track_matches ? ", tracks matches" : "",
                       grouped(build->estimated_rows));
  }
  if (const auto* aggregation = std::get_if<Aggregation>(&pipeline.sink))
    return aggregate_text(*aggregation) + ": " + states_text(*aggregation);
  if (const auto* sort = std::get_if<Sort>(&pipeline.sink)) {
    const std::string what = sort->keys.empty() ? "limit" : sort->limit ? "top-n" : "sort";
    return sort->limit ? fmt::format("{} {} offset {}", what, *sort->limit, sort->offset) : what;
  }
  if (const auto* exchange = std::get_if<Exchange>(&pipeline.sink)) return exchange_text(*exchange, options);
  if (const auto* insert = std::get_if<Insert>(&pipeline.sink)) return "insert into " + insert->table;
  if (const auto* collect = std::get_if<Collect>(&pipeline.sink))
    return collect->output.empty() ? "keep nothing" : "keep " + slot_names(pipeline, collect->output);
  if (const auto* window = std::get_if<Window>(&pipeline.sink))
    return fmt::format("window ({} partition keys, {} sort keys): {} functions", window->partition.size(), window->order.size(),
                       window->functions.size());
  return "result " + slot_names(pipeline, std::get<Result>(pipeline.sink).output);
}

std::string measured_line(const MeasuredPipeline& measured) {
  std::string text =
      fmt::format("  measured: {}, {} rows in, {} out", milliseconds(measured.seconds),
                  grouped(static_cast<double>(measured.rows_in)), grouped(static_cast<double>(measured.rows_out)));
  if (measured.bytes > 0 && measured.seconds > 0) {
    const double bandwidth = static_cast<double>(measured.bytes) / measured.seconds;
    text += fmt::format(", {}, {:.1f} GB/s", bytes_text(static_cast<double>(measured.bytes)), bandwidth / 1e9);
  }
  if (measured.chunks > 0) text += fmt::format(", zone maps skipped {} of {} chunks", measured.chunks_skipped, measured.chunks);
  if (measured.launches > 0) {
    text += fmt::format(", {} launches, {} synchronisations, {} allocations, {} compilations", measured.launches,
                        measured.synchronisations, measured.allocations, measured.compilations);
  }
  if (measured.exchange_seconds > 0)
    text += fmt::format("; exchange {}, {}", milliseconds(measured.exchange_seconds),
                        bytes_text(static_cast<double>(measured.exchange_bytes)));
  return text;
}

// The bytes of a row behind the source and behind each step, as far as slots are filled by then.
class RowWidth {
 public:
  explicit RowWidth(const Pipeline& pipeline) : pipeline_(pipeline) {
    if (const auto* scan = std::get_if<TableScan>(&pipeline.source)) {
      for (const TableScan::ScanColumn& column : scan->columns) add(column.slot);
    } else if (const auto* scan = std::get_if<OutputScan>(&pipeline.source)) {
      add(scan->slots);
    } else if (const auto* scan = std::get_if<BuildScan>(&pipeline.source)) {
      add(scan->slots);
    } else if (const auto* concatenation = std::get_if<Concatenation>(&pipeline.source)) {
      add(concatenation->inputs.front().slots);
    } else if (const auto* values = std::get_if<ValueRows>(&pipeline.source)) {
      add(values->slots);
    }
  }
  void add_step(const Step& step) {
    if (const auto* compute = std::get_if<Compute>(&step)) add(compute->slots);
    if (const auto* probe = std::get_if<Probe>(&step)) add(probe->payload);
  }
  std::string text() const { return fmt::format("; {} bytes a row", bytes_); }

 private:
  void add(int slot) {
    if (slot >= 0) bytes_ += lane_bytes(pipeline_.slots[static_cast<std::size_t>(slot)].lane);
  }
  void add(const std::vector<int>& slots) {
    for (const int slot : slots) add(slot);
  }

  const Pipeline& pipeline_;
  int bytes_ = 0;
};

}  // namespace

std::vector<std::string> explain(const Plan& plan, const ExplainOptions& options,
                                 const std::vector<MeasuredPipeline>& measured) {
  std::vector<std::string> lines;
  for (const Pipeline& pipeline : plan.pipelines) {
    const auto index = static_cast<std::size_t>(pipeline.id);
    const bool on_host = pipeline.placement == Placement::kHost;
    const std::string device = on_host ? "cpu" : options.device;
    RowWidth width(pipeline);
    const auto width_text = [&] { return options.workers > 0 ? width.text() : std::string(); };
    const bool workers = options.workers > 0 && device == "cpu";
    lines.push_back(
        fmt::format("pipeline {} ({}{})", pipeline.id, device, workers ? fmt::format(", {} workers", options.workers) : ""));
    lines.push_back("  " + source_line(pipeline) + width_text());
    for (const Step& step : pipeline.steps) {
      width.add_step(step);
      lines.push_back("  " + step_line(plan, pipeline, step) + width_text());
    }
    lines.push_back("  " + sink_line(pipeline, options));
    if (index >= measured.size() || !measured[index].known) continue;
    lines.push_back(measured_line(measured[index]));
    for (const MeasuredStep& step : measured[index].steps)
      lines.push_back(fmt::format("    {}: {} rows", step.name, grouped(static_cast<double>(step.rows))));
  }
  return lines;
}

}  // namespace saccade::physical
