// A text column of Parquet files: read once into a sorted dictionary for the whole table and codes by row group.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/column.hpp"
#include "data/dictionary.hpp"
#include "storage/parquet/column_decoder.hpp"
#include "storage/parquet/parquet_file.hpp"

namespace saccade {

// One row group to read; `file` must outlive the call.
struct TextPart {
  const ParquetFile* file = nullptr;
  int row_group = 0;
  const ParquetColumn* column = nullptr;
  bool may_be_null = true;
  std::int64_t rows = 0;
  std::string where;
  bool more = false;  // a piece of the row group (plain text only): rows may follow
};

struct TextColumn {
  std::shared_ptr<const Dictionary> dictionary;
  std::vector<Column> parts;  // by part; all of one encoding
  std::int64_t nulls = 0;
  Reservation dictionary_memory;
};

// Codes and dictionary are counted in `kept`, what is needed on the way in `pool`. Errors: 22021 invalid UTF-8, XX001, 58030,
// 53200.
TextColumn read_text_column(const std::vector<TextPart>& parts, int threads, MemoryPool& kept, MemoryPool& pool);

}  // namespace saccade
