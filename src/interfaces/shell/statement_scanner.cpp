#include "interfaces/shell/statement_scanner.hpp"

#include <algorithm>
#include <utility>

namespace saccade::shell {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool continues_name(char c) {
  return starts_name(c) || (c >= '0' && c <= '9') || c == '$';
}

// The length of $tag$ at the start of the text; 0 where there is none.
std::size_t dollar_tag_length(std::string_view text) {
  std::size_t end = 1;
  if (end < text.size() && starts_name(text[end])) {
    while (end < text.size() && continues_name(text[end]) && text[end] != '$') ++end;
  }
  return end < text.size() && text[end] == '$' ? end + 1 : 0;
}

}  // namespace

void StatementScanner::add(std::string_view lines) {
  if (begin_ > text_.size() / 2) {
    text_.erase(0, begin_);
    at_ -= begin_;
    token_ = has_token_ ? token_ - begin_ : 0;
    begin_ = 0;
  }
  text_ += lines;
}

StatementScanner::Found StatementScanner::next() {
  while (at_ < text_.size()) {
    if (open_ != Open::kNothing) {
      scan_open();
    } else if (text_[at_] == '\\') {
      return Found::kCommand;
    } else if (text_[at_] == ';') {
      skip_to(at_ + 1);
      if (has_token_) return Found::kStatement;
      begin_ = at_;
    } else {
      scan_token();
    }
  }
  if (!has_statement()) begin_ = at_;  // blanks and comments
  return Found::kMore;
}

std::string StatementScanner::take_statement() {
  std::string taken(statement());
  begin_ = at_;
  has_token_ = false;
  may_continue_ = false;
  return taken;
}

std::string_view StatementScanner::statement() const {
  const std::size_t from = has_token_ ? token_ : begin_;
  return std::string_view(text_).substr(from, at_ - from);
}

std::string_view StatementScanner::command_line() const {
  const std::string_view rest = std::string_view(text_).substr(at_);
  return rest.substr(0, rest.find('\n'));
}

void StatementScanner::drop_command(std::size_t count) {
  text_.erase(at_, count);
}

void StatementScanner::clear() {
  line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), '\n'));
  text_.clear();
  begin_ = at_ = 0;
  has_token_ = may_continue_ = false;
  open_ = Open::kNothing;
}

void StatementScanner::skip_to(std::size_t at) {
  line_ += static_cast<int>(std::count(text_.data() + at_, text_.data() + at, '\n'));
  at_ = at;
}

void StatementScanner::mark_token() {
  if (std::exchange(has_token_, true)) return;
  token_ = at_;
  token_line_ = line_;
}

// One token, or its beginning where it may go on over several lines, or a comment's.
void StatementScanner::scan_token() {
  const std::string_view rest = std::string_view(text_).substr(at_);
  const char c = rest[0];
  const std::string_view two = rest.substr(0, 2);
  if (is_space(c)) return skip_to(at_ + 1);
  if (two == "--") return skip_to(std::min(text_.size(), text_.find('\n', at_)));
  if (two == "/*") {
    open_ = Open::kComment;
    depth_ = 0;
    return;
  }
  mark_token();
  if (two == "e'" || two == "E'") {
    ++at_;
    return begin_quote(Open::kString, true);
  }
  if (c == '\'') return begin_quote(Open::kString, may_continue_);
  may_continue_ = false;
  if (c == '"') return begin_quote(Open::kName, false);
  if (c == '$') return begin_dollar_quote();
  if (!starts_name(c)) return skip_to(at_ + 1);
  const auto end = std::find_if_not(rest.begin(), rest.end(), continues_name);
  skip_to(at_ + static_cast<std::size_t>(end - rest.begin()));
}

void StatementScanner::begin_quote(Open open, bool escapes) {
  ++at_;
  open_ = open;
  escapes_ = escapes;
}

// A dollar sign that begins no quote is a character of its own.
void StatementScanner::begin_dollar_quote() {
  const std::size_t length = dollar_tag_length(std::string_view(text_).substr(at_));
  tag_ = text_.substr(at_, length);
  at_ += std::max<std::size_t>(length, 1);
  if (length > 0) open_ = Open::kDollarQuote;
}

void StatementScanner::scan_open() {
  if (open_ == Open::kComment) return scan_block_comment();
  if (open_ != Open::kDollarQuote) return scan_quote(open_ == Open::kString ? '\'' : '"');
  const std::size_t close = text_.find(tag_, at_);
  if (close != kNone) open_ = Open::kNothing;
  skip_to(close == kNone ? text_.size() : close + tag_.size());
}

// A doubled quote ends one string and begins another, which comes to the same.
void StatementScanner::scan_quote(char quote) {
  std::size_t at = at_;
  while (at < text_.size() && text_[at] != quote) at += escapes_ && text_[at] == '\\' ? 2 : 1;
  if (at < text_.size()) {
    open_ = Open::kNothing;
    may_continue_ = escapes_;
  }
  skip_to(std::min(text_.size(), at + 1));
}

// Comments nest.
void StatementScanner::scan_block_comment() {
  std::size_t at = at_;
  while (at < text_.size() && open_ == Open::kComment) {
    const std::string_view two = std::string_view(text_).substr(at, 2);
    if (two == "/*") {
      ++depth_;
    } else if (two == "*/" && --depth_ == 0) {
      open_ = Open::kNothing;
    }
    at += two == "/*" || two == "*/" ? 2 : 1;
  }
  skip_to(std::min(text_.size(), at));
}

}  // namespace saccade::shell
