// One column of generated rows: the form between the generator and what is made of it (text, Parquet, tables in memory).
//
// Filled by one thread, immutable afterwards; movable.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "storage/tpch/distributions.hpp"

namespace saccade::tpch {

// kNumbers: integers; numerics times 100; dates as days since 1970-01-01.
// kChoices: places in `choices`.
// kNumbered: `prefix` and the number in at least nine digits: "Customer#000000001".
// kTexts:   views into the text pool or into `arena`.
enum class Content : std::uint8_t { kNumbers, kChoices, kNumbered, kTexts };

struct GeneratedColumn {
  Content content = Content::kNumbers;
  std::vector<std::int64_t> numbers;  // all but kTexts
  Choices choices;
  std::string_view prefix;
  std::vector<std::string_view> texts;
  std::unique_ptr<char[]> arena;

  std::int64_t rows() const { return static_cast<std::int64_t>(content == Content::kTexts ? texts.size() : numbers.size()); }
};

// The text of kNumbered, without an end; `out` has room for kNumberedRoom bytes. Returns its end.
inline constexpr std::size_t kNumberedRoom = 40;
char* write_numbered(std::string_view prefix, std::int64_t number, char* out);

}  // namespace saccade::tpch
