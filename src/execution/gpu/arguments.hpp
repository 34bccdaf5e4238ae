// The arguments of a kernel: described once by the emitter, printed as a struct into the kernel's text and filled on the host
// from the same description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "common/error.hpp"

namespace saccade::gpu {

enum class ArgumentKind : std::uint8_t {
  kRows,  // of the source
  kStatus,
  kColumn,        // column `index` of the source: {values, base, validity}
  kLiteral,       // literal `index` of the pipeline
  kLookup,        // lookup `index` of the pipeline: {values, base}
  kBuild,         // the join build of pipeline `index`: as probe.cuh lays it out
  kMatched,       // what rows of the build of pipeline `index` a probe has found: a byte each
  kPayload,       // payload column `part` of the build of pipeline `index`: {values, base, validity}
  kCapacity,      // rows that the output holds
  kOutput,        // column `index` of the output: {values, valid}
  kOwnBuild,      // the bits that this pipeline sets: {entries, low, range}
  kGroups,        // number of groups
  kGroupNumbers,  // {low..., stride...}
  kGroupTable,    // {slots, slot_mask, used, capacity, parts...}
  kState,         // states of aggregate `index`: {memory, locks}
};

struct Argument {
  ArgumentKind kind;
  int index = 0;
  int part = 0;
  std::string type, name, comment;
  std::int64_t bytes = 8;
  std::int64_t alignment = 8;
  std::int64_t offset = 0;  // set by ArgumentLayout
};

class ArgumentLayout {
 public:
  // Adds an argument and places it as a C++ compiler does.
  void add(Argument argument);
  const std::vector<Argument>& arguments() const { return arguments_; }
  std::int64_t bytes() const;
  // "struct Name { ... };"
  std::string declaration(const std::string& name, bool comments) const;

 private:
  std::vector<Argument> arguments_;
  std::int64_t end_ = 0;
  std::int64_t alignment_ = 1;
};

// The bytes of one launch's arguments.
class ArgumentBlock {
 public:
  explicit ArgumentBlock(const ArgumentLayout& layout) : bytes_(layout.bytes()) {
    words_.resize(static_cast<std::size_t>(bytes_) / sizeof(std::max_align_t) + 1);
  }
  // `values` one after the other, as the argument's type holds them.
  template <class... Values>
  void set(const Argument& argument, const Values&... values) {
    std::int64_t at = argument.offset;
    (write(at, &values, sizeof(values)), ...);
    SACCADE_CHECK(at == argument.offset + argument.bytes);
  }
  void set_bytes(const Argument& argument, const void* values) {
    std::int64_t at = argument.offset;
    write(at, values, static_cast<std::size_t>(argument.bytes));
  }
  const void* data() const { return words_.data(); }
  std::int64_t bytes() const { return bytes_; }

 private:
  void write(std::int64_t& at, const void* value, std::size_t bytes) {
    std::memcpy(reinterpret_cast<char*>(words_.data()) + at, value, bytes);
    at += static_cast<std::int64_t>(bytes);
  }

  std::int64_t bytes_;
  std::vector<std::max_align_t> words_;
};

}  // namespace saccade::gpu
