// CUDA's device words for a host compiler: put before a kernel's text, it makes the same text run as fibers of one host thread.
#pragma once

#include "execution/gpu/shim/shim_api.hpp"

#define __global__
#define __device__
#define __shared__ static thread_local
#define __launch_bounds__(threads)
#define SACCADE_DEVICE inline
#define SACCADE_DEVICE_CALL inline
#define SACCADE_UNROLL
#define SACCADE_ROLLED
#define SACCADE_DYNAMIC_SHARED(name) unsigned long* const name = saccade_shim::place->shared

struct uint2 {
  unsigned x, y;
};
struct uint4 {
  unsigned x, y, z, w;
};
struct ulonglong2 {
  unsigned long long x, y;
};

namespace saccade_shim {

static thread_local const Api* api = nullptr;
static thread_local Place* place = nullptr;

struct Coordinate {
  unsigned x;
};
inline Coordinate thread_index() {
  return {place->thread};
}
inline Coordinate block_index() {
  return {place->block};
}
inline Coordinate block_size() {
  return {place->threads};
}
inline Coordinate grid_size() {
  return {place->blocks};
}

template <class T>
inline unsigned long to_word(T value) {
  static_assert(sizeof(T) <= 8);
  unsigned long word = 0;
  __builtin_memcpy(&word, &value, sizeof(T));
  return word;
}
template <class T>
inline T from_word(unsigned long word) {
  T value;
  __builtin_memcpy(&value, &word, sizeof(T));
  return value;
}
inline const unsigned long* meet(Collective kind, unsigned mask, unsigned long value) {
  return api->collective(place->machine, kind, mask, value);
}
inline void preempt() {
  api->preempt(place->machine);
}

template <class... Arguments>
inline void call(void (*kernel)(Arguments...), const void* arguments) {
  kernel(*static_cast<const Arguments*>(arguments)...);
}

}  // namespace saccade_shim

#define threadIdx saccade_shim::thread_index()
#define blockIdx saccade_shim::block_index()
#define blockDim saccade_shim::block_size()
#define gridDim saccade_shim::grid_size()

inline void __syncthreads() {
  saccade_shim::api->barrier(saccade_shim::place->machine);
}
inline void __syncwarp(unsigned mask = 0xffffffffu) {
  saccade_shim::meet(saccade_shim::kSyncWarp, mask, 0);
}
inline void __threadfence() {}

template <class T>
inline T __shfl_sync(unsigned mask, T value, int lane) {
  return saccade_shim::from_word<T>(saccade_shim::meet(saccade_shim::kShuffle, mask, saccade_shim::to_word(value))[lane & 31]);
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned distance) {
  const unsigned own = saccade_shim::place->thread % 32;
  const unsigned long* values = saccade_shim::meet(saccade_shim::kShuffleUp, mask, saccade_shim::to_word(value));
  return own >= distance ? saccade_shim::from_word<T>(values[own - distance]) : value;
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int lanes) {
  const unsigned own = saccade_shim::place->thread % 32;
  const unsigned long* values = saccade_shim::meet(saccade_shim::kShuffleXor, mask, saccade_shim::to_word(value));
  return saccade_shim::from_word<T>(values[own ^ static_cast<unsigned>(lanes)]);
}
inline int __any_sync(unsigned mask, int condition) {
  const unsigned long* values = saccade_shim::meet(saccade_shim::kAny, mask, condition != 0);
  int any = 0;
  for (int i = 0; i < 32; ++i) any |= static_cast<int>(values[i]);
  return any;
}
inline unsigned __ballot_sync(unsigned mask, int condition) {
  const unsigned long* values = saccade_shim::meet(saccade_shim::kBallot, mask, condition != 0);
  unsigned bits = 0;
  for (int i = 0; i < 32; ++i) bits |= static_cast<unsigned>(values[i]) << i;
  return bits;
}

inline int __popc(unsigned value) {
  return __builtin_popcount(value);
}
inline int __popcll(unsigned long value) {
  return __builtin_popcountl(value);
}
template <class T>
inline T __ldg(const T* address) {
  return *address;
}

// Another thread may run before the operation, never within it.
template <class T>
inline T atomicAdd(T* address, T value) {
  saccade_shim::preempt();
  const T old = *address;
  *address = old + value;
  return old;
}
template <class T>
inline T atomicMin(T* address, T value) {
  saccade_shim::preempt();
  const T old = *address;
  if (value < old) *address = value;
  return old;
}
template <class T>
inline T atomicMax(T* address, T value) {
  saccade_shim::preempt();
  const T old = *address;
  if (old < value) *address = value;
  return old;
}
template <class T>
inline T atomicOr(T* address, T value) {
  saccade_shim::preempt();
  const T old = *address;
  *address = old | value;
  return old;
}
template <class T>
inline T atomicExch(T* address, T value) {
  saccade_shim::preempt();
  const T old = *address;
  *address = value;
  return old;
}
template <class T>
inline T atomicCAS(T* address, T expected, T value) {
  saccade_shim::preempt();
  const T old = *address;
  if (old == expected) *address = value;
  return old;
}
