#include <gtest/gtest.h>

#include <pthread.h>

#include "unit/sql/fake_tables.hpp"

namespace saccade::test {
namespace {

struct Case {
  std::string sql;
  std::string error;  // the beginning of "SQLSTATE@position message"
};

void expect_errors(const std::vector<Case>& cases) {
  World world;
  for (const auto& [sql, error] : cases) EXPECT_EQ(error, world.error(sql).substr(0, error.size())) << sql;
}

std::string hint(const std::string& sql) {
  World world;
  try {
    world.bind(sql);
  } catch (const Error& error) {
    return error.hint();
  }
  return "no error";
}

std::string repeat(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(BindErrors, Names) {
  expect_errors({{"select foo from t", "42703@8 column \"foo\" does not exist"},
                 {"select t.foo from t", "42703@8 column t.foo does not exist"},
                 {"select z.i from t", "42P01@8 missing FROM-clause entry for table \"z\""},
                 {"select t.i from t as tt", "42P01@8 missing"},
                 {"select i from t, u", "42702@8 column reference \"i\" is ambiguous"},
                 {"select * from nowhere", "42P01@15 relation \"nowhere\" does not exist"},
                 {"select * from t, t", "42712@18 table name \"t\" specified more than once"},
                 {"select * from t join u using (k)", "42703@22 column \"k\" does not exist"},
                 {"select * from u as a (b, c, d, e)", "42P10@15 table \"a\" has 3 columns"},
                 {"select * from t a join u b on c.i = 1", "42P01@31 missing"},
                 {"select 1 from t, u join u as v on t.i = u.i", "42P01@35 missing"},
                 {"select *", "42601@8 SELECT * with no tables"},
                 {"select nope.* from t", "42P01@8 missing"}});
  EXPECT_EQ("Perhaps you meant the column t.\"UserID\".", hint("select userid from t"));
  EXPECT_EQ("Perhaps you meant the column lineitem.l_shipdate.", hint("select l_shpdate from lineitem"));
  EXPECT_EQ("Perhaps you meant the table \"lineitem\".", hint("select 1 from lineitems"));
  EXPECT_EQ("A file's name stands in single quotes: FROM 'x.parquet'.", hint("select 1 from x.parquet"));
  EXPECT_EQ("Name its table: t.i or u.i.", hint("select i from t, u"));
}

TEST(BindErrors, Types) {
  expect_errors({{"select x = 5 from t", "42883@10 operator does not exist: text = integer"},
                 {"select x + 1 from t", "42883@10 operator does not exist: text + integer"},
                 {"select day + l from t", "42883@12 operator does not exist: date + bigint"},
                 {"select -x from t", "42883@8 operator does not exist: - text"},
                 {"select d % 2 from t", "42883@10"},
                 {"select '1' + '1'", "42725@12 operator is not unique"},
                 {"select i = 'abc' from t", "22P02@12 invalid input syntax for type integer: \"abc\""},
                 {"select s = '40000' from t", "22003@12 value \"40000\" is out of range for type smallint"},
                 {"select day = '2020-13-01' from t", "22008@14"},
                 {"select date 'nope'", "22007@13"},
                 {"select interval 'nope'", "22007@17"},
                 {"select 1e400", "22003@8"},
                 {"select i from t where n", "42804@23 argument of WHERE must be type boolean, not type numeric(10,2)"},
                 {"select b and i from t", "42804@14 argument of AND must be type boolean, not type integer"},
                 {"select not x from t", "42804@12 argument of NOT"},
                 {"select case when 1 then 2 end", "42804@18 argument of CASE/WHEN"},
                 {"select case when b then day else 1 end from t", "42804@34 CASE types date and integer cannot be matched"},
                 {"select coalesce(i, day) from t", "42804@20 COALESCE types integer and date"},
                 {"select b::numeric from t", "42846@9 cannot cast type boolean to numeric"},
                 {"select 1::numeric(50,2)", "22023@9"},
                 {"select sum(x) from t", "42883@8 function sum(text) does not exist"},
                 {"select min(b) from t", "42883@8 function min(boolean) does not exist"},
                 {"select ts + ts from t", "42883@11 operator does not exist: timestamp without time zone + timestamp"},
                 {"select extract(nought from ts) from t", "22023@8 unit \"nought\" not recognized"},
                 {"select extract(nothing from ts) from t", "42601@16 syntax error at or near \"nothing\""},
                 {"select day at time zone 'Mars/Phobos' from t", "22023@25 time zone \"Mars/Phobos\" not recognized"},
                 {"select abs(x) from t", "42883@8 function abs(text) does not exist"},
                 {"select 1::varchar(0)", "22023@9"},
                 {"select sum(*) from t", "42883@8"},
                 {"select count(i, l) from t", "42883@8"},
                 {"select lower(i) from t", "42883@8 function lower(integer) does not exist"},
                 {"select avg(n) * avg(n) * avg(n) from t", "22003@24 the product"},
                 {"select $1", "42P02@8 there is no parameter $1"}});
}

TEST(BindErrors, Grouping) {
  expect_errors({{"select i, count(*) from t", "42803@8 column \"t.i\" must appear in the GROUP BY clause"},
                 {"select i, l + 1 from t group by i", "42803@11 column \"t.l\" must appear"},
                 {"select i as x, count(*) from t group by x", "42803@8 column \"t.i\" must appear"},
                 {"select i from t group by i order by l", "42803@37 column \"t.l\""},
                 {"select i from t group by i having l > 1", "42803@35 column \"t.l\""},
                 {"select i from t where sum(i) > 1", "42803@23 aggregate functions are not allowed in WHERE"},
                 {"select i from t join u on sum(t.l) = 1", "42803@27 aggregate functions are not allowed in JOIN"},
                 {"select sum(n) from t group by 1", "42803@31 aggregate functions are not allowed in GROUP BY"},
                 {"select 1 from t group by sum(n)", "42803@26 aggregate functions are not allowed in GROUP BY"},
                 {"select sum(sum(i)) from t", "42803@12 aggregate function calls cannot be nested"},
                 {"select i from t group by 5", "42P10@26 GROUP BY position 5 is not in select list"},
                 {"select i from t order by 0", "42P10@26 ORDER BY position 0 is not in select list"},
                 {"select i from t order by -1", "42P10@26 ORDER BY position -1 is not in select list"},
                 {"select i from t order by 'x'", "42601@26 non-integer constant in ORDER BY"},
                 {"select n as a, i as a from t order by a", "42702@39 ORDER BY \"a\" is ambiguous"},
                 {"select distinct i from t order by n", "42P10@35 for SELECT DISTINCT"},
                 {"select i from t limit -1", "2201W@23"},
                 {"select i from t offset -1", "2201X@24"}});
}

TEST(BindErrors, SetOperationsAndValues) {
  expect_errors({{"select i from t union select 2, 3", "42601@30 each UNION query must have the same number of columns"},
                 {"select i from t except select true", "42804@31 EXCEPT types integer and boolean cannot be matched"},
                 {"select i from t union select 2 order by i + 1", "0A000@43 invalid UNION/INTERSECT/EXCEPT ORDER BY clause"},
                 {"values (1), (2, 3)", "42601@14 VALUES lists must all be the same length"},
                 {"values (1), (true)", "42804@14 VALUES types integer and boolean cannot be matched"},
                 {"values (default)", "42601"}});
}

TEST(BindErrors, Windows) {
  expect_errors({{"select i from t where sum(i) over () > 1", "42P20@23 window functions are not allowed in WHERE"},
                 {"select count(i) filter (where i) from t", "42804@31 argument of FILTER must be type boolean"},
                 {"select rank() from t", "42809@8 window function rank requires an OVER clause"},
                 {"select distinct on (i) i from t order by n", "42P10@21 SELECT DISTINCT ON expressions must match"},
                 {"select sum(i) over w from t", "42704@20 window \"w\" does not exist"},
                 {"select sum(sum(i) over ()) over () from t", "42P20@12 window function calls cannot be nested"},
                 {"select count(distinct i) over () from t", "0A000@8 DISTINCT in a window function"}});
}

TEST(BindErrors, WhatIsNotSupportedIsNamed) {
  expect_errors(
      {{"select array(select 1)", "0A000@8 ARRAY over a subquery"},
       {"select * from t full join u on exists (select 1 from t as x)", "0A000@32 a subquery in the condition of a full join"},
       {"select (i, l) < any (select i, k from u) from t", "0A000@15 a comparison of rows other than"},
       {"with recursive a as (select 1) select * from a", "0A000@16 WITH RECURSIVE"},
       {"select from t", "0A000@1 a SELECT without columns"},
       {"select t from t", "0A000@8 a whole row"},
       {"select i = any (array[1, 2]) from t", "0A000@10 ANY, SOME or ALL"},
       {"select (1, 2)", "0A000@8 a row value"},
       {"select extract(hour from day) from t", "0A000@8 unit \"hour\" not supported for type date"},
       {"select sum(interval '1 day')", "0A000@12 a sum of intervals"},
       {"select current_time", "0A000@8 the type time with time zone"},
       {"select date 'infinity'", "0A000@13 infinite dates"},
       {"select 1::money", "0A000@9 the type money"},
       {"select now()::timestamp(3)", "0A000@13 a length or precision"},
       {"select * from read_file('a', 'b')", "42883@15 read_file takes one file"},
       {"insert into t (i) values (1) returning i", "0A000@40 RETURNING"},
       {"update t set i = 1 from u", "0A000@25 UPDATE ... FROM"},
       {"delete from t using u", "0A000@21 DELETE ... USING"},
       {"create table q (a int primary key)", "0A000@23 PRIMARY KEY"},
       {"create table q (a int, check (a > 0))", "0A000@24 CHECK"},
       {"create temp table q as select 1", "0A000@19 a temporary"},
       {"begin", "0A000@1 transactions"},
       {"drop index t", "0A000@1 DROP of anything but tables and views"},
       {"set local x = 1", "0A000@1 SET LOCAL"},
       {"explain (format json) select 1", "0A000@10 the EXPLAIN option format"},
       {"explain insert into t values (1)", "0A000"}});
}

TEST(BindErrors, Tables) {
  expect_errors(
      {{"create table t as select 1", "42P07@14 relation \"t\" already exists"},
       {"create table q as select i, i from t", "42701@14 column \"i\" specified more than once"},
       {"create table q (a, b) as select 1", "42601@14 too many column names"},
       {"drop view t", "42809@1 \"t\" is not a view"},
       {"create table q (a int, b int, a int)", "42701@31 column \"a\" specified more than once"},
       {"create table q (a int default 'x')", "22P02@31 invalid input syntax"},
       {"insert into t (i) values (true)", "42804@27 column \"i\" is of type integer but expression is of type boolean"},
       {"insert into t (zz) values (1)", "42703@16 column \"zz\" of relation \"t\" does not exist"},
       {"insert into t (i) values (1, 2)", "42601@27 INSERT has more expressions"},
       {"insert into t (i, l) select 1", "42601"},
       {"update t set i = 1, i = 2", "42601@21 multiple assignments"},
       {"update t set zz = 1", "42703@14 column \"zz\""},
       {"update zz set a = 1", "42P01@8 relation \"zz\""},
       {"delete from t where i", "42804@21 argument of WHERE"},
       {"drop table t, zz", "42P01@1 table \"zz\" does not exist"}});
}

// Binds on a stack a quarter of the usual size: what the parser lets through is safe for every walk behind it.
void* bind_deep_statements(void*) {
  World world;
  const auto state = [&](const std::string& sql) { return world.error(sql).substr(0, 8); };
  EXPECT_EQ("no error", state("select 1" + repeat("+1", 900)));
  EXPECT_EQ("no error", state("select 1" + repeat(" is null", 900)));
  EXPECT_EQ("no error", state("select " + repeat("not ", 600) + "true"));
  EXPECT_EQ("no error", state("select 1 from t where i = 1" + repeat(" or i = 2", 20'000)));
  EXPECT_EQ("no error", state("select 1 from t where i in (1" + repeat(", 2", 100'000) + ")"));
  std::string tables = "select 1 from t";
  for (int i = 0; i < 400; ++i) tables += ", u as u" + std::to_string(i);
  EXPECT_EQ("no error", state(tables));
  for (int i = 400; i < 600; ++i) tables += ", u as u" + std::to_string(i);
  EXPECT_EQ("54001@", state(tables).substr(0, 6));
  // Each level repeats its operand: without a limit these would grow to 2^300 nodes.
  EXPECT_EQ("54001@", state("select " + repeat("nullif(", 300) + "1" + repeat(", 2)", 300)).substr(0, 6));
  EXPECT_EQ("54001@", state("select " + repeat("(", 300) + "true" + repeat(" between false and true)", 300)).substr(0, 6));
  EXPECT_EQ("54001@",
            state("select " + repeat("case ", 300) + "1" + repeat(" when 1 then 1 when 2 then 2 end", 300)).substr(0, 6));
  return nullptr;
}

// A quarter of what threads usually have; frames of sanitizers' code are several times as large.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kStackBytes = std::size_t{8} << 20;
#else
constexpr std::size_t kStackBytes = std::size_t{2} << 20;
#endif

TEST(BindErrors, DeepAndWideStatements) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  ASSERT_EQ(0, pthread_create(&thread, &attributes, bind_deep_statements, nullptr));
  pthread_attr_destroy(&attributes);
  pthread_join(thread, nullptr);
}

}  // namespace
}  // namespace saccade::test
