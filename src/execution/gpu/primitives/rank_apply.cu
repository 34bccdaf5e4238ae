// Writes the rank of each entry of a dense build: how many bits lie before it. The second half, after rank_count.
#include "execution/gpu/device/probe.cuh"

using namespace saccade;

struct RankApplyArguments {
  DenseEntry* entries;
  i64 count;
  i64 share;
  const u64* sums;
};

extern "C" __global__ void rank_apply(RankApplyArguments a) {
  u64 before = 0;
  for (u32 block = threadIdx.x; block < blockIdx.x; block += kBlockThreads) before += a.sums[block];
  u64 rank = 0;
  block_exclusive_sum(before, rank);
  const i64 first = static_cast<i64>(blockIdx.x) * a.share;
  const i64 end = first + a.share < a.count ? first + a.share : a.count;
  for (i64 start = first; start < end; start += kBlockThreads) {
    const i64 i = start + static_cast<i64>(threadIdx.x);
    u64 total = 0;
    const u64 below = block_exclusive_sum(i < end ? static_cast<u64>(__popcll(a.entries[i].bits)) : 0, total);
    if (i < end) a.entries[i].rank = static_cast<i64>(rank + below);
    rank += total;
  }
}
