// Where a string holds another: LIKE, starts_with, position.
#include <string>

#include "common/error.hpp"
#include "function/like.hpp"
#include "function/text/characters.hpp"
#include "function/text/implementations.hpp"

namespace saccade::text_impl {
namespace {

struct PreparedLike : TextPrepared {
  PreparedLike(std::string_view pattern, bool ignore_case) : like(pattern, ignore_case) {}
  LikePattern like;
};

std::shared_ptr<const TextPrepared> prepare(Constants constants, bool ignore_case) {
  if (!constants[1]) return nullptr;
  return std::make_shared<const PreparedLike>(constants[1]->text(0), ignore_case);
}

void match_rows(TextCall& call, bool ignore_case) {
  const TextOperand &text = call.operands[0], &pattern = call.operands[1];
  if (call.prepared != nullptr) {
    const LikePattern& like = static_cast<const PreparedLike*>(call.prepared)->like;
    call.each_row([&](std::int64_t row) { call.put_boolean(row, like.matches(text.text(row))); });
    return;
  }
  std::string last;
  std::optional<LikePattern> like;
  call.each_row([&](std::int64_t row) {
    const std::string_view wanted = pattern.text(row);
    if (!like || last != wanted) {
      last = wanted;
      like.emplace(wanted, ignore_case);
    }
    call.put_boolean(row, like->matches(text.text(row)));
  });
}

}  // namespace

std::shared_ptr<const TextPrepared> prepare_like(Constants constants) {
  return prepare(constants, false);
}

std::shared_ptr<const TextPrepared> prepare_ilike(Constants constants) {
  return prepare(constants, true);
}

void run_text_like(TextCall& call) {
  match_rows(call, false);
}

void run_text_ilike(TextCall& call) {
  match_rows(call, true);
}

// The pattern with `\` as its escape. An empty escape: none.
void run_like_escape(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::string_view pattern = call.operands[0].text(row), escape = call.operands[1].text(row);
    if (count_characters(escape) > 1) {
      throw Error("22025", "invalid escape string", 0, "Escape string must be empty or one character.");
    }
    if (escape == "\\") return call.put_operand(row, 0);
    std::string result;
    bool escaped = false;
    for (std::size_t at = 0; at < pattern.size();) {
      const std::string_view character = pattern.substr(at, character_bytes(pattern[at]));
      at += character.size();
      if (!escaped && !escape.empty() && character == escape) {
        result += '\\';
        escaped = true;
        continue;
      }
      if (character == "\\" && !escaped) result += '\\';
      result += character;
      escaped = false;
    }
    call.put(row, result);
  });
}

void run_starts_with(TextCall& call) {
  call.each_row(
      [&](std::int64_t row) { call.put_boolean(row, call.operands[0].text(row).starts_with(call.operands[1].text(row))); });
}

void run_position(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row);
    const std::size_t at = find_text(text, call.operands[1].text(row), 0);
    call.put_integer(row, at == std::string_view::npos ? 0 : count_characters(text.substr(0, at)) + 1);
  });
}

}  // namespace saccade::text_impl
