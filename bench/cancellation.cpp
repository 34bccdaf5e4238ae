// How soon a cancelled query answers: each of TPC-H's queries is cancelled at random moments of its run.
//
//   cancellation memory|parquet FOLDER_OF_PARQUET [moments] [threads]
//
// Prints a table in Markdown: milliseconds from cancel() until execute() has returned, median, 99 % and largest, over `moments`
// (100) uniform random moments of a query's usual time. Moments at which the query had ended already are drawn again; a query
// that ends with its rows after it was cancelled counts like one that is stopped. Work is the most processor time that all
// threads together spent between cancel() and the return: it tells long phases from waiting for a core. Ends with 1 where one
// took longer than 100 ms, or where a query ended neither with its rows nor with SQLSTATE 57014.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
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

double work_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

struct Answer {
  double time = -1;  // milliseconds from cancel() to the return; -1: it had ended before
  double work = 0;   // of all threads in between
};

// Cancels after `delay` milliseconds.
Answer cancel_after(saccade::Session& session, const std::string& query, double delay) {
  std::mutex mutex;
  bool ended = false;
  Clock::time_point cancelled = Clock::time_point::max();
  double work = 0;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(delay));
    const std::lock_guard lock(mutex);
    if (ended) return;
    cancelled = Clock::now();
    work = work_milliseconds();
    session.cancel();
  });
  std::string problem;
  try {
    session.execute(query);
  } catch (const saccade::QueryError& error) {
    if (error.sqlstate != "57014") problem = error.sqlstate + " " + error.what();
  }
  const auto end = Clock::now();
  const double work_at_end = work_milliseconds();
  {
    const std::lock_guard lock(mutex);
    ended = true;
  }
  canceller.join();
  if (!problem.empty()) throw std::runtime_error(problem);
  if (cancelled >= end) return {};
  return {std::chrono::duration<double, std::milli>(end - cancelled).count(), work_at_end - work};
}

struct Answers {
  std::vector<double> times;  // sorted
  double largest_work = 0;
};

Answers cancel_often(saccade::Session& session, const std::string& query, double usual, int moments, std::mt19937_64& random) {
  std::uniform_real_distribution<double> moment(0, usual);
  Answers answers;
  for (int attempt = 0; static_cast<int>(answers.times.size()) < moments; ++attempt) {
    if (attempt == 20 * moments) throw std::runtime_error("the query ends before it can be cancelled");
    const Answer answer = cancel_after(session, query, moment(random));
    if (answer.time < 0) continue;
    answers.times.push_back(answer.time);
    answers.largest_work = std::max(answers.largest_work, answer.work);
  }
  std::sort(answers.times.begin(), answers.times.end());
  return answers;
}

int run(const std::string& source, const std::string& folder, int moments, const std::string& threads) {
  const auto database = saccade::Database::open({{"threads", threads}});
  const auto session = database->connect();
  const char* const kind = source == "memory" ? "TABLE" : "VIEW";
  for (const char* table : kTables)
    session->execute(fmt::format("CREATE {0} {1} AS SELECT * FROM '{2}/{1}.parquet'", kind, table, folder));
  std::mt19937_64 random(1);
  double largest = 0;
  fmt::print("| query | usual ms | median ms | 99 % ms | largest ms | work ms |\n|---|---:|---:|---:|---:|---:|\n");
  for (int number = 1; number <= 22; ++number) {
    const std::string query = read_query(number);
    const double usual = usual_time(*session, query);
    const auto [times, work] = cancel_often(*session, query, usual, moments, random);
    const double high = times[times.size() - 1 - times.size() / 100];
    fmt::print("| Q{} | {:.1f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", number, usual, times[times.size() / 2], high,
               times.back(), work);
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
