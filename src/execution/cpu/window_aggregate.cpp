#include "execution/cpu/window_aggregate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/error.hpp"
#include "execution/cpu/text_order.hpp"

namespace saccade::cpu {
namespace {

using physical::AggregateFunction;

constexpr std::int64_t kTaskRows = 1 << 15;
constexpr std::int64_t kCheckRows = 1 << 12;

// ---- differences of running totals ---------------------------------------------------------------------------------------

// Totals wrap around; the planner has proven that every difference fits, so it is right all the same.
template <class State>
using Wrapping = std::conditional_t<std::is_same_v<State, int128>, unsigned __int128, std::uint64_t>;

template <class State, class Value>
LaneColumn totals(Lane lane, const Value& value, const FrameBounds& frame, const WindowRows& rows, const PipelineRun& run) {
  const std::int64_t n = rows.rows();
  using Total = Wrapping<State>;
  const auto running = Buffer::allocate((n + 1) * static_cast<std::int64_t>(sizeof(State)), run.memory());
  auto* total = running->template as<Total>();
  total[0] = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (i % kTaskRows == 0) run.check_cancelled();
    total[i + 1] = total[i] + static_cast<Total>(value(i));
  }
  std::shared_ptr<Buffer> states = Buffer::allocate(n * static_cast<std::int64_t>(sizeof(State)), run.memory());
  auto* out = states->template as<State>();
  run.for_each_range(n, kTaskRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if ((i - begin) % kCheckRows == 0) run.check_cancelled();
      const FrameRanges ranges = frame.ranges(i);
      Total sum = 0;
      for (int r = 0; r < ranges.count; ++r) {
        const RowRange& range = ranges.ranges[static_cast<std::size_t>(r)];
        sum += total[range.end] - total[range.begin];
      }
      out[i] = static_cast<State>(sum);
    }
  });
  return {lane, states, nullptr};
}

LaneColumn row_counts(const FrameBounds& frame, const WindowRows& rows, const PipelineRun& run) {
  std::shared_ptr<Buffer> states = Buffer::allocate(rows.rows() * 8, run.memory());
  auto* out = states->as<std::int64_t>();
  run.for_each_range(rows.rows(), kTaskRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if ((i - begin) % kCheckRows == 0) run.check_cancelled();
      out[i] = frame.ranges(i).rows();
    }
  });
  return {Lane::kInt64, states, nullptr};
}

// ---- states that can't be taken back ----------------------------------------------------------------------------------------

// NaN is the largest double.
bool less(double a, double b) {
  if (std::isnan(b)) return !std::isnan(a);
  return a < b;
}
bool less(std::int64_t a, std::int64_t b) {
  return a < b;
}
bool less(int128 a, int128 b) {
  return a < b;
}

template <class T>
T largest() {
  if constexpr (std::is_same_v<T, double>) return std::numeric_limits<double>::quiet_NaN();
  if constexpr (std::is_same_v<T, int128>) return kInt128Max;
  if constexpr (std::is_same_v<T, std::int64_t>) return INT64_MAX;
}

template <class T>
T smallest() {
  if constexpr (std::is_same_v<T, double>) return -std::numeric_limits<double>::infinity();
  if constexpr (std::is_same_v<T, int128>) return kInt128Min;
  if constexpr (std::is_same_v<T, std::int64_t>) return INT64_MIN;
}

template <class T>
struct Minimum {
  using State = T;
  static T identity() { return largest<T>(); }
  static T merge(T a, T b) { return less(b, a) ? b : a; }
};

template <class T>
struct Maximum {
  using State = T;
  static T identity() { return smallest<T>(); }
  static T merge(T a, T b) { return less(a, b) ? b : a; }
};

struct FloatSum {
  using State = double;
  static double identity() { return 0; }
  static double merge(double a, double b) { return a + b; }
};

// Levels of partial states: entry e of level l covers rows [e * 16^l, (e + 1) * 16^l).
template <class Operator>
class StateTree {
 public:
  using State = typename Operator::State;

