// Comparisons of text by bytes (C collation), and the hash by which ranks shuffle it.
#include <algorithm>
#include <cstring>

#include "function/text/implementations.hpp"

namespace saccade::text_impl {
namespace {

// Length, then the first eight bytes, then the rest: most strings that differ are told apart without a call.
bool equal(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (a.data() == b.data()) return true;
  if (a.size() >= 8) {
    std::uint64_t left = 0, right = 0;
    std::memcpy(&left, a.data(), 8);
    std::memcpy(&right, b.data(), 8);
    if (left != right) return false;
  }
  return std::memcmp(a.data(), b.data(), a.size()) == 0;
}

int compare(std::string_view a, std::string_view b) {
  const int order = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  if (order != 0) return order;
  return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

template <class Test>
void compare_rows(TextCall& call, const Test& test) {
  const TextOperand &a = call.operands[0], &b = call.operands[1];
  call.each_row([&](std::int64_t row) { call.put_boolean(row, test(a.text(row), b.text(row))); });
}

}  // namespace

void run_text_equal(TextCall& call) {
  compare_rows(call, [](std::string_view a, std::string_view b) { return equal(a, b); });
}

void run_text_not_equal(TextCall& call) {
  compare_rows(call, [](std::string_view a, std::string_view b) { return !equal(a, b); });
}

void run_text_less(TextCall& call) {
  compare_rows(call, [](std::string_view a, std::string_view b) { return compare(a, b) < 0; });
}

void run_text_less_equal(TextCall& call) {
  compare_rows(call, [](std::string_view a, std::string_view b) { return compare(a, b) <= 0; });
}

void run_text_greater(TextCall& call) {
  compare_rows(call, [](std::string_view a, std::string_view b) { return compare(a, b) > 0; });
}

void run_text_greater_equal(TextCall& call) {
  compare_rows(call, [](std::string_view a, std::string_view b) { return compare(a, b) >= 0; });
}

// Of what is no value (the text of a key part that stands for NULL) as well.
void run_text_hash(TextCall& call) {
  const TextOperand& text = call.operands[0];
  call.each_row([&](std::int64_t row) {
    const TextValue value = static_cast<const TextValue*>(text.values)[text.place(row)];
    call.put_integer(row, value.has_value() ? static_cast<std::int64_t>(hash_text(value.view())) : 0);
  });
}

void run_descending_text(TextCall& call) {
  call.each_row([&](std::int64_t row) { call.put_operand(row, 0); });
}

}  // namespace saccade::text_impl
