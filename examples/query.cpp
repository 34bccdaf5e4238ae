// Saccade within a C++ program: statements, a prepared statement, typed values, Arrow batches, errors, and progress.
#include <chrono>
#include <iostream>
#include <saccade/saccade.hpp>
#include <thread>

namespace {

// Rows as PostgreSQL prints them.
void print(const saccade::QueryResult& result) {
  for (std::int64_t row = 0; row < result.rows(); ++row) {
    for (int column = 0; column < static_cast<int>(result.fields().size()); ++column) {
      std::cout << (column == 0 ? "" : " | ") << (result.is_null(row, column) ? "NULL" : result.text(row, column));
    }
    std::cout << "\n";
  }
}

void prepared_statement(saccade::Session& session) {
  const auto statement = session.prepare("SELECT city, population FROM cities WHERE population > $1 ORDER BY population");
  for (const std::int64_t least : {1'000'000, 9'000'000}) {
    const auto result = statement->execute({least});
    std::cout << "over " << least << " (" << statement->parameter_types()[0] << "): " << result->rows() << " rows\n";
    for (std::int64_t row = 0; row < result->rows(); ++row)
      std::cout << "  " << std::get<std::string>(result->value(row, 0)) << " " << std::get<std::int64_t>(result->value(row, 1))
                << "\n";
  }
}

// Any Arrow library imports the stream; here its batches are read by hand.
void arrow_stream(saccade::Session& session) {
  ArrowArrayStream stream;
  saccade::export_stream(session.execute("SELECT population FROM cities ORDER BY city"), &stream);
  ArrowSchema schema;
  if (stream.get_schema(&stream, &schema) != 0) throw std::runtime_error(stream.get_last_error(&stream));
  std::cout << "Arrow: " << schema.children[0]->name << " has the format " << schema.children[0]->format << "\n";
  schema.release(&schema);
  std::int64_t sum = 0;
  while (true) {
    ArrowArray batch;
    if (stream.get_next(&stream, &batch) != 0) throw std::runtime_error(stream.get_last_error(&stream));
    if (batch.release == nullptr) break;  // the end
    const auto* values = static_cast<const std::int32_t*>(batch.children[0]->buffers[1]);
    for (std::int64_t row = 0; row < batch.length; ++row) sum += values[row];
    batch.release(&batch);
  }
  stream.release(&stream);
  std::cout << "Arrow: the sum is " << sum << "\n";
}

// A statement may be watched, and cancelled, from another thread.
void watched(saccade::Session& session) {
  std::jthread watcher([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const saccade::Progress progress = session.progress();
      if (progress.seconds > 10) session.cancel();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  print(*session.execute("SELECT count(*), max(population) FROM cities"));
}

}  // namespace

int main() {
  try {
    const auto database = saccade::Database::open({{"threads", "2"}});
    const auto session = database->connect();
    session->execute("CREATE TABLE cities AS SELECT 'Vienna' AS city, 2005760 AS population");
    print(*session->execute("SELECT * FROM cities"));
    prepared_statement(*session);
    arrow_stream(*session);
    watched(*session);
    session->execute("SELECT 1 / 0");
  } catch (const saccade::QueryError& error) {
    std::cout << error.sqlstate << ": " << error.what() << "\n";
    return error.sqlstate == "22012" ? 0 : 1;
  }
  return 1;
}
