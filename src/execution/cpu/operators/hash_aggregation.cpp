// Each worker aggregates into a table of its own that stays in the cache. A full table is dealt into partitions of the hash (a
// Run) and started again; at the end the workers merge one partition each, so that many groups cost two passes over memory, and
// few groups cost next to nothing.
#include "execution/cpu/operators/hash_aggregation.hpp"

#include "common/error.hpp"
#include "execution/cpu/group_table.hpp"

namespace saccade::cpu {
namespace {

using physical::Aggregation;

constexpr int kPartitions = 64;
constexpr int kPartitionShift = 40;  // below the tag, above what tables of one rank are indexed by
constexpr std::int64_t kLocalGroups = 1 << 15;
constexpr std::int64_t kFirstCapacity = 4096;
constexpr std::int64_t kFewGroups = 16384;  // so many in all tables together are merged by one worker

std::size_t partition_of_hash(std::uint64_t hash) {
  return hash >> kPartitionShift & (kPartitions - 1);
}

// Groups of one full table in the order of their partitions.
struct Run {
  std::vector<std::unique_ptr<Buffer>> parts;
  std::unique_ptr<Buffer> hashes;
  std::unique_ptr<AggregateStates> states;
  std::int64_t offsets[kPartitions + 1] = {};
};

class HashAggregation : public Sink {
 public:
  HashAggregation(const Aggregation& aggregation, PipelineRun& run)
      : run_(run), list_(aggregation.aggregates, run), workers_(static_cast<std::size_t>(run.threads)) {
    SACCADE_CHECK(!aggregation.keys.empty());
    for (const physical::Node& key : aggregation.keys) {
      SACCADE_CHECK(key.lane == Lane::kInt64);
      keys_.push_back(run.program.add(key));
    }
  }

  void mark_slots(std::vector<bool>& slots) const override {
    for (const int key : keys_) run_.program.mark_slots(key, slots);
    list_.mark_slots(slots);
  }

  void consume(int worker, Batch& batch, const MorselPlace&) override {
    Local& local = workers_[static_cast<std::size_t>(worker)];
    if (local.table == nullptr) local.table = new_table(kFirstCapacity);
    if (local.table->groups() + batch.count() > kLocalGroups) flush(local);
    std::vector<const std::int64_t*> parts;
    for (const int key : keys_) parts.push_back(batch.key_part(key));
    auto* hashes = batch.arena().allocate<std::uint64_t>(batch.count());
    kernels().vector.hash(parts.data(), static_cast<int>(parts.size()), hashes, batch.count());
    auto* groups = batch.arena().allocate<std::int64_t>(batch.count());
    local.table->find(hashes, parts.data(), batch.count(), groups);
    local.table->states().update(batch, groups);
  }

  std::shared_ptr<PipelineOutput> finish() override {
    std::vector<std::unique_ptr<GroupTable>> tables = merged_tables();
    RowSet rows = put_out(tables);
    rows_out_ = rows.rows;
    return std::make_shared<HostRows>(std::move(rows));
  }

  std::int64_t rows_out() const override { return rows_out_; }

 private:
  struct Local {
    std::unique_ptr<GroupTable> table;
    std::vector<Run> runs;
  };

  std::unique_ptr<GroupTable> new_table(std::int64_t capacity) const {
    return std::make_unique<GroupTable>(static_cast<int>(keys_.size()), list_, capacity, run_.memory());
  }

  // Deals the groups of a worker's table into partitions.
  void flush(Local& local) const {
    GroupTable& table = *local.table;
    const std::int64_t n = table.groups();
    if (n == 0) return;
    Run run;
    for (std::int64_t g = 0; g < n; ++g) ++run.offsets[partition_of_hash(table.hashes()[g]) + 1];
    for (int p = 0; p < kPartitions; ++p) run.offsets[p + 1] += run.offsets[p];
    const auto order = Buffer::allocate(n * 8, run_.memory());
    std::int64_t next[kPartitions];
    std::copy(run.offsets, run.offsets + kPartitions, next);
    for (std::int64_t g = 0; g < n; ++g) order->as<std::int64_t>()[next[partition_of_hash(table.hashes()[g])]++] = g;
    const auto* places = order->as<std::int64_t>();
    const auto gathered = [&](const void* from) {
      auto to = Buffer::allocate(n * 8, run_.memory());
      kernels().vector.gather8_far(from, places, to->data(), n);
      return to;
    };
    for (std::size_t p = 0; p < keys_.size(); ++p) run.parts.push_back(gathered(table.part(p)));
    run.hashes = gathered(table.hashes());
    run.states = std::make_unique<AggregateStates>(list_, n, run_.memory());
    for (std::size_t a = 0; a < list_.size(); ++a) table.states().gather(a, places, n, run.states->data(a));
    local.runs.push_back(std::move(run));
    table.clear();
  }

