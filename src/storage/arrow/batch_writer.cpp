#include "storage/arrow/batch_writer.hpp"

#include <arrow/api.h>
#include <arrow/ipc/writer.h>
#include <arrow/util/compression.h>
#include <fmt/format.h>
#include <parquet/arrow/writer.h>

#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "storage/arrow/arrow_rows.hpp"
#include "storage/arrow/file_sink.hpp"

namespace saccade {
namespace {

arrow::Compression::type codec_of(FileCompression compression, FileFormat format) {
  switch (compression) {
    case FileCompression::kNone:
      return arrow::Compression::UNCOMPRESSED;
    case FileCompression::kSnappy:
      return arrow::Compression::SNAPPY;
    case FileCompression::kZstd:
      return arrow::Compression::ZSTD;
    case FileCompression::kLz4:
      return format == FileFormat::kArrow ? arrow::Compression::LZ4_FRAME : arrow::Compression::LZ4;
    case FileCompression::kGzip:
      return arrow::Compression::GZIP;
  }
  raise_internal("a known compression", __FILE__, __LINE__);
}

// What takes the batches.
class BatchSink {
 public:
  virtual ~BatchSink() = default;
  virtual arrow::Status write(const arrow::RecordBatch& batch) = 0;
  virtual arrow::Status close() = 0;
};

// Errors: 0A000 an interval, which Parquet keeps in milliseconds.
void check_parquet_types(std::span<const WriteColumn> columns) {
  for (const WriteColumn& column : columns) {
    if (column.type.kind != TypeKind::kInterval) continue;
    throw Error(sqlstate::kFeatureNotSupported,
                fmt::format("column \"{}\" is an interval, which Parquet files can't hold", column.name), 0,
                "Cast it to text, or write an Arrow file.");
  }
}

class ParquetSink final : public BatchSink {
 public:
  ParquetSink(const arrow::Schema& schema, const WriteOptions& options, FileSink& file, CountedArrowPool& pool) {
    parquet::WriterProperties::Builder properties;
    properties.memory_pool(&pool)
        ->compression(codec_of(options.compression, options.format))
        ->enable_store_decimal_as_integer()
        ->enable_write_page_index()
        ->max_row_group_length(options.row_group_rows);
    // The stream is the owner's; Arrow wants a shared pointer.
    const std::shared_ptr<FileSink> stream(&file, [](FileSink*) {});
    auto opened = parquet::arrow::FileWriter::Open(schema, &pool, stream, properties.build());
    file.check(opened.status());
    writer_ = std::move(opened).ValueUnsafe();
  }

  arrow::Status write(const arrow::RecordBatch& batch) override {
    // Column by column, since a text column may be a dictionary array in one row group and a plain one in the next.
    ARROW_RETURN_NOT_OK(writer_->NewRowGroup());
    for (const std::shared_ptr<arrow::Array>& column : batch.columns()) ARROW_RETURN_NOT_OK(writer_->WriteColumnChunk(*column));
    return arrow::Status::OK();
  }
  arrow::Status close() override { return writer_->Close(); }

 private:
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

class IpcSink final : public BatchSink {
 public:
  IpcSink(const std::shared_ptr<arrow::Schema>& schema, const WriteOptions& options, FileSink& file, CountedArrowPool& pool) {
    arrow::ipc::IpcWriteOptions properties;
    properties.memory_pool = &pool;
    properties.use_threads = false;
    auto codec = arrow::util::Codec::Create(codec_of(options.compression, options.format));
    file.check(codec.status());
    properties.codec = std::move(codec).ValueUnsafe();
    auto opened = arrow::ipc::MakeFileWriter(&file, schema, properties);
    file.check(opened.status());
    writer_ = std::move(opened).ValueUnsafe();
  }

  arrow::Status write(const arrow::RecordBatch& batch) override { return writer_->WriteRecordBatch(batch); }
  arrow::Status close() override { return writer_->Close(); }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

// Gathers rows until a batch is full.
class BatchWriter final : public FileWriter {
 public:
  BatchWriter(const std::string& path, std::vector<WriteColumn> columns, const WriteOptions& options, MemoryPool& pool)
      : columns_(std::move(columns)),
        options_(options),
        pool_(pool),
        arrow_pool_(pool),
        schema_(make_arrow_schema(columns_)),
        file_(path) {
    if (options.format == FileFormat::kParquet) {
      check_parquet_types(columns_);
      sink_ = std::make_unique<ParquetSink>(*schema_, options, file_, arrow_pool_);
    } else {
      sink_ = std::make_unique<IpcSink>(schema_, options, file_, arrow_pool_);
    }
  }

  void write(const RowSet& rows) override {
    SACCADE_CHECK(rows.columns.size() == columns_.size());
    for (std::int64_t begin = 0; begin < rows.rows;) {
      const std::int64_t end = std::min(rows.rows, begin + options_.row_group_rows - pending_rows_);
      pending_.push_back({rows, begin, end});
      pending_rows_ += end - begin;
      begin = end;
      if (pending_rows_ == options_.row_group_rows) write_batch();
    }
  }

  void finish() override {
    if (pending_rows_ > 0) write_batch();
    file_.check(sink_->close());
    pool_.check();
    file_.commit();
  }

 private:
  void write_batch() {
    arrow::ArrayVector arrays;
    arrow::FieldVector fields;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      pool_.check();
      arrays.push_back(make_arrow_array(columns_[column], column, pending_, options_.format, arrow_pool_));
      fields.push_back(arrow::field(columns_[column].name, arrays.back()->type()));
    }
    const auto batch = arrow::RecordBatch::Make(arrow::schema(std::move(fields)), pending_rows_, std::move(arrays));
    file_.check(sink_->write(*batch));
    pending_.clear();
    pending_rows_ = 0;
  }

  std::vector<WriteColumn> columns_;
  WriteOptions options_;
  MemoryPool& pool_;
  CountedArrowPool arrow_pool_;
  std::shared_ptr<arrow::Schema> schema_;
  FileSink file_;
  std::unique_ptr<BatchSink> sink_;  // over file_
  std::vector<RowSlice> pending_;
  std::int64_t pending_rows_ = 0;
};

}  // namespace

std::unique_ptr<FileWriter> make_batch_writer(const std::string& path, std::vector<WriteColumn> columns,
                                              const WriteOptions& options, MemoryPool& pool) {
  return std::make_unique<BatchWriter>(path, std::move(columns), options, pool);
}

}  // namespace saccade
