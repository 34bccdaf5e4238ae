// Sessions among threads: cancellation, progress, several sessions of one database, results that outlive them, limits of
// memory.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <saccade/saccade.hpp>
#include <string>
#include <thread>

namespace saccade {
namespace {

std::string state_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const QueryError& error) {
    return error.sqlstate;
  }
  return "00000";
}

class SessionTest : public testing::Test {
 protected:
  std::string one(Session& session, const std::string& sql) { return session.execute(sql)->text(0, 0); }

  std::unique_ptr<Database> database = Database::open({{"threads", "2"}});
  std::unique_ptr<Session> session = database->connect();
};

TEST_F(SessionTest, SessionsShareTablesButNotSettings) {
  const std::unique_ptr<Session> other = database->connect();
  session->execute("CREATE TABLE shared (a integer)");
  session->execute("INSERT INTO shared VALUES (1), (2)");
  EXPECT_EQ(one(*other, "SELECT sum(a) FROM shared"), "3");
  session->execute("SET threads = 1");
  EXPECT_EQ(one(*other, "SHOW threads"), "2");
  session->execute("RESET threads");
  EXPECT_EQ(one(*session, "SHOW threads"), "2");
}

TEST_F(SessionTest, ThreadsInsertAtOnce) {
  session->execute("CREATE TABLE t (a integer, b text)");
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      const std::unique_ptr<Session> own = database->connect();
      const auto insert = own->prepare("INSERT INTO t VALUES ($1, $2)");
      for (std::int64_t i = 0; i < 100; ++i) insert->execute({thread * 100 + i, "text " + std::to_string(i)});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(one(*session, "SELECT count(*) FROM t"), "400");
  EXPECT_EQ(one(*session, "SELECT sum(a) FROM t"), "79800");
}

