// Probes of inner joins, and of semi joins like them: which build rows match each row. Payload columns are gathered later,
// where they are read.
#include "common/error.hpp"
#include "execution/cpu/operators/match_probe.hpp"
#include "execution/cpu/operators/probe_lookup.hpp"

namespace saccade::cpu {
namespace {

class ProbeStep : public Step {
 public:
  ProbeStep(const physical::Probe& probe, PipelineRun& run)
      : run_(run),
        lookup_(probe, run),
        table_(lookup_.table()),
        slots_(probe.payload),
        row_slot_(probe.row_slot),
        text_(probe.text) {
    SACCADE_CHECK(slots_.size() == table_.payload.size());
  }

  std::vector<std::string> names() const override { return {"probe " + text_}; }

  void mark_slots(std::vector<bool>& slots) const override { lookup_.mark_slots(slots); }

  void run(Batch& batch, std::int64_t* rows_left, const Continuation& next) const override {
    if (table_.rows == 0) return;
    const std::vector<const std::int64_t*> parts = lookup_.key_parts(batch);
    if (table_.layout == physical::JoinBuild::Layout::kDense) {
      run_dense(batch, parts[0], rows_left, next);
    } else if (table_.unique) {
      run_unique(batch, parts, rows_left, next);
    } else {
      run_chains(batch, parts, rows_left, next);
    }
  }

 private:
  void run_dense(Batch& batch, const std::int64_t* keys, std::int64_t* rows_left, const Continuation& next) const {
    auto* positions = batch.arena().allocate<std::uint32_t>(batch.count() + 16);
    auto* rows = batch.arena().allocate<std::int64_t>(batch.count() + 16);
    const std::int64_t matches = kernels().vector.probe_dense(table_.words->as<DenseWord>(), table_.low, table_.extent, keys,
                                                              positions, rows, batch.count());
    hand_on(batch, positions, rows, matches, rows_left, next);
  }

  void run_unique(Batch& batch, const std::vector<const std::int64_t*>& parts, std::int64_t* rows_left,
                  const Continuation& next) const {
    const ProbeLookup::Candidates candidates = lookup_.find_candidates(batch, parts);
    auto* positions = batch.arena().allocate<std::uint32_t>(batch.count());
    auto* rows = batch.arena().allocate<std::int64_t>(batch.count());
    std::int64_t matches = 0;
    for (std::int64_t c = 0; c < candidates.count; ++c) {
      const std::uint32_t i = candidates.positions[c];
      const std::int64_t row = table_.find(candidates.hashes[i], parts.data(), i);
      positions[matches] = i;
      rows[matches] = row;
      matches += row >= 0 ? 1 : 0;
    }
    hand_on(batch, positions, rows, matches, rows_left, next);
  }

  // Matches may be more than the rows: they go on in batches of the usual size.
  void run_chains(Batch& batch, const std::vector<const std::int64_t*>& parts, std::int64_t* rows_left,
                  const Continuation& next) const {
    const ProbeLookup::Candidates candidates = lookup_.find_candidates(batch, parts);
    auto* positions = batch.arena().allocate<std::uint32_t>(kBatchRows);
    auto* rows = batch.arena().allocate<std::int64_t>(kBatchRows);
    const auto* chain = table_.next->as<std::int64_t>();
    std::int64_t matches = 0;
    for (std::int64_t c = 0; c < candidates.count; ++c) {
      const std::uint32_t i = candidates.positions[c];
      for (std::int64_t row = table_.find(candidates.hashes[i], parts.data(), i); row >= 0; row = chain[row]) {
        if (matches == kBatchRows) {
          run_.check_cancelled();
          const Arena::Mark mark = batch.arena().mark();
          Batch slice = batch;
          hand_on(slice, positions, rows, matches, rows_left, next);
          batch.arena().release(mark);
          matches = 0;
          if (run_.pool.failed() || next.satisfied()) return;
        }
        positions[matches] = i;
        rows[matches++] = row;
      }
    }
    hand_on(batch, positions, rows, matches, rows_left, next);
  }

  void hand_on(Batch& batch, const std::uint32_t* positions, const std::int64_t* rows, std::int64_t matches,
               std::int64_t* rows_left, const Continuation& next) const {
    if (matches == 0) return;
    *rows_left += matches;
    const bool repeats = table_.layout == physical::JoinBuild::Layout::kHash && !table_.unique;
    if (repeats || matches < batch.count()) batch.select(positions, matches, live_);
    batch.set_payload(table_.payload, slots_, rows);
    if (row_slot_ >= 0) batch.set_slot(row_slot_, {Lane::kInt64, false, rows, nullptr});
    next(batch);
  }

  const PipelineRun& run_;
  ProbeLookup lookup_;
  const JoinTable& table_;
  std::vector<int> slots_;
  int row_slot_;
  std::string text_;
};

}  // namespace

std::unique_ptr<Step> make_probe(const physical::Probe& probe, PipelineRun& run) {
  const JoinTable& table = join_table(run.state, probe.build);
  // A semi join that finds at most one partner is an inner join that reads nothing of it.
  const bool pairs = probe.kind == physical::ProbeKind::kInner || (probe.kind == physical::ProbeKind::kSemi && table.unique);
  const bool plain = pairs && probe.condition.empty() && !probe.keys.empty();
  if (!plain || table.matched != nullptr) return make_match_probe(probe, run);
  return std::make_unique<ProbeStep>(probe, run);
}

}  // namespace saccade::cpu
