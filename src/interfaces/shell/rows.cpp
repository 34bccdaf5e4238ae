#include "interfaces/shell/rows.hpp"

#include <algorithm>
#include <array>

namespace saccade::shell {

bool is_number_type(std::string_view type) {
  static constexpr std::array<std::string_view, 6> kNames{"smallint", "integer", "bigint",
                                                          "real",     "numeric", "double precision"};
  return std::find(kNames.begin(), kNames.end(), type.substr(0, type.find('('))) != kNames.end();
}

}  // namespace saccade::shell
