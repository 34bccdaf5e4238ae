#include <gtest/gtest.h>

#include "unit/sql/fake_tables.hpp"

namespace saccade::test {
namespace {

// What a single expression over t is bound to.
std::string bound(const std::string& expression) {
  World world;
  const LogicalPlan plan = world.bind("select " + expression + " from t").plan;
  return to_string(plan.root.expressions.at(0), plan.names);
}

TEST(BindExpression, TypesOfArithmetic) {
  World world;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"s + s", "smallint"},
      {"s + 1", "integer"},
      {"i * l", "bigint"},
      {"i / 2", "integer"},
      {"i + n", "numeric(13,2)"},
      {"n + m", "numeric(21,5)"},
      {"n - 1.555", "numeric(12,3)"},
      {"n * m", "numeric(30,7)"},
      {"n * n * n * n", "numeric(38,8)"},
      {"n * (1 - n) * (1 + n)", "numeric(32,6)"},
      {"n / m", "numeric(29,16)"},
      {"1.0 / 3", "numeric(17,16)"},
      {"m * 1.000000000000 / 3", "numeric(33,17)"},
      {"n % 3", "numeric(10,2)"},
      {"d * n", "double precision"},
      {"-n", "numeric(10,2)"},
      {"day + 1", "date"},
      {"1 + day", "date"},
      {"day - s", "date"},
      {"day - day", "integer"},
      {"day - '2020-01-01'", "integer"},
      {"day + interval '1 month'", "timestamp without time zone"},
      {"interval '1' day + day", "timestamp without time zone"},
      {"ts - interval '3' hour", "timestamp without time zone"},
      {"'1' + i", "integer"},
      {"null + n", "numeric(11,2)"},
      {"-'1'", "double precision"},
  };
  for (const auto& [expression, type] : cases) EXPECT_EQ(type, world.type(expression)) << expression;
}

TEST(BindExpression, TypesOfAggregatesAndFunctions) {
  World world;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"sum(s)", "bigint"},
      {"sum(i)", "bigint"},
      {"sum(l)", "numeric(38,0)"},
      {"sum(n)", "numeric(38,2)"},
      {"sum(d)", "double precision"},
      {"avg(i)", "numeric(38,16)"},
      {"avg(m * m * m * m)", "numeric(38,20)"},
      {"avg(d)", "double precision"},
      {"min(x)", "text"},
      {"max(day)", "date"},
      {"count(*)", "bigint"},
      {"count(null)", "bigint"},
      {"extract(year from min(day))", "numeric(7,0)"},
      {"date_part('month', min(ts))", "double precision"},
      {"coalesce(min(i), 1.5)", "numeric(11,1)"},
  };
  for (const auto& [expression, type] : cases) EXPECT_EQ(type, world.type(expression)) << expression;
}

TEST(BindExpression, TypesOfLiterals) {
  World world;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1", "integer"},
      {"-2147483648", "integer"},
      {"2147483648", "bigint"},
      {"-9223372036854775808", "bigint"},
      {"9223372036854775808", "numeric(19,0)"},
      {"1.50", "numeric(3,2)"},
      {"0.06", "numeric(2,2)"},
      {"1e3", "numeric(4,0)"},
      {"'a'", "text"},
      {"null", "text"},
      {"true", "boolean"},
  };
  for (const auto& [expression, type] : cases) EXPECT_EQ(type, world.type(expression)) << expression;
}

TEST(BindExpression, ComparisonsMeetInOneType) {
  EXPECT_EQ("i = 5", bound("i = '5'"));
  EXPECT_EQ("cast(i as bigint) = l", bound("i = l"));
  EXPECT_EQ("s = 5", bound("s = 5"));
  EXPECT_EQ("cast(s as integer) = 50000", bound("s = 50000"));
  EXPECT_EQ("5 < l", bound("5 < l"));
  EXPECT_EQ("cast(i as numeric(11,1)) = 5.5", bound("i = 5.5"));
  EXPECT_EQ("n = 5.00", bound("n = 5"));
  EXPECT_EQ("cast(n as numeric(11,3)) = 5.555", bound("n = '5.555'"));
  EXPECT_EQ("cast(n as numeric(11,3)) < 0.055", bound("n < 0.055"));
  EXPECT_EQ("cast(n as numeric(20,5)) = m", bound("n = m"));
  EXPECT_EQ("cast(i as numeric(12,2)) = cast(n as numeric(12,2))", bound("i = n"));
  EXPECT_EQ("d < cast(n as double precision)", bound("d < n"));
  EXPECT_EQ("d = 0.1", bound("d = 0.1"));
  EXPECT_EQ("cast(day as timestamp without time zone) < ts", bound("day < ts"));
  EXPECT_EQ("day >= 2020-02-29", bound("day >= '2020-02-29'"));
  EXPECT_EQ("ts = 2020-02-29 00:00:00", bound("ts = date '2020-02-29'"));
  EXPECT_EQ("b = true", bound("b = 'yes'"));
  EXPECT_EQ("x <> 'a'", bound("x != 'a'"));
  EXPECT_EQ("i = NULL", bound("i = null"));
}

