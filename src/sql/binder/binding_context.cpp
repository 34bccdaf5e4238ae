#include "sql/binder/binding_context.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace saccade {

namespace {

constexpr std::int64_t kMaxDuplicatedNodes = 1'000'000;

std::int64_t count_nodes(const Expression& expression) {
  std::int64_t nodes = 1;
  for (const Expression& argument : expression.arguments) nodes += count_nodes(argument);
  return nodes;
}

// Levenshtein's distance between two names.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({changed, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row[b.size()];
}

// -1 where no node below has a location. Not by recursion: a chain of set operations may be as deep as the statement is long.
std::int64_t first_location(const nlohmann::json& json) {
  std::int64_t first = -1;
  for (std::vector<const nlohmann::json*> open{&json}; !open.empty();) {
    const nlohmann::json& node = *open.back();
    open.pop_back();
    if (node.is_object()) {
      const auto own = node.find("location");
      const std::int64_t location = own != node.end() && own->is_number() ? own->get<std::int64_t>() : -1;
      if (location >= 0) {
        first = first < 0 ? location : std::min(first, location);
        continue;
      }
    }
    if (!node.is_structured()) continue;
    for (const nlohmann::json& child : node) open.push_back(&child);
  }
  return first;
}

}  // namespace

SyntaxNode syntax_node(const nlohmann::json& json) {
  SACCADE_CHECK(json.is_object());
  if (json.empty()) return {"", json};
  return {json.begin().key(), json.begin().value()};
}

std::string text_field(const nlohmann::json& fields, const char* name) {
  const auto field = fields.find(name);
  return field == fields.end() || !field->is_string() ? std::string() : field->get<std::string>();
}

bool flag_field(const nlohmann::json& fields, const char* name) {
  const auto field = fields.find(name);
  return field != fields.end() && field->is_boolean() && field->get<bool>();
}

std::vector<std::string> string_list(const nlohmann::json& fields, const char* name) {
  std::vector<std::string> result;
  const auto list = fields.find(name);
  if (list == fields.end()) return result;
  for (const nlohmann::json& item : *list) {
    const SyntaxNode node = syntax_node(item);
    result.push_back(node.kind == "A_Star" ? "*" : text_field(node.fields, "sval"));
  }
  return result;
}

ColumnId BindingContext::add_column(const std::string& name, DataType type) {
  return plan.add_column(name, type);
}

Expression BindingContext::parameter(int number, int position) {
  constexpr int kMaxParameters = 65'535;
  if (parameters == nullptr || number < 1 || number > kMaxParameters) {
    throw Error(sqlstate::kUndefinedParameter, fmt::format("there is no parameter ${}", number), position,
                "Parameters $1 to $65535 stand in prepared statements.");
  }
  const auto index = static_cast<std::size_t>(number - 1);
  if (parameters->parameters.size() <= index) parameters->parameters.resize(index + 1);
  StatementParameters::Parameter& parameter = parameters->parameters[index];
  parameter.used = true;
  const bool known = index < parameters->values.size();
  Expression result = literal_expression(known ? parameters->values[index] : Value::null(parameter.type));
  result.position = position;
  if (!known && parameter.type.kind == TypeKind::kUnknown) result.parameter = &parameter.type;
  return result;
}

int BindingContext::position(const nlohmann::json& fields) const {
  return tree.position(first_location(fields));
}

void BindingContext::unsupported(std::string_view what, int position) const {
  throw Error(sqlstate::kFeatureNotSupported, fmt::format("{} is not supported", what), position);
}

Expression BindingContext::duplicate(const Expression& expression) {
  duplicated_ += count_nodes(expression);
  if (duplicated_ > kMaxDuplicatedNodes) {
    throw Error(sqlstate::kStatementTooComplex,
                "the statement is too complex: BETWEEN, IN, CASE or NULLIF repeat their "
                "operand more than 1,000,000 times",
                expression.position);
  }
  return expression;
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  std::string nearest;
  std::size_t best = std::max<std::size_t>(name.size() / 2, 1) + 1;
  if (name.size() > 100) return nearest;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > 100) continue;
    const std::size_t changes = distance(name, candidate);
    if (changes < best) {
      best = changes;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace saccade
