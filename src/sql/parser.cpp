#include "sql/parser.hpp"

#include <pthread.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <optional>
#include <vector>

#include <pg_query.h>

#include "common/error.hpp"

namespace saccade {

namespace {

// libpg_query recurses over the tree while it prints it. Each level takes at least one token that is neither a comma nor a
// constant, so this many of them fit into the stack given here with room to spare.
constexpr std::size_t kParserStack = std::size_t{256} << 20;
constexpr std::size_t kMaxStructuralTokens = 100'000;
constexpr std::size_t kMaxTokens = 4'000'000;
constexpr int kMaxParentheses = 1'000;
// Brackets of the JSON text; an operator takes two, so expressions are at most 1,000 levels deep. Everything behind the
// parser may recurse that deep.
constexpr int kMaxTreeDepth = 2'000;

[[noreturn]] void too_deep(int position) {
  throw Error(sqlstate::kStatementTooComplex, "the statement is too complex: it nests more than 1,000 levels deep", position,
              "Use fewer parentheses and shorter chains of operators; long lists belong into IN (...).");
}

[[noreturn]] void too_long(int position) {
  throw Error(sqlstate::kStatementTooComplex, "the statement is too complex: it has too many words and operators", position,
              "Put long lists of values into a file and join it.");
}

void check_tokens(const std::string& sql, const std::vector<Token>& tokens) {
  std::size_t structural = 0;
  int depth = 0;
  for (const Token& token : tokens) {
    const char first = sql[token.start];
    if (first == '(' || first == '[') ++depth;
    if (first == ')' || first == ']') --depth;
    if (first != ',' && first != ';' && first != '\'' && !(first >= '0' && first <= '9')) ++structural;
    if (depth > kMaxParentheses) too_deep(character_position(sql, token.start));
    if (structural > kMaxStructuralTokens) too_long(character_position(sql, token.start));
  }
  if (tokens.size() > kMaxTokens) too_long(0);
}

struct ParserAnswer {
  std::string tree;
  std::optional<std::string> error;
  int error_position = 0;
};

struct ParserCall {
  const std::string& text;
  ParserAnswer answer;
  std::exception_ptr exception;
};

void* run_parser(void* argument) {
  auto& call = *static_cast<ParserCall*>(argument);
  const PgQueryParseResult result = pg_query_parse(call.text.c_str());
  try {
    if (result.error != nullptr) {
      call.answer.error = result.error->message;
      call.answer.error_position = result.error->cursorpos;
    } else {
      call.answer.tree = result.parse_tree;
    }
  } catch (...) {
    call.exception = std::current_exception();
  }
  pg_query_free_parse_result(result);
  return nullptr;
}

ParserAnswer parse_on_own_stack(const std::string& text) {
  ParserCall call{text, {}, nullptr};
  pthread_attr_t attributes;
  SACCADE_CHECK(pthread_attr_init(&attributes) == 0);
  SACCADE_CHECK(pthread_attr_setstacksize(&attributes, kParserStack) == 0);
  pthread_t thread;
  const int failure = pthread_create(&thread, &attributes, run_parser, &call);
  pthread_attr_destroy(&attributes);
  if (failure != 0) {
    throw Error(sqlstate::kOutOfMemory, "no address space of 256 MB for the parser's stack", 0,
                "Raise the limit on virtual memory (ulimit -v) or on threads.");
  }
  pthread_join(thread, nullptr);
  if (call.exception) std::rethrow_exception(call.exception);
  return std::move(call.answer);
}

[[noreturn]] void raise_syntax_error(const ParserAnswer& answer, const RewrittenText& text) {
  int position = 0;
  if (answer.error_position > 0) {
    const std::size_t offset = byte_offset(text.text(), answer.error_position);
    position = character_position(text.original(), text.original_offset(offset));
  }
  const std::string_view state = parser_sqlstate(*answer.error);
  if (state == sqlstate::kStatementTooComplex) too_deep(position);
  throw Error(state, *answer.error, position);
}

nlohmann::json parse_json(const std::string& text) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw Error(sqlstate::kInternalError, std::string("the parser's tree cannot be read: ") + error.what());
  }
}

