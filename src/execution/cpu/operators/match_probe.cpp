#include "execution/cpu/operators/match_probe.hpp"

#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "execution/cpu/operators/probe_lookup.hpp"

namespace saccade::cpu {
namespace {

using physical::ProbeKind;

// Pairs of a batch's rows and build rows, at most a batch of them; in the batch's arena.
struct Pairs {
  std::uint32_t* positions;
  std::int64_t* rows;
  std::int64_t count = 0;

  explicit Pairs(Arena& arena)
      : positions(arena.allocate<std::uint32_t>(kBatchRows)), rows(arena.allocate<std::int64_t>(kBatchRows)) {}
  bool full() const { return count == kBatchRows; }
  void add(std::int64_t position, std::int64_t row) {
    positions[count] = static_cast<std::uint32_t>(position);
    rows[count++] = row;
  }
};

class MatchProbe : public Step {
 public:
  MatchProbe(const physical::Probe& probe, PipelineRun& run)
      : run_(run),
        probe_(probe),
        lookup_(probe, run),
        table_(lookup_.table()),
        condition_(probe.condition.empty() ? -1 : run.program.add(probe.condition.front())) {
    SACCADE_CHECK(probe.payload.size() == table_.payload.size() && probe.row_slot < 0);
    SACCADE_CHECK(probe.condition.size() <= 1 && (probe.kind == ProbeKind::kMark) == (probe.mark_slot >= 0));
    SACCADE_CHECK(probe.kind != ProbeKind::kTrack || table_.matched != nullptr);
  }

  std::vector<std::string> names() const override { return {"probe " + probe_.text}; }

  void mark_slots(std::vector<bool>& slots) const override {
    lookup_.mark_slots(slots);
    if (condition_ >= 0) run_.program.mark_slots(condition_, slots);
  }

  void set_live(const std::vector<bool>& live) override {
    Step::set_live(live);
    live_in_pairs_ = live;
    if (condition_ >= 0) run_.program.mark_slots(condition_, live_in_pairs_);
  }

  void run(Batch& batch, std::int64_t* rows_left, const Continuation& next) const override {
    const std::int64_t* first = lookup_.first_partners(batch);
    auto* found = batch.arena().allocate<std::uint8_t>(batch.count());
    std::memset(found, 0, static_cast<std::size_t>(batch.count()));
    const bool puts_out_pairs = probe_.kind == ProbeKind::kInner || probe_.kind == ProbeKind::kLeft;
    if (puts_out_pairs) {
      put_out_pairs(batch, first, found, rows_left, next);
    } else if (condition_ >= 0) {
      settle(batch, first, found);
    } else if (probe_.kind == ProbeKind::kTrack) {
      track_chains(first, batch.count());
    } else {
      for (std::int64_t i = 0; i < batch.count(); ++i) found[i] = first[i] >= 0 ? 1 : 0;
    }
    put_out_rows(batch, found, rows_left, next);
  }

 private:
  // The pairs as a batch, those left for which the condition is true; pairs.positions and pairs.rows then hold these.
  Batch make_pairs(const Batch& batch, Pairs& pairs) const {
    Batch made = batch;
    made.select(pairs.positions, pairs.count, condition_ >= 0 ? live_in_pairs_ : live_);
    made.set_payload(table_.payload, probe_.payload, pairs.rows);
    if (condition_ < 0) return made;
    const Vector truth = made.evaluate_dense(condition_);
    SACCADE_CHECK(truth.lane == Lane::kBoolean);
    const auto* value = truth.as<std::uint8_t>();
    auto* kept = made.arena().allocate<std::uint32_t>(pairs.count);
    std::int64_t count = 0;
    for (std::int64_t p = 0; p < pairs.count; ++p) {
      kept[count] = static_cast<std::uint32_t>(p);
      count += value[p] != 0 && (truth.valid == nullptr || truth.valid[p] != 0) ? 1 : 0;
    }
    if (count < pairs.count) made.select(kept, count, live_);
    // Written to new places: the batch still reads the old ones.
    auto* positions = made.arena().allocate<std::uint32_t>(count);
    auto* rows = made.arena().allocate<std::int64_t>(count);
    for (std::int64_t p = 0; p < count; ++p) {
      positions[p] = pairs.positions[kept[p]];
      rows[p] = pairs.rows[kept[p]];
    }
    pairs.positions = positions;
    pairs.rows = rows;
    pairs.count = count;
    return made;
  }

  void note(const Pairs& pairs, std::uint8_t* found) const {
    for (std::int64_t p = 0; p < pairs.count; ++p) found[pairs.positions[p]] = 1;
    if (table_.matched == nullptr) return;
    for (std::int64_t p = 0; p < pairs.count; ++p) table_.mark_matched(pairs.rows[p]);
  }

