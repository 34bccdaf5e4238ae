// Every registered scalar function on its edge values: what a kernel computes is, bit for bit, what the host's function
// computes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "unit/gpu/device_run.hpp"
#include "unit/gpu/plans.hpp"

namespace saccade::test {
namespace {

constexpr std::size_t kFunctionsAKernel = 8;
constexpr std::size_t kFailuresTried = 6;

using Tuple = std::vector<LaneValue>;

// One call: arguments (null: the k-th), and what the host makes of it.
struct Call {
  Tuple arguments;
  int null_argument = -1;
  LaneValue result;
  FunctionError error = FunctionError::kNone;
};

bool fits_30_bits(const Tuple& tuple) {
  for (const LaneValue& value : tuple) {
    if (value.lane == Lane::kInt64 && (value.int64 <= -(i64{1} << 30) || value.int64 >= i64{1} << 30)) return false;
  }
  return true;
}

// Its power of ten is a literal: never NULL, and never 0, not even where no row is.
bool rescales(const ScalarFunction& function) {
  return function.id == FunctionId::round_down_scale_i64 || function.id == FunctionId::round_down_scale_i128 ||
         function.id == FunctionId::truncate_scale_i128 || function.id == FunctionId::floor_scale_i128 ||
         function.id == FunctionId::ceiling_scale_i128;
}

std::vector<Call> calls_of(const ScalarFunction& function, bool narrow) {
  std::vector<Call> calls;
  for (const Tuple& tuple : edge_arguments(function)) {
    if (narrow && !fits_30_bits(tuple)) continue;
    Call made{tuple, -1, {}, FunctionError::kNone};
    made.result = call(function.id, tuple, made.error);
    calls.push_back(made);
  }
  const Call first = calls.front();
  for (int i = 0; i < (rescales(function) ? 1 : function.argument_count); ++i) {
    calls.push_back(first);
    calls.back().null_argument = i;
    calls.back().error = FunctionError::kNone;
  }
  return calls;
}

Encoding encoding_of(Lane lane, bool narrow) {
  if (lane == Lane::kBoolean) return {Form::kNarrowed, 1};
  if (lane == Lane::kInt128) return {Form::kPlain, 16};
  return lane == Lane::kInt64 && narrow ? Encoding{Form::kNarrowed, 4} : Encoding{Form::kPlain, 8};
}

// Row r holds the r-th call of each function: its arguments, and whether the function is to be called.
class Kernel {
 public:
  Kernel(std::vector<ScalarFunction> functions, bool narrow) : functions_(std::move(functions)), narrow_(narrow) {
    for (const ScalarFunction& function : functions_) calls_.push_back(calls_of(function, narrow));
  }

  // Calls that do not fail, all at once.
  void expect_values(DeviceRun& run) const {
    std::size_t rows = 0;
    for (const auto& calls : calls_) rows = std::max(rows, calls.size());
    const RowSet& result = evaluate(run, rows, [&](std::size_t function, std::size_t row) {
      return row < calls_[function].size() && calls_[function][row].error == FunctionError::kNone;
    });
    for (std::int64_t at = 0; at < result.rows; ++at) {
      const auto r = static_cast<std::size_t>(result.columns.back().as<std::int64_t>()[at]);  // rows come in any order
      for (std::size_t f = 0; f < functions_.size(); ++f) {
        if (r >= calls_[f].size() || calls_[f][r].error != FunctionError::kNone) continue;
        const Call& made = calls_[f][r];
        const Cell value = cell_at(result.columns[f], at);
        ASSERT_EQ(value.null, made.null_argument >= 0) << functions_[f].name << " call " << r;
        if (!value.null) {
          ASSERT_TRUE(same(lane_value(value, functions_[f].result), made.result)) << functions_[f].name << " call " << r;
        }
      }
    }
  }

  // Calls that fail, one after the other: the host's error comes out, or, behind a condition that is false, none.
  void expect_errors(DeviceRun& run) const {
    for (std::size_t f = 0; f < functions_.size(); ++f) {
      std::size_t tried = 0;
      for (std::size_t r = 0; r < calls_[f].size() && tried < kFailuresTried; ++r) {
        if (calls_[f][r].error == FunctionError::kNone) continue;
        ++tried;
        try {
          evaluate(run, r + 1, [&](std::size_t function, std::size_t row) { return function == f && row == r; });
          ADD_FAILURE() << functions_[f].name << " call " << r << " did not fail";
        } catch (const Error& error) {
          EXPECT_STREQ(error.what(), to_error(calls_[f][r].error).what()) << functions_[f].name << " call " << r;
        }
      }
      EXPECT_EQ(tried > 0, functions_[f].can_fail) << functions_[f].name;
    }
  }

 private:
  using Called = std::function<bool(std::size_t function, std::size_t row)>;

  ArrayColumn argument_column(std::size_t function, int argument, std::size_t rows) const {
    const Lane lane = functions_[function].arguments[static_cast<std::size_t>(argument)];
    ArrayColumn column;
    column.name = fmt::format("x{}_{}", function, argument);
    column.type = {lane == Lane::kBoolean   ? TypeKind::kBoolean
                   : lane == Lane::kFloat64 ? TypeKind::kDouble
                                            : TypeKind::kBigint};
    column.lane = lane;
    column.encoding = encoding_of(lane, narrow_);
    column.base = lane == Lane::kInt64 && narrow_ ? -(std::int64_t{1} << 30) + 1 : 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto& calls = calls_[function];
      const Call& made = calls[std::min(row, calls.size() - 1)];
      column.cells.push_back(made.null_argument == argument ? null_cell()
                                                            : cell_of(made.arguments[static_cast<std::size_t>(argument)]));
    }
    return column;
  }

