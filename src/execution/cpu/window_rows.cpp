#include "execution/cpu/window_rows.hpp"

#include <algorithm>

namespace saccade::cpu {
namespace {

constexpr std::int64_t kCheckRows = 1 << 16;

// Neighbours in the order that belong together by all parts.
bool equal(std::span<const std::int64_t* const> parts, std::int64_t a, std::int64_t b) {
  return std::all_of(parts.begin(), parts.end(), [&](const std::int64_t* part) { return part[a] == part[b]; });
}

}  // namespace

std::int64_t* WindowRows::allocate(std::int64_t count, const PipelineRun& run) {
  buffers_.push_back(Buffer::allocate(count * 8, run.memory()));
  return buffers_.back()->as<std::int64_t>();
}

WindowRows::WindowRows(std::span<const std::int64_t* const> partition, std::span<const std::int64_t* const> order,
                       const std::int64_t* places, std::int64_t rows, const PipelineRun& run)
    : rows_(rows) {
  // First the numbers: how many groups and partitions there are decides the sizes of the rest.
  group_of_ = allocate(rows, run);
  for (std::int64_t i = 0; i < rows; ++i) {
    if (i % kCheckRows == 0) run.check_cancelled();
    const bool new_partition = i == 0 || !equal(partition, places[i - 1], places[i]);
    if (new_partition) ++partitions_;
    if (new_partition || !equal(order, places[i - 1], places[i])) ++groups_;
    group_of_[i] = groups_ - 1;
  }
  group_begins_ = allocate(groups_ + 1, run);
  partition_of_ = allocate(groups_ + 1, run);
  partition_begins_ = allocate(partitions_ + 1, run);
  first_groups_ = allocate(partitions_ + 1, run);
  std::int64_t last_partition = -1;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (i % kCheckRows == 0) run.check_cancelled();
    if (i > 0 && group_of_[i] == group_of_[i - 1]) continue;
    if (i == 0 || !equal(partition, places[i - 1], places[i])) {
      ++last_partition;
      partition_begins_[last_partition] = i;
      first_groups_[last_partition] = group_of_[i];
    }
    group_begins_[group_of_[i]] = i;
    partition_of_[group_of_[i]] = last_partition;
  }
  group_begins_[groups_] = rows;
  partition_of_[groups_] = partitions_;
  partition_begins_[partitions_] = rows;
  first_groups_[partitions_] = groups_;
}

}  // namespace saccade::cpu
