#include "sql/binder/window_clause.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "plan/walk.hpp"

namespace saccade {

namespace {

constexpr std::string_view kWindowingError = "42P20";
constexpr std::int64_t kDefaultFrame = 0x422;  // RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW, not written

const nlohmann::json* list_of(const nlohmann::json& fields, const char* name) {
  const auto list = fields.find(name);
  return list == fields.end() || list->empty() ? nullptr : &*list;
}

bool has_frame(const nlohmann::json& fields) {
  return fields.value("frameOptions", kDefaultFrame) != kDefaultFrame;
}

[[noreturn]] void cannot_override(std::string_view clause, const std::string& name, int position) {
  throw Error(kWindowingError, fmt::format("cannot override {} clause of window \"{}\"", clause, name), position);
}

}  // namespace

WindowClause::WindowClause(const BindingContext& context, const nlohmann::json& select) : context_(context) {
  const auto clause = select.find("windowClause");
  if (clause == select.end()) return;
  for (const nlohmann::json& item : *clause) {
    const nlohmann::json& fields = syntax_node(item).fields;
    const std::string name = text_field(fields, "name");
    const bool known = std::any_of(named_.begin(), named_.end(), [&](const Named& other) { return other.name == name; });
    if (known) throw Error(kWindowingError, fmt::format("window \"{}\" is already defined", name), context.position(fields));
    named_.push_back({name, &fields});
    resolve(fields, named_.size() - 1);
  }
}

std::size_t WindowClause::find(const std::string& name, std::size_t known, int position) const {
  for (std::size_t i = 0; i < known; ++i) {
    if (named_[i].name == name) return i;
  }
  throw Error("42704", fmt::format("window \"{}\" does not exist", name), position);
}

WindowDefinition WindowClause::resolve(const nlohmann::json& fields, std::size_t known) const {
  const int position = context_.tree.position(fields.value("location", -1));
  // OVER name is that window; OVER (name ...) and a window of the clause that starts with a name are made from it.
  const bool over = known == named_.size();
  const std::string used = over ? text_field(fields, "name") : std::string();
  if (!used.empty()) {
    const std::size_t number = find(used, known, position);
    return resolve(*named_[number].fields, number);
  }
  WindowDefinition result{list_of(fields, "partitionClause"), list_of(fields, "orderClause"), &fields, position};
  const std::string base_name = text_field(fields, "refname");
  if (base_name.empty()) return result;
  const std::size_t number = find(base_name, known, position);
  const WindowDefinition base = resolve(*named_[number].fields, number);
  if (result.partition != nullptr) cannot_override("PARTITION BY", base_name, position);
  if (result.order != nullptr && base.order != nullptr) cannot_override("ORDER BY", base_name, position);
  if (has_frame(*base.frame)) {
    throw Error(kWindowingError, fmt::format("cannot copy window \"{}\" because it has a frame clause", base_name), position,
                "Omit the parentheses in this OVER clause.");
  }
  result.partition = base.partition;
  if (result.order == nullptr) result.order = base.order;
  return result;
}

ColumnId WindowClause::add(BindingContext& context, std::vector<Expression> partition, std::vector<SortKey> order,
                           WindowCall call) {
  auto window = std::find_if(windows_.begin(), windows_.end(), [&](const LogicalNode& other) {
    return other.expressions == partition && other.sort_keys == order;
  });
  if (window == windows_.end()) {
    LogicalNode node;
    node.kind = LogicalKind::kWindow;
    node.expressions = std::move(partition);
    node.sort_keys = std::move(order);
    windows_.push_back(std::move(node));
    window = windows_.end() - 1;
  }
  for (const WindowCall& other : window->window_calls) {
    call.output = other.output;
    if (other == call) return call.output;
  }
  call.output = context.add_column(to_string(call, context.plan.names), call.type);
  window->window_calls.push_back(std::move(call));
  return window->window_calls.back().output;
}

bool WindowClause::makes(ColumnId column) const {
  return std::any_of(windows_.begin(), windows_.end(), [&](const LogicalNode& window) {
    return std::any_of(window.window_calls.begin(), window.window_calls.end(),
                       [&](const WindowCall& call) { return call.output == column; });
  });
}

void WindowClause::rewrite(const Grouping& grouping) {
  for (LogicalNode& window : windows_)
    for_each_expression(window, [&](Expression& expression) { expression = grouping.rewrite(std::move(expression)); });
}

LogicalNode WindowClause::attach(LogicalNode input) {
  for (LogicalNode& window : windows_) {
    window.children.push_back(std::move(input));
    input = std::move(window);
  }
  windows_.clear();
  return input;
}

}  // namespace saccade
