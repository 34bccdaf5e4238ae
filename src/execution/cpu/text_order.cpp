#include "execution/cpu/text_order.hpp"

#include <algorithm>

namespace saccade::cpu {
namespace {

constexpr std::int64_t kRunRows = 1 << 16;

// A string behind its first eight bytes as a number of the same order.
struct Entry {
  std::uint64_t head;
  TextValue text;
  std::int64_t row;

  bool operator<(const Entry& other) const {
    if (head != other.head) return head < other.head;
    return text.view() < other.text.view();
  }
};

// Of the string at `row`, the empty one where there is none.
Entry entry_of(const LaneColumn& texts, std::int64_t row) {
  static constexpr char kEmpty[kTextPrefixBytes] = {};
  TextValue text = texts.as<TextValue>()[row];
  if (!texts.is_valid(row) || !text.has_value()) text = TextValue(kEmpty);
  std::uint64_t word = 0;
  const std::string_view view = text.view();
  if (!view.empty()) std::memcpy(&word, view.data(), std::min<std::size_t>(8, view.size()));
  return {__builtin_bswap64(word), text, row};
}

// Sorted runs, merged pairwise until one is left.
void sort_entries(Entry* entries, std::int64_t rows, const PipelineRun& run) {
  run.for_each_range(rows, kRunRows, [&](std::int64_t begin, std::int64_t end) { std::sort(entries + begin, entries + end); });
  if (rows <= kRunRows) return;
  const auto other = Buffer::allocate(rows * static_cast<std::int64_t>(sizeof(Entry)), run.memory());
  Entry* from = entries;
  Entry* to = other->as<Entry>();
  for (std::int64_t size = kRunRows; size < rows; size *= 2) {
    run.for_each_range(rows, 2 * size, [&](std::int64_t begin, std::int64_t end) {
      const std::int64_t middle = std::min(begin + size, end);
      std::merge(from + begin, from + middle, from + middle, from + end, to + begin);
    });
    std::swap(from, to);
  }
  if (from != entries) std::copy(from, from + rows, entries);
}

}  // namespace

LaneColumn rank_texts(const LaneColumn& texts, std::int64_t rows, bool descending, const PipelineRun& run) {
  const auto buffer = Buffer::allocate(rows * static_cast<std::int64_t>(sizeof(Entry)), run.memory());
  auto* entries = buffer->as<Entry>();
  run.for_each_range(rows, kRunRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) entries[row] = entry_of(texts, row);
  });
  sort_entries(entries, rows, run);
  std::shared_ptr<Buffer> ranks = Buffer::allocate(rows * 8, run.memory());
  std::int64_t rank = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (i > 0 && entries[i - 1] < entries[i]) ++rank;
    ranks->as<std::int64_t>()[entries[i].row] = descending ? -rank : rank;
  }
  return {Lane::kInt64, std::move(ranks), nullptr};
}

}  // namespace saccade::cpu
