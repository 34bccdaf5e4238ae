// Saccade's public C++ interface, first form: a database, a session, results as typed values.
//
// A Database may be shared by threads; a Session serves one thread at a time, but cancel() may be called from any thread and
// from a signal handler. Every failure is a saccade::QueryError.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace saccade {

class QueryError : public std::runtime_error {
 public:
  QueryError(std::string sqlstate, const std::string& message, int position, std::string hint)
      : std::runtime_error(message), sqlstate(std::move(sqlstate)), position(position), hint(std::move(hint)) {}
  std::string sqlstate;  // five characters, PostgreSQL's
  int position;          // 1-based, in characters of the statement; 0: none
  std::string hint;      // may be empty
};

struct ResultField {
  std::string name;
  std::string type;  // PostgreSQL's name of it
};

// A materialised result. Columns are read by number.
class QueryResult {
 public:
  virtual ~QueryResult() = default;
  virtual const std::vector<ResultField>& fields() const = 0;
  virtual std::int64_t rows() const = 0;
  virtual bool is_null(std::int64_t row, int column) const = 0;
  virtual std::string text(std::int64_t row, int column) const = 0;  // as PostgreSQL prints it; "" for NULL
  virtual const std::string& command() const = 0;                    // "SELECT 4", "CREATE TABLE AS", "SET"
  // EXPLAIN and EXPLAIN ANALYZE put their text out as rows of one column.
};

// Where this process stands among the ranks. size() > 1 under mpirun.
struct RankInfo {
  int rank = 0;
  int size = 1;
};

class Session {
 public:
  virtual ~Session() = default;
  // Runs one statement (a trailing semicolon is allowed). Errors: QueryError.
  virtual std::unique_ptr<QueryResult> execute(const std::string& sql) = 0;
  virtual void cancel() noexcept = 0;
};

class Database {
 public:
  // In memory. `options` are settings by name, as SET takes them, and "ranks" (in-process ranks, 1 by default; under mpirun
  // the job's size counts). Errors: QueryError.
  static std::unique_ptr<Database> open(const std::vector<std::pair<std::string, std::string>>& options = {});
  virtual ~Database() = default;
  virtual RankInfo rank_info() const = 0;
  virtual std::unique_ptr<Session> connect() = 0;
  // On ranks other than 0 of an mpirun job: serves rank 0's statements until it ends. Returns the exit code.
  virtual int serve() = 0;
};

}  // namespace saccade
