// One emitter an operator: each prints its part of a pipeline's kernel and says what it adds to the kernel's description.
#pragma once

#include "execution/gpu/kernel_writer.hpp"

namespace saccade::gpu {

// Sources name their slots; columns are loaded when first needed, or by load_early.
void emit_source(KernelWriter& writer);
// Loads at the head of the tile the columns that are read before filters have left only few rows: many loads in flight.
void load_early(KernelWriter& writer);

void emit_filter(KernelWriter& writer, const physical::Filter& filter);
void emit_compute(KernelWriter& writer, const physical::Compute& compute);
void emit_probe(KernelWriter& writer, const physical::Probe& probe);

void emit_join_build(KernelWriter& writer, const physical::JoinBuild& build);
void emit_aggregation(KernelWriter& writer, const physical::Aggregation& aggregation);
// Sort, Exchange, Result, Insert: the `output` slots, then the key parts.
void emit_collect(KernelWriter& writer, const std::vector<int>& output, const std::vector<physical::Node>& keys,
                  const std::string& comment);

// Columns written at the places of the rows that are left: "a.out_0" and so on. For emit_collect and emit_join_build.
void emit_store(KernelWriter& writer, const Printed& value, const EmittedColumn& column, const std::string& name,
                const std::string& comment);
void emit_places(KernelWriter& writer, const std::string& comment);

// The word for a key's distance from the lowest one: 32 bits where key and bounds prove it.
const char* offset_type(const Printed& key, const Bounds& bounds);

}  // namespace saccade::gpu
