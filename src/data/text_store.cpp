#include "data/text_store.hpp"

#include <algorithm>
#include <utility>

namespace saccade {
namespace {

constexpr std::int64_t kFirstBlock = 4 * 1024;
constexpr std::int64_t kLargestBlock = 1024 * 1024;
constexpr std::int64_t kFirstSlots = 16;

}  // namespace

char* TextArena::allocate(std::int64_t bytes) {
  const std::int64_t needed = bytes + kTextPrefixBytes;
  if (needed > left_) {
    const std::int64_t next = blocks_.empty() ? kFirstBlock : std::min(kLargestBlock, 2 * blocks_.back()->size());
    if (needed > next / 4) {
      // A block of its own, so that what is left of the last one stays in use.
      std::unique_ptr<Buffer> own = Buffer::allocate(needed, *pool_);
      char* data = own->as<char>();
      blocks_.insert(blocks_.begin(), std::move(own));
      return data;
    }
    blocks_.push_back(Buffer::allocate(next, *pool_));
    next_ = blocks_.back()->as<char>();
    left_ = next;
  }
  char* data = next_;
  next_ += needed;
  left_ -= needed;
  return data;
}

// Open addressing, at most half full.
struct TextInterner::Shard {
  struct Slot {
    std::uint64_t hash;
    TextValue text;
  };

  explicit Shard(MemoryPool& pool_in) : pool(&pool_in), arena(pool_in) {}

  void grow() {
    const std::int64_t count = slots == nullptr ? kFirstSlots : 2 * (mask + 1);
    std::unique_ptr<Buffer> larger = Buffer::allocate_zeroed(count * static_cast<std::int64_t>(sizeof(Slot)), *pool);
    Slot* to = larger->as<Slot>();
    const std::int64_t old = slots == nullptr ? 0 : mask + 1;
    for (std::int64_t i = 0; i < old; ++i) {
      const Slot& slot = slots->as<Slot>()[i];
      if (!slot.text.has_value()) continue;
      auto at = static_cast<std::int64_t>(slot.hash) & (count - 1);
      while (to[at].text.has_value()) at = (at + 1) & (count - 1);
      to[at] = slot;
    }
    slots = std::move(larger);
    mask = count - 1;
  }

  TextValue intern(TextValue text, std::uint64_t hash, bool permanent) {
    if (slots == nullptr || 2 * used > mask) grow();
    Slot* table = slots->as<Slot>();
    auto at = static_cast<std::int64_t>(hash) & mask;
    for (; table[at].text.has_value(); at = (at + 1) & mask) {
      if (table[at].hash == hash && table[at].text.view() == text.view()) return table[at].text;
    }
    table[at] = {hash, permanent ? text : arena.copy(text.view())};
    ++used;
    return table[at].text;
  }

  std::mutex mutex;
  MemoryPool* pool;
  TextArena arena;
  std::unique_ptr<Buffer> slots;
  std::int64_t mask = 0;
  std::int64_t used = 0;
};

TextInterner::TextInterner(MemoryPool& pool) {
  for (int i = 0; i < kShards; ++i) shards_.push_back(std::make_unique<Shard>(pool));
}

TextInterner::~TextInterner() = default;

TextValue TextInterner::intern(TextValue text, bool permanent) {
  const std::uint64_t hash = hash_text(text.view());
  Shard& shard = *shards_[hash >> 58];
  const std::lock_guard lock(shard.mutex);
  return shard.intern(text, hash, permanent);
}

TextArena& TextStore::add_arena() {
  const std::lock_guard lock(mutex_);
  arenas_.push_back(std::make_unique<TextArena>(pool_));
  return *arenas_.back();
}

void TextStore::keep(std::shared_ptr<const void> owner) {
  const std::lock_guard lock(mutex_);
  owners_.push_back(std::move(owner));
}

}  // namespace saccade
