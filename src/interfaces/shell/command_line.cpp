#include "interfaces/shell/command_line.hpp"

#include <algorithm>

#include "saccade/saccade.hpp"

namespace saccade::shell {
namespace {

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

char escaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    default:
      return c;
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  CommandLine parse() {
    CommandLine line;
    ++at_;
    if (!at_end() && text_[at_] == '\\') {
      line.name = "\\";
      line.length = at_ + 1;
      return line;
    }
    while (!at_end() && !is_blank(text_[at_]) && text_[at_] != '\\') line.name += text_[at_++];
    while (line.name.size() > 1 && line.name.back() == ';') line.name.pop_back();
    while (skip_blanks()) line.arguments.push_back(argument());
    line.length = at_;
    return line;
  }

 private:
  bool at_end() const { return at_ == text_.size(); }

  // True where an argument begins.
  bool skip_blanks() {
    while (!at_end() && is_blank(text_[at_])) ++at_;
    return !at_end() && text_[at_] != '\\';
  }

  CommandArgument argument() {
    CommandArgument argument;
    while (!at_end() && !is_blank(text_[at_]) && text_[at_] != '\\') {
      if (text_[at_] == '\'') {
        argument.quoted = true;
        append_string(argument.text);
      } else if (text_[at_] == '"') {
        append_name(argument.text);
      } else {
        argument.text += text_[at_++];
      }
    }
    return argument;
  }

  void append_string(std::string& to) {
    for (++at_; !at_end(); ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        to += escaped(text_[++at_]);
      } else if (text_[at_] != '\'') {
        to += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '\'') {
        to += text_[at_++];
      } else {
        ++at_;
        return;
      }
    }
    unterminated();
  }

  void append_name(std::string& to) {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) unterminated();
    to += text_.substr(at_, end + 1 - at_);
    at_ = end + 1;
  }

  [[noreturn]] void unterminated() const { throw QueryError("42601", "unterminated quoted string", 0, ""); }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

CommandLine parse_command_line(std::string_view text) {
  return Parser(text).parse();
}

std::string without_double_quotes(std::string_view text) {
  std::string result(text);
  std::erase(result, '"');
  return result;
}

}  // namespace saccade::shell
