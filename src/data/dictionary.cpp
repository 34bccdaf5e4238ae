#include "data/dictionary.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "common/error.hpp"
#include "common/int128.hpp"

namespace saccade {
namespace {

// The high and low half of a 64x64-bit product folded together: each input bit reaches all output bits.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const uint128 product = static_cast<uint128>(a ^ 0x9e3779b97f4a7c15U) * (b ^ 0xd1b54a32d192ed03U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t mix_text(std::uint64_t state, std::string_view text) {
  state = mix(state, text.size());
  for (std::size_t i = 0; i < text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, std::min<std::size_t>(8, text.size() - i));
    state = mix(state, word);
  }
  return state;
}

}  // namespace

Dictionary::Dictionary(std::vector<std::string> sorted)
    : strings_(std::move(sorted)), identity_(strings_.size()), bytes_(static_cast<std::int64_t>(sizeof(Dictionary))) {
  const std::size_t inline_capacity = std::string().capacity();
  for (std::size_t i = 0; i < strings_.size(); ++i) {
    SACCADE_CHECK(i == 0 || strings_[i - 1] < strings_[i]);
    identity_ = mix_text(identity_, strings_[i]);
    const std::size_t heap = strings_[i].capacity() > inline_capacity ? strings_[i].capacity() + 1 : 0;
    bytes_ += static_cast<std::int64_t>(sizeof(std::string) + heap);
  }
}

std::shared_ptr<const Dictionary> Dictionary::from_strings(std::vector<std::string> strings) {
  std::sort(strings.begin(), strings.end());
  strings.erase(std::unique(strings.begin(), strings.end()), strings.end());
  return std::make_shared<const Dictionary>(std::move(strings));
}

std::int64_t Dictionary::lower_bound(std::string_view text) const {
  return std::lower_bound(strings_.begin(), strings_.end(), text) - strings_.begin();
}

std::int64_t Dictionary::find(std::string_view text) const {
  const std::int64_t code = lower_bound(text);
  return code < size() && at(code) == text ? code : -1;
}

std::shared_ptr<const Dictionary> merge(const std::shared_ptr<const Dictionary>& a,
                                        const std::shared_ptr<const Dictionary>& b) {
  const std::vector<std::string>&left = a->strings(), &right = b->strings();
  if (a == b || std::includes(left.begin(), left.end(), right.begin(), right.end())) return a;
  if (std::includes(right.begin(), right.end(), left.begin(), left.end())) return b;
  std::vector<std::string> both;
  std::set_union(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
  return std::make_shared<const Dictionary>(std::move(both));
}

std::vector<std::int64_t> code_map(const Dictionary& from, const Dictionary& to) {
  std::vector<std::int64_t> codes(static_cast<std::size_t>(from.size()), -1);
  std::int64_t other = 0;
  for (std::int64_t code = 0; code < from.size(); ++code) {
    while (other < to.size() && to.at(other) < from.at(code)) ++other;
    if (other < to.size() && to.at(other) == from.at(code)) codes[static_cast<std::size_t>(code)] = other;
  }
  return codes;
}

}  // namespace saccade
