// How a function over text is called: with all rows of a vector at once.
//
// A function reads its operands, makes strings in the scratch memory, and writes a value (and, where it may give null,
// validity) for each row. It may throw an SQL error. Functions are pure and may be called by any thread, each with a call of
// its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/int128.hpp"
#include "data/text.hpp"
#include "function/text/registry.hpp"

namespace saccade {

// Memory for the strings of a call; freed by the caller together.
class TextScratch {
 public:
  TextScratch() = default;
  TextScratch(const TextScratch&) = delete;
  TextScratch& operator=(const TextScratch&) = delete;
  virtual ~TextScratch() = default;

  // Room for prefix and `bytes` bytes, uninitialised. Errors: 54000 where that is no possible length of a string, 53200.
  char* room(std::int64_t bytes);

 protected:
  // `bytes` bytes anywhere. Errors: 53200.
  virtual char* allocate(std::int64_t bytes) = 0;

 private:
  static constexpr std::int64_t kBlock = 16 * 1024;
  char* next_ = nullptr;
  std::int64_t left_ = 0;
};

// Scratch memory of the heap, for a few values.
class HeapTextScratch final : public TextScratch {
 protected:
  char* allocate(std::int64_t bytes) override {
    blocks_.emplace_back(new char[static_cast<std::size_t>(bytes)]);
    return blocks_.back().get();
  }

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
};

struct TextOperand {
  const void* values = nullptr;
  const std::uint8_t* valid = nullptr;  // a byte a row; null pointer: no nulls
  bool constant = false;                // one value (and validity) for all rows

  std::int64_t place(std::int64_t row) const { return constant ? 0 : row; }
  bool is_valid(std::int64_t row) const { return valid == nullptr || valid[place(row)] != 0; }
  std::string_view text(std::int64_t row) const { return static_cast<const TextValue*>(values)[place(row)].view(); }
  std::int64_t integer(std::int64_t row) const { return static_cast<const std::int64_t*>(values)[place(row)]; }
  int128 wide(std::int64_t row) const { return static_cast<const int128*>(values)[place(row)]; }
  double real(std::int64_t row) const { return static_cast<const double*>(values)[place(row)]; }
  bool boolean(std::int64_t row) const { return static_cast<const std::uint8_t*>(values)[place(row)] != 0; }
};

// What a function makes of its constant arguments once, for all rows: a compiled pattern.
class TextPrepared {
 public:
  virtual ~TextPrepared() = default;
};

struct TextCall {
  std::span<const TextOperand> operands;
  std::int64_t rows = 0;
  const std::uint8_t* valid = nullptr;  // strict functions: rows to compute; null: all. Else null
  void* out = nullptr;                  // a value of the result's lane for each row; any where it is null
  std::uint8_t* out_valid = nullptr;    // kStrictOrNull, kOwn: starts as `valid` or all ones, and may be cleared; else null
  TextScratch* scratch = nullptr;
  const TextPrepared* prepared = nullptr;  // what the function's prepare gave, if anything

  template <class Work>
  void each_row(const Work& work) {
    for (std::int64_t row = 0; row < rows; ++row) {
      if (valid == nullptr || valid[row] != 0) work(row);
    }
  }
  void put(std::int64_t row, std::string_view text) {
    static_cast<TextValue*>(out)[row] = write_text(scratch->room(static_cast<std::int64_t>(text.size())), text);
  }
  // Room for a string of `bytes` bytes as the row's result, to be filled.
  char* put_room(std::int64_t row, std::int64_t bytes) {
    char* to = scratch->room(bytes);
    const auto size = static_cast<std::uint32_t>(bytes);
    std::memcpy(to, &size, sizeof(size));
    static_cast<TextValue*>(out)[row] = TextValue(to);
    return to + kTextPrefixBytes;
  }
  // The operand's own string as the result.
  void put_operand(std::int64_t row, std::size_t operand) {
    const TextOperand& from = operands[operand];
    static_cast<TextValue*>(out)[row] = static_cast<const TextValue*>(from.values)[from.place(row)];
  }
  void put_null(std::int64_t row) { out_valid[row] = 0; }
  void put_integer(std::int64_t row, std::int64_t value) { static_cast<std::int64_t*>(out)[row] = value; }
  void put_wide(std::int64_t row, int128 value) { static_cast<int128*>(out)[row] = value; }
  void put_real(std::int64_t row, double value) { static_cast<double*>(out)[row] = value; }
  void put_boolean(std::int64_t row, bool value) { static_cast<std::uint8_t*>(out)[row] = value ? 1 : 0; }
};

struct TextImplementation {
  void (*run)(TextCall& call) = nullptr;
  // Arguments that are constant and not null by number; others are empty. May be null, or give null where there is nothing to
  // prepare. Errors are those that a row would raise.
  std::shared_ptr<const TextPrepared> (*prepare)(std::span<const std::optional<TextOperand>> constants) = nullptr;
};

const TextImplementation& text_implementation(TextFunctionId id);

}  // namespace saccade
