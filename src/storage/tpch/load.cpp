#include "storage/tpch/load.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "common/error.hpp"
#include "storage/parallel.hpp"
#include "storage/parquet/string_interner.hpp"
#include "storage/parquet/string_merge.hpp"
#include "storage/tpch/generate.hpp"

namespace saccade::tpch {
namespace {

// A dictionary and the reservation of its memory.
struct CountedDictionary {
  CountedDictionary(std::vector<std::string> sorted, MemoryPool& pool)
      : dictionary(std::move(sorted)), memory(pool, dictionary.bytes()) {}

  Dictionary dictionary;
  Reservation memory;
};

std::shared_ptr<const Dictionary> counted_dictionary(std::vector<std::string> sorted, MemoryPool& pool) {
  auto counted = std::make_shared<const CountedDictionary>(std::move(sorted), pool);
  return {counted, &counted->dictionary};
}

// The columns of one part: numbers, and for text the numbers of its strings.
struct LoadedPart {
  std::int64_t rows = 0;
  std::vector<std::unique_ptr<Buffer>> values;           // by column, int64
  std::vector<std::unique_ptr<StringInterner>> strings;  // by column, of text
};

void intern_text(const GeneratedColumn& column, StringInterner& strings, std::int64_t* out) {
  const auto rows = static_cast<std::size_t>(column.rows());
  switch (column.content) {
    case Content::kChoices:
      for (const std::string_view choice : column.choices) strings.intern(choice);  // each gets the number of its place
      std::copy(column.numbers.begin(), column.numbers.end(), out);
      return;
    case Content::kNumbered:
      for (std::size_t row = 0; row < rows; ++row) {
        char text[kNumberedRoom];
        const char* end = write_numbered(column.prefix, column.numbers[row], text);
        out[row] = strings.intern({text, static_cast<std::size_t>(end - text)});
      }
      return;
    case Content::kTexts:
      for (std::size_t row = 0; row < rows; ++row) out[row] = strings.intern(column.texts[row]);
      return;
    case Content::kNumbers:
      SACCADE_CHECK(false);
  }
}

LoadedPart load_part(const LoadRequest& request, const Parts& parts, std::int64_t part, MemoryPool& pool) {
  const GeneratedRows rows = generate(request.table, request.scale, parts.first(part), parts.size(part), request.columns);
  LoadedPart result;
  result.rows = rows.rows;
  for (const GeneratedColumn& column : rows.columns) {
    std::unique_ptr<Buffer>& values = result.values.emplace_back(Buffer::allocate(rows.rows * 8, pool));
    std::unique_ptr<StringInterner>& strings = result.strings.emplace_back();
    if (column.content == Content::kNumbers) {
      std::copy(column.numbers.begin(), column.numbers.end(), values->as<std::int64_t>());
    } else {
      strings = std::make_unique<StringInterner>(pool);
      intern_text(column, *strings, values->as<std::int64_t>());
    }
  }
  return result;
}

// One dictionary for all parts of a text column; the numbers of strings become codes of it.
std::shared_ptr<const Dictionary> make_dictionary(std::vector<LoadedPart>& parts, std::size_t column, int threads,
                                                  MemoryPool& pool) {
  std::vector<const StringInterner*> strings;
  for (const LoadedPart& part : parts) strings.push_back(part.strings[column].get());
  MergedStrings merged = merge_strings(strings, threads, pool);
  parallel_for(static_cast<std::int64_t>(parts.size()), threads, [&](std::int64_t index) {
    LoadedPart& part = parts[static_cast<std::size_t>(index)];
    part.strings[column].reset();
    if (part.values[column] == nullptr) return;
    const std::vector<std::uint32_t>& code_of = merged.code_of[static_cast<std::size_t>(index)];
    auto* values = part.values[column]->as<std::int64_t>();
    for (std::int64_t row = 0; row < part.rows; ++row) values[row] = code_of[static_cast<std::size_t>(values[row])];
  });
  return counted_dictionary(std::move(merged.sorted), pool);
}

int rank_of_part(std::int64_t part, std::int64_t parts, int ranks) {
  return static_cast<int>(part * ranks / parts);
}

RowSet row_set(LoadedPart& part) {
  RowSet rows;
  rows.rows = part.rows;
  for (std::unique_ptr<Buffer>& values : part.values) rows.columns.push_back({Lane::kInt64, std::move(values), nullptr});
  return rows;
}

}  // namespace

std::shared_ptr<Table> load(const LoadRequest& request, const MemoryTableBuilder::Agree& agree, MemoryPool& pool) {
  const Parts division = Parts::of(request.table, request.scale);
  const std::int64_t count = division.count();
  std::vector<LoadedPart> parts(static_cast<std::size_t>(count));
  const auto is_local = [&](std::int64_t part) {
    return std::binary_search(request.local_ranks.begin(), request.local_ranks.end(), rank_of_part(part, count, request.ranks));
  };
  parallel_for(count, request.threads, [&](std::int64_t index) {
    LoadedPart& part = parts[static_cast<std::size_t>(index)];
    part = load_part(request, division, index, pool);
    if (!is_local(index))
      for (std::unique_ptr<Buffer>& values : part.values) values.reset();
  });

  const TableSpec& spec = table_spec(request.table);
  std::vector<std::string> names;
  std::vector<DataType> types;
  std::vector<std::shared_ptr<const Dictionary>> dictionaries;
  for (std::size_t i = 0; i < request.columns.size(); ++i) {
    const ColumnSpec& column = spec.columns[static_cast<std::size_t>(request.columns[i])];
    names.emplace_back(column.name);
    types.push_back(column.type);
    const bool text = column.type.kind == TypeKind::kText;
    dictionaries.push_back(text ? make_dictionary(parts, i, request.threads, pool) : nullptr);
  }
  MemoryTableBuilder builder(std::string(spec.name), std::move(names), std::move(types), std::move(dictionaries), request.ranks,
                             pool);
  for (std::int64_t part = 0; part < count; ++part) {
    if (is_local(part))
      builder.add_rows(rank_of_part(part, count, request.ranks), row_set(parts[static_cast<std::size_t>(part)]));
  }
  return builder.finish(agree, request.threads);
}

}  // namespace saccade::tpch
