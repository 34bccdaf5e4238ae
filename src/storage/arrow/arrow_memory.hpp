// What every use of Arrow here needs: its memory counted in a pool of ours, and its failures as errors of ours.
#pragma once

#include <arrow/memory_pool.h>
#include <arrow/status.h>

#include <string>

#include "memory/memory_pool.hpp"

namespace saccade {

// Arrow's memory, counted in a pool of ours, which must outlive it. Thread-safe.
class CountedArrowPool final : public arrow::MemoryPool {
 public:
  explicit CountedArrowPool(saccade::MemoryPool& pool) : pool_(pool) {}
  using arrow::MemoryPool::Allocate;
  using arrow::MemoryPool::Free;
  using arrow::MemoryPool::Reallocate;
  arrow::Status Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) override;
  arrow::Status Reallocate(std::int64_t old_size, std::int64_t new_size, std::int64_t alignment, std::uint8_t** data) override;
  void Free(std::uint8_t* data, std::int64_t size, std::int64_t alignment) override;
  std::int64_t bytes_allocated() const override { return pool_.used(); }
  std::int64_t total_bytes_allocated() const override { return pool_.used(); }
  std::int64_t num_allocations() const override { return 0; }
  std::string backend_name() const override { return "saccade"; }

 private:
  saccade::MemoryPool& pool_;
};

// Raises what Arrow answered about reading `where` (a file, or a part of it): 57014, 53200, 58030, 0A000, else XX001.
[[noreturn]] void raise_arrow_status(const std::string& where, const arrow::Status& status);

// Raises what Arrow threw about reading `where` as an Error. To be called within a catch block.
[[noreturn]] void raise_arrow_error(const std::string& where);

}  // namespace saccade
