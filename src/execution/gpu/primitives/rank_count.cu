// Bits set in each block's share of a dense build: the first half of ranking it.
#include "execution/gpu/device/probe.cuh"

using namespace saccade;

struct RankCountArguments {
  const DenseEntry* entries;
  i64 count;
  i64 share;  // entries a block
  u64* sums;  // a block
};

extern "C" __global__ void rank_count(RankCountArguments a) {
  const i64 first = static_cast<i64>(blockIdx.x) * a.share;
  const i64 end = first + a.share < a.count ? first + a.share : a.count;
  u64 bits = 0;
  for (i64 i = first + static_cast<i64>(threadIdx.x); i < end; i += kBlockThreads)
    bits += static_cast<u64>(__popcll(a.entries[i].bits));
  u64 total = 0;
  block_exclusive_sum(bits, total);
  if (threadIdx.x == 0) a.sums[blockIdx.x] = total;
}
