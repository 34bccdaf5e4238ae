// Evaluation of nodes over text. Strings that a batch makes lie in its arena; whoever keeps one longer copies it
// (row_buffer.hpp).
#include <cstring>

#include "common/error.hpp"
#include "execution/cpu/batch.hpp"
#include "function/text/call.hpp"

namespace saccade::cpu {
namespace {

class ArenaScratch final : public TextScratch {
 public:
  explicit ArenaScratch(Arena& arena) : arena_(arena) {}

 protected:
  char* allocate(std::int64_t bytes) override { return arena_.allocate<char>(bytes); }

 private:
  Arena& arena_;
};

TextOperand operand_of(const Vector& vector) {
  return {vector.values, vector.valid, vector.constant};
}

}  // namespace

Vector Batch::dictionary_text(const ExpressionNode& node) {
  const Vector codes = evaluate(node.arguments[0]);
  const Dictionary& dictionary = program_->text_dictionary(node.index);
  const std::int64_t n = codes.constant ? 1 : count_;
  auto* texts = arena_->allocate<TextValue>(n);
  for (std::int64_t i = 0; i < n; ++i) {
    if (codes.valid != nullptr && codes.valid[i] == 0) {
      texts[i] = TextValue();
      continue;
    }
    const std::int64_t code = codes.as<std::int64_t>()[i];
    SACCADE_CHECK(code >= 0 && code < dictionary.size());
    texts[i] = dictionary.text(code);
  }
  return {Lane::kText, codes.constant, texts, codes.valid};
}

Vector Batch::intern(const ExpressionNode& node) {
  const Vector text = evaluate(node.arguments[0]);
  const bool permanent = program_->is_permanent_text(node.arguments[0]);
  const std::int64_t n = text.constant ? 1 : count_;
  auto* keys = arena_->allocate<std::int64_t>(n);
  TextInterner& interner = program_->text_store().interner();
  for (std::int64_t i = 0; i < n; ++i) {
    const TextValue value = text.as<TextValue>()[i];
    const bool present = (text.valid == nullptr || text.valid[i] != 0) && value.has_value();
    keys[i] = present ? interner.intern(value, permanent).key() : 0;
  }
  return {Lane::kInt64, text.constant, keys, text.valid};
}

Vector Batch::text_of_key(const ExpressionNode& node) {
  Vector key = evaluate(node.arguments[0]);
  key.lane = Lane::kText;  // the key is the pointer
  return key;
}

Vector Batch::text_call(const ExpressionNode& node) {
  const TextFunction& function = text_function(node.text_function);
  const bool strict = function.nulls == TextNulls::kStrict || function.nulls == TextNulls::kStrictOrNull;
  std::vector<TextOperand> operands;
  const std::uint8_t* valid = nullptr;
  std::uint8_t* both = nullptr;  // the arena's, where validities had to be combined
  bool constant = !is_volatile(node.text_function);
  for (const int index : node.arguments) {
    const Vector argument = evaluate(index);
    if (strict && argument.is_null_constant()) {
      auto* invalid = arena_->allocate<std::uint8_t>(1);
      invalid[0] = 0;
      return {node.lane, true, arena_->allocate<int128>(1), invalid};
    }
    operands.push_back(operand_of(argument));
    constant &= argument.constant;
    if (!strict || argument.constant || argument.valid == nullptr) continue;
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
  ArenaScratch scratch(*arena_);
  TextCall call;
  call.operands = operands;
  call.rows = constant ? 1 : count_;
  call.valid = valid;
  call.out = arena_->allocate<std::byte>(call.rows * lane_bytes(node.lane));
  call.scratch = &scratch;
  call.prepared = program_->prepared_text(node);
  const std::uint8_t* out_valid = valid;
  if (function.nulls == TextNulls::kStrictOrNull || function.nulls == TextNulls::kOwn) {
    call.out_valid = arena_->allocate<std::uint8_t>(call.rows);
    if (valid != nullptr) {
      std::memcpy(call.out_valid, valid, static_cast<std::size_t>(call.rows));
    } else {
      std::memset(call.out_valid, 1, static_cast<std::size_t>(call.rows));
    }
    out_valid = call.out_valid;
  }
  text_implementation(node.text_function).run(call);
  return {node.lane, constant, call.out, out_valid};
}

}  // namespace saccade::cpu
