// Arrow's intervals of months and of days and milliseconds, which pyarrow does not write.
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <gtest/gtest.h>

#include "catalog/file_call.hpp"
#include "storage/file_opener.hpp"
#include "unit/storage/parquet_files.hpp"

namespace saccade {
namespace {

class ArrowSpansTest : public ParquetFiles {
 protected:
  // The column's type, and its rows.
  Rows read(const std::shared_ptr<arrow::Array>& array) {
    const std::string path = (folder_ / "t.arrow").string();
    const auto schema = arrow::schema({arrow::field("x", array->type())});
    const auto file = arrow::io::FileOutputStream::Open(path).ValueOrDie();
    const auto writer = arrow::ipc::MakeFileWriter(file, schema).ValueOrDie();
    EXPECT_TRUE(writer->WriteRecordBatch(*arrow::RecordBatch::Make(schema, array->length(), {array})).ok());
    EXPECT_TRUE(writer->Close().ok() && file->Close().ok());
    const std::shared_ptr<Table> table = opener_->open(FileCall{"read_arrow", {}}.text(), path);
    EXPECT_EQ(to_string(table->columns()[0].type), "interval");
    return read_rows(*table, pool_);
  }

  MemoryPool pool_{"pool", 0};
  std::unique_ptr<FileOpener> opener_ = make_file_opener(pool_, 1);
};

TEST_F(ArrowSpansTest, ReadsIntervalsOfMonths) {
  arrow::MonthIntervalBuilder builder;
  ASSERT_TRUE(builder.AppendValues({14, -1, 0}).ok() && builder.AppendNull().ok());
  EXPECT_EQ(read(builder.Finish().ValueOrDie()), (Rows{{"1 year 2 mons"}, {"-1 mons"}, {"00:00:00"}, {std::nullopt}}));
}

TEST_F(ArrowSpansTest, ReadsIntervalsOfDaysAndMilliseconds) {
  arrow::DayTimeIntervalBuilder builder;
  ASSERT_TRUE(builder.Append({3, -1500}).ok() && builder.AppendNull().ok() && builder.Append({-40, 3600000}).ok());
  EXPECT_EQ(read(builder.Finish().ValueOrDie()), (Rows{{"3 days -00:00:01.5"}, {std::nullopt}, {"-40 days +01:00:00"}}));
}

TEST_F(ArrowSpansTest, RefusesMoreMonthsThanAnIntervalHas) {
  arrow::MonthIntervalBuilder builder;
  ASSERT_TRUE(builder.Append(1 << 27).ok());
  const std::shared_ptr<arrow::Array> array = builder.Finish().ValueOrDie();
  try {
    read(array);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), sqlstate::kDatetimeFieldOverflow);
  }
}

}  // namespace
}  // namespace saccade
