#include "storage/parquet/string_interner.hpp"

#include <algorithm>
#include <functional>

#include "common/error.hpp"

namespace saccade {
namespace {

constexpr std::size_t kFirstSlots = 1024;

}  // namespace

StringInterner::StringInterner(MemoryPool& pool) : slots_(kFirstSlots, 0), memory_(pool, 0) {
  entries_.reserve(kFirstSlots / 2 + 1);
  count_memory(0, entries_.capacity(), kFirstSlots);
}

std::uint32_t StringInterner::intern(std::string_view text) {
  if (entries_.size() * 2 >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] == 0) {
      SACCADE_CHECK(entries_.size() < UINT32_MAX);
      if (bytes_.size() + text.size() > bytes_.capacity()) grow_bytes(text.size());
      entries_.push_back({bytes_.size(), static_cast<std::uint32_t>(text.size()), hash});
      bytes_.insert(bytes_.end(), text.begin(), text.end());
      slots_[slot] = static_cast<std::uint32_t>(entries_.size());
      return slots_[slot] - 1;
    }
    const std::uint32_t number = slots_[slot] - 1;
    if (entries_[number].hash == hash && at(number) == text) return number;
  }
}

void StringInterner::grow_bytes(std::size_t more) {
  const std::size_t capacity = std::max(bytes_.capacity() * 2, bytes_.size() + more);
  count_memory(capacity, entries_.capacity(), slots_.size());
  bytes_.reserve(capacity);
}

// Entries grow with the slots, so that there is always room for one more.
void StringInterner::grow() {
  const std::size_t count = slots_.size() * 2, mask = count - 1;
  count_memory(bytes_.capacity(), count / 2 + 1, count);
  entries_.reserve(count / 2 + 1);
  std::vector<std::uint32_t> slots(count, 0);
  for (std::size_t number = 0; number < entries_.size(); ++number) {
    std::size_t slot = entries_[number].hash & mask;
    while (slots[slot] != 0) slot = (slot + 1) & mask;
    slots[slot] = static_cast<std::uint32_t>(number + 1);
  }
  slots_ = std::move(slots);
}

void StringInterner::count_memory(std::size_t bytes, std::size_t entries, std::size_t slots) {
  memory_.resize(static_cast<std::int64_t>(bytes + entries * sizeof(Entry) + slots * sizeof(std::uint32_t)));
}

}  // namespace saccade
