#include "execution/cpu/morsels.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "common/error.hpp"
#include "execution/cpu/build_rows.hpp"
#include "execution/cpu/row_source.hpp"

namespace saccade::cpu {
namespace {

class TableSource : public MorselSource {
 public:
  TableSource(const PipelineRun& run, const physical::TableScan& scan)
      : run_(run), scan_(scan), table_(run.state.table(scan)), chunks_(table_->chunk_count(run.state.rank, run.state.ranks)) {
    bool text = false;
    for (const auto& column : scan.columns) {
      columns_.push_back(column.column);
      text |= run.program.slot(column.slot).lane == Lane::kText;
    }
    // Rows of the query may point to the strings of a table in memory, which could be dropped before them.
    if (text && scan.opener.empty()) run.program.text_store().keep(table_);
  }

  bool next(Morsel& morsel) override {
    std::unique_lock lock(mutex_);
    while (true) {
      if (!loaded_.empty()) return take(morsel);
      if (next_chunk_ < chunks_) {
        const std::int64_t chunk = next_chunk_++;
        if (skipped(chunk)) {
          ++skipped_;
          if (run_.state.rank == 0 && run_.state.query.progress != nullptr)
            run_.state.query.progress->add_rows(table_->chunk_rows(run_.state.rank, run_.state.ranks, chunk));
          continue;
        }
        load(chunk, lock);
      } else if (loading_ > 0 && !failed_) {
        ready_.wait(lock);
      } else {
        return false;
      }
    }
  }

  std::int64_t useful_workers() const override {
    if (chunks_ != 1) return std::max<std::int64_t>(1, chunks_);
    return (table_->chunk_rows(run_.state.rank, run_.state.ranks, 0) + kMorselRows - 1) / kMorselRows;
  }
  std::int64_t chunks() const override { return chunks_; }
  std::int64_t chunks_skipped() const override { return skipped_; }

 private:
  struct Loaded {
    std::shared_ptr<const Chunk> chunk;
    MorselPlace next;
  };

  bool take(Morsel& morsel) {
    Loaded& loaded = loaded_.front();
    morsel.chunk = loaded.chunk;
    morsel.place = loaded.next;
    morsel.count = std::min(kMorselRows, loaded.chunk->rows - loaded.next.begin);
    loaded.next.begin += morsel.count;
    if (loaded.next.begin == loaded.chunk->rows) loaded_.pop_front();
    return true;
  }

  bool skipped(std::int64_t chunk) const {
    for (const auto& skip : scan_.skip) {
      const auto bounds = table_->chunk_bounds(run_.state.rank, run_.state.ranks, chunk, skip.column);
      if (bounds && (bounds->high < skip.bounds.low || bounds->low > skip.bounds.high)) return true;
    }
    return false;
  }

  void load(std::int64_t number, std::unique_lock<std::mutex>& lock) {
    ++loading_;
    lock.unlock();
    std::shared_ptr<const Chunk> chunk;
    try {
      chunk = read(number);
    } catch (...) {
      lock.lock();
      --loading_;
      failed_ = true;
      ready_.notify_all();
      throw;
    }
    lock.lock();
    --loading_;
    if (chunk->rows > 0) loaded_.push_back({std::move(chunk), {number, 0}});
    ready_.notify_all();
  }

  std::shared_ptr<const Chunk> read(std::int64_t number) {
    run_.check_cancelled();
    auto chunk = std::make_shared<Chunk>();
    chunk->rows = table_->chunk_rows(run_.state.rank, run_.state.ranks, number);
    chunk->columns = table_->load(run_.state.rank, run_.state.ranks, number, columns_, run_.memory());
    SACCADE_CHECK(chunk->columns.size() == columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Column& column = chunk->columns[i];
      SACCADE_CHECK(column.length == chunk->rows && column.encoding == scan_.columns[i].encoding);
      if (run_.state.query.settings.verify) verify(column, scan_.columns[i].slot);
      chunk->sources.push_back(source_column(scan_.columns[i].slot, column));
    }
    return chunk;
  }

  void verify(const Column& column, int slot_number) const {
    verify_column(column);
    const physical::Slot& slot = run_.program.slot(slot_number);
    SACCADE_CHECK(slot.nullable || column.validity == nullptr);
    SACCADE_CHECK(!slot.bounds || !column.bounds ||
                  (slot.bounds->low <= column.bounds->low && column.bounds->high <= slot.bounds->high));
    if (slot.dictionary >= 0) {
      const auto& reference = run_.state.plan.dictionaries[static_cast<std::size_t>(slot.dictionary)];
      SACCADE_CHECK(column.dictionary != nullptr && column.dictionary->identity() == reference.identity);
    }
  }

