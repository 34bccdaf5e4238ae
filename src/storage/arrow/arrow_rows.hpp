// Rows as Arrow arrays: what Parquet and Arrow IPC files are written from.
#pragma once

#include <arrow/type_fwd.h>

#include <memory>
#include <span>
#include <vector>

#include "storage/arrow/arrow_memory.hpp"
#include "storage/file_writer.hpp"

namespace saccade {

// Rows begin .. end - 1 of a set.
struct RowSlice {
  RowSet rows;
  std::int64_t begin = 0, end = 0;
};

// Raises what Arrow answered about writing: 53200, 58030.
void check_written(const arrow::Status& status);

// The columns as fields that may be null: large_utf8 for text, decimal128, date32, time64 and timestamps in microseconds,
// month_day_nano intervals, arrow.uuid.
// Errors: 42701 two columns of one name.
std::shared_ptr<arrow::Schema> make_arrow_schema(std::span<const WriteColumn> columns);

// One array of all slices' rows of a column. For Parquet, texts that repeat become a dictionary array over int32 and utf8 with
// the texts of these rows only. Errors: 53200, 22008 a date or interval that the file can't hold, or the time 24:00, which
// Parquet can hold and Arrow can't.
std::shared_ptr<arrow::Array> make_arrow_array(const WriteColumn& column, std::size_t number, std::span<const RowSlice> slices,
                                               FileFormat format, CountedArrowPool& pool);

}  // namespace saccade
