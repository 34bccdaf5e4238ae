// Making the columns of a range of rows, each from its own random stream.
//
// A range is of units (rows, or the parts and orders that several rows belong to). Pure functions of their arguments.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "storage/tpch/generated_column.hpp"
#include "storage/tpch/random.hpp"

namespace saccade::tpch {

struct UnitRange {
  std::int64_t first = 0;  // from 0
  std::int64_t units = 0;
  int most_rows = 1;                    // of a unit: how far its streams advance
  std::vector<std::uint8_t> unit_rows;  // rows by unit; empty: most_rows each
  std::int64_t rows = 0;

  static UnitRange of_rows(std::int64_t first, std::int64_t rows) { return {first, rows, 1, {}, rows}; }
  int rows_of(std::int64_t unit) const { return unit_rows.empty() ? most_rows : unit_rows[static_cast<std::size_t>(unit)]; }
};

// A stream by its seed and the draws that one row of the table makes of it.
struct StreamSpec {
  std::uint32_t seed;
  int draws = 1;
};

// Calls row(stream, number of the row's unit from 0, number within the unit) for each row in order.
template <class Stream, class Row>
void for_each_row(const UnitRange& range, Stream stream, Row row) {
  stream.skip_rows(range.first);
  for (std::int64_t unit = 0; unit < range.units; ++unit) {
    const int rows = range.rows_of(unit);
    for (int i = 0; i < rows; ++i) row(stream, range.first + unit, i);
    stream.end_row();
  }
}

template <class Row>
std::vector<std::int64_t> draw_numbers(const UnitRange& range, StreamSpec spec, Row row) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(range.rows));
  std::int64_t* out = numbers.data();
  for_each_row(range, RandomStream(spec.seed, spec.draws * range.most_rows),
               [&](RandomStream& random, std::int64_t unit, int i) { *out++ = row(random, unit, i); });
  return numbers;
}

std::vector<std::int64_t> draw_uniform(const UnitRange& range, StreamSpec spec, std::int64_t low, std::int64_t high);
// Of keys of other tables, 1 .. high.
std::vector<std::int64_t> draw_keys(const UnitRange& range, StreamSpec spec, bool wide, std::int64_t high);

// row(number of the unit, number within the unit).
template <class Row>
std::vector<std::int64_t> compute_numbers(const UnitRange& range, Row row) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(range.rows));
  std::int64_t* out = numbers.data();
  for (std::int64_t unit = 0; unit < range.units; ++unit) {
    const int rows = range.rows_of(unit);
    for (int i = 0; i < rows; ++i) *out++ = row(range.first + unit, i);
  }
  return numbers;
}

// Texts of at most `longest` bytes, written by write(random, row, out), which returns the end.
template <class Write>
GeneratedColumn write_texts(const UnitRange& range, StreamSpec spec, std::int64_t longest, Write write) {
  GeneratedColumn column;
  column.content = Content::kTexts;
  column.texts.reserve(static_cast<std::size_t>(range.rows));
  column.arena.reset(new char[static_cast<std::size_t>(range.rows * longest)]);
  char* out = column.arena.get();
  for_each_row(range, RandomStream(spec.seed, spec.draws * range.most_rows), [&](RandomStream& random, std::int64_t, int) {
    char* const end = write(random, column.texts.size(), out);
    column.texts.emplace_back(out, static_cast<std::size_t>(end - out));
    out = end;
  });
  return column;
}

GeneratedColumn number_column(std::vector<std::int64_t> numbers);
GeneratedColumn choice_column(Choices choices, std::vector<std::int64_t> places);
GeneratedColumn numbered_column(std::string_view prefix, std::vector<std::int64_t> numbers);
// One of `choices` a row, of equal weight.
GeneratedColumn drawn_choice_column(const UnitRange& range, StreamSpec spec, Choices choices);
// Cut from the text pool, of 0.4 to 1.6 times the average length.
GeneratedColumn comment_column(const UnitRange& range, std::uint32_t seed, int average);
// Addresses: 10 to 40 characters of an alphabet of 64.
GeneratedColumn address_column(const UnitRange& range, std::uint32_t seed);
// "country-area-local-number", the country told by the nation.
GeneratedColumn phone_column(const UnitRange& range, std::uint32_t seed, const std::vector<std::int64_t>& nations);

}  // namespace saccade::tpch
