#include "storage/parquet/string_interner.hpp"

#include <functional>

#include "common/error.hpp"

namespace saccade {
namespace {

constexpr std::size_t kFirstSlots = 1024;

}  // namespace

StringInterner::StringInterner(MemoryPool& pool) : slots_(kFirstSlots, 0), memory_(pool, kFirstSlots * sizeof(std::uint32_t)) {}

std::uint32_t StringInterner::intern(std::string_view text) {
  if (entries_.size() * 2 >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] == 0) {
      SACCADE_CHECK(entries_.size() < UINT32_MAX);
      entries_.push_back({bytes_.size(), static_cast<std::uint32_t>(text.size()), hash});
      bytes_.insert(bytes_.end(), text.begin(), text.end());
      slots_[slot] = static_cast<std::uint32_t>(entries_.size());
      return slots_[slot] - 1;
    }
    const std::uint32_t number = slots_[slot] - 1;
    if (entries_[number].hash == hash && at(number) == text) return number;
  }
}

void StringInterner::grow() {
  std::vector<std::uint32_t> slots(slots_.size() * 2, 0);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t number = 0; number < entries_.size(); ++number) {
    std::size_t slot = entries_[number].hash & mask;
    while (slots[slot] != 0) slot = (slot + 1) & mask;
    slots[slot] = static_cast<std::uint32_t>(number + 1);
  }
  slots_ = std::move(slots);
  memory_.resize(static_cast<std::int64_t>(bytes_.capacity() + entries_.capacity() * sizeof(Entry) +
                                           slots_.size() * sizeof(std::uint32_t)));
}

}  // namespace saccade
