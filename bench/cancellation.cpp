// How soon a cancelled query answers: each of TPC-H's queries is cancelled at random moments of its run.
//
//   cancellation memory|parquet FOLDER_OF_PARQUET [moments] [threads]
//
// Prints a table in Markdown: milliseconds from cancel() until execute() has returned, median, 99 % and largest, over `moments`
// (100) uniform random moments of a query's usual time. Moments at which the query had ended already are drawn again; a query
// that ends with its rows after it was cancelled counts like one that is stopped. Ends with 1 where one took longer than 100
// ms, or where a query ended neither with its rows nor with SQLSTATE 57014.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <mutex>
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

// Cancels after `delay` milliseconds; how long the query then took to answer, or -1 where it had ended before.
double cancel_after(saccade::Session& session, const std::string& query, double delay) {
  std::mutex mutex;
  bool ended = false;
  Clock::time_point cancelled = Clock::time_point::max();
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(delay));
    const std::lock_guard lock(mutex);
    if (ended) return;
    cancelled = Clock::now();
    session.cancel();
  });
  std::string problem;
  try {
    session.execute(query);
  } catch (const saccade::QueryError& error) {
    if (error.sqlstate != "57014") problem = error.sqlstate + " " + error.what();
  }
  const auto end = Clock::now();
  {
    const std::lock_guard lock(mutex);
    ended = true;
  }
  canceller.join();
  if (!problem.empty()) throw std::runtime_error(problem);
  return cancelled < end ? std::chrono::duration<double, std::milli>(end - cancelled).count() : -1;
}

// The times of `moments` cancellations, sorted.
std::vector<double> cancel_often(saccade::Session& session, const std::string& query, double usual, int moments,
                                 std::mt19937_64& random) {
  std::uniform_real_distribution<double> moment(0, usual);
  std::vector<double> times;
  for (int attempt = 0; static_cast<int>(times.size()) < moments; ++attempt) {
    if (attempt == 20 * moments) throw std::runtime_error("the query ends before it can be cancelled");
    const double time = cancel_after(session, query, moment(random));
    if (time >= 0) times.push_back(time);
  }
  std::sort(times.begin(), times.end());
  return times;
}

int run(const std::string& source, const std::string& folder, int moments, const std::string& threads) {
  const auto database = saccade::Database::open({{"threads", threads}});
  const auto session = database->connect();
  const char* const kind = source == "memory" ? "TABLE" : "VIEW";
  for (const char* table : kTables)
    session->execute(fmt::format("CREATE {0} {1} AS SELECT * FROM '{2}/{1}.parquet'", kind, table, folder));
  std::mt19937_64 random(1);
  double largest = 0;
  fmt::print("| query | usual ms | median ms | 99 % ms | largest ms |\n|---|---:|---:|---:|---:|\n");
  for (int number = 1; number <= 22; ++number) {
    const std::string query = read_query(number);
    const double usual = usual_time(*session, query);
    const std::vector<double> times = cancel_often(*session, query, usual, moments, random);
    const double high = times[times.size() - 1 - times.size() / 100];
    fmt::print("| Q{} | {:.1f} | {:.2f} | {:.2f} | {:.2f} |\n", number, usual, times[times.size() / 2], high, times.back());
    std::fflush(stdout);
    largest = std::max(largest, times.back());
  }
  fmt::print("\nLargest: {:.2f} ms; the limit is {} ms.\n", largest, kLimit);
  return largest <= kLimit ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string source = count > 1 ? arguments[1] : "";
  if (count < 3 || (source != "memory" && source != "parquet")) {
    fmt::print(stderr, "usage: cancellation memory|parquet FOLDER_OF_PARQUET [moments] [threads]\n");
    return 2;
  }
  try {
    return run(source, arguments[2], count > 3 ? std::stoi(arguments[3]) : 100, count > 4 ? arguments[4] : "2");
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
