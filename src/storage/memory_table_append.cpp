// Appending to a table in memory: full chunks of the old version are shared, small ones at its end are joined with the new rows
// (each row is moved a number of times that grows with the logarithm of the table's rows only), and a column whose form or
// dictionary no longer holds all values is encoded anew.
#include <cstring>

#include "data/text.hpp"
#include "storage/memory_table_rows.hpp"
#include "storage/parallel.hpp"

namespace saccade {

namespace {

// A dictionary and the reservation of its memory.
struct CountedDictionary {
  std::shared_ptr<const Dictionary> dictionary;
  Reservation memory;
};

std::shared_ptr<const Dictionary> counted(std::shared_ptr<const Dictionary> dictionary, MemoryPool& pool) {
  const Dictionary* plain = dictionary.get();
  Reservation memory(pool, plain->bytes());
  return {std::make_shared<const CountedDictionary>(CountedDictionary{std::move(dictionary), std::move(memory)}), plain};
}

LaneColumn with_codes(const LaneColumn& column, std::int64_t rows, const std::vector<std::int64_t>& map, MemoryPool& pool) {
  std::unique_ptr<Buffer> codes = Buffer::allocate(rows * 8, pool);
  for (std::int64_t row = 0; row < rows; ++row)
    codes->as<std::int64_t>()[row] = column.is_valid(row) ? map[static_cast<std::size_t>(column.as<std::int64_t>()[row])] : 0;
  return {column.lane, std::move(codes), column.valid};
}

template <class Out, class Read>
std::unique_ptr<Buffer> lane_values(const Column& chunk, MemoryPool& pool, const Read& read) {
  std::unique_ptr<Buffer> values = Buffer::allocate(chunk.length * static_cast<std::int64_t>(sizeof(Out)), pool);
  for (std::int64_t row = 0; row < chunk.length; ++row)
    values->as<Out>()[row] = chunk.valid(row) ? static_cast<Out>(read(row)) : Out{};
  return values;
}

}  // namespace

void MemoryTableBuilder::append_to(const std::shared_ptr<const Table>& base) {
  base_ = std::dynamic_pointer_cast<const MemoryTable>(base);
  SACCADE_CHECK(base_ != nullptr && base_->columns().size() == definition_.columns.size());
  declare(definition_of(*base));
}

void MemoryTableBuilder::unify_dictionaries() {
  code_maps_.resize(dictionaries_.size());
  for (std::size_t column = 0; column < dictionaries_.size(); ++column) {
    const std::shared_ptr<const Dictionary>& old = base_->columns()[column].dictionary;
    std::shared_ptr<const Dictionary>& mine = dictionaries_[column];
    if (old == nullptr || mine == nullptr) continue;
    std::shared_ptr<const Dictionary> common = merge(old, mine);
    if (common->identity() != mine->identity()) {
      const std::vector<std::int64_t> map = code_map(*mine, *common);
      for (std::vector<RowSet>& sets : rows_) {
        for (RowSet& set : sets) set.columns[column] = with_codes(set.columns[column], set.rows, map, pool_);
      }
    }
    if (common->identity() == old->identity()) {
      mine = old;
    } else {
      code_maps_[column] = code_map(*old, *common);
      mine = counted(std::move(common), pool_);
    }
  }
}

LaneColumn MemoryTableBuilder::decoded(const Column& chunk, std::size_t column) const {
  LaneColumn result;
  const bool strings = holds_strings(chunk.type) && dictionaries_[column] == nullptr;
  result.lane = strings ? Lane::kText : chunk.lane;
  if (chunk.validity != nullptr) {
    std::unique_ptr<Buffer> valid = Buffer::allocate(chunk.length, pool_);
    for (std::int64_t row = 0; row < chunk.length; ++row) valid->as<std::uint8_t>()[row] = chunk.valid(row) ? 1 : 0;
    result.valid = std::move(valid);
  }
  const auto integer = [&](std::int64_t row) { return int64_at(chunk, row); };
  switch (result.lane) {
    case Lane::kBoolean:
      result.values = lane_values<std::uint8_t>(chunk, pool_, integer);
      break;
    case Lane::kInt64:
      result.values = lane_values<std::int64_t>(chunk, pool_, integer);
      break;
    case Lane::kInt128:
      result.values = lane_values<int128>(chunk, pool_, [&](std::int64_t row) { return int128_at(chunk, row); });
      break;
    case Lane::kFloat64:
      result.values =
          lane_values<double>(chunk, pool_, [&](std::int64_t row) { return static_cast<const double*>(chunk.values)[row]; });
      break;
    case Lane::kText:
      result.values = lane_values<TextValue>(chunk, pool_, [&](std::int64_t row) { return text_at(chunk, row); });
      return result;
  }
  const std::vector<std::int64_t>& map = code_maps_[column];
  return map.empty() ? result : with_codes(result, chunk.length, map, pool_);
}

std::vector<std::size_t> MemoryTableBuilder::take_small_chunks() {
  std::vector<std::size_t> kept;
  for (std::size_t rank = 0; rank < rows_.size(); ++rank) {
    const RankChunks& old = base_->parts().ranks[rank];
    std::size_t count = old.front().size();
    std::int64_t rows = 0;
    for (const RowSet& set : rows_[rank]) rows += set.rows;
    const std::size_t all = count;
    while (count > 0 && old.front()[count - 1].length <= rows && rows + old.front()[count - 1].length <= kMemoryChunkRows)
      rows += old.front()[--count].length;
    std::vector<RowSet> taken;
    for (std::size_t chunk = count; chunk < all; ++chunk) {
      RowSet& set = taken.emplace_back();
      set.rows = old.front()[chunk].length;
      for (std::size_t column = 0; column < old.size(); ++column) set.columns.push_back(decoded(old[column][chunk], column));
    }
    rows_[rank].insert(rows_[rank].begin(), taken.begin(), taken.end());
    kept.push_back(count);
  }
  return kept;
}

void MemoryTableBuilder::keep_chunks(const std::vector<ColumnInfo>& infos, const std::vector<std::size_t>& kept, int threads,
                                     Chunks& chunks) const {
  for (std::size_t rank = 0; rank < kept.size(); ++rank) {
    for (std::size_t column = 0; column < infos.size(); ++column) {
      const std::vector<Column>& old = base_->parts().ranks[rank][column];
      const ColumnInfo& before = base_->columns()[column];
      const ColumnInfo& info = infos[column];
      std::vector<Column> front(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(kept[rank]));
      if (info.encoding != before.encoding || info.base != before.base || !code_maps_[column].empty()) {
        parallel_for(static_cast<std::int64_t>(front.size()), threads, [&](std::int64_t i) {
          Column& chunk = front[static_cast<std::size_t>(i)];
          const LaneColumn lane = decoded(chunk, column);
          if (lane.lane == Lane::kText) {
            chunk = encode_text_column(lane, chunk.length, info, pool_);
            return;
          }
          chunk = encode_column(info.type, info.encoding, info.base, lane.values->data(), lane.lane, chunk.length,
                                chunk.validity_owner, info.dictionary, pool_, "column \"" + info.name + "\"");
        });
      }
      std::vector<Column>& target = chunks[rank][column];
      target.insert(target.begin(), front.begin(), front.end());
    }
  }
}

}  // namespace saccade
