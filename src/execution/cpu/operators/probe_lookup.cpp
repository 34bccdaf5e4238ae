#include "execution/cpu/operators/probe_lookup.hpp"

#include <algorithm>
#include <numeric>

#include "common/error.hpp"

namespace saccade::cpu {

using Layout = physical::JoinBuild::Layout;

ProbeLookup::ProbeLookup(const physical::Probe& probe, PipelineRun& run)
    : table_(join_table(run.state, probe.build)), program_(run.program) {
  for (const physical::Node& key : probe.keys) {
    SACCADE_CHECK(key.lane == Lane::kInt64);
    keys_.push_back(run.program.add(key));
  }
  all_rows_ = table_.layout == Layout::kAllRows;
  SACCADE_CHECK(keys_.size() == (table_.layout == Layout::kDense ? 1 : table_.keys.size()));
  if (table_.layout == Layout::kHash && !table_.unique) chain_ = table_.next->as<std::int64_t>();
}

void ProbeLookup::mark_slots(std::vector<bool>& slots) const {
  for (const int key : keys_) program_.mark_slots(key, slots);
}

std::vector<const std::int64_t*> ProbeLookup::key_parts(Batch& batch) const {
  std::vector<const std::int64_t*> parts;
  for (const int key : keys_) parts.push_back(batch.key_part(key));
  return parts;
}

ProbeLookup::Candidates ProbeLookup::find_candidates(Batch& batch, const std::vector<const std::int64_t*>& parts) const {
  const VectorKernels& k = kernels().vector;
  auto* hashes = batch.arena().allocate<std::uint64_t>(batch.count());
  auto* positions = batch.arena().allocate<std::uint32_t>(batch.count());
  std::int64_t count = batch.count();
  k.hash(parts.data(), static_cast<int>(parts.size()), hashes, count);
  if (table_.filter != nullptr) {
    count = k.pass_filter(table_.filter->as<std::uint64_t>(), table_.filter_mask, hashes, positions, count);
  } else {
    std::iota(positions, positions + count, 0U);
  }
  const auto* entries = table_.entries->as<std::uint64_t>();
  for (std::int64_t c = 0; c < count; ++c) __builtin_prefetch(entries + (hashes[positions[c]] & table_.entry_mask));
  return {hashes, positions, count};
}

std::int64_t* ProbeLookup::first_partners(Batch& batch) const {
  const std::int64_t n = batch.count();
  auto* first = batch.arena().allocate<std::int64_t>(n);
  std::fill(first, first + n, all_rows_ && table_.rows > 0 ? 0 : -1);
  if (all_rows_ || table_.rows == 0) return first;
  const std::vector<const std::int64_t*> parts = key_parts(batch);
  if (table_.layout == Layout::kDense) {
    auto* positions = batch.arena().allocate<std::uint32_t>(n + 16);
    auto* rows = batch.arena().allocate<std::int64_t>(n + 16);
    const std::int64_t matches =
        kernels().vector.probe_dense(table_.words->as<DenseWord>(), table_.low, table_.extent, parts[0], positions, rows, n);
    for (std::int64_t m = 0; m < matches; ++m) first[positions[m]] = rows[m];
    return first;
  }
  const Candidates candidates = find_candidates(batch, parts);
  for (std::int64_t c = 0; c < candidates.count; ++c) {
    const std::uint32_t i = candidates.positions[c];
    first[i] = table_.find(candidates.hashes[i], parts.data(), i);
  }
  return first;
}

}  // namespace saccade::cpu
