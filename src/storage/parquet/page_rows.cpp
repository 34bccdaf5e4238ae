#include "storage/parquet/page_rows.hpp"

#include "storage/parquet/index_runs.hpp"

namespace saccade {
namespace {

// The indexes of one block as values.
template <class Out>
void map_block(const std::uint32_t* indexes, std::int64_t count, std::span<const Out> map, Out* to, const std::string& where) {
  std::uint32_t outside = 0;
  const auto size = static_cast<std::uint32_t>(map.size());
  for (std::int64_t i = 0; i < count; ++i) outside |= indexes[i] >= size ? 1U : 0U;
  if (outside != 0) raise_damaged(where, "a row points outside of its dictionary");
  const Out* values = map.data();
  for (std::int64_t i = 0; i < count; ++i) to[i] = values[indexes[i]];
}

}  // namespace

template <class Out>
void decode_indexes(std::span<const std::uint8_t> bytes, std::span<const Out> map, std::span<const std::uint8_t> refused,
                    Out* to, std::int64_t count, const std::string& where) {
  if (count == 0) return;
  if (bytes.empty() || bytes[0] > 32) raise_damaged(where, "the indexes of a page are malformed");
  IndexRuns runs(bytes.subspan(1), bytes[0]);
  std::uint32_t indexes[IndexRuns::kBlock];
  for (std::int64_t done = 0; done < count;) {
    bool repeated = false;
    const std::int64_t found = std::min(runs.next(indexes, repeated), count - done);
    if (found == 0) raise_damaged(where, "it has too few values");
    const std::int64_t distinct = repeated ? 1 : found;
    map_block(indexes, distinct, map, to + done, where);
    if (repeated) std::fill_n(to + done + 1, found - 1, to[done]);
    for (std::int64_t i = 0; i < distinct && !refused.empty(); ++i) {
      if (refused[indexes[i]] != 0) raise_damaged(where, "a value lies outside of what its statistics and type say");
    }
    done += found;
  }
}

template void decode_indexes(std::span<const std::uint8_t>, std::span<const std::uint8_t>, std::span<const std::uint8_t>,
                             std::uint8_t*, std::int64_t, const std::string&);
template void decode_indexes(std::span<const std::uint8_t>, std::span<const std::uint16_t>, std::span<const std::uint8_t>,
                             std::uint16_t*, std::int64_t, const std::string&);
template void decode_indexes(std::span<const std::uint8_t>, std::span<const std::uint32_t>, std::span<const std::uint8_t>,
                             std::uint32_t*, std::int64_t, const std::string&);
template void decode_indexes(std::span<const std::uint8_t>, std::span<const std::uint64_t>, std::span<const std::uint8_t>,
                             std::uint64_t*, std::int64_t, const std::string&);

PageLevels::PageLevels(const EncodedPage& page, const std::string& where) : present(page.rows) {
  if (!page.levels) return;
  IndexRuns runs(*page.levels, 1);
  std::uint32_t block[IndexRuns::kBlock];
  for (std::int64_t done = 0; done < page.rows;) {
    bool repeated = false;
    const std::int64_t found = std::min(runs.next(block, repeated), page.rows - done);
    if (found == 0) raise_damaged(where, "the levels of a page are fewer than its rows");
    if (repeated && block[0] > 1) raise_damaged(where, "the levels of a page are malformed");
    if (repeated && block[0] == 1 && found == page.rows) return;
    levels.resize(static_cast<std::size_t>(page.rows));
    std::int16_t* to = levels.data() + done;
    if (repeated) {
      std::fill_n(to, found, static_cast<std::int16_t>(block[0]));
    } else {
      std::copy_n(block, found, to);
    }
    done += found;
  }
  present = std::count(levels.begin(), levels.end(), 1);
  if (present == page.rows) levels.clear();
}

}  // namespace saccade
