// Aggregations: states start at their identity, and groups that have a row become rows: on the host where they are few.
#include <algorithm>
#include <bit>
#include <cstring>

#include "common/error.hpp"
#include "execution/gpu/gpu_backend_run.hpp"
#include "function/scalar/key.hpp"

namespace saccade::gpu {

namespace {

using physical::Aggregation;

// Up to this many groups their states come to the host with the status, in one download.
constexpr std::int64_t kMostHostGroups = 4096;
constexpr std::int64_t kFirstHashGroups = 1024;
constexpr double kRoomOverEstimate = 1.3;
constexpr double kLargestEstimate = 1e12;
constexpr std::int64_t kStateAlignment = 16;
constexpr std::int64_t kHashGrowth = 4;
constexpr std::int64_t kSlotsPerGroup = 2;

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + kStateAlignment - 1) / kStateAlignment * kStateAlignment;
}

std::int64_t room_for(double estimate) {
  return static_cast<std::int64_t>(std::clamp(estimate * kRoomOverEstimate, 0.0, kLargestEstimate)) + kFirstHashGroups;
}

double double_of_ordered_bits(std::int64_t bits) {
  return bits == INT64_MAX ? f64_of_bits(0x7ff8000000000000) : f64_of_bits(bits < 0 ? bits ^ INT64_MAX : bits);
}

// The value of one state as a lane, appended.
void append_state(std::vector<char>& lane, const EmittedState& state, const char* memory) {
  if (!state.ordered) {
    lane.insert(lane.end(), memory, memory + item_bytes(state.item));
    return;
  }
  std::int64_t bits = 0;
  std::memcpy(&bits, memory, sizeof(bits));
  const double value = double_of_ordered_bits(bits);
  const char* bytes = reinterpret_cast<const char*>(&value);
  lane.insert(lane.end(), bytes, bytes + sizeof(value));
}

LaneColumn lane_column(Lane lane, const std::vector<char>& bytes, MemoryPool& pool) {
  std::shared_ptr<Buffer> buffer = Buffer::allocate(static_cast<std::int64_t>(bytes.size()), pool);
  if (!bytes.empty()) std::memcpy(buffer->data(), bytes.data(), bytes.size());
  return {lane, buffer, nullptr};
}

std::int64_t key_size(const Bounds& bounds) {
  return static_cast<std::int64_t>(bounds.high - bounds.low + 1);
}

// The last key fastest.
std::int64_t key_stride(const Aggregation& aggregation, std::size_t key) {
  std::int64_t stride = 1;
  for (std::size_t i = key + 1; i < aggregation.key_bounds.size(); ++i) stride *= key_size(aggregation.key_bounds[i]);
  return stride;
}

}  // namespace

std::shared_ptr<PipelineOutput> GpuPipelineRun::run_aggregation(const Aggregation& aggregation) {
  const bool hashed = aggregation.layout == Aggregation::Layout::kHash;
  std::int64_t groups = 1;
  if (aggregation.layout == Aggregation::Layout::kPerfect) groups = aggregation.groups;
  if (aggregation.layout == Aggregation::Layout::kBuildRow) groups = build_of(aggregation.build).rows;
  if (hashed) groups = std::min(room_for(aggregation.estimated_groups), rows_ + kFirstHashGroups);
  for (;; groups *= kHashGrowth) {
    States states = make_states(aggregation, groups);
    ArgumentBlock arguments(emitted_.arguments);
    set_common(arguments, states.status());
    set_states(arguments, aggregation, states);
    launch(arguments);
    if (!hashed && groups <= kMostHostGroups && aggregation.layout != Aggregation::Layout::kBuildRow) {
      return host_groups(aggregation, states);
    }
    if (hashed && read_status(states.status()).overflow != 0) continue;
    return device_groups(aggregation, std::move(states));
  }
}