// Checked on the text, before a tree of that depth exists. The left side of a set operation is no level: a chain of them nests
// there, and whoever reads it walks along the chain.
void check_depth(const std::string& json) {
  constexpr std::string_view kLeftSide = "\"larg\":";
  std::vector<bool> levels;  // open brackets: whether they count
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      levels.push_back(!std::string_view(json).substr(0, i).ends_with(kLeftSide));
      depth += levels.back() ? 1 : 0;
      if (depth > kMaxTreeDepth) too_deep(0);
    } else if (c == '}' || c == ']') {
      depth -= levels.back() ? 1 : 0;
      levels.pop_back();
    }
  }
}

}  // namespace

SyntaxTree::SyntaxTree(RewrittenText text, std::vector<Token> tokens, nlohmann::json statement)
    : text_(std::move(text)), characters_(text_.original()), tokens_(std::move(tokens)), statement_(std::move(statement)) {}

int SyntaxTree::position(std::int64_t location) const {
  if (location < 0) return 0;
  return characters_.position(text_.original(), text_.original_offset(static_cast<std::size_t>(location)));
}

int SyntaxTree::start() const {
  return tokens_.empty() ? 1 : position(static_cast<std::int64_t>(tokens_.front().start));
}

std::string SyntaxTree::text_after_as() const {
  int depth = 0;
  for (const Token& token : tokens_) {
    const std::string_view word = token_text(text_.text(), token);
    depth += word == "(" ? 1 : word == ")" ? -1 : 0;
    if (depth != 0 || !token.keyword || word.size() != 2 || (word[0] | 0x20) != 'a' || (word[1] | 0x20) != 's') continue;
    std::string text = text_.original().substr(text_.original_offset(token.end));
    text.erase(text.find_last_not_of(" \t\r\n;") + 1);
    return text;
  }
  raise_internal("a statement with AS", __FILE__, __LINE__);
}

std::int64_t SyntaxTree::integer(const nlohmann::json& constant) const {
  const nlohmann::json& value = constant.at("ival");
  if (value.contains("ival")) return value.at("ival").get<std::int64_t>();
  // Zero or negative: signs and parentheses, then the digits.
  const auto location = static_cast<std::size_t>(constant.value("location", 0));
  auto token = std::lower_bound(tokens_.begin(), tokens_.end(), location,
                                [](const Token& candidate, std::size_t offset) { return candidate.start < offset; });
  const auto first = [&] { return text_.text()[token->start]; };
  while (token != tokens_.end() && (first() == '-' || first() == '(')) ++token;
  SACCADE_CHECK(token != tokens_.end());
  std::int64_t magnitude = 0;
  const char* digits = text_.text().data();
  const auto read = std::from_chars(digits + token->start, digits + token->end, magnitude);
  SACCADE_CHECK(read.ec == std::errc() && read.ptr == digits + token->end);
  return -magnitude;
}

SyntaxTree parse(const std::string& sql) {
  check_utf8(sql);
  const std::size_t run = find_long_operator(sql);
  if (run != std::string::npos) too_deep(character_position(sql, run));
  std::vector<Token> tokens = scan_tokens(sql);
  check_tokens(sql, tokens);
  RewrittenText text = rewrite_files(sql, tokens);
  const ParserAnswer answer = parse_on_own_stack(text.text());
  if (answer.error) raise_syntax_error(answer, text);
  check_depth(answer.tree);
  nlohmann::json document = parse_json(answer.tree);
  nlohmann::json& statements = document.at("stmts");
  if (statements.size() > 1) {
    const std::size_t second = text.original_offset(statements[1].value("stmt_location", std::size_t{0}));
    const auto place = std::lower_bound(tokens.begin(), tokens.end(), second,
                                        [](const Token& token, std::size_t offset) { return token.start < offset; });
    throw Error(sqlstate::kSyntaxError, "more than one statement where one is expected",
                place == tokens.end() ? 0 : character_position(sql, place->start), "Run the statements one at a time.");
  }
  nlohmann::json statement = statements.empty() ? nlohmann::json() : std::move(statements[0].at("stmt"));
  std::vector<Token> rewritten = text.text() == sql ? std::move(tokens) : scan_tokens(text.text());
  return {std::move(text), std::move(rewritten), std::move(statement)};
}

}  // namespace saccade
