#include "storage/tpch/write_parquet.hpp"

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <parquet/arrow/writer.h>

#include <algorithm>
#include <exception>

#include "common/error.hpp"

namespace saccade::tpch {
namespace {

void check(const arrow::Status& status) {
  if (status.ok()) return;
  throw Error(status.IsOutOfMemory() ? sqlstate::kOutOfMemory : sqlstate::kIoError,
              "could not write the Parquet file: " + status.ToString());
}

// Hands bytes to the sink. Arrow knows no exceptions: the sink's is kept for the writer.
class SinkStream final : public arrow::io::OutputStream {
 public:
  explicit SinkStream(ParquetWriter::Sink sink) : sink_(std::move(sink)) {}

  arrow::Status Write(const void* data, std::int64_t bytes) override {
    try {
      if (error_ == nullptr) sink_({static_cast<const char*>(data), static_cast<std::size_t>(bytes)});
    } catch (...) {
      error_ = std::current_exception();
    }
    written_ += bytes;
    return error_ == nullptr ? arrow::Status::OK() : arrow::Status::IOError("not written");
  }
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  arrow::Result<std::int64_t> Tell() const override { return written_; }
  bool closed() const override { return closed_; }

  void check_written(const arrow::Status& status) const {
    if (error_ != nullptr) std::rethrow_exception(error_);
    check(status);
  }

 private:
  ParquetWriter::Sink sink_;
  std::exception_ptr error_;
  std::int64_t written_ = 0;
  bool closed_ = false;
};

std::shared_ptr<arrow::DataType> arrow_type(const ColumnSpec& spec, Content content) {
  switch (spec.type.kind) {
    case TypeKind::kBigint:
      return arrow::int64();
    case TypeKind::kInteger:
      return arrow::int32();
    case TypeKind::kDate:
      return arrow::date32();
    case TypeKind::kNumeric:
      return arrow::decimal128(spec.type.precision, spec.type.scale);
    default:
      return content == Content::kChoices ? arrow::dictionary(arrow::int32(), arrow::utf8()) : arrow::utf8();
  }
}

template <class Builder, class Append>
std::shared_ptr<arrow::Array> build(Builder& builder, std::int64_t rows, Append append) {
  check(builder.Reserve(rows));
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) append(row);
  std::shared_ptr<arrow::Array> array;
  check(builder.Finish(&array));
  return array;
}

std::shared_ptr<arrow::Array> string_array(std::int64_t rows, const std::function<std::string_view(std::size_t)>& at) {
  arrow::StringBuilder builder;
  return build(builder, rows, [&](std::size_t row) { check(builder.Append(at(row))); });
}

std::shared_ptr<arrow::Array> text_array(const GeneratedColumn& column) {
  if (column.content == Content::kTexts) return string_array(column.rows(), [&](std::size_t row) { return column.texts[row]; });
  if (column.content == Content::kNumbered) {
    char text[kNumberedRoom];
    return string_array(column.rows(), [&](std::size_t row) {
      return std::string_view(text, static_cast<std::size_t>(write_numbered(column.prefix, column.numbers[row], text) - text));
    });
  }
  arrow::Int32Builder builder;
  const auto codes = build(builder, column.rows(),
                           [&](std::size_t row) { builder.UnsafeAppend(static_cast<std::int32_t>(column.numbers[row])); });
  const auto words =
      string_array(static_cast<std::int64_t>(column.choices.size()), [&](std::size_t place) { return column.choices[place]; });
  return std::make_shared<arrow::DictionaryArray>(arrow::dictionary(arrow::int32(), arrow::utf8()), codes, words);
}

std::shared_ptr<arrow::Array> array_of(const ColumnSpec& spec, const GeneratedColumn& column) {
  const std::vector<std::int64_t>& numbers = column.numbers;
  if (column.content != Content::kNumbers) return text_array(column);
  if (spec.type.kind == TypeKind::kNumeric) {
    arrow::Decimal128Builder builder(arrow_type(spec, column.content));
    return build(builder, column.rows(), [&](std::size_t row) { builder.UnsafeAppend(arrow::Decimal128(numbers[row])); });
  }
  if (spec.type.kind == TypeKind::kBigint) {
    arrow::Int64Builder builder;
    return build(builder, column.rows(), [&](std::size_t row) { builder.UnsafeAppend(numbers[row]); });
  }
  const auto fill = [&](auto& builder) {
    return build(builder, column.rows(),
                 [&](std::size_t row) { builder.UnsafeAppend(static_cast<std::int32_t>(numbers[row])); });
  };
  if (spec.type.kind == TypeKind::kDate) {
    arrow::Date32Builder builder;
    return fill(builder);
  }
  arrow::Int32Builder builder;
  return fill(builder);
}

// Texts that hardly repeat gain nothing by a dictionary.
bool repeats(std::string_view name) {
  return !name.ends_with("_comment") && !name.ends_with("_address") && !name.ends_with("_phone") && !name.ends_with("_name");
}

std::shared_ptr<parquet::WriterProperties> properties(const TableSpec& spec) {
  parquet::WriterProperties::Builder builder;
  builder.compression(parquet::Compression::SNAPPY)->enable_store_decimal_as_integer();
  for (const ColumnSpec& column : spec.columns) {
    if (!repeats(column.name)) builder.disable_dictionary(std::string(column.name));
  }
  return builder.build();
}

}  // namespace

