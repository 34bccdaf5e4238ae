// Filters: conjuncts one after the other, each on the rows that the earlier ones left. Comparisons of an encoded column with a
// literal run on the codes, all that stand side by side in one mask.
#include <cstring>
#include <optional>

#include "common/error.hpp"
#include "execution/cpu/operators/operator.hpp"

namespace saccade::cpu {
namespace {

using physical::NodeKind;

// low <= slot <= high, or the opposite of it; not true for nulls.
struct CodeTerm {
  int slot = -1;
  int128 low = INT64_MIN;
  int128 high = INT64_MAX;
  bool negated = false;
};

// A comparison as slot <function> value, from either side.
std::optional<CodeTerm> comparison_term(FunctionId function, bool swapped, int slot, int128 value) {
  CodeTerm term;
  term.slot = slot;
  switch (function) {
    case FunctionId::equal_i64:
    case FunctionId::not_equal_i64:
      term.low = term.high = value;
      term.negated = function == FunctionId::not_equal_i64;
      return term;
    case FunctionId::less_i64:
      (swapped ? term.low : term.high) = swapped ? value + 1 : value - 1;
      return term;
    case FunctionId::less_equal_i64:
      (swapped ? term.low : term.high) = value;
      return term;
    case FunctionId::greater_i64:
      (swapped ? term.high : term.low) = swapped ? value - 1 : value + 1;
      return term;
    case FunctionId::greater_equal_i64:
      (swapped ? term.high : term.low) = value;
      return term;
    default:
      return std::nullopt;
  }
}

// A conjunct of one of the filters: a range of codes, or (term.slot < 0) any predicate.
struct Conjunct {
  std::size_t filter = 0;
  CodeTerm term;
  int expression = -1;
};

class FilterStep : public Step {
 public:
  FilterStep(const std::vector<const physical::Filter*>& filters, PipelineRun& run) : program_(&run.program) {
    if (const auto* scan = std::get_if<physical::TableScan>(&run.pipeline.source)) {
      for (const auto& column : scan->columns) {
        if (column.encoding.form != Form::kPlain || column.encoding.width == 8) scan_slots_.push_back(column.slot);
      }
    }
    for (std::size_t f = 0; f < filters.size(); ++f) {
      SACCADE_CHECK(filters[f]->predicate.lane == Lane::kBoolean);
      texts_.push_back("filter " + filters[f]->text);
      add(filters[f]->predicate, f, run.program);
    }
  }

  std::vector<std::string> names() const override { return texts_; }

  void mark_slots(std::vector<bool>& slots) const override {
    for (const Conjunct& conjunct : conjuncts_) program_->mark_slots(conjunct.expression, slots);
  }

  void set_live(const std::vector<bool>& live) override {
    // Between its conjuncts the step itself still needs what they read.
    live_ = live;
    within_ = live;
    mark_slots(within_);
  }

  void run(Batch& batch, std::int64_t* rows_left, const Continuation& next) const override {
    std::size_t i = 0;
    while (i < conjuncts_.size()) {
      auto* mask = batch.arena().allocate<std::uint8_t>(batch.count());
      std::memset(mask, 1, static_cast<std::size_t>(batch.count()));
      if (conjuncts_[i].term.slot < 0) {
        apply_predicate(batch, conjuncts_[i].expression, mask);
        count_rows(i, mask, batch.count(), rows_left);
        ++i;
      } else {
        for (; i < conjuncts_.size() && conjuncts_[i].term.slot >= 0; ++i) {
          apply_codes(batch, conjuncts_[i].term, mask);
          if (count_rows(i, mask, batch.count(), rows_left) == 0) return;
        }
      }
      if (!keep(batch, mask, i == conjuncts_.size() ? live_ : within_)) return;
    }
    next(batch);
  }

 private:
  void add(const physical::Node& node, std::size_t filter, Program& program) {
    if (node.kind == NodeKind::kAnd) {
      for (const physical::Node& argument : node.arguments) add(argument, filter, program);
      return;
    }
    Conjunct conjunct;
    conjunct.filter = filter;
    conjunct.expression = program.add(node);
    if (const auto term = code_term(program.node(conjunct.expression), program)) {
      if (!conjuncts_.empty() && conjuncts_.back().filter == filter && merge(conjuncts_.back().term, *term)) return;
      conjunct.term = *term;
    }
    conjuncts_.push_back(conjunct);
  }

