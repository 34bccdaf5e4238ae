// The rows of a Window sink in order: partitions, and within them groups of rows that are equal in the order (peers).
//
// Rows are numbered by their place in the order. Made by one thread at the end of the sink, then immutable and read by all
// workers. Memory is counted in the query's pool.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "execution/cpu/pipeline_run.hpp"
#include "memory/buffer.hpp"

namespace saccade::cpu {

class WindowRows {
 public:
  // `rows` rows; `places[i]` is the row of `partition` and `order` parts that comes at place i.
  WindowRows(std::span<const std::int64_t* const> partition, std::span<const std::int64_t* const> order,
             const std::int64_t* places, std::int64_t rows, const PipelineRun& run);

  std::int64_t rows() const { return rows_; }
  std::int64_t partitions() const { return partitions_; }
  // All half open; group and partition numbers count over all rows.
  std::int64_t group(std::int64_t row) const { return group_of_[row]; }
  std::int64_t group_begin(std::int64_t group) const { return group_begins_[group]; }
  std::int64_t partition_of_group(std::int64_t group) const { return partition_of_[group]; }
  std::int64_t partition_begin(std::int64_t partition) const { return partition_begins_[partition]; }
  std::int64_t first_group(std::int64_t partition) const { return first_groups_[partition]; }

  // The partition of a row.
  struct Place {
    std::int64_t group, first_group, last_group;  // last_group: the first of the next partition
    std::int64_t begin, end;                      // of the partition
    std::int64_t peers_begin, peers_end;
  };
  Place place(std::int64_t row) const {
    const std::int64_t group = group_of_[row];
    const std::int64_t partition = partition_of_[group];
    return {group,
            first_groups_[partition],
            first_groups_[partition + 1],
            partition_begins_[partition],
            partition_begins_[partition + 1],
            group_begins_[group],
            group_begins_[group + 1]};
  }

 private:
  std::int64_t* allocate(std::int64_t count, const PipelineRun& run);

  std::int64_t rows_ = 0, groups_ = 0, partitions_ = 0;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::int64_t* group_of_ = nullptr;          // by row
  std::int64_t* group_begins_ = nullptr;      // by group, and the end
  std::int64_t* partition_of_ = nullptr;      // by group
  std::int64_t* partition_begins_ = nullptr;  // by partition, and the end
  std::int64_t* first_groups_ = nullptr;      // by partition, and the end
};

}  // namespace saccade::cpu
