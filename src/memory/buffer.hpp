// A block of host memory, 64-byte aligned and padded to 64 bytes, counted in a MemoryPool until it is freed.
//
// One owner at a time, or shared as std::shared_ptr<const Buffer> once it is filled and immutable. The pool must outlive it.
#pragma once

#include <cstdint>
#include <memory>

#include "memory/memory_pool.hpp"

namespace saccade {

class Buffer {
 public:
  // Uninitialised; padding behind `size` is zeroed. Errors: 53200.
  static std::unique_ptr<Buffer> allocate(std::int64_t size, MemoryPool& pool);
  // As allocate, all bytes zero.
  static std::unique_ptr<Buffer> allocate_zeroed(std::int64_t size, MemoryPool& pool);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::int64_t size() const { return size_; }
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(data_);
  }
  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(data_);
  }

 private:
  Buffer(std::byte* data, std::int64_t size, Reservation reservation)
      : data_(data), size_(size), reservation_(std::move(reservation)) {}

  std::byte* data_;
  std::int64_t size_;
  Reservation reservation_;
};

}  // namespace saccade
