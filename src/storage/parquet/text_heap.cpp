#include "storage/parquet/text_heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/error.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kLargestFirstHeap = 64 << 20;  // a footer may state any size

}  // namespace

TextHeap::TextHeap(std::int64_t expected, std::int64_t limit, std::string where, MemoryPool& pool)
    : limit_(limit),
      where_(std::move(where)),
      pool_(pool),
      bytes_(Buffer::allocate(std::clamp<std::int64_t>(expected, 64, kLargestFirstHeap), pool)) {
  append({});
}

std::int64_t TextHeap::append(std::string_view text) {
  const std::int64_t at = used_;
  write_text(extend(kTextPrefixBytes + static_cast<std::int64_t>(text.size())), text);
  return at;
}

std::int64_t TextHeap::append_block(std::span<const std::uint8_t> strings) {
  const std::int64_t at = used_;
  char* to = extend(static_cast<std::int64_t>(strings.size()));
  if (!strings.empty()) std::memcpy(to, strings.data(), strings.size());
  return at;
}

char* TextHeap::extend(std::int64_t bytes) {
  const std::int64_t needed = used_ + bytes;
  if (needed > limit_) throw Error("54000", fmt::format("{}: its strings are too long together", where_));
  if (needed > bytes_->size()) {
    std::unique_ptr<Buffer> larger = Buffer::allocate(std::max(needed, 2 * bytes_->size()), pool_);
    std::memcpy(larger->data(), bytes_->data(), static_cast<std::size_t>(used_));
    bytes_ = std::move(larger);
  }
  char* to = bytes_->as<char>() + used_;
  used_ = needed;
  return to;
}

}  // namespace saccade
