#include "execution/gpu/device_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "common/error.hpp"

namespace saccade::gpu {

namespace {

std::int64_t round_up(std::int64_t bytes, std::int64_t granule) {
  return (bytes + granule - 1) / granule * granule;
}

}  // namespace

bool DeviceBudget::reserve(std::int64_t bytes) {
  std::int64_t used = used_.load();
  do {
    if (bytes > limit_ - used) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes));
  return true;
}

DevicePool::DevicePool(std::string device, BlockSource& source, DeviceBudget& budget)
    : device_(std::move(device)), source_(source), budget_(budget) {}

DevicePool::~DevicePool() {
  for (const auto& [address, size] : blocks_) {
    source_.give_back(address);
    budget_.release(size);
  }
}

DeviceAddress DevicePool::allocate(std::int64_t bytes) {
  SACCADE_CHECK(bytes >= 0 && bytes < (std::int64_t{1} << 50));
  const std::int64_t size = round_up(std::max<std::int64_t>(bytes, 1), kAlignment);
  std::optional<DeviceAddress> address = take_piece(size);
  if (!address) {
    grow(size);
    address = take_piece(size);
    SACCADE_CHECK(address.has_value());
  }
  used_ += size;
  return *address;
}

std::optional<DeviceAddress> DevicePool::take_piece(std::int64_t size) {
  const auto best = free_.lower_bound({size, 0});
  if (best == free_.end()) return std::nullopt;
  const DeviceAddress address = best->second;
  Piece& piece = pieces_.at(address);
  if (piece.size > size) {
    const DeviceAddress rest = address + static_cast<DeviceAddress>(size);
    free_.emplace(piece.size - size, rest);
    pieces_.emplace(rest, Piece{piece.size - size, piece.block, true});
  }
  free_.erase(best);
  piece.size = size;
  piece.free = false;
  return address;
}

void DevicePool::grow(std::int64_t size) {
  const std::int64_t least = round_up(size, kBlockGranule);
  if (least < next_block_ && add_block(next_block_)) {
    next_block_ = std::min(2 * next_block_, kLargestBlock);
    return;
  }
  if (add_block(least)) return;
  if (give_back_unused() && add_block(least)) return;
  throw Error(sqlstate::kOutOfMemory,
              fmt::format("out of device memory on {}: {} bytes were asked for, {} of the limit of {} bytes are in use",
                          device_, size, budget_.used(), budget_.limit()),
              0, "Raise gpu_memory_limit, run on more ranks, or SET device = cpu.");
}

bool DevicePool::add_block(std::int64_t size) {
  if (!budget_.reserve(size)) return false;
  std::optional<DeviceAddress> address;
  try {
    address = source_.take(size);
  } catch (...) {
    budget_.release(size);
    throw;
  }
  if (!address) {
    budget_.release(size);
    return false;
  }
  blocks_.emplace(*address, size);
  pieces_.emplace(*address, Piece{size, *address, true});
  free_.emplace(size, *address);
  held_ += size;
  return true;
}

bool DevicePool::give_back_unused() noexcept {
  bool any = false;
  for (auto block = blocks_.begin(); block != blocks_.end();) {
    const auto [address, size] = *block;
    const auto piece = pieces_.find(address);
    if (!piece->second.free || piece->second.size != size) {
      ++block;
      continue;
    }
    free_.erase({size, address});
    pieces_.erase(piece);
    block = blocks_.erase(block);
    source_.give_back(address);
    budget_.release(size);
    held_ -= size;
    any = true;
  }
  return any;
}

std::int64_t DevicePool::free(DeviceAddress address) noexcept {
  auto piece = pieces_.find(address);
  if (piece == pieces_.end() || piece->second.free) {
    assert(address == 0);  // a double free is a bug, but leaves the pool sound
    return 0;
  }
  const std::int64_t size = piece->second.size;
  used_ -= size;
  piece->second.free = true;
  piece = join_with_next(piece);
  if (piece != pieces_.begin()) {
    const auto before = std::prev(piece);
    if (before->second.free && before->second.block == piece->second.block) {
      free_.erase({before->second.size, before->first});
      piece = join_with_next(before);
    }
  }
  free_.emplace(piece->second.size, piece->first);
  return size;
}

// Takes the following piece in if it is free and of the same block; `piece` itself is not in free_.
DevicePool::Pieces::iterator DevicePool::join_with_next(Pieces::iterator piece) noexcept {
  const auto next = std::next(piece);
  if (next == pieces_.end() || !next->second.free || next->second.block != piece->second.block) return piece;
  free_.erase({next->second.size, next->first});
  piece->second.size += next->second.size;
  pieces_.erase(next);
  return piece;
}

}  // namespace saccade::gpu
