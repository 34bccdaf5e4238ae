// CALL: procedures that load data. There is one: tpch(scale [, tables]).
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "sql/binder/statement_binders.hpp"

namespace saccade {

namespace {

// A constant's text: of a number or a string.
std::string constant_text(const BindingContext& context, const nlohmann::json& json) {
  const auto [kind, constant] = syntax_node(json);
  if (kind == "A_Const") {
    if (constant.contains("ival")) return std::to_string(context.tree.integer(constant));
    if (constant.contains("fval")) return text_field(constant.at("fval"), "fval");
    if (constant.contains("sval")) return text_field(constant.at("sval"), "sval");
  }
  context.unsupported("an argument of CALL that is no constant", context.position(json));
}

// 'orders, lineitem(l_orderkey, l_quantity)': the tables to load, and the columns of those that are not to be loaded whole.
class TableList {
 public:
  TableList(const std::string& text, int position) : text_(text), position_(position) {}

  std::vector<BoundStatement::LoadedTable> parse() {
    std::vector<BoundStatement::LoadedTable> tables;
    do {
      BoundStatement::LoadedTable& table = tables.emplace_back();
      table.name = word();
      if (!take('(')) continue;
      do table.columns.push_back(word());
      while (take(','));
      if (!take(')')) fail();
    } while (take(','));
    if (skip_blanks() < text_.size()) fail();
    return tables;
  }

 private:
  std::size_t skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_;
  }
  bool take(char c) {
    if (skip_blanks() >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string word() {
    std::string word;
    for (skip_blanks(); at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_');
         ++at_)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at_])));
    if (word.empty()) fail();
    return word;
  }
  [[noreturn]] void fail() const {
    throw Error(sqlstate::kInvalidParameterValue, fmt::format("invalid list of tables: \"{}\"", text_), position_,
                "Write tables => 'orders, lineitem(l_orderkey, l_quantity)'.");
  }

  const std::string& text_;
  int position_;
  std::size_t at_ = 0;
};

}  // namespace

void bind_call(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  const nlohmann::json& call = fields.at("funccall");
  const int position = context.position(call);
  const std::string name = string_list(call, "funcname").back();
  if (name != "tpch") {
    throw Error(sqlstate::kUndefinedFunction, fmt::format("procedure {} does not exist", name), position,
                "There is CALL tpch(scale), which makes the tables of TPC-H.");
  }
  statement.kind = BoundStatement::Kind::kCallTpch;
  const nlohmann::json no_arguments = nlohmann::json::array();
  const nlohmann::json& arguments = call.contains("args") ? call.at("args") : no_arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto [kind, argument] = syntax_node(arguments[i]);
    const bool named = kind == "NamedArgExpr";
    const std::string parameter = named ? text_field(argument, "name") : i == 0 ? "scale" : i == 1 ? "tables" : "";
    const nlohmann::json& value = named ? argument.at("arg") : arguments[i];
    if (parameter == "scale") {
      statement.value = constant_text(context, value);
    } else if (parameter == "tables") {
      const std::string text = constant_text(context, value);
      statement.loaded = TableList(text, context.position(value)).parse();
    } else {
      throw Error(sqlstate::kUndefinedFunction, "procedure tpch has no such argument", context.position(arguments[i]),
                  "Its arguments are scale and tables: CALL tpch(1, tables => 'orders, lineitem').");
    }
  }
  if (statement.value.empty()) {
    throw Error(sqlstate::kUndefinedFunction, "procedure tpch needs a scale factor", position, "Write CALL tpch(1).");
  }
}

}  // namespace saccade
