#include "execution/cpu/aggregate_states.hpp"

#include <cstring>
#include <limits>
#include <numeric>

#include "common/error.hpp"

namespace saccade::cpu {
namespace {

using physical::AggregateFunction;

void choose_kernels(AggregateList::Entry& entry, Lane argument) {
  const AggregateKernels& k = kernels().aggregate;
  switch (entry.function) {
    case AggregateFunction::kCountStar:
    case AggregateFunction::kCount:
      SACCADE_CHECK(entry.state == Lane::kInt64);
      entry.update = k.count;
      entry.merge = k.sum_i64;
      return;
    case AggregateFunction::kSum:
      if (entry.state == Lane::kInt64) {
        SACCADE_CHECK(argument == Lane::kInt64);
        entry.update = entry.merge = k.sum_i64;
      } else if (entry.state == Lane::kInt128) {
        SACCADE_CHECK(argument == Lane::kInt64 || argument == Lane::kInt128);
        entry.update = argument == Lane::kInt64 ? k.sum_i128_of_i64 : k.sum_i128;
        entry.merge = k.sum_i128;
      } else {
        SACCADE_CHECK(entry.state == Lane::kFloat64 && argument == Lane::kFloat64);
      }
      return;
    case AggregateFunction::kMin:
    case AggregateFunction::kMax: {
      SACCADE_CHECK(entry.state == argument && argument != Lane::kBoolean);
      if (argument == Lane::kText) return;
      const bool minimum = entry.function == AggregateFunction::kMin;
      if (argument == Lane::kInt64) entry.update = minimum ? k.min_i64 : k.max_i64;
      if (argument == Lane::kInt128) entry.update = minimum ? k.min_i128 : k.max_i128;
      if (argument == Lane::kFloat64) entry.update = minimum ? k.min_f64 : k.max_f64;
      entry.merge = entry.update;
      return;
    }
  }
  raise_internal("a known aggregate", __FILE__, __LINE__);
}

template <class T>
void fill(void* states, std::int64_t begin, std::int64_t end, T value) {
  auto* typed = static_cast<T*>(states);
  std::fill(typed + begin, typed + end, value);
}

void fill_identity(const AggregateList::Entry& entry, void* states, std::int64_t begin, std::int64_t end) {
  const bool minimum = entry.function == AggregateFunction::kMin;
  const bool maximum = entry.function == AggregateFunction::kMax;
  switch (entry.state) {
    case Lane::kInt64:
      return fill<std::int64_t>(states, begin, end, minimum ? INT64_MAX : maximum ? INT64_MIN : 0);
    case Lane::kText:
      return fill<TextValue>(states, begin, end, TextValue());
    case Lane::kInt128:
      return fill<int128>(states, begin, end, minimum ? kInt128Max : maximum ? kInt128Min : 0);
    default:
      // The largest double is NaN.
      return fill<double>(states, begin, end,
                          minimum   ? std::numeric_limits<double>::quiet_NaN()
                          : maximum ? -std::numeric_limits<double>::infinity()
                                    : 0.0);
  }
}

// `arena`: where strings are copied to that become a state; null: they are permanent.
void take_up_texts(const AggregateList::Entry& entry, void* states, const std::int64_t* groups, const Vector& values,
                   std::int64_t n, TextArena* arena) {
  const bool minimum = entry.function == AggregateFunction::kMin;
  auto* typed = static_cast<TextValue*>(states);
  for (std::int64_t i = 0; i < n; ++i) {
    const TextValue value = values.as<TextValue>()[i];
    if ((values.valid != nullptr && values.valid[i] == 0) || !value.has_value()) continue;
    TextValue& state = typed[groups == nullptr ? 0 : groups[i]];
    const bool better = !state.has_value() || (minimum ? value.view() < state.view() : state.view() < value.view());
    if (better) state = arena == nullptr ? value : arena->copy(value.view());
  }
}

void take_up_doubles(void* states, const std::int64_t* groups, const void* values, const std::uint8_t* valid, std::int64_t n) {
  if (!kernels().aggregate.sum_f64(states, groups, values, valid, n)) throw to_error(FunctionError::kFloatOutOfRange);
}

}  // namespace

AggregateList::AggregateList(const std::vector<physical::Aggregate>& aggregates, PipelineRun& run) : program_(&run.program) {
  for (const physical::Aggregate& aggregate : aggregates) {
    Entry entry{aggregate.function, aggregate.state, -1};
    const bool needs_argument = aggregate.function != AggregateFunction::kCountStar;
    SACCADE_CHECK(aggregate.argument.size() == (needs_argument ? 1 : 0));
    if (needs_argument) entry.argument = run.program.add(aggregate.argument[0]);
    choose_kernels(entry, needs_argument ? aggregate.argument[0].lane : Lane::kInt64);
    entries_.push_back(entry);
  }
}

void AggregateList::mark_slots(std::vector<bool>& slots) const {
  for (const Entry& entry : entries_) {
    if (entry.argument >= 0) program_->mark_slots(entry.argument, slots);
  }
}

std::int64_t AggregateList::bytes_per_group() const {
  return std::accumulate(entries_.begin(), entries_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Entry& entry) { return sum + lane_bytes(entry.state); });
}

