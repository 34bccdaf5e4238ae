// The rows of a join build by whether a probe has found them.
#pragma once

#include <vector>

#include "execution/cpu/morsels.hpp"

namespace saccade::cpu {

struct BuildRows {
  std::int64_t rows = 0;
  std::vector<SourceColumn> columns;
  std::vector<std::shared_ptr<const Buffer>> memory;  // what the columns point to
};

// Called by one thread, after every pipeline that probes the build. Errors: 53200.
BuildRows build_rows(const PipelineRun& run, const physical::BuildScan& scan);

}  // namespace saccade::cpu
