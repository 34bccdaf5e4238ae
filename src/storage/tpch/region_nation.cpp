#include "common/error.hpp"
#include "storage/tpch/table_columns.hpp"

namespace saccade::tpch {
namespace {

constexpr std::uint32_t kRegionCommentSeed = 1500869201, kNationCommentSeed = 606179079;
constexpr int kCommentLength = 72;

std::vector<std::int64_t> places(const UnitRange& range) {
  return compute_numbers(range, [](std::int64_t unit, int) { return unit; });
}

GeneratedColumn region_column(const UnitRange& range, int column) {
  switch (column) {
    case 0:
      return number_column(places(range));
    case 1:
      return choice_column(regions(), places(range));
    default:
      SACCADE_CHECK(column == 2);
      return comment_column(range, kRegionCommentSeed, kCommentLength);
  }
}

GeneratedColumn nation_column(const UnitRange& range, int column) {
  switch (column) {
    case 0:
      return number_column(places(range));
    case 1:
      return choice_column(nations(), places(range));
    case 2:
      return number_column(compute_numbers(range, [](std::int64_t nation, int) { return region_of_nation(nation); }));
    default:
      SACCADE_CHECK(column == 3);
      return comment_column(range, kNationCommentSeed, kCommentLength);
  }
}

}  // namespace

std::vector<GeneratedColumn> region_columns(const UnitRange& range, ColumnNumbers columns) {
  std::vector<GeneratedColumn> result;
  for (const int column : columns) result.push_back(region_column(range, column));
  return result;
}

std::vector<GeneratedColumn> nation_columns(const UnitRange& range, ColumnNumbers columns) {
  std::vector<GeneratedColumn> result;
  for (const int column : columns) result.push_back(nation_column(range, column));
  return result;
}

}  // namespace saccade::tpch
