#include "exchange/text_transfer.hpp"

#include <cstring>
#include <numeric>
#include <utility>

#include "common/error.hpp"

namespace saccade {
namespace {

constexpr std::uint32_t kNoValue = 0xffffffff;  // in the place of a length: a row without a string

bool has_text(const LaneColumn& texts, std::int64_t row) {
  return texts.is_valid(row) && texts.as<TextValue>()[row].has_value();
}

}  // namespace

PackedTexts pack_texts(const LaneColumn& texts, std::int64_t rows, const std::int32_t* part_of, std::size_t parts,
                       MemoryPool& pool) {
  PackedTexts packed;
  packed.sizes.assign(parts, 0);
  const auto part = [&](std::int64_t row) { return part_of == nullptr ? 0 : static_cast<std::size_t>(part_of[row]); };
  for (std::int64_t row = 0; row < rows; ++row)
    packed.sizes[part(row)] += has_text(texts, row) ? texts.as<TextValue>()[row].stored_bytes() : kTextPrefixBytes;
  std::vector<std::int64_t> next(parts);
  std::exclusive_scan(packed.sizes.begin(), packed.sizes.end(), next.begin(), std::int64_t{0});
  packed.bytes = Buffer::allocate(std::accumulate(packed.sizes.begin(), packed.sizes.end(), std::int64_t{0}), pool);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t& at = next[part(row)];
    char* to = packed.bytes->as<char>() + at;
    if (has_text(texts, row)) {
      at += write_text(to, texts.as<TextValue>()[row].view()).stored_bytes();
    } else {
      std::memcpy(to, &kNoValue, sizeof(kNoValue));
      at += kTextPrefixBytes;
    }
  }
  return packed;
}

std::shared_ptr<const Buffer> unpack_texts(std::shared_ptr<const Buffer> bytes, std::int64_t size, std::int64_t rows,
                                           TextStore& store, MemoryPool& pool) {
  std::shared_ptr<Buffer> texts = Buffer::allocate(rows * lane_bytes(Lane::kText), pool);
  const char* data = bytes->as<char>();
  std::int64_t at = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    if (at + kTextPrefixBytes > size) throw Error(sqlstate::kConnectionFailure, "strings from another rank are incomplete");
    const TextValue text(data + at);
    const bool present = text.size() != kNoValue;
    at += present ? text.stored_bytes() : kTextPrefixBytes;
    texts->as<TextValue>()[row] = present ? text : TextValue();
  }
  if (at != size) throw Error(sqlstate::kConnectionFailure, "strings from another rank are incomplete");
  store.keep(std::move(bytes));
  return texts;
}

}  // namespace saccade
