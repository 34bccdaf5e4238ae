#include <limits>

#include "storage/memory_table_rows.hpp"

namespace saccade {

namespace {

// What a form can hold, of integers and codes.
bool holds(const ColumnInfo& info, const Bounds& bounds) {
  switch (info.encoding.form) {
    case Form::kConstant:
      return bounds.low == info.base && bounds.high == info.base;
    case Form::kNarrowed:
      return bounds.low >= info.base && bounds.high - info.base < int128{1} << (8 * info.encoding.width);
    case Form::kDictionary:
      return bounds.high < int128{1} << (8 * info.encoding.width);
    case Form::kPlain:
      return info.encoding.width == 16 || (bounds.low >= INT64_MIN && bounds.high <= INT64_MAX);
  }
  raise_internal("a known form", __FILE__, __LINE__);
}

// The base of a narrowed form with as much room below the values as above them.
std::int64_t middle_base(const ColumnInfo& info, const Bounds& bounds) {
  const int128 room = (int128{1} << (8 * info.encoding.width)) - 1 - (bounds.high - bounds.low);
  const int128 lowest = std::numeric_limits<std::int64_t>::min();
  const int128 highest = int128{std::numeric_limits<std::int64_t>::max()} - (int128{1} << (8 * info.encoding.width)) + 1;
  return static_cast<std::int64_t>(std::min(std::max(bounds.low - room / 2, lowest), std::max(highest, lowest)));
}

}  // namespace

ColumnInfo describe_column(const ColumnDefinition& definition, std::shared_ptr<const Dictionary> dictionary,
                           const ColumnSummary& summary) {
  const DataType& type = definition.type;
  ColumnInfo info{definition.name, type, {}, 0, {}, std::move(dictionary), definition.not_null, definition.default_value};
  ColumnStatistics& statistics = info.statistics;
  statistics.may_be_null = summary.has_null;
  statistics.distinct = std::min(summary.distinct, static_cast<double>(summary.rows));
  if (summary.any) {
    statistics.bounds = Bounds{summary.low, summary.high};
    const double range = static_cast<double>(summary.high) - static_cast<double>(summary.low) + 1;
    statistics.distinct = std::min(statistics.distinct, range);
    statistics.sorted = summary.sorted;
    if (!summary.has_null && static_cast<double>(summary.rows) > range) statistics.unique = Uniqueness::kRefuted;
    if (summary.strictly) {
      statistics.unique = Uniqueness::kProven;
      statistics.distinct = static_cast<double>(summary.rows);
    }
  }
  if (info.dictionary != nullptr) {
    info.encoding = choose_encoding(type, Bounds{0, std::max<std::int64_t>(info.dictionary->size() - 1, 0)});
    return info;
  }
  if (holds_strings(type)) {
    // Offsets of 8 bytes where a chunk might hold more than 4 GB.
    info.encoding = {Form::kPlain, static_cast<std::uint8_t>(summary.most_text >= UINT32_MAX / kMemoryChunkRows ? 8 : 4)};
    return info;
  }
  info.encoding = choose_encoding(type, statistics.bounds);
  const bool has_base = info.encoding.form == Form::kNarrowed || info.encoding.form == Form::kConstant;
  if (has_base && summary.any) info.base = static_cast<std::int64_t>(summary.low);
  return info;
}

void keep_form(ColumnInfo& info, const ColumnInfo& base) {
  const std::optional<Bounds>& bounds = info.statistics.bounds;
  if (holds_strings(info.type) && info.encoding.form == Form::kPlain) {
    if (base.encoding == Encoding{Form::kPlain, 8}) info.encoding = base.encoding;
    return;
  }
  if (info.encoding.form == Form::kDictionary) {
    if (base.encoding.form == Form::kDictionary && base.encoding.width >= info.encoding.width) info.encoding = base.encoding;
    return;
  }
  if (!bounds) return;
  const bool same_lane = lane_of(info.type, bounds) == lane_of(info.type, base.statistics.bounds);
  if (same_lane && base.statistics.bounds && holds(base, *bounds)) {
    info.encoding = base.encoding;
    info.base = base.base;
  } else if (info.encoding.form == Form::kNarrowed) {
    info.base = middle_base(info, *bounds);
  }
}

}  // namespace saccade
