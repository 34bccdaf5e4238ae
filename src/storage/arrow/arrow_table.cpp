#include "storage/arrow/arrow_table.hpp"

#include <arrow/api.h>
#include <arrow/ipc/reader.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "common/error.hpp"
#include "storage/arrow/arrow_input.hpp"
#include "storage/arrow/arrow_values.hpp"
#include "storage/loaded_table.hpp"

namespace saccade {
namespace {

// The value of a result, or an Error about `where`.
template <class T>
T value_or_raise(arrow::Result<T> result, const std::string& where) {
  if (!result.ok()) raise_arrow_status(where, result.status());
  return std::move(result).ValueUnsafe();
}

struct ArrowFile {
  std::shared_ptr<const InputFile> file;
  bool stream = false;
  std::shared_ptr<arrow::Schema> schema;
  std::vector<std::int64_t> batch_rows;

  std::string where() const { return fmt::format("file \"{}\"", file->path()); }
};

using VisitBatch = std::function<void(std::size_t, const arrow::RecordBatch&)>;

arrow::ipc::IpcReadOptions read_options(std::span<const int> columns, CountedArrowPool& pool) {
  arrow::ipc::IpcReadOptions options;
  options.memory_pool = &pool;
  options.included_fields.assign(columns.begin(), columns.end());
  options.use_threads = false;
  return options;
}

// Visits the batches of a stream in order, with all of its columns. A stream may end without a mark, but then no one can tell
// whether it is whole.
void visit_stream(const ArrowFile& file, CountedArrowPool& pool, std::shared_ptr<arrow::Schema>* schema,
                  const VisitBatch& visit) {
  const std::shared_ptr<arrow::io::RandomAccessFile> input = make_arrow_input(file.file, pool);
  const auto reader = value_or_raise(arrow::ipc::RecordBatchStreamReader::Open(input, read_options({}, pool)), file.where());
  if (schema != nullptr) *schema = reader->schema();
  std::shared_ptr<arrow::RecordBatch> batch;
  std::int64_t behind_last = *input->Tell();
  for (std::size_t number = 0;; ++number) {
    const arrow::Status status = reader->ReadNext(&batch);
    if (!status.ok()) raise_arrow_status(file.where(), status);
    if (batch == nullptr) break;
    visit(number, *batch);
    behind_last = *input->Tell();
  }
  if (*input->Tell() == behind_last) {
    throw Error(sqlstate::kDataCorrupted, fmt::format("{} is cut off: it has no end mark", file.where()), 0,
                "Write or copy the file anew.");
  }
}

std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_reader(const ArrowFile& file, std::span<const int> columns,
                                                               CountedArrowPool& pool) {
  return value_or_raise(arrow::ipc::RecordBatchFileReader::Open(make_arrow_input(file.file, pool), read_options(columns, pool)),
                        file.where());
}

// What is damaged, or written by another program, must not be believed before all of its offsets and lengths are checked.
void check_batch(const arrow::RecordBatch& batch, std::int64_t rows, const std::string& where) {
  if (batch.num_rows() != rows) {
    throw Error(sqlstate::kIoError, fmt::format("{} has changed while it was read", where), 0, "Run the query again.");
  }
  const arrow::Status status = batch.ValidateFull();
  if (!status.ok()) raise_arrow_status(where, status);
}

class ArrowSource final : public ColumnSource {
 public:
  ArrowSource(std::vector<ArrowFile> files, std::vector<LoadedColumn> columns, MemoryPool& kept, int threads)
      : files_(std::move(files)), columns_(std::move(columns)), kept_(kept), threads_(threads) {}

  std::shared_ptr<Table> read(std::span<const int> columns, MemoryPool& pool) override {
    std::vector<std::string> names;
    std::vector<DataType> types;
    for (const int column : columns) {
      names.push_back(columns_[static_cast<std::size_t>(column)].name);
      types.push_back(columns_[static_cast<std::size_t>(column)].type);
    }
    std::vector<Part> parts;
    for (const ArrowFile& file : files_) {
      file.file->check_unchanged();
      const std::size_t first = parts.size();
      for (const std::int64_t rows : file.batch_rows) parts.push_back({rows, {}});
      const std::span<Part> own = std::span(parts).subspan(first);
      try {
        file.stream ? read_stream(file, columns, own, pool) : read_file(file, columns, own, pool);
      } catch (...) {
        raise_arrow_error(file.where());
      }
    }
    return make_parts_table(std::move(names), std::move(types), std::move(parts), threads_, kept_, pool);
  }

 private:
  void read_stream(const ArrowFile& file, std::span<const int> columns, std::span<Part> parts, MemoryPool& pool) const {
    CountedArrowPool arrow_pool(pool);
    visit_stream(file, arrow_pool, nullptr, [&](std::size_t number, const arrow::RecordBatch& batch) {
      if (number >= parts.size()) throw Error(sqlstate::kIoError, file.where() + " has changed while it was read");
      check_batch(batch, parts[number].rows, file.where());
      convert(file, batch, columns, columns, parts[number], pool);
    });
  }

