// Aggregations whose group is a place in an array: no key at all, keys of small ranges, or the row of a join build.
//
// Workers take rows up into copies of the states: one each where they are small, fewer that they share in turn where they are
// large. The copies are merged by ranges of groups.
#include <mutex>
#include <numeric>

#include "common/error.hpp"
#include "execution/cpu/aggregate_states.hpp"
#include "execution/cpu/join_table.hpp"
#include "execution/cpu/operators/hash_aggregation.hpp"
#include "execution/cpu/operators/operator.hpp"
#include "execution/cpu/row_buffer.hpp"

namespace saccade::cpu {
namespace {

using physical::Aggregation;

constexpr std::int64_t kCopyBudget = std::int64_t{256} << 20;  // bytes for all copies of the states, beyond the first
constexpr std::int64_t kFewGroups = 256;                       // so many groups are kept in interleaved arrays
constexpr std::int64_t kTaskGroups = 1 << 16;

class ArrayAggregation : public Sink {
 public:
  ArrayAggregation(const Aggregation& aggregation, PipelineRun& run)
      : run_(run), aggregation_(aggregation), list_(aggregation.aggregates, run) {
    for (const physical::Node& key : aggregation.keys) {
      SACCADE_CHECK(key.lane == Lane::kInt64);
      keys_.push_back(run.program.add(key));
    }
    prepare_groups();
    few_ = aggregation.layout == Aggregation::Layout::kPerfect && groups_ <= kFewGroups;
    copy_stride_ = few_ ? (groups_ + 7) / 8 * 8 : 0;
    const std::int64_t bytes = std::max<std::int64_t>(1, groups_ * list_.bytes_per_group());
    copies_.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(kCopyBudget / bytes, 1, run.threads)));
    locks_ = std::vector<std::mutex>(copies_.size());
  }

  void mark_slots(std::vector<bool>& slots) const override {
    for (const int key : keys_) run_.program.mark_slots(key, slots);
    list_.mark_slots(slots);
  }

  void consume(int worker, Batch& batch, const MorselPlace&) override {
    const std::int64_t* groups = group_numbers(batch);
    // Arguments are computed before a copy of the states is held.
    for (const AggregateList::Entry& entry : list_.entries()) {
      if (entry.argument >= 0) batch.evaluate(entry.argument);
    }
    std::size_t copy = static_cast<std::size_t>(worker) % copies_.size();
    std::unique_lock lock(locks_[copy], std::try_to_lock);
    for (std::size_t tries = 1; !lock.owns_lock() && tries < copies_.size(); ++tries) {
      copy = (copy + 1) % copies_.size();
      lock = std::unique_lock(locks_[copy], std::try_to_lock);
    }
    if (!lock.owns_lock()) lock.lock();
    if (copies_[copy] == nullptr) copies_[copy] = new_states();
    if (few_) {
      copies_[copy]->update_few(batch, groups, groups_, copy_stride_);
    } else {
      copies_[copy]->update(batch, groups);
    }
  }

  std::shared_ptr<PipelineOutput> finish() override {
    merge_copies();
    RowSet rows = put_out(aggregation_.layout == Aggregation::Layout::kSingle ? only_group() : present_groups());
    rows_out_ = rows.rows;
    return std::make_shared<HostRows>(std::move(rows));
  }

  std::int64_t rows_out() const override { return rows_out_; }

