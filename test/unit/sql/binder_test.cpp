#include "sql/binder/binder.hpp"

#include <gtest/gtest.h>

#include "unit/sql/fake_tables.hpp"

namespace saccade::test {
namespace {

using Kind = BoundStatement::Kind;
using Explain = BoundStatement::Explain;

TEST(BindStatement, ScansReadAndPrepareTheColumnsInUse) {
  World world;
  EXPECT_EQ("project x\n  filter i > 1\n    scan t (i, x)\n", world.plan("select x from t where i > 1"));
  EXPECT_EQ((std::vector<int>{2, 9}), world.t->prepared);
  EXPECT_EQ("project count = count(*)\n  aggregate: count(*)\n    scan t ()\n", world.plan("select count(*) from t"));
  world.plan("select * from t");
  EXPECT_EQ(11u, world.t->prepared.size());
}

TEST(BindStatement, Files) {
  World world;
  EXPECT_EQ("project a\n  join aa = a\n    scan dir/x.parquet as x (a)\n    scan y.parquet as z (aa)\n",
            world.plan("select x.a from 'dir/x.parquet' join read_parquet('y.parquet') as z (aa) on z.aa = x.a"));
  EXPECT_EQ((std::vector<std::pair<std::string, std::string>>{{"read_file", "dir/x.parquet"}, {"read_parquet", "y.parquet"}}),
            world.opener.opened);
  EXPECT_EQ("58P01@15 no such file: missing.parquet", world.error("select 1 from 'missing.parquet'"));
}

TEST(BindStatement, Names) {
  World world;
  EXPECT_EQ("project UserID\n  scan t (UserID)\n", world.plan("select \"UserID\" from t"));
  EXPECT_EQ("project i\n  join i = i\n    scan t (i)\n    scan u (i)\n", world.plan("select i from t join u using (i)"));
  const auto names = [&](const std::string& sql) {
    std::string result;
    for (const ResultColumn& column : world.bind(sql).plan.result) result += column.name + " ";
    return result;
  };
  EXPECT_EQ("k i n ", names("select * from u as a (k, i)"));
  EXPECT_EQ("i n k b s l d m day ts x UserID ", names("select * from u a natural join t b"));
  EXPECT_EQ("i b s l d n m day ts x UserID k n ", names("select * from t join u using (i)"));
  EXPECT_EQ("i k n i ", names("select u.*, t.i from t, u"));
  EXPECT_EQ("?column? i sum count coalesce case n date int4 nullif extract x ",
            names("select 1, t.i, sum(i), count(*), coalesce(i, 1), case when b then i end, case when b then 1 else n end, "
                  "date '2020-01-01', 5::int, nullif(i, 1), extract(year from day), i + 1 as x from t group by i, b, n, day"));
}

TEST(BindStatement, JoinsKeepTheOrderOfTheText) {
  World world;
  EXPECT_EQ(
      "project i\n  filter i = 1\n    join k = i and n > cast(n as numeric(12,4))\n      join i = i\n        scan t as a (i, "
      "n)\n"
      "        scan t as b (i)\n      scan u (i, k, n)\n",
      world.plan("select a.i from t a join t b on a.i = b.i inner join u on u.k = b.i and u.n > a.n where u.i = 1"));
}

TEST(BindStatement, Grouping) {
  World world;
  EXPECT_EQ("project i, ?column? = n + 1\n  aggregate by n, i\n    scan t (i, n)\n",
            world.plan("select i, n + 1 from t group by n, i, n"));
  EXPECT_EQ(
      "sort by sum desc nulls last, avg(d)\n  project k, sum = sum(n), avg(d)\n    filter sum(n) > 5.00\n"
      "      aggregate by k = i + 1: sum(n), avg(d)\n        scan t (i, d, n)\n",
      world.plan("select i + 1 as k, sum(n) from t group by k having sum(n) > 5 order by 2 desc nulls last, avg(d)"));
  EXPECT_EQ("project ?column? = 1\n  filter count(*) > 1\n    aggregate: count(*)\n      scan t ()\n",
            world.plan("select 1 from t having count(*) > 1"));
  EXPECT_EQ("project k = 'a', x, ?column? = x like 'a'\n  aggregate by k = 'a', x\n    scan t (x)\n",
            world.plan("select 'a' as k, x, x like 'a' from t group by k, x"))
      << "a literal key leaves other literals alone";
}

TEST(BindStatement, OrderAndLimit) {
  World world;
  EXPECT_EQ("sort by n, i desc, l + 1, i\n  project i, n, l + 1\n    scan t (i, l, n)\n",
            world.plan("select i from t order by n, i desc, l + 1, 1 limit all"));
  EXPECT_EQ(1u, world.bind("select i from t order by n").plan.result.size());
  EXPECT_EQ("limit 5 offset 2\n  sort by n, i\n    aggregate by i, n\n      project i, n\n        scan t (i, n)\n",
            world.plan("select distinct i, n from t order by n, 1 limit 5 offset 2"));
  EXPECT_EQ("limit all offset 3\n  project i\n    scan t (i)\n", world.plan("select i from t offset 3 rows"));
  EXPECT_EQ("sort by x\n  project x = -i\n    scan t (i)\n", world.plan("select -i as x from t order by x"))
      << "ORDER BY prefers the select list's name";
  EXPECT_EQ("sort by i desc, i nulls first\n  project i\n    scan t (i)\n",
            world.plan("select i from t order by i desc nulls first, i asc nulls first"));
}

TEST(BindStatement, OtherStatements) {
  World world;
  BoundStatement bound = world.bind("create table if not exists q (a) as select i from t");
  EXPECT_EQ(Kind::kCreateTableAs, bound.kind);
  EXPECT_EQ("q", bound.name);
  EXPECT_EQ("a", bound.plan.result.at(0).name);

  bound = world.bind("create table if not exists t as select 1");
  EXPECT_EQ(Kind::kNothing, bound.kind);
  EXPECT_EQ((std::vector<std::string>{"relation \"t\" already exists, skipping"}), bound.notices);

  bound = world.bind("drop table if exists a, public.t, u");
  EXPECT_EQ(Kind::kDrop, bound.kind);
  EXPECT_EQ((std::vector<std::string>{"t", "u"}), bound.names);
  EXPECT_EQ((std::vector<std::string>{"table \"a\" does not exist, skipping"}), bound.notices);

  for (const auto& [sql, value] :
       std::vector<std::pair<std::string, std::string>>{{"set verify = on", "on"},
                                                        {"SET Verify TO true", "true"},
                                                        {"set verify to 'a b'", "a b"},
                                                        {"set verify = -15", "-15"},
                                                        {"set verify = 1.5", "1.5"},
                                                        {"set verify = 9223372036854775808", "9223372036854775808"}}) {
    bound = world.bind(sql);
    EXPECT_EQ(Kind::kSet, bound.kind);
    EXPECT_EQ("verify", bound.name);
    EXPECT_EQ(value, bound.value);
  }
  bound = world.bind("show threads");
  EXPECT_EQ(Kind::kShow, bound.kind);
  EXPECT_EQ("threads", bound.name);

  bound = world.bind("explain select 1");
  EXPECT_EQ(Kind::kExplain, bound.kind);
  EXPECT_EQ(Explain::kPlan, bound.explain);
  EXPECT_EQ(Explain::kAnalyze, world.bind("explain analyze select i from t").explain);
  EXPECT_EQ(Explain::kPlan, world.bind("explain (analyze off) select 1").explain);
  EXPECT_EQ(Explain::kPipeline, world.bind("explain pipeline select 1").explain);
  EXPECT_EQ(Explain::kPipeline, world.bind("EXPLAIN (PIPELINE) SELECT 1").explain);
  EXPECT_EQ(Kind::kExplain, world.bind("explain create table q as select 1").kind);
  EXPECT_EQ(Kind::kEmpty, world.bind(" -- nothing\n;").kind);
  EXPECT_EQ(Kind::kSelect, world.bind("select 1;").kind);
}

TEST(BindStatement, CreateTable) {
  World world;
  const BoundStatement bound = world.bind(
      "create table q (a integer not null, \"B\" numeric(6, 2) default 1.5, c text default null, d numeric, e integer default "
      "2.5)");
  EXPECT_EQ(Kind::kCreateTable, bound.kind);
  EXPECT_EQ("q", bound.table.name);
  ASSERT_EQ(5U, bound.table.columns.size());
  EXPECT_TRUE(bound.table.columns[0].not_null);
  EXPECT_EQ("B", bound.table.columns[1].name);
  EXPECT_EQ(DataType::numeric(6, 2), bound.table.columns[1].type);
  EXPECT_EQ(DataType::numeric(38, 10), bound.table.columns[3].type);
  EXPECT_FALSE(bound.defaults[0]);
  EXPECT_EQ("1.50", to_string(*bound.defaults[1], {}));
  EXPECT_EQ("NULL", to_string(*bound.defaults[2], {}));
  EXPECT_EQ("cast(2.5 as integer)", to_string(*bound.defaults[4], {}));
}

TEST(BindStatement, InsertsAreValuesOrQueries) {
  World world;
  BoundStatement bound = world.bind("insert into u (k, i) values (1, 2.5), (default, null)");
  EXPECT_EQ(Kind::kInsertValues, bound.kind);
  ASSERT_EQ(2U, bound.rows.size());
  EXPECT_EQ("cast(2.5 as integer)", to_string(bound.rows[0][0], {}));
  EXPECT_EQ("1", to_string(bound.rows[0][1], {}));
  EXPECT_EQ("NULL", to_string(bound.rows[0][2], {}));
  EXPECT_EQ(DataType::numeric(12, 4), bound.rows[0][2].type);
  EXPECT_EQ("NULL", to_string(bound.rows[1][1], {}));

  bound = world.bind("insert into u (n, i) select s, '7' from t");
  EXPECT_EQ(Kind::kInsert, bound.kind);
  EXPECT_EQ("project i = 7, k = NULL, n = cast(s as numeric(12,4))\n  project s, ?column? = '7'\n    scan t (s)\n",
            to_string(bound.plan));
}

TEST(BindStatement, KnowsWhatMayReadTables) {
  EXPECT_FALSE(reads_tables(parse("insert into u values (1), (2)")));
  EXPECT_FALSE(reads_tables(parse("insert into u default values")));
  EXPECT_FALSE(reads_tables(parse("set memory_limit = '1GB'")));
  EXPECT_FALSE(reads_tables(parse("show all")));
  EXPECT_FALSE(reads_tables(parse("")));
  EXPECT_TRUE(reads_tables(parse("insert into u select 1")));
  EXPECT_TRUE(reads_tables(parse("insert into u values ((select 1))")));
  EXPECT_TRUE(reads_tables(parse("delete from u")));
}

TEST(BindStatement, ChangesAreQueriesOverTheTable) {
  World world;
  BoundStatement bound = world.bind("delete from u where k > 5");
  EXPECT_EQ(Kind::kDelete, bound.kind);
  EXPECT_EQ("filter not coalesce(k > 5, false)\n  scan u (i, k, n)\n", to_string(bound.plan));
  bound = world.bind("delete from u");
  EXPECT_EQ(Kind::kTruncate, bound.kind);
  EXPECT_EQ("u", bound.target->name());
  bound = world.bind("update u set k = n where i = 1");
  EXPECT_EQ(Kind::kUpdate, bound.kind);
  EXPECT_EQ(
      "project i, k = case when changed then cast(n as integer) else k end, n, changed\n"
      "  project i, k, n, changed = coalesce(i = 1, false)\n    scan u (i, k, n)\n",
      to_string(bound.plan));
}

TEST(BindStatement, Calls) {
  World world;
  const BoundStatement bound = world.bind("call tpch(0.5, tables => 'Orders, lineitem ( l_orderkey,l_tax ) ')");
  EXPECT_EQ(Kind::kCallTpch, bound.kind);
  EXPECT_EQ("0.5", bound.value);
  ASSERT_EQ(2U, bound.loaded.size());
  EXPECT_EQ("orders", bound.loaded[0].name);
  EXPECT_EQ((std::vector<std::string>{"l_orderkey", "l_tax"}), bound.loaded[1].columns);
}

}  // namespace
}  // namespace saccade::test
