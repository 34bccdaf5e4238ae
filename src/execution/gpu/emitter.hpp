// Prints one kernel for each pipeline: load, filter, probe, compute, and feed the sink, in the words of device/*.cuh.
//
// The text depends on the plan alone, not on the device, the data or the values of literals, which are arguments. Pure
// functions, callable from any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "execution/gpu/arguments.hpp"
#include "physical/physical_plan.hpp"

namespace saccade::gpu {

// How a value is held: the type of its items in a kernel. kInt: an int64 lane whose bounds prove 30 bits.
enum class Item : std::uint8_t { kBoolean, kInt, kInt64, kInt128, kFloat64 };

Item item_of(Lane lane);
// kInt where the bounds prove it.
Item item_of(Lane lane, const std::optional<Bounds>& bounds);
int item_bytes(Item item);           // in device memory; a boolean takes a byte
const char* item_type(Item item);    // "bool", "int", ...
const char* stored_type(Item item);  // as item_type, "u8" for booleans
bool is_narrow(const Bounds& bounds);

// A column that the pipeline writes.
struct EmittedColumn {
  Item item = Item::kInt64;
  bool nullable = false;
};

// The states of one aggregate in device memory.
struct EmittedState {
  Item item = Item::kInt64;  // kInt64, kInt128, kFloat64
  int128 identity = 0;       // of its bits
  bool ordered = false;      // a float64's ordered bits
  bool locked = false;       // 128 bits under a lock each
};

// Where an aggregation keeps its states while the kernel runs (aggregate.cuh).
enum class GroupStrategy : std::uint8_t { kSingle, kThread, kBlock, kGlobal };

struct EmittedKernel {
  std::string name;    // pipeline_4
  std::string text;    // to read: comments name the operators
  std::string source;  // to compile: without comments, still to be completed (device_text.hpp)
  ArgumentLayout arguments;
  std::vector<std::string> steps;  // for the profile
  std::vector<int> step_counters;  // by step: which of the status' counters tells the rows it left; -1: all of the source's
  int counters = 0;
  std::vector<EmittedColumn> columns;  // collecting sinks: `output` slots, then key parts; builds: key parts, then payload
  bool needs_rows = true;              // builds: somebody asks for rows (else bits alone)
  std::vector<EmittedState> states;    // aggregations
  GroupStrategy strategy = GroupStrategy::kSingle;
  std::int64_t shared_words = 0;  // of 8 bytes, for a block
  std::int64_t shared_words_per_thread = 0;
};

EmittedKernel emit_pipeline(const physical::Plan& plan, int pipeline);

// The text to read, for EXPLAIN, golden files and compile tests.
std::string emit_kernel(const physical::Plan& plan, int pipeline);

// How the payload columns of a build are stored; a probe reads them so.
EmittedColumn payload_column(const physical::Slot& slot);
// Whether anything reads rows of this build, not only whether a key is there.
bool build_needs_rows(const physical::Plan& plan, int build);

}  // namespace saccade::gpu
