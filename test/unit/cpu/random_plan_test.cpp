// Random plans (filters, guarded failing expressions, joins, every kind of sink) against the row-at-a-time oracle.
#include <gtest/gtest.h>

#include <random>

#include "unit/cpu/oracle.hpp"

namespace saccade::cpu_test {
namespace {

class RandomPlan {
 public:
  RandomPlan(unsigned seed, Fixture& fixture) : random_(seed), fixture_(fixture) {}

  Plan make() {
    PipelineBuilder build;
    const bool dense = chance(2);
    const bool unique = dense || chance(2);
    const TestTable& build_table = make_table("build", 1 + pick(400), unique);
    const auto build_slots = build.scan_all(build_table);
    if (chance(2)) build.filter(boolean(build, 2));
    JoinBuild sink;
    sink.layout = dense ? JoinBuild::Layout::kDense : JoinBuild::Layout::kHash;
    sink.unique = unique;
    sink.keys = {build.at(build_slots[0])};
    sink.key_bounds = {-10, 2000};
    sink.payload = build_slots;
    build.pipeline.sink = sink;

    PipelineBuilder main;
    main.scan_all(make_table("main", pick(6000), false));
    add_steps(main);
    if (chance(2)) add_probe(main, build, unique);
    add_steps(main);
    add_sink(main);
    return plan_of({build, main});
  }

 private:
  std::int64_t pick(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int n) { return pick(n) == 0; }

  const TestTable& make_table(const std::string& name, std::int64_t rows, bool unique) {
    std::vector<Cell> keys(static_cast<std::size_t>(rows)), small = keys, wide = keys, flags = keys, reals = keys, huge = keys;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      keys[i] = integer(unique ? static_cast<std::int64_t>(i) * 3 : pick(1000));
      small[i] = chance(6) ? null() : integer(pick(12) - 3);
      wide[i] = integer((pick(1000000) - 500000) * (chance(3) ? 10000000000 : 1));
      flags[i] = chance(5) ? null() : integer(pick(2));
      reals[i] = chance(5) ? null() : real(static_cast<double>(pick(2000) - 1000) * 0.5);
      huge[i] = integer(static_cast<int128>(pick(1000) - 500) << (chance(2) ? 80 : 3));
    }
    const TestColumn huge_column{DataType::numeric(38, 0), {Form::kPlain, 16}, 0, huge, nullptr};
    return fixture_.add(name,
                        {column_of(keys), column_of(small), column_of(wide), column_of(flags, kBoolean),
                         TestColumn{kDouble, {Form::kPlain, 8}, 0, reals, nullptr}, huge_column},
                        500 + pick(3000));
  }

  Node leaf(PipelineBuilder& b, Lane lane) {
    std::vector<int> slots;
    for (std::size_t s = 0; s < b.pipeline.slots.size(); ++s) {
      if (b.pipeline.slots[s].lane == lane && static_cast<int>(s) != row_slot_) slots.push_back(static_cast<int>(s));
    }
    if (!slots.empty() && !chance(4))
      return b.at(slots[static_cast<std::size_t>(pick(static_cast<std::int64_t>(slots.size())))]);
    if (lane == Lane::kFloat64) return b.real_literal(static_cast<double>(pick(9) - 4));
    return b.literal(lane == Lane::kBoolean ? pick(2) : pick(30) - 10, lane);
  }

  Node value(PipelineBuilder& b, Lane lane, int depth) {
    if (depth == 0 || chance(4)) return leaf(b, lane);
    if (lane == Lane::kBoolean) return boolean(b, depth);
    switch (pick(8)) {
      case 0:
      case 1:
        return conditional(b, lane, depth);
      case 2:
        return combine(NodeKind::kOrElse, lane, {value(b, lane, depth - 1), value(b, lane, depth - 1)});
      case 3:
        if (lane == Lane::kInt64) return lookup(b, depth);
        [[fallthrough]];
      default:
        return arithmetic(b, lane, depth);
    }
  }