GpuPipelineRun::States GpuPipelineRun::make_states(const Aggregation& aggregation, std::int64_t groups) {
  States states;
  states.groups = groups;
  const bool hashed = aggregation.layout == Aggregation::Layout::kHash;
  std::int64_t bytes = 2 * static_cast<std::int64_t>(sizeof(DeviceStatus));
  const auto place = [&](std::int64_t size) { return static_cast<DeviceAddress>(std::exchange(bytes, aligned(bytes + size))); };
  for (const EmittedState& state : emitted_.states) {
    states.states.push_back(place(groups * item_bytes(state.item)));
    states.locks.push_back(state.locked ? place(groups * 8) : 0);
  }
  if (hashed) {
    states.slot_count = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(kSlotsPerGroup * groups)));
    states.slots = place(states.slot_count * 8);
    states.used = place(groups * 8);
  }
  const std::int64_t zeroed = bytes;
  if (hashed) {
    for (std::size_t i = 0; i < aggregation.keys.size(); ++i) states.parts.push_back(place(groups * 8));
  }
  states.memory = context_.allocate(bytes);
  context_.runtime.fill(states.memory.address(), 0, zeroed);
  for (DeviceAddress& address : states.states) address += states.memory.address();
  for (DeviceAddress& address : states.locks) address += address != 0 ? states.memory.address() : 0;
  for (DeviceAddress& address : states.parts) address += states.memory.address();
  states.slots += states.memory.address();
  states.used += states.memory.address();
  for (std::size_t i = 0; i < emitted_.states.size(); ++i) {
    const EmittedState& state = emitted_.states[i];
    if (state.identity == 0) continue;
    if (state.item == Item::kInt128) {
      context_.primitives.fill_wide(states.states[i], groups, state.identity);
    } else {
      context_.runtime.fill_words(states.states[i], static_cast<std::uint64_t>(state.identity), groups);
    }
  }
  return states;
}

void GpuPipelineRun::set_states(ArgumentBlock& arguments, const Aggregation& aggregation, const States& states) const {
  for (const Argument& argument : emitted_.arguments.arguments()) {
    const auto index = static_cast<std::size_t>(argument.index);
    if (argument.kind == ArgumentKind::kState) arguments.set(argument, states.states.at(index), states.locks.at(index));
    if (argument.kind == ArgumentKind::kGroups) arguments.set(argument, static_cast<int>(aggregation.groups));
    if (argument.kind == ArgumentKind::kGroupTable) {
      std::vector<std::uint64_t> words{states.slots, static_cast<std::uint64_t>(states.slot_count) - 1, states.used,
                                       static_cast<std::uint64_t>(states.groups)};
      words.insert(words.end(), states.parts.begin(), states.parts.end());
      arguments.set_bytes(argument, words.data());
    }
    if (argument.kind != ArgumentKind::kGroupNumbers) continue;
    std::vector<std::int64_t> numbers;
    for (const Bounds& bounds : aggregation.key_bounds) numbers.push_back(static_cast<std::int64_t>(bounds.low));
    for (std::size_t i = 0; i < aggregation.key_bounds.size(); ++i) numbers.push_back(key_stride(aggregation, i));
    const std::vector<int> narrow(numbers.begin(), numbers.end());
    const bool wide = argument.bytes == static_cast<std::int64_t>(numbers.size() * 8);
    arguments.set_bytes(argument, wide ? static_cast<const void*>(numbers.data()) : narrow.data());
  }
}

// Everything in one download; the groups without a row are left out here.
std::shared_ptr<PipelineOutput> GpuPipelineRun::host_groups(const Aggregation& aggregation, const States& states) {
  std::vector<char> memory(static_cast<std::size_t>(states.memory.bytes()));
  context_.runtime.download(memory.data(), states.memory.address(), states.memory.bytes());
  DeviceStatus status;
  std::memcpy(&status, memory.data(), sizeof(status));
  check_status(status);
  const auto state_at = [&](std::size_t state, std::int64_t group) {
    return memory.data() + (states.states[state] - states.memory.address()) + group * item_bytes(emitted_.states[state].item);
  };
  const auto present = [&](std::int64_t group) {
    if (aggregation.presence < 0) return true;
    const auto presence = static_cast<std::size_t>(aggregation.presence);
    const char* bytes = state_at(presence, group);
    return std::any_of(bytes, bytes + item_bytes(emitted_.states[presence].item), [](char byte) { return byte != 0; });
  };
  std::vector<std::vector<char>> keys(aggregation.keys.size()), lanes(emitted_.states.size());
  RowSet rows;
  for (std::int64_t group = 0; group < states.groups; ++group) {
    if (!present(group)) continue;
    ++rows.rows;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const Bounds& bounds = aggregation.key_bounds[i];
      const auto part = static_cast<std::int64_t>(bounds.low) + group / key_stride(aggregation, i) % key_size(bounds);
      const char* bytes = reinterpret_cast<const char*>(&part);
      keys[i].insert(keys[i].end(), bytes, bytes + sizeof(part));
    }
    for (std::size_t i = 0; i < lanes.size(); ++i) append_state(lanes[i], emitted_.states[i], state_at(i, group));
  }
  for (const std::vector<char>& key : keys) rows.columns.push_back(lane_column(Lane::kInt64, key, state_.query.pool));
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    rows.columns.push_back(lane_column(aggregation.aggregates[i].state, lanes[i], state_.query.pool));
  }
  profile_.rows_out = rows.rows;
  return std::make_shared<HostRows>(std::move(rows));
}