 private:
  void prepare_groups() {
    switch (aggregation_.layout) {
      case Aggregation::Layout::kSingle:
        SACCADE_CHECK(keys_.empty());
        groups_ = 1;
        return;
      case Aggregation::Layout::kPerfect: {
        SACCADE_CHECK(keys_.size() == aggregation_.key_bounds.size() && !keys_.empty());
        strides_.resize(keys_.size());
        int128 stride = 1;
        for (std::size_t k = keys_.size(); k-- > 0;) {
          const Bounds& bounds = aggregation_.key_bounds[k];
          SACCADE_CHECK(bounds.low <= bounds.high && bounds.low >= INT64_MIN && bounds.high <= INT64_MAX);
          strides_[k] = static_cast<std::int64_t>(stride);
          stride *= bounds.high - bounds.low + 1;
          SACCADE_CHECK(stride <= INT64_MAX);
        }
        groups_ = static_cast<std::int64_t>(stride);
        SACCADE_CHECK(groups_ == aggregation_.groups);
        break;
      }
      default:
        SACCADE_CHECK(keys_.size() == 1);
        build_ = &join_table(run_.state, aggregation_.build);
        SACCADE_CHECK(build_->unique);
        groups_ = build_->rows;
    }
    SACCADE_CHECK(aggregation_.presence >= 0 && aggregation_.presence < static_cast<int>(list_.size()) &&
                  list_.entries()[static_cast<std::size_t>(aggregation_.presence)].state != Lane::kFloat64);
  }

  std::unique_ptr<AggregateStates> new_states() const {
    return std::make_unique<AggregateStates>(list_, few_ ? copy_stride_ * kStateCopies : groups_, run_.memory());
  }

