// Prepared statements: types from where parameters stand, values of all kinds, and what is refused.
#include <gtest/gtest.h>

#include <functional>
#include <saccade/saccade.hpp>
#include <string>

namespace saccade {
namespace {

class PreparedStatementTest : public testing::Test {
 protected:
  PreparedStatementTest() {
    session->execute(
        "CREATE TABLE t AS SELECT 5::smallint AS s, 50 AS i, 500::bigint AS l, 1.50::numeric(6,2) AS n, 2.5::double precision "
        "AS g, 'five' AS u, date '2024-02-29' AS d, timestamp '2024-02-29 12:00:00' AS ts, true AS b");
  }

  std::string types_of(const std::string& sql) {
    const std::unique_ptr<PreparedStatement> statement = session->prepare(sql);
    std::string types;
    for (const std::string& type : statement->parameter_types()) types += (types.empty() ? "" : ", ") + type;
    return types;
  }
  static std::string state_of(const std::function<void()>& work) {
    try {
      work();
    } catch (const QueryError& error) {
      return error.sqlstate;
    }
    return "00000";
  }
  std::string count(const std::string& condition, const SqlValue& value) {
    return session->prepare("SELECT count(*) FROM t WHERE " + condition)->execute({value})->text(0, 0);
  }

  std::unique_ptr<Database> database = Database::open({{"threads", "1"}});
  std::unique_ptr<Session> session = database->connect();
};

TEST_F(PreparedStatementTest, TypesFollowFromTheOtherSide) {
  EXPECT_EQ(
      types_of("SELECT 1 FROM t WHERE s = $1 AND i = $2 AND l = $3 AND n = $4 AND g = $5 AND u = $6 AND d = $7 AND ts = $8 "
               "AND b = $9"),
      "smallint, integer, bigint, numeric, double precision, text, date, timestamp without time zone, boolean");
  EXPECT_EQ(types_of("SELECT $1::date, i + $2, $3 FROM t"), "date, integer, text");
  EXPECT_EQ(types_of("SELECT CASE WHEN $1 THEN i ELSE $2 END FROM t"), "boolean, integer");
  EXPECT_EQ(types_of("SELECT 1 FROM t WHERE i IN ($1, $2) OR u LIKE 'f%' OR d BETWEEN $3 AND $4"),
            "integer, integer, date, date");
  EXPECT_EQ(types_of("SELECT i FROM t LIMIT $1 OFFSET $2"), "bigint, bigint");
  EXPECT_EQ(types_of("SELECT i FROM t"), "");
}

TEST_F(PreparedStatementTest, TheFirstPlaceSettlesTheType) {
  EXPECT_EQ(types_of("SELECT 1 FROM t WHERE i = $1 AND l = $1"), "integer");
  EXPECT_EQ(state_of([&] { session->prepare("SELECT 1 FROM t WHERE i = $1 AND u = $1"); }), "42883");
}

TEST_F(PreparedStatementTest, AnUnusedOrUntypedParameterIsRefused) {
  EXPECT_EQ(state_of([&] { session->prepare("SELECT $2::integer"); }), "42P18");
  EXPECT_EQ(state_of([&] { session->execute("SELECT $1::integer"); }), "42P02");
  EXPECT_EQ(state_of([&] { session->prepare("SELECT $0"); }), "42P02");
}

TEST_F(PreparedStatementTest, FieldsAreKnownBeforeItRuns) {
  const auto statement = session->prepare("SELECT i + $1 AS sum, u FROM t");
  ASSERT_EQ(statement->fields().size(), 2U);
  EXPECT_EQ(statement->fields()[0].name, "sum");
  EXPECT_EQ(statement->fields()[0].type, "integer");
  EXPECT_EQ(statement->fields()[1].type, "text");
}

TEST_F(PreparedStatementTest, RunsAgainAndAgainWithOtherValues) {
  const auto statement = session->prepare("SELECT i * $1 + $2 FROM t");
  for (std::int64_t i = 0; i < 20; ++i)
    EXPECT_EQ(std::get<std::int64_t>(statement->execute({i, std::int64_t{7}})->value(0, 0)), 50 * i + 7);
  EXPECT_TRUE(is_null(statement->execute({SqlValue(), std::int64_t{1}})->value(0, 0)));
}

TEST_F(PreparedStatementTest, SeesTheTableAsItIs) {
  const auto statement = session->prepare("SELECT u FROM t WHERE i = $1");
  EXPECT_EQ(statement->execute({std::int64_t{50}})->text(0, 0), "five");
  session->execute("DROP TABLE t");
  EXPECT_EQ(state_of([&] { statement->execute({std::int64_t{50}}); }), "42P01");
  session->execute("CREATE TABLE t AS SELECT 51 AS i, 'new' AS u");
  EXPECT_EQ(statement->execute({std::int64_t{51}})->text(0, 0), "new");
}

TEST_F(PreparedStatementTest, ValuesOfEachType) {
  EXPECT_EQ(count("s = $1", std::int64_t{5}), "1");
  EXPECT_EQ(count("l = $1", std::int64_t{500}), "1");
  EXPECT_EQ(count("n = $1", Decimal{150, 2}), "1");
  EXPECT_EQ(count("n = $1", Decimal{15, 1}), "1");
  EXPECT_EQ(count("n < $1", Decimal{1500001, 6}), "1");
  EXPECT_EQ(count("n < $1", std::int64_t{2}), "1");
  EXPECT_EQ(count("g = $1", 2.5), "1");
  EXPECT_EQ(count("g = $1", Decimal{25, 1}), "1");
  EXPECT_EQ(count("u = $1", "five"), "1");
  EXPECT_EQ(count("d = $1", Date{19782}), "1");
  EXPECT_EQ(count("d = $1", "2024-02-29"), "1");
  EXPECT_EQ(count("ts = $1", Timestamp{19782 * 86'400'000'000 + 43'200'000'000}), "1");
  EXPECT_EQ(count("b = $1", true), "1");
  EXPECT_EQ(count("u = $1", SqlValue()), "0");
}

TEST_F(PreparedStatementTest, WrongNumbersTypesAndRangesAreErrors) {
  const auto statement = session->prepare("SELECT 1 FROM t WHERE s = $1");
  EXPECT_EQ(state_of([&] { statement->execute({}); }), "08P01");
  EXPECT_EQ(state_of([&] { statement->execute({std::int64_t{1}, std::int64_t{2}}); }), "08P01");
  EXPECT_EQ(state_of([&] { statement->execute({true}); }), "42804");
  EXPECT_EQ(state_of([&] { statement->execute({2.5}); }), "42804");
  EXPECT_EQ(state_of([&] { statement->execute({std::int64_t{40'000}}); }), "22003");
  EXPECT_EQ(state_of([&] { statement->execute({"many"}); }), "22P02");
  EXPECT_EQ(state_of([&] { session->prepare("SELECT $1::date")->execute({"2023-02-29"}); }), "22008");
  EXPECT_EQ(state_of([&] { session->prepare("SELECT n + $1 FROM t")->execute({Decimal{1, 39}}); }), "22003");
  EXPECT_EQ(state_of([&] { statement->execute({std::int64_t{1}}); }), "00000");
}

TEST_F(PreparedStatementTest, OutlivesItsSessionAndDatabase) {
  const auto statement = session->prepare("SELECT i FROM t WHERE i = $1");
  session.reset();
  database.reset();
  EXPECT_EQ(statement->execute({std::int64_t{50}})->rows(), 1);
}

TEST_F(PreparedStatementTest, LimitTakesAParameter) {
  const auto statement = session->prepare("SELECT i FROM t LIMIT $1");
  EXPECT_EQ(statement->execute({std::int64_t{0}})->rows(), 0);
  EXPECT_EQ(statement->execute({std::int64_t{5}})->rows(), 1);
  EXPECT_EQ(statement->execute({SqlValue()})->rows(), 1);
  EXPECT_EQ(state_of([&] { statement->execute({std::int64_t{-1}}); }), "2201W");
}

}  // namespace
}  // namespace saccade
