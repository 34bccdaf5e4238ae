// Aggregations: where states live while the kernel runs, and how rows are added to them.
#include <fmt/format.h>

#include <algorithm>

#include "execution/gpu/operators/operators.hpp"

namespace saccade::gpu {

namespace {

using physical::Aggregate;
using physical::AggregateFunction;
using physical::Aggregation;

// Bytes of shared memory: a thread's copies of all states, so that two blocks of 256 threads fit every multiprocessor; and a
// block's one copy.
constexpr std::int64_t kThreadStateBytes = 384;
constexpr std::int64_t kBlockStateBytes = 32 * 1024;
// A thread sums at most 2^24 rows (checked at the launch): values below this fit its 64-bit share of a 128-bit sum.
constexpr int128 kPartialLimit = int128{1} << 39;

struct PrintedAggregate {
  std::string name;      // sum_0
  std::string argument;  // "a.sum_0"
  std::string op;        // Sum<i64>
  std::string value;     // what is added
  int words = 1;         // of 8 bytes, of the kernel's own copy
};

bool is_count(const Aggregate& aggregate) {
  return aggregate.function == AggregateFunction::kCountStar || aggregate.function == AggregateFunction::kCount;
}

std::string op_of(const KernelWriter& writer, const Aggregate& aggregate, const Printed& value) {
  const bool wide = aggregate.state == Lane::kInt128;
  if (is_count(aggregate)) return "Sum<i64>";
  if (aggregate.function != AggregateFunction::kSum) {
    return fmt::format("{}<{}>", aggregate.function == AggregateFunction::kMin ? "Min" : "Max", wide ? "i128" : "i64");
  }
  if (aggregate.state == Lane::kFloat64) return "Sum<double>";
  const bool partial =
      value.bounds && value.bounds->low > -kPartialLimit && value.bounds->high < kPartialLimit && !writer.nested();
  return wide && !partial ? "Sum<i128>" : "Sum<i64>";
}

int128 largest_of(Lane lane) {
  return lane == Lane::kInt128 ? kInt128Max : int128{INT64_MAX};
}

// Of a float64 the ordered bits: a minimum starts at NaN, a maximum at -infinity.
EmittedState state_of(const Aggregate& aggregate) {
  EmittedState state;
  const bool sum = aggregate.function == AggregateFunction::kSum || is_count(aggregate);
  state.item = is_count(aggregate) ? Item::kInt64 : item_of(aggregate.state);
  if (sum) return state;
  if (state.item == Item::kBoolean) {
    throw Error(sqlstate::kFeatureNotSupported, "the GPU has no minimum or maximum of booleans", 0, "SET device = cpu.");
  }
  constexpr std::int64_t kOrderedMinusInfinity = -0x7ff0000000000001;
  state.ordered = aggregate.state == Lane::kFloat64;
  state.locked = aggregate.state == Lane::kInt128;
  const bool minimum = aggregate.function == AggregateFunction::kMin;
  state.identity = minimum         ? largest_of(aggregate.state)
                   : state.ordered ? kOrderedMinusInfinity
                                   : -largest_of(aggregate.state) - 1;
  return state;
}

PrintedAggregate print_aggregate(KernelWriter& writer, const Aggregate& aggregate, int index) {
  Printed value{"true", Item::kBoolean, false, std::nullopt};
  if (!aggregate.argument.empty()) value = writer.value(aggregate.argument[0]);
  PrintedAggregate printed;
  printed.op = op_of(writer, aggregate, value);
  printed.words = printed.op.ends_with("<i128>") ? 2 : 1;
  const EmittedState state = state_of(aggregate);
  printed.value = state.ordered         ? "ordered(" + value.text + ")"
                  : is_count(aggregate) ? fmt::format("ones({})", value.text)
                                        : value.text;
  const char* kind = is_count(aggregate)                             ? "count"
                     : aggregate.function == AggregateFunction::kSum ? "sum"
                     : aggregate.function == AggregateFunction::kMin ? "min"
                                                                     : "max";
  printed.name = writer.unique_name(fmt::format("{}_{}", kind, index));
  printed.argument = writer.argument({.kind = ArgumentKind::kState,
                                      .index = index,
                                      .type = fmt::format("States<{}>", state.ordered ? "i64" : item_type(state.item)),
                                      .name = printed.name,
                                      .comment = {},
                                      .bytes = 16});
  writer.kernel().states.push_back(state);
  return printed;
}

std::vector<PrintedAggregate> print_aggregates(KernelWriter& writer, const Aggregation& aggregation) {
  std::vector<PrintedAggregate> printed;
  for (std::size_t i = 0; i < aggregation.aggregates.size(); ++i) {
    printed.push_back(print_aggregate(writer, aggregation.aggregates[i], static_cast<int>(i)));
  }
  return printed;
}

void emit_single(KernelWriter& writer, const std::vector<PrintedAggregate>& aggregates, const Aggregation& aggregation) {
  for (std::size_t i = 0; i < aggregates.size(); ++i) {
    const PrintedAggregate& aggregate = aggregates[i];
    const bool count = is_count(aggregation.aggregates[i]);
    writer.before(fmt::format("{} {};", count ? "SingleCount" : "Single<" + aggregate.op + ">", aggregate.name));
    writer.line(fmt::format("{}.add(tile, {});", aggregate.name, aggregate.value),
                i == 0 ? "aggregate: one group, in registers" : "");
    writer.after(fmt::format("{}.finish({});", aggregate.name, aggregate.argument));
  }
}

void emit_thread_groups(KernelWriter& writer, const std::vector<PrintedAggregate>& aggregates, const std::string& group,
                        std::int64_t groups) {
  int words = 0, at = 0;
  for (const PrintedAggregate& aggregate : aggregates) words += aggregate.words;
  writer.kernel().shared_words_per_thread = (groups + 1) * words;
  writer.before(fmt::format("ThreadGroups<{}> groups(a.groups);", words),
                "aggregate: a few groups, a copy a thread in shared memory");
  writer.line(fmt::format("auto cells = groups.cells(tile, {});", group), "aggregate");
  for (const PrintedAggregate& aggregate : aggregates) {
    writer.before(fmt::format("ThreadStates<{}, {}, {}> {}(groups);", aggregate.op, words, at, aggregate.name));
    writer.line(fmt::format("{}.add(cells, {});", aggregate.name, aggregate.value));
    writer.after((at == 0 ? "groups.ready();\n  " : "") + fmt::format("{}.finish({});", aggregate.name, aggregate.argument));
    at += aggregate.words;
  }
}

void emit_block_groups(KernelWriter& writer, const std::vector<PrintedAggregate>& aggregates, const std::string& group,
                       std::int64_t groups) {
  writer.line(fmt::format("auto group = {};", group), "aggregate: groups in shared memory");
  std::int64_t words = 0;
  for (const int size : {2, 1}) {  // states of 16 bytes first: they stay aligned
    for (const PrintedAggregate& aggregate : aggregates) {
      if (aggregate.words != size) continue;
      writer.before(fmt::format("BlockStates<{}> {}(a.groups, {});", aggregate.op, aggregate.name, words));
      writer.line(fmt::format("tile.add<{}>({}.states(), group, {});", aggregate.op, aggregate.name, aggregate.value));
      writer.after((words == 0 ? "block_ready();\n  " : "") +
                   fmt::format("{}.finish({});", aggregate.name, aggregate.argument));
      words += groups * size;
    }
  }
  writer.before("block_ready();");
  writer.kernel().shared_words = words;
}

void emit_global_groups(KernelWriter& writer, const std::vector<PrintedAggregate>& aggregates, const std::string& group,
                        const std::string& comment) {
  bool first = true;
  for (const PrintedAggregate& aggregate : aggregates) {
    writer.line(fmt::format("tile.add<{}>({}, {}, {});", aggregate.op, aggregate.argument, group, aggregate.value),
                first ? comment : "");
    first = false;
  }
}

// "group_of(a.keys, l_returnflag, l_linestatus)", in 32 bits where keys and groups have 30.
std::string perfect_group(KernelWriter& writer, const Aggregation& aggregation, const std::vector<Printed>& keys) {
  bool narrow = aggregation.groups < (std::int64_t{1} << 30);
  std::string list;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    narrow = narrow && keys[i].item == Item::kInt && is_narrow(aggregation.key_bounds.at(i));
    list += ", " + keys[i].text;
  }
  const std::string argument =
      writer.argument({.kind = ArgumentKind::kGroupNumbers,
                       .type = fmt::format("GroupNumbers<{}, {}>", narrow ? "int" : "i64", keys.size()),
                       .name = "numbers",
                       .comment = "lows and strides of the keys",
                       .bytes = static_cast<std::int64_t>(keys.size()) * (narrow ? 8 : 16)});
  return fmt::format("group_of({}{})", argument, list);
}

void emit_perfect(KernelWriter& writer, const Aggregation& aggregation, const std::vector<Printed>& keys,
                  const std::vector<PrintedAggregate>& aggregates) {
  const std::string group = perfect_group(writer, aggregation, keys);
  std::int64_t words = 0;
  for (const PrintedAggregate& aggregate : aggregates) words += aggregate.words;
  const bool locked = std::any_of(writer.kernel().states.begin(), writer.kernel().states.end(),
                                  [](const EmittedState& state) { return state.locked; });
  if (aggregation.groups < 1024 && (aggregation.groups + 1) * words * 8 <= kThreadStateBytes) {
    writer.kernel().strategy = GroupStrategy::kThread;
  } else if (!locked && aggregation.groups < 65536 && aggregation.groups * words * 8 <= kBlockStateBytes) {
    writer.kernel().strategy = GroupStrategy::kBlock;
  } else {
    writer.line(fmt::format("auto group = {};", group), "aggregate: groups by number");
    emit_global_groups(writer, aggregates, "group", "");
    return;
  }
  writer.argument({.kind = ArgumentKind::kGroups, .type = "int", .name = "groups", .comment = {}, .bytes = 4, .alignment = 4});
  if (writer.kernel().strategy == GroupStrategy::kThread) {
    emit_thread_groups(writer, aggregates, group, aggregation.groups);
  } else {
    emit_block_groups(writer, aggregates, group, aggregation.groups);
  }
}

void emit_hash_groups(KernelWriter& writer, const std::vector<Printed>& keys, const std::vector<PrintedAggregate>& aggregates) {
  std::string list;
  for (const Printed& key : keys) list += ", " + key.text;
  const std::string table = writer.argument({.kind = ArgumentKind::kGroupTable,
                                             .type = fmt::format("GroupTable<{}>", keys.size()),
                                             .name = "table",
                                             .comment = {},
                                             .bytes = 32 + 8 * static_cast<std::int64_t>(keys.size())});
  writer.before("u64 spare = 0;");
  writer.line(fmt::format("auto group = find_groups(tile, {}, spare{});", table, list), "aggregate: groups by hash");
  emit_global_groups(writer, aggregates, "group", "");
}

}  // namespace

void emit_aggregation(KernelWriter& writer, const Aggregation& aggregation) {
  std::vector<Printed> keys;
  for (const physical::Node& key : aggregation.keys) keys.push_back(writer.value(key));
  const std::vector<PrintedAggregate> aggregates = print_aggregates(writer, aggregation);
  writer.kernel().strategy = GroupStrategy::kGlobal;
  switch (aggregation.layout) {
    case Aggregation::Layout::kSingle:
      writer.kernel().strategy = GroupStrategy::kSingle;
      return emit_single(writer, aggregates, aggregation);
    case Aggregation::Layout::kPerfect:
      return emit_perfect(writer, aggregation, keys, aggregates);
    case Aggregation::Layout::kBuildRow:
      return emit_global_groups(writer, aggregates, keys.at(0).text, "aggregate by build row: one atomic a run of equal rows");
    case Aggregation::Layout::kHash:
      return emit_hash_groups(writer, keys, aggregates);
  }
}

}  // namespace saccade::gpu
