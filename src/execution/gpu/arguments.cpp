#include "execution/gpu/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace saccade::gpu {

namespace {

// What every device passes to a kernel.
constexpr std::int64_t kMaximumBytes = 4096;
constexpr std::size_t kCommentColumn = 48;

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

void ArgumentLayout::add(Argument argument) {
  argument.offset = round_up(end_, argument.alignment);
  end_ = argument.offset + argument.bytes;
  alignment_ = std::max(alignment_, argument.alignment);
  if (end_ > kMaximumBytes) {
    throw Error(sqlstate::kStatementTooComplex,
                "a pipeline of this statement has too many columns and literals for a GPU kernel", 0,
                "Split the statement, or SET device = cpu.");
  }
  arguments_.push_back(std::move(argument));
}

std::int64_t ArgumentLayout::bytes() const {
  return round_up(end_, alignment_);
}

std::string ArgumentLayout::declaration(const std::string& name, bool comments) const {
  std::string text = fmt::format("struct {} {{\n", name);
  for (const Argument& argument : arguments_) {
    std::string line = fmt::format("  {} {};", argument.type, argument.name);
    if (comments && !argument.comment.empty()) {
      line.resize(std::max(line.size() + 2, kCommentColumn), ' ');
      line += "// " + argument.comment;
    }
    text += line + '\n';
  }
  return text + "};\n";
}

}  // namespace saccade::gpu
