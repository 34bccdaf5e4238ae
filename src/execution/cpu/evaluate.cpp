// Evaluation of expressions over the rows of a batch.
//
// What cannot fail is computed for all rows at once and blended. What can fail is computed only for the rows that reach it: the
// rows which earlier arguments of AND and OR have not settled, or which a CASE condition has chosen, form a part of the batch.
#include <cstring>

#include "common/error.hpp"
#include "execution/cpu/batch.hpp"

namespace saccade::cpu {
namespace {

using physical::NodeKind;

Vector null_vector(Lane lane) {
  alignas(16) static constexpr std::byte kZero[16] = {};
  static constexpr std::uint8_t kInvalid = 0;
  return {lane, true, kZero, &kInvalid};
}

Vector boolean_constant(bool value) {
  static constexpr std::uint8_t kValues[2] = {0, 1};
  return {Lane::kBoolean, true, &kValues[value ? 1 : 0], nullptr};
}

void blend(const std::uint8_t* condition, const Vector& from, std::byte* values, std::uint8_t* valid, std::int64_t n) {
  const VectorKernels& k = kernels().vector;
  const auto kernel = from.lane == Lane::kBoolean ? k.blend1 : from.lane == Lane::kInt128 ? k.blend16 : k.blend8;
  kernel(condition, from.values, values, n);
  for (std::int64_t i = 0; i < n; ++i) {
    if (condition[i] != 0) valid[i] = from.valid == nullptr ? 1 : from.valid[i];
  }
}

void scatter(const Vector& from, const std::uint32_t* positions, std::byte* values, std::uint8_t* valid, std::int64_t n) {
  const auto width = static_cast<std::size_t>(lane_bytes(from.lane));
  const auto* source = from.as<std::byte>();
  for (std::int64_t i = 0; i < n; ++i) {
    std::memcpy(values + positions[i] * width, source + static_cast<std::size_t>(i) * width, width);
    valid[positions[i]] = from.valid == nullptr ? 1 : from.valid[i];
  }
}

}  // namespace

Vector Batch::evaluate(int expression) {
  Cached& cached = results_[static_cast<std::size_t>(expression)];
  if (!cached.ready) {
    SACCADE_CHECK(count_ > 0);  // an expression that can fail must not be computed for no row
    cached.vector = compute(program_->node(expression));
    cached.ready = true;
  }
  return cached.vector;
}

Vector Batch::compute(const ExpressionNode& node) {
  switch (node.kind) {
    case NodeKind::kSlot:
      return slot(node.index);
    case NodeKind::kLiteral:
      return program_->literal(node.index);
    case NodeKind::kCall:
      return call(node);
    case NodeKind::kAnd:
    case NodeKind::kOr:
      return logical(node);
    case NodeKind::kNot:
      return logical_not(node);
    case NodeKind::kIsNull:
      return is_null(node);
    case NodeKind::kCase:
      return conditional(node);
    case NodeKind::kOrElse:
      return or_else(node);
    case NodeKind::kLookup:
      return lookup(node);
    case NodeKind::kDictionaryText:
      return dictionary_text(node);
    case NodeKind::kIntern:
      return intern(node);
    case NodeKind::kTextOfKey:
      return text_of_key(node);
    case NodeKind::kTextCall:
      return text_call(node);
  }
  raise_internal("a known kind of node", __FILE__, __LINE__);
}

Vector Batch::call(const ExpressionNode& node) {
  Operand operands[3];
  const std::uint8_t* valid = nullptr;
  std::uint8_t* both = nullptr;  // the arena's, where validities had to be combined
  bool constant = true;
  for (std::size_t i = 0; i < node.arguments.size(); ++i) {
    const Vector argument = evaluate(node.arguments[i]);
    if (argument.is_null_constant()) return null_vector(node.lane);
    operands[i] = {argument.values, argument.constant};
    constant &= argument.constant;
    if (argument.constant || argument.valid == nullptr) continue;
    if (valid == nullptr) {
      valid = argument.valid;
      continue;
    }
    if (both == nullptr) {
      both = arena_->allocate<std::uint8_t>(count_);
      std::memcpy(both, valid, static_cast<std::size_t>(count_));
      valid = both;
    }
    kernels().scan.and_bytes(both, argument.valid, count_);
  }
  const std::int64_t n = constant ? 1 : count_;
  auto* out = arena_->allocate<std::byte>(n * lane_bytes(node.lane));
  FunctionError error = FunctionError::kNone;
  kernels().functions[static_cast<std::size_t>(node.function)](operands, valid, out, n, error);
  if (error != FunctionError::kNone) throw to_error(error);
  return {node.lane, constant, out, valid};
}

Vector Batch::logical(const ExpressionNode& node) {
  const bool is_and = node.kind == NodeKind::kAnd;
  const VectorKernels& k = kernels().vector;
  const Vector first = evaluate_dense(node.arguments[0]);
  const auto bytes = static_cast<std::size_t>(count_);
  auto* values = arena_->allocate<std::uint8_t>(count_);
  auto* valid = arena_->allocate<std::uint8_t>(count_);
  std::memcpy(values, first.values, bytes);
  bool may_be_null = first.valid != nullptr;
  if (first.valid != nullptr) {
    std::memcpy(valid, first.valid, bytes);
  } else {
    std::memset(valid, 1, bytes);
  }
  for (std::size_t a = 1; a < node.arguments.size(); ++a) {
    const int argument = node.arguments[a];
    Vector next;
    if (!program_->node(argument).can_fail) {
      next = evaluate_dense(argument);
    } else {
      // Settled rows keep the neutral element: true for AND, false for OR.
      auto* next_values = arena_->allocate<std::byte>(count_);
      auto* next_valid = arena_->allocate<std::uint8_t>(count_);
      std::memset(next_values, is_and ? 1 : 0, bytes);
      std::memset(next_valid, 1, bytes);
      auto* positions = arena_->allocate<std::uint32_t>(count_ + 16);
      std::int64_t open = 0;
      for (std::int64_t i = 0; i < count_; ++i) {
        positions[open] = static_cast<std::uint32_t>(i);
        open += valid[i] == 0 || (values[i] != 0) == is_and ? 1 : 0;
      }
      if (open == 0) continue;
      Batch rest = part(positions, open);
      const Vector result = rest.evaluate_dense(argument);
      scatter(result, positions, next_values, next_valid, open);
      next = {Lane::kBoolean, false, next_values, result.valid == nullptr ? nullptr : next_valid};
    }
    may_be_null |= next.valid != nullptr;
    (is_and ? k.logical_and : k.logical_or)(values, valid, next.as<std::uint8_t>(), next.valid, count_);
  }
  return {Lane::kBoolean, false, values, may_be_null ? valid : nullptr};
}

Vector Batch::logical_not(const ExpressionNode& node) {
  const Vector argument = evaluate(node.arguments[0]);
  const std::int64_t n = argument.constant ? 1 : count_;
  auto* values = arena_->allocate<std::uint8_t>(n);
  kernels().vector.logical_not(argument.as<std::uint8_t>(), values, n);
  return {Lane::kBoolean, argument.constant, values, argument.valid};
}

Vector Batch::is_null(const ExpressionNode& node) {
  const Vector argument = evaluate(node.arguments[0]);
  if (argument.constant || argument.valid == nullptr) return boolean_constant(argument.is_null_constant());
  auto* values = arena_->allocate<std::uint8_t>(count_);
  kernels().vector.logical_not(argument.valid, values, count_);
  return {Lane::kBoolean, false, values, nullptr};
}

Vector Batch::lookup(const ExpressionNode& node) {
  const Vector argument = evaluate(node.arguments[0]);
  if (argument.is_null_constant()) return null_vector(node.lane);
  const physical::Lookup& table = program_->lookup(node.index);
  const std::int64_t n = argument.constant ? 1 : count_;
  auto* values = arena_->allocate<std::byte>(n * lane_bytes(node.lane));
  const VectorKernels& k = kernels().vector;
  const auto kernel = node.lane == Lane::kBoolean ? k.lookup_boolean : k.lookup_i64;
  const bool inside = kernel(argument.as<std::int64_t>(), argument.valid, table.values.data(), table.base,
                             static_cast<std::int64_t>(table.values.size()), values, n);
  SACCADE_CHECK(inside);
  return {node.lane, argument.constant, values, argument.valid};
}

Vector Batch::or_else(const ExpressionNode& node) {
  const Vector first = evaluate(node.arguments[0]);
  if (first.valid == nullptr || (first.constant && !first.is_null_constant())) return first;
  if (first.is_null_constant()) return evaluate(node.arguments[1]);
  const std::int64_t n = count_;
  auto* positions = arena_->allocate<std::uint32_t>(n);
  std::int64_t missing = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    positions[missing] = static_cast<std::uint32_t>(i);
    missing += first.valid[i] ^ 1;
  }
  if (missing == 0) return {node.lane, false, first.values, nullptr};
  auto* values = arena_->allocate<std::byte>(n * lane_bytes(node.lane));
  auto* valid = arena_->allocate<std::uint8_t>(n);
  std::memcpy(values, first.values, static_cast<std::size_t>(n * lane_bytes(node.lane)));
  std::memcpy(valid, first.valid, static_cast<std::size_t>(n));
  Batch rest = part(positions, missing);
  const Vector second = rest.evaluate_dense(node.arguments[1]);
  scatter(second, positions, values, valid, missing);
  return {node.lane, false, values, second.valid == nullptr ? nullptr : valid};
}

