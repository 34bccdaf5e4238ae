#include "storage/tpch/column_maker.hpp"

#include <cstring>

#include "storage/tpch/text_pool.hpp"

namespace saccade::tpch {
namespace {

// dbgen draws five characters from 31 random bits, in a range whose size passes 2^31 and so is negative: characters are taken
// from a negative number.
std::int64_t draw_five_characters(RandomStream& random) {
  return static_cast<std::int64_t>(random.draw_fraction() * -2147483648.0);
}

char* write_address(RandomStream& random, char* out) {
  static constexpr std::string_view kAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ,";
  static_assert(kAlphabet.size() == 64);
  const std::int64_t length = random.draw(10, 40);
  std::int64_t bits = 0;
  for (std::int64_t i = 0; i < length; ++i, bits >>= 6) {
    if (i % 5 == 0) bits = draw_five_characters(random);
    *out++ = kAlphabet[static_cast<std::size_t>(bits & 63)];
  }
  return out;
}

char* write_digits(std::int64_t number, int digits, char* out) {
  for (int i = digits; i-- > 0; number /= 10) out[i] = static_cast<char>('0' + number % 10);
  return out + digits;
}

char* write_phone(RandomStream& random, std::int64_t nation, char* out) {
  out = write_digits(10 + nation, 2, out);
  *out++ = '-';
  out = write_digits(random.draw(100, 999), 3, out);
  *out++ = '-';
  out = write_digits(random.draw(100, 999), 3, out);
  *out++ = '-';
  return write_digits(random.draw(1000, 9999), 4, out);
}

}  // namespace

std::vector<std::int64_t> draw_uniform(const UnitRange& range, StreamSpec spec, std::int64_t low, std::int64_t high) {
  return draw_numbers(range, spec, [=](RandomStream& random, std::int64_t, int) { return random.draw(low, high); });
}

std::vector<std::int64_t> draw_keys(const UnitRange& range, StreamSpec spec, bool wide, std::int64_t high) {
  std::vector<std::int64_t> keys(static_cast<std::size_t>(range.rows));
  std::int64_t* out = keys.data();
  for_each_row(range, KeyStream(spec.seed, spec.draws * range.most_rows, wide),
               [&](KeyStream& random, std::int64_t, int) { *out++ = random.draw(1, high); });
  return keys;
}

GeneratedColumn number_column(std::vector<std::int64_t> numbers) {
  GeneratedColumn column;
  column.numbers = std::move(numbers);
  return column;
}

GeneratedColumn choice_column(Choices choices, std::vector<std::int64_t> places) {
  GeneratedColumn column = number_column(std::move(places));
  column.content = Content::kChoices;
  column.choices = choices;
  return column;
}

GeneratedColumn numbered_column(std::string_view prefix, std::vector<std::int64_t> numbers) {
  GeneratedColumn column = number_column(std::move(numbers));
  column.content = Content::kNumbered;
  column.prefix = prefix;
  return column;
}

GeneratedColumn drawn_choice_column(const UnitRange& range, StreamSpec spec, Choices choices) {
  return choice_column(choices, draw_uniform(range, spec, 0, static_cast<std::int64_t>(choices.size()) - 1));
}

GeneratedColumn comment_column(const UnitRange& range, std::uint32_t seed, int average) {
  const auto shortest = static_cast<std::int64_t>(average * 0.4), longest = static_cast<std::int64_t>(average * 1.6);
  TextPool& pool = TextPool::instance();
  GeneratedColumn column;
  column.content = Content::kTexts;
  column.texts.reserve(static_cast<std::size_t>(range.rows));
  for_each_row(range, RandomStream(seed, 2 * range.most_rows), [&](RandomStream& random, std::int64_t, int) {
    const std::int64_t offset = random.draw(0, TextPool::kBytes - longest);
    column.texts.push_back(pool.text(offset, random.draw(shortest, longest)));
  });
  return column;
}

GeneratedColumn address_column(const UnitRange& range, std::uint32_t seed) {
  return write_texts(range, {seed, 9}, 40,
                     [](RandomStream& random, std::size_t, char* out) { return write_address(random, out); });
}

GeneratedColumn phone_column(const UnitRange& range, std::uint32_t seed, const std::vector<std::int64_t>& nations) {
  return write_texts(range, {seed, 3}, 15,
                     [&](RandomStream& random, std::size_t row, char* out) { return write_phone(random, nations[row], out); });
}

}  // namespace saccade::tpch
