// The state of an aggregate over the frame of every row, in time that does not depend on the frames' sizes.
//
// Counts and exact sums are differences of running totals. What can't be taken back (minima, maxima, sums of doubles) is
// carried on where frames only grow, and is put together from a tree of partial states elsewhere: sixteen states below each.
#pragma once

#include "execution/cpu/window_frame.hpp"

namespace saccade::cpu {

// The states of `aggregate` for all rows, in their order. `argument`: its values in that order; null for count(*). Called by
// one thread, which is the only one to use the run's workers meanwhile. Errors: 53200, 57014.
LaneColumn frame_states(const physical::Aggregate& aggregate, const LaneColumn* argument, const FrameBounds& frame,
                        const WindowRows& rows, const PipelineRun& run);

}  // namespace saccade::cpu
