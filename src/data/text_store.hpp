// The strings that a query makes and keeps: what rows in lane kText point to once a batch is done.
//
// One TextStore serves one query in one process, on all its ranks and threads. It is made when the query starts and lives until
// the result is freed; nothing is given back before. All of it is counted in the query's pool, which must outlive it.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "data/text.hpp"
#include "memory/buffer.hpp"

namespace saccade {

// Strings bumped off blocks. Used by one thread at a time.
class TextArena {
 public:
  explicit TextArena(MemoryPool& pool) : pool_(&pool) {}

  // Room for prefix and `bytes` bytes, uninitialised. Errors: 53200.
  char* allocate(std::int64_t bytes);
  TextValue copy(std::string_view text) { return write_text(allocate(static_cast<std::int64_t>(text.size())), text); }

 private:
  MemoryPool* pool_;
  std::vector<std::unique_ptr<Buffer>> blocks_;
  char* next_ = nullptr;
  std::int64_t left_ = 0;
};

// The one string that stands for all equal ones. Any thread may intern at any time.
class TextInterner {
 public:
  explicit TextInterner(MemoryPool& pool);
  ~TextInterner();

  // `permanent`: the text's bytes outlive the query's rows already and need not be copied. Errors: 53200.
  TextValue intern(TextValue text, bool permanent);

 private:
  struct Shard;
  static constexpr int kShards = 64;
  std::vector<std::unique_ptr<Shard>> shards_;
};

class TextStore {
 public:
  explicit TextStore(MemoryPool& pool) : pool_(pool), interner_(pool) {}

  TextInterner& interner() { return interner_; }
  // An arena for one thread's use. Thread-safe.
  TextArena& add_arena();
  // Keeps what strings lie in (a column's heap, a dictionary) alive as long as the store. Thread-safe.
  void keep(std::shared_ptr<const void> owner);

 private:
  MemoryPool& pool_;
  TextInterner interner_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<TextArena>> arenas_;
  std::vector<std::shared_ptr<const void>> owners_;
};

}  // namespace saccade
