// Window functions. Workers collect rows with their key parts; at the end they are ordered once by partition and order, and
// each function is computed over the rows in that order.
#include <algorithm>
#include <map>

#include "common/error.hpp"
#include "execution/cpu/operators/operator.hpp"
#include "execution/cpu/radix_sort.hpp"
#include "execution/cpu/row_buffer.hpp"
#include "execution/cpu/text_order.hpp"
#include "execution/cpu/window_aggregate.hpp"
#include "execution/cpu/window_function.hpp"
#include "physical/node.hpp"

namespace saccade::cpu {
namespace {

constexpr std::int64_t kTaskRows = 1 << 15;

class WindowSink : public Sink {
 public:
  WindowSink(const physical::Window& window, PipelineRun& run) : run_(run), window_(window) {
    for (const physical::Node& part : window.partition) collect_part(part);
    for (const physical::Node& part : window.order) collect_part(part);
    for (const int slot : window.output) collect_slot(slot);
    for (const physical::Frame& frame : window.frames) {
      if (frame.range_slot >= 0) collect_slot(frame.range_slot);
    }
    for (const physical::WindowFunction& function : window.functions) {
      check(function);
      if (function.value_slot >= 0) collect_slot(function.value_slot);
      if (!function.number.empty()) collect(function.number[0]);
      if (!function.aggregate.argument.empty()) collect(function.aggregate.argument[0]);
    }
    for (int w = 0; w < run.threads; ++w) buffers_.push_back(std::make_unique<RowBuffer>(columns_, run));
  }

  void mark_slots(std::vector<bool>& slots) const override {
    for (const int expression : expressions_) run_.program.mark_slots(expression, slots);
  }

  void consume(int worker, Batch& batch, const MorselPlace& place) override {
    std::vector<Vector> vectors;
    vectors.reserve(expressions_.size());
    for (const int expression : expressions_) vectors.push_back(batch.evaluate_dense(expression));
    buffers_[static_cast<std::size_t>(worker)]->append(vectors, batch.count(), place);
  }

  std::shared_ptr<PipelineOutput> finish() override {
    order_rows();
    RowSet result;
    result.rows = rows_out_ = sorted_.rows;
    for (const int slot : window_.output) result.columns.push_back(column(slot_node(slot)));
    std::vector<FrameBounds> frames;
    for (const physical::Frame& frame : window_.frames) {
      const LaneColumn* key = frame.range_slot >= 0 ? &column(slot_node(frame.range_slot)) : nullptr;
      frames.emplace_back(frame, *rows_, key);
    }
    for (const physical::WindowFunction& function : window_.functions) result.columns.push_back(compute(function, frames));
    return std::make_shared<HostRows>(std::move(result));
  }

  std::int64_t rows_out() const override { return rows_out_; }

 private:
  // What a function of this kind reads is there, in a lane that it can read.
  void check(const physical::WindowFunction& function) const {
    const WindowKind kind = function.kind;
    const bool value = kind == WindowKind::kLag || kind == WindowKind::kLead || kind == WindowKind::kFirstValue ||
                       kind == WindowKind::kLastValue || kind == WindowKind::kNthValue;
    const bool number = (kind >= WindowKind::kNtile && kind <= WindowKind::kLeadOutside) || kind == WindowKind::kNthValue;
    const bool frame = kind >= WindowKind::kFirstValue;
    SACCADE_CHECK(value == (function.value_slot >= 0) && number == (function.number.size() == 1));
    SACCADE_CHECK(!number || function.number[0].lane == Lane::kInt64);
    SACCADE_CHECK(frame == (function.frame >= 0) && function.frame < static_cast<int>(window_.frames.size()));
  }

  physical::Node slot_node(int slot) const { return physical::slot_node(run_.pipeline, slot); }

  void collect(const physical::Node& node) {
    const int expression = run_.program.add(node);
    if (!places_.emplace(expression, columns_.size()).second) return;
    expressions_.push_back(expression);
    columns_.push_back({node.lane, node.nullable});
  }
  void collect_slot(int slot) { collect(slot_node(slot)); }
  void collect_part(const physical::Node& node) {
    SACCADE_CHECK((node.lane == Lane::kInt64 || node.lane == Lane::kText) && !node.nullable);
    collect(is_descending_text(node) ? node.arguments[0] : node);
  }

