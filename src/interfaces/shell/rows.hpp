// What the writers of results read: columns and cells of text by number, any cell at any time and more than once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "saccade/saccade.hpp"

namespace saccade::shell {

class Rows {
 public:
  virtual ~Rows() = default;
  virtual const std::vector<ResultField>& fields() const = 0;
  virtual std::int64_t count() const = 0;
  virtual bool is_null(std::int64_t row, int column) const = 0;
  virtual std::string text(std::int64_t row, int column) const = 0;  // "" for NULL
  int columns() const { return static_cast<int>(fields().size()); }
};

// Of a statement. The result outlives it.
class ResultRows final : public Rows {
 public:
  explicit ResultRows(const QueryResult& result) : result_(result) {}
  const std::vector<ResultField>& fields() const override { return result_.fields(); }
  std::int64_t count() const override { return result_.rows(); }
  bool is_null(std::int64_t row, int column) const override { return result_.is_null(row, column); }
  std::string text(std::int64_t row, int column) const override { return result_.text(row, column); }

 private:
  const QueryResult& result_;
};

// Of the shell itself, such as those of \d.
class TextRows final : public Rows {
 public:
  using Cell = std::optional<std::string>;  // nothing: NULL
  TextRows(std::vector<ResultField> fields, std::vector<std::vector<Cell>> cells)
      : fields_(std::move(fields)), cells_(std::move(cells)) {}
  const std::vector<ResultField>& fields() const override { return fields_; }
  std::int64_t count() const override { return static_cast<std::int64_t>(cells_.size()); }
  bool is_null(std::int64_t row, int column) const override { return !cell(row, column).has_value(); }
  std::string text(std::int64_t row, int column) const override { return cell(row, column).value_or(""); }

 private:
  const Cell& cell(std::int64_t row, int column) const {
    return cells_.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column));
  }
  std::vector<ResultField> fields_;
  std::vector<std::vector<Cell>> cells_;
};

// smallint, integer, bigint, numeric, real, double precision, by PostgreSQL's name of the type.
bool is_number_type(std::string_view type);

}  // namespace saccade::shell
