// One column of a result on the host: its lane, and what its values mean.
//
// A value; read by any thread. What the lane's memory is counted in must outlive it.
#pragma once

#include <saccade/saccade.hpp>

#include <memory>
#include <string_view>

#include "data/row_set.hpp"
#include "data/value.hpp"

namespace saccade {

struct ResultLane {
  DataType type;
  std::shared_ptr<const Dictionary> dictionary;  // text in lane int64; in lane text null
  LaneColumn lane;

  bool is_null(std::int64_t row) const { return !lane.is_valid(row); }
  // Undefined at nulls.
  int128 integer(std::int64_t row) const;  // of an integer lane
  std::string_view text(std::int64_t row) const;
  Value value(std::int64_t row) const;
};

// A value as the public interface has it.
SqlValue to_sql_value(const Value& value);

}  // namespace saccade
