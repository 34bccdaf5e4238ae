#include "storage/parquet/string_merge.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "common/error.hpp"
#include "memory/buffer.hpp"
#include "storage/parallel.hpp"

namespace saccade {
namespace {

constexpr std::size_t kBuckets = 64;
constexpr std::size_t kSamplesPerBucket = 32;
constexpr std::int64_t kStringsForBuckets = 50000;  // fewer are sorted at once

// A string behind its first 16 bytes as numbers of the same order: most comparisons need no look at the string.
struct Entry {
  std::uint64_t high, low;
  const char* data;
  std::uint32_t length;
  std::uint32_t part, number;

  Entry(std::string_view text, std::uint32_t from_part, std::uint32_t from_number)
      : data(text.data()), length(static_cast<std::uint32_t>(text.size())), part(from_part), number(from_number) {
    std::uint64_t words[2] = {0, 0};
    if (length > 0) std::memcpy(words, data, std::min<std::size_t>(16, length));
    high = __builtin_bswap64(words[0]);
    low = __builtin_bswap64(words[1]);
  }
  std::string_view text() const { return {data, length}; }
  bool operator<(const Entry& other) const {
    if (high != other.high) return high < other.high;
    if (low != other.low) return low < other.low;
    return text() < other.text();
  }
};

class StringMerge {
 public:
  StringMerge(const std::vector<const StringInterner*>& parts, int threads, MemoryPool& pool)
      : parts_(parts), threads_(threads), pool_(pool) {
    for (const StringInterner* part : parts) total_ += part->size();
    if (total_ >= UINT32_MAX) {
      throw Error(sqlstate::kStatementTooComplex, "a text column has more distinct strings than 4,294,967,295", 0,
                  "Read fewer files at a time.");
    }
  }

  MergedStrings merge() {
    choose_splitters();
    scatter();
    number_strings();
    return std::move(result_);
  }

 private:
  std::size_t bucket_count() const { return splitters_.size() + 1; }
  std::size_t bucket_of(const Entry& entry) const {
    return static_cast<std::size_t>(std::upper_bound(splitters_.begin(), splitters_.end(), entry) - splitters_.begin());
  }
  std::span<Entry> bucket(std::size_t index) const {
    return {entries_->as<Entry>() + bucket_begin_[index],
            static_cast<std::size_t>(bucket_begin_[index + 1] - bucket_begin_[index])};
  }
  template <class Visit>
  void visit_part(std::size_t part, Visit visit) const {
    for (std::int64_t number = 0; number < parts_[part]->size(); ++number) {
      visit(Entry(parts_[part]->at(number), static_cast<std::uint32_t>(part), static_cast<std::uint32_t>(number)));
    }
  }

  // Buckets are ranges between strings of a regular sample, so that they are of like sizes.
  void choose_splitters() {
    if (total_ < kStringsForBuckets) return;
    std::vector<Entry> sample;
    const std::int64_t step = total_ / static_cast<std::int64_t>(kBuckets * kSamplesPerBucket);
    std::int64_t skip = 0;
    for (const StringInterner* part : parts_) {
      for (; skip < part->size(); skip += step) sample.emplace_back(part->at(skip), 0U, 0U);
      skip -= part->size();
    }
    std::sort(sample.begin(), sample.end());
    for (std::size_t i = 1; i < kBuckets; ++i) splitters_.push_back(sample[i * sample.size() / kBuckets]);
  }

  // Counts, then writes each entry into its bucket.
  void scatter() {
    std::vector<std::vector<std::int64_t>> next(parts_.size(), std::vector<std::int64_t>(bucket_count()));
    parallel_for(static_cast<std::int64_t>(parts_.size()), threads_, [&](std::int64_t part) {
      std::vector<std::int64_t>& counts = next[static_cast<std::size_t>(part)];
      visit_part(static_cast<std::size_t>(part), [&](const Entry& entry) { ++counts[bucket_of(entry)]; });
    });
    std::int64_t at = 0;
    for (std::size_t bucket = 0; bucket < bucket_count(); ++bucket) {
      bucket_begin_.push_back(at);
      for (std::vector<std::int64_t>& counts : next) {
        const std::int64_t count = counts[bucket];
        counts[bucket] = at;
        at += count;
      }
    }
    bucket_begin_.push_back(at);
    entries_ = Buffer::allocate(total_ * static_cast<std::int64_t>(sizeof(Entry)), pool_);
    parallel_for(static_cast<std::int64_t>(parts_.size()), threads_, [&](std::int64_t part) {
      std::vector<std::int64_t>& places = next[static_cast<std::size_t>(part)];
      visit_part(static_cast<std::size_t>(part),
                 [&](const Entry& entry) { entries_->as<Entry>()[places[bucket_of(entry)]++] = entry; });
    });
  }

  // Sorts each bucket, then gives each distinct string its code.
  void number_strings() {
    std::vector<std::int64_t> first_code(bucket_count() + 1, 0);
    parallel_for(static_cast<std::int64_t>(bucket_count()), threads_, [&](std::int64_t i) {
      const std::span<Entry> entries = bucket(static_cast<std::size_t>(i));
      std::sort(entries.begin(), entries.end());
      std::int64_t distinct = entries.empty() ? 0 : 1;
      for (std::size_t at = 1; at < entries.size(); ++at) distinct += entries[at - 1] < entries[at] ? 1 : 0;
      first_code[static_cast<std::size_t>(i) + 1] = distinct;
    });
    for (std::size_t i = 1; i < first_code.size(); ++i) first_code[i] += first_code[i - 1];
    result_.sorted.resize(static_cast<std::size_t>(first_code.back()));
    for (const StringInterner* part : parts_) result_.code_of.emplace_back(static_cast<std::size_t>(part->size()));
    parallel_for(static_cast<std::int64_t>(bucket_count()), threads_, [&](std::int64_t i) {
      const std::span<const Entry> entries = bucket(static_cast<std::size_t>(i));
      std::int64_t code = first_code[static_cast<std::size_t>(i)] - 1;
      for (std::size_t at = 0; at < entries.size(); ++at) {
        if (at == 0 || entries[at - 1] < entries[at]) result_.sorted[static_cast<std::size_t>(++code)] = entries[at].text();
        result_.code_of[entries[at].part][entries[at].number] = static_cast<std::uint32_t>(code);
      }
    });
  }

  const std::vector<const StringInterner*>& parts_;
  int threads_;
  MemoryPool& pool_;
  std::int64_t total_ = 0;
  std::vector<Entry> splitters_;
  std::unique_ptr<Buffer> entries_;  // by bucket
  std::vector<std::int64_t> bucket_begin_;
  MergedStrings result_;
};

}  // namespace

MergedStrings merge_strings(const std::vector<const StringInterner*>& parts, int threads, MemoryPool& pool) {
  return StringMerge(parts, threads, pool).merge();
}

}  // namespace saccade
