// Probes of every kind over every layout, with and without conditions, against the row-at-a-time oracle.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "unit/cpu/oracle.hpp"

namespace saccade::cpu_test {
namespace {

struct Case {
  ProbeKind kind = ProbeKind::kInner;
  JoinBuild::Layout layout = JoinBuild::Layout::kHash;
  bool unique = false;
  bool condition = false;
  bool tracked = false;
};

std::vector<std::int64_t> build_keys(const Case& c, std::size_t rows) {
  std::vector<std::int64_t> keys(rows);
  std::iota(keys.begin(), keys.end(), 0);
  std::shuffle(keys.begin(), keys.end(), std::mt19937_64(3));
  // Every third key is there; where keys repeat, one of them more often than a batch has rows.
  for (std::int64_t& key : keys) key = c.unique ? key * 3 : key % 5 == 0 ? 7 : key % 400;
  return keys;
}

// Pipelines: the build, the probe, and where `scan` is given the build's rows by whether they matched. Rows: the last one's.
Plan join_plan(Fixture& fixture, const Case& c, std::size_t build_rows, std::size_t probe_rows,
               std::optional<BuildScan::Which> scan = std::nullopt) {
  std::vector<Cell> payload;
  for (std::size_t i = 0; i < build_rows; ++i) payload.push_back(i % 4 == 0 ? null() : integer(static_cast<int128>(i % 1000)));
  std::vector<std::int64_t> probe_keys(probe_rows), other(probe_rows);
  for (std::size_t i = 0; i < probe_rows; ++i) {
    probe_keys[i] = static_cast<std::int64_t>(i * 7919 % 4096) - 20;
    other[i] = static_cast<std::int64_t>(i * 31 % 1000);
  }
  const TestTable& build_table = fixture.add("build", {column_of(build_keys(c, build_rows)), column_of(payload)}, 700);
  const TestTable& probe_table = fixture.add("probe", {column_of(probe_keys), column_of(other)}, 900);
  const bool all_rows = c.layout == JoinBuild::Layout::kAllRows;
  PipelineBuilder build;
  const auto bs = build.scan_all(build_table);
  JoinBuild sink;
  sink.layout = c.layout;
  sink.unique = c.unique;
  sink.track_matches = c.tracked;
  if (!all_rows) sink.keys = {build.at(bs[0])};
  sink.key_bounds = {0, 20000};
  sink.payload = {bs[1], bs[0]};
  build.pipeline.sink = sink;
  PipelineBuilder probe;
  const auto ps = probe.scan_all(probe_table);
  Probe step;
  step.kind = c.kind;
  step.build = 0;
  if (!all_rows) step.keys = {probe.at(ps[0])};
  const int value = probe.slot("payload", Lane::kInt64, true);
  const int key = probe.slot("key", Lane::kInt64, true);
  step.payload = {value, key};
  if (c.condition) step.condition = {call(FunctionId::less_i64, {probe.at(ps[1]), probe.at(value)})};
  std::vector<int> output = {ps[0], ps[1]};
  if (c.kind == ProbeKind::kInner || c.kind == ProbeKind::kLeft) output = {ps[0], ps[1], value, key};
  if (c.kind == ProbeKind::kMark) output.push_back(step.mark_slot = probe.slot("mark", Lane::kBoolean));
  probe.pipeline.steps.emplace_back(step);
  if (!scan) {
    probe.pipeline.sink = Result{output};
    return plan_of({build, probe});
  }
  probe.pipeline.sink = Collect{};
  PipelineBuilder rest;
  const int rest_value = rest.slot("payload", Lane::kInt64, true), rest_key = rest.slot("key");
  rest.pipeline.source = BuildScan{0, *scan, {rest_value, rest_key}};
  rest.pipeline.sink = Result{{rest_value, rest_key}};
  return plan_of({build, probe, rest});
}

void expect_same(Fixture& fixture, const Plan& plan) {
  const std::vector<CellRow> expected = in_order(Oracle(plan, fixture).run());
  for (const int threads : {1, 3}) {
    const std::vector<CellRow> actual = in_order(fixture.run(plan, threads));
    ASSERT_EQ(actual.size(), expected.size()) << threads << " threads";
    EXPECT_TRUE(actual == expected) << threads << " threads";
  }
  EXPECT_EQ(fixture.pool.used(), 0);
}

constexpr ProbeKind kKinds[] = {ProbeKind::kInner, ProbeKind::kLeft, ProbeKind::kSemi, ProbeKind::kAnti, ProbeKind::kMark};

std::vector<Case> layouts() {
  using Layout = JoinBuild::Layout;
  return {{{}, Layout::kDense, true}, {{}, Layout::kHash, true}, {{}, Layout::kHash, false}, {{}, Layout::kAllRows, false}};
}

void expect_all_kinds(std::size_t build_rows, std::size_t probe_rows) {
  for (Case c : layouts()) {
    // A cross product of the large tables would be larger still.
    const std::size_t rows = c.layout == JoinBuild::Layout::kAllRows ? std::min<std::size_t>(build_rows, 60) : build_rows;
    for (const ProbeKind kind : kKinds) {
      c.kind = kind;
      for (const bool condition : {false, true}) {
        for (const bool tracked : {false, true}) {
          c.condition = condition;
          c.tracked = tracked;
          SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(kind) << " layout " << static_cast<int>(c.layout)
                                          << (c.unique ? " unique" : "") << (condition ? " condition" : "")
                                          << (tracked ? " tracked" : ""));
          Fixture fixture;
          expect_same(fixture, join_plan(fixture, c, rows, probe_rows));
        }
      }
    }
  }
}

TEST(JoinKinds, GiveTheRowsOfANestedLoop) {
  expect_all_kinds(4000, 1500);
}

TEST(JoinKinds, OverAnEmptyBuild) {
  expect_all_kinds(0, 500);
}

TEST(JoinKinds, OverAnEmptyProbe) {
  expect_all_kinds(500, 0);
}

TEST(JoinKinds, TheBuildLearnsWhichRowsMatch) {
  for (Case c : layouts()) {
    c.tracked = true;
    for (const ProbeKind kind : {ProbeKind::kInner, ProbeKind::kLeft, ProbeKind::kTrack}) {
      for (const bool condition : {false, true}) {
        for (const auto which : {BuildScan::Which::kMatched, BuildScan::Which::kUnmatched}) {
          for (const std::size_t probe_rows : {0, 900}) {
            c.kind = kind;
            c.condition = condition;
            SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(kind) << " layout " << static_cast<int>(c.layout));
            Fixture fixture;
            expect_same(fixture, join_plan(fixture, c, c.layout == JoinBuild::Layout::kAllRows ? 50 : 3000, probe_rows, which));
          }
        }
      }
    }
  }
}

TEST(JoinKinds, ABuildOfDistinctKeysKeepsOneRowOfEach) {
  for (const auto layout : {JoinBuild::Layout::kDense, JoinBuild::Layout::kHash}) {
    for (const ProbeKind kind : {ProbeKind::kSemi, ProbeKind::kAnti, ProbeKind::kMark}) {
      Fixture fixture;
      Plan plan = join_plan(fixture, {kind, layout}, 3000, 2000);
      auto& sink = std::get<JoinBuild>(plan.pipelines[0].sink);
      sink.distinct = true;
      sink.payload.clear();
      std::get<Probe>(plan.pipelines[1].steps[0]).payload.clear();
      expect_same(fixture, plan);
    }
  }
}

TEST(JoinKinds, CancellationEndsACrossProduct) {
  Fixture fixture;
  const Plan plan = join_plan(fixture, {ProbeKind::kSemi, JoinBuild::Layout::kAllRows, false, true}, 50, 50);
  fixture.cancellation.cancel();
  EXPECT_EQ(sqlstate_of([&] { fixture.run(plan); }), "57014");
}

}  // namespace
}  // namespace saccade::cpu_test
