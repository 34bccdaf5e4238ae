// Filters, computed slots and joins.
#include <fmt/format.h>

#include <algorithm>

#include "execution/gpu/operators/operators.hpp"

namespace saccade::gpu {

namespace {

using physical::JoinBuild;
using physical::NodeKind;
using physical::Probe;

// Where an estimated share below this is left, whole warps run out of rows: they go on with their next tile.
constexpr double kSkipShare = 1.0 / 256;

const JoinBuild& build_of(const KernelWriter& writer, const Probe& probe) {
  return std::get<JoinBuild>(writer.plan().pipelines.at(static_cast<std::size_t>(probe.build)).sink);
}

// "orders" for a build that scans orders.
std::string build_name(const KernelWriter& writer, const Probe& probe) {
  const physical::Pipeline& build = writer.plan().pipelines.at(static_cast<std::size_t>(probe.build));
  const auto* scan = std::get_if<physical::TableScan>(&build.source);
  if (scan == nullptr) return fmt::format("build_{}", probe.build);
  std::string name = scan->table.substr(scan->table.find_last_of('/') + 1);
  return name.substr(0, name.find_last_of('.'));
}

std::string build_type(const KernelWriter& writer, const Probe& probe, const std::vector<Printed>& keys) {
  const JoinBuild& build = build_of(writer, probe);
  if (build.layout == JoinBuild::Layout::kHash) return fmt::format("HashBuild<{}>", build.keys.size());
  return fmt::format("{}<{}>", build_needs_rows(writer.plan(), probe.build) ? "DenseBuild" : "BitmapBuild",
                     offset_type(keys.at(0), build.key_bounds));
}

// Payload is fetched by row when it is first needed.
void name_payload(KernelWriter& writer, const Probe& probe, const std::string& name, const std::string& rows) {
  const std::vector<physical::Slot> payload = physical::payload_slots(writer.plan(), probe.build);
  for (std::size_t i = 0; i < probe.payload.size(); ++i) {
    if (probe.payload[i] < 0) continue;
    const EmittedColumn column = payload_column(payload.at(i));
    const std::string slot_name = writer.slot_name(probe.payload[i]);
    const std::string type = fmt::format("Column<{}, {}{}>", stored_type(column.item), item_type(column.item),
                                         column.nullable ? ", Nulls::kBytes" : "");
    const std::string comment = fmt::format("join {}: column of the build", name);
    const std::string argument = writer.argument({.kind = ArgumentKind::kPayload,
                                                  .index = probe.build,
                                                  .part = static_cast<int>(i),
                                                  .type = type,
                                                  .name = fmt::format("{}_{}", name, slot_name),
                                                  .comment = {},
                                                  .bytes = 24});
    writer.slot(probe.payload[i]) = {.text = slot_name,
                                     .item = column.item,
                                     .nullable = column.nullable,
                                     .bounds = payload[i].bounds,
                                     .pending = fmt::format("tile.fetch({}, {})", argument, rows),
                                     .comment = comment};
  }
  if (probe.row_slot >= 0)
    writer.slot(probe.row_slot) = {.text = rows, .item = Item::kInt64, .bounds = {}, .pending = {}, .comment = {}};
}

}  // namespace

const char* offset_type(const Printed& key, const Bounds& bounds) {
  return key.item == Item::kInt && is_narrow(bounds) ? "u32" : "u64";
}

void emit_filter(KernelWriter& writer, const physical::Filter& filter) {
  // Each conjunct narrows the tile for those behind it.
  std::vector<physical::Node> conjuncts{filter.predicate};
  if (filter.predicate.kind == NodeKind::kAnd) conjuncts = filter.predicate.arguments;
  bool first = true;
  for (const physical::Node& conjunct : conjuncts) {
    writer.line(fmt::format("tile.keep({});", writer.value(conjunct).text), first ? "filter " + filter.text : "");
    first = false;
  }
  if (filter.selectivity < kSkipShare) writer.line("if (tile.none()) continue;");
}

void emit_compute(KernelWriter& writer, const physical::Compute& compute) {
  for (std::size_t i = 0; i < compute.slots.size(); ++i) {
    Printed value = writer.value(compute.expressions[i]);
    const physical::Slot& slot = writer.pipeline().slots.at(static_cast<std::size_t>(compute.slots[i]));
    if (slot.bounds && (!value.bounds || is_narrow(*slot.bounds))) value.bounds = slot.bounds;
    if (value.item == Item::kInt64 && value.bounds && is_narrow(*value.bounds)) {
      value.item = Item::kInt;
      value.text = "narrow(" + value.text + ")";
    }
    const std::string name = writer.slot_name(compute.slots[i]);
    writer.line(fmt::format("auto {} = {};", name, value.text), i == 0 ? "compute" : "");
    writer.slot(compute.slots[i]) = {
        .text = name, .item = value.item, .nullable = value.nullable, .bounds = value.bounds, .pending = {}, .comment = {}};
  }
}

void emit_probe(KernelWriter& writer, const Probe& probe) {
  const JoinBuild& build = build_of(writer, probe);
  std::vector<Printed> keys;
  std::string list;
  for (const physical::Node& key : probe.keys) {
    keys.push_back(writer.value(key));
    list += ", " + keys.back().text;
  }
  const std::string name = writer.unique_name(build_name(writer, probe));
  const std::string argument = writer.argument(
      {.kind = ArgumentKind::kBuild,
       .index = probe.build,
       .type = build_type(writer, probe, keys),
       .name = name,
       .comment = fmt::format("pipeline {}", probe.build),
       .bytes = build.layout == JoinBuild::Layout::kDense ? 24 : 24 + 8 * static_cast<std::int64_t>(build.keys.size())});
  const std::string comment =
      fmt::format("join {} ({}, {})", probe.text, build.layout == JoinBuild::Layout::kDense ? "dense" : "hash",
                  build.unique ? "unique" : "multi-match");
  if (!build.unique) {
    writer.open(fmt::format("for (Matches {0}(tile, {1}{2}); {0}.any(); {0}.next({1})) {{", name, argument, list), comment);
    writer.line(fmt::format("Tile tile = {}.tile();", name));
    name_payload(writer, probe, name, name + ".rows()");
    return;
  }
  const bool rows = build.layout == JoinBuild::Layout::kHash || build_needs_rows(writer.plan(), probe.build);
  writer.line(fmt::format("{}tile.probe({}{});", rows ? "auto " + name + " = " : "", argument, list), comment);
  writer.line("if (tile.none()) continue;");
  name_payload(writer, probe, name, name);
}

}  // namespace saccade::gpu
