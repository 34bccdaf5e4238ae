#include "execution/cpu/group_table.hpp"

#include <cstring>

#include "execution/cpu/join_table.hpp"

namespace saccade::cpu {

GroupTable::GroupTable(int part_count, const AggregateList& list, std::int64_t capacity, MemoryPool& pool)
    : pool_(&pool), states_(list, 0, pool) {
  parts_.resize(static_cast<std::size_t>(part_count));
  reserve(capacity);
}

void GroupTable::reserve(std::int64_t groups) {
  if (groups <= capacity_) return;
  std::int64_t capacity = std::max<std::int64_t>(64, capacity_);
  while (capacity < groups) capacity *= 2;
  const auto enlarge = [&](std::unique_ptr<Buffer>& buffer) {
    auto larger = Buffer::allocate(capacity * 8, *pool_);
    if (groups_ > 0) std::memcpy(larger->data(), buffer->data(), static_cast<std::size_t>(groups_) * 8);
    buffer = std::move(larger);
  };
  for (auto& part : parts_) enlarge(part);
  enlarge(hashes_);
  states_.grow(capacity);
  entries_ = Buffer::allocate(2 * capacity * 8, *pool_);
  entry_mask_ = static_cast<std::uint64_t>(2 * capacity) - 1;
  capacity_ = capacity;
  rebuild_entries();
}

void GroupTable::rebuild_entries() {
  std::memset(entries_->data(), 0, (entry_mask_ + 1) * 8);
  auto* entries = entries_->as<std::uint64_t>();
  for (std::int64_t g = 0; g < groups_; ++g) {
    const std::uint64_t hash = hashes()[g];
    std::uint64_t place = hash & entry_mask_;
    while (entries[place] != 0) place = (place + 1) & entry_mask_;
    entries[place] = hash >> kTagShift << kTagShift | static_cast<std::uint64_t>(g + 1);
  }
}

void GroupTable::clear() {
  states_.reset(0, groups_);
  groups_ = 0;
  rebuild_entries();
}

template <int kParts>
void GroupTable::find_all(const std::uint64_t* hashes, const std::int64_t* const* parts, std::int64_t n, std::int64_t* groups) {
  auto* entries = entries_->as<std::uint64_t>();
  const std::size_t part_count = kParts > 0 ? static_cast<std::size_t>(kParts) : parts_.size();
  const auto equal = [&](std::int64_t group, std::int64_t i) {
    for (std::size_t p = 0; p < part_count; ++p) {
      if (part(p)[group] != parts[p][i]) return false;
    }
    return true;
  };
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t tag = hashes[i] >> kTagShift;
    for (std::uint64_t place = hashes[i] & entry_mask_;; place = (place + 1) & entry_mask_) {
      const std::uint64_t entry = entries[place];
      if (entry == 0) {
        entries[place] = tag << kTagShift | static_cast<std::uint64_t>(groups_ + 1);
        for (std::size_t p = 0; p < part_count; ++p) parts_[p]->as<std::int64_t>()[groups_] = parts[p][i];
        hashes_->as<std::uint64_t>()[groups_] = hashes[i];
        groups[i] = groups_++;
        break;
      }
      const auto group = static_cast<std::int64_t>((entry & kRowMask) - 1);
      if (entry >> kTagShift == tag && equal(group, i)) {
        groups[i] = group;
        break;
      }
    }
  }
}

void GroupTable::find(const std::uint64_t* hashes, const std::int64_t* const* parts, std::int64_t n, std::int64_t* groups) {
  reserve(groups_ + n);
  const auto* entries = entries_->as<std::uint64_t>();
  for (std::int64_t i = 0; i < n; ++i) __builtin_prefetch(entries + (hashes[i] & entry_mask_));
  if (parts_.size() == 1) return find_all<1>(hashes, parts, n, groups);
  if (parts_.size() == 2) return find_all<2>(hashes, parts, n, groups);
  find_all<0>(hashes, parts, n, groups);
}

}  // namespace saccade::cpu