  const RowSet& evaluate(DeviceRun& run, std::size_t rows, const Called& called) const {
    std::vector<ArrayColumn> columns;
    for (std::size_t f = 0; f < functions_.size(); ++f) {
      for (int i = 0; i < functions_[f].argument_count; ++i) columns.push_back(argument_column(f, i, rows));
      ArrayColumn flag{fmt::format("called{}", f), {TypeKind::kBoolean}, Lane::kBoolean, {Form::kNarrowed, 1}, 0, {}, 0};
      for (std::size_t row = 0; row < rows; ++row) flag.cells.push_back(cell(called(f, row) ? 1 : 0));
      columns.push_back(std::move(flag));
    }
    ArrayColumn numbers{"row", {TypeKind::kBigint}, Lane::kInt64, {Form::kPlain, 8}, 0, {}, 0};
    for (std::size_t row = 0; row < rows; ++row) numbers.cells.push_back(cell(static_cast<int128>(row)));
    columns.push_back(std::move(numbers));
    const auto table =
        std::make_shared<ArrayTable>("calls", std::move(columns), std::vector<std::int64_t>{static_cast<std::int64_t>(rows)});
    plan_ = {};
    PipelineBuilder p(plan_);
    p.scan(*table);
    declare_bounds(p);
    std::vector<std::string> names;
    for (std::size_t f = 0; f < functions_.size(); ++f) {
      std::vector<physical::Node> arguments;
      for (int i = 0; i < functions_[f].argument_count; ++i) {
        arguments.push_back(p.node(fmt::format("x{}_{}", f, i)));
      }
      if (rescales(functions_[f])) {
        const Lane lane = functions_[f].arguments[1];
        arguments[1] = PipelineBuilder::combine(physical::NodeKind::kCase, lane,
                                                {p.node(fmt::format("called{}", f)), arguments[1], p.literal(lane, cell(1))});
      }
      names.push_back(fmt::format("f{}", f));
      p.compute(names.back(), PipelineBuilder::combine(physical::NodeKind::kCase, functions_[f].result,
                                                       {p.node(fmt::format("called{}", f)),
                                                        PipelineBuilder::call(functions_[f].id, std::move(arguments)),
                                                        p.literal(functions_[f].result, null_cell())}));
    }
    p.declare("row", false, std::nullopt);
    names.emplace_back("row");
    p.result(names);
    outputs_ = run.run(plan_, {{"calls", table}});
    return outputs_[0]->host_rows();
  }

  // The same whatever rows a run holds: one text for all runs.
  void declare_bounds(PipelineBuilder& p) const {
    for (std::size_t f = 0; f < functions_.size(); ++f) {
      for (int i = 0; i < functions_[f].argument_count; ++i) {
        const bool integer = functions_[f].arguments[static_cast<std::size_t>(i)] == Lane::kInt64;
        p.declare(
            fmt::format("x{}_{}", f, i), true,
            integer && narrow_ ? std::optional<Bounds>(Bounds{1 - (int128{1} << 30), (int128{1} << 30) - 1}) : std::nullopt);
      }
    }
  }

  std::vector<ScalarFunction> functions_;
  bool narrow_;
  std::vector<std::vector<Call>> calls_;
  mutable physical::Plan plan_;
  mutable std::vector<std::shared_ptr<PipelineOutput>> outputs_;
};

// Functions of one signature together, some to a kernel.
std::vector<std::vector<ScalarFunction>> kernels(bool narrow) {
  std::map<std::vector<int>, std::vector<ScalarFunction>> by_signature;
  for (const ScalarFunction& function : scalar_functions()) {
    std::vector<int> signature;
    bool integers = false;
    for (int i = 0; i < function.argument_count; ++i) {
      signature.push_back(static_cast<int>(function.arguments[static_cast<std::size_t>(i)]));
      integers = integers || function.arguments[static_cast<std::size_t>(i)] == Lane::kInt64;
    }
    if (!narrow || integers) by_signature[signature].push_back(function);
  }
  std::vector<std::vector<ScalarFunction>> result;
  for (const auto& [signature, functions] : by_signature) {
    for (std::size_t done = 0; done < functions.size(); done += kFunctionsAKernel) {
      const auto first = functions.begin() + static_cast<std::ptrdiff_t>(done);
      result.emplace_back(first, first + static_cast<std::ptrdiff_t>(std::min(kFunctionsAKernel, functions.size() - done)));
    }
  }
  return result;
}

TEST(Parity, EveryFunctionOnEdgeValues) {
  DeviceRun run;
  for (const std::vector<ScalarFunction>& functions : kernels(false)) {
    const Kernel kernel(functions, false);
    kernel.expect_values(run);
    kernel.expect_errors(run);
  }
}

// Integers of 30 bits are carried in 32.
TEST(Parity, EveryFunctionOnNarrowIntegers) {
  DeviceRun run;
  for (const std::vector<ScalarFunction>& functions : kernels(true)) Kernel(functions, true).expect_values(run);
}

}  // namespace
}  // namespace saccade::test