  // Rows left by conjunct i; counted where it is the last of its filter.
  std::int64_t count_rows(std::size_t i, const std::uint8_t* mask, std::int64_t n, std::int64_t* rows_left) const {
    if (i + 1 < conjuncts_.size() && conjuncts_[i + 1].filter == conjuncts_[i].filter) return n;
    const std::int64_t left = kernels().scan.count_bytes(mask, n);
    rows_left[conjuncts_[i].filter] += left;
    return left;
  }

  std::optional<CodeTerm> code_term(const ExpressionNode& node, const Program& program) const {
    if (node.kind != NodeKind::kCall || node.arguments.size() != 2) return std::nullopt;
    const ExpressionNode& a = program.node(node.arguments[0]);
    const ExpressionNode& b = program.node(node.arguments[1]);
    const bool swapped = b.kind == NodeKind::kSlot;
    const ExpressionNode& slot = swapped ? b : a;
    const ExpressionNode& literal = swapped ? a : b;
    if (slot.kind != NodeKind::kSlot || literal.kind != NodeKind::kLiteral) return std::nullopt;
    if (slot.lane != Lane::kInt64 || std::find(scan_slots_.begin(), scan_slots_.end(), slot.index) == scan_slots_.end()) {
      return std::nullopt;
    }
    const physical::Literal& value = program.literal_value(literal.index);
    if (value.is_null) return std::nullopt;
    return comparison_term(node.function, swapped, slot.index, value.integer);
  }

  // Narrows `term` by another range of the same slot.
  static bool merge(CodeTerm& term, const CodeTerm& other) {
    if (term.slot != other.slot || term.negated || other.negated) return false;
    term.low = std::max(term.low, other.low);
    term.high = std::min(term.high, other.high);
    return true;
  }

  static void apply_codes(Batch& batch, const CodeTerm& term, std::uint8_t* mask) {
    const Batch::EncodedRows rows = batch.encoded(term.slot);
    const SourceColumn& column = *rows.column;
    const std::int64_t n = batch.count();
    const auto bytes = static_cast<std::size_t>(n);
    const bool plain = column.encoding.form == Form::kPlain;
    const int width = column.bytes();
    const int128 smallest = plain ? INT64_MIN : column.base;
    const int128 largest = plain ? int128{INT64_MAX} : column.base + ((static_cast<int128>(1) << (8 * width)) - 1);
    const int128 low = std::max(term.low, smallest);
    const int128 high = std::min(term.high, largest);
    if (low > high) {  // no code lies in the range
      if (!term.negated) std::memset(mask, 0, bytes);
    } else if (low == smallest && high == largest) {
      if (term.negated) std::memset(mask, 0, bytes);
    } else {
      // A plain int64 is its own code: as unsigned, v - low still is the distance from low.
      const CodeRange range{static_cast<std::uint64_t>(plain ? low : low - column.base), static_cast<std::uint64_t>(high - low),
                            term.negated};
      const auto* values = static_cast<const std::byte*>(column.values) + rows.begin * width;
      kernels().scan.range_mask[static_cast<std::size_t>(width_index(width))](values, rows.rows, range, mask, n);
    }
    if (column.valid_bits != nullptr) {
      auto* valid = batch.arena().allocate<std::uint8_t>(n);
      kernels().scan.expand_bits(column.valid_bits, rows.begin, rows.rows, valid, n);
      kernels().scan.and_bytes(mask, valid, n);
    }
  }

  static void apply_predicate(Batch& batch, int expression, std::uint8_t* mask) {
    const Vector test = batch.evaluate_dense(expression);
    kernels().scan.and_bytes(mask, test.as<std::uint8_t>(), batch.count());
    if (test.valid != nullptr) kernels().scan.and_bytes(mask, test.valid, batch.count());
  }

  // False where no row is left.
  static bool keep(Batch& batch, const std::uint8_t* mask, const std::vector<bool>& live) {
    auto* rows = batch.arena().allocate<std::uint32_t>(batch.count() + 16);
    const std::int64_t n = kernels().scan.mask_to_rows(mask, batch.count(), rows);
    if (n == 0) return false;
    if (n < batch.count()) batch.select(rows, n, live, mask);
    return true;
  }

  std::vector<std::string> texts_;
  const Program* program_;
  std::vector<int> scan_slots_;
  std::vector<Conjunct> conjuncts_;
  std::vector<bool> within_;
};

}  // namespace

std::unique_ptr<Step> make_filter(const std::vector<const physical::Filter*>& filters, PipelineRun& run) {
  return std::make_unique<FilterStep>(filters, run);
}

}  // namespace saccade::cpu