class ParquetWriter::RowGroup {
 public:
  std::shared_ptr<arrow::Table> table;
};

struct ParquetWriter::Implementation {
  TableId table;
  std::vector<int> columns;
  std::shared_ptr<SinkStream> stream;
  std::shared_ptr<arrow::Schema> schema;
  std::unique_ptr<parquet::arrow::FileWriter> writer;
};

ParquetWriter::ParquetWriter(TableId table, std::vector<int> columns, Sink sink)
    : implementation_(new Implementation{table, std::move(columns), std::make_shared<SinkStream>(std::move(sink)), {}, {}}) {
  // The contents of columns are told by any of the table's rows.
  const GeneratedRows sample = generate(table, Scale(1), 0, 1, implementation_->columns);
  arrow::FieldVector fields;
  for (std::size_t i = 0; i < implementation_->columns.size(); ++i) {
    const ColumnSpec& spec = table_spec(table).columns[static_cast<std::size_t>(implementation_->columns[i])];
    fields.push_back(arrow::field(std::string(spec.name), arrow_type(spec, sample.columns[i].content), false));
  }
  implementation_->schema = arrow::schema(std::move(fields));
  auto opened = parquet::arrow::FileWriter::Open(*implementation_->schema, arrow::default_memory_pool(),
                                                 implementation_->stream, properties(table_spec(table)));
  implementation_->stream->check_written(opened.status());
  implementation_->writer = std::move(opened).ValueUnsafe();
}

// A file that is given up stays without its end; Arrow's writer would add it.
ParquetWriter::~ParquetWriter() = default;

std::shared_ptr<const ParquetWriter::RowGroup> ParquetWriter::convert(const GeneratedRows& rows) const {
  arrow::ArrayVector arrays;
  for (std::size_t i = 0; i < implementation_->columns.size(); ++i) {
    const auto column = static_cast<std::size_t>(implementation_->columns[i]);
    arrays.push_back(array_of(table_spec(implementation_->table).columns[column], rows.columns[i]));
  }
  auto group = std::make_shared<RowGroup>();
  group->table = arrow::Table::Make(implementation_->schema, std::move(arrays), rows.rows);
  return group;
}

void ParquetWriter::write(const RowGroup& rows) {
  implementation_->stream->check_written(
      implementation_->writer->WriteTable(*rows.table, std::max<std::int64_t>(rows.table->num_rows(), 1)));
}

void ParquetWriter::finish() {
  implementation_->stream->check_written(implementation_->writer->Close());
}

}  // namespace saccade::tpch
