#include "execution/gpu/device_text.hpp"

#include <fmt/format.h>

#include <set>

#include "common/error.hpp"
#include "function/device_headers.hpp"

namespace saccade {

// device/*.cuh, primitives/*.cu, the shim's headers and functions.inc; written by the build.
std::span<const EmbeddedFile> gpu_device_files();

namespace gpu {

namespace {

constexpr std::string_view kInclude = "#include \"";

// The name that an include line asks for; empty for any other line.
std::string_view included(std::string_view line) {
  if (!line.starts_with(kInclude)) return {};
  line.remove_prefix(kInclude.size());
  return line.substr(0, line.find('"'));
}

// A list of macro calls (.inc) is included wherever it is asked for, a header once.
void append(std::string& source, std::string_view text, std::set<std::string, std::less<>>& seen) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::string_view name = included(line);
    if (!name.empty()) {
      if (name.ends_with(".inc") || seen.emplace(name).second) append(source, embedded_text(name), seen);
    } else if (line != "#pragma once" && !line.starts_with("//")) {
      source.append(line).push_back('\n');
    }
  }
}

}  // namespace

std::string_view embedded_text(std::string_view name) {
  for (const auto& files : {gpu_device_files(), function_device_headers()}) {
    for (const EmbeddedFile& file : files) {
      if (file.name == name) return file.text;
    }
  }
  throw Error(sqlstate::kInternalError, fmt::format("no device text \"{}\" is embedded", name));
}

std::string with_includes(std::string_view text) {
  std::string source;
  std::set<std::string, std::less<>> seen;
  append(source, text, seen);
  return source;
}

std::string complete_source(std::string_view text, int block_threads) {
  return fmt::format("namespace saccade {{\nconstexpr int kBlockThreads = {};\n}}\n", block_threads) + with_includes(text);
}

}  // namespace gpu

}  // namespace saccade
