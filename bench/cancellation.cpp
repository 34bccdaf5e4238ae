// How soon a cancelled query answers: each of TPC-H's queries is cancelled at random moments of its run.
//
//   cancellation FOLDER_OF_PARQUET [moments] [threads]
//
// Prints a table in Markdown: milliseconds from cancel() until execute() has returned, median and largest, over `moments` (100)
// uniform random moments of a query's usual time. Ends with 1 where one took longer than 100 ms, or where a query ended neither
// with its rows nor with SQLSTATE 57014.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "saccade/saccade.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLimit = 100;  // milliseconds
constexpr const char* kTables[] = {"region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem"};

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string read_query(int number) {
  std::ifstream file(fmt::format("{}/test/tpch/queries/q{:02}.sql", SACCADE_SOURCE_DIR, number));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

double usual_time(saccade::Session& session, const std::string& query) {
  session.execute(query);
  const auto start = Clock::now();
  session.execute(query);
  return milliseconds_since(start);
}

// Cancels after `delay` milliseconds; how long the query took to answer, 0 where it had ended before.
double cancel_after(saccade::Session& session, const std::string& query, double delay) {
  std::atomic<bool> ended = false;
  Clock::time_point cancelled;
  std::atomic<bool> was_running = false;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(delay));
    if (ended) return;
    cancelled = Clock::now();
    was_running = true;
    session.cancel();
  });
  bool stopped = false;
  try {
    session.execute(query);
  } catch (const saccade::QueryError& error) {
    if (error.sqlstate != "57014") throw;
    stopped = true;
  }
  const auto end = Clock::now();
  ended = true;
  canceller.join();
  if (!stopped || !was_running) return 0;
  return std::chrono::duration<double, std::milli>(end - cancelled).count();
}

int run(const std::string& folder, int moments, const std::string& threads) {
  const auto database = saccade::Database::open({{"threads", threads}});
  const auto session = database->connect();
  for (const char* table : kTables)
    session->execute(fmt::format("CREATE TABLE {0} AS SELECT * FROM '{1}/{0}.parquet'", table, folder));
  std::mt19937_64 random(1);
  double largest = 0;
  fmt::print("| query | usual ms | cancelled | median ms | largest ms |\n|---|---:|---:|---:|---:|\n");
  for (int number = 1; number <= 22; ++number) {
    const std::string query = read_query(number);
    const double usual = usual_time(*session, query);
    std::uniform_real_distribution<double> moment(0, usual);
    std::vector<double> times;
    for (int i = 0; i < moments; ++i) {
      const double time = cancel_after(*session, query, moment(random));
      if (time > 0) times.push_back(time);
    }
    std::sort(times.begin(), times.end());
    const double median = times.empty() ? 0 : times[times.size() / 2], worst = times.empty() ? 0 : times.back();
    fmt::print("| Q{} | {:.1f} | {} of {} | {:.2f} | {:.2f} |\n", number, usual, times.size(), moments, median, worst);
    largest = std::max(largest, worst);
  }
  fmt::print("\nLargest: {:.2f} ms; the limit is {} ms.\n", largest, kLimit);
  return largest <= kLimit ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: cancellation FOLDER_OF_PARQUET [moments] [threads]\n");
    return 2;
  }
  try {
    return run(arguments[1], count > 2 ? std::stoi(arguments[2]) : 100, count > 3 ? arguments[3] : "2");
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
