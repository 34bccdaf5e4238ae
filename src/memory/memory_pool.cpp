#include "memory/memory_pool.hpp"

#include <fmt/format.h>

#include "common/error.hpp"

namespace saccade {

MemoryPool::MemoryPool(std::string name, std::int64_t limit, MemoryPool* parent)
    : name_(std::move(name)),
      limit_(limit),
      parent_(parent),
      cancellation_(parent == nullptr ? nullptr : parent->cancellation_) {}

MemoryPool::~MemoryPool() = default;

void MemoryPool::reserve(std::int64_t bytes) {
  SACCADE_CHECK(bytes >= 0);
  check();
  std::int64_t used = used_.load(std::memory_order_relaxed);
  std::int64_t total = 0;
  do {
    const std::int64_t limit = this->limit();
    if (__builtin_add_overflow(used, bytes, &total) || (limit > 0 && total > limit)) {
      throw Error(sqlstate::kOutOfMemory,
                  fmt::format("out of memory: {} asked for {} bytes, {} of its limit of {} bytes are in use", name_, bytes,
                              used, limit > 0 ? limit : INT64_MAX),
                  0, "Raise memory_limit, or let the query hold fewer rows at a time.");
    }
  } while (!used_.compare_exchange_weak(used, total, std::memory_order_relaxed));
  if (parent_ != nullptr) {
    try {
      parent_->reserve(bytes);
    } catch (...) {
      used_.fetch_sub(bytes, std::memory_order_relaxed);
      throw;
    }
  }
  std::int64_t peak = peak_.load(std::memory_order_relaxed);
  while (peak < total && !peak_.compare_exchange_weak(peak, total, std::memory_order_relaxed)) {
  }
}

void MemoryPool::release(std::int64_t bytes) noexcept {
  for (MemoryPool* pool = this; pool != nullptr; pool = pool->parent_) {
    pool->used_.fetch_sub(bytes, std::memory_order_relaxed);
  }
}

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  if (this != &other) {
    reset();
    pool_ = other.pool_;
    bytes_ = other.bytes_;
    other.bytes_ = 0;
  }
  return *this;
}

void Reservation::resize(std::int64_t bytes) {
  SACCADE_CHECK(bytes >= 0 && (pool_ != nullptr || bytes == 0));
  if (bytes > bytes_) {
    pool_->reserve(bytes - bytes_);
  } else if (bytes < bytes_) {
    pool_->release(bytes_ - bytes);
  }
  bytes_ = bytes;
}

void Reservation::reset() noexcept {
  if (bytes_ != 0) pool_->release(bytes_);
  bytes_ = 0;
}

}  // namespace saccade
