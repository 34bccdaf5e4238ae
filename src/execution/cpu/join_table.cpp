#include "execution/cpu/join_table.hpp"

#include "common/error.hpp"

namespace saccade::cpu {

const RowSet& JoinTable::host_rows() {
  throw Error(sqlstate::kInternalError, "internal error: a join build was read as rows");
}

const JoinTable& join_table(const RunState& state, int build) {
  SACCADE_CHECK(build >= 0 && static_cast<std::size_t>(build) < state.outputs.size());
  const auto* table = dynamic_cast<const JoinTable*>(state.outputs[static_cast<std::size_t>(build)].get());
  SACCADE_CHECK(table != nullptr);
  return *table;
}

}  // namespace saccade::cpu
