#include "execution/cpu/radix_sort.hpp"

#include <array>
#include <bit>
#include <mutex>
#include <utility>
#include <vector>

namespace saccade::cpu {
namespace {

constexpr std::int64_t kTaskRows = 1 << 16;

// A key part as offset from its minimum.
struct PackedPart {
  const std::int64_t* values;
  std::uint64_t low;
  int bits;
};

// Parts side by side, the last one lowest.
struct KeyWord {
  std::vector<PackedPart> parts;
  int bits = 0;
};

PackedPart pack(const std::int64_t* values, std::int64_t rows, const PipelineRun& run) {
  std::int64_t low = values[0];
  std::int64_t high = values[0];
  std::mutex mutex;
  run.for_each_range(rows, kTaskRows, [&](std::int64_t begin, std::int64_t end) {
    const auto [smallest, largest] = std::minmax_element(values + begin, values + end);
    const std::lock_guard lock(mutex);
    low = std::min(low, *smallest);
    high = std::max(high, *largest);
  });
  const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  return {values, static_cast<std::uint64_t>(low), static_cast<int>(std::bit_width(range))};
}

std::vector<KeyWord> pack_words(std::span<const std::int64_t* const> parts, std::int64_t rows, const PipelineRun& run) {
  std::vector<KeyWord> words;
  for (const std::int64_t* values : parts) {
    const PackedPart part = pack(values, rows, run);
    if (part.bits == 0) continue;  // equal in all rows
    if (words.empty() || words.back().bits + part.bits > 64) words.emplace_back();
    words.back().bits += part.bits;
    words.back().parts.push_back(part);
  }
  return words;
}

void fill_keys(const KeyWord& word, SortEntry* entries, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) entries[i].key = 0;
  for (const PackedPart& part : word.parts) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint64_t shifted = part.bits == 64 ? 0 : entries[i].key << part.bits;
      entries[i].key = shifted | (static_cast<std::uint64_t>(part.values[entries[i].row]) - part.low);
    }
  }
}

using Histogram = std::array<std::int64_t, 256>;

// One stable pass by the byte at `shift`. False where that byte is equal in all rows, and nothing was moved.
bool pass(const SortEntry* from, SortEntry* to, std::int64_t rows, int shift, const PipelineRun& run) {
  const auto digit = [shift](const SortEntry& entry) { return static_cast<std::size_t>(entry.key >> shift & 0xff); };
  std::vector<Histogram> counts(static_cast<std::size_t>((rows + kTaskRows - 1) / kTaskRows));
  run.for_each_range(rows, kTaskRows, [&](std::int64_t begin, std::int64_t end) {
    Histogram local{};
    for (std::int64_t i = begin; i < end; ++i) ++local[digit(from[i])];
    counts[static_cast<std::size_t>(begin / kTaskRows)] = local;
  });
  std::int64_t place = 0;
  for (std::size_t d = 0; d < 256; ++d) {
    const std::int64_t start = place;
    for (Histogram& histogram : counts) place += std::exchange(histogram[d], place);
    if (place - start == rows) return false;
  }
  run.for_each_range(rows, kTaskRows, [&](std::int64_t begin, std::int64_t end) {
    Histogram next = counts[static_cast<std::size_t>(begin / kTaskRows)];
    for (std::int64_t i = begin; i < end; ++i) to[next[digit(from[i])]++] = from[i];
  });
  return true;
}

}  // namespace

std::unique_ptr<Buffer> sorted_rows(std::span<const std::int64_t* const> parts, std::int64_t rows, const PipelineRun& run) {
  const std::int64_t bytes = rows * static_cast<std::int64_t>(sizeof(SortEntry));
  auto entries = Buffer::allocate(bytes, run.memory());
  for (std::int64_t i = 0; i < rows; ++i) entries->as<SortEntry>()[i] = {0, i};
  if (rows < 2 || parts.empty()) return entries;
  auto spare = Buffer::allocate(bytes, run.memory());
  const std::vector<KeyWord> words = pack_words(parts, rows, run);
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    run.for_each_range(rows, kTaskRows,
                       [&](std::int64_t begin, std::int64_t end) { fill_keys(*word, entries->as<SortEntry>(), begin, end); });
    for (int shift = 0; shift < word->bits; shift += 8) {
      if (pass(entries->as<SortEntry>(), spare->as<SortEntry>(), rows, shift, run)) std::swap(entries, spare);
    }
  }
  return entries;
}

}  // namespace saccade::cpu
