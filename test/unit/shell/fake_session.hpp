// A session that answers from a list made by the test, and notes what it was asked.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "saccade/saccade.hpp"

namespace saccade::shell {

class FakeResult : public QueryResult {
 public:
  using Cell = std::optional<std::string>;  // nothing: NULL
  FakeResult(std::vector<ResultField> fields, std::vector<std::vector<Cell>> cells, std::string command = "")
      : fields_(std::move(fields)), cells_(std::move(cells)), command_(std::move(command)) {}

  const std::vector<ResultField>& fields() const override { return fields_; }
  std::int64_t rows() const override { return static_cast<std::int64_t>(cells_.size()); }
  bool is_null(std::int64_t row, int column) const override { return !cell(row, column); }
  std::string text(std::int64_t row, int column) const override { return cell(row, column).value_or(""); }
  const std::string& command() const override { return command_; }
  const std::vector<std::string>& notices() const override { return notices_; }
  SqlValue value(std::int64_t row, int column) const override {
    return is_null(row, column) ? SqlValue() : SqlValue(text(row, column));
  }
  void arrow_schema(ArrowSchema*) const override { throw QueryError("0A000", "no Arrow of a fake", 0, ""); }
  bool next_batch(ArrowArray*, std::int64_t) override { throw QueryError("0A000", "no Arrow of a fake", 0, ""); }

  std::vector<std::string> notices_;

 private:
  const Cell& cell(std::int64_t row, int column) const {
    return cells_.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column));
  }
  std::vector<ResultField> fields_;
  std::vector<std::vector<Cell>> cells_;
  std::string command_;
};

class FakeSession : public Session {
 public:
  using Answer = std::function<std::unique_ptr<QueryResult>()>;

  void answer(const std::string& sql, Answer answer) { answers_[sql] = std::move(answer); }

  // Statements without an answer of their own give one row with their text.
  std::unique_ptr<QueryResult> execute(const std::string& sql) override {
    executed.push_back(sql);
    if (const auto found = answers_.find(sql); found != answers_.end()) return found->second();
    return std::make_unique<FakeResult>(std::vector<ResultField>{{"sql", "text"}},
                                        std::vector<std::vector<FakeResult::Cell>>{{sql}}, "SELECT 1");
  }
  std::unique_ptr<PreparedStatement> prepare(const std::string&) override {
    throw QueryError("0A000", "no prepared statements of a fake", 0, "");
  }
  void cancel() noexcept override { cancelled = true; }
  Progress progress() const noexcept override { return now; }

  Progress now;

  std::vector<std::string> executed;
  volatile bool cancelled = false;  // set by a signal handler

 private:
  std::map<std::string, Answer> answers_;
};

// A file in memory of the process that can be read back.
class Capture {
 public:
  Capture() : file_(std::tmpfile()) {}
  ~Capture() { std::fclose(file_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  std::FILE* file() { return file_; }
  std::string text() {
    std::fflush(file_);
    std::rewind(file_);
    std::string text;
    for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) text += static_cast<char>(c);
    return text;
  }

 private:
  std::FILE* file_;
};

}  // namespace saccade::shell
