// Functions over text. One whose only argument that is not constant is a code is computed once for each string of the
// dictionary and looked up by code; others are computed row by row on the strings.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "common/error.hpp"
#include "function/like.hpp"
#include "function/text/call.hpp"
#include "physical/lowering.hpp"
#include "physical/node.hpp"

namespace saccade::physical {

namespace {

// A dictionary that is larger than this is looked at only where the rows are many times more: its results travel with the plan.
constexpr std::int64_t kSmallDictionary = 1 << 12;
constexpr std::int64_t kLargestDictionary = 1 << 16;
constexpr int kRowsPerString = 8;

// Values of a lookup by code: of a boolean, an integer, or of strings the codes in a dictionary of their own.
struct DictionaryResults {
  std::vector<std::int64_t> values;
  std::shared_ptr<const Dictionary> dictionary;
};

bool is_null_literal(const Node& node) {
  return node.kind == NodeKind::kLiteral && node.nullable;
}

// Errors of these do not depend on the first argument.
bool fails_by_constants(TextFunctionId id) {
  using F = TextFunctionId;
  constexpr std::array kFunctions = {F::text_like,    F::text_ilike,     F::like_escape,    F::substring_from_for,
                                     F::split_part,   F::regexp_like,    F::regexp_count,   F::regexp_substr,
                                     F::regexp_instr, F::regexp_replace, F::substring_regex};
  return std::find(kFunctions.begin(), kFunctions.end(), id) != kFunctions.end();
}

OptionalBounds result_bounds(TextFunctionId id, const std::vector<Lowered>& arguments, const Pipeline& pipeline) {
  switch (id) {
    case TextFunctionId::bit_length:
      return Bounds{0, int128{8} * kMaxTextBytes};
    case TextFunctionId::ascii:
      return Bounds{0, 0x10ffff};
    case TextFunctionId::position:
    case TextFunctionId::regexp_instr:
    case TextFunctionId::regexp_count:
      return Bounds{0, kMaxTextBytes + 1};
    case TextFunctionId::length:
    case TextFunctionId::octet_length:
      return Bounds{0, kMaxTextBytes};
    case TextFunctionId::integer_of_text: {
      const int128 bytes = pipeline.literals[static_cast<std::size_t>(arguments[1].node.index)].integer;
      return type_bounds({bytes == 2 ? TypeKind::kSmallint : bytes == 4 ? TypeKind::kInteger : TypeKind::kBigint});
    }
    case TextFunctionId::numeric_of_text:
      return numeric_bounds();
    case TextFunctionId::date_of_text:
      return type_bounds({TypeKind::kDate});
    case TextFunctionId::timestamp_of_text:
      return kInt64Bounds;
    case TextFunctionId::starts_with:
    case TextFunctionId::text_like:
    case TextFunctionId::text_ilike:
    case TextFunctionId::regexp_like:
    case TextFunctionId::boolean_of_text:
      return Bounds{0, 1};
    default:
      return std::nullopt;
  }
}

// One function, called while the plan is made, with constants for all arguments but one.
class PlannedCall {
 public:
  PlannedCall(const Pipeline& pipeline, TextFunctionId id, const std::vector<Lowered>& arguments, std::size_t variable)
      : id_(id), variable_(variable), operands_(arguments.size()), values_(arguments.size()) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (i != variable) add_constant(pipeline, arguments[i], i);
    }
  }

  // For these strings; the output has room for as many values of the result's lane. Errors: those of the function.
  void run(const TextValue* texts, std::int64_t rows, void* out, std::uint8_t* valid) {
    operands_[variable_] = {texts, nullptr, false};
    std::vector<std::optional<TextOperand>> constants(operands_.begin(), operands_.end());
    constants[variable_].reset();
    const TextImplementation& implementation = text_implementation(id_);
    const auto prepared = implementation.prepare == nullptr ? nullptr : implementation.prepare(constants);
    TextCall call;
    call.operands = operands_;
    call.rows = rows;
    call.out = out;
    call.out_valid = valid;
    call.scratch = &scratch_;
    call.prepared = prepared.get();
    implementation.run(call);
  }

 private:
  void add_constant(const Pipeline& pipeline, const Lowered& argument, std::size_t i) {
    const Literal& literal = pipeline.literals[static_cast<std::size_t>(argument.node.index)];
    const auto set = [&](const auto& value) { std::memcpy(values_[i].bytes, &value, sizeof(value)); };
    if (argument.dictionary) {
      set(argument.dictionary->text(static_cast<std::int64_t>(literal.integer)));
      keep_.push_back(argument.dictionary);
    } else if (literal.lane == Lane::kText) {
      set(write_text(scratch_.room(static_cast<std::int64_t>(literal.text.size())), literal.text));
    } else if (literal.lane == Lane::kFloat64) {
      set(literal.real);
    } else {
      set(literal.integer);  // little-endian: also as int64 and boolean
    }
    operands_[i] = {values_[i].bytes, nullptr, true};
  }