Vector Batch::conditional(const ExpressionNode& node) {
  const std::int64_t n = count_;
  auto* values = arena_->allocate<std::byte>(n * lane_bytes(node.lane));
  auto* valid = arena_->allocate<std::uint8_t>(n);
  auto* chosen = arena_->allocate<std::uint8_t>(n);
  auto* open = arena_->allocate<std::uint8_t>(n);  // rows that no condition has chosen yet
  std::memset(open, 1, static_cast<std::size_t>(n));
  auto* positions = arena_->allocate<std::uint32_t>(n + 16);
  const auto rows_of = [&](const std::uint8_t* mask) { return kernels().scan.mask_to_rows(mask, n, positions); };
  bool may_be_null = false;
  const auto take = [&](int value, const std::uint8_t* mask) {
    if (!program_->node(value).can_fail) {
      const Vector all = evaluate_dense(value);
      may_be_null |= all.valid != nullptr;
      blend(mask, all, values, valid, n);
    } else if (const std::int64_t count = rows_of(mask); count > 0) {
      auto* rows = arena_->allocate<std::uint32_t>(count);
      std::memcpy(rows, positions, static_cast<std::size_t>(count) * sizeof(std::uint32_t));
      Batch some = part(rows, count);
      const Vector result = some.evaluate_dense(value);
      may_be_null |= result.valid != nullptr;
      scatter(result, rows, values, valid, count);
    }
  };
  for (std::size_t a = 0; a + 1 < node.arguments.size(); a += 2) {
    const int condition = node.arguments[a];
    if (a == 0 || !program_->node(condition).can_fail) {
      const Vector test = evaluate_dense(condition);
      for (std::int64_t i = 0; i < n; ++i) {
        const std::uint8_t known = test.valid == nullptr ? 1 : test.valid[i];
        chosen[i] = test.as<std::uint8_t>()[i] & known & open[i];
      }
    } else {
      std::memset(chosen, 0, static_cast<std::size_t>(n));
      const std::int64_t count = rows_of(open);
      if (count == 0) break;
      Batch rest = part(positions, count);
      const Vector test = rest.evaluate_dense(condition);
      for (std::int64_t i = 0; i < count; ++i) {
        chosen[positions[i]] = test.as<std::uint8_t>()[i] & (test.valid == nullptr ? 1 : test.valid[i]);
      }
    }
    take(node.arguments[a + 1], chosen);
    for (std::int64_t i = 0; i < n; ++i) open[i] &= chosen[i] ^ 1;
  }
  take(node.arguments.back(), open);
  return {node.lane, false, values, may_be_null ? valid : nullptr};
}

}  // namespace saccade::cpu
