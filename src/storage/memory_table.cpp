#include "storage/memory_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "storage/memory_table_rows.hpp"
#include "storage/parallel.hpp"

namespace saccade {
namespace {

// A part of one RowSet.
struct Slice {
  const LaneColumn* column = nullptr;
  std::int64_t begin = 0, end = 0;
};

// The slices of one column that make up rows begin .. end - 1 of a rank.
std::vector<Slice> slices_of(const std::vector<RowSet>& sets, std::size_t column, std::int64_t begin, std::int64_t end) {
  std::vector<Slice> slices;
  std::int64_t at = 0;
  for (const RowSet& set : sets) {
    const std::int64_t from = std::max(begin, at), to = std::min(end, at + set.rows);
    if (from < to) slices.push_back({&set.columns[column], from - at, to - at});
    at += set.rows;
  }
  return slices;
}

std::int64_t count_rows(const std::vector<RowSet>& sets) {
  std::int64_t rows = 0;
  for (const RowSet& set : sets) rows += set.rows;
  return rows;
}

// The bitmap of the slices' validity; null where nothing is null.
std::shared_ptr<const Buffer> gather_validity(const std::vector<Slice>& slices, std::int64_t rows, MemoryPool& pool) {
  const auto nullable = [](const Slice& slice) { return slice.column->valid != nullptr; };
  if (std::none_of(slices.begin(), slices.end(), nullable)) return nullptr;
  std::shared_ptr<Buffer> bitmap = Buffer::allocate_zeroed((rows + 63) / 64 * 8, pool);
  auto* words = bitmap->as<std::uint64_t>();
  std::int64_t at = 0, nulls = 0;
  for (const Slice& slice : slices) {
    for (std::int64_t row = slice.begin; row < slice.end; ++row, ++at) {
      const std::uint64_t valid = slice.column->is_valid(row) ? 1 : 0;
      words[at / 64] |= valid << (at % 64);
      nulls += valid == 0 ? 1 : 0;
    }
  }
  return nulls == 0 ? nullptr : bitmap;
}

// The values of a slice in lane `lane`, its own one or int128 for int64.
void copy_values(const Slice& slice, Lane lane, std::byte* out) {
  const std::int64_t rows = slice.end - slice.begin;
  if (slice.column->lane == lane) {
    const std::int64_t width = lane_bytes(lane);
    std::memcpy(out, slice.column->values->data() + slice.begin * width, static_cast<std::size_t>(rows * width));
    return;
  }
  SACCADE_CHECK(slice.column->lane == Lane::kInt64 && lane == Lane::kInt128);
  const auto* values = slice.column->as<std::int64_t>() + slice.begin;
  for (std::int64_t row = 0; row < rows; ++row) reinterpret_cast<int128*>(out)[row] = values[row];
}

// Strings of one chunk, one after the other in a heap of their own.
Column encode_texts(const std::vector<Slice>& slices, std::int64_t rows, const ColumnInfo& info, MemoryPool& pool) {
  Column column;
  column.type = info.type;
  column.lane = Lane::kText;
  column.encoding = info.encoding;
  column.length = rows;
  column.validity_owner = gather_validity(slices, rows, pool);
  if (column.validity_owner) column.validity = column.validity_owner->as<std::uint64_t>();
  std::int64_t bytes = kTextPrefixBytes;  // an empty string, for nulls
  const auto each = [&](const auto& work) {
    for (const Slice& slice : slices) {
      for (std::int64_t row = slice.begin; row < slice.end; ++row) {
        const TextValue text = slice.column->as<TextValue>()[row];
        work(slice.column->is_valid(row) && text.has_value() ? text : TextValue());
      }
    }
  };
  each([&](TextValue text) { bytes += text.has_value() ? text.stored_bytes() : 0; });
  std::shared_ptr<Buffer> heap = Buffer::allocate(bytes, pool);
  std::shared_ptr<Buffer> offsets = Buffer::allocate(rows * info.encoding.width, pool);
  write_text(heap->as<char>(), {});
  std::int64_t row = 0;
  std::int64_t at = kTextPrefixBytes;
  each([&](TextValue text) {
    const std::int64_t offset = text.has_value() ? at : 0;
    if (text.has_value()) at += write_text(heap->as<char>() + at, text.view()).stored_bytes();
    if (info.encoding.width == 4) {
      SACCADE_CHECK(offset <= UINT32_MAX);
      offsets->as<std::uint32_t>()[row++] = static_cast<std::uint32_t>(offset);
    } else {
      offsets->as<std::uint64_t>()[row++] = static_cast<std::uint64_t>(offset);
    }
  });
  column.values = offsets->data();
  column.value_owner = std::move(offsets);
  column.heap = heap->data();
  column.heap_owner = std::move(heap);
  return column;
}

// One chunk of one column, encoded from the plain lanes.
Column encode_chunk(const std::vector<Slice>& slices, std::int64_t rows, const ColumnInfo& info, MemoryPool& pool) {
  if (slices.front().column->lane == Lane::kText) return encode_texts(slices, rows, info, pool);
  std::shared_ptr<const Buffer> validity = gather_validity(slices, rows, pool);
  Lane lane = slices.front().column->lane;
  for (const Slice& slice : slices) {
    if (slice.column->lane == Lane::kInt128) lane = Lane::kInt128;
  }
  const std::int64_t width = lane_bytes(lane);
  const std::byte* values = slices.front().column->values->data() + slices.front().begin * width;
  std::unique_ptr<Buffer> joined;  // a chunk over several row sets is first copied together
  if (slices.size() > 1) {
    joined = Buffer::allocate(rows * width, pool);
    std::byte* out = joined->data();
    for (const Slice& slice : slices) {
      copy_values(slice, lane, out);
      out += (slice.end - slice.begin) * width;
    }
    values = joined->data();
  }
  return encode_column(info.type, info.encoding, info.base, values, lane, rows, std::move(validity), info.dictionary, pool,
                       "column \"" + info.name + "\"");
}

std::uint64_t version_of(const std::string& name, const std::vector<ColumnInfo>& columns,
                         const std::vector<ColumnSummary>& summaries, std::uint64_t serial) {
  std::uint64_t version = std::hash<std::string>()(name) + serial;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    version = version * 0x9e3779b97f4a7c15U + summaries[i].contents;
    if (columns[i].dictionary != nullptr) version = version * 0x9e3779b97f4a7c15U + columns[i].dictionary->identity();
  }
  return version;
}

}  // namespace

