#include "storage/column_summary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>

#include "common/error.hpp"
#include "data/text.hpp"

namespace saccade {
namespace {

constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15U;
constexpr std::uint64_t kNullHash = 0x5bd1e9955bd1e995U;

std::uint64_t mix(std::uint64_t word) {  // the finaliser of MurmurHash3 (Appleby): each bit of the input reaches all bits
  word ^= word >> 33;
  word *= 0xff51afd7ed558ccdU;
  word ^= word >> 33;
  word *= 0xc4ceb9fe1a85ec53U;
  return word ^ word >> 33;
}

template <class T>
std::uint64_t hash_value(T value) {
  if constexpr (std::same_as<T, TextValue>) {
    return hash_text(value.view());
  } else if constexpr (std::same_as<T, int128>) {
    return mix(static_cast<std::uint64_t>(value) + kMultiplier * mix(static_cast<std::uint64_t>(value >> 64)));
  } else if constexpr (std::same_as<T, double>) {
    return mix(std::bit_cast<std::uint64_t>(value));
  } else {
    return mix(static_cast<std::uint64_t>(value));
  }
}

// The range that a loop over one lane keeps in registers.
template <class T>
struct Range {
  bool any = false, sorted = true, strictly = true;
  T low{}, high{}, first{}, last{};

  void add(T value) {
    if (!any) {
      any = true;
      low = high = first = last = value;
      return;
    }
    sorted &= last <= value;
    strictly &= last < value;
    low = std::min(low, value);
    high = std::max(high, value);
    last = value;
  }
};

template <class T>
SummarizedColumn summarize_lane(const LaneColumn& column, std::int64_t begin, std::int64_t end) {
  SummarizedColumn result;
  ColumnSummary& summary = result.summary;
  summary.rows = end - begin;
  Range<std::conditional_t<std::same_as<T, TextValue>, std::int64_t, T>> range;
  const T* values = column.as<T>();
  for (std::int64_t row = begin; row < end; ++row) {
    if (!column.is_valid(row)) {
      summary.has_null = true;
      summary.contents = summary.contents * kMultiplier + kNullHash;
      continue;
    }
    const std::uint64_t hash = hash_value(values[row]);
    summary.contents = summary.contents * kMultiplier + hash;
    result.distinct.add(hash);
    if constexpr (std::same_as<T, TextValue>) {
      summary.most_text = std::max<std::int64_t>(summary.most_text, values[row].size());
    } else {
      range.add(values[row]);
    }
  }
  summary.any = range.any;
  summary.sorted = range.sorted && !summary.has_null;
  summary.strictly = range.strictly && !summary.has_null;
  if constexpr (std::same_as<T, double> || std::same_as<T, TextValue>) {
    summary.any = summary.sorted = summary.strictly = false;
  } else {
    summary.low = range.low;
    summary.high = range.high;
    summary.first = range.first;
    summary.last = range.last;
  }
  return result;
}

}  // namespace

void ColumnSummary::append(const ColumnSummary& next) {
  if (next.rows == 0) return;
  if (rows == 0) {
    *this = next;
    return;
  }
  sorted = sorted && next.sorted && last <= next.first;
  strictly = strictly && next.strictly && last < next.first;
  if (any && next.any) {
    low = std::min(low, next.low);
    high = std::max(high, next.high);
  } else if (next.any) {
    low = next.low;
    high = next.high;
    first = next.first;
  }
  if (next.any) last = next.last;
  any = any || next.any;
  has_null = has_null || next.has_null;
  rows += next.rows;
  distinct += next.distinct;
  most_text = std::max(most_text, next.most_text);
  contents = contents * kMultiplier + mix(next.contents + static_cast<std::uint64_t>(next.rows));
}

void DistinctSketch::add(std::uint64_t hash) {
  const std::uint64_t index = hash >> (64 - kIndexBits);
  const auto rank = static_cast<std::uint8_t>(std::countl_zero(hash << kIndexBits | 1U << (kIndexBits - 1)) + 1);
  registers_[index] = std::max(registers_[index], rank);
}

void DistinctSketch::merge(const DistinctSketch& other) {
  for (std::size_t i = 0; i < registers_.size(); ++i) registers_[i] = std::max(registers_[i], other.registers_[i]);
}

double DistinctSketch::estimate() const {
  const auto count = static_cast<double>(registers_.size());
  double sum = 0, empty = 0;
  for (const std::uint8_t rank : registers_) {
    sum += std::ldexp(1.0, -rank);
    empty += rank == 0 ? 1 : 0;
  }
  const double raw = 0.7213 / (1 + 1.079 / count) * count * count / sum;
  return raw <= 2.5 * count && empty > 0 ? count * std::log(count / empty) : raw;
}

void SummarizedColumn::append(const SummarizedColumn& next) {
  summary.append(next.summary);
  distinct.merge(next.distinct);
}

SummarizedColumn summarize(const LaneColumn& column, std::int64_t begin, std::int64_t end) {
  switch (column.lane) {
    case Lane::kBoolean:
      return summarize_lane<std::uint8_t>(column, begin, end);
    case Lane::kInt64:
      return summarize_lane<std::int64_t>(column, begin, end);
    case Lane::kInt128:
      return summarize_lane<int128>(column, begin, end);
    case Lane::kFloat64:
      return summarize_lane<double>(column, begin, end);
    case Lane::kText:
      return summarize_lane<TextValue>(column, begin, end);
  }
  raise_internal("a known lane", __FILE__, __LINE__);
}

}  // namespace saccade
