// The order of strings as numbers: what sorts, and whatever else orders rows by int64 keys, makes of a key in the text lane.
#pragma once

#include "data/row_set.hpp"
#include "execution/cpu/pipeline_run.hpp"

namespace saccade::cpu {

// For each row the rank of its string among those of the column, as int64: equal strings have equal ranks, and ranks ascend as
// the strings do by bytes (`descending`: descend). Rows without a string have any rank. On all workers. Errors: 53200, 57014.
LaneColumn rank_texts(const LaneColumn& texts, std::int64_t rows, bool descending, const PipelineRun& run);

}  // namespace saccade::cpu