  StateTree(const LaneColumn& argument, std::int64_t rows, const PipelineRun& run) {
    add_level(rows, run);
    State* leaves = levels_[0]->template as<State>();
    run.for_each_range(rows, kTaskRows, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        leaves[i] = argument.is_valid(i) ? argument.as<State>()[i] : Operator::identity();
    });
    for (std::int64_t below = rows; below > 1;) {
      const std::int64_t entries = (below + kFanOut - 1) / kFanOut;
      const State* from = levels_.back()->template as<State>();
      add_level(entries, run);
      State* to = levels_.back()->template as<State>();
      run.for_each_range(entries, kTaskRows, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t e = begin; e < end; ++e) to[e] = fold(from, e * kFanOut, std::min(below, (e + 1) * kFanOut));
      });
      below = entries;
    }
  }

  State over(RowRange range) const {
    State state = Operator::identity();
    std::int64_t begin = range.begin, end = range.end;
    for (std::size_t l = 0; begin < end; ++l) {
      const State* level = levels_[l]->template as<State>();
      const std::int64_t inner_begin = (begin + kFanOut - 1) / kFanOut, inner_end = end / kFanOut;
      if (inner_begin >= inner_end) return Operator::merge(state, fold(level, begin, end));
      state = Operator::merge(state, fold(level, begin, inner_begin * kFanOut));
      state = Operator::merge(state, fold(level, inner_end * kFanOut, end));
      begin = inner_begin;
      end = inner_end;
    }
    return state;
  }

 private:
  static constexpr std::int64_t kFanOut = 16;

  void add_level(std::int64_t entries, const PipelineRun& run) {
    levels_.push_back(Buffer::allocate(entries * static_cast<std::int64_t>(sizeof(State)), run.memory()));
  }

  static State fold(const State* states, std::int64_t begin, std::int64_t end) {
    State state = Operator::identity();
    for (std::int64_t i = begin; i < end; ++i) state = Operator::merge(state, states[i]);
    return state;
  }

  std::vector<std::unique_ptr<Buffer>> levels_;
};

template <class Operator>
LaneColumn from_tree(const LaneColumn& argument, const FrameBounds& frame, const WindowRows& rows, const PipelineRun& run) {
  using State = typename Operator::State;
  const StateTree<Operator> tree(argument, rows.rows(), run);
  std::shared_ptr<Buffer> states = Buffer::allocate(rows.rows() * static_cast<std::int64_t>(sizeof(State)), run.memory());
  State* out = states->template as<State>();
  run.for_each_range(rows.rows(), kTaskRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if ((i - begin) % kCheckRows == 0) run.check_cancelled();
      const FrameRanges ranges = frame.ranges(i);
      State state = Operator::identity();
      for (int r = 0; r < ranges.count; ++r)
        state = Operator::merge(state, tree.over(ranges.ranges[static_cast<std::size_t>(r)]));
      out[i] = state;
    }
  });
  return {argument.lane, states, nullptr};
}

// Frames from the start of the partition on: the state goes along with the end.
template <class Operator>
void carry_on(const LaneColumn& argument, const FrameBounds& frame, RowRange partition, typename Operator::State* out,
              const PipelineRun& run) {
  using State = typename Operator::State;
  State state = Operator::identity();
  std::int64_t taken = partition.begin;
  for (std::int64_t i = partition.begin; i < partition.end; ++i) {
    if ((i - partition.begin) % kCheckRows == 0) run.check_cancelled();
    const std::int64_t end = frame.whole(i).end;
    if (end < taken) {  // infinite distances from infinite keys
      state = Operator::identity();
      taken = partition.begin;
    }
    for (; taken < end; ++taken) {
      if (argument.is_valid(taken)) state = Operator::merge(state, argument.as<State>()[taken]);
    }
    out[i] = state;
  }
}

template <class Operator>
LaneColumn carried_on(const LaneColumn& argument, const FrameBounds& frame, const WindowRows& rows, const PipelineRun& run) {
  using State = typename Operator::State;
  std::shared_ptr<Buffer> states = Buffer::allocate(rows.rows() * static_cast<std::int64_t>(sizeof(State)), run.memory());
  State* out = states->template as<State>();
  // Small partitions share a task.
  std::vector<std::int64_t> tasks;
  for (std::int64_t p = 0; p < rows.partitions(); ++p) {
    if (tasks.empty() || rows.partition_begin(p) - rows.partition_begin(tasks.back()) >= kTaskRows) tasks.push_back(p);
  }
  tasks.push_back(rows.partitions());
  run.for_each_task(static_cast<std::int64_t>(tasks.size()) - 1, rows.rows(), [&](std::int64_t t) {
    const auto task = static_cast<std::size_t>(t);
    for (std::int64_t p = tasks[task]; p < tasks[task + 1]; ++p)
      carry_on<Operator>(argument, frame, {rows.partition_begin(p), rows.partition_begin(p + 1)}, out, run);
  });
  return {argument.lane, states, nullptr};
}

template <class Operator>
LaneColumn merged(const LaneColumn& argument, const FrameBounds& frame, const WindowRows& rows, const PipelineRun& run) {
  if (frame.grows()) return carried_on<Operator>(argument, frame, rows, run);
  return from_tree<Operator>(argument, frame, rows, run);
}

