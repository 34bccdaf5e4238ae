// Filters, computed slots and joins.
#include <fmt/format.h>

#include <algorithm>

#include "execution/gpu/operators/operators.hpp"

namespace saccade::gpu {

namespace {

using physical::JoinBuild;
using physical::NodeKind;
using physical::Probe;
using physical::ProbeKind;

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
  if (build.layout == JoinBuild::Layout::kAllRows) return "AllRowsBuild";
  if (build.layout == JoinBuild::Layout::kHash) return fmt::format("HashBuild<{}>", build.keys.size());
  return fmt::format("{}<{}>", build_needs_rows(writer.plan(), probe.build) ? "DenseBuild" : "BitmapBuild",
                     offset_type(keys.at(0), build.key_bounds));
}

std::int64_t build_bytes(const JoinBuild& build) {
  if (build.layout == JoinBuild::Layout::kAllRows) return 8;
  return build.layout == JoinBuild::Layout::kDense ? 24 : 24 + 8 * static_cast<std::int64_t>(build.keys.size());
}

const char* layout_name(const JoinBuild& build) {
  if (build.layout == JoinBuild::Layout::kAllRows) return "all rows";
  return build.layout == JoinBuild::Layout::kDense ? "dense" : "hash";
}

// A probe that is being printed.
struct ProbeText {
  const Probe& probe;
  const JoinBuild& build;
  std::string name;      // of the rows, or of what walks over them
  std::string argument;  // the build
  std::string keys;      // ", " before each
  std::string comment;
};

// Payload is fetched by row when it is first needed.
void name_payload(KernelWriter& writer, const ProbeText& text, const std::string& rows) {
  const Probe& probe = text.probe;
  const bool some = probe.kind == ProbeKind::kLeft;
  const std::vector<physical::Slot> payload = physical::payload_slots(writer.plan(), probe.build);
  for (std::size_t i = 0; i < probe.payload.size(); ++i) {
    if (probe.payload[i] < 0) continue;
    const EmittedColumn column = payload_column(payload.at(i));
    const std::string slot_name = writer.slot_name(probe.payload[i]);
    const std::string type = fmt::format("Column<{}, {}{}>", stored_type(column.item), item_type(column.item),
                                         column.nullable ? ", Nulls::kBytes" : "");
    const std::string comment = fmt::format("join {}: column of the build", text.name);
    const std::string argument = writer.argument({.kind = ArgumentKind::kPayload,
                                                  .index = probe.build,
                                                  .part = static_cast<int>(i),
                                                  .type = type,
                                                  .name = fmt::format("{}_{}", text.name, slot_name),
                                                  .comment = {},
                                                  .bytes = 24});
    writer.slot(probe.payload[i]) = {.text = slot_name,
                                     .item = column.item,
                                     .nullable = column.nullable || some,
                                     .bounds = payload[i].bounds,
                                     .pending = fmt::format("tile.{}({}, {})", some ? "fetch_some" : "fetch", argument, rows),
                                     .comment = comment};
  }
  if (probe.row_slot >= 0)
    writer.slot(probe.row_slot) = {.text = rows, .item = Item::kInt64, .bounds = {}, .pending = {}, .comment = {}};
}

// Where the build tracks matches: the rows of the pairs that are left.
void emit_note_matches(KernelWriter& writer, const ProbeText& text, const std::string& rows) {
  if (!text.build.track_matches) return;
  const std::string matched = writer.argument({.kind = ArgumentKind::kMatched,
                                               .index = text.probe.build,
                                               .type = "u8*",
                                               .name = writer.unique_name(text.name + "_matched"),
                                               .comment = {}});
  writer.line(fmt::format("note_matches(tile, {}, {});", matched, rows), "which rows of the build have a partner");
}

// Slots of the probing side are loaded before a loop is opened: what is named within one is gone behind it.
void need_outside(KernelWriter& writer, const Probe& probe) {
  for (const physical::Node& condition : probe.condition) writer.need(condition);
}

void open_matches(KernelWriter& writer, const ProbeText& text, const char* walker, const std::string& settled) {
  writer.open(fmt::format("for ({4} {0}(tile, {1}{2}); {0}.any(); {0}.next({1}{3})) {{", text.name, text.argument, text.keys,
                          settled.empty() ? "" : ", " + settled, walker),
              text.comment);
  writer.line(fmt::format("Tile tile = {}.tile();", text.name));
  name_payload(writer, text, text.name + ".rows()");
}

// One row out for each pair: the loop stays open for what follows.
void emit_pairs(KernelWriter& writer, const ProbeText& text) {
  const Probe& probe = text.probe;
  const bool left = probe.kind == ProbeKind::kLeft;
  open_matches(writer, text, left ? "MatchesOrNone" : "Matches", "");
  const std::string condition = probe.condition.empty() ? "" : writer.value(probe.condition.front()).text;
  if (left) {
    const std::string pairs = condition.empty() ? "" : ", [&](const Tile& tile) { return " + condition + "; }";
    writer.line(fmt::format("{}.keep_pairs(tile{});", text.name, pairs), "join condition");
  } else if (!condition.empty()) {
    writer.line(fmt::format("tile.keep({});", condition), "join condition");
  }
  emit_note_matches(writer, text, text.name + ".rows()");
}

// One row out for each pair, of which a row has one at most.
void emit_single(KernelWriter& writer, const ProbeText& text) {
  const bool rows = text.build.layout == JoinBuild::Layout::kHash || build_needs_rows(writer.plan(), text.probe.build);
  writer.line(fmt::format("{}tile.probe({}{});", rows ? "auto " + text.name + " = " : "", text.argument, text.keys),
              text.comment);
  writer.line("if (tile.none()) continue;");
  name_payload(writer, text, text.name);
  if (!text.probe.condition.empty())
    writer.line(fmt::format("tile.keep({});", writer.value(text.probe.condition.front()).text), "join condition");
  emit_note_matches(writer, text, text.name);
}

// Which rows have a pair at all: the name of a Values<bool>.
std::string emit_existence(KernelWriter& writer, const ProbeText& text) {
  const bool walks = !text.probe.condition.empty() || text.build.track_matches;
  const std::string found = writer.unique_name(text.name + "_found");
  if (!walks) {
    writer.line(fmt::format("auto {} = has_key(tile, {}{});", found, text.argument, text.keys), text.comment);
    return found;
  }
  need_outside(writer, text.probe);
  writer.line(fmt::format("Values<bool> {} = no_rows();", found));
  // A row is settled by its first match, except where each build row is to learn of its own.
  open_matches(writer, text, "Matches", text.build.track_matches ? "" : found);
  if (!text.probe.condition.empty())
    writer.line(fmt::format("tile.keep({});", writer.value(text.probe.condition.front()).text), "join condition");
  emit_note_matches(writer, text, text.name + ".rows()");
  writer.line(fmt::format("note({}, tile);", found));
  writer.close();
  return found;
}

void emit_settled(KernelWriter& writer, const ProbeText& text, const std::string& found) {
  switch (text.probe.kind) {
    case ProbeKind::kMark:
      writer.slot(text.probe.mark_slot) = {
          .text = found, .item = Item::kBoolean, .nullable = false, .bounds = {}, .pending = {}, .comment = {}};
      return;
    case ProbeKind::kTrack:
      writer.line("tile.restrict_to(0);", "only the build has learned");
      break;
    case ProbeKind::kAnti:
      writer.line(fmt::format("tile.keep(negation({}));", found));
      break;
    default:
      writer.line(fmt::format("tile.keep({});", found));
      break;
  }
  writer.line("if (tile.none()) continue;");
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
  const std::string argument = writer.argument({.kind = ArgumentKind::kBuild,
                                                .index = probe.build,
                                                .type = build_type(writer, probe, keys),
                                                .name = name,
                                                .comment = fmt::format("pipeline {}", probe.build),
                                                .bytes = build_bytes(build)});
  constexpr const char* kKinds[] = {"join", "left join", "semi join", "anti join", "mark join", "matches"};
  const std::string comment = fmt::format("{} {} ({}, {})", kKinds[static_cast<int>(probe.kind)], probe.text,
                                          layout_name(build), build.unique ? "unique" : "multi-match");
  const ProbeText text{probe, build, name, argument, list, comment};
  if (probe.kind == ProbeKind::kLeft || (probe.kind == ProbeKind::kInner && !build.unique)) {
    emit_pairs(writer, text);
  } else if (probe.kind == ProbeKind::kInner) {
    emit_single(writer, text);
  } else {
    emit_settled(writer, text, emit_existence(writer, text));
  }
}

}  // namespace saccade::gpu
