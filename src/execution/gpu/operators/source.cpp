// Scans: the columns of a table in their encoded form, or the dense lanes of an earlier pipeline.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "execution/gpu/operators/operators.hpp"

namespace saccade::gpu {

namespace {

using physical::OutputScan;
using physical::TableScan;

// The unit in which memory is read.
constexpr double kSectorBytes = 32;

// Where `share` of the rows is left, whether more than half of the sectors of a column of `width` bytes hold one of them: such
// a column is loaded at the head of the tile, at the same time as others.
bool load_at_once(double share, int width) {
  return width == 0 || std::pow(1 - share, kSectorBytes / width) < 0.5;
}

std::string stored_type(const TableScan::ScanColumn& column, Item lane) {
  switch (column.encoding.form) {
    case Form::kConstant:
      return "void";
    case Form::kNarrowed:
    case Form::kDictionary:
      return column.encoding.width == 1 ? "u8" : column.encoding.width == 2 ? "u16" : "u32";
    case Form::kPlain:
      break;
  }
  return lane == Item::kInt ? "i64" : gpu::stored_type(lane);
}

// Codes and narrow integers are bounded by their width even where the plan says nothing.
std::optional<Bounds> scan_bounds(const TableScan::ScanColumn& column, const physical::Slot& slot) {
  if (slot.bounds || slot.lane != Lane::kInt64) return slot.bounds;
  if (column.encoding.form == Form::kConstant) return Bounds{column.base, column.base};
  if (column.encoding.form == Form::kPlain) return std::nullopt;
  return Bounds{column.base, column.base + ((int128{1} << 8 * column.encoding.width) - 1)};
}

void name_column(KernelWriter& writer, int index, int slot, int width, const std::string& stored, Item item, bool nullable,
                 const char* nulls, std::optional<Bounds> bounds, const std::string& comment) {
  const std::string name = writer.slot_name(slot);
  const std::string type = nullable ? fmt::format("Column<{}, {}, Nulls::{}>", stored, item_type(item), nulls)
                                    : fmt::format("Column<{}, {}>", stored, item_type(item));
  const std::string argument = writer.argument(
      {.kind = ArgumentKind::kColumn, .index = index, .type = type, .name = name, .comment = comment, .bytes = 24});
  writer.slot(slot) = {.text = name,
                       .item = item,
                       .nullable = nullable,
                       .bounds = std::move(bounds),
                       .pending = fmt::format("tile.load({})", argument),
                       .comment = comment,
                       .width = width};
}

void emit_table_scan(KernelWriter& writer, const TableScan& scan) {
  for (std::size_t i = 0; i < scan.columns.size(); ++i) {
    const TableScan::ScanColumn& column = scan.columns[i];
    const physical::Slot& slot = writer.pipeline().slots.at(static_cast<std::size_t>(column.slot));
    const std::optional<Bounds> bounds = scan_bounds(column, slot);
    const Item item = item_of(slot.lane, bounds);
    name_column(writer, static_cast<int>(i), column.slot, column.encoding.width, stored_type(column, item), item, slot.nullable,
                "kBits", bounds, fmt::format("scan {}: {}", scan.table, to_string(column.encoding)));
  }
}

// Dense lanes.
void emit_lanes(KernelWriter& writer, const std::vector<int>& slots, const std::string& comment) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] < 0) continue;
    const physical::Slot& slot = writer.pipeline().slots.at(static_cast<std::size_t>(slots[i]));
    const Item stored = item_of(slot.lane);
    const Item item = item_of(slot.lane, slot.bounds);
    name_column(writer, static_cast<int>(i), slots[i], item_bytes(stored), gpu::stored_type(stored), item, slot.nullable,
                "kBytes", slot.bounds, comment);
  }
}

}  // namespace

void emit_source(KernelWriter& writer) {
  writer.argument({.kind = ArgumentKind::kRows, .type = "i64", .name = "rows", .comment = {}});
  writer.argument({.kind = ArgumentKind::kStatus, .type = "Status*", .name = "status", .comment = {}});
  if (const auto* table = std::get_if<TableScan>(&writer.pipeline().source)) emit_table_scan(writer, *table);
  if (const auto* output = std::get_if<OutputScan>(&writer.pipeline().source))
    emit_lanes(writer, output->slots, fmt::format("read pipeline {}", output->pipeline));
  if (const auto* build = std::get_if<physical::BuildScan>(&writer.pipeline().source))
    emit_lanes(writer, build->slots, fmt::format("rows of build {}", build->build));
  if (const auto* inputs = std::get_if<physical::Concatenation>(&writer.pipeline().source))
    emit_lanes(writer, inputs->inputs.front().slots, "read several pipelines");
}

void load_early(KernelWriter& writer) {
  double share = 1;
  const auto load = [&](const physical::Node& node, auto&& self) -> void {
    if (node.kind == physical::NodeKind::kSlot) {
      const int width = writer.slot(node.index).width;
      if (width >= 0 && load_at_once(share, width)) writer.need_slot(node.index);
    }
    for (const physical::Node& argument : node.arguments) self(argument, self);
  };
  for (const physical::Step& step : writer.pipeline().steps) {
    if (const auto* filter = std::get_if<physical::Filter>(&step)) {
      load(filter->predicate, load);
      share *= filter->selectivity;
    } else if (const auto* compute = std::get_if<physical::Compute>(&step)) {
      for (const physical::Node& node : compute->expressions) load(node, load);
    } else {
      for (const physical::Node& node : std::get<physical::Probe>(step).keys) load(node, load);
      return;  // what a join leaves is not known
    }
  }
  if (const auto* aggregation = std::get_if<physical::Aggregation>(&writer.pipeline().sink)) {
    for (const physical::Node& node : aggregation->keys) load(node, load);
    for (const physical::Aggregate& aggregate : aggregation->aggregates) {
      for (const physical::Node& node : aggregate.argument) load(node, load);
    }
  }
}

}  // namespace saccade::gpu
