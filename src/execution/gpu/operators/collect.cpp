// Sinks that collect rows: join builds and everything that leaves the pipeline as rows.
#include <fmt/format.h>

#include "execution/gpu/operators/operators.hpp"

namespace saccade::gpu {

void emit_places(KernelWriter& writer, const std::string& comment) {
  const std::string capacity =
      writer.argument({.kind = ArgumentKind::kCapacity, .type = "i64", .name = "capacity", .comment = {}});
  writer.line(fmt::format("auto places = places_for(tile, {});", capacity), comment);
}

void emit_store(KernelWriter& writer, const Printed& value, const EmittedColumn& column, const std::string& name,
                const std::string& comment) {
  EmittedKernel& kernel = writer.kernel();
  const std::string argument = writer.argument({.kind = ArgumentKind::kOutput,
                                                .index = static_cast<int>(kernel.columns.size()),
                                                .type = fmt::format("Output<{}>", stored_type(column.item)),
                                                .name = writer.unique_name(name),
                                                .comment = {},
                                                .bytes = 16});
  writer.line(fmt::format("store(places, {}, {});", argument, value.text), comment);
  kernel.columns.push_back(column);
}

void emit_collect(KernelWriter& writer, const std::vector<int>& output, const std::vector<physical::Node>& keys,
                  const std::string& comment) {
  for (const int slot : output) writer.need_slot(slot);
  std::vector<Printed> parts;
  for (const physical::Node& key : keys) parts.push_back(writer.value(key));
  emit_places(writer, comment);
  for (const int index : output) {
    const KernelWriter::SlotValue& slot = writer.slot(index);
    const physical::Slot& declared = writer.pipeline().slots.at(static_cast<std::size_t>(index));
    emit_store(writer, {slot.text, slot.item, slot.nullable, {}}, {item_of(declared.lane), declared.nullable},
               "out_" + slot.text, "");
  }
  for (const Printed& part : parts) emit_store(writer, part, {Item::kInt64, false}, "key", "key part");
}

void emit_join_build(KernelWriter& writer, const physical::JoinBuild& build) {
  const bool dense = build.layout == physical::JoinBuild::Layout::kDense;
  EmittedKernel& kernel = writer.kernel();
  kernel.needs_rows = !dense || build_needs_rows(writer.plan(), writer.pipeline().id);
  std::vector<Printed> keys;
  for (const physical::Node& key : build.keys) keys.push_back(writer.value(key));
  if (kernel.needs_rows) {
    for (const int slot : build.payload) writer.need_slot(slot);
    emit_places(writer, "join build: rows");
    for (const Printed& key : keys) {
      const Item item = dense && key.item == Item::kInt ? Item::kInt : Item::kInt64;
      emit_store(writer, key, {item, false}, "key", "");
    }
    for (const int index : build.payload) {
      const KernelWriter::SlotValue& slot = writer.slot(index);
      emit_store(writer, {slot.text, slot.item, slot.nullable, {}},
                 payload_column(writer.pipeline().slots.at(static_cast<std::size_t>(index))), "out_" + slot.text, "");
    }
  }
  if (!dense) return;
  const std::string argument = writer.argument({.kind = ArgumentKind::kOwnBuild,
                                                .type = fmt::format("{}<{}>", kernel.needs_rows ? "DenseBuild" : "BitmapBuild",
                                                                    offset_type(keys.at(0), build.key_bounds)),
                                                .name = "build",
                                                .comment = {},
                                                .bytes = 24});
  writer.line(fmt::format("tile.mark({}, {});", argument, keys.at(0).text), "join build: a bit a key");
}

}  // namespace saccade::gpu