Column encode_text_column(const LaneColumn& texts, std::int64_t rows, const ColumnInfo& info, MemoryPool& pool) {
  return encode_texts({{&texts, 0, rows}}, rows, info, pool);
}

MemoryTableBuilder::MemoryTableBuilder(std::string name, std::vector<std::string> column_names, std::vector<DataType> types,
                                       std::vector<std::shared_ptr<const Dictionary>> dictionaries, int ranks, MemoryPool& pool)
    : definition_{std::move(name), {}},
      dictionaries_(std::move(dictionaries)),
      pool_(pool),
      rows_(static_cast<std::size_t>(ranks)),
      code_maps_(dictionaries_.size()) {
  SACCADE_CHECK(types.size() == column_names.size() && dictionaries_.size() == column_names.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    SACCADE_CHECK(holds_strings(types[i]) || dictionaries_[i] == nullptr);
    definition_.columns.push_back({std::move(column_names[i]), types[i]});
  }
}

void MemoryTableBuilder::declare(const TableDefinition& definition) {
  SACCADE_CHECK(definition.columns.size() == definition_.columns.size());
  for (std::size_t i = 0; i < definition.columns.size(); ++i)
    SACCADE_CHECK(definition.columns[i].type == definition_.columns[i].type);
  definition_ = definition;
}

void MemoryTableBuilder::add_rows(int rank, const RowSet& rows) {
  SACCADE_CHECK(rows.columns.size() == definition_.columns.size());
  if (rows.rows == 0) return;
  const std::scoped_lock lock(mutex_);
  rows_.at(static_cast<std::size_t>(rank)).push_back(rows);
}

ColumnSummary MemoryTableBuilder::summarize_column(std::size_t column, int threads) const {
  struct Task {
    const RowSet* set;
    std::int64_t begin, end;
  };
  std::vector<Task> tasks;
  for (const std::vector<RowSet>& sets : rows_) {
    for (const RowSet& set : sets) {
      for (std::int64_t begin = 0; begin < set.rows; begin += kMemoryChunkRows) {
        tasks.push_back({&set, begin, std::min(set.rows, begin + kMemoryChunkRows)});
      }
    }
  }
  std::vector<SummarizedColumn> parts(tasks.size());
  parallel_for(static_cast<std::int64_t>(tasks.size()), threads, [&](std::int64_t i) {
    const Task& task = tasks[static_cast<std::size_t>(i)];
    parts[static_cast<std::size_t>(i)] = summarize(task.set->columns[column], task.begin, task.end);
  });
  SummarizedColumn whole;
  for (const SummarizedColumn& part : parts) whole.append(part);
  whole.summary.distinct = whole.distinct.estimate();
  return whole.summary;
}

MemoryTableBuilder::Chunks MemoryTableBuilder::encode_columns(const std::vector<ColumnInfo>& infos, int threads) {
  struct Task {
    std::size_t rank, chunk;
    std::int64_t begin, end;
  };
  std::vector<Task> tasks;
  std::vector<RankChunks> chunks(rows_.size(), RankChunks(infos.size()));
  for (std::size_t rank = 0; rank < rows_.size(); ++rank) {
    const std::int64_t rows = count_rows(rows_[rank]);
    std::size_t count = 0;
    for (std::int64_t begin = 0; begin < rows; begin += kMemoryChunkRows) {
      tasks.push_back({rank, count++, begin, std::min(rows, begin + kMemoryChunkRows)});
    }
    for (std::vector<Column>& column : chunks[rank]) column.resize(count);
  }
  for (std::size_t column = 0; column < infos.size(); ++column) {
    parallel_for(static_cast<std::int64_t>(tasks.size()), threads, [&](std::int64_t i) {
      const Task& task = tasks[static_cast<std::size_t>(i)];
      const std::vector<Slice> slices = slices_of(rows_[task.rank], column, task.begin, task.end);
      chunks[task.rank][column][task.chunk] = encode_chunk(slices, task.end - task.begin, infos[column], pool_);
    });
    for (std::vector<RowSet>& sets : rows_) {
      for (RowSet& set : sets) set.columns[column] = {};
    }
  }
  return chunks;
}

