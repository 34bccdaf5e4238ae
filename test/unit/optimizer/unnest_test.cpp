#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "unit/optimizer/bound_queries.hpp"

namespace saccade::test {
namespace {

// Each kind of subquery, in terms of a column t.a of its surroundings.
const std::vector<std::string> kBooleans = {
    "exists (select 1 from u where u.a = t.a)",
    "not exists (select 1 from u where u.a < t.a and u.b = t.b)",
    "t.a in (select u.a from u where u.b = t.b)",
    "t.a not in (select u.a from u where u.b > t.b)",
    "(t.a, t.b) in (select u.a, u.b from u where u.c = t.c)",
    "(t.a, t.b) not in (select u.a, u.b from u where u.c = t.c)",
    "t.a = any (select u.a from u where u.b = t.b limit 3)",
    "t.a > all (select u.a from u where u.b = t.b)",
    "t.a <> some (select u.a from u where u.b < t.b)",
    "t.a > (select count(*) from u where u.b = t.b)",
    "exists (select 1 from u where u.a = t.a and exists (select 1 from v where v.b = u.b and v.c = t.c))",
    "t.a in (select u.a from u where u.b > (select max(v.b) from v where v.a = u.a and v.c <> t.c))",
};
const std::vector<std::string> kNumbers = {
    "(select u.c from u where u.a = t.a)",
    "(select max(u.c) from u where u.a = t.a)",
    "(select 1 + sum(u.c) from u where u.a = t.a and u.b < t.b)",
    "(select count(*) from u where u.a is not distinct from t.a having count(*) > 1)",
    "(select u.c from u where u.a > t.a order by u.c limit 1 offset 2)",
    "(select u.c + t.a from u where u.b = 7)",
    "(select max(n) from (select count(*) as n from u where u.a = t.a group by u.b) as x)",
    "(select max(x.c) from (select distinct u.c from u where u.a = t.a) as x)",
    "(select max(x.c) from (select u.c from u where u.a = t.a union all select v.c from v where v.b = t.b) as x)",
    "(select max(x.c) from (select u.c from u where u.a = t.a union select t.b) as x)",
    "(select max(x.c) from (select u.c from u where u.a = t.a except select v.c from v where v.a > t.a) as x)",
    "(select max(x.n) from (select row_number() over (order by u.c) as n from u where u.a = t.a) as x)",
    "(select max(u.c) from u left join v on u.a = v.a and v.b = t.b)",
    "(select max(u.c) from u full join v on u.a = v.a where v.b = t.b or u.b = t.b)",
    "(select max(u.c) from u, lateral (select v.b from v where v.a = u.a and v.c = t.c) as x where x.b = t.b)",
    "(select max(u.c) from u where u.a = (select min(v.a) from v where v.b = t.b and v.c > u.c))",
    "(select max((select count(*) from v where v.a = u.a and v.b = t.b)) from u where u.c = t.c)",
    "(with x as (select u.c from u where u.a = t.a) select count(*) from x as p, x as q where p.c = q.c)",
    "(select (select max(v.a + u.a) from v where v.b = t.b) from u where u.a = t.a limit 1)",
    "case when t.b <> 0 then (select sum(u.c / t.b) from u where u.a = t.a) end",
    "coalesce(t.b, (select 100 / u.c from u where u.id = t.id limit 1))",
    "case when t.b <> 0 then (select max(100 / v.b) from v) end",
};

void expect_unnested(const std::string& sql) {
  static BoundQueries queries;
  SCOPED_TRACE(sql);
  try {
    EXPECT_EQ("", BoundQueries::open_node(queries.optimized(sql)));
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

std::vector<std::string> conditions() {
  std::vector<std::string> result = kBooleans;
  for (const std::string& number : kNumbers) result.push_back(number + " > 3");
  return result;
}

TEST(Unnest, SelectList) {
  for (const std::string& condition : conditions()) expect_unnested("select " + condition + " from t");
  for (const std::string& number : kNumbers) expect_unnested("select t.a + " + number + " from t where t.c > 0");
}

TEST(Unnest, Where) {
  for (const std::string& condition : conditions()) {
    expect_unnested("select t.a from t where " + condition);
    expect_unnested("select t.a from t where not " + condition);
    expect_unnested("select t.a from t where t.b = 1 or " + condition);
    expect_unnested("select count(*) from t join w on t.a = w.a where w.b = 2 and " + condition);
  }
}

TEST(Unnest, Groups) {
  for (const std::string& condition : conditions()) {
    expect_unnested("select " + condition + ", count(*) from t group by t.a, t.b, t.c, t.id");
    expect_unnested("select " + condition + " as k, count(*) from t group by k");
    expect_unnested("select t.a from t group by t.a, t.b, t.c, t.id having " + condition);
    expect_unnested("select sum(case when " + condition + " then 1 else t.b end) from t group by t.c");
  }
}

TEST(Unnest, Order) {
  for (const std::string& condition : conditions()) expect_unnested("select t.a from t order by " + condition);
}

TEST(Unnest, JoinConditions) {
  for (const std::string& condition : conditions()) {
    expect_unnested("select t.a from t join w on t.a = w.a and " + condition);
    expect_unnested("select t.a from w join t on " + condition);
    expect_unnested("select t.a from t left join w on t.a = w.a and " + condition);
    expect_unnested("select t.a from w left join t on t.a = w.a and " + condition);
  }
}

TEST(Unnest, Case) {
  for (const std::string& condition : conditions()) {
    expect_unnested("select case when t.b > 0 then " + condition + " else t.c = 1 end from t");
    expect_unnested("select case when " + condition + " then t.b else t.c end from t");
  }
}

TEST(Unnest, Lateral) {
  for (const std::string& number : kNumbers) {
    expect_unnested("select * from t, lateral (select " + number + " as n) as s");
    expect_unnested("select * from t left join lateral (select w.a, " + number +
                    " as n from w where w.b = t.b) as s on s.n > 1");
  }
  for (const std::string& condition : kBooleans) {
    expect_unnested("select * from t, lateral (select w.a from w where w.b = t.b and " + condition + ") as s");
  }
}

TEST(Unnest, Within) {
  for (const std::string& condition : conditions()) {
    expect_unnested("select * from v as o where o.a in (select t.a from t where t.b = o.b and " + condition + ")");
    expect_unnested("select (select count(*) from t where t.b < o.b and " + condition + ") from v as o");
    expect_unnested("with s as (select t.a, " + condition + " as f from t) select * from s as x, s as y where x.a = y.a");
  }
}

std::string tpch_query(int number) {
  std::ostringstream path;
  path << SACCADE_SOURCE_DIR << "/test/tpch/queries/q" << (number < 10 ? "0" : "") << number << ".sql";
  std::ifstream file(path.str());
  EXPECT_TRUE(file.good()) << path.str();
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Unnest, TpchQueries) {
  for (int number = 1; number <= 22; ++number) expect_unnested(tpch_query(number));
}

}  // namespace
}  // namespace saccade::test
