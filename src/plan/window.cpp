#include "plan/window.hpp"

#include <fmt/format.h>

namespace saccade {
namespace {

std::string bound_text(WindowFrame::Bound bound, const Value& offset) {
  switch (bound) {
    case WindowFrame::Bound::kUnboundedPreceding:
      return "unbounded preceding";
    case WindowFrame::Bound::kPreceding:
      return to_string(offset) + " preceding";
    case WindowFrame::Bound::kCurrentRow:
      return "current row";
    case WindowFrame::Bound::kFollowing:
      return to_string(offset) + " following";
    case WindowFrame::Bound::kUnboundedFollowing:
      return "unbounded following";
  }
  return {};
}

// Empty for the frame that is meant where none is written.
std::string frame_text(const WindowFrame& frame) {
  if (frame == WindowFrame{}) return {};
  static constexpr const char* kModes[] = {"rows", "range", "groups"};
  static constexpr const char* kExclusions[] = {"", " exclude current row", " exclude group", " exclude ties"};
  return fmt::format(" {} between {} and {}{}", kModes[static_cast<int>(frame.mode)],
                     bound_text(frame.start, frame.start_offset), bound_text(frame.end, frame.end_offset),
                     kExclusions[static_cast<int>(frame.exclusion)]);
}

}  // namespace

std::string to_string(const WindowCall& call, const ColumnNames& names) {
  if (call.aggregate) return to_string(*call.aggregate, names) + frame_text(call.frame);
  static constexpr const char* kNames[] = {"row_number",  "rank",       "dense_rank", "percent_rank", "cume_dist",
                                           "ntile",       "lag",        "lead",       "lag outside",  "lead outside",
                                           "first_value", "last_value", "nth_value"};
  std::string arguments;
  for (const Expression& argument : call.arguments) arguments += (arguments.empty() ? "" : ", ") + to_string(argument, names);
  return fmt::format("{}({}){}", kNames[static_cast<int>(call.kind)], arguments, frame_text(call.frame));
}

}  // namespace saccade
