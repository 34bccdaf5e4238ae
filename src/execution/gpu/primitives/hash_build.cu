// Fills the slots of a hash build from the key parts of its rows; repeated keys become chains.
#include "execution/gpu/device/probe.cuh"

using namespace saccade;

struct HashBuildArguments {
  i64 rows;
  Status* status;  // repeated: a key came twice
  u64* slots;
  u64 slot_mask;
  u64* next;  // by row; the row after it in its chain, plus one
  i64 part_count;
  const i64* parts[16];
};

SACCADE_DEVICE bool same_key(const HashBuildArguments& a, i64 left, i64 right) {
  bool equal = true;
  for (i64 i = 0; i < a.part_count; ++i) equal = equal && a.parts[i][left] == a.parts[i][right];
  return equal;
}

SACCADE_DEVICE void insert(const HashBuildArguments& a, i64 row) {
  u64 hash = kHashSeed;
  for (i64 i = 0; i < a.part_count; ++i) hash = hash_part(hash, a.parts[i][row]);
  u64 slot = hash_finish(hash) & a.slot_mask;
  u64 head = atomic_compare_swap(a.slots + slot, 0, static_cast<u64>(row) + 1);
  while (head != 0) {
    if (same_key(a, row, static_cast<i64>(head - 1))) {
      a.status->repeated = 1;
      a.next[row] = atomic_exchange(a.slots + slot, static_cast<u64>(row) + 1);
      return;
    }
    slot = (slot + 1) & a.slot_mask;
    head = atomic_compare_swap(a.slots + slot, 0, static_cast<u64>(row) + 1);
  }
}

extern "C" __global__ void hash_build(HashBuildArguments a) {
  const i64 step = static_cast<i64>(gridDim.x) * kBlockThreads;
  for (i64 row = static_cast<i64>(blockIdx.x) * kBlockThreads + threadIdx.x; row < a.rows; row += step) insert(a, row);
}
