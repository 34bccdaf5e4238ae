// The fixed kernels around pipelines (primitives/*.cu): ranking a dense build, building a hash table, listing groups, gathering
// columns. Compiled with a backend's first plan. One thread, one runtime.
#pragma once

#include <string>
#include <vector>

#include "execution/gpu/device_memory.hpp"
#include "execution/gpu/device_runtime.hpp"

namespace saccade::gpu {

// The words of Status in device/tile.cuh.
struct DeviceStatus {
  std::uint64_t error = 0, repeated = 0, overflow = 0, rows = 0;
  std::uint64_t left[60] = {};
};

struct ScatterColumn {
  DeviceAddress from, to;
  std::int64_t width;
};

enum class GatherKind : std::int64_t { kCopy, kWidenInt, kOrdered, kKeyPart };

struct GatherColumn {
  DeviceAddress from = 0, to = 0;
  GatherKind kind = GatherKind::kCopy;
  std::int64_t width = 8;
  std::int64_t low = 0, stride = 1, size = 1;
};

class Primitives {
 public:
  explicit Primitives(DeviceRuntime& runtime) : runtime_(runtime) {}

  // The kernels to be compiled with the first plan, and where they arrive, in the same order.
  static std::vector<std::string> names();
  std::vector<std::string> sources() const;
  void set_kernels(std::vector<const Kernel*> kernels) { kernels_ = std::move(kernels); }
  bool ready() const { return !kernels_.empty(); }

  // Ranks of `count` entries of a dense build; `sums`: kRankBlocks words.
  static constexpr int kRankBlocks = 1024;
  void rank(DeviceAddress entries, std::int64_t count, DeviceAddress sums);
  void scatter_rows(DeviceAddress status, std::int64_t capacity, DeviceAddress keys, std::int64_t key_width,
                    DeviceAddress entries, std::int64_t low, const std::vector<ScatterColumn>& columns);
  // `slots`: zeroed; `next`: `rows` words, zeroed.
  void hash_build(std::int64_t rows, DeviceAddress status, DeviceAddress slots, std::uint64_t slot_mask, DeviceAddress next,
                  const std::vector<DeviceAddress>& parts);
  void list_groups(std::int64_t groups, DeviceAddress status, DeviceAddress presence, std::int64_t words, DeviceAddress list,
                   std::int64_t capacity);
  // The numbers of the flags (a byte each) that are set, or are not. `list`: room for all.
  void list_flags(std::int64_t count, DeviceAddress status, DeviceAddress flags, bool set, DeviceAddress list);
  // `list`: 0 for all rows in order.
  void gather(std::int64_t rows, DeviceAddress list, const std::vector<GatherColumn>& columns);
  void fill_wide(DeviceAddress states, std::int64_t count, __int128 identity);

  // Blocks for `rows` rows of `rows_per_thread` each.
  int blocks_for(std::int64_t rows, int rows_per_thread) const;

 private:
  enum Number : int { kRankCount, kRankApply, kScatterRows, kHashBuild, kListGroups, kGatherColumns, kFillWide };
  template <class Arguments>
  void launch(Number number, int blocks, const Arguments& arguments);

  DeviceRuntime& runtime_;
  std::vector<const Kernel*> kernels_;
};

}  // namespace saccade::gpu
