// Strings one after the other, each behind its length (data/text.hpp): the heap of a plain text column while it is filled.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "data/text.hpp"
#include "memory/buffer.hpp"

namespace saccade {

class TextHeap {
 public:
  // Begins with the empty string, which stands for nulls. `expected` bytes, a guess; `limit`: at most so many (54000).
  TextHeap(std::int64_t expected, std::int64_t limit, std::string where, MemoryPool& pool);

  // Both give the offset of what was appended. The block holds length-prefixed strings as they stand here.
  std::int64_t append(std::string_view text);
  std::int64_t append_block(std::span<const std::uint8_t> strings);

  std::shared_ptr<const Buffer> take() { return std::move(bytes_); }

 private:
  char* extend(std::int64_t bytes);

  std::int64_t limit_;
  std::string where_;
  MemoryPool& pool_;
  std::unique_ptr<Buffer> bytes_;
  std::int64_t used_ = 0;
};

}  // namespace saccade