AggregateStates::AggregateStates(const AggregateList& list, std::int64_t groups, MemoryPool& pool)
    : list_(&list), pool_(&pool) {
  states_.resize(list.size());
  grow(groups);
}

void AggregateStates::grow(std::int64_t groups) {
  for (std::size_t a = 0; a < list_->size(); ++a) {
    const AggregateList::Entry& entry = list_->entries()[a];
    auto larger = Buffer::allocate(groups * lane_bytes(entry.state), *pool_);
    if (groups_ > 0) {
      std::memcpy(larger->data(), states_[a]->data(), static_cast<std::size_t>(groups_ * lane_bytes(entry.state)));
    }
    fill_identity(entry, larger->data(), groups_, groups);
    states_[a] = std::move(larger);
  }
  groups_ = groups;
}

void AggregateStates::reset(std::int64_t begin, std::int64_t end) {
  for (std::size_t a = 0; a < list_->size(); ++a) fill_identity(list_->entries()[a], states_[a]->data(), begin, end);
}

void* AggregateStates::at(std::size_t aggregate, std::int64_t group) {
  return states_[aggregate]->data() + group * lane_bytes(list_->entries()[aggregate].state);
}

void AggregateStates::update_one(std::size_t aggregate, Batch& batch, const std::int64_t* groups) {
  const AggregateList::Entry& entry = list_->entries()[aggregate];
  void* states = states_[aggregate]->data();
  if (entry.argument < 0) return entry.update(states, groups, nullptr, nullptr, batch.count());
  const Vector argument = batch.evaluate_dense(entry.argument);
  if (entry.state == Lane::kText) {
    const bool permanent = list_->program().is_permanent_text(entry.argument);
    if (!permanent && texts_ == nullptr) texts_ = &list_->program().text_store().add_arena();
    return take_up_texts(entry, states, groups, argument, batch.count(), permanent ? nullptr : texts_);
  }
  if (entry.update == nullptr) return take_up_doubles(states, groups, argument.values, argument.valid, batch.count());
  entry.update(states, groups, argument.values, argument.valid, batch.count());
}

void AggregateStates::update(Batch& batch, const std::int64_t* groups) {
  for (std::size_t a = 0; a < list_->size(); ++a) update_one(a, batch, groups);
}

void AggregateStates::update_few(Batch& batch, const std::int64_t* groups, std::int64_t group_count, std::int64_t copy_stride) {
  const AggregateKernels& k = kernels().aggregate;
  for (std::size_t a = 0; a < list_->size(); ++a) {
    const AggregateList::Entry& entry = list_->entries()[a];
    auto* states = states_[a]->as<std::int64_t>();
    if (entry.update == k.count) {
      const std::uint8_t* valid = entry.argument < 0 ? nullptr : batch.evaluate_dense(entry.argument).valid;
      k.count_few(states, copy_stride, group_count, groups, valid, batch.count());
    } else if (entry.update == k.sum_i64) {
      const Vector argument = batch.evaluate_dense(entry.argument);
      k.sum_few_i64(states, copy_stride, group_count, groups, argument.as<std::int64_t>(), argument.valid, batch.count());
    } else {
      update_one(a, batch, groups);
    }
  }
}

void AggregateStates::merge(const AggregateStates& other, std::int64_t begin, std::int64_t n, const std::int64_t* groups) {
  // Without a list of places, a window of the states is merged at a time, each with the place of the same number.
  std::int64_t same[kBatchRows];
  std::iota(same, same + kBatchRows, 0);
  for (std::int64_t done = 0; done < n; done += kBatchRows) {
    const std::int64_t count = std::min(kBatchRows, n - done);
    for (std::size_t a = 0; a < list_->size(); ++a) {
      const AggregateList::Entry& entry = list_->entries()[a];
      const void* from = other.states_[a]->data() + (begin + done) * lane_bytes(entry.state);
      void* to = groups == nullptr ? at(a, begin + done) : at(a, 0);
      const std::int64_t* places = groups == nullptr ? same : groups + done;
      if (entry.state == Lane::kText) {
        take_up_texts(entry, to, places, {Lane::kText, false, from, nullptr}, count, nullptr);
      } else if (entry.merge == nullptr) {
        take_up_doubles(to, places, from, nullptr, count);
      } else {
        entry.merge(to, places, from, nullptr, count);
      }
    }
  }
}

void AggregateStates::gather(std::size_t aggregate, const std::int64_t* places, std::int64_t n, void* out) const {
  const VectorKernels& k = kernels().vector;
  const bool wide = list_->entries()[aggregate].state == Lane::kInt128;
  (wide ? k.gather16_far : k.gather8_far)(states_[aggregate]->data(), places, out, n);
}

std::vector<std::shared_ptr<Buffer>> allocate_states(const AggregateList& list, std::int64_t rows, MemoryPool& pool) {
  std::vector<std::shared_ptr<Buffer>> buffers;
  for (const AggregateList::Entry& entry : list.entries()) {
    buffers.push_back(Buffer::allocate(rows * lane_bytes(entry.state), pool));
  }
  return buffers;
}

}  // namespace saccade::cpu
