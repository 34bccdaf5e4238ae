// The hash of key parts, shared by host and device so that CPU and GPU ranks agree on partitions. No standard headers.
//
//   u64 hash = kHashSeed; for each part: hash = hash_part(hash, part); hash = hash_finish(hash);
//
// All 64 bits of a finished hash are mixed: partition_of takes the high ones, hash tables should take the low ones.
#pragma once

#include "function/function_error.hpp"

namespace saccade {

inline constexpr u64 kHashSeed = 0x9e3779b97f4a7c15UL;

// Only multiplications, shifts and xors of 64 bits, so that loops over rows vectorise.
SACCADE_HOST_DEVICE u64 hash_part(u64 seed, i64 part) {
  const u64 mixed = (seed ^ static_cast<u64>(part)) * 0xff51afd7ed558ccdUL;
  return mixed ^ mixed >> 32;
}

// The second half of MurmurHash3's 64-bit finalizer.
SACCADE_HOST_DEVICE u64 hash_finish(u64 hash) {
  hash *= 0xc4ceb9fe1a85ec53UL;
  return hash ^ hash >> 33;
}

// The rank that owns a finished hash: ranks own equal ranges of hashes.
SACCADE_HOST_DEVICE int partition_of(u64 hash, int ranks) {
  return static_cast<int>(static_cast<u128>(hash) * static_cast<u64>(ranks) >> 64);
}

}  // namespace saccade