  // Inner and left joins. Pairs may be more than the rows: they go on in batches of the usual size.
  void put_out_pairs(Batch& batch, const std::int64_t* first, std::uint8_t* found, std::int64_t* rows_left,
                     const Continuation& next) const {
    Pairs pairs(batch.arena());
    const auto hand_on = [&](Pairs chunk) {
      run_.check_cancelled();
      const Arena::Mark mark = batch.arena().mark();
      Batch made = make_pairs(batch, chunk);
      note(chunk, found);
      *rows_left += chunk.count;
      if (chunk.count > 0) next(made);
      batch.arena().release(mark);
    };
    for (std::int64_t i = 0; i < batch.count(); ++i) {
      for (std::int64_t row = first[i]; row >= 0; row = lookup_.next_partner(row)) {
        if (pairs.full()) {
          hand_on(pairs);
          pairs.count = 0;
          if (run_.pool.failed() || next.satisfied()) return;
        }
        pairs.add(i, row);
      }
    }
    if (pairs.count > 0) hand_on(pairs);
  }

  // Whether a pair of each row fulfils the condition. Each round takes some partners of every row that is not settled yet:
  // many where few rows are left, so that a long chain takes few rounds.
  void settle(Batch& batch, const std::int64_t* first, std::uint8_t* found) const {
    const std::int64_t n = batch.count();
    auto* open = batch.arena().allocate<std::uint32_t>(n);
    auto* partner = batch.arena().allocate<std::int64_t>(n);
    std::int64_t open_count = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      if (first[i] < 0) continue;
      open[open_count] = static_cast<std::uint32_t>(i);
      partner[open_count++] = first[i];
    }
    const Pairs space(batch.arena());
    while (open_count > 0 && !run_.pool.failed()) {
      run_.check_cancelled();
      Pairs pairs = space;
      const std::int64_t each = kBatchRows / open_count;
      for (std::int64_t o = 0; o < open_count; ++o) take_partners(open[o], partner[o], each, pairs);
      if (pairs.count > 0) {
        const Arena::Mark mark = batch.arena().mark();
        make_pairs(batch, pairs);
        note(pairs, found);
        batch.arena().release(mark);
      }
      open_count = still_open(open, partner, open_count, found);
    }
  }

  void take_partners(std::uint32_t position, std::int64_t& partner, std::int64_t most, Pairs& pairs) const {
    const bool skips_matched = probe_.kind == ProbeKind::kTrack;
    for (std::int64_t taken = 0; taken < most && partner >= 0; partner = lookup_.next_partner(partner)) {
      if (skips_matched && table_.is_matched(partner)) continue;
      pairs.add(position, partner);
      ++taken;
    }
  }

  // A row is settled by its first match, except where each build row is to learn of its own.
  std::int64_t still_open(std::uint32_t* open, std::int64_t* partner, std::int64_t count, const std::uint8_t* found) const {
    std::int64_t left = 0;
    for (std::int64_t o = 0; o < count; ++o) {
      const bool settled = found[open[o]] != 0 && table_.matched == nullptr;
      if (settled || partner[o] < 0) continue;
      open[left] = open[o];
      partner[left++] = partner[o];
    }
    return left;
  }

  // All rows of a chain have the same key: where one is marked, so are the others, or another worker is at it.
  void track_chains(const std::int64_t* first, std::int64_t n) const {
    for (std::int64_t i = 0; i < n; ++i) {
      if (first[i] < 0 || table_.is_matched(first[i])) continue;
      for (std::int64_t row = first[i]; row >= 0; row = lookup_.next_partner(row)) table_.mark_matched(row);
    }
  }

  void put_out_rows(Batch& batch, const std::uint8_t* found, std::int64_t* rows_left, const Continuation& next) const {
    switch (probe_.kind) {
      case ProbeKind::kInner:
      case ProbeKind::kTrack:
        return;
      case ProbeKind::kMark:
        *rows_left += batch.count();
        batch.set_slot(probe_.mark_slot, {Lane::kBoolean, false, found, nullptr});
        return next(batch);
      default:
        break;
    }
    const std::uint8_t wanted = probe_.kind == ProbeKind::kSemi ? 1 : 0;
    auto* positions = batch.arena().allocate<std::uint32_t>(batch.count());
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < batch.count(); ++i) {
      positions[count] = static_cast<std::uint32_t>(i);
      count += found[i] == wanted ? 1 : 0;
    }
    if (count == 0) return;
    *rows_left += count;
    if (count < batch.count()) batch.select(positions, count, live_);
    if (probe_.kind == ProbeKind::kLeft) {
      for (const int slot : probe_.payload) {
        if (slot >= 0) batch.set_slot(slot, null_vector(run_.program.slot(slot).lane));
      }
    }
    next(batch);
  }

  static Vector null_vector(Lane lane) {
    alignas(16) static constexpr std::byte kZero[16] = {};
    static constexpr std::uint8_t kInvalid = 0;
    return {lane, true, kZero, &kInvalid};
  }

  const PipelineRun& run_;
  const physical::Probe& probe_;
  ProbeLookup lookup_;
  const JoinTable& table_;
  int condition_;
  std::vector<bool> live_in_pairs_;
};

}  // namespace

std::unique_ptr<Step> make_match_probe(const physical::Probe& probe, PipelineRun& run) {
  return std::make_unique<MatchProbe>(probe, run);
}

}  // namespace saccade::cpu
