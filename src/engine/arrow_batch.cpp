#include "engine/arrow_batch.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "common/error.hpp"

namespace saccade {

namespace {

// Keeps the buffers of one exported array, and the pointers that Arrow wants to them.
struct ColumnMemory {
  std::shared_ptr<void> owner;  // outlives the buffers: declared first
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<const void*> pointers;
};

void release_column(ArrowArray* array) {
  delete static_cast<ColumnMemory*>(array->private_data);
  array->release = nullptr;
}

// An importer may take children away and release them on its own.
struct StructMemory {
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  const void* no_validity = nullptr;
};

void release_struct(ArrowArray* array) {
  auto* memory = static_cast<StructMemory*>(array->private_data);
  for (ArrowArray& child : memory->children) {
    if (child.release != nullptr) child.release(&child);
  }
  delete memory;
  array->release = nullptr;
}

struct SchemaMemory {
  std::string format, name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};

void release_schema(ArrowSchema* schema) {
  auto* memory = static_cast<SchemaMemory*>(schema->private_data);
  for (ArrowSchema& child : memory->children) {
    if (child.release != nullptr) child.release(&child);
  }
  delete memory;
  schema->release = nullptr;
}

void fill_schema(ArrowSchema* out, std::string format, std::string name, std::int64_t flags, std::size_t children) {
  auto memory = std::make_unique<SchemaMemory>();
  memory->format = std::move(format);
  memory->name = std::move(name);
  memory->children.resize(children);
  for (ArrowSchema& child : memory->children) memory->pointers.push_back(&child);
  *out = {memory->format.c_str(),
          memory->name.c_str(),
          nullptr,
          flags,
          static_cast<std::int64_t>(children),
          memory->pointers.data(),
          nullptr,
          release_schema,
          memory.get()};
  memory.release();
}

std::string arrow_format(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return "b";
    case TypeKind::kSmallint:
      return "s";
    case TypeKind::kInteger:
      return "i";
    case TypeKind::kBigint:
      return "l";
    case TypeKind::kReal:
      return "f";
    case TypeKind::kDouble:
      return "g";
    case TypeKind::kNumeric:
      return fmt::format("d:{},{}", type.precision, type.scale);
    case TypeKind::kDate:
      return "tdD";
    case TypeKind::kTime:
      return "ttu";
    case TypeKind::kTimestamp:
      return "tsu:";
    case TypeKind::kTimestamptz:
      return "tsu:UTC";
    case TypeKind::kUuid:
      return "w:16";
    case TypeKind::kBytea:
      return "Z";
    case TypeKind::kInterval:
      return "tin";
    case TypeKind::kUnknown:
    case TypeKind::kText:
    case TypeKind::kVarchar:
    case TypeKind::kChar:
      return "U";
  }
  raise_internal("a known type", __FILE__, __LINE__);
}

// Arrow's month_day_nano_interval.
struct MonthDayNano {
  std::int32_t months = 0, days = 0;
  std::int64_t nanoseconds = 0;
};

// The rows of one column that are being exported.
struct Range {
  const ResultLane& column;
  std::int64_t begin, rows;
};

std::unique_ptr<Buffer> validity_bitmap(const Range& range, MemoryPool& pool, std::int64_t& nulls) {
  nulls = 0;
  if (range.column.lane.valid == nullptr) return nullptr;
  std::unique_ptr<Buffer> bitmap = Buffer::allocate_zeroed((range.rows + 7) / 8, pool);
  for (std::int64_t row = 0; row < range.rows; ++row) {
    if (range.column.is_null(range.begin + row)) {
      ++nulls;
    } else {
      bitmap->as<std::uint8_t>()[row / 8] |= static_cast<std::uint8_t>(1U << (row % 8));
    }
  }
  return nulls == 0 ? nullptr : std::move(bitmap);
}

std::unique_ptr<Buffer> boolean_values(const Range& range, MemoryPool& pool) {
  std::unique_ptr<Buffer> bitmap = Buffer::allocate_zeroed((range.rows + 7) / 8, pool);
  const auto* values = range.column.lane.as<std::uint8_t>() + range.begin;
  for (std::int64_t row = 0; row < range.rows; ++row) {
    if (values[row] != 0) bitmap->as<std::uint8_t>()[row / 8] |= static_cast<std::uint8_t>(1U << (row % 8));
  }
  return bitmap;
}

// `read(row)` for rows that are not null, zero for the others.
template <class Out, class Read>
std::unique_ptr<Buffer> plain_values(const Range& range, MemoryPool& pool, const Read& read) {
  std::unique_ptr<Buffer> buffer = Buffer::allocate(range.rows * static_cast<std::int64_t>(sizeof(Out)), pool);
  Out* out = buffer->as<Out>();
  for (std::int64_t row = 0; row < range.rows; ++row) {
    out[row] = range.column.is_null(range.begin + row) ? Out{} : static_cast<Out>(read(range.begin + row));
  }
  return buffer;
}

// Offsets and bytes of `rows` strings; `text(row)` is "" for a null.
template <class Text>
void add_strings(ColumnMemory& memory, std::int64_t rows, MemoryPool& pool, const Text& text) {
  std::unique_ptr<Buffer> offsets = Buffer::allocate((rows + 1) * 8, pool);
  auto* offset = offsets->as<std::int64_t>();
  offset[0] = 0;
  for (std::int64_t row = 0; row < rows; ++row) offset[row + 1] = offset[row] + static_cast<std::int64_t>(text(row).size());
  std::unique_ptr<Buffer> bytes = Buffer::allocate(offset[rows], pool);
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::string_view view = text(row);
    if (!view.empty()) std::memcpy(bytes->data() + offset[row], view.data(), view.size());
  }
  memory.buffers.push_back(std::move(offsets));
  memory.buffers.push_back(std::move(bytes));
}