// By the ranks of the strings; a frame without one has no value.
template <class Operator>
LaneColumn text_extremes(const LaneColumn& argument, const FrameBounds& frame, const WindowRows& rows, const PipelineRun& run) {
  LaneColumn ranks = rank_texts(argument, rows.rows(), false, run);
  ranks.valid = argument.valid;
  const LaneColumn states = merged<Operator>(ranks, frame, rows, run);
  const auto by_rank = Buffer::allocate_zeroed(rows.rows() * 8, run.memory());
  std::int64_t known = 0;  // ranks with a string
  for (std::int64_t i = 0; i < rows.rows(); ++i) {
    if (!argument.is_valid(i)) continue;
    const std::int64_t rank = ranks.as<std::int64_t>()[i];
    by_rank->as<TextValue>()[rank] = argument.as<TextValue>()[i];
    known = std::max(known, rank + 1);
  }
  std::shared_ptr<Buffer> texts = Buffer::allocate(rows.rows() * 8, run.memory());
  for (std::int64_t i = 0; i < rows.rows(); ++i) {
    const std::int64_t rank = states.as<std::int64_t>()[i];
    texts->as<TextValue>()[i] = rank >= 0 && rank < known ? by_rank->as<TextValue>()[rank] : TextValue();
  }
  return {Lane::kText, std::move(texts), nullptr};
}

template <template <class> class Operator>
LaneColumn extremes(const LaneColumn& argument, const FrameBounds& frame, const WindowRows& rows, const PipelineRun& run) {
  switch (argument.lane) {
    case Lane::kInt64:
      return merged<Operator<std::int64_t>>(argument, frame, rows, run);
    case Lane::kInt128:
      return merged<Operator<int128>>(argument, frame, rows, run);
    case Lane::kFloat64:
      return merged<Operator<double>>(argument, frame, rows, run);
    case Lane::kText:
      return text_extremes<Operator<std::int64_t>>(argument, frame, rows, run);
    default:
      raise_internal("a minimum or maximum over numbers", __FILE__, __LINE__);
  }
}

template <class State, class Argument>
LaneColumn exact_sums(const LaneColumn& argument, Lane state, const FrameBounds& frame, const WindowRows& rows,
                      const PipelineRun& run) {
  const auto* values = argument.as<Argument>();
  const auto value = [&](std::int64_t i) { return argument.is_valid(i) ? static_cast<State>(values[i]) : State{0}; };
  return totals<State>(state, value, frame, rows, run);
}

LaneColumn sums(const physical::Aggregate& aggregate, const LaneColumn& argument, const FrameBounds& frame,
                const WindowRows& rows, const PipelineRun& run) {
  if (aggregate.state == Lane::kFloat64) {
    SACCADE_CHECK(argument.lane == Lane::kFloat64);
    return merged<FloatSum>(argument, frame, rows, run);
  }
  if (aggregate.state == Lane::kInt64) {
    SACCADE_CHECK(argument.lane == Lane::kInt64);
    return exact_sums<std::int64_t, std::int64_t>(argument, aggregate.state, frame, rows, run);
  }
  SACCADE_CHECK(aggregate.state == Lane::kInt128);
  if (argument.lane == Lane::kInt64) return exact_sums<int128, std::int64_t>(argument, aggregate.state, frame, rows, run);
  SACCADE_CHECK(argument.lane == Lane::kInt128);
  return exact_sums<int128, int128>(argument, aggregate.state, frame, rows, run);
}

}  // namespace

LaneColumn frame_states(const physical::Aggregate& aggregate, const LaneColumn* argument, const FrameBounds& frame,
                        const WindowRows& rows, const PipelineRun& run) {
  if (aggregate.function == AggregateFunction::kCountStar) return row_counts(frame, rows, run);
  SACCADE_CHECK(argument != nullptr);
  switch (aggregate.function) {
    case AggregateFunction::kCount: {
      const auto counts = [&](std::int64_t i) { return std::int64_t{argument->is_valid(i) ? 1 : 0}; };
      return totals<std::int64_t>(Lane::kInt64, counts, frame, rows, run);
    }
    case AggregateFunction::kSum:
      return sums(aggregate, *argument, frame, rows, run);
    case AggregateFunction::kMin:
      return extremes<Minimum>(*argument, frame, rows, run);
    case AggregateFunction::kMax:
      return extremes<Maximum>(*argument, frame, rows, run);
    default:
      raise_internal("a known aggregate", __FILE__, __LINE__);
  }
}

}  // namespace saccade::cpu
