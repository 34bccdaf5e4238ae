#include <algorithm>
#include <array>
#include <cstring>

#include "common/error.hpp"
#include "storage/tpch/table_columns.hpp"

namespace saccade::tpch {
namespace {

constexpr std::uint32_t kNameSeed = 709314158, kManufacturerSeed = 1, kBrandSeed = 46831694, kTypeSeed = 1841581359,
                        kSizeSeed = 1193163244, kContainerSeed = 727633698, kCommentSeed = 804159733;
constexpr std::uint32_t kQuantitySeed = 1671059989, kCostSeed = 1051288424, kPartsuppCommentSeed = 1961692154;
constexpr int kNameWords = 5, kColors = 92;
constexpr int kCommentLength = 14, kPartsuppCommentLength = 124;
constexpr std::int64_t kLongestName = 64;

std::vector<std::int64_t> part_numbers(const UnitRange& range) {
  return compute_numbers(range, [](std::int64_t unit, int) { return unit + 1; });
}

std::vector<std::int64_t> draw_manufacturers(const UnitRange& range) {
  return draw_uniform(range, {kManufacturerSeed}, 0, static_cast<std::int64_t>(manufacturers().size()) - 1);
}

// Five different colors: the beginning of a random permutation of all.
char* write_name(RandomStream& random, char* out) {
  std::array<std::uint8_t, kColors> order;
  for (std::size_t i = 0; i < kColors; ++i) order[i] = static_cast<std::uint8_t>(i);
  for (std::size_t i = 0; i < kNameWords; ++i) {
    std::swap(order[i], order[static_cast<std::size_t>(random.draw(static_cast<std::int64_t>(i), kColors - 1))]);
    if (i > 0) *out++ = ' ';
    const std::string_view color = colors()[order[i]];
    std::memcpy(out, color.data(), color.size());
    out += color.size();
  }
  return out;
}

GeneratedColumn brand_column(const UnitRange& range) {
  std::vector<std::int64_t> brands_of_rows = draw_uniform(range, {kBrandSeed}, 0, 4);
  const std::vector<std::int64_t> makers = draw_manufacturers(range);
  for (std::size_t row = 0; row < makers.size(); ++row) brands_of_rows[row] += makers[row] * 5;
  return choice_column(brands(), std::move(brands_of_rows));
}

GeneratedColumn part_column(const UnitRange& range, int column) {
  switch (column) {
    case 0:
      return number_column(part_numbers(range));
    case 1:
      return write_texts(range, {kNameSeed, kColors}, kLongestName,
                         [](RandomStream& random, std::size_t, char* out) { return write_name(random, out); });
    case 2:
      return choice_column(manufacturers(), draw_manufacturers(range));
    case 3:
      return brand_column(range);
    case 4:
      return drawn_choice_column(range, {kTypeSeed}, part_types());
    case 5:
      return number_column(draw_uniform(range, {kSizeSeed}, 1, 50));
    case 6:
      return drawn_choice_column(range, {kContainerSeed}, containers());
    case 7:
      return number_column(compute_numbers(range, [](std::int64_t unit, int) { return retail_price(unit + 1); }));
    default:
      SACCADE_CHECK(column == 8);
      return comment_column(range, kCommentSeed, kCommentLength);
  }
}

GeneratedColumn partsupp_column(const Scale& scale, const UnitRange& range, int column) {
  const std::int64_t suppliers = scale.suppliers();
  switch (column) {
    case 0:
      return number_column(part_numbers(range));
    case 1:
      return number_column(
          compute_numbers(range, [=](std::int64_t unit, int which) { return supplier_of_part(unit + 1, which, suppliers); }));
    case 2:
      return number_column(draw_uniform(range, {kQuantitySeed}, 1, 9999));
    case 3:
      return number_column(draw_uniform(range, {kCostSeed}, 100, 100000));
    default:
      SACCADE_CHECK(column == 4);
      return comment_column(range, kPartsuppCommentSeed, kPartsuppCommentLength);
  }
}

}  // namespace

std::int64_t retail_price(std::int64_t part) {
  return 90000 + part / 10 % 20001 + 100 * (part % 1000);
}

std::int64_t supplier_of_part(std::int64_t part, std::int64_t which, std::int64_t suppliers) {
  return (part + which * (suppliers / 4 + (part - 1) / suppliers)) % suppliers + 1;
}

std::vector<GeneratedColumn> part_columns(const UnitRange& range, ColumnNumbers columns) {
  std::vector<GeneratedColumn> result;
  for (const int column : columns) result.push_back(part_column(range, column));
  return result;
}

std::vector<GeneratedColumn> partsupp_columns(const Scale& scale, const UnitRange& range, ColumnNumbers columns) {
  std::vector<GeneratedColumn> result;
  for (const int column : columns) result.push_back(partsupp_column(scale, range, column));
  return result;
}

}  // namespace saccade::tpch
