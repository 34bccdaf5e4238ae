#include "data/dictionary.hpp"

#include <algorithm>
#include <cstring>

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

template <class Strings>
void Dictionary::fill(const Strings& sorted) {
  for (const auto& text : sorted) heap_bytes_ += kTextPrefixBytes + static_cast<std::int64_t>(text.size());
  heap_.reset(new char[static_cast<std::size_t>(heap_bytes_)]);
  offsets_.reserve(sorted.size());
  identity_ = sorted.size();
  std::uint64_t at = 0;
  for (const auto& text : sorted) {
    SACCADE_CHECK(offsets_.empty() || this->at(size() - 1) < text);
    identity_ = mix_text(identity_, text);
    write_text(heap_.get() + at, text);
    offsets_.push_back(at);
    at += kTextPrefixBytes + text.size();
  }
}

Dictionary::Dictionary(const std::vector<std::string>& sorted) {
  fill(sorted);
}

Dictionary::Dictionary(std::span<const std::string_view> sorted) {
  fill(sorted);
}

std::shared_ptr<const Dictionary> Dictionary::from_strings(std::vector<std::string> strings) {
  std::sort(strings.begin(), strings.end());
  strings.erase(std::unique(strings.begin(), strings.end()), strings.end());
  return std::make_shared<const Dictionary>(strings);
}

std::int64_t Dictionary::bytes() const {
  return static_cast<std::int64_t>(sizeof(Dictionary) + offsets_.capacity() * sizeof(std::uint64_t)) + heap_bytes_;
}

std::vector<std::string> Dictionary::strings() const {
  std::vector<std::string> strings;
  strings.reserve(offsets_.size());
  for (std::int64_t code = 0; code < size(); ++code) strings.emplace_back(at(code));
  return strings;
}

std::int64_t Dictionary::lower_bound(std::string_view text) const {
  std::int64_t low = 0;
  std::int64_t high = size();
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (at(middle) < text) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::int64_t Dictionary::find(std::string_view text) const {
  const std::int64_t code = lower_bound(text);
  return code < size() && at(code) == text ? code : -1;
}

std::shared_ptr<const Dictionary> merge(const std::shared_ptr<const Dictionary>& a,
                                        const std::shared_ptr<const Dictionary>& b) {
  if (a == b || a->identity() == b->identity()) return a;
  std::vector<std::string_view> both;
  std::int64_t left = 0;
  std::int64_t right = 0;
  while (left < a->size() || right < b->size()) {
    const int order = left == a->size() ? 1 : right == b->size() ? -1 : a->at(left).compare(b->at(right));
    both.push_back(order <= 0 ? a->at(left) : b->at(right));
    left += order <= 0 ? 1 : 0;
    right += order >= 0 ? 1 : 0;
  }
  const auto size = static_cast<std::int64_t>(both.size());
  if (size == a->size()) return a;
  if (size == b->size()) return b;
  return std::make_shared<const Dictionary>(std::span<const std::string_view>(both));
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
