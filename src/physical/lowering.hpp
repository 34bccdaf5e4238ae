// Lowers bound expressions to nodes over slots: picks lanes by proven bounds, checks only what can fail, turns text into codes.
//
// One Lowering serves one open pipeline and adds literals and lookups to it. Errors: 0A000 for what no lane can compute yet.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "physical/interval_arithmetic.hpp"
#include "physical/open_pipeline.hpp"

namespace saccade::physical {

struct Lowered {
  Node node;
  OptionalBounds bounds;                         // of integer lanes
  std::shared_ptr<const Dictionary> dictionary;  // text in lane int64
};

class Lowering {
 public:
  explicit Lowering(OpenPipeline& open) : open_(open) {}

  Lowered lower(const Expression& expression);
  // Two expressions of one type in one lane and, for text, under one dictionary: ready to be compared.
  std::pair<Lowered, Lowered> lower_pair(const Expression& a, const Expression& b);

  // As keys and comparisons see it: intervals by their order. Other values as they are.
  Lowered lower_key(const Expression& expression);

  Lowered to_int128(Lowered value);
  // The strings themselves, where they were codes.
  Lowered to_text(Lowered value);
  // A function over text; its arguments as they were lowered.
  Lowered text_call(TextFunctionId id, std::vector<Lowered> arguments);
  Lowered constant(Lane lane, int128 value);
  // Codes of `value` under `target`; -1 for a string that `target` does not have.
  Node remap(const Lowered& value, const std::shared_ptr<const Dictionary>& target);

 private:
  Lowered lower_column(const Expression& expression);
  Lowered lower_literal(const Expression& expression);
  Lowered lower_arithmetic(const Expression& expression);
  Lowered lower_integer_arithmetic(Operation operation, Lowered a, Lowered b, const DataType& type);
  Lowered lower_numeric_arithmetic(const Expression& expression);
  Lowered lower_float_arithmetic(const Expression& expression);
  Lowered lower_date_arithmetic(const Expression& expression);
  Lowered lower_negate(const Expression& expression);
  Lowered lower_comparison(const Expression& expression);
  Lowered lower_text_comparison(const Expression& expression);
  Lowered compare_texts(Operation operation, Lowered left, Lowered right);
  Lowered lower_like(const Expression& expression);
  Lowered lower_text_function(const Expression& expression);
  std::optional<Lowered> text_call_by_code(TextFunctionId id, const std::vector<Lowered>& arguments);
  bool text_call_is_safe(TextFunctionId id, const std::vector<Lowered>& arguments);
  Lowered cast_to_text(Lowered value, const Expression& expression);
  Lowered cast_from_text(Lowered value, const Expression& expression);
  Lowered lower_connective(const Expression& expression);
  Lowered lower_choice(const Expression& expression);
  Lowered lower_cast(const Expression& expression);
  Lowered lower_function(const Expression& expression);
  Lowered lower_extract(const Expression& expression);
  Lowered lower_single_row(const Expression& expression);

  Lowered cast_number(Lowered value, const DataType& from, const DataType& to);
  Lowered to_real(Lowered value, const DataType& from);
  Lowered to_float(Lowered value, const DataType& from);
  Lowered rescale(Lowered value, int from_scale, int to_scale);
  Lowered check_range(Lowered value, const DataType& type);
  // a op b in int64 where proven, else int128 (numerics).
  Lowered wide_arithmetic(Operation operation, Lowered a, Lowered b);
  void unify(std::vector<Lowered>& values);
  void unify_codes(std::vector<Lowered>& values);

  OpenPipeline& open_;
};

}  // namespace saccade::physical
