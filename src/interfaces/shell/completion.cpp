#include "interfaces/shell/completion.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <system_error>

#include "interfaces/shell/command_line.hpp"
#include "interfaces/shell/commands.hpp"
#include "interfaces/shell/completion_words.hpp"
#include "interfaces/shell/display_width.hpp"
#include "interfaces/shell/from_clause.hpp"
#include "interfaces/shell/print_options.hpp"
#include "interfaces/shell/schema.hpp"
#include "interfaces/shell/sql_tokens.hpp"

namespace saccade::shell {
namespace {

using Names = std::vector<std::string>;

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

Names names_or_none(const std::function<Names()>& read) {
  try {
    return read();
  } catch (const std::exception&) {
    return {};
  }
}

// Of a schema; without one, those that need none, and the schemas.
Names relation_names(Session& session, const std::string& schema) {
  if (schema == "information_schema") return {"columns", "tables"};
  Names names;
  if (schema.empty()) names = {"information_schema.", "public."};
  for (const Relation& relation : relations(session)) {
    if (schema.empty() || relation.schema == schema) names.push_back(relation.name);
  }
  return names;
}

Names first_column(Session& session, const std::string& statement) {
  const std::unique_ptr<QueryResult> result = session.execute(statement);
  Names names;
  for (std::int64_t row = 0; row < result->rows(); ++row) names.push_back(result->text(row, 0));
  return names;
}

// Collects the candidates for one typed word.
class Candidates {
 public:
  // `typed`: what there is of the word, without its quote.
  Candidates(std::string typed, bool in_quotes) : typed_(std::move(typed)), in_quotes_(in_quotes) {}

  // Of tables and columns, in quotes where they need them. With an open quote, only those that begin exactly so.
  void add_names(const Names& names) {
    for (const std::string& name : names) {
      const bool is_schema = name.ends_with('.');
      if (in_quotes_) {
        if (name.starts_with(typed_)) found_.push_back('"' + name + '"');
      } else if (lowered(name).starts_with(lowered(typed_))) {
        found_.push_back(is_schema ? name : quoted_name(name));
      }
    }
  }

  // As they stand, where they begin with what was typed in whatever case.
  template <class Words>
  void add_words(const Words& words) {
    if (in_quotes_) return;
    for (const auto& word : words) {
      if (lowered(word).starts_with(lowered(typed_))) found_.emplace_back(word);
    }
  }

  // In the case of what was typed.
  void add_keywords(std::span<const std::string_view> words) {
    const bool upper = typed_.empty() || std::any_of(typed_.begin(), typed_.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    for (const std::string_view word : words) {
      if (!in_quotes_ && lowered(word).starts_with(lowered(typed_)))
        found_.push_back(upper ? std::string(word) : lowered(word));
    }
  }

  Completion take(std::size_t length) {
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return {length, std::move(found_), " "};
  }

 private:
  std::string typed_;
  bool in_quotes_;
  Names found_;
};

// The paths that begin with `typed`; folders end with a slash.
Names paths(const std::string& typed) {
  const std::size_t slash = typed.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  const std::string begin = typed.substr(folder.size());
  Names names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(begin) || (begin.empty() && name.starts_with('.'))) continue;
    std::error_code ignored;
    names.push_back(folder + name + (entry.is_directory(ignored) ? "/" : ""));
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Within a string: the quote of the end is set behind a file.
Completion complete_path(const std::string& typed) {
  Names names = paths(typed);
  for (std::string& name : names) name = quoted_text(name).substr(1), name.pop_back();
  return {quoted_text(typed).size() - 2, std::move(names), "'"};
}

// The argument of a backslash command, which may be a path in quotes.
Completion complete_argument_path(std::string_view typed) {
  if (typed.starts_with('\'')) return complete_path(std::string(typed.substr(1)));
  Names names = paths(std::string(typed));
  for (std::string& name : names) {
    if (name.find_first_of(" \\'\"") != std::string::npos) name = quoted_text(name);
  }
  return {typed.size(), std::move(names), " "};
}

Completion complete_command(Session& session, std::string_view line) {
  const std::size_t name_end = std::min(line.find_first_of(" \t"), line.size());
  const std::string name(line.substr(1, name_end - 1));
  if (name_end == line.size()) {
    Candidates candidates(std::string(line), false);
    Names names;
    for (const CommandInfo& command : commands()) names.push_back("\\" + std::string(command.name));
    candidates.add_words(names);
    return candidates.take(line.size());
  }
  const CommandInfo* info = find_command(name);
  const std::string_view typed = line.substr(std::min(line.find_last_of(" \t") + 1, line.size()));
  if (info == nullptr) return {};
  if (info->takes == Takes::kFile || (info->takes == Takes::kRelation && typed.starts_with('\''))) {
    return complete_argument_path(typed);
  }
  const bool quoted = typed.starts_with('"');
  Candidates candidates(std::string(typed.substr(quoted ? 1 : 0)), quoted);
  if (info->takes == Takes::kRelation) candidates.add_names(names_or_none([&] { return relation_names(session, ""); }));
  if (info->takes == Takes::kFormat) {
    for (const FormatName& format : kFormats) candidates.add_words(std::array{format.name});
  }
  if (info->takes == Takes::kPrintOption) candidates.add_words(kPrintOptionNames);
  if (info->takes == Takes::kSwitch) candidates.add_words(std::array<std::string_view, 2>{"off", "on"});
  if (info->takes == Takes::kExpanded) candidates.add_words(std::array<std::string_view, 3>{"auto", "off", "on"});
  return candidates.take(typed.size());
}

// Completes one word of SQL.
class SqlCompleter {
 public:
  SqlCompleter(Session& session, const std::string& before, const std::string& after)
      : session_(session), tokens_(sql_tokens(before)) {
    for (std::size_t i = tokens_.size(); i-- > 0;) {
      if (tokens_[i].is(";")) tokens_.erase(tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(i) + 1), i = 0;
    }
    if (!tokens_.empty() && (tokens_.back().is_open || ends_with_word(before))) {
      word_ = tokens_.back();
      length_ = before.size() - word_->begin;
      if (word_->kind == SqlToken::Kind::kWord) word_->text = before.substr(word_->begin);  // as it was typed
      tokens_.pop_back();
    }
    all_ = tokens_;
    for (const SqlToken& token : sql_tokens(after)) {
      if (token.is(";")) break;
      all_.push_back(token);
    }
  }