std::vector<DeviceGroups::Source> GpuPipelineRun::group_sources(const Aggregation& aggregation, const States& states) const {
  std::vector<DeviceGroups::Source> sources;
  if (aggregation.layout == Aggregation::Layout::kBuildRow) {
    const std::vector<physical::Slot> slots = physical::payload_slots(state_.plan, aggregation.build);
    const DeviceBuild& build = build_of(aggregation.build);
    for (std::size_t i = 0; i < build.payload.size(); ++i) {
      const DeviceBuild::Payload& payload = build.payload[i];
      sources.push_back({slots.at(i).lane,
                         {.from = payload.address.values,
                          .kind = payload.column.item == Item::kInt ? GatherKind::kWidenInt : GatherKind::kCopy,
                          .width = item_bytes(payload.column.item)},
                         payload.address.validity});
    }
  } else {
    for (std::size_t i = 0; i < aggregation.keys.size(); ++i) {
      if (aggregation.layout == Aggregation::Layout::kHash) {
        sources.push_back({Lane::kInt64, {.from = states.parts[i]}});
        continue;
      }
      const Bounds& bounds = aggregation.key_bounds[i];
      sources.push_back({Lane::kInt64,
                         {.kind = GatherKind::kKeyPart,
                          .low = static_cast<std::int64_t>(bounds.low),
                          .stride = key_stride(aggregation, i),
                          .size = key_size(bounds)}});
    }
  }
  for (std::size_t i = 0; i < emitted_.states.size(); ++i) {
    const EmittedState& state = emitted_.states[i];
    sources.push_back({aggregation.aggregates[i].state,
                       {.from = states.states[i],
                        .kind = state.ordered ? GatherKind::kOrdered : GatherKind::kCopy,
                        .width = item_bytes(state.item)}});
  }
  return sources;
}

// The numbers of the groups that have a row are listed with the pipeline; their columns are gathered when somebody asks.
std::shared_ptr<PipelineOutput> GpuPipelineRun::device_groups(const Aggregation& aggregation, States states) {
  const bool hashed = aggregation.layout == Aggregation::Layout::kHash;
  const auto presence = static_cast<std::size_t>(std::max(aggregation.presence, 0));
  const DeviceAddress flags = hashed ? states.used : states.states.at(presence);
  const std::int64_t words = hashed ? 1 : item_bytes(emitted_.states[presence].item) / 8;
  std::int64_t capacity = std::min(states.groups, room_for(aggregation.estimated_groups));
  for (;;) {
    DeviceMemory list = context_.allocate(capacity * 8);
    if (states.groups > 0) {
      context_.primitives.list_groups(states.groups, states.list_status(), flags, words, list.address(), capacity);
    }
    DeviceStatus status[2];
    context_.runtime.download(status, states.memory.address(), sizeof(status));
    check_status(status[0]);
    const auto count = static_cast<std::int64_t>(status[1].rows);
    if (count > capacity) {
      capacity = count;
      context_.runtime.fill(states.list_status(), 0, sizeof(DeviceStatus));
      continue;
    }
    profile_.rows_out = count;
    std::vector<DeviceGroups::Source> sources = group_sources(aggregation, states);
    std::vector<DeviceMemory> owners;
    owners.push_back(std::move(states.memory));
    std::shared_ptr<PipelineOutput> build;
    if (aggregation.build >= 0) build = state_.outputs.at(static_cast<std::size_t>(aggregation.build));
    return std::make_shared<DeviceGroups>(context_, state_.query.pool, count, std::move(list), std::move(sources),
                                          std::move(owners), std::move(build));
  }
}

}  // namespace saccade::gpu