TEST_F(SessionTest, AnotherThreadCancels) {
  session->execute("CALL tpch(0.05, tables => 'lineitem(l_orderkey, l_partkey)')");
  std::atomic<bool> done{false};
  std::thread canceller([&] {
    while (!done) {
      if (session->progress().rows > 0) session->cancel();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  // Every row with every row: much longer than a test may take.
  const std::string state =
      state_of([&] { session->execute("SELECT count(*) FROM lineitem a, lineitem b WHERE a.l_orderkey + b.l_partkey = 7"); });
  done = true;
  canceller.join();
  EXPECT_EQ(state, "57014");
  EXPECT_EQ(one(*session, "SELECT count(*) FROM lineitem WHERE l_orderkey = 1"), "6");
}

TEST_F(SessionTest, WhoWaitsForAnotherStatementCanBeCancelled) {
  session->execute("CALL tpch(0.05, tables => 'lineitem(l_orderkey, l_partkey)')");
  const std::unique_ptr<Session> other = database->connect();
  std::string first;
  std::thread slow([&] {
    first =
        state_of([&] { session->execute("SELECT count(*) FROM lineitem a, lineitem b WHERE a.l_orderkey + b.l_partkey = 7"); });
  });
  while (!session->progress().running) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::atomic<bool> done{false};
  std::thread canceller([&] {
    while (!done) {
      other->cancel();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  EXPECT_EQ(state_of([&] { other->execute("SELECT 1"); }), "57014");
  done = true;
  canceller.join();
  while (first.empty()) {
    session->cancel();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!session->progress().running) break;
  }
  slow.join();
  EXPECT_EQ(first, "57014");
}

TEST_F(SessionTest, ProgressRunsFromZeroToOneAndEnds) {
  EXPECT_FALSE(session->progress().running);
  session->execute("CALL tpch(0.02, tables => 'lineitem(l_orderkey, l_partkey)')");
  std::atomic<bool> done{false};
  double last = -1;
  bool falls = false, outside = false;
  std::thread watcher([&] {
    while (!done) {
      const Progress progress = session->progress();
      if (!progress.running) continue;
      falls |= progress.fraction < last;
      outside |= progress.fraction > 1 || progress.seconds < 0;
      last = progress.fraction;
    }
  });
  session->execute("SELECT l_partkey, count(*) FROM lineitem GROUP BY l_partkey ORDER BY 2");
  done = true;
  watcher.join();
  EXPECT_FALSE(falls);
  EXPECT_FALSE(outside);
  EXPECT_FALSE(session->progress().running);
}

TEST_F(SessionTest, AResultOutlivesSessionAndDatabase) {
  session->execute("CREATE TABLE t (a integer, b text)");
  session->execute("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
  const std::unique_ptr<QueryResult> result = session->execute("SELECT a, b FROM t ORDER BY a");
  session->execute("DROP TABLE t");
  session.reset();
  database.reset();
  EXPECT_EQ(result->rows(), 2);
  EXPECT_EQ(result->text(1, 1), "two");
  EXPECT_EQ(std::get<std::int64_t>(result->value(0, 0)), 1);
}

TEST_F(SessionTest, NoticesSayWhatWasSkipped) {
  const std::unique_ptr<QueryResult> result = session->execute("DROP TABLE IF EXISTS nowhere");
  EXPECT_EQ(result->notices(), (std::vector<std::string>{"table \"nowhere\" does not exist, skipping"}));
  EXPECT_TRUE(session->execute("SELECT 1")->notices().empty());
}

TEST_F(SessionTest, ShowAllNamesEverySetting) {
  const std::unique_ptr<QueryResult> all = session->execute("SHOW ALL");
  ASSERT_EQ(all->fields().size(), 3U);
  EXPECT_EQ(all->fields()[1].name, "setting");
  bool threads = false;
  for (std::int64_t row = 0; row < all->rows(); ++row) {
    threads |= all->text(row, 0) == "threads" && all->text(row, 1) == "2";
    EXPECT_NE(all->text(row, 2), "") << all->text(row, 0) << " has no description";
  }
  EXPECT_TRUE(threads);
}

TEST_F(SessionTest, ExplainPipelineShowsWorkersAndWidths) {
  session->execute("CREATE TABLE t AS SELECT 1::bigint AS a, true AS b");
  const std::unique_ptr<QueryResult> lines = session->execute("EXPLAIN PIPELINE SELECT a + 1 FROM t WHERE b");
  ASSERT_GE(lines->rows(), 4);
  EXPECT_EQ(lines->text(0, 0), "pipeline 0 (cpu, 2 workers)");
  EXPECT_TRUE(lines->text(1, 0).ends_with("; 9 bytes a row")) << lines->text(1, 0);
  EXPECT_TRUE(lines->text(lines->rows() - 2, 0).ends_with("; 17 bytes a row")) << lines->text(lines->rows() - 2, 0);
}

TEST_F(SessionTest, TagsCountRows) {
  EXPECT_EQ(session->execute("CREATE TABLE t (a integer)")->command(), "CREATE TABLE");
  EXPECT_EQ(session->execute("INSERT INTO t VALUES (1), (2), (3)")->command(), "INSERT 0 3");
  EXPECT_EQ(session->execute("INSERT INTO t SELECT a FROM t")->command(), "INSERT 0 3");
  EXPECT_EQ(session->execute("UPDATE t SET a = a + 1 WHERE a > 1")->command(), "UPDATE 4");
  EXPECT_EQ(session->execute("UPDATE t SET a = 0 WHERE a > 100")->command(), "UPDATE 0");
  EXPECT_EQ(session->execute("DELETE FROM t WHERE a = 1")->command(), "DELETE 2");
  EXPECT_EQ(session->execute("DELETE FROM t")->command(), "DELETE 4");
  EXPECT_EQ(session->execute("TRUNCATE t")->command(), "TRUNCATE TABLE");
  EXPECT_EQ(session->execute("CREATE TABLE u AS SELECT 1 AS a")->command(), "SELECT 1");
  EXPECT_EQ(session->execute("CALL tpch(0.001, tables => 'region')")->command(), "CALL");
  EXPECT_EQ(session->execute("DROP TABLE t, u, region")->command(), "DROP TABLE");
}

// What a query may take is a limit: it ends with 53200, and the engine goes on.
TEST_F(SessionTest, AQueryBeyondTheMemoryLimitEndsAlone) {
  session->execute("CALL tpch(0.02, tables => 'lineitem(l_orderkey, l_partkey, l_quantity)')");
  const std::string group = "SELECT l_orderkey, l_partkey, sum(l_quantity) FROM lineitem GROUP BY l_orderkey, l_partkey";
  const std::string join =
      "SELECT count(*) FROM lineitem a JOIN lineitem b ON a.l_orderkey = b.l_orderkey AND a.l_partkey = b.l_partkey";
  const std::string sort = "SELECT l_orderkey, l_partkey, l_quantity FROM lineitem ORDER BY l_partkey, l_quantity";
  const std::string copy =
      "CREATE TABLE again AS SELECT l_orderkey * 1000000007 AS a, l_partkey * 1000000007 AS b, l_orderkey * 1000000009 AS c "
      "FROM lineitem";
  const std::string scan = "SELECT l_orderkey, l_partkey, l_quantity FROM lineitem";
  for (const std::string& sql : {group, join, sort, copy, scan}) {
    session->execute("SET memory_limit = '5MB'");
    EXPECT_EQ(state_of([&] { session->execute(sql); }), "53200") << sql;
    EXPECT_EQ(one(*session, "SELECT 1 + 1"), "2");
    session->execute("SET memory_limit = '2GB'");
    EXPECT_EQ(state_of([&] { session->execute(sql); }), "00000") << sql;
  }
  session->execute("DROP TABLE again");
  session->execute("SET memory_limit = '1kB'");
  EXPECT_EQ(state_of([&] {
              session->execute("CREATE TABLE t (a text)"),
                  session->execute("INSERT INTO t VALUES ('" + std::string(5000, 'x') + "')");
            }),
            "53200");
}

TEST_F(SessionTest, ManySmallInsertsAreCheap) {
  session->execute("CREATE TABLE t (a bigint, b text, c numeric(10,2))");
  const auto insert = session->prepare("INSERT INTO t VALUES ($1, $2, $3)");
  for (std::int64_t i = 0; i < 5'000; ++i) {
    insert->execute({i, "value " + std::to_string(i), Decimal{i, 2}});
    if (i % 500 == 0) {
      EXPECT_EQ(one(*session, "SELECT count(*) FROM t"), std::to_string(i + 1));
    }
  }
  EXPECT_EQ(one(*session, "SELECT sum(c) FROM t"), "124975.00");
}

}  // namespace
}  // namespace saccade
