#include "storage/parquet/text_column.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "storage/parallel.hpp"
#include "storage/parquet/string_interner.hpp"
#include "storage/parquet/string_merge.hpp"
#include "storage/parquet/utf8.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kBatch = 4096;

// One row group as read: its distinct strings, and for each row the number of its string (0 at nulls).
struct LocalText {
  explicit LocalText(MemoryPool& pool) : strings(pool) {}

  StringInterner strings;
  std::unique_ptr<Buffer> numbers;  // uint32 by row
  std::shared_ptr<const Buffer> validity;
  std::int64_t nulls = 0;
};

std::uint32_t intern_checked(StringInterner& strings, const parquet::ByteArray& bytes, const TextPart& part) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.ptr), bytes.len);
  const std::int64_t before = strings.size();
  const std::uint32_t number = strings.intern(text);
  if (strings.size() != before && part.column->type.is_text()) check_utf8(text, part.where);
  return number;
}

// Reads batches of dense string numbers with `read_batch(wanted, def_levels, numbers, values)` until the rows are complete.
template <class ReadBatch>
void read_rows(const TextPart& part, LocalText& local, MemoryPool& kept, MemoryPool& pool, ReadBatch read_batch) {
  local.numbers = Buffer::allocate(part.rows * 4, pool);
  ValidityBuilder validity(part.rows, part.may_be_null, part.where, kept);
  std::vector<std::uint32_t> dense(kBatch);
  std::vector<std::int16_t> def_levels(part.column->optional ? kBatch : 0);
  while (validity.rows() < part.rows) {
    const std::int64_t at = validity.rows(), wanted = std::min(kBatch, part.rows - at);
    std::int64_t values = 0;
    std::int16_t* levels_out = def_levels.empty() ? nullptr : def_levels.data();
    const std::int64_t levels = read_batch(wanted, levels_out, dense.data(), values);
    if (levels <= 0 || levels > wanted || values < 0 || values > levels) raise_damaged(part.where, "it has too few values");
    validity.append(levels_out, levels, values);
    std::uint32_t* out = local.numbers->as<std::uint32_t>() + at;
    std::int64_t next = 0;
    for (std::int64_t i = 0; i < levels; ++i) {
      const bool valid = levels_out == nullptr || levels_out[i] != 0;
      out[i] = valid ? dense[static_cast<std::size_t>(next++)] : 0;
    }
  }
  local.nulls = validity.nulls();
  local.validity = validity.finish();
}

// All pages are dictionary-encoded: strings are looked at once, rows are numbers already.
void read_dictionary_pages(parquet::ByteArrayReader& reader, const TextPart& part, LocalText& local, MemoryPool& kept,
                           MemoryPool& pool) {
  std::vector<std::int32_t> indices(kBatch);
  std::vector<std::uint32_t> number_of;  // by index of the file's dictionary; which may repeat a string
  const parquet::ByteArray* known = nullptr;
  read_rows(part, local, kept, pool,
            [&](std::int64_t wanted, std::int16_t* levels_out, std::uint32_t* dense, std::int64_t& values) {
              const parquet::ByteArray* dictionary = nullptr;
              std::int32_t length = 0;
              const std::int64_t levels =
                  reader.ReadBatchWithDictionary(wanted, levels_out, nullptr, indices.data(), &values, &dictionary, &length);
              if (dictionary != known) {
                number_of.clear();
                for (std::int32_t i = 0; i < length; ++i)
                  number_of.push_back(intern_checked(local.strings, dictionary[i], part));
                known = dictionary;
              }
              for (std::int64_t i = 0; i < values; ++i) {
                const auto index = static_cast<std::size_t>(indices[static_cast<std::size_t>(i)]);
                if (index >= number_of.size()) raise_damaged(part.where, "a row points outside of its dictionary");
                dense[i] = number_of[index];
              }
              return levels;
            });
}

void read_plain_pages(parquet::ByteArrayReader& reader, const TextPart& part, LocalText& local, MemoryPool& kept,
                      MemoryPool& pool) {
  std::vector<parquet::ByteArray> strings(kBatch);
  read_rows(part, local, kept, pool,
            [&](std::int64_t wanted, std::int16_t* levels_out, std::uint32_t* dense, std::int64_t& values) {
              const std::int64_t levels = reader.ReadBatch(wanted, levels_out, nullptr, strings.data(), &values);
              for (std::int64_t i = 0; i < values; ++i) {
                dense[i] = intern_checked(local.strings, strings[static_cast<std::size_t>(i)], part);
              }
              return levels;
            });
}

// Bytes of a fixed length.
void read_fixed_pages(parquet::FixedLenByteArrayReader& reader, const TextPart& part, LocalText& local, MemoryPool& kept,
                      MemoryPool& pool) {
  std::vector<parquet::FixedLenByteArray> strings(kBatch);
  const auto length = static_cast<std::uint32_t>(part.column->fixed_bytes);
  read_rows(part, local, kept, pool,
            [&](std::int64_t wanted, std::int16_t* levels_out, std::uint32_t* dense, std::int64_t& values) {
              const std::int64_t levels = reader.ReadBatch(wanted, levels_out, nullptr, strings.data(), &values);
              for (std::int64_t i = 0; i < values; ++i) {
                dense[i] = intern_checked(local.strings, {length, strings[static_cast<std::size_t>(i)].ptr}, part);
              }
              return levels;
            });
}

