#include "execution/cpu/arena.hpp"

#include <algorithm>

namespace saccade::cpu {
namespace {

constexpr std::int64_t kBlockBytes = 512 * 1024;
constexpr std::int64_t kSlack = 64;

}  // namespace

std::byte* Arena::allocate_bytes(std::int64_t bytes) {
  const std::int64_t padded = (bytes + kSlack + 63) / 64 * 64;
  while (block_ < blocks_.size() && used_ + padded > blocks_[block_]->size()) {
    ++block_;
    used_ = 0;
  }
  if (block_ == blocks_.size()) {
    blocks_.push_back(Buffer::allocate(std::max(kBlockBytes, padded), *pool_));
    used_ = 0;
  }
  std::byte* data = blocks_[block_]->data() + used_;
  used_ += padded;
  return data;
}

}  // namespace saccade::cpu