  Node arithmetic(PipelineBuilder& b, Lane lane, int depth) {
    using F = FunctionId;
    const std::vector<F> int64s = {F::add_checked_i64, F::subtract_checked_i64, F::multiply_checked_i64,
                                   F::divide_i64,      F::modulo_i64,           F::add_i64,
                                   F::multiply_i64};
    const std::vector<F> int128s = {F::add_checked_i128, F::subtract_checked_i128, F::modulo_i128};
    const std::vector<F> reals = {F::add_f64, F::subtract_f64, F::divide_f64};
    if (lane == Lane::kInt128 && chance(3)) return call(F::int128_of_i64, {value(b, Lane::kInt64, depth - 1)});
    if (lane == Lane::kFloat64 && chance(3)) return call(F::float64_of_i64, {value(b, Lane::kInt64, depth - 1)});
    if (lane == Lane::kInt64 && chance(6)) return call(F::int64_of_boolean, {value(b, Lane::kBoolean, depth - 1)});
    const std::vector<F>& functions = lane == Lane::kInt64 ? int64s : lane == Lane::kInt128 ? int128s : reals;
    const F function = functions[static_cast<std::size_t>(pick(static_cast<std::int64_t>(functions.size())))];
    return call(function, {value(b, lane, depth - 1), value(b, lane, depth - 1)});
  }

  Node conditional(PipelineBuilder& b, Lane lane, int depth) {
    std::vector<Node> arguments;
    for (std::int64_t n = 1 + pick(2); n > 0; --n) {
      arguments.push_back(boolean(b, depth - 1));
      arguments.push_back(chance(6) ? b.null_literal(lane) : value(b, lane, depth - 1));
    }
    arguments.push_back(chance(6) ? b.null_literal(lane) : value(b, lane, depth - 1));
    Node node = combine(NodeKind::kCase, lane, std::move(arguments));
    node.nullable = true;
    return node;
  }

  Node lookup(PipelineBuilder& b, int depth) {
    Lookup table;
    table.base = -4;
    for (int i = 0; i < 9; ++i) table.values.push_back(pick(100));
    b.pipeline.lookups.push_back(table);
    Node index = call(FunctionId::modulo_i64, {value(b, Lane::kInt64, depth - 1), b.literal(5)});
    Node node = combine(NodeKind::kLookup, Lane::kInt64, {std::move(index)});
    node.index = static_cast<int>(b.pipeline.lookups.size()) - 1;
    return node;
  }

  Node boolean(PipelineBuilder& b, int depth) {
    if (depth <= 0) return leaf(b, Lane::kBoolean);
    switch (pick(9)) {
      case 0:
      case 1:
        return logical(b, NodeKind::kAnd, depth);
      case 2:
        return logical(b, NodeKind::kOr, depth);
      case 3:
        return combine(NodeKind::kNot, Lane::kBoolean, {boolean(b, depth - 1)});
      case 4:
        return combine(NodeKind::kIsNull, Lane::kBoolean, {value(b, chance(2) ? Lane::kInt64 : Lane::kFloat64, depth - 1)});
      default:
        return comparison(b, depth);
    }
  }

  Node logical(PipelineBuilder& b, NodeKind kind, int depth) {
    std::vector<Node> arguments;
    for (std::int64_t n = 2 + pick(2); n > 0; --n) arguments.push_back(boolean(b, depth - 1));
    return combine(kind, Lane::kBoolean, std::move(arguments));
  }

  Node comparison(PipelineBuilder& b, int depth) {
    using F = FunctionId;
    const std::vector<F> int64s = {F::equal_i64,      F::not_equal_i64, F::less_i64,
                                   F::less_equal_i64, F::greater_i64,   F::greater_equal_i64};
    const std::vector<F> int128s = {F::less_i128, F::greater_equal_i128, F::not_equal_i128};
    const std::vector<F> reals = {F::less_f64, F::greater_equal_f64, F::equal_f64};
    const Lane lane = chance(3) ? (chance(2) ? Lane::kInt128 : Lane::kFloat64) : Lane::kInt64;
    const std::vector<F>& functions = lane == Lane::kInt64 ? int64s : lane == Lane::kInt128 ? int128s : reals;
    const F function = functions[static_cast<std::size_t>(pick(static_cast<std::int64_t>(functions.size())))];
    const int below = chance(2) ? 0 : depth - 1;  // often a slot and a literal: the encoded filters
    return call(function, {value(b, lane, below), value(b, lane, below)});
  }

  void add_steps(PipelineBuilder& b) {
    for (std::int64_t n = pick(3); n > 0; --n) {
      if (chance(2)) {
        b.filter(boolean(b, static_cast<int>(1 + pick(3))));
      } else {
        Node node =
            value(b, std::vector<Lane>{Lane::kInt64, Lane::kInt128, Lane::kFloat64}[static_cast<std::size_t>(pick(3))], 2);
        b.compute(std::move(node), true);
      }
    }
  }

  void add_probe(PipelineBuilder& b, const PipelineBuilder& build, bool unique) {
    Probe probe;
    probe.build = 0;
    probe.keys = {b.at(0)};
    for (const Slot& slot : build.pipeline.slots)
      probe.payload.push_back(chance(3) ? -1 : b.slot("p", slot.lane, slot.nullable));
    if (unique && chance(2)) row_slot_ = probe.row_slot = b.slot("row");
    b.pipeline.steps.emplace_back(probe);
  }

