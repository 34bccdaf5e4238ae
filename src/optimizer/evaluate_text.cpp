// Functions over text with constant arguments.
#include <cstring>
#include <string>
#include <utility>

#include "common/error.hpp"
#include "function/text/call.hpp"
#include "optimizer/evaluate.hpp"

namespace saccade {
namespace {

// One value of any lane.
struct Cell {
  alignas(16) std::byte bytes[16] = {};

  template <class T>
  void set(T value) {
    std::memcpy(bytes, &value, sizeof(value));
  }
  template <class T>
  T get() const {
    T value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
  }
};

Cell cell_of(const Value& value, TextScratch& scratch) {
  Cell cell;
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    cell.set(write_text(scratch.room(static_cast<std::int64_t>(text->size())), *text));
  } else if (const auto* real = std::get_if<double>(&value.data)) {
    cell.set(*real);
  } else if (const auto* boolean = std::get_if<bool>(&value.data)) {
    cell.set(*boolean);
  } else if (const auto* interval = std::get_if<Interval>(&value.data)) {
    cell.set(pack_interval(*interval));
  } else {
    cell.set(std::get<int128>(value.data));  // little-endian: also as int64
  }
  return cell;
}

Value value_of(const Cell& cell, Lane lane, const DataType& type) {
  switch (lane) {
    case Lane::kBoolean:
      return {type, cell.get<std::uint8_t>() != 0};
    case Lane::kFloat64:
      return {type, cell.get<double>()};
    case Lane::kInt128:
      if (type.kind == TypeKind::kInterval) return {type, unpack_interval(cell.get<int128>())};
      return {type, cell.get<int128>()};
    case Lane::kText:
      return {type, std::string(cell.get<TextValue>().view())};
    case Lane::kInt64:
      break;
  }
  return {type, int128{cell.get<std::int64_t>()}};
}

}  // namespace

std::optional<Value> evaluate_text_function(const Expression& expression) {
  const TextFunctionId id = find_text_function(expression.name);
  const TextFunction& function = text_function(id);
  HeapTextScratch scratch;
  std::vector<Cell> cells;
  std::vector<std::uint8_t> present;
  for (const Expression& argument : expression.arguments) {
    present.push_back(argument.literal.is_null() ? 0 : 1);
    cells.push_back(present.back() != 0 ? cell_of(argument.literal, scratch) : Cell());
  }
  std::vector<TextOperand> operands;
  for (std::size_t i = 0; i < cells.size(); ++i) operands.push_back({&cells[i], &present[i], true});
  Cell out;
  std::uint8_t valid = 1;
  TextCall call;
  call.operands = operands;
  call.rows = 1;
  call.out = &out;
  call.out_valid = &valid;
  call.scratch = &scratch;
  try {
    text_implementation(id).run(call);
  } catch (const Error&) {
    return std::nullopt;
  }
  return valid != 0 ? value_of(out, function.result, expression.type) : Value::null(expression.type);
}

}  // namespace saccade