  // Readers are no thread's but their own: each reads a range of batches.
  void read_file(const ArrowFile& file, std::span<const int> columns, std::span<Part> parts, MemoryPool& pool) const {
    // Arrow reads columns in the schema's order.
    std::vector<int> sorted(columns.begin(), columns.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<int> places(sorted.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      places[i] = static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), columns[i]) - sorted.begin());
    }
    const std::size_t ranges = std::min<std::size_t>(parts.size(), 64);
    for_each_part(static_cast<std::int64_t>(ranges), threads_, [&](std::int64_t range) {
      CountedArrowPool arrow_pool(pool);
      const auto reader = file_reader(file, sorted, arrow_pool);
      const std::size_t begin = parts.size() * static_cast<std::size_t>(range) / ranges;
      const std::size_t end = parts.size() * (static_cast<std::size_t>(range) + 1) / ranges;
      for (std::size_t number = begin; number < end; ++number) {
        pool.check();
        const auto batch = value_or_raise(reader->ReadRecordBatch(static_cast<int>(number)), file.where());
        check_batch(*batch, parts[number].rows, file.where());
        convert(file, *batch, columns, places, parts[number], pool);
      }
    });
  }

  // `places`: where the columns stand in the batch.
  void convert(const ArrowFile& file, const arrow::RecordBatch& batch, std::span<const int> columns,
               std::span<const int> places, Part& part, MemoryPool& pool) const {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const LoadedColumn& column = columns_[static_cast<std::size_t>(columns[i])];
      const std::string where = fmt::format("{}, column \"{}\"", file.where(), column.name);
      part.columns.emplace_back(column.type, part.rows, pool);
      set_arrow_values(part.columns.back(), 0, *batch.column(places[i]), where);
    }
  }

  std::vector<ArrowFile> files_;
  std::vector<LoadedColumn> columns_;
  MemoryPool& kept_;
  int threads_;
};

ArrowFile open_file(const std::string& path, MemoryPool& pool) {
  ArrowFile file{InputFile::open(path), false, nullptr, {}};
  std::array<char, 8> magic{};
  file.file->read(0, std::min<std::int64_t>(8, file.file->size()), magic.data());
  const std::string_view head(magic.data(), magic.size());
  if (head.starts_with("FEA1")) {
    throw Error(sqlstate::kFeatureNotSupported, fmt::format("{} is in Feather's version 1", file.where()), 0,
                "Write it anew in version 2, the Arrow IPC format.");
  }
  file.stream = !head.starts_with("ARROW1");
  CountedArrowPool arrow_pool(pool);
  try {
    if (file.stream) {
      visit_stream(file, arrow_pool, &file.schema, [&](std::size_t, const arrow::RecordBatch& batch) {
        pool.check();
        file.batch_rows.push_back(batch.num_rows());
      });
      return file;
    }
    file.schema = file_reader(file, {}, arrow_pool)->schema();
    // One column tells the rows; its buffers alone are read.
    const std::vector<int> columns(file.schema->num_fields() == 0 ? 0 : 1, 0);
    const auto reader = file_reader(file, columns, arrow_pool);
    for (int i = 0; i < reader->num_record_batches(); ++i) {
      pool.check();
      file.batch_rows.push_back(value_or_raise(reader->ReadRecordBatch(i), file.where())->num_rows());
    }
  } catch (...) {
    raise_arrow_error(file.where());
  }
  return file;
}

std::vector<LoadedColumn> columns_of(const arrow::Schema& schema) {
  std::vector<LoadedColumn> columns;
  for (const std::shared_ptr<arrow::Field>& field : schema.fields()) {
    columns.push_back({field->name(), type_of_arrow(*field->type()), field->type()->ToString()});
  }
  return columns;
}

}  // namespace

std::shared_ptr<Table> open_arrow(const std::string& path, const std::string& opener, MemoryPool& pool, int threads) {
  LoadedTableDescription description{path, opener, 0, 0, {}};
  std::vector<ArrowFile> files;
  for (const std::string& name : expand_paths(path)) {
    files.push_back(open_file(name, pool));
    const ArrowFile& file = files.back();
    description.version = append_version(description.version, file.file->identity());
    for (const std::int64_t rows : file.batch_rows) {
      if (rows < 0 || __builtin_add_overflow(description.rows, rows, &description.rows)) {
        throw Error(sqlstate::kDataCorrupted, file.where() + " is damaged: its number of rows is impossible");
      }
    }
    std::vector<LoadedColumn> columns = columns_of(*file.schema);
    if (files.size() == 1) description.columns = columns;
    const bool same = std::equal(columns.begin(), columns.end(), description.columns.begin(), description.columns.end(),
                                 [](const auto& a, const auto& b) { return a.name == b.name && a.type == b.type; });
    if (!same) {
      throw Error(sqlstate::kDatatypeMismatch,
                  fmt::format("files \"{}\" and \"{}\" differ in the names or types of their columns",
                              files.front().file->path(), file.file->path()),
                  0, "Files that are read together must have the same columns in the same order.");
    }
  }
  auto source = std::make_unique<ArrowSource>(std::move(files), description.columns, pool, threads);
  return make_loaded_table(std::move(description), std::move(source));
}

}  // namespace saccade
