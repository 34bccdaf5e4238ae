// The numbers of the groups that have a row: where their presence is not zero.
#include "execution/gpu/device/store.cuh"

using namespace saccade;

struct ListGroupsArguments {
  i64 groups;
  Status* status;  // rows: how many were listed
  const u64* presence;
  i64 words;  // 64-bit words a presence: 1, 2
  i64* list;
  i64 capacity;
};

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
      const u64 state = a.words == 1 ? a.presence[group] : a.presence[2 * group] | a.presence[2 * group + 1];
      if (state != 0) present |= 1u << i;
    }
    tile.restrict_to(present);
    store(places_for(tile, a.capacity), Output<i64>{a.list, nullptr}, groups);
  }
}