TEST(BindExpression, Predicates) {
  EXPECT_EQ("i >= 1 and i <= 5", bound("i between 1 and 5"));
  EXPECT_EQ("i < 1 or i > 5", bound("i not between 1 and 5"));
  EXPECT_EQ("i >= 5 and i <= 1 or i >= 1 and i <= 5", bound("i between symmetric 5 and 1"));
  EXPECT_EQ("x = 'a' or x = 'b'", bound("x in ('a', 'b')"));
  EXPECT_EQ("x <> 'a' and x <> NULL", bound("x not in ('a', null)"));
  EXPECT_EQ("x = 'a'", bound("x in ('a')"));
  EXPECT_EQ("x like 'a%'", bound("x like 'a%'"));
  EXPECT_EQ("not x ilike 'a%'", bound("x not ilike 'a%'"));
  EXPECT_EQ("i is null", bound("i is null"));
  EXPECT_EQ("i is not null", bound("i notnull"));
  EXPECT_EQ("coalesce(b, false)", bound("b is true"));
  EXPECT_EQ("not coalesce(b, false)", bound("b is not true"));
  EXPECT_EQ("coalesce(not b, false)", bound("b is false"));
  EXPECT_EQ("not coalesce(not b, false)", bound("b is not false"));
  EXPECT_EQ("b is null", bound("b is unknown"));
  EXPECT_EQ("case when l is null then UserID is not null when UserID is null then true else l <> UserID end",
            bound("l is distinct from \"UserID\""));
  EXPECT_EQ("not case when i is null then 3 is not null when 3 is null then true else i <> 3 end",
            bound("i is not distinct from 3"));
}

TEST(BindExpression, CaseAndFunctions) {
  EXPECT_EQ("case when i = 1 then 'a' when i = 2 then 'b' else NULL end", bound("case i when 1 then 'a' when 2 then 'b' end"));
  EXPECT_EQ("case when b then 1.00 else cast(n as numeric(12,2)) end", bound("case when b then 1 else n end"));
  EXPECT_EQ("case when b then 1.555 else cast(n as numeric(11,3)) end", bound("case when b then '1.555' else n end"));
  EXPECT_EQ("coalesce(NULL, i, 0)", bound("coalesce(null, i, 0)"));
  EXPECT_EQ("coalesce(i, 0)", bound("coalesce(i, 0)"));
  EXPECT_EQ("case when i = 3 then NULL else i end", bound("nullif(i, 3)"));
  EXPECT_EQ("extract(year from day)", bound("extract(year from day)"));
}

TEST(BindExpression, Casts) {
  EXPECT_EQ("cast(i as numeric(10,0))", bound("i::numeric"));
  EXPECT_EQ("cast(d as numeric(38,10))", bound("d::numeric"));
  EXPECT_EQ("n", bound("cast(n as numeric)"));
  EXPECT_EQ("n", bound("n::numeric(10,2)"));
  EXPECT_EQ("cast(n as numeric(5,1))", bound("n::numeric(5,1)"));
  EXPECT_EQ("cast(5.678 as numeric(5,2))", bound("'5.678'::numeric(5,2)"));
  EXPECT_EQ("5.60", bound("5.6::numeric(5,2)"));
  EXPECT_EQ("1000", bound("'1e3'::double precision"));
  EXPECT_EQ("'1.50'", bound("1.50::text"));
  EXPECT_EQ("'true'", bound("true::text"));
  EXPECT_EQ("5", bound("'5'::text::int"));
  EXPECT_EQ("cast(ts as date)", bound("ts::date"));
}

}  // namespace
}  // namespace saccade::test
