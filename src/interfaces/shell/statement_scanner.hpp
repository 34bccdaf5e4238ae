// Cuts text that arrives line by line into statements and backslash commands, by PostgreSQL's lexical rules: a statement ends
// with the first semicolon outside of strings, quoted names, dollar quotes and comments; a backslash outside of them begins a
// command, which goes on to the end of its line. Each character is looked at once, however many lines a statement has.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace saccade::shell {

class StatementScanner {
 public:
  enum class Found {
    kMore,       // neither: more text is needed
    kStatement,  // take_statement() gives it, with its semicolon
    kCommand,    // command_line() begins with its backslash; drop_command() takes it away
  };
  // What is not yet closed where the text ends.
  enum class Open { kNothing, kString, kName, kDollarQuote, kComment };

  // Whole lines, each with its newline; only the last line of all may lack it.
  void add(std::string_view lines);
  Found next();

  // From the first token on, without comments before it. After kStatement; else all that there is (the rest of a script).
  std::string take_statement();
  // The text before the command, without taking it: a statement that is not yet complete.
  std::string_view statement() const;
  // From the backslash to the end of the line, without the newline. After kCommand.
  std::string_view command_line() const;
  // Takes the first `count` bytes of the command line away.
  void drop_command(std::size_t count);

  bool has_statement() const { return has_token_ || open_ != Open::kNothing; }
  Open open() const { return open_; }
  // Of the first token of the statement; the first line of all is 1.
  int line() const { return token_line_; }
  // Of the place up to which was scanned: the command's, after kCommand.
  int current_line() const { return line_; }
  // Forgets the text, but not the number of its lines.
  void clear();

 private:
  void scan_token();
  void scan_open();
  void scan_quote(char quote);
  void scan_block_comment();
  void begin_quote(Open open, bool escapes);
  void begin_dollar_quote();
  void skip_to(std::size_t at);
  void mark_token();

  std::string text_;
  std::size_t begin_ = 0;  // of what was not yet taken
  std::size_t at_ = 0;     // what is before was looked at
  std::size_t token_ = 0;  // the first token's place
  bool has_token_ = false;
  int line_ = 1;        // of at_
  int token_line_ = 1;  // of token_
  Open open_ = Open::kNothing;
  bool escapes_ = false;       // the string is an E'...'
  bool may_continue_ = false;  // such a string has just ended; with another quote after it, it goes on
  int depth_ = 0;              // of comments
  std::string tag_;            // of the dollar quote, $tag$
};

}  // namespace saccade::shell
