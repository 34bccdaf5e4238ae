#include "storage/tpch/generated_column.hpp"

#include <charconv>
#include <cstring>

namespace saccade::tpch {

char* write_numbered(std::string_view prefix, std::int64_t number, char* out) {
  constexpr std::ptrdiff_t kDigits = 9;
  std::memcpy(out, prefix.data(), prefix.size());
  out += prefix.size();
  char digits[20];
  const std::ptrdiff_t length = std::to_chars(digits, digits + sizeof digits, number).ptr - digits;
  for (std::ptrdiff_t i = length; i < kDigits; ++i) *out++ = '0';
  std::memcpy(out, digits, static_cast<std::size_t>(length));
  return out + length;
}

}  // namespace saccade::tpch