  const PipelineRun& run_;
  const physical::TableScan& scan_;
  std::shared_ptr<Table> table_;
  std::int64_t chunks_;
  std::vector<int> columns_;

  std::mutex mutex_;
  std::condition_variable ready_;
  std::int64_t next_chunk_ = 0;
  std::int64_t skipped_ = 0;
  int loading_ = 0;
  bool failed_ = false;
  std::deque<Loaded> loaded_;
};

void add_output(const PipelineRun& run, const physical::OutputScan& scan, RowSource& source) {
  const auto& output = run.state.outputs[static_cast<std::size_t>(scan.pipeline)];
  SACCADE_CHECK(output != nullptr);
  const RowSet& rows = output->host_rows();
  SACCADE_CHECK(scan.slots.size() <= rows.columns.size());
  std::vector<SourceColumn> columns;
  for (std::size_t i = 0; i < scan.slots.size(); ++i) {
    if (scan.slots[i] >= 0) columns.push_back(source_column(scan.slots[i], rows.columns[i]));
  }
  source.add(rows.rows, std::move(columns));
}

void store_literal(const physical::Literal& literal, std::int64_t row, std::byte* values) {
  switch (literal.lane) {
    case Lane::kBoolean:
      reinterpret_cast<std::uint8_t*>(values)[row] = literal.integer != 0 ? 1 : 0;
      return;
    case Lane::kInt64:
      reinterpret_cast<std::int64_t*>(values)[row] = static_cast<std::int64_t>(literal.integer);
      return;
    case Lane::kInt128:
      reinterpret_cast<int128*>(values)[row] = literal.integer;
      return;
    case Lane::kFloat64:
      reinterpret_cast<double*>(values)[row] = literal.real;
      return;
    case Lane::kText:
      break;
  }
  throw Error(sqlstate::kInternalError, "constant rows hold a string that is in no dictionary");
}

void add_values(const PipelineRun& run, const physical::ValueRows& source, RowSource& target) {
  const std::vector<physical::Literal>& literals = run.pipeline.literals;
  const std::int64_t rows = run.state.rank == 0 ? source.rows : 0;
  const std::size_t width = source.slots.size();
  SACCADE_CHECK(literals.size() >= static_cast<std::size_t>(source.rows) * width);
  std::vector<std::shared_ptr<const Buffer>> memory;
  std::vector<SourceColumn> sources;
  for (std::size_t c = 0; c < width; ++c) {
    const Lane lane = run.program.slot(source.slots[c]).lane;
    std::shared_ptr<Buffer> values = Buffer::allocate_zeroed(rows * lane_bytes(lane), run.memory());
    std::shared_ptr<Buffer> valid = Buffer::allocate(rows, run.memory());
    for (std::int64_t row = 0; row < rows; ++row) {
      const physical::Literal& literal = literals[static_cast<std::size_t>(row) * width + c];
      SACCADE_CHECK(literal.lane == lane);
      valid->as<std::uint8_t>()[row] = literal.is_null ? 0 : 1;
      if (!literal.is_null) store_literal(literal, row, values->data());
    }
    const bool nullable = run.program.slot(source.slots[c]).nullable;
    sources.push_back(source_column(source.slots[c], LaneColumn{lane, values, nullable ? valid : nullptr}));
    memory.insert(memory.end(), {values, valid});
  }
  target.add(rows, std::move(sources), std::move(memory));
}

}  // namespace

std::unique_ptr<MorselSource> make_morsel_source(const PipelineRun& run) {
  if (const auto* table = std::get_if<physical::TableScan>(&run.pipeline.source)) {
    return std::make_unique<TableSource>(run, *table);
  }
  auto rows = std::make_unique<RowSource>();
  if (const auto* output = std::get_if<physical::OutputScan>(&run.pipeline.source)) {
    add_output(run, *output, *rows);
  } else if (const auto* concatenation = std::get_if<physical::Concatenation>(&run.pipeline.source)) {
    for (const physical::OutputScan& input : concatenation->inputs) add_output(run, input, *rows);
  } else if (const auto* values = std::get_if<physical::ValueRows>(&run.pipeline.source)) {
    add_values(run, *values, *rows);
  } else if (std::holds_alternative<physical::OneRow>(run.pipeline.source)) {
    rows->add(run.state.rank == 0 ? 1 : 0, {});
  } else {
    BuildRows found = build_rows(run, std::get<physical::BuildScan>(run.pipeline.source));
    rows->add(found.rows, std::move(found.columns), std::move(found.memory));
  }
  return rows;
}

}  // namespace saccade::cpu
