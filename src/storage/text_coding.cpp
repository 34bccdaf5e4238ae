#include "storage/text_coding.hpp"

#include <algorithm>
#include <span>

#include "storage/parallel.hpp"
#include "storage/parquet/string_interner.hpp"
#include "storage/parquet/string_merge.hpp"

namespace saccade {
namespace {

constexpr double kRowsPerString = 4;
constexpr double kLargestDictionary = 1 << 20;
constexpr std::int64_t kTaskRows = 1 << 17;

struct CountedDictionary {
  CountedDictionary(std::span<const std::string_view> sorted, MemoryPool& pool)
      : dictionary(sorted), memory(pool, dictionary.bytes()) {}

  Dictionary dictionary;
  Reservation memory;
};

// A range of one row set's column.
struct Task {
  LaneColumn* column;
  std::int64_t* codes;
  std::int64_t begin, end;
};

MergedStrings merge_all(const std::vector<std::unique_ptr<StringInterner>>& interners, int threads, MemoryPool& pool) {
  std::vector<const StringInterner*> strings;
  for (const auto& interner : interners) strings.push_back(interner.get());
  return merge_strings(strings, threads, pool);
}

}  // namespace

bool prefers_dictionary(const ColumnSummary& summary) {
  return summary.distinct * kRowsPerString <= static_cast<double>(summary.rows) && summary.distinct <= kLargestDictionary;
}

std::shared_ptr<const Dictionary> counted_dictionary(std::span<const std::string_view> sorted, MemoryPool& pool) {
  auto counted = std::make_shared<const CountedDictionary>(sorted, pool);
  return {counted, &counted->dictionary};
}

std::shared_ptr<const Dictionary> code_texts(std::vector<std::vector<RowSet>>& rows, std::size_t column, int threads,
                                             MemoryPool& pool) {
  std::vector<Task> tasks;
  std::vector<std::pair<LaneColumn*, std::shared_ptr<Buffer>>> coded;
  for (std::vector<RowSet>& sets : rows) {
    for (RowSet& set : sets) {
      coded.emplace_back(&set.columns[column], Buffer::allocate(set.rows * 8, pool));
      for (std::int64_t begin = 0; begin < set.rows; begin += kTaskRows) {
        tasks.push_back(
            {coded.back().first, coded.back().second->as<std::int64_t>(), begin, std::min(set.rows, begin + kTaskRows)});
      }
    }
  }
  std::vector<std::unique_ptr<StringInterner>> interners(tasks.size());
  const auto count = static_cast<std::int64_t>(tasks.size());
  parallel_for(count, threads, [&](std::int64_t i) {
    const Task& task = tasks[static_cast<std::size_t>(i)];
    auto interner = std::make_unique<StringInterner>(pool);
    for (std::int64_t row = task.begin; row < task.end; ++row) {
      const TextValue text = task.column->as<TextValue>()[row];
      const bool present = task.column->is_valid(row) && text.has_value();
      task.codes[row] = present ? std::int64_t{interner->intern(text.view())} : -1;
    }
    interners[static_cast<std::size_t>(i)] = std::move(interner);
  });
  const MergedStrings merged = merge_all(interners, threads, pool);
  parallel_for(count, threads, [&](std::int64_t i) {
    const Task& task = tasks[static_cast<std::size_t>(i)];
    const std::vector<std::uint32_t>& code_of = merged.code_of[static_cast<std::size_t>(i)];
    for (std::int64_t row = task.begin; row < task.end; ++row)
      task.codes[row] = task.codes[row] < 0 ? 0 : code_of[static_cast<std::size_t>(task.codes[row])];
  });
  for (auto& [from, codes] : coded) *from = {Lane::kInt64, std::move(codes), from->valid};
  return counted_dictionary(merged.sorted, pool);
}

CodedChunks code_chunks(const std::vector<const Column*>& chunks, MemoryPool& pool) {
  std::vector<std::unique_ptr<StringInterner>> interners;
  std::vector<std::vector<std::int64_t>> codes;
  for (const Column* chunk : chunks) {
    interners.push_back(std::make_unique<StringInterner>(pool));
    codes.emplace_back(static_cast<std::size_t>(chunk->length), 0);
    for (std::int64_t row = 0; row < chunk->length; ++row) {
      if (chunk->valid(row))
        codes.back()[static_cast<std::size_t>(row)] = interners.back()->intern(text_at(*chunk, row).view());
    }
  }
  const MergedStrings merged = merge_all(interners, 0, pool);
  CodedChunks result;
  result.dictionary = counted_dictionary(merged.sorted, pool);
  const std::int64_t last = std::max<std::int64_t>(result.dictionary->size() - 1, 0);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const Column& chunk = *chunks[i];
    result.encoding = choose_encoding(chunk.type, Bounds{0, last});
    for (std::int64_t row = 0; row < chunk.length; ++row) {
      std::int64_t& code = codes[i][static_cast<std::size_t>(row)];
      if (chunk.valid(row)) code = merged.code_of[i][static_cast<std::size_t>(code)];
    }
    result.chunks.push_back(encode_column(chunk.type, result.encoding, 0, codes[i].data(), Lane::kInt64, chunk.length,
                                          chunk.validity_owner, result.dictionary, pool, "a text column"));
  }
  return result;
}

}  // namespace saccade