std::unique_ptr<LocalText> read_part(const TextPart& part, MemoryPool& kept, MemoryPool& pool) {
  auto local = std::make_unique<LocalText>(pool);
  try {
    CountedArrowPool arrow_pool(pool);
    const std::unique_ptr<parquet::ParquetFileReader> file = part.file->reader(arrow_pool);
    const std::shared_ptr<parquet::ColumnReader> reader =
        file->RowGroup(part.row_group)
            ->ColumnWithExposeEncoding(part.column->leaf, part.column->source == ParquetSource::kFixedBytes
                                                              ? parquet::ExposedEncoding::NO_ENCODING
                                                              : parquet::ExposedEncoding::DICTIONARY);
    if (part.column->source == ParquetSource::kFixedBytes) {
      read_fixed_pages(static_cast<parquet::FixedLenByteArrayReader&>(*reader), part, *local, kept, pool);
    } else if (reader->GetExposedEncoding() == parquet::ExposedEncoding::DICTIONARY) {
      read_dictionary_pages(static_cast<parquet::ByteArrayReader&>(*reader), part, *local, kept, pool);
    } else {
      read_plain_pages(static_cast<parquet::ByteArrayReader&>(*reader), part, *local, kept, pool);
    }
    if (reader->HasNext()) raise_damaged(part.where, "it has more values than its row group has rows");
  } catch (...) {
    raise_arrow_error(part.where);
  }
  return local;
}

template <class Code>
void write_codes(const LocalText& local, const std::vector<std::uint32_t>& code_of, std::int64_t rows, Code* out) {
  const auto* numbers = local.numbers->as<std::uint32_t>();
  const auto* validity = local.validity == nullptr ? nullptr : local.validity->as<std::uint64_t>();
  for (std::int64_t row = 0; row < rows; ++row) {
    const bool valid = validity == nullptr || (validity[row / 64] >> (row % 64) & 1) != 0;
    out[row] = valid ? static_cast<Code>(code_of[numbers[row]]) : Code{0};
  }
}

Column encode_part(const LocalText& local, const DataType& type, const std::vector<std::uint32_t>& code_of, std::int64_t rows,
                   const std::shared_ptr<const Dictionary>& dictionary, Encoding encoding, MemoryPool& kept) {
  Column column;
  column.type = type;
  column.lane = Lane::kInt64;
  column.encoding = encoding;
  column.length = rows;
  column.dictionary = dictionary;
  const std::shared_ptr<Buffer> values = Buffer::allocate(rows * encoding.width, kept);
  switch (encoding.width) {
    case 1:
      write_codes(local, code_of, rows, values->as<std::uint8_t>());
      break;
    case 2:
      write_codes(local, code_of, rows, values->as<std::uint16_t>());
      break;
    default:
      write_codes(local, code_of, rows, values->as<std::uint32_t>());
      break;
  }
  column.values = values->data();
  column.value_owner = values;
  column.validity_owner = local.validity;
  if (local.validity != nullptr) column.validity = local.validity->as<std::uint64_t>();
  // A file's dictionary may hold strings of no row: bounds of codes may be wider than the rows, which is allowed.
  if (!code_of.empty()) {
    const auto [low, high] = std::minmax_element(code_of.begin(), code_of.end());
    column.bounds = Bounds{*low, *high};
  }
  return column;
}

}  // namespace

TextColumn read_text_column(const std::vector<TextPart>& parts, int threads, MemoryPool& kept, MemoryPool& pool) {
  const auto count = static_cast<std::int64_t>(parts.size());
  std::vector<std::unique_ptr<LocalText>> locals(parts.size());
  parallel_for(count, threads, [&](std::int64_t i) {
    locals[static_cast<std::size_t>(i)] = read_part(parts[static_cast<std::size_t>(i)], kept, pool);
  });
  std::vector<const StringInterner*> strings;
  for (const std::unique_ptr<LocalText>& local : locals) strings.push_back(&local->strings);
  MergedStrings merged = merge_strings(strings, threads, pool);
  TextColumn text;
  text.dictionary = std::make_shared<const Dictionary>(std::span<const std::string_view>(merged.sorted));
  text.dictionary_memory = Reservation(kept, text.dictionary->bytes());
  const std::int64_t last_code = std::max<std::int64_t>(text.dictionary->size() - 1, 0);
  const Encoding encoding = choose_encoding({TypeKind::kText}, Bounds{0, last_code});
  text.parts.resize(parts.size());
  parallel_for(count, threads, [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    text.parts[at] =
        encode_part(*locals[at], parts[at].column->type, merged.code_of[at], parts[at].rows, text.dictionary, encoding, kept);
  });
  for (std::unique_ptr<LocalText>& local : locals) text.nulls += local->nulls;
  return text;
}

}  // namespace saccade