  // All groups, each once: one table where a single worker saw few groups, else a table a partition.
  std::vector<std::unique_ptr<GroupTable>> merged_tables() {
    std::vector<std::unique_ptr<GroupTable>> tables;
    std::vector<Local*> used;
    for (Local& local : workers_) {
      if (local.table != nullptr) used.push_back(&local);
    }
    if (used.empty()) return tables;
    std::int64_t groups = 0;
    bool flushed = false;
    for (const Local* local : used) {
      groups += local->table->groups();
      flushed |= !local->runs.empty();
    }
    if (!flushed && (used.size() == 1 || groups <= kFewGroups)) {
      for (std::size_t w = 1; w < used.size(); ++w) merge_table(*used[w]->table, *used[0]->table);
      tables.push_back(std::move(used[0]->table));
      return tables;
    }
    const std::int64_t rows = flushed ? INT64_MAX : groups;
    run_.for_each_task(static_cast<std::int64_t>(used.size()), rows, [&](std::int64_t w) {
      Local& local = *used[static_cast<std::size_t>(w)];
      flush(local);
      local.table.reset();
    });
    tables.resize(kPartitions);
    run_.for_each_task(kPartitions, rows, [&](std::int64_t p) { tables[static_cast<std::size_t>(p)] = merge_partition(p); });
    workers_.clear();
    return tables;
  }

  void merge_table(const GroupTable& from, GroupTable& to) const {
    std::int64_t groups[kBatchRows];
    std::vector<const std::int64_t*> parts(keys_.size());
    for (std::int64_t begin = 0; begin < from.groups(); begin += kBatchRows) {
      const std::int64_t n = std::min(kBatchRows, from.groups() - begin);
      for (std::size_t p = 0; p < parts.size(); ++p) parts[p] = from.part(p) + begin;
      to.find(from.hashes() + begin, parts.data(), n, groups);
      to.states().merge(from.states(), begin, n, groups);
    }
  }

  std::unique_ptr<GroupTable> merge_partition(std::int64_t partition) const {
    std::int64_t largest = 0;
    for (const Local& local : workers_) {
      for (const Run& run : local.runs) largest = std::max(largest, run.offsets[partition + 1] - run.offsets[partition]);
    }
    auto table = new_table(largest);
    std::int64_t groups[kBatchRows];
    std::vector<const std::int64_t*> parts(keys_.size());
    for (const Local& local : workers_) {
      for (const Run& run : local.runs) {
        const std::int64_t end = run.offsets[partition + 1];
        for (std::int64_t from = run.offsets[partition]; from < end; from += kBatchRows) {
          const std::int64_t n = std::min(kBatchRows, end - from);
          for (std::size_t p = 0; p < parts.size(); ++p) parts[p] = run.parts[p]->as<std::int64_t>() + from;
          table->find(run.hashes->as<std::uint64_t>() + from, parts.data(), n, groups);
          table->states().merge(*run.states, from, n, groups);
        }
      }
    }
    return table;
  }

  RowSet put_out(const std::vector<std::unique_ptr<GroupTable>>& tables) const {
    RowSet rows;
    std::vector<std::int64_t> starts;
    for (const auto& table : tables) {
      starts.push_back(rows.rows);
      rows.rows += table->groups();
    }
    std::vector<std::shared_ptr<Buffer>> keys;
    for (std::size_t p = 0; p < keys_.size(); ++p) keys.push_back(Buffer::allocate(rows.rows * 8, run_.memory()));
    const auto states = allocate_states(list_, rows.rows, run_.memory());
    run_.for_each_task(static_cast<std::int64_t>(tables.size()), rows.rows, [&](std::int64_t t) {
      const GroupTable& table = *tables[static_cast<std::size_t>(t)];
      const std::int64_t start = starts[static_cast<std::size_t>(t)];
      const auto groups = static_cast<std::size_t>(table.groups());
      for (std::size_t p = 0; p < keys.size(); ++p) {
        std::copy(table.part(p), table.part(p) + groups, keys[p]->as<std::int64_t>() + start);
      }
      for (std::size_t a = 0; a < list_.size(); ++a) {
        const auto width = static_cast<std::size_t>(lane_bytes(list_.entries()[a].state));
        const auto* from = static_cast<const std::byte*>(table.states().data(a));
        std::copy(from, from + groups * width, states[a]->data() + static_cast<std::size_t>(start) * width);
      }
    });
    for (auto& key : keys) rows.columns.push_back({Lane::kInt64, std::move(key), nullptr});
    for (std::size_t a = 0; a < list_.size(); ++a) rows.columns.push_back({list_.entries()[a].state, states[a], nullptr});
    return rows;
  }

  const PipelineRun& run_;
  AggregateList list_;
  std::vector<int> keys_;
  std::vector<Local> workers_;
  std::int64_t rows_out_ = 0;
};

}  // namespace

std::unique_ptr<Sink> make_hash_aggregation(const Aggregation& aggregation, PipelineRun& run) {
  return std::make_unique<HashAggregation>(aggregation, run);
}

}  // namespace saccade::cpu
