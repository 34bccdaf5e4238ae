// A string of the text lane: a pointer to a length-prefixed string (uint32 length, then the bytes; at any address).
//
// A view: the bytes belong to a column's heap, a dictionary, a batch's scratch memory or the query's TextStore
// (text_store.hpp), and whoever hands a TextValue on says which. A null pointer stands where there is no value; it must not be
// read.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace saccade {

// The longest string, as in PostgreSQL (a value holds at most 1 GB): longer results are error 54000.
inline constexpr std::int64_t kMaxTextBytes = 0x3fffffff;
inline constexpr std::int64_t kTextPrefixBytes = 4;

class TextValue {
 public:
  TextValue() = default;
  explicit TextValue(const void* string) : string_(static_cast<const char*>(string)) {}

  bool has_value() const { return string_ != nullptr; }
  std::uint32_t size() const {
    std::uint32_t size = 0;
    std::memcpy(&size, string_, sizeof(size));
    return size;
  }
  const char* data() const { return string_ + kTextPrefixBytes; }
  std::string_view view() const { return {data(), size()}; }
  // As an int64: equal for equal pointers.
  std::int64_t key() const { return reinterpret_cast<std::int64_t>(string_); }
  static TextValue of_key(std::int64_t key) { return TextValue(reinterpret_cast<const void*>(key)); }
  // Bytes of the string with its prefix.
  std::int64_t stored_bytes() const { return kTextPrefixBytes + static_cast<std::int64_t>(size()); }

 private:
  const char* string_ = nullptr;
};
static_assert(sizeof(TextValue) == 8 && std::is_trivially_copyable_v<TextValue>);

// Writes prefix and bytes at `to`, which has room for both.
inline TextValue write_text(char* to, std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  std::memcpy(to, &size, sizeof(size));
  if (!text.empty()) std::memcpy(to + kTextPrefixBytes, text.data(), text.size());
  return TextValue(to);
}

// The hash by which ranks shuffle text: the same for the same bytes in every process.
std::uint64_t hash_text(std::string_view text);

}  // namespace saccade
