#include "storage/tpch/load.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "common/error.hpp"
#include "storage/parallel.hpp"
#include "storage/parquet/string_interner.hpp"
#include "storage/parquet/string_merge.hpp"
#include "storage/text_coding.hpp"
#include "storage/tpch/generate.hpp"

namespace saccade::tpch {
namespace {

// Strings of one column of a part, and what they lie in.
struct PartTexts {
  std::unique_ptr<Buffer> texts;  // a TextValue a row
  std::unique_ptr<Buffer> heap;
};

// The columns of one part: numbers, for text with a dictionary the numbers of its strings, for other text the strings.
struct LoadedPart {
  std::int64_t rows = 0;
  std::vector<std::unique_ptr<Buffer>> values;           // by column, int64; null for plain text
  std::vector<std::unique_ptr<StringInterner>> strings;  // by column, of text with a dictionary
  std::vector<std::shared_ptr<PartTexts>> texts;         // by column, of plain text
};

// Calls work(row, text) for each row of a column of text.
template <class Work>
void each_text(const GeneratedColumn& column, const Work& work) {
  const auto rows = static_cast<std::size_t>(column.rows());
  for (std::size_t row = 0; row < rows; ++row) {
    if (column.content == Content::kTexts) {
      work(row, column.texts[row]);
    } else if (column.content == Content::kChoices) {
      work(row, column.choices[static_cast<std::size_t>(column.numbers[row])]);
    } else {
      char text[kNumberedRoom];
      const char* end = write_numbered(column.prefix, column.numbers[row], text);
      work(row, std::string_view(text, static_cast<std::size_t>(end - text)));
    }
  }
}

// Whether most strings of a column, by its first part, are distinct.
bool is_mostly_distinct(const GeneratedColumn& column, MemoryPool& pool) {
  constexpr std::int64_t kFewRows = 4096;  // a dictionary of so few rows costs nothing
  if (column.content == Content::kNumbers || column.content == Content::kChoices || column.rows() < kFewRows) return false;
  StringInterner strings(pool);
  each_text(column, [&](std::size_t, std::string_view text) { strings.intern(text); });
  return 2 * strings.size() > column.rows();
}

std::shared_ptr<PartTexts> copy_texts(const GeneratedColumn& column, MemoryPool& pool) {
  auto result = std::make_shared<PartTexts>();
  std::int64_t bytes = 0;
  each_text(column,
            [&](std::size_t, std::string_view text) { bytes += kTextPrefixBytes + static_cast<std::int64_t>(text.size()); });
  result->heap = Buffer::allocate(bytes, pool);
  result->texts = Buffer::allocate(column.rows() * 8, pool);
  char* to = result->heap->as<char>();
  each_text(column, [&](std::size_t row, std::string_view text) {
    result->texts->as<TextValue>()[row] = write_text(to, text);
    to += kTextPrefixBytes + text.size();
  });
  return result;
}

void intern_text(const GeneratedColumn& column, StringInterner& strings, std::int64_t* out) {
  if (column.content == Content::kChoices) {
    for (const std::string_view choice : column.choices) strings.intern(choice);  // each gets the number of its place
    std::copy(column.numbers.begin(), column.numbers.end(), out);
    return;
  }
  each_text(column, [&](std::size_t row, std::string_view text) { out[row] = strings.intern(text); });
}

GeneratedRows generate_part(const LoadRequest& request, const Parts& parts, std::int64_t part) {
  return generate(request.table, request.scale, parts.first(part), parts.size(part), request.columns);
}

// `plain`: by column, whether its text is taken as it stands.
LoadedPart load_part(const GeneratedRows& rows, const std::vector<bool>& plain, MemoryPool& pool) {
  LoadedPart result;
  result.rows = rows.rows;
  for (const GeneratedColumn& column : rows.columns) {
    std::unique_ptr<StringInterner>& strings = result.strings.emplace_back();
    std::shared_ptr<PartTexts>& texts = result.texts.emplace_back();
    std::unique_ptr<Buffer>& values = result.values.emplace_back();
    if (plain[result.texts.size() - 1]) {
      texts = copy_texts(column, pool);
      continue;
    }
    values = Buffer::allocate(rows.rows * 8, pool);
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
  const MergedStrings merged = merge_strings(strings, threads, pool);
  std::shared_ptr<const Dictionary> dictionary = counted_dictionary(merged.sorted, pool);
  parallel_for(static_cast<std::int64_t>(parts.size()), threads, [&](std::int64_t index) {
    LoadedPart& part = parts[static_cast<std::size_t>(index)];
    part.strings[column].reset();
    if (part.values[column] == nullptr) return;
    const std::vector<std::uint32_t>& code_of = merged.code_of[static_cast<std::size_t>(index)];
    auto* values = part.values[column]->as<std::int64_t>();
    for (std::int64_t row = 0; row < part.rows; ++row) values[row] = code_of[static_cast<std::size_t>(values[row])];
  });
  return dictionary;
}

int rank_of_part(std::int64_t part, std::int64_t parts, int ranks) {
  return static_cast<int>(part * ranks / parts);
}

RowSet row_set(LoadedPart& part) {
  RowSet rows;
  rows.rows = part.rows;
  for (std::size_t i = 0; i < part.values.size(); ++i) {
    if (const std::shared_ptr<PartTexts> texts = std::move(part.texts[i])) {
      // The column's buffer keeps the strings as well.
      rows.columns.push_back({Lane::kText, {texts, texts->texts.get()}, nullptr});
    } else {
      rows.columns.push_back({Lane::kInt64, std::move(part.values[i]), nullptr});
    }
  }
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
  std::vector<bool> plain(request.columns.size(), false);
  if (count > 0) {
    const GeneratedRows first = generate_part(request, division, 0);
    for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = is_mostly_distinct(first.columns[i], pool);
  }
  parallel_for(count, request.threads, [&](std::int64_t index) {
    LoadedPart& part = parts[static_cast<std::size_t>(index)];
    part = load_part(generate_part(request, division, index), plain, pool);
    if (is_local(index)) return;
    for (std::unique_ptr<Buffer>& values : part.values) values.reset();
    for (std::shared_ptr<PartTexts>& texts : part.texts) texts.reset();
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
    dictionaries.push_back(text && !plain[i] ? make_dictionary(parts, i, request.threads, pool) : nullptr);
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
