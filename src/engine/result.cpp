#include "engine/result.hpp"

#include <fmt/format.h>

#include <utility>

#include "common/error.hpp"
#include "data/text.hpp"
#include "data/value.hpp"

namespace saccade {

namespace {

struct TypedColumn {
  DataType type;
  std::shared_ptr<const Dictionary> dictionary;
};

Value value_of(const LaneColumn& column, const TypedColumn& typed, std::int64_t row) {
  switch (column.lane) {
    case Lane::kBoolean:
      return {typed.type, column.as<std::uint8_t>()[row] != 0};
    case Lane::kFloat64:
      return {typed.type, column.as<double>()[row]};
    case Lane::kInt128:
      return {typed.type, column.as<int128>()[row]};
    case Lane::kText:
      return {typed.type, std::string(column.as<TextValue>()[row].view())};
    case Lane::kInt64:
      break;
  }
  const std::int64_t value = column.as<std::int64_t>()[row];
  if (typed.type.kind != TypeKind::kText) return {typed.type, static_cast<int128>(value)};
  SACCADE_CHECK(typed.dictionary && value >= 0 && value < typed.dictionary->size());
  return {typed.type, std::string(typed.dictionary->at(value))};
}

class RowResult : public QueryResult {
 public:
  RowResult(std::vector<ResultField> fields, std::vector<TypedColumn> columns, RowSet rows, std::shared_ptr<void> owner)
      : owner_(std::move(owner)),
        fields_(std::move(fields)),
        columns_(std::move(columns)),
        rows_(std::move(rows)),
        command_(fmt::format("SELECT {}", rows_.rows)) {}

  const std::vector<ResultField>& fields() const override { return fields_; }
  std::int64_t rows() const override { return rows_.rows; }
  bool is_null(std::int64_t row, int column) const override {
    return !rows_.columns.at(static_cast<std::size_t>(column)).is_valid(row);
  }
  std::string text(std::int64_t row, int column) const override {
    if (is_null(row, column)) return {};
    const auto index = static_cast<std::size_t>(column);
    return to_string(value_of(rows_.columns[index], columns_[index], row));
  }
  const std::string& command() const override { return command_; }

 private:
  std::shared_ptr<void> owner_;  // outlives rows_: declared first
  std::vector<ResultField> fields_;
  std::vector<TypedColumn> columns_;
  RowSet rows_;
  std::string command_;
};

class TextResult : public QueryResult {
 public:
  TextResult(std::vector<ResultField> fields, std::vector<std::string> lines, std::string command)
      : fields_(std::move(fields)), lines_(std::move(lines)), command_(std::move(command)) {}

  const std::vector<ResultField>& fields() const override { return fields_; }
  std::int64_t rows() const override { return static_cast<std::int64_t>(lines_.size()); }
  bool is_null(std::int64_t, int) const override { return false; }
  std::string text(std::int64_t row, int) const override { return lines_.at(static_cast<std::size_t>(row)); }
  const std::string& command() const override { return command_; }

 private:
  std::vector<ResultField> fields_;
  std::vector<std::string> lines_;
  std::string command_;
};

}  // namespace

std::unique_ptr<QueryResult> make_row_result(const physical::PlannedQuery& planned, RowSet rows, std::shared_ptr<void> owner) {
  const physical::Plan& plan = planned.plan;
  const std::vector<physical::Slot> slots = physical::output_slots(plan, static_cast<int>(plan.pipelines.size()) - 1);
  std::vector<ResultField> fields;
  std::vector<TypedColumn> columns;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const DataType type = slots[i].type.kind == TypeKind::kUnknown ? DataType{TypeKind::kText} : slots[i].type;
    fields.push_back({plan.result_names.at(i), to_string(type)});
    const int dictionary = slots[i].dictionary;
    columns.push_back({type, dictionary < 0 ? nullptr : planned.dictionaries.at(static_cast<std::size_t>(dictionary))});
  }
  return std::make_unique<RowResult>(std::move(fields), std::move(columns), std::move(rows), std::move(owner));
}

std::unique_ptr<QueryResult> make_text_result(const std::string& field, std::vector<std::string> lines, std::string command) {
  return std::make_unique<TextResult>(std::vector<ResultField>{{field, "text"}}, std::move(lines), std::move(command));
}

std::unique_ptr<QueryResult> make_command_result(std::string command) {
  return std::make_unique<TextResult>(std::vector<ResultField>{}, std::vector<std::string>{}, std::move(command));
}

}  // namespace saccade
