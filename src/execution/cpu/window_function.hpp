// Window functions other than aggregates: places within the partition, and values of other rows.
#pragma once

#include "execution/cpu/window_frame.hpp"

namespace saccade::cpu {

// Columns that a function reads, in the rows' order; null where it has none.
struct WindowInputs {
  const LaneColumn* value = nullptr;
  const LaneColumn* number = nullptr;
  const FrameBounds* frame = nullptr;
};

// The results for all rows, in their order. Called by one thread, which is the only one to use the run's workers meanwhile.
// Errors: 22014, 22016, 53200, 57014.
LaneColumn window_function(WindowKind kind, const WindowInputs& inputs, const WindowRows& rows, const PipelineRun& run);

}  // namespace saccade::cpu
