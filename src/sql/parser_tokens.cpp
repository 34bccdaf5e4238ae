#include "sql/parser_tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <utility>

#include <pg_query.h>

#include "common/error.hpp"

namespace saccade {

namespace {

// Reads the scanner's protobuf message: ScanResult { repeated ScanToken tokens = 2 }, ScanToken { start = 1, end = 2,
// token = 4, keyword_kind = 5 }, where every field but `tokens` is a varint.
class MessageReader {
 public:
  MessageReader(const char* data, std::size_t length) : data_(data), end_(data + length) {}
  bool done() const { return data_ == end_; }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      SACCADE_CHECK(data_ < end_ && shift < 64);
      const auto byte = static_cast<unsigned char>(*data_++);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
  }

  MessageReader message() {
    const std::uint64_t length = varint();
    SACCADE_CHECK(length <= static_cast<std::uint64_t>(end_ - data_));
    data_ += length;
    return {data_ - length, static_cast<std::size_t>(length)};
  }

 private:
  const char* data_;
  const char* end_;
};

Token read_token(MessageReader reader) {
  Token token;
  while (!reader.done()) {
    const std::uint64_t field = reader.varint() >> 3;
    const std::uint64_t value = reader.varint();
    if (field == 1) token.start = value;
    if (field == 2) token.end = value;
    if (field == 5) token.keyword = value != 0;
  }
  return token;
}

bool is_comment(std::string_view token) {
  return token.starts_with("--") || token.starts_with("/*");
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

// The content of a quoted identifier, as a string constant.
std::string as_string_constant(std::string_view quoted) {
  std::string result = "'";
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] == '"') ++i;  // a doubled quote
    result += quoted[i];
    if (quoted[i] == '\'') result += '\'';
  }
  return result + "'";
}

bool names_a_file(std::string_view quoted) {
  constexpr std::array<std::string_view, 8> kEndings = {".parquet", ".csv", ".tsv",   ".json",
                                                        ".ndjson",  ".ipc", ".arrow", ".feather"};
  if (quoted.size() < 3 || quoted.front() != '"') return false;
  const std::string name = lower(quoted.substr(1, quoted.size() - 2));
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

bool is_string_constant(std::string_view token) {
  const char first = token.front();
  const bool prefixed = token.size() > 1 && (first == 'e' || first == 'E') && token[1] == '\'';
  return first == '\'' || prefixed || (first == '$' && token.size() > 1 && !std::isdigit(static_cast<unsigned char>(token[1])));
}

// Follows the grammar just closely enough to know where a table is expected: one state a level of parentheses.
class FilePass {
 public:
  FilePass(const std::string& text, const std::vector<Token>& tokens) : tokens_(tokens), result_(text) {}

  RewrittenText run() {
    // COPY's FROM names a file already, DELETE's a table to change; what stands in parentheses may be queries.
    levels_.front().from_is_word = !tokens_.empty() && (word(0) == "copy" || word(0) == "delete");
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (i == 1 && word(0) == "explain" && lower(text(1)) == "pipeline") {
        result_.replace(tokens_[1].start, tokens_[1].end,
                        "(pipeline)");  // an option of ours, which the grammar has in parentheses
      } else {
        step(i);
      }
    }
    result_.finish();
    return std::move(result_);
  }

 private:
  struct Level {
    bool in_from = false;       // inside a FROM clause's list of tables
    bool expecting = false;     // the next token starts a table
    bool from_is_word = false;  // inside extract(... FROM ...) and its like
  };

  std::string_view text(std::size_t i) const { return token_text(result_.original(), tokens_[i]); }
  std::string word(std::size_t i) const { return i < tokens_.size() && tokens_[i].keyword ? lower(text(i)) : std::string(); }

  void step(std::size_t i) {
    Level& level = levels_.back();
    const bool expecting = std::exchange(level.expecting, false);
    const std::string_view token = text(i);
    if (token == "(") {
      open(i, expecting);
    } else if (token == ")") {
      if (levels_.size() > 1) levels_.pop_back();
    } else if (token == ",") {
      level.expecting = level.in_from;
    } else if (tokens_[i].keyword) {
      keyword(i, level);
    } else if (expecting) {
      table(i, token);
    }
  }

  void open(std::size_t i, bool expecting) {
    const std::string before = i > 0 ? word(i - 1) : std::string();
    Level inner;
    inner.in_from = inner.expecting = expecting;  // FROM ('a' JOIN 'b' ...)
    inner.from_is_word = before == "extract" || before == "substring" || before == "trim" || before == "overlay";
    levels_.push_back(inner);
  }

  void keyword(std::size_t i, Level& level) {
    constexpr std::array<std::string_view, 15> kEnds = {"where",     "group",  "having", "order",  "limit",
                                                        "offset",    "fetch",  "values", "union",  "for",
                                                        "intersect", "except", "window", "select", "set"};
    const std::string name = word(i);
    if (name == "from") {
      const std::string before = i > 0 ? word(i - 1) : std::string();
      const std::string second = i > 1 ? word(i - 2) : std::string();
      const bool distinct_from = before == "distinct" && (second == "is" || second == "not");
      if (level.from_is_word || distinct_from) return;
      level.in_from = level.expecting = true;
    } else if (name == "join") {
      level.expecting = level.in_from;
    } else if (std::find(kEnds.begin(), kEnds.end(), name) != kEnds.end()) {
      level.in_from = false;
    }
  }

  void table(std::size_t i, std::string_view token) {
    const Token& place = tokens_[i];
    if (is_string_constant(token)) {
      result_.replace(place.start, place.start, "read_file(");
      result_.replace(place.end, place.end, ")");
    } else if (names_a_file(token) && (i + 1 == tokens_.size() || text(i + 1) != ".")) {
      result_.replace(place.start, place.end, "read_file(" + as_string_constant(token) + ")");
    }
  }

  const std::vector<Token>& tokens_;
  RewrittenText result_;
  std::vector<Level> levels_{1};
};

}  // namespace

std::string_view parser_sqlstate(std::string_view message) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kStates = {{
      {"memory exhausted", sqlstate::kStatementTooComplex},
      {"invalid byte sequence", sqlstate::kCharacterNotInRepertoire},
      {"frame start", "42P20"},
      {"frame end", "42P20"},
      {"not implemented", sqlstate::kFeatureNotSupported},
      {"not supported", sqlstate::kFeatureNotSupported},
      {"not yet", sqlstate::kFeatureNotSupported},
  }};
  for (const auto& [part, state] : kStates) {
    if (message.find(part) != std::string_view::npos) return state;
  }
  return sqlstate::kSyntaxError;
}

std::vector<Token> scan_tokens(const std::string& text) {
  struct Guard {
    PgQueryScanResult result;
    ~Guard() { pg_query_free_scan_result(result); }
  } guard{pg_query_scan(text.c_str())};
  if (guard.result.error != nullptr) {
    const PgQueryError& error = *guard.result.error;
    throw Error(parser_sqlstate(error.message), error.message, error.cursorpos);
  }
  MessageReader reader(guard.result.pbuf.data, guard.result.pbuf.len);
  std::vector<Token> tokens;
  while (!reader.done()) {
    if (reader.varint() >> 3 != 2) {
      reader.varint();
      continue;
    }
    const Token token = read_token(reader.message());
    SACCADE_CHECK(token.start <= token.end && token.end <= text.size());
    if (token.start < token.end && !is_comment(token_text(text, token))) tokens.push_back(token);
  }
  return tokens;
}

RewrittenText rewrite_files(const std::string& text, const std::vector<Token>& tokens) {
  return FilePass(text, tokens).run();
}

}  // namespace saccade
