// Aggregation: states in registers, in shared memory (a copy a thread, or one a block) and in global memory. Device text.
//
// An Op names a state, its identity, the merge of two, and the atomic merge into memory. Sums of int128 may have partial states
// of int64 where bounds prove that a thread's share fits; a minimum of float64 is one of its ordered bits.
#pragma once

#include "execution/gpu/device/probe.cuh"

namespace saccade {

template <class T>
struct Sum {
  using State = T;
  SACCADE_DEVICE static T identity() { return 0; }
  SACCADE_DEVICE static T merge(T a, T b) { return a + b; }
  template <class Memory>
  SACCADE_DEVICE static void atomic(Memory* memory, u64*, T value) {
    if (value != 0) atomic_add(memory, static_cast<Memory>(value));
  }
};
template <class T>
SACCADE_DEVICE T largest() {
  return static_cast<T>(~static_cast<u64>(0) >> 1);
}
template <>
SACCADE_DEVICE i128 largest<i128>() {
  return static_cast<i128>(~static_cast<u128>(0) >> 1);
}
template <class T>
struct Min {
  using State = T;
  SACCADE_DEVICE static T identity() { return largest<T>(); }
  SACCADE_DEVICE static T merge(T a, T b) { return b < a ? b : a; }
  SACCADE_DEVICE static void atomic(i64* memory, u64*, i64 value) { atomic_min(memory, value); }
  SACCADE_DEVICE static void atomic(i128* memory, u64* lock, i128 value) {
    with_lock(lock, [&] {
      volatile i128* state = memory;
      if (value < *state) *state = value;
    });
  }
};
template <class T>
struct Max {
  using State = T;
  SACCADE_DEVICE static T identity() { return -largest<T>() - 1; }
  SACCADE_DEVICE static T merge(T a, T b) { return a < b ? b : a; }
  SACCADE_DEVICE static void atomic(i64* memory, u64*, i64 value) { atomic_max(memory, value); }
  SACCADE_DEVICE static void atomic(i128* memory, u64* lock, i128 value) {
    with_lock(lock, [&] {
      volatile i128* state = memory;
      if (*state < value) *state = value;
    });
  }
};

// Bits of a double that order as integers: -0.0 before 0.0, NaN last.
SACCADE_DEVICE i64 ordered_bits(double value) {
  const i64 bits = bits_of_f64(value);
  return value != value ? largest<i64>() : bits < 0 ? bits ^ largest<i64>() : bits;
}
template <class A>
SACCADE_DEVICE Lifted<i64, A> ordered(const A& a) {
  return lift<Lifted<i64, A>>(valid_items(a), [&](int i) { return ordered_bits(item(a, i)); });
}

// What a count adds: 1 where the argument is not null.
template <class A>
SACCADE_DEVICE Lifted<int, A> ones(const A& a) {
  return lift<Lifted<int, A>>(valid_items(a), [](int) { return 1; });
}

// States in global memory: one (group 0), or one a group. `locks`: one a state, for minima and maxima of 128 bits alone.
template <class Memory>
struct States {
  Memory* memory;
  u64* locks;
  SACCADE_DEVICE u64* lock(i64 group) const { return locks == nullptr ? nullptr : locks + group; }
};

// ---- one group --------------------------------------------------------------------------------------------------------------

template <class Op>
class Single {
 public:
  template <class A>
  SACCADE_DEVICE void add(const Tile& tile, const A& value) {
    const u32 live = tile.mask() & valid_items(value);
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) {
      if ((live >> i & 1) != 0) state_ = Op::merge(state_, static_cast<typename Op::State>(item(value, i)));
    }
  }
  // All threads of the block; one atomic.
  template <class Memory>
  SACCADE_DEVICE void finish(const States<Memory>& states) {
    const typename Op::State sum = block_merge<Op>(state_);
    if (threadIdx.x == 0) Op::atomic(states.memory, states.lock(0), sum);
  }

 private:
  typename Op::State state_ = Op::identity();
};
// Rows where the argument is not null.
class SingleCount {
 public:
  template <class A>
  SACCADE_DEVICE void add(const Tile& tile, const A& value) {
    count_ += __popc(tile.mask() & valid_items(value));
  }
  SACCADE_DEVICE void finish(const States<i64>& states) {
    const i64 sum = block_merge<Sum<i64>>(count_);
    if (threadIdx.x == 0) Sum<i64>::atomic(states.memory, nullptr, sum);
  }

 private:
  i64 count_ = 0;
};

// ---- groups numbered by their keys ------------------------------------------------------------------------------------------

