#include "sql/binder/view_binding.hpp"

#include <utility>

namespace saccade {

ViewBinding::ViewBinding(BindingContext& context, const std::string& sql, int place)
    : context_(context),
      tree_(std::make_shared<const SyntaxTree>(parse(sql))),
      outer_tree_(std::exchange(context.tree, CurrentTree(*tree_, place))),
      outer_parameters_(std::exchange(context.parameters, nullptr)),
      outer_tables_(std::exchange(context.common_tables, nullptr)),
      outer_enclosing_(std::exchange(context.enclosing, {})) {
  context.keep_tree(tree_);
}

ViewBinding::~ViewBinding() {
  context_.tree = outer_tree_;
  context_.parameters = outer_parameters_;
  context_.common_tables = outer_tables_;
  context_.enclosing = std::move(outer_enclosing_);
}

}  // namespace saccade
