#include "storage/parquet/index_runs.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace saccade {
namespace {

using Unpack = void (*)(const std::uint8_t* from, std::uint32_t* to, std::int64_t groups);

// Eight indexes stand in kWidth bytes, the first in the lowest bits. Reads up to 8 bytes behind the last group.
template <int kWidth>
void unpack(const std::uint8_t* from, std::uint32_t* to, std::int64_t groups) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kWidth) - 1;
  if constexpr (kWidth == 0) std::fill_n(to, groups * 8, 0);
  for (; kWidth > 0 && groups > 0; --groups, from += kWidth, to += 8) {
    for (int i = 0; i < 8; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, from + i * kWidth / 8, sizeof(word));
      to[i] = static_cast<std::uint32_t>(word >> (i * kWidth % 8) & kMask);
    }
  }
}

template <int... kWidths>
constexpr std::array<Unpack, sizeof...(kWidths)> unpackers(std::integer_sequence<int, kWidths...> /*widths*/) {
  return {&unpack<kWidths>...};
}

constexpr auto kUnpack = unpackers(std::make_integer_sequence<int, 33>());

}  // namespace

bool IndexRuns::begin_run() {
  std::uint64_t header = 0;
  int shift = 0;
  while (true) {
    if (at_ == end_ || shift > 28) return false;
    const std::uint8_t byte = *at_++;
    header |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
    shift += 7;
  }
  if ((header & 1) != 0) {
    groups_ = static_cast<std::int64_t>(header >> 1);
    // A writer may leave out bytes of the last group behind its last value; what is there is taken.
    const std::int64_t whole = width_ == 0 ? groups_ : (end_ - at_ + width_ - 1) / width_;
    groups_ = std::min(groups_, whole);
    return true;
  }
  repeats_ = static_cast<std::int64_t>(header >> 1);
  const std::int64_t bytes = (width_ + 7) / 8;
  if (end_ - at_ < bytes) return false;
  value_ = 0;
  std::memcpy(&value_, at_, static_cast<std::size_t>(bytes));
  at_ += bytes;
  return true;
}

std::int64_t IndexRuns::next(std::uint32_t (&indexes)[kBlock], bool& repeated) {
  while (repeats_ == 0 && groups_ == 0) {
    if (!begin_run()) return 0;
  }
  repeated = repeats_ > 0;
  if (repeated) {
    indexes[0] = value_;
    return std::exchange(repeats_, 0);
  }
  const std::int64_t groups = std::min(groups_, kBlock / 8);
  // Groups that end so near to the end that unpacking would read behind it are unpacked from a copy.
  const std::int64_t safe = width_ == 0 ? groups : std::clamp<std::int64_t>((end_ - at_ - 8) / width_, 0, groups);
  const Unpack unpack = kUnpack[static_cast<std::size_t>(width_)];
  unpack(at_, indexes, safe);
  at_ += safe * width_;
  for (std::int64_t group = safe; group < groups; ++group) {
    std::array<std::uint8_t, 32 + 8> copy{};
    const std::int64_t bytes = std::min<std::int64_t>(width_, end_ - at_);
    std::memcpy(copy.data(), at_, static_cast<std::size_t>(bytes));
    unpack(copy.data(), indexes + group * 8, 1);
    at_ += bytes;
  }
  groups_ -= groups;
  return groups * 8;
}

}  // namespace saccade
