// Values and definitions of tables as bytes, for commands to ranks in other processes of the same binary.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/table_definition.hpp"

namespace saccade {

using ValueRows = std::vector<std::vector<Value>>;  // by row and column

std::string encode_definition(const TableDefinition& definition);
TableDefinition decode_definition(std::string_view bytes);

std::string encode_view(const View& view);
View decode_view(std::string_view bytes);

std::string encode_rows(const ValueRows& rows);
ValueRows decode_rows(std::string_view bytes);

}  // namespace saccade
