#include "catalog/file_call.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "common/error.hpp"

namespace saccade {
namespace {

// Reads the text form from left to right.
class CallReader {
 public:
  explicit CallReader(const std::string& text) : text_(text) {}

  bool accept(std::string_view part) {
    if (text_.compare(at_, part.size(), part) != 0) return false;
    at_ += part.size();
    return true;
  }
  void expect(std::string_view part) { SACCADE_CHECK(accept(part)); }
  bool done() const { return at_ == text_.size(); }

  std::string until(std::string_view stops) {
    const std::size_t end = std::min(text_.find_first_of(stops, at_), text_.size());
    const std::size_t begin = std::exchange(at_, end);
    return text_.substr(begin, end - begin);
  }

  std::string quoted() {
    std::string value;
    expect("'");
    while (true) {
      value += until("'");
      expect("'");
      if (!accept("'")) return value;
      value += '\'';
    }
  }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string FileCall::text() const {
  if (options.empty()) return function;
  std::string result = function + '(';
  for (const FileOption& option : options) {
    if (&option != &options.front()) result += ", ";
    result += option.name + " =>";
    for (const std::string& value : option.values) {
      result += " '";
      for (const char c : value) result.append(c == '\'' ? 2 : 1, c);
      result += '\'';
    }
  }
  return result + ')';
}

FileCall FileCall::parse(const std::string& text) {
  CallReader reader(text);
  FileCall call;
  call.function = reader.until("(");
  if (reader.done()) return call;
  reader.expect("(");
  do {
    FileOption option;
    option.name = reader.until(" ");
    reader.expect(" =>");
    while (reader.accept(" ")) option.values.push_back(reader.quoted());
    call.options.push_back(std::move(option));
  } while (reader.accept(", "));
  reader.expect(")");
  SACCADE_CHECK(reader.done());
  return call;
}

const FileOption* FileCall::find(const std::string& name) const {
  for (const FileOption& option : options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

}  // namespace saccade