  static bool is_descending_text(const physical::Node& node) {
    return node.kind == physical::NodeKind::kTextCall && node.text_function == TextFunctionId::descending_text;
  }

  // The values of a key part; of text the ranks of its strings, which `ranks` keeps.
  const std::int64_t* part_values(const physical::Node& node, const RowSet& all, std::vector<LaneColumn>& ranks) const {
    const bool descending = is_descending_text(node);
    const LaneColumn& values = all.columns[place_of(descending ? node.arguments[0] : node)];
    if (values.lane != Lane::kText) return values.as<std::int64_t>();
    ranks.push_back(rank_texts(values, all.rows, descending, run_));
    return ranks.back().as<std::int64_t>();
  }

  std::size_t place_of(const physical::Node& node) const { return places_.at(run_.program.add(node)); }
  const LaneColumn& column(const physical::Node& node) const { return sorted_.columns[place_of(node)]; }

  void order_rows() {
    RowSet all = concatenate(buffers_, run_);
    std::vector<const std::int64_t*> parts;
    std::vector<LaneColumn> ranks;
    for (const physical::Node& part : window_.partition) parts.push_back(part_values(part, all, ranks));
    for (const physical::Node& part : window_.order) parts.push_back(part_values(part, all, ranks));
    const auto places = Buffer::allocate(all.rows * 8, run_.memory());
    {
      const std::unique_ptr<Buffer> order = sorted_rows(parts, all.rows, run_);
      const auto* entries = order->as<SortEntry>();
      for (std::int64_t i = 0; i < all.rows; ++i) places->as<std::int64_t>()[i] = entries[i].row;
    }
    const auto split = static_cast<std::ptrdiff_t>(window_.partition.size());
    const auto* begin = parts.data();
    rows_ = std::make_unique<WindowRows>(std::span(begin, begin + split),
                                         std::span(begin + split, begin + static_cast<std::ptrdiff_t>(parts.size())),
                                         places->as<std::int64_t>(), all.rows, run_);
    sorted_.rows = all.rows;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      sorted_.columns.push_back(in_order(all.columns[c], columns_[c], places->as<std::int64_t>(), all.rows));
      all.columns[c] = {};
    }
  }

  LaneColumn in_order(const LaneColumn& from, const CollectedColumn& shape, const std::int64_t* places,
                      std::int64_t rows) const {
    const VectorKernels& k = kernels().vector;
    const std::int64_t width = lane_bytes(shape.lane);
    const auto gather = width == 1 ? k.gather1_far : width == 8 ? k.gather8_far : k.gather16_far;
    const ColumnStorage storage = allocate_column(shape, rows, run_.memory());
    run_.for_each_range(rows, kTaskRows, [&](std::int64_t begin, std::int64_t end) {
      gather(from.values->data(), places + begin, storage.values->data() + begin * width, end - begin);
      if (storage.valid != nullptr)
        k.gather1_far(from.valid->data(), places + begin, storage.valid->data() + begin, end - begin);
    });
    return storage.column(shape.lane);
  }

  LaneColumn compute(const physical::WindowFunction& function, const std::vector<FrameBounds>& frames) const {
    run_.check_cancelled();
    const FrameBounds* frame = function.frame >= 0 ? &frames[static_cast<std::size_t>(function.frame)] : nullptr;
    if (function.kind == WindowKind::kAggregate) {
      const auto& argument = function.aggregate.argument;
      return frame_states(function.aggregate, argument.empty() ? nullptr : &column(argument[0]), *frame, *rows_, run_);
    }
    WindowInputs inputs;
    inputs.frame = frame;
    if (function.value_slot >= 0) inputs.value = &column(slot_node(function.value_slot));
    if (!function.number.empty()) inputs.number = &column(function.number[0]);
    return window_function(function.kind, inputs, *rows_, run_);
  }

  PipelineRun& run_;
  const physical::Window& window_;
  std::vector<int> expressions_;  // collected, with columns_
  std::vector<CollectedColumn> columns_;
  std::map<int, std::size_t> places_;  // expression > column
  std::vector<std::unique_ptr<RowBuffer>> buffers_;
  RowSet sorted_;  // the collected columns in order
  std::unique_ptr<WindowRows> rows_;
  std::int64_t rows_out_ = 0;
};

}  // namespace

std::unique_ptr<Sink> make_window(const physical::Window& window, PipelineRun& run) {
  return std::make_unique<WindowSink>(window, run);
}

}  // namespace saccade::cpu
