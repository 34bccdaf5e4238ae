// The tree of memory budgets: database > query > operator. Each reservation counts in every budget up to the root.
//
// Thread-safe. A reservation that would pass a limit raises SQLSTATE 53200 before anything is allocated. A pool may know its
// statement's cancellation: reservations then raise 57014 once it is set, and work that has no other way to ask calls check().
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "common/cancellation.hpp"

namespace saccade {

class MemoryPool {
 public:
  // `limit`: bytes; 0 for no limit of its own. `parent` (may be null) must outlive the pool.
  MemoryPool(std::string name, std::int64_t limit, MemoryPool* parent = nullptr);
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  // Counts `bytes` here and in all parents. Errors: 53200, with the name of the budget, its limit and what was asked; 57014.
  void reserve(std::int64_t bytes);
  void release(std::int64_t bytes) noexcept;

  // `cancellation` (null: none) must outlive the pool; pools made below this one later know it too. Not while others use the
  // pool.
  void observe(const Cancellation* cancellation) { cancellation_ = cancellation; }
  // Errors: 57014 where the statement has been cancelled.
  void check() const {
    if (cancellation_ != nullptr) cancellation_->check();
  }

  std::int64_t used() const { return used_.load(std::memory_order_relaxed); }
  std::int64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  std::int64_t limit() const { return limit_.load(std::memory_order_relaxed); }
  void set_limit(std::int64_t bytes) { limit_.store(bytes, std::memory_order_relaxed); }

 private:
  std::string name_;
  std::atomic<std::int64_t> limit_;
  MemoryPool* parent_;
  const Cancellation* cancellation_;
  std::atomic<std::int64_t> used_{0};
  std::atomic<std::int64_t> peak_{0};
};

// RAII: bytes held in a pool; movable.
class Reservation {
 public:
  Reservation() = default;
  Reservation(MemoryPool& pool, std::int64_t bytes) : pool_(&pool), bytes_(bytes) { pool.reserve(bytes); }
  Reservation(Reservation&& other) noexcept : pool_(other.pool_), bytes_(other.bytes_) { other.bytes_ = 0; }
  Reservation& operator=(Reservation&& other) noexcept;
  ~Reservation() { reset(); }

  // Grows or shrinks to `bytes`. Errors: 53200; the reservation is unchanged then.
  void resize(std::int64_t bytes);
  void reset() noexcept;
  std::int64_t bytes() const { return bytes_; }

 private:
  MemoryPool* pool_ = nullptr;
  std::int64_t bytes_ = 0;
};

}  // namespace saccade
