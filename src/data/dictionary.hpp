// A sorted dictionary of distinct strings: order of codes is order of bytes (PostgreSQL's C collation), so comparisons work on
// codes. Immutable; shared by columns, plans and results. Codes are compared only under one identity.
//
// The strings lie one after the other, each behind its length (data/text.hpp), so that a code's string is a TextValue.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/text.hpp"

namespace saccade {

class Dictionary {
 public:
  // `sorted`: strictly ascending bytewise. Errors: XX000 where it is not.
  explicit Dictionary(const std::vector<std::string>& sorted);
  explicit Dictionary(std::span<const std::string_view> sorted);
  // Sorts and removes duplicates.
  static std::shared_ptr<const Dictionary> from_strings(std::vector<std::string> strings);

  std::int64_t size() const { return static_cast<std::int64_t>(offsets_.size()); }
  TextValue text(std::int64_t code) const { return TextValue(heap_.get() + offsets_[static_cast<std::size_t>(code)]); }
  std::string_view at(std::int64_t code) const { return text(code).view(); }
  // The first code whose string is not less than `text` (size() where none is).
  std::int64_t lower_bound(std::string_view text) const;
  // The code of `text`, or -1.
  std::int64_t find(std::string_view text) const;
  // A hash of the contents: equal identities mean equal dictionaries, on every rank.
  std::uint64_t identity() const { return identity_; }
  std::int64_t bytes() const;  // memory held, for reservations
  std::vector<std::string> strings() const;

 private:
  template <class Strings>
  void fill(const Strings& sorted);

  std::unique_ptr<char[]> heap_;
  std::int64_t heap_bytes_ = 0;
  std::vector<std::uint64_t> offsets_;
  std::uint64_t identity_ = 0;
};

// The union of two dictionaries; where one contains the other, that one itself.
std::shared_ptr<const Dictionary> merge(const std::shared_ptr<const Dictionary>& a, const std::shared_ptr<const Dictionary>& b);

// For each code of `from` its code in `to`, -1 where it has none.
std::vector<std::int64_t> code_map(const Dictionary& from, const Dictionary& to);

}  // namespace saccade
