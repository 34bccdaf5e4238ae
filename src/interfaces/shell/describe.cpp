#include "interfaces/shell/describe.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "interfaces/shell/schema.hpp"

namespace saccade::shell {
namespace {

bool is_system_schema(const std::string& schema) {
  return schema == "information_schema" || schema == "pg_catalog";
}

[[noreturn]] void not_found(const std::string& pattern) {
  if (pattern.empty()) throw QueryError("42P01", "did not find any relations", 0, "");
  throw QueryError("42P01", fmt::format("did not find any relation named \"{}\"", without_double_quotes(pattern)), 0,
                   "\\d lists them; \\d 'FILE', in quotes, describes a file.");
}

void show_columns(Console& console, const std::vector<RelationColumn>& columns, bool of_relation, const std::string& title) {
  std::vector<ResultField> fields{{"Column", "text"}, {"Type", "text"}};
  if (of_relation) fields.insert(fields.end(), {{"Nullable", "text"}, {"Default", "text"}});
  std::vector<std::vector<TextRows::Cell>> cells;
  for (const RelationColumn& column : columns) {
    cells.push_back({column.name, column.type});
    if (of_relation) cells.back().insert(cells.back().end(), {column.nullable ? "" : "not null", column.default_value});
  }
  PrintOptions options = console.print;
  options.footer = false;
  console.show(TextRows(std::move(fields), std::move(cells)), options, title);
}

}  // namespace

void list_relations(Session& session, Console& console, RelationKind kind, const std::string& pattern) {
  const RelationPattern wanted(pattern);
  std::vector<std::vector<TextRows::Cell>> cells;
  for (const Relation& relation : relations(session)) {
    if (kind != RelationKind::kAll && relation.is_view != (kind == RelationKind::kViews)) continue;
    if (pattern.empty() ? is_system_schema(relation.schema) : !wanted.matches(relation)) continue;
    cells.push_back({relation.schema, relation.name, relation.is_view ? "view" : "table"});
  }
  if (cells.empty()) not_found(pattern);
  console.show(TextRows({{"Schema", "text"}, {"Name", "text"}, {"Type", "text"}}, std::move(cells)), console.print,
               "List of relations");
}

void describe_relations(Session& session, Console& console, const CommandArgument& argument) {
  if (argument.quoted) {
    return show_columns(console, columns_of(session, quoted_text(argument.text)), false, "File \"" + argument.text + "\"");
  }
  const RelationPattern wanted(argument.text);
  bool found = false;
  for (const Relation& relation : relations(session)) {
    if (!wanted.matches(relation)) continue;
    found = true;
    show_columns(console, columns_of(session, relation), true,
                 fmt::format("{} \"{}.{}\"", relation.is_view ? "View" : "Table", relation.schema, relation.name));
  }
  if (!found) not_found(argument.text);
}

}  // namespace saccade::shell