void MemoryTableBuilder::check_not_null(const std::vector<ColumnSummary>& summaries) const {
  for (std::size_t column = 0; column < summaries.size(); ++column) {
    if (definition_.columns[column].not_null && summaries[column].has_null)
      raise_null_value(definition_.name, definition_.columns[column].name);
  }
}

// `summary`, of the rows added, becomes that of all rows.
ColumnInfo MemoryTableBuilder::choose_form(std::size_t column, ColumnSummary& summary) const {
  const std::shared_ptr<const Dictionary>& dictionary = dictionaries_[column];
  if (base_ == nullptr) return describe_column(definition_.columns[column], dictionary, summary);
  ColumnSummary whole = base_->parts().summaries[column];
  const std::vector<std::int64_t>& map = code_maps_[column];
  if (!map.empty() && whole.any) {
    for (int128* code : {&whole.low, &whole.high, &whole.first, &whole.last}) *code = map[static_cast<std::size_t>(*code)];
  }
  const bool plain_text = holds_strings(definition_.columns[column].type) && dictionary == nullptr;
  if (plain_text) {  // codes of the base's dictionary, if it has one, say nothing of strings
    whole.any = whole.sorted = whole.strictly = false;
    if (const auto& old = base_->columns()[column].dictionary) {
      for (std::int64_t code = 0; code < old->size(); ++code)
        whole.most_text = std::max<std::int64_t>(whole.most_text, old->text(code).size());
    }
  }
  const bool joined = whole.rows > 0 && summary.rows > 0;
  whole.append(summary);
  summary = whole;
  ColumnInfo info = describe_column(definition_.columns[column], dictionary, whole);
  keep_form(info, base_->columns()[column]);
  // Each rank's new rows lie behind its own old ones.
  if (joined && rows_.size() > 1) info.statistics.sorted = false;
  return info;
}

std::shared_ptr<Table> MemoryTableBuilder::finish(const Agree& agree, int threads) {
  std::vector<ColumnSummary> local;
  for (std::size_t column = 0; column < definition_.columns.size(); ++column) settle_texts(column, threads);
  if (base_ != nullptr) unify_dictionaries();
  for (std::size_t column = 0; column < definition_.columns.size(); ++column)
    local.push_back(summarize_column(column, threads));
  std::vector<ColumnSummary> summaries = agree(std::move(local));
  SACCADE_CHECK(summaries.size() == definition_.columns.size());
  check_not_null(summaries);
  MemoryTable::Parts parts;
  parts.name = definition_.name;
  for (std::size_t column = 0; column < summaries.size(); ++column)
    parts.columns.push_back(choose_form(column, summaries[column]));
  parts.rows = summaries.empty() ? 0 : summaries.front().rows;
  parts.version = version_of(parts.name, parts.columns, summaries, serial_);
  std::vector<std::size_t> kept;
  if (base_ != nullptr) kept = take_small_chunks();
  parts.ranks = encode_columns(parts.columns, threads);
  if (base_ != nullptr) keep_chunks(parts.columns, kept, threads, parts.ranks);
  parts.summaries = std::move(summaries);
  parts.pool = &pool_;
  return std::make_shared<MemoryTable>(std::move(parts));
}

std::shared_ptr<Table> make_empty_table(const TableDefinition& definition, int ranks, std::uint64_t serial, MemoryPool& pool) {
  std::vector<std::string> names;
  std::vector<DataType> types;
  std::vector<std::shared_ptr<const Dictionary>> dictionaries;
  for (const ColumnDefinition& column : definition.columns) {
    names.push_back(column.name);
    types.push_back(column.type);
    dictionaries.push_back(holds_strings(column.type) ? Dictionary::from_strings({}) : nullptr);
  }
  MemoryTableBuilder builder(definition.name, std::move(names), std::move(types), std::move(dictionaries), ranks, pool);
  builder.declare(definition);
  builder.set_serial(serial);
  return builder.finish([](std::vector<ColumnSummary> local) { return local; }, 1);
}

void raise_null_value(const std::string& table, const std::string& column) {
  throw Error(sqlstate::kNotNullViolation,
              fmt::format("null value in column \"{}\" of relation \"{}\" violates not-null constraint", column, table), 0,
              "The column was declared NOT NULL: give it a value.");
}

}  // namespace saccade