  // Null for a single group.
  const std::int64_t* group_numbers(Batch& batch) const {
    if (aggregation_.layout == Aggregation::Layout::kSingle) return nullptr;
    if (aggregation_.layout == Aggregation::Layout::kBuildRow) {
      return batch.key_part(keys_[0]);
    }
    auto* groups = batch.arena().allocate<std::int64_t>(batch.count());
    std::fill(groups, groups + batch.count(), 0);
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      const Bounds& bounds = aggregation_.key_bounds[k];
      const bool inside = kernels().aggregate.add_group_part(batch.key_part(keys_[k]), static_cast<std::int64_t>(bounds.low),
                                                             static_cast<std::uint64_t>(bounds.high - bounds.low), strides_[k],
                                                             groups, batch.count());
      SACCADE_CHECK(inside);
    }
    return groups;
  }

  // All into the first copy, and there into the first of the interleaved arrays.
  void merge_copies() {
    std::vector<const AggregateStates*> others;
    for (auto& copy : copies_) {
      if (copy == nullptr) continue;
      if (states_ == nullptr) {
        states_ = copy.get();
      } else {
        others.push_back(copy.get());
      }
    }
    if (states_ == nullptr) states_ = (copies_[0] = new_states()).get();
    if (!others.empty()) {
      run_.for_each_range(states_->groups(), kTaskGroups, [&](std::int64_t begin, std::int64_t end) {
        for (const AggregateStates* other : others) states_->merge(*other, begin, end - begin, nullptr);
      });
    }
    if (!few_) return;
    std::vector<std::int64_t> same(static_cast<std::size_t>(groups_));
    for (std::int64_t g = 0; g < groups_; ++g) same[static_cast<std::size_t>(g)] = g;
    for (int c = 1; c < kStateCopies; ++c) states_->merge(*states_, c * copy_stride_, groups_, same.data());
  }

  struct Groups {
    std::unique_ptr<Buffer> numbers;
    std::int64_t count = 0;
    const std::int64_t* data() const { return numbers->as<std::int64_t>(); }
  };

  Groups only_group() const { return {Buffer::allocate_zeroed(8, run_.memory()), 1}; }

  Groups present_groups() const {
    const std::int64_t tasks = (groups_ + kTaskGroups - 1) / kTaskGroups;
    std::vector<std::int64_t> starts(static_cast<std::size_t>(tasks) + 1, 0);
    run_.for_each_range(groups_, kTaskGroups, [&](std::int64_t begin, std::int64_t end) {
      std::int64_t& count = starts[static_cast<std::size_t>(begin / kTaskGroups) + 1];
      for (std::int64_t g = begin; g < end; ++g) count += present(g) ? 1 : 0;
    });
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    Groups groups{Buffer::allocate(starts.back() * 8, run_.memory()), starts.back()};
    run_.for_each_range(groups_, kTaskGroups, [&](std::int64_t begin, std::int64_t end) {
      auto* next = groups.numbers->as<std::int64_t>() + starts[static_cast<std::size_t>(begin / kTaskGroups)];
      for (std::int64_t g = begin; g < end; ++g) {
        if (present(g)) *next++ = g;
      }
    });
    return groups;
  }

  bool present(std::int64_t group) const {
    const auto presence = static_cast<std::size_t>(aggregation_.presence);
    if (list_.entries()[presence].state == Lane::kInt128)
      return static_cast<const int128*>(states_->data(presence))[group] != 0;
    return static_cast<const std::int64_t*>(states_->data(presence))[group] != 0;
  }

  RowSet put_out(const Groups& groups) const {
    RowSet rows;
    rows.rows = groups.count;
    if (aggregation_.layout == Aggregation::Layout::kPerfect) put_out_keys(groups, rows);
    if (build_ != nullptr) put_out_payload(groups, rows);
    const auto states = allocate_states(list_, rows.rows, run_.memory());
    run_.for_each_range(rows.rows, kTaskGroups, [&](std::int64_t begin, std::int64_t end) {
      for (std::size_t a = 0; a < list_.size(); ++a) {
        states_->gather(a, groups.data() + begin, end - begin,
                        states[a]->data() + begin * lane_bytes(list_.entries()[a].state));
      }
    });
    for (std::size_t a = 0; a < list_.size(); ++a) rows.columns.push_back({list_.entries()[a].state, states[a], nullptr});
    return rows;
  }

  void put_out_keys(const Groups& groups, RowSet& rows) const {
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      std::shared_ptr<Buffer> values = Buffer::allocate(rows.rows * 8, run_.memory());
      const Bounds& bounds = aggregation_.key_bounds[k];
      const auto size = static_cast<std::uint64_t>(bounds.high - bounds.low) + 1;
      for (std::int64_t i = 0; i < groups.count; ++i) {
        const auto place = static_cast<std::uint64_t>(groups.data()[i] / strides_[k]);
        values->as<std::int64_t>()[i] =
            static_cast<std::int64_t>(bounds.low) + static_cast<std::int64_t>(size == 0 ? place : place % size);
      }
      rows.columns.push_back({Lane::kInt64, values, nullptr});
    }
  }

  void put_out_payload(const Groups& groups, RowSet& rows) const {
    const VectorKernels& k = kernels().vector;
    for (const LaneColumn& column : build_->payload) {
      const std::int64_t width = lane_bytes(column.lane);
      const ColumnStorage storage = allocate_column({column.lane, column.valid != nullptr}, rows.rows, run_.memory());
      const auto kernel = width == 1 ? k.gather1_far : width == 8 ? k.gather8_far : k.gather16_far;
      run_.for_each_range(rows.rows, kTaskGroups, [&](std::int64_t begin, std::int64_t end) {
        kernel(column.values->data(), groups.data() + begin, storage.values->data() + begin * width, end - begin);
        if (column.valid == nullptr) return;
        k.gather1_far(column.valid->data(), groups.data() + begin, storage.valid->data() + begin, end - begin);
      });
      rows.columns.push_back(storage.column(column.lane));
    }
  }

  const PipelineRun& run_;
  const Aggregation& aggregation_;
  AggregateList list_;
  std::vector<int> keys_;
  std::vector<std::int64_t> strides_;
  const JoinTable* build_ = nullptr;
  std::int64_t groups_ = 0;
  bool few_ = false;
  std::int64_t copy_stride_ = 0;
  std::vector<std::unique_ptr<AggregateStates>> copies_;
  std::vector<std::mutex> locks_;
  AggregateStates* states_ = nullptr;  // the copy into which all were merged
  std::int64_t rows_out_ = 0;
};

}  // namespace

std::unique_ptr<Sink> make_aggregation(const Aggregation& aggregation, PipelineRun& run) {
  if (aggregation.layout == Aggregation::Layout::kHash) return make_hash_aggregation(aggregation, run);
  return std::make_unique<ArrayAggregation>(aggregation, run);
}

}  // namespace saccade::cpu
