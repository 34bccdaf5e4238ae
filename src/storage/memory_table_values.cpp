// Rows given as values (INSERT ... VALUES) as rows of a table in memory.
#include <algorithm>

#include "common/error.hpp"
#include "function/scalar/interval.hpp"
#include "storage/memory_table.hpp"

namespace saccade {

namespace {

using ValueRows = std::vector<std::vector<Value>>;

std::shared_ptr<const Dictionary> dictionary_of(const ValueRows& rows, std::size_t column) {
  std::vector<std::string> strings;
  for (const std::vector<Value>& row : rows) {
    if (!row[column].is_null()) strings.push_back(std::get<std::string>(row[column].data));
  }
  return Dictionary::from_strings(std::move(strings));
}

int128 wide_integer(const Value& value) {
  const auto* interval = std::get_if<Interval>(&value.data);
  if (interval == nullptr) return std::get<int128>(value.data);
  FunctionError error = FunctionError::kNone;
  const int128 packed = pack_interval(interval->months, interval->days, interval->microseconds, error);
  if (error != FunctionError::kNone) throw Error(sqlstate::kDatetimeFieldOverflow, "interval out of range");
  return packed;
}

template <class T, class Read>
std::unique_ptr<Buffer> values_of(const ValueRows& rows, std::size_t column, std::size_t begin, std::size_t end,
                                  MemoryPool& pool, const Read& read) {
  std::unique_ptr<Buffer> buffer = Buffer::allocate(static_cast<std::int64_t>((end - begin) * sizeof(T)), pool);
  for (std::size_t row = begin; row < end; ++row) {
    const Value& value = rows[row][column];
    buffer->as<T>()[row - begin] = value.is_null() ? T{} : static_cast<T>(read(value));
  }
  return buffer;
}

LaneColumn lane_column(const ValueRows& rows, std::size_t column, std::size_t begin, std::size_t end, const DataType& type,
                       const Dictionary* dictionary, MemoryPool& pool) {
  LaneColumn result;
  result.lane = lane_of(type);
  switch (result.lane) {
    case Lane::kBoolean:
      result.values = values_of<std::uint8_t>(rows, column, begin, end, pool,
                                              [](const Value& value) { return std::get<bool>(value.data) ? 1 : 0; });
      break;
    case Lane::kFloat64:
      result.values =
          values_of<double>(rows, column, begin, end, pool, [](const Value& value) { return std::get<double>(value.data); });
      break;
    case Lane::kInt128:
      result.values = values_of<int128>(rows, column, begin, end, pool, wide_integer);
      break;
    case Lane::kInt64:
    case Lane::kText:
      result.lane = Lane::kInt64;
      result.values = values_of<std::int64_t>(rows, column, begin, end, pool, [&](const Value& value) -> std::int64_t {
        if (dictionary != nullptr) return dictionary->find(std::get<std::string>(value.data));
        return static_cast<std::int64_t>(std::get<int128>(value.data));
      });
      break;
  }
  const auto is_null = [&](const std::vector<Value>& row) { return row[column].is_null(); };
  if (std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(begin), rows.begin() + static_cast<std::ptrdiff_t>(end),
                  is_null)) {
    std::unique_ptr<Buffer> valid = Buffer::allocate(static_cast<std::int64_t>(end - begin), pool);
    for (std::size_t row = begin; row < end; ++row) valid->as<std::uint8_t>()[row - begin] = is_null(rows[row]) ? 0 : 1;
    result.valid = std::move(valid);
  }
  return result;
}

}  // namespace

std::shared_ptr<Table> append_values(const AppendRequest& request, const MemoryTableBuilder::Agree& agree, MemoryPool& pool) {
  const std::vector<ColumnInfo>& columns = request.base->columns();
  std::vector<std::string> names;
  std::vector<DataType> types;
  std::vector<std::shared_ptr<const Dictionary>> dictionaries;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    names.push_back(columns[column].name);
    types.push_back(columns[column].type);
    dictionaries.push_back(holds_strings(columns[column].type) ? dictionary_of(request.rows, column) : nullptr);
  }
  MemoryTableBuilder builder(request.base->name(), std::move(names), std::move(types), dictionaries, request.ranks, pool);
  builder.append_to(request.base);
  builder.set_serial(request.serial);
  const std::size_t rows = request.rows.size(), ranks = static_cast<std::size_t>(request.ranks);
  for (const int rank : request.local_ranks) {
    const std::size_t begin = rows * static_cast<std::size_t>(rank) / ranks;
    const std::size_t end = rows * static_cast<std::size_t>(rank + 1) / ranks;
    RowSet set;
    set.rows = static_cast<std::int64_t>(end - begin);
    for (std::size_t column = 0; column < columns.size(); ++column)
      set.columns.push_back(
          lane_column(request.rows, column, begin, end, columns[column].type, dictionaries[column].get(), pool));
    builder.add_rows(rank, set);
  }
  return builder.finish(agree, request.threads);
}

}  // namespace saccade
