#include "storage/lane_value.hpp"

#include "common/error.hpp"
#include "data/text.hpp"

namespace saccade {

int128 integer_at(const LaneColumn& column, std::int64_t row) {
  if (column.lane == Lane::kBoolean) return column.as<std::uint8_t>()[row];
  return column.lane == Lane::kInt128 ? column.as<int128>()[row] : int128{column.as<std::int64_t>()[row]};
}

std::string_view text_at(const LaneColumn& column, const Dictionary* dictionary, std::int64_t row) {
  if (column.lane == Lane::kText) return column.as<TextValue>()[row].view();
  const std::int64_t code = column.as<std::int64_t>()[row];
  SACCADE_CHECK(dictionary != nullptr && code >= 0 && code < dictionary->size());
  return dictionary->at(code);
}

Value value_at(const LaneColumn& column, const DataType& type, const Dictionary* dictionary, std::int64_t row) {
  if (!column.is_valid(row)) return Value::null(type);
  if (type.kind == TypeKind::kBoolean) return {type, integer_at(column, row) != 0};
  if (type.is_float()) return {type, column.as<double>()[row]};
  if (type.is_text() || type.kind == TypeKind::kBytea || type.kind == TypeKind::kUnknown) {
    return {type, std::string(text_at(column, dictionary, row))};
  }
  if (type.kind == TypeKind::kInterval) return {type, unpack_interval(integer_at(column, row))};
  return {type, integer_at(column, row)};
}

}  // namespace saccade
