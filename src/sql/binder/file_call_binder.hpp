// Binds a call of a function over files: read_csv('x.csv', header => true, types => ARRAY['integer', 'date']).
#pragma once

#include "catalog/file_call.hpp"
#include "sql/binder/binding_context.hpp"

namespace saccade {

struct BoundFileCall {
  FileCall call;
  std::string path;  // an array of paths is joined by commas
  int position = 0;  // of the path
};

// `call`: the fields of a FuncCall in FROM. Errors: 42883 no function over files; 42601 an option given twice; 0A000 arguments
// that are no constants.
BoundFileCall bind_file_call(const BindingContext& context, const nlohmann::json& call);

// The values of an option: a constant, or an array of them. Errors: 0A000.
std::vector<std::string> bind_option_values(const BindingContext& context, const nlohmann::json& item, const std::string& what);

}  // namespace saccade
