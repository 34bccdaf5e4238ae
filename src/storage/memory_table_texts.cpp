// Text of tables in memory: strings or codes of a dictionary.
#include "storage/memory_table_rows.hpp"
#include "storage/text_coding.hpp"

namespace saccade {

// New rows follow the form of the rows before them; strings that come to codes become codes where all rows are in this process,
// else all rows become strings.
void MemoryTableBuilder::settle_texts(std::size_t column, int threads) {
  if (!holds_strings(definition_.columns[column].type)) return;
  const bool strings = dictionaries_[column] == nullptr;
  const bool has_base = base_ != nullptr && base_->row_count() > 0;
  const bool plain_base = has_base && base_->columns()[column].dictionary == nullptr;
  if (plain_base && !strings) take_strings(column);
  if (plain_base || !strings || !may_code_texts_) return;
  if (has_base || prefers_dictionary(summarize_column(column, threads)))
    dictionaries_[column] = code_texts(rows_, column, threads, pool_);
}

// Strings in the place of codes.
void MemoryTableBuilder::take_strings(std::size_t column) {
  const std::shared_ptr<const Dictionary> dictionary = std::move(dictionaries_[column]);
  dictionaries_[column] = nullptr;
  strings_.push_back(dictionary);
  for (std::vector<RowSet>& sets : rows_) {
    for (RowSet& set : sets) {
      LaneColumn& codes = set.columns[column];
      std::unique_ptr<Buffer> texts = Buffer::allocate(set.rows * 8, pool_);
      for (std::int64_t row = 0; row < set.rows; ++row)
        texts->as<TextValue>()[row] = codes.is_valid(row) ? dictionary->text(codes.as<std::int64_t>()[row]) : TextValue();
      codes = {Lane::kText, std::move(texts), codes.valid};
    }
  }
}

// Where all rows are in this process; a dictionary of some of them would be no dictionary of the table.
void MemoryTable::demand_dictionary(int column) {
  const auto at = static_cast<std::size_t>(column);
  ColumnInfo& info = parts_.columns.at(at);
  std::vector<Column*> places;
  std::int64_t local = 0;
  for (RankChunks& rank : parts_.ranks) {
    for (Column& chunk : rank.at(at)) {
      places.push_back(&chunk);
      local += chunk.length;
    }
  }
  if (!holds_strings(info.type) || info.encoding.form != Form::kPlain || local != parts_.rows) return;
  CodedChunks coded = code_chunks({places.begin(), places.end()}, *parts_.pool);
  for (std::size_t i = 0; i < places.size(); ++i) *places[i] = std::move(coded.chunks[i]);
  const std::int64_t last = std::max<std::int64_t>(coded.dictionary->size() - 1, 0);
  info.encoding = places.empty() ? choose_encoding(info.type, Bounds{0, 0}) : coded.encoding;
  ColumnSummary& summary = parts_.summaries.at(at);
  summary.any = coded.dictionary->size() > 0;
  summary.low = summary.first = 0;
  summary.high = summary.last = last;
  info.dictionary = std::move(coded.dictionary);
}

}  // namespace saccade