// group = sum of (key_i - low_i) * stride_i; T is int where keys and groups have 30 bits.
template <class T, int kKeys>
struct GroupNumbers {
  T low[kKeys];
  T stride[kKeys];
};
template <class T, int kKeys, class... Keys>
SACCADE_DEVICE Values<T> group_of(const GroupNumbers<T, kKeys>& numbers, const Keys&... keys) {
  Values<T> groups;
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) {
    const T parts[kKeys] = {static_cast<T>(item(keys, i))...};
    T group = 0;
    SACCADE_UNROLL
    for (int k = 0; k < kKeys; ++k) group += (parts[k] - numbers.low[k]) * numbers.stride[k];
    groups.items[i] = group;
  }
  return groups;
}

// A few groups: every thread has its own copy of all states in shared memory, kUnits words of 8 bytes a group. Rows that are
// not left go to a group of their own behind the others, so that no branch is needed.
template <int kUnits>
class ThreadGroups {
 public:
  SACCADE_DEVICE explicit ThreadGroups(int groups) : groups_(groups) {}

  struct Cells {
    u32 at[kItems];
  };
  template <class T>
  SACCADE_DEVICE Cells cells(const Tile& tile, const Values<T>& group) const {
    Cells cells;
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) {
      const int own = (tile.mask() >> i & 1) != 0 ? static_cast<int>(group.items[i]) : groups_;
      cells.at[i] = static_cast<u32>(own) * (kUnits * kBlockThreads) + threadIdx.x;
    }
    return cells;
  }
  SACCADE_DEVICE int groups() const { return groups_; }
  // All threads have added all their rows.
  SACCADE_DEVICE void ready() const { __syncthreads(); }

 private:
  int groups_;
};

// A state at a word of the block's dynamic shared memory; the upper half of 128 bits lies kBlockThreads words behind.
template <class State>
SACCADE_DEVICE State read_state(u32 word) {
  SACCADE_DYNAMIC_SHARED(words);
  if constexpr (sizeof(State) == 16) {
    return static_cast<State>(static_cast<u128>(words[word + kBlockThreads]) << 64 | words[word]);
  } else {
    return *reinterpret_cast<const State*>(words + word);
  }
}
template <class State>
SACCADE_DEVICE void write_state(u32 word, State state) {
  SACCADE_DYNAMIC_SHARED(words);
  if constexpr (sizeof(State) == 16) {
    words[word] = static_cast<u64>(state);
    words[word + kBlockThreads] = static_cast<u64>(state >> 64);
  } else {
    *reinterpret_cast<State*>(words + word) = state;
  }
}

// Each warp merges the threads' copies of some groups; `first`: the word of thread 0 in group 0, `stride`: words a group.
template <class Op, class Memory>
SACCADE_DEVICE_CALL void merge_threads(u32 first, u32 stride, int groups, Memory* memory, u64* locks) {
  SACCADE_ROLLED
  for (int group = warp_number(); group < groups; group += kBlockWarps) {
    typename Op::State merged = Op::identity();
    SACCADE_ROLLED
    for (int thread = lane_number(); thread < kBlockThreads; thread += kWarpThreads) {
      merged = Op::merge(merged, read_state<typename Op::State>(first + static_cast<u32>(group) * stride + thread));
    }
    merged = warp_merge<Op>(merged);
    if (lane_number() == 0) Op::atomic(memory + group, locks == nullptr ? nullptr : locks + group, merged);
  }
}

// One aggregate of ThreadGroups, at word kUnit of each group.
template <class Op, int kUnits, int kUnit>
class ThreadStates {
 public:
  using State = typename Op::State;

  SACCADE_DEVICE explicit ThreadStates(const ThreadGroups<kUnits>& groups) : groups_(groups.groups()) {
    SACCADE_ROLLED
    for (int group = 0; group <= groups_; ++group) write_state<State>(kFirst + group * kStride + threadIdx.x, Op::identity());
  }
  template <class A>
  SACCADE_DEVICE void add(const typename ThreadGroups<kUnits>::Cells& cells, const A& value) {
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) {
      const State added = (valid_items(value) >> i & 1) != 0 ? static_cast<State>(item(value, i)) : Op::identity();
      write_state<State>(kFirst + cells.at[i], Op::merge(read_state<State>(kFirst + cells.at[i]), added));
    }
  }
  // After ready().
  template <class Memory>
  SACCADE_DEVICE void finish(const States<Memory>& states) const {
    merge_threads<Op>(kFirst, kStride, groups_, states.memory, states.locks);
  }

 private:
  static constexpr u32 kFirst = kUnit * kBlockThreads;
  static constexpr u32 kStride = kUnits * kBlockThreads;
  int groups_;
};

// Some thousands of groups: one copy a block in shared memory, `offset` words in, merged into global memory at the end.
template <class Op>
class BlockStates {
 public:
  using State = typename Op::State;

