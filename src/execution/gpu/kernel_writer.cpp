#include "execution/gpu/kernel_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace saccade::gpu {

namespace {

// Names that a kernel's text uses for something else, and words of the language that a column may be called by.
constexpr const char* kReserved[] = {"a",           "tile",          "left",         "group",
                                     "groups",      "places",        "cells",        "alignas",
                                     "alignof",     "and",           "asm",          "auto",
                                     "bitand",      "bitor",         "bool",         "break",
                                     "case",        "catch",         "char",         "class",
                                     "compl",       "concept",       "const",        "continue",
                                     "decltype",    "default",       "delete",       "do",
                                     "double",      "else",          "enum",         "explicit",
                                     "export",      "extern",        "false",        "float",
                                     "for",         "friend",        "goto",         "if",
                                     "inline",      "int",           "long",         "mutable",
                                     "namespace",   "new",           "noexcept",     "not",
                                     "nullptr",     "operator",      "or",           "private",
                                     "public",      "register",      "requires",     "return",
                                     "short",       "signed",        "sizeof",       "static",
                                     "struct",      "switch",        "template",     "this",
                                     "throw",       "true",          "try",          "typedef",
                                     "typeid",      "typename",      "union",        "unsigned",
                                     "using",       "virtual",       "void",         "volatile",
                                     "while",       "xor",           "rows",         "status",
                                     "capacity",    "build",         "table",        "linux",
                                     "unix",        "both",          "either",       "choose",
                                     "lookup",      "lift",          "narrow",       "negation",
                                     "ordered",     "item",          "put",          "clear",
                                     "is_null",     "spare",         "saccade",      "numbers",
                                     "or_else",     "group_of",      "i64",          "i128",
                                     "u32",         "u64",           "u128",         "u8",
                                     "u16",         "ones",          "places_for",   "has_key",
                                     "find_rows",   "next_row",      "note",         "note_matches",
                                     "no_rows",     "store",         "constexpr",    "consteval",
                                     "constinit",   "const_cast",    "dynamic_cast", "reinterpret_cast",
                                     "static_cast", "static_assert", "thread_local", "protected",
                                     "char8_t",     "char16_t",      "char32_t",     "wchar_t",
                                     "co_await",    "co_return",     "co_yield",     "and_eq",
                                     "or_eq",       "xor_eq",        "not_eq"};

constexpr std::size_t kCommentColumn = 80;

std::string sanitized(const std::string& wanted) {
  std::string name;
  for (const char c : wanted) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && (std::isalnum(byte) != 0)) {
      name.push_back(static_cast<char>(std::tolower(byte)));
    } else if (!name.empty() && name.back() != '_') {
      name.push_back('_');
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0) name.insert(0, "value_");
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.size() > 60) name.resize(60);
  return name;
}

}  // namespace

KernelWriter::KernelWriter(const physical::Plan& plan, const physical::Pipeline& pipeline)
    : plan_(plan), pipeline_(pipeline), names_(std::begin(kReserved), std::end(kReserved)) {
  for (const ScalarFunction& function : scalar_functions()) names_.emplace(function.name);
  slots_.resize(pipeline.slots.size());
  literals_.resize(pipeline.literals.size());
  lookups_.resize(pipeline.lookups.size());
  kernel_.name = fmt::format("pipeline_{}", pipeline.id);
}

void KernelWriter::open(const std::string& code, const std::string& comment) {
  line(code, comment);
  ++indent_;
}

void KernelWriter::close() {
  --indent_;
  line("}");
}

// A number behind a name that is taken or means something else; a trailing number keeps clear of every reserved word.
std::string KernelWriter::unique_name(const std::string& wanted) {
  const std::string name = sanitized(wanted);
  if (names_.insert(name).second) return name;
  for (int number = 2;; ++number) {
    const std::string numbered = fmt::format("{}_{}", name, number);
    if (names_.insert(numbered).second) return numbered;
  }
}

std::string KernelWriter::argument(Argument argument) {
  const std::string name = "a." + argument.name;
  kernel_.arguments.add(std::move(argument));
  return name;
}

std::string KernelWriter::slot_name(int index) {
  const std::string& name = pipeline_.slots[static_cast<std::size_t>(index)].name;
  return unique_name(name.empty() ? fmt::format("slot_{}", index) : name);
}

void KernelWriter::need_slot(int index) {
  SlotValue& value = slot(index);
  if (value.pending.empty()) return;
  line(fmt::format("auto {} = {};", value.text, value.pending), value.comment);
  value.pending.clear();
}

void KernelWriter::need(const physical::Node& node) {
  if (node.kind == physical::NodeKind::kSlot) need_slot(node.index);
  for (const physical::Node& argument : node.arguments) need(argument);
}

Printed KernelWriter::value(const physical::Node& node) {
  need(node);
  return print(node);
}

std::string KernelWriter::header() const {
  std::string text = fmt::format("// pipeline {}:", pipeline_.id);
  if (const auto* scan = std::get_if<physical::TableScan>(&pipeline_.source)) {
    text += " scan " + scan->table;
  } else if (const auto* scan = std::get_if<physical::OutputScan>(&pipeline_.source)) {
    text += fmt::format(" read pipeline {}", scan->pipeline);
  } else if (const auto* scan = std::get_if<physical::BuildScan>(&pipeline_.source)) {
    text += fmt::format(" rows of build {}", scan->build);
  } else if (std::holds_alternative<physical::Concatenation>(pipeline_.source)) {
    text += " read several pipelines";
  } else {
    text += " one row";
  }
  for (const std::string& step : kernel_.steps) text += " > " + step;
  constexpr const char* kSinks[] = {"join build", "aggregate", "sort", "exchange", "result", "insert", "keep", "window"};
  text += std::string(" > ") + kSinks[pipeline_.sink.index()];
  return text + '\n';
}

std::string KernelWriter::text(bool comments) const {
  const std::string type = fmt::format("Pipeline{}Arguments", pipeline_.id);
  std::string text = "#include \"execution/gpu/device/aggregate.cuh\"\n\nusing namespace saccade;\n\n";
  text += kernel_.arguments.declaration(type, comments);
  text += '\n';
  if (comments) text += header();
  text += fmt::format("extern \"C\" __global__ void __launch_bounds__(kBlockThreads) {}(const {} a) {{\n", kernel_.name, type);
  const auto add = [&](const Line& line) {
    std::string code = std::string(static_cast<std::size_t>(2 * line.indent), ' ') + line.code;
    if (comments && !line.comment.empty()) {
      code.resize(std::max(code.size() + 2, kCommentColumn), ' ');
      code += "// " + line.comment;
    }
    text += code + '\n';
  };
  for (const Line& line : before_) add(line);
  text += "  for (Tile tile(a.rows, a.status); tile.valid(); tile.next()) {\n";
  for (const Line& line : body_) add(line);
  for (int indent = indent_ - 1; indent >= 1; --indent) text += std::string(static_cast<std::size_t>(2 * indent), ' ') + "}\n";
  for (const Line& line : after_) add(line);
  return text + "}\n";
}

}  // namespace saccade::gpu
