// While a view is bound within a statement: the context's tree is that of the view's text, and nothing of the statement around
// it is seen. The context is as it was once this ends.
#pragma once

#include <string>

#include "sql/binder/binding_context.hpp"

namespace saccade {

class ViewBinding {
 public:
  // `place`: where the statement names the view.
  ViewBinding(BindingContext& context, const std::string& sql, int place);
  ~ViewBinding();
  ViewBinding(const ViewBinding&) = delete;
  ViewBinding& operator=(const ViewBinding&) = delete;

  const nlohmann::json& statement() const { return tree_->statement(); }

 private:
  BindingContext& context_;
  std::shared_ptr<const SyntaxTree> tree_;
  CurrentTree outer_tree_;
  StatementParameters* outer_parameters_;
  const CommonTable* outer_tables_;
  std::vector<ExpressionBinder*> outer_enclosing_;
};

}  // namespace saccade
