// Scratch memory of one worker: vectors of one batch are bumped off blocks and all freed together.
//
// Owned and used by one thread. Memory is counted in the query's pool. Nothing is constructed or destroyed.
#pragma once

#include <memory>
#include <vector>

#include "memory/buffer.hpp"

namespace saccade::cpu {

class Arena {
 public:
  explicit Arena(MemoryPool& pool) : pool_(&pool) {}

  // Uninitialised, 64-byte aligned, with 64 bytes of slack behind for kernels that store whole registers. Errors: 53200.
  template <class T>
  T* allocate(std::int64_t count) {
    return reinterpret_cast<T*>(allocate_bytes(count * static_cast<std::int64_t>(sizeof(T))));
  }

  struct Mark {
    std::size_t block = 0;
    std::int64_t used = 0;
  };
  Mark mark() const { return {block_, used_}; }
  // Frees what was allocated since the mark.
  void release(Mark mark) {
    block_ = mark.block;
    used_ = mark.used;
  }

 private:
  std::byte* allocate_bytes(std::int64_t bytes);

  MemoryPool* pool_;
  std::vector<std::unique_ptr<Buffer>> blocks_;
  std::size_t block_ = 0;  // the block in use
  std::int64_t used_ = 0;  // bytes of it
};

}  // namespace saccade::cpu