  struct Value {
    alignas(16) std::byte bytes[16] = {};
  };
  TextFunctionId id_;
  std::size_t variable_;
  HeapTextScratch scratch_;
  std::vector<TextOperand> operands_;
  std::vector<Value> values_;
  std::vector<std::shared_ptr<const Dictionary>> keep_;
};

std::optional<DictionaryResults> results_by_code(PlannedCall& call, const TextFunction& function,
                                                 const Dictionary& dictionary) {
  const std::int64_t size = dictionary.size();
  const auto count = static_cast<std::size_t>(size);
  std::vector<TextValue> texts(count);
  for (std::int64_t code = 0; code < size; ++code) texts[static_cast<std::size_t>(code)] = dictionary.text(code);
  std::vector<std::uint64_t> out(count + 1);
  std::vector<std::uint8_t> valid(count, 1);
  try {
    call.run(texts.data(), size, out.data(), valid.data());
  } catch (const Error&) {
    return std::nullopt;  // raised by a row that comes to it, if one does
  }
  if (std::find(valid.begin(), valid.end(), 0) != valid.end()) return std::nullopt;  // a lookup gives no nulls
  DictionaryResults results;
  results.values.resize(count);
  if (function.result == Lane::kBoolean) {
    std::copy_n(reinterpret_cast<const std::uint8_t*>(out.data()), count, results.values.begin());
    return results;
  }
  if (function.result == Lane::kInt64) {
    std::copy_n(reinterpret_cast<const std::int64_t*>(out.data()), count, results.values.begin());
    return results;
  }
  const auto* strings = reinterpret_cast<const TextValue*>(out.data());
  std::vector<std::string> distinct;
  for (std::size_t i = 0; i < count; ++i) distinct.emplace_back(strings[i].view());
  results.dictionary = Dictionary::from_strings(std::move(distinct));
  for (std::size_t i = 0; i < count; ++i) results.values[i] = results.dictionary->find(strings[i].view());
  return results;
}

}  // namespace

Lowered Lowering::to_text(Lowered value) {
  if (value.node.lane == Lane::kText) return value;
  if (value.node.kind == NodeKind::kLiteral) {
    const Literal& literal = open_.pipeline.literals[static_cast<std::size_t>(value.node.index)];
    if (literal.is_null) return {null_literal(open_.pipeline, Lane::kText), std::nullopt, nullptr};
    SACCADE_CHECK(value.dictionary != nullptr);
    return {text_literal(open_.pipeline, std::string(value.dictionary->at(static_cast<std::int64_t>(literal.integer)))),
            std::nullopt, nullptr};
  }
  SACCADE_CHECK(value.dictionary != nullptr);
  return {dictionary_text_node(open_, value.dictionary, std::move(value.node)), std::nullopt, nullptr};
}

// The result by code, where that is possible and pays.
std::optional<Lowered> Lowering::text_call_by_code(TextFunctionId id, const std::vector<Lowered>& arguments) {
  const TextFunction& function = text_function(id);
  if (function.nulls == TextNulls::kOwn || function.nulls == TextNulls::kOwnNeverNull) return std::nullopt;
  if (function.result == Lane::kInt128 || function.result == Lane::kFloat64) return std::nullopt;
  std::optional<std::size_t> variable;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].node.kind == NodeKind::kLiteral) continue;
    if (variable || !arguments[i].dictionary) return std::nullopt;
    variable = i;
  }
  if (!variable) return std::nullopt;
  const Dictionary& dictionary = *arguments[*variable].dictionary;
  const bool matches = id == TextFunctionId::text_like || id == TextFunctionId::text_ilike;
  const bool small = dictionary.size() <= kSmallDictionary ||
                     (dictionary.size() <= kLargestDictionary && int128{dictionary.size()} * kRowsPerString <= open_.max_rows);
  if (!small && !matches) return std::nullopt;
  PlannedCall call(open_.pipeline, id, arguments, *variable);
  std::optional<DictionaryResults> results = results_by_code(call, function, dictionary);
  if (!results) return std::nullopt;
  Lowered result;
  result.dictionary = results->dictionary;
  if (results->values.empty()) {
    result.bounds = Bounds{0, 0};
  } else {
    const auto [low, high] = std::minmax_element(results->values.begin(), results->values.end());
    result.bounds = Bounds{*low, *high};
  }
  Lookup lookup;
  lookup.lane = function.result == Lane::kBoolean ? Lane::kBoolean : Lane::kInt64;
  lookup.values = std::move(results->values);
  result.node = lookup_node(open_.pipeline, std::move(lookup), arguments[*variable].node);
  return result;
}

