// The text that TPC-H's comments are cut from: 300 MB of sentences made by the grammar of clause 4.2.2.14, the same for every
// scale factor.
//
// One pool a process, never freed. It is made piece by piece as it is first read, so that a small table costs little; the
// pieces, whose beginnings are known beforehand, may be made and read by many threads at once.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

namespace saccade::tpch {

// A sentence's beginning: its place in the pool, and the state of the random stream there.
struct TextPlace {
  std::uint32_t offset;
  std::uint32_t state;
};

class TextPool {
 public:
  static constexpr std::int64_t kBytes = 300LL << 20;
  static constexpr int kPieces = 300;

  static TextPool& instance();
  TextPool(const TextPool&) = delete;
  TextPool& operator=(const TextPool&) = delete;

  // Bytes offset .. offset + length - 1, within the pool. The view stays valid.
  std::string_view text(std::int64_t offset, std::int64_t length);

  // The places at which pieces begin, found by making the whole pool once in order; the first sentences at or behind each
  // multiple of kBytes / kPieces. What text_pool_places.inc holds.
  static std::array<TextPlace, kPieces> find_places();
  static TextPlace place(int piece);

 private:
  TextPool();
  void make_piece(int piece);

  std::unique_ptr<char[]> text_;
  std::array<std::once_flag, kPieces> made_;
  std::array<std::atomic<bool>, kPieces> ready_{};
};

}  // namespace saccade::tpch
