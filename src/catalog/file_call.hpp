// A function over files and its options, as a statement names them: read_csv('x.csv', delim => ';'), COPY ... WITH (header).
//
// A plain value whose text form opens the same file in the same way on any rank.
#pragma once

#include <string>
#include <vector>

namespace saccade {

struct FileOption {
  std::string name;                 // in lower case
  std::vector<std::string> values;  // as written, true and false for booleans; an array's elements in order
  int position = 0;                 // in the statement, for errors; no part of the text form
};

struct FileCall {
  std::string function;  // "read_csv"
  std::vector<FileOption> options;

  // read_csv(delim => ';', types => 'integer' 'date'); without options only the function's name.
  std::string text() const;
  // Errors: XX000 where `text` is none of text().
  static FileCall parse(const std::string& text);

  // Null where the option is not given.
  const FileOption* find(const std::string& name) const;
};

}  // namespace saccade
