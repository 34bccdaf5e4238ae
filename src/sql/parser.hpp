// From text to PostgreSQL's syntax tree, by libpg_query. Any thread may parse; a SyntaxTree is an immutable value.
//
// The tree is libpg_query's JSON: {"Kind": {fields}} a node, fields with their default value left out, "location" in bytes
// of the rewritten text. Its depth is bounded (54001), so that recursive walks over it and over what is made from it are safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sql/parser_text.hpp"
#include "sql/parser_tokens.hpp"

namespace saccade {

class SyntaxTree {
 public:
  SyntaxTree(RewrittenText text, std::vector<Token> tokens, nlohmann::json statement);

  // {"SelectStmt": {...}}; null where the text holds no statement.
  const nlohmann::json& statement() const { return statement_; }
  // The same text with another statement, a part of this tree: the statement within PREPARE.
  SyntaxTree with_statement(nlohmann::json statement) const { return {text_, tokens_, std::move(statement)}; }
  // The position in the user's text of a node's "location"; 0 where it is negative.
  int position(std::int64_t location) const;
  // Where the statement starts.
  int start() const;
  // What the user wrote behind the first AS outside of parentheses, without a semicolon at its end: the query of CREATE VIEW.
  std::string text_after_as() const;
  // The value of an integer constant's fields. libpg_query's JSON leaves out negative values: those are read from the text.
  std::int64_t integer(const nlohmann::json& constant) const;

 private:
  RewrittenText text_;
  CharacterIndex characters_;  // of the user's text
  std::vector<Token> tokens_;  // of the rewritten text
  nlohmann::json statement_;
};

// Errors: 22021, 42601 (with position; also for more than one statement), 54001.
SyntaxTree parse(const std::string& sql);

}  // namespace saccade