  Completion complete() {
    if (word_ && word_->kind == SqlToken::Kind::kString) return may_be_file() ? complete_path(word_->text) : Completion{};
    Candidates candidates(word_ ? word_->text : "", word_ && word_->kind == SqlToken::Kind::kQuotedName);
    if (tokens_.empty()) {
      candidates.add_keywords(statement_starts());
    } else if (last().is(".")) {
      add_members(candidates);
    } else if (is_setting()) {
      candidates.add_words(names_or_none([&] { return first_column(session_, "SHOW ALL"); }));
    } else if (wants_relation(tokens_)) {
      candidates.add_names(names_or_none([&] { return relation_names(session_, ""); }));
      if (word_) candidates.add_words(std::array<std::string_view, 4>{"read_arrow(", "read_csv(", "read_parquet(", "LATERAL"});
    } else {
      add_expression(candidates);
    }
    return candidates.take(length_);
  }

 private:
  static bool ends_with_word(std::string_view text) {
    const std::vector<SqlToken> last = sql_tokens(text.substr(text.empty() ? 0 : text.size() - 1));
    return !last.empty() && last[0].kind == SqlToken::Kind::kWord;
  }

  const SqlToken& last(std::size_t back = 0) const { return tokens_[tokens_.size() - 1 - back]; }

  bool may_be_file() const {
    static constexpr std::array<std::string_view, 6> kBefore{"from", "join", "to", ",", "(", "["};
    return !tokens_.empty() &&
           std::any_of(kBefore.begin(), kBefore.end(), [&](std::string_view word) { return last().is(word); });
  }

  bool is_setting() const {
    return tokens_.size() == 1 && (tokens_[0].is("set") || tokens_[0].is("show") || tokens_[0].is("reset"));
  }

  // After "name.": the columns of the table or alias, or the tables of the schema.
  void add_members(Candidates& candidates) {
    if (tokens_.size() < 2 || !last(1).is_name()) return;
    const std::string& name = last(1).text;
    for (const FromItem& item : from_items(all_)) {
      if (item.alias == name) return candidates.add_names(column_names(item.sql));
    }
    candidates.add_names(names_or_none([&] { return relation_names(session_, name); }));
  }

  void add_expression(Candidates& candidates) {
    const std::vector<FromItem> items = from_items(all_);
    for (const FromItem& item : items) {
      candidates.add_names(column_names(item.sql));
      candidates.add_names({item.alias});
    }
    if (!word_) return;  // not all words there are
    if (items.empty()) {
      candidates.add_names(
          names_or_none([&] { return first_column(session_, "SELECT DISTINCT column_name FROM information_schema.columns"); }));
    }
    candidates.add_keywords(keywords());
    candidates.add_keywords(statement_starts());
    candidates.add_words(functions());
  }

  Names column_names(const std::string& from) {
    return names_or_none([&] {
      Names names;
      for (const RelationColumn& column : columns_of(session_, from)) names.push_back(column.name);
      return names;
    });
  }

  Session& session_;
  std::vector<SqlToken> tokens_;  // of the statement before the word
  std::vector<SqlToken> all_;     // and those behind the cursor
  std::optional<SqlToken> word_;  // that is to be completed
  std::size_t length_ = 0;
};

}  // namespace

Completion complete(Session& session, const std::string& before, const std::string& after) {
  if (before.starts_with('\\')) return complete_command(session, before);
  return SqlCompleter(session, before, after).complete();
}

std::string common_prefix(const std::vector<std::string>& candidates) {
  if (candidates.empty()) return "";
  std::string_view prefix = candidates[0];
  for (const std::string& candidate : candidates) {
    const auto [end, other] = std::mismatch(prefix.begin(), prefix.end(), candidate.begin(), candidate.end());
    prefix = prefix.substr(0, static_cast<std::size_t>(end - prefix.begin()));
  }
  std::size_t whole = 0;
  for (const Character& character : characters(prefix)) whole += character.valid ? character.bytes.size() : 0;
  return std::string(prefix.substr(0, whole));
}

}  // namespace saccade::shell
