// The parameters $1, $2 ... of a statement: their types are found while it is bound for the first time, their values stand in
// for them when it is bound again to be run.
//
// Owned by who binds; used by one thread at a time. Addresses of types stay valid while more are added.
#pragma once

#include <deque>
#include <vector>

#include "data/value.hpp"

namespace saccade {

struct StatementParameters {
  struct Parameter {
    bool used = false;  // it stands in the statement
    DataType type;      // kUnknown until a place settles it
  };
  std::deque<Parameter> parameters;  // $1 first
  std::vector<Value> values;         // as many, of these types; none: the types are still to be found
};

}  // namespace saccade