// Whether no row can raise an error of the function: what can be wrong of its constants is tried out.
bool Lowering::text_call_is_safe(TextFunctionId id, const std::vector<Lowered>& arguments) {
  if (!fails_by_constants(id)) return false;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i].node.kind != NodeKind::kLiteral || arguments[i].node.nullable) return false;
  }
  const bool matches = id == TextFunctionId::text_like || id == TextFunctionId::text_ilike;
  if (matches && arguments[1].dictionary) return !LikePattern(arguments[1].dictionary->at(0), false).can_fail();
  const char empty[kTextPrefixBytes] = {};
  const TextValue text(empty);
  int128 out = 0;
  std::uint8_t valid = 1;
  try {
    PlannedCall(open_.pipeline, id, arguments, 0).run(&text, 1, &out, &valid);
    return true;
  } catch (const Error&) {
    return false;
  }
}

Lowered Lowering::text_call(TextFunctionId id, std::vector<Lowered> arguments) {
  const TextFunction& function = text_function(id);
  SACCADE_CHECK(takes_arguments(function, arguments.size()));
  const bool strict = function.nulls == TextNulls::kStrict || function.nulls == TextNulls::kStrictOrNull;
  const bool null = std::any_of(arguments.begin(), arguments.end(), [](const Lowered& a) { return is_null_literal(a.node); });
  if (strict && null) return {null_literal(open_.pipeline, function.result), Bounds{0, 0}, nullptr};
  if (auto by_code = text_call_by_code(id, arguments)) return std::move(*by_code);
  const bool safe = !function.can_fail || text_call_is_safe(id, arguments);
  Lowered result;
  result.bounds = result_bounds(id, arguments, open_.pipeline);
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Lane lane = text_argument_lane(function, i);
    if (lane == Lane::kText) arguments[i] = to_text(std::move(arguments[i]));
    if (lane == Lane::kInt128) arguments[i] = to_int128(std::move(arguments[i]));
    SACCADE_CHECK(arguments[i].node.lane == lane);
    nodes.push_back(std::move(arguments[i].node));
  }
  result.node = text_call_node(id, std::move(nodes), !safe);
  return result;
}

Lowered Lowering::lower_text_function(const Expression& expression) {
  std::vector<Lowered> arguments;
  for (const Expression& argument : expression.arguments) arguments.push_back(lower(argument));
  return text_call(find_text_function(expression.name), std::move(arguments));
}

Lowered Lowering::cast_to_text(Lowered value, const Expression& expression) {
  const DataType& from = expression.arguments.at(0).type;
  using F = TextFunctionId;
  switch (from.kind) {
    case TypeKind::kBoolean:
      return text_call(F::text_of_boolean, {std::move(value)});
    case TypeKind::kSmallint:
    case TypeKind::kInteger:
    case TypeKind::kBigint:
      return text_call(F::text_of_integer, {std::move(value)});
    case TypeKind::kNumeric:
      return text_call(F::text_of_numeric, {std::move(value), constant(Lane::kInt64, from.scale)});
    case TypeKind::kDouble:
      return text_call(F::text_of_double, {std::move(value)});
    case TypeKind::kDate:
      return text_call(F::text_of_date, {std::move(value)});
    case TypeKind::kTimestamp:
      return text_call(F::text_of_timestamp, {std::move(value)});
    default:
      throw Error(sqlstate::kFeatureNotSupported, "casting a column from " + to_string(from) + " to text is not supported yet",
                  expression.position);
  }
}

Lowered Lowering::cast_from_text(Lowered value, const Expression& expression) {
  const DataType& to = expression.type;
  using F = TextFunctionId;
  switch (to.kind) {
    case TypeKind::kBoolean:
      return text_call(F::boolean_of_text, {std::move(value)});
    case TypeKind::kSmallint:
    case TypeKind::kInteger:
    case TypeKind::kBigint: {
      const int bytes = to.kind == TypeKind::kSmallint ? 2 : to.kind == TypeKind::kInteger ? 4 : 8;
      return text_call(F::integer_of_text, {std::move(value), constant(Lane::kInt64, bytes)});
    }
    case TypeKind::kNumeric: {
      Lowered result = text_call(F::numeric_of_text,
                                 {std::move(value), constant(Lane::kInt64, to.precision), constant(Lane::kInt64, to.scale)});
      const int128 limit = power_of_ten(to.precision) - 1;
      result.bounds = Bounds{-limit, limit};
      return result;
    }
    case TypeKind::kDouble:
      return text_call(F::double_of_text, {std::move(value)});
    case TypeKind::kDate:
      return text_call(F::date_of_text, {std::move(value)});
    case TypeKind::kTimestamp:
      return text_call(F::timestamp_of_text, {std::move(value)});
    default:
      throw Error(sqlstate::kFeatureNotSupported, "casting a column from text to " + to_string(to) + " is not supported yet",
                  expression.position);
  }
}

}  // namespace saccade::physical
