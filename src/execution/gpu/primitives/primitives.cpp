#include "execution/gpu/primitives/primitives.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "execution/gpu/device_text.hpp"

namespace saccade::gpu {

namespace {

// As the kernels declare them.
struct RankArguments {
  DeviceAddress entries;
  std::int64_t count, share;
  DeviceAddress sums;
};
constexpr std::size_t kColumnsAtOnce = 32;
struct ScatterRowsArguments {
  DeviceAddress status;
  std::int64_t capacity;
  DeviceAddress keys;
  std::int64_t key_width;
  DeviceAddress entries;
  std::int64_t low, count;
  ScatterColumn columns[kColumnsAtOnce];
};
constexpr std::size_t kLargestKey = 16;
struct HashBuildArguments {
  std::int64_t rows;
  DeviceAddress status, slots;
  std::uint64_t slot_mask;
  DeviceAddress next;
  std::int64_t part_count;
  DeviceAddress parts[kLargestKey];
};
// Of ListGroupsArguments::words.
constexpr std::int64_t kSetFlags = 0, kUnsetFlags = -1;

struct ListGroupsArguments {
  std::int64_t groups;
  DeviceAddress status, presence;
  std::int64_t words;
  DeviceAddress list;
  std::int64_t capacity;
};
struct GatherColumnsArguments {
  std::int64_t rows;
  DeviceAddress list;
  std::int64_t count;
  GatherColumn columns[kColumnsAtOnce];
};
struct FillWideArguments {
  DeviceAddress words;
  std::int64_t count;
  std::uint64_t low, high;
};

constexpr int kTileItems = 8;

}  // namespace

std::vector<std::string> Primitives::names() {
  return {"rank_count", "rank_apply", "scatter_rows", "hash_build", "list_groups", "gather_columns", "fill_wide"};
}

std::vector<std::string> Primitives::sources() const {
  std::vector<std::string> sources;
  for (const std::string& name : names()) {
    sources.push_back(complete_source(embedded_text(fmt::format("execution/gpu/primitives/{}.cu", name)),
                                      runtime_.properties().block_threads));
  }
  return sources;
}

template <class Arguments>
void Primitives::launch(Number number, int blocks, const Arguments& arguments) {
  SACCADE_CHECK(ready());
  runtime_.launch(kernels_[number], blocks, runtime_.properties().block_threads, 0, &arguments, sizeof(arguments));
}

int Primitives::blocks_for(std::int64_t rows, int rows_per_thread) const {
  const DeviceProperties& device = runtime_.properties();
  const std::int64_t per_block = static_cast<std::int64_t>(device.block_threads) * rows_per_thread;
  const std::int64_t most = static_cast<std::int64_t>(device.multiprocessors) * device.blocks_per_multiprocessor;
  return static_cast<int>(std::clamp<std::int64_t>((rows + per_block - 1) / per_block, 1, most));
}

void Primitives::rank(DeviceAddress entries, std::int64_t count, DeviceAddress sums) {
  const int blocks = std::min(kRankBlocks, blocks_for(count, 4));
  const RankArguments arguments{entries, count, (count + blocks - 1) / blocks, sums};
  launch(kRankCount, blocks, arguments);
  launch(kRankApply, blocks, arguments);
}

void Primitives::scatter_rows(DeviceAddress status, std::int64_t capacity, DeviceAddress keys, std::int64_t key_width,
                              DeviceAddress entries, std::int64_t low, const std::vector<ScatterColumn>& columns) {
  for (std::size_t done = 0; done < columns.size(); done += kColumnsAtOnce) {
    const std::size_t count = std::min(kColumnsAtOnce, columns.size() - done);
    ScatterRowsArguments arguments{status, capacity, keys, key_width, entries, low, static_cast<std::int64_t>(count), {}};
    std::copy_n(columns.begin() + static_cast<std::ptrdiff_t>(done), count, arguments.columns);
    launch(kScatterRows, blocks_for(capacity, 4), arguments);
  }
}

void Primitives::hash_build(std::int64_t rows, DeviceAddress status, DeviceAddress slots, std::uint64_t slot_mask,
                            DeviceAddress next, const std::vector<DeviceAddress>& parts) {
  if (parts.size() > kLargestKey) {
    throw Error(sqlstate::kStatementTooComplex, fmt::format("a join key of more than {} parts", kLargestKey), 0,
                "Join on fewer columns, or SET device = cpu.");
  }
  HashBuildArguments arguments{rows, status, slots, slot_mask, next, static_cast<std::int64_t>(parts.size()), {}};
  std::copy(parts.begin(), parts.end(), arguments.parts);
  launch(kHashBuild, blocks_for(rows, 1), arguments);
}

void Primitives::list_groups(std::int64_t groups, DeviceAddress status, DeviceAddress presence, std::int64_t words,
                             DeviceAddress list, std::int64_t capacity) {
  launch(kListGroups, blocks_for(groups, kTileItems), ListGroupsArguments{groups, status, presence, words, list, capacity});
}

void Primitives::list_flags(std::int64_t count, DeviceAddress status, DeviceAddress flags, bool set, DeviceAddress list) {
  const std::int64_t kind = set ? kSetFlags : kUnsetFlags;
  launch(kListGroups, blocks_for(count, kTileItems), ListGroupsArguments{count, status, flags, kind, list, count});
}

void Primitives::gather(std::int64_t rows, DeviceAddress list, const std::vector<GatherColumn>& columns) {
  if (rows == 0) return;
  for (std::size_t done = 0; done < columns.size(); done += kColumnsAtOnce) {
    const std::size_t count = std::min(kColumnsAtOnce, columns.size() - done);
    GatherColumnsArguments arguments{rows, list, static_cast<std::int64_t>(count), {}};
    std::copy_n(columns.begin() + static_cast<std::ptrdiff_t>(done), count, arguments.columns);
    launch(kGatherColumns, blocks_for(rows, 1), arguments);
  }
}

void Primitives::fill_wide(DeviceAddress states, std::int64_t count, __int128 identity) {
  launch(kFillWide, blocks_for(count, 4),
         FillWideArguments{states, count, static_cast<std::uint64_t>(identity), static_cast<std::uint64_t>(identity >> 64)});
}

}  // namespace saccade::gpu