  SACCADE_DEVICE BlockStates(int groups, int offset) : groups_(groups), offset_(offset) {
    for (int group = static_cast<int>(threadIdx.x); group < groups_; group += kBlockThreads) memory()[group] = Op::identity();
  }
  // The states to add to, once every thread has passed ready().
  SACCADE_DEVICE States<State> states() const { return {memory(), nullptr}; }
  template <class Memory>
  SACCADE_DEVICE void finish(const States<Memory>& states) const {
    for (int group = static_cast<int>(threadIdx.x); group < groups_; group += kBlockThreads) {
      const State state = memory()[group];
      if (state != Op::identity()) Op::atomic(states.memory + group, states.lock(group), state);
    }
  }

 private:
  SACCADE_DEVICE State* memory() const {
    SACCADE_DYNAMIC_SHARED(words);
    return reinterpret_cast<State*>(words + offset_);
  }
  int groups_, offset_;
};
// Between filling and adding, and between adding and finishing.
SACCADE_DEVICE void block_ready() {
  __syncthreads();
}

// Adds to the states of groups: one atomic for a run of equal groups within a thread's rows.
template <class Op, class Memory, class T, class A>
SACCADE_DEVICE void add_to_groups(const Tile& tile, const States<Memory>& states, const Values<T>& group, const A& value) {
  const u32 live = tile.mask() & valid_items(value);
  T run = 0;
  bool open = false;
  typename Op::State state = Op::identity();
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) {
    if ((live >> i & 1) == 0) continue;
    if (open && group.items[i] != run) {
      Op::atomic(states.memory + run, states.lock(run), state);
      state = Op::identity();
    }
    open = true;
    run = group.items[i];
    state = Op::merge(state, static_cast<typename Op::State>(item(value, i)));
  }
  if (open) Op::atomic(states.memory + run, states.lock(run), state);
}

// ---- groups found by hash ---------------------------------------------------------------------------------------------------

// Open addressing over key parts. Groups are numbered in the order in which they are claimed: slots hold a number plus one (0:
// free), and a group's parts are written before its number is, so that no thread ever waits for another.
template <int kParts>
struct GroupTable {
  u64* slots;
  u64 slot_mask;
  u64* used;     // by group: 1 where its number stands in a slot
  u64 capacity;  // groups beyond this many are an overflow: the host runs the pipeline again with a larger table
  i64* parts[kParts];
};

// Another thread may just have written it.
SACCADE_DEVICE u64 fresh(const u64* address) {
  return *static_cast<const volatile u64*>(address);
}
template <int kParts>
SACCADE_DEVICE bool has_group_parts(const GroupTable<kParts>& table, u64 group, const i64* parts) {
  bool equal = true;
  for (int i = 0; i < kParts; ++i)
    equal = equal && fresh(reinterpret_cast<const u64*>(table.parts[i] + group)) == static_cast<u64>(parts[i]);
  return equal;
}

// The group of a key, made where there is none; -1 after an overflow. `spare`: a number that the thread has claimed but not
// used.
template <int kParts>
SACCADE_DEVICE_CALL i64 find_group(const GroupTable<kParts>& table, Status* status, const i64* parts, u64& spare) {
  u64 slot = hash_of_parts(parts, kParts) & table.slot_mask;
  for (;;) {
    u64 found = fresh(table.slots + slot);
    if (found == 0) {
      if (spare == 0) {
        if (fresh(&status->overflow) != 0) return -1;
        spare = atomic_add(&status->rows, 1) + 1;
      }
      if (spare > table.capacity) {
        status->overflow = 1;
        return -1;
      }
      for (int i = 0; i < kParts; ++i) table.parts[i][spare - 1] = parts[i];
      __threadfence();
      found = atomic_compare_swap(table.slots + slot, 0, spare);
      if (found == 0) {
        const u64 group = spare - 1;
        table.used[group] = 1;
        spare = 0;
        return static_cast<i64>(group);
      }
    }
    if (has_group_parts(table, found - 1, parts)) return static_cast<i64>(found - 1);
    slot = (slot + 1) & table.slot_mask;
  }
}

// The groups of the rows that are left; rows without one after an overflow are dropped.
template <int kParts, class... Keys>
SACCADE_DEVICE Values<i64> find_groups(Tile& tile, const GroupTable<kParts>& table, u64& spare, const Keys&... keys) {
  Values<i64> groups;
  u32 found = 0;
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) {
    groups.items[i] = 0;
    if ((tile.mask() >> i & 1) == 0) continue;
    const i64 parts[kParts] = {static_cast<i64>(item(keys, i))...};
    const i64 group = find_group(table, &tile.status(), parts, spare);
    if (group < 0) continue;
    groups.items[i] = group;
    found |= 1u << i;
  }
  tile.restrict_to(found);
  return groups;
}

}  // namespace saccade