void add_values(ColumnMemory& memory, const Range& range, MemoryPool& pool) {
  const auto real = [&](std::int64_t row) { return range.column.lane.as<double>()[row]; };
  const auto integer = [&](std::int64_t row) { return range.column.integer(row); };
  switch (range.column.type.kind) {
    case TypeKind::kBoolean:
      memory.buffers.push_back(boolean_values(range, pool));
      return;
    case TypeKind::kSmallint:
      memory.buffers.push_back(plain_values<std::int16_t>(range, pool, integer));
      return;
    case TypeKind::kInteger:
    case TypeKind::kDate:
      memory.buffers.push_back(plain_values<std::int32_t>(range, pool, integer));
      return;
    case TypeKind::kBigint:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestamptz:
      memory.buffers.push_back(plain_values<std::int64_t>(range, pool, integer));
      return;
    case TypeKind::kNumeric:
      memory.buffers.push_back(plain_values<int128>(range, pool, integer));
      return;
    case TypeKind::kReal:
      memory.buffers.push_back(plain_values<float>(range, pool, real));
      return;
    case TypeKind::kDouble:
      memory.buffers.push_back(plain_values<double>(range, pool, real));
      return;
    case TypeKind::kInterval:
      memory.buffers.push_back(plain_values<MonthDayNano>(range, pool, [&](std::int64_t row) {
        const auto span = std::get<TimeSpan>(to_sql_value(range.column.value(row)));
        std::int64_t nanoseconds = 0;
        if (__builtin_mul_overflow(span.microseconds, 1000, &nanoseconds))
          throw Error(sqlstate::kDatetimeFieldOverflow, "an interval of the result is too long for Arrow");
        return MonthDayNano{span.months, span.days, nanoseconds};
      }));
      return;
    case TypeKind::kUuid:
      memory.buffers.push_back(plain_values<Uuid>(
          range, pool, [&](std::int64_t row) { return std::get<Uuid>(to_sql_value(range.column.value(row))); }));
      return;
    case TypeKind::kChar: {
      std::vector<std::string> padded;
      for (std::int64_t row = 0; row < range.rows; ++row) padded.push_back(to_string(range.column.value(range.begin + row)));
      add_strings(memory, range.rows, pool,
                  [&](std::int64_t row) -> std::string_view { return padded[static_cast<std::size_t>(row)]; });
      return;
    }
    case TypeKind::kUnknown:
    case TypeKind::kText:
    case TypeKind::kVarchar:
    case TypeKind::kBytea:
      add_strings(memory, range.rows, pool, [&](std::int64_t row) {
        return range.column.is_null(range.begin + row) ? std::string_view{} : range.column.text(range.begin + row);
      });
      return;
  }
}

