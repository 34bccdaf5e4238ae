// Atomics over our own integers, and collectives of a warp and of a block. Every lane of a warp, and every thread of a block,
// calls its collectives together. Device text.
#pragma once

#include "execution/gpu/device/values.cuh"

namespace saccade {

constexpr int kWarpThreads = 32;
constexpr int kBlockWarps = kBlockThreads / kWarpThreads;

SACCADE_DEVICE u64 atomic_add(u64* address, u64 value) {
  return atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value));
}
SACCADE_DEVICE void atomic_add(i64* address, i64 value) {
  atomic_add(reinterpret_cast<u64*>(address), static_cast<u64>(value));
}
SACCADE_DEVICE void atomic_add(double* address, double value) {
  atomicAdd(address, value);
}
// Two halves: the carry follows from what the low half held, whatever the order of the additions.
SACCADE_DEVICE void atomic_add(i128* address, i128 value) {
  u64* halves = reinterpret_cast<u64*>(address);
  const u64 low = static_cast<u64>(value);
  const u64 old = atomic_add(halves, low);
  const u64 high = static_cast<u64>(value >> 64) + (old + low < old ? 1 : 0);
  if (high != 0) atomic_add(halves + 1, high);
}
SACCADE_DEVICE void atomic_min(i64* address, i64 value) {
  atomicMin(reinterpret_cast<long long*>(address), static_cast<long long>(value));
}
SACCADE_DEVICE void atomic_max(i64* address, i64 value) {
  atomicMax(reinterpret_cast<long long*>(address), static_cast<long long>(value));
}
SACCADE_DEVICE u64 atomic_or(u64* address, u64 value) {
  return atomicOr(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value));
}
SACCADE_DEVICE u64 atomic_exchange(u64* address, u64 value) {
  return atomicExch(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value));
}
SACCADE_DEVICE u64 atomic_compare_swap(u64* address, u64 expected, u64 value) {
  return atomicCAS(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(expected),
                   static_cast<unsigned long long>(value));
}

// The lowest bit of a 128-bit state's lock; states of 128 bits that take a minimum are guarded by it.
template <class Update>
SACCADE_DEVICE void with_lock(u64* lock, const Update& update) {
  for (bool done = false; !done;) {
    if (atomic_compare_swap(lock, 0, 1) == 0) {
      __threadfence();
      update();
      __threadfence();
      atomic_exchange(lock, 0);
      done = true;
    }
  }
}

SACCADE_DEVICE int lane_number() {
  return static_cast<int>(threadIdx.x) % kWarpThreads;
}
SACCADE_DEVICE int warp_number() {
  return static_cast<int>(threadIdx.x) / kWarpThreads;
}

SACCADE_DEVICE bool warp_any(bool condition) {
  return __any_sync(kFullWarp, condition) != 0;
}
template <class T>
SACCADE_DEVICE T shuffle_xor(T value, int mask) {
  return __shfl_xor_sync(kFullWarp, value, mask);
}
SACCADE_DEVICE i128 shuffle_xor(i128 value, int mask) {
  const u64 low = __shfl_xor_sync(kFullWarp, static_cast<u64>(value), mask);
  const i64 high = __shfl_xor_sync(kFullWarp, static_cast<i64>(value >> 64), mask);
  return static_cast<i128>(static_cast<u128>(static_cast<u64>(high)) << 64 | low);
}

// All lanes get Op's merge of all lanes' values.
template <class Op>
SACCADE_DEVICE typename Op::State warp_merge(typename Op::State value) {
  SACCADE_ROLLED
  for (int distance = kWarpThreads / 2; distance > 0; distance /= 2) value = Op::merge(value, shuffle_xor(value, distance));
  return value;
}

// Thread 0 gets Op's merge of all threads' values; the others get anything.
template <class Op>
SACCADE_DEVICE_CALL typename Op::State block_merge(typename Op::State value) {
  __shared__ typename Op::State warps[kBlockWarps];
  value = warp_merge<Op>(value);
  if (lane_number() == 0) warps[warp_number()] = value;
  __syncthreads();  // every warp's value is there
  if (threadIdx.x == 0) {
    SACCADE_ROLLED
    for (int i = 1; i < kBlockWarps; ++i) value = Op::merge(value, warps[i]);
  }
  __syncthreads();  // read, before the next call writes
  return value;
}

// The sum of the lanes below, and the sum of all.
template <class T>
SACCADE_DEVICE T warp_exclusive_sum(T value, T& total) {
  T sum = value;
  SACCADE_UNROLL
  for (int distance = 1; distance < kWarpThreads; distance *= 2) {
    const T below = __shfl_up_sync(kFullWarp, sum, distance);
    if (lane_number() >= distance) sum += below;
  }
  total = __shfl_sync(kFullWarp, sum, kWarpThreads - 1);
  return sum - value;
}

// The sum of the threads below in the block, and in `total` the sum of all.
SACCADE_DEVICE u64 block_exclusive_sum(u64 value, u64& total) {
  __shared__ u64 warps[kBlockWarps];
  u64 warp_total = 0;
  u64 sum = warp_exclusive_sum(value, warp_total);
  if (lane_number() == 0) warps[warp_number()] = warp_total;
  __syncthreads();  // every warp's sum is there
  total = 0;
  for (int i = 0; i < kBlockWarps; ++i) {
    if (i < warp_number()) sum += warps[i];
    total += warps[i];
  }
  __syncthreads();  // read, before the next call writes
  return sum;
}

}  // namespace saccade