  Node key(PipelineBuilder& b) { return combine(NodeKind::kOrElse, Lane::kInt64, {leaf(b, Lane::kInt64), b.literal(-7)}); }

  void add_sink(PipelineBuilder& b) {
    std::vector<int> all;
    for (int s = 0; s < static_cast<int>(b.pipeline.slots.size()); ++s) {
      if (s != row_slot_) all.push_back(s);  // backends number the rows of a build as they like
    }
    if (row_slot_ >= 0 && chance(2)) {
      add_aggregation(b);
    } else if (chance(3)) {
      b.pipeline.sink = Result{all};
    } else if (chance(3)) {
      Sort sort;
      for (const int slot : all) {
        if (b.pipeline.slots[static_cast<std::size_t>(slot)].lane == Lane::kInt64) {
          sort.keys.push_back(combine(NodeKind::kOrElse, Lane::kInt64, {b.at(slot), b.literal(-7)}));
        }
      }
      for (const int slot : all) {
        if (b.pipeline.slots[static_cast<std::size_t>(slot)].lane == Lane::kInt64) sort.output.push_back(slot);
      }
      b.pipeline.sink = sort;
    } else {
      add_aggregation(b);
    }
  }

  void add_aggregation(PipelineBuilder& b) {
    Aggregation sink;
    sink.layout = std::vector{Aggregation::Layout::kSingle, Aggregation::Layout::kPerfect,
                              Aggregation::Layout::kHash}[static_cast<std::size_t>(pick(3))];
    if (row_slot_ >= 0 && chance(2)) {
      sink.layout = Aggregation::Layout::kBuildRow;
      sink.build = 0;
      sink.keys = {b.at(row_slot_)};
    } else if (sink.layout == Aggregation::Layout::kHash) {
      for (std::int64_t n = 1 + pick(3); n > 0; --n) sink.keys.push_back(key(b));
    } else if (sink.layout == Aggregation::Layout::kPerfect) {
      for (std::int64_t n = 1 + pick(2); n > 0; --n) {
        sink.keys.push_back(call(FunctionId::modulo_i64, {key(b), b.literal(5)}));
        sink.key_bounds.push_back({-4, 4});
      }
      sink.groups = sink.keys.size() == 1 ? 9 : 81;
    }
    sink.aggregates = {{AggregateFunction::kCountStar, Lane::kInt64, {}}};
    sink.presence = 0;
    using A = AggregateFunction;
    sink.aggregates.push_back({A::kSum, Lane::kInt128, {leaf(b, Lane::kInt64)}});
    sink.aggregates.push_back({A::kMin, Lane::kInt64, {leaf(b, Lane::kInt64)}});
    sink.aggregates.push_back({A::kMax, Lane::kFloat64, {leaf(b, Lane::kFloat64)}});
    sink.aggregates.push_back({A::kMax, Lane::kInt128, {leaf(b, Lane::kInt128)}});
    sink.aggregates.push_back({A::kCount, Lane::kInt64, {value(b, Lane::kInt64, 2)}});
    b.pipeline.sink = sink;
  }

  std::mt19937_64 random_;
  Fixture& fixture_;
  int row_slot_ = -1;
};

std::optional<std::vector<CellRow>> rows_or_error(const std::function<std::vector<CellRow>()>& run, std::string& state) {
  try {
    return run();
  } catch (const Error& error) {
    state = error.sqlstate();
    return std::nullopt;
  }
}

TEST(RandomPlans, GiveTheOraclesRowsOrAnErrorWhereItDoes) {
  int compared = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    Fixture fixture;
    const Plan plan = RandomPlan(seed, fixture).make();
    std::string expected_state;
    const auto expected = rows_or_error([&] { return Oracle(plan, fixture).run(); }, expected_state);
    const int threads = static_cast<int>(1 + seed % 4);
    std::string state;
    const auto actual = rows_or_error([&] { return fixture.run(plan, threads); }, state);
    ASSERT_EQ(actual.has_value(), expected.has_value())
        << "seed " << seed << ": '" << state << "' and '" << expected_state << "'";
    if (!actual) {
      ASSERT_EQ(state.substr(0, 2), "22") << "seed " << seed;
      continue;
    }
    ++compared;
    ASSERT_TRUE(in_order(*actual) == in_order(*expected)) << "seed " << seed;
    ASSERT_EQ(fixture.pool.used(), 0) << "seed " << seed;
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace saccade::cpu_test