// Takes `memory`, whose first buffer is the validity (null: no nulls).
void fill_column(ArrowArray* out, std::unique_ptr<ColumnMemory> memory, std::int64_t rows, std::int64_t nulls) {
  for (const std::unique_ptr<Buffer>& buffer : memory->buffers) memory->pointers.push_back(buffer ? buffer->data() : nullptr);
  *out = {rows,
          nulls,
          0,
          static_cast<std::int64_t>(memory->pointers.size()),
          0,
          memory->pointers.data(),
          nullptr,
          nullptr,
          release_column,
          memory.get()};
  memory.release();
}

// A struct array whose children `fill` fills in one by one; those done are released where it fails.
template <class Fill>
void export_struct(std::size_t columns, std::int64_t rows, ArrowArray* out, const Fill& fill) {
  auto memory = std::make_unique<StructMemory>();
  memory->children.resize(columns);
  ArrowArray array{};
  for (ArrowArray& child : memory->children) memory->pointers.push_back(&child);
  array = {rows,
           0,
           0,
           1,
           static_cast<std::int64_t>(columns),
           &memory->no_validity,
           memory->pointers.data(),
           nullptr,
           release_struct,
           memory.get()};
  StructMemory& children = *memory.release();
  try {
    for (std::size_t i = 0; i < columns; ++i) fill(i, &children.children[i]);
  } catch (...) {
    array.release(&array);
    throw;
  }
  *out = array;
}

}  // namespace

void export_schema(const std::vector<std::string>& names, const std::vector<DataType>& types, ArrowSchema* out) {
  fill_schema(out, "+s", "", 0, names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    fill_schema(out->children[i], arrow_format(types[i]), names[i], ARROW_FLAG_NULLABLE, 0);
}

void export_rows(const std::vector<ResultLane>& columns, std::int64_t begin, std::int64_t rows, MemoryPool& pool,
                 const std::shared_ptr<void>& owner, ArrowArray* out) {
  export_struct(columns.size(), rows, out, [&](std::size_t column, ArrowArray* child) {
    const Range range{columns[column], begin, rows};
    auto memory = std::make_unique<ColumnMemory>();
    memory->owner = owner;
    std::int64_t nulls = 0;
    memory->buffers.push_back(validity_bitmap(range, pool, nulls));
    add_values(*memory, range, pool);
    fill_column(child, std::move(memory), rows, nulls);
  });
}

void export_texts(const std::vector<std::vector<std::string>>& cells, std::size_t columns, std::int64_t begin,
                  std::int64_t rows, MemoryPool& pool, const std::shared_ptr<void>& owner, ArrowArray* out) {
  export_struct(columns, rows, out, [&](std::size_t column, ArrowArray* child) {
    auto memory = std::make_unique<ColumnMemory>();
    memory->owner = owner;
    memory->buffers.push_back(nullptr);
    add_strings(*memory, rows, pool,
                [&](std::int64_t row) -> std::string_view { return cells[static_cast<std::size_t>(begin + row)][column]; });
    fill_column(child, std::move(memory), rows, 0);
  });
}

}  // namespace saccade
