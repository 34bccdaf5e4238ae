#include "engine/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "engine/arrow_batch.hpp"
#include "engine/query_error.hpp"
#include "engine/result_column.hpp"

namespace saccade {

namespace {

// What all results share: fields, tag, notices, and how far batches have been handed out.
class BatchedResult : public QueryResult {
 public:
  BatchedResult(std::vector<ResultField> fields, std::string command, std::vector<std::string> notices)
      : fields_(std::move(fields)), command_(std::move(command)), notices_(std::move(notices)) {}

  const std::vector<ResultField>& fields() const override { return fields_; }
  const std::string& command() const override { return command_; }
  const std::vector<std::string>& notices() const override { return notices_; }

  void arrow_schema(ArrowSchema* out) const override {
    std::vector<std::string> names;
    for (const ResultField& field : fields_) names.push_back(field.name);
    as_query_errors([&] { export_schema(names, types(), out); });
  }

  bool next_batch(ArrowArray* out, std::int64_t max_rows) override {
    const std::int64_t count = std::min(rows() - next_row_, std::max<std::int64_t>(max_rows, 1));
    if (count <= 0) return false;
    as_query_errors([&] { export_batch(next_row_, count, out); });
    next_row_ += count;
    return true;
  }

 protected:
  virtual std::vector<DataType> types() const = 0;
  virtual void export_batch(std::int64_t begin, std::int64_t rows, ArrowArray* out) const = 0;

 private:
  std::vector<ResultField> fields_;
  std::string command_;
  std::vector<std::string> notices_;
  std::int64_t next_row_ = 0;
};

class RowResult : public BatchedResult {
 public:
  RowResult(std::vector<ResultField> fields, std::vector<ResultLane> columns, std::int64_t rows, ResultOwner owner,
            const TimeZone& zone, std::vector<std::string> notices)
      : BatchedResult(std::move(fields), fmt::format("SELECT {}", rows), std::move(notices)),
        owner_(std::move(owner)),
        columns_(std::move(columns)),
        rows_(rows),
        zone_(zone) {}

  std::int64_t rows() const override { return rows_; }
  bool is_null(std::int64_t row, int column) const override { return at(row, column).is_null(row); }
  std::string text(std::int64_t row, int column) const override { return to_string(at(row, column).value(row), zone_); }
  SqlValue value(std::int64_t row, int column) const override { return to_sql_value(at(row, column).value(row)); }

 protected:
  std::vector<DataType> types() const override {
    std::vector<DataType> types;
    for (const ResultLane& column : columns_) types.push_back(column.type);
    return types;
  }
  void export_batch(std::int64_t begin, std::int64_t rows, ArrowArray* out) const override {
    export_rows(columns_, begin, rows, owner_.pool, owner_.owner, out);
  }

 private:
  const ResultLane& at(std::int64_t row, int column) const {
    if (row < 0 || row >= rows_) throw QueryError("22023", fmt::format("row {} is none of {}", row, rows_), 0, "");
    return columns_.at(static_cast<std::size_t>(column));
  }

  ResultOwner owner_;  // outlives columns_: declared first
  std::vector<ResultLane> columns_;
  std::int64_t rows_;
  const TimeZone& zone_;
};

class TextResult : public BatchedResult {
 public:
  TextResult(std::vector<ResultField> fields, std::vector<std::vector<std::string>> cells, std::string command,
             ResultOwner owner)
      : BatchedResult(std::move(fields), std::move(command), {}), owner_(std::move(owner)), cells_(std::move(cells)) {}

  std::int64_t rows() const override { return static_cast<std::int64_t>(cells_.size()); }
  bool is_null(std::int64_t, int) const override { return false; }
  std::string text(std::int64_t row, int column) const override {
    return cells_.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column));
  }
  SqlValue value(std::int64_t row, int column) const override { return text(row, column); }

 protected:
  std::vector<DataType> types() const override { return std::vector<DataType>(fields().size(), DataType{TypeKind::kText}); }
  void export_batch(std::int64_t begin, std::int64_t rows, ArrowArray* out) const override {
    export_texts(cells_, fields().size(), begin, rows, owner_.pool, owner_.owner, out);
  }

 private:
  ResultOwner owner_;
  std::vector<std::vector<std::string>> cells_;
};

class CommandResult : public BatchedResult {
 public:
  CommandResult(std::string command, std::vector<std::string> notices)
      : BatchedResult({}, std::move(command), std::move(notices)) {}

  std::int64_t rows() const override { return 0; }
  bool is_null(std::int64_t, int) const override { no_rows(); }
  std::string text(std::int64_t, int) const override { no_rows(); }
  SqlValue value(std::int64_t, int) const override { no_rows(); }

 protected:
  std::vector<DataType> types() const override { return {}; }
  void export_batch(std::int64_t, std::int64_t, ArrowArray*) const override { no_rows(); }

 private:
  [[noreturn]] static void no_rows() { throw QueryError("22023", "a command has no rows", 0, ""); }
};

}  // namespace

std::vector<DataType> result_types(const physical::Plan& plan) {
  std::vector<DataType> types;
  for (const physical::Slot& slot : physical::output_slots(plan, static_cast<int>(plan.pipelines.size()) - 1))
    types.push_back(slot.type.kind == TypeKind::kUnknown ? DataType{TypeKind::kText} : slot.type);
  return types;
}

std::vector<ResultLane> result_lanes(const physical::PlannedQuery& planned, RowSet rows) {
  const physical::Plan& plan = planned.plan;
  const std::vector<physical::Slot> slots = physical::output_slots(plan, static_cast<int>(plan.pipelines.size()) - 1);
  const std::vector<DataType> types = result_types(plan);
  std::vector<ResultLane> columns;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const int dictionary = slots[i].dictionary;
    columns.push_back({types[i], dictionary < 0 ? nullptr : planned.dictionaries.at(static_cast<std::size_t>(dictionary)),
                       std::move(rows.columns[i])});
  }
  return columns;
}

std::unique_ptr<QueryResult> make_row_result(const physical::PlannedQuery& planned, RowSet rows, ResultOwner owner,
                                             const TimeZone& zone, std::vector<std::string> notices) {
  const std::int64_t count = rows.rows;
  std::vector<ResultLane> columns = result_lanes(planned, std::move(rows));
  std::vector<ResultField> fields;
  for (std::size_t i = 0; i < columns.size(); ++i)
    fields.push_back({planned.plan.result_names.at(i), to_string(columns[i].type)});
  return std::make_unique<RowResult>(std::move(fields), std::move(columns), count, std::move(owner), zone, std::move(notices));
}

std::unique_ptr<QueryResult> make_text_result(const std::vector<std::string>& names,
                                              std::vector<std::vector<std::string>> cells, std::string command,
                                              ResultOwner owner) {
  std::vector<ResultField> fields;
  for (const std::string& name : names) fields.push_back({name, "text"});
  return std::make_unique<TextResult>(std::move(fields), std::move(cells), std::move(command), std::move(owner));
}

std::unique_ptr<QueryResult> make_text_result(const std::string& name, const std::vector<std::string>& lines,
                                              std::string command, ResultOwner owner) {
  std::vector<std::vector<std::string>> cells;
  for (const std::string& line : lines) cells.push_back({line});
  return make_text_result(std::vector<std::string>{name}, std::move(cells), std::move(command), std::move(owner));
}

std::unique_ptr<QueryResult> make_command_result(std::string command, std::vector<std::string> notices) {
  return std::make_unique<CommandResult>(std::move(command), std::move(notices));
}

}  // namespace saccade
