#include "memory/buffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "common/error.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kAlignment = 64;

}  // namespace

std::unique_ptr<Buffer> Buffer::allocate(std::int64_t size, MemoryPool& pool) {
  SACCADE_CHECK(size >= 0 && size <= INT64_MAX - kAlignment);
  const std::int64_t padded = std::max(kAlignment, (size + kAlignment - 1) / kAlignment * kAlignment);
  Reservation reservation(pool, padded);
  auto* data = static_cast<std::byte*>(std::aligned_alloc(kAlignment, static_cast<std::size_t>(padded)));
  if (data == nullptr) {
    throw Error(sqlstate::kOutOfMemory, fmt::format("out of memory: the system has no {} bytes left", padded), 0,
                "Lower memory_limit below the machine's free memory, or free memory on the machine.");
  }
  std::memset(data + size, 0, static_cast<std::size_t>(padded - size));
  return std::unique_ptr<Buffer>(new Buffer(data, size, std::move(reservation)));
}

std::unique_ptr<Buffer> Buffer::allocate_zeroed(std::int64_t size, MemoryPool& pool) {
  std::unique_ptr<Buffer> buffer = allocate(size, pool);
  std::memset(buffer->data(), 0, static_cast<std::size_t>(size));
  return buffer;
}

Buffer::~Buffer() {
  std::free(data_);
}

}  // namespace saccade
