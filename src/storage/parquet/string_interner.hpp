// Distinct strings in order of first appearance, each with its number: the local dictionary of one row group while it is read.
// Used by one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "memory/memory_pool.hpp"

namespace saccade {

class StringInterner {
 public:
  explicit StringInterner(MemoryPool& pool);

  // The number of `text`, given now if it is new. Errors: 53200.
  std::uint32_t intern(std::string_view text);

  std::int64_t size() const { return static_cast<std::int64_t>(entries_.size()); }
  std::string_view at(std::int64_t number) const {
    const Entry& entry = entries_[static_cast<std::size_t>(number)];
    return {bytes_.data() + entry.offset, entry.length};
  }

 private:
  struct Entry {
    std::size_t offset;
    std::uint32_t length;
    std::uint32_t hash;
  };

  void grow();
  void grow_bytes(std::size_t more);
  // Counts what is about to be held. Errors: 53200.
  void count_memory(std::size_t bytes, std::size_t entries, std::size_t slots);

  std::vector<char> bytes_;  // grows, so views of entries are valid only until the next intern()
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // open addressing, a power of two of them; a number plus one, 0 where free
  Reservation memory_;
};

}  // namespace saccade
