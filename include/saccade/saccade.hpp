// Saccade's public C++ interface: a database, sessions, prepared statements, and results as typed values, as text and as Arrow
// record batches. examples/ shows it in use.
//
// A Database may be shared by threads. A Session, its prepared statements and a result serve one thread at a time each, but
// Session::cancel() may be called from any thread and from a signal handler, and Session::progress() from any thread.
// Results and prepared statements may outlive their session and the database object. Every failure is a QueryError.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "saccade/arrow_abi.hpp"
#include "saccade/sql_value.hpp"

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

// The rows of one statement. EXPLAIN and SHOW put their text out as rows of one column.
class QueryResult {
 public:
  static constexpr std::int64_t kBatchRows = 65'536;

  virtual ~QueryResult() = default;
  virtual const std::vector<ResultField>& fields() const = 0;  // none: a command that returns no rows
  virtual const std::string& command() const = 0;              // "SELECT 4", "INSERT 0 3", "CREATE TABLE", "SET"
  // What the statement has to say besides its result: "table \"t\" does not exist, skipping".
  virtual const std::vector<std::string>& notices() const = 0;

  // Cells by row and column number.
  virtual std::int64_t rows() const = 0;
  virtual bool is_null(std::int64_t row, int column) const = 0;
  virtual std::string text(std::int64_t row, int column) const = 0;  // as PostgreSQL prints it; "" for NULL
  virtual SqlValue value(std::int64_t row, int column) const = 0;

  // The rows as Arrow record batches (struct arrays), one after another; independent of the accesses by cell. `out` is filled
  // in and owned by the caller, who calls its release; it may outlive the result.
  // Types: boolean; int16, int32, int64; float, double; decimal128; date32; time64 and timestamp in microseconds, timestamptz
  // with the zone UTC; month_day_nano_interval; large_utf8; large_binary; fixed_size_binary(16) for uuid.
  virtual void arrow_schema(ArrowSchema* out) const = 0;
  // The next at most `max_rows` rows; false (and `out` untouched) where none are left. Errors: 53200.
  virtual bool next_batch(ArrowArray* out, std::int64_t max_rows = kBatchRows) = 0;
};

// Hands a result over as a stream of record batches: `out` owns it then, and its caller calls release.
void export_stream(std::unique_ptr<QueryResult> result, ArrowArrayStream* out);

// A statement with parameters $1, $2 ..., which stand where values may stand. Their types follow from where they stand.
class PreparedStatement {
 public:
  virtual ~PreparedStatement() = default;
  virtual const std::vector<std::string>& parameter_types() const = 0;  // PostgreSQL's names, $1 first
  // Of the result; a numeric's precision may depend on the parameters. None for commands without rows.
  virtual const std::vector<ResultField>& fields() const = 0;
  // Runs it with one value for each parameter. An integer may stand for a numeric or a double, a decimal for a double, and a
  // string for a value of any type in its text form. May be called any number of times. Errors: 08P01 another number of values
  // than parameters, 42804 a value of another type, 22003, 22P02, 22007, and those of Session::execute.
  virtual std::unique_ptr<QueryResult> execute(const std::vector<SqlValue>& parameters = {}) = 0;
};

// How far the running statement is.
struct Progress {
  bool running = false;
  double seconds = 0;        // since its start
  double fraction = -1;      // 0 .. 1, never falling within a statement; -1: not known
  double seconds_left = -1;  // estimated; -1: not known
  std::int64_t rows = 0;     // read so far from tables and intermediate results
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
  // Errors: those of the statement's text, 42P18 where a parameter's type does not follow from where it stands.
  virtual std::unique_ptr<PreparedStatement> prepare(const std::string& sql) = 0;
  // Ends the running statement with 57014; without effect where none runs.
  virtual void cancel() noexcept = 0;
  virtual Progress progress() const noexcept = 0;
};

class Database {
 public:
  // In memory. `options` are settings by name, as SET takes them, and "ranks" (in-process ranks, 1 by default; under mpirun
  // the job's size counts). Settings that are not given come from the environment (SACCADE_THREADS ...). Errors: QueryError.
  static std::unique_ptr<Database> open(const std::vector<std::pair<std::string, std::string>>& options = {});
  virtual ~Database() = default;
  virtual RankInfo rank_info() const = 0;
  virtual std::unique_ptr<Session> connect() = 0;
  // On ranks other than 0 of an mpirun job: serves rank 0's statements until it ends. Returns the exit code.
  virtual int serve() = 0;
};

}  // namespace saccade
