// The numbers of the groups that have a row, where their presence is not zero; or of flags of a byte that are set, or not.
#include "execution/gpu/device/store.cuh"

using namespace saccade;

struct ListGroupsArguments {
  i64 groups;
  Status* status;  // rows: how many were listed
  const u64* presence;
  i64 words;  // 64-bit words a presence: 1, 2; 0: set flags; -1: flags that are not set
  i64* list;
  i64 capacity;
};

SACCADE_DEVICE bool is_present(const ListGroupsArguments& a, i64 group) {
  if (a.words <= 0) return (reinterpret_cast<const u8*>(a.presence)[group] != 0) == (a.words == 0);
  if (a.words == 1) return a.presence[group] != 0;
  return (a.presence[2 * group] | a.presence[2 * group + 1]) != 0;
}

extern "C" __global__ void list_groups(ListGroupsArguments a) {
  for (Tile tile(a.groups, a.status); tile.valid(); tile.next()) {
    const i64 first = (static_cast<i64>(tile.number()) * kBlockThreads + threadIdx.x) * kItems;
    u32 present = 0;
    Values<i64> groups;
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) {
      const i64 group = first + i;
      groups.items[i] = group;
      if ((tile.mask() >> i & 1) == 0) continue;
      if (is_present(a, group)) present |= 1u << i;
    }
    tile.restrict_to(present);
    store(places_for(tile, a.capacity), Output<i64>{a.list, nullptr}, groups);
  }
}
