// The kernel that is being printed: its arguments, its lines, and what is known of each slot. Shared by the emitters of
// operators (operators/*.cpp). One thread, one pipeline.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "execution/gpu/emitter.hpp"

namespace saccade::gpu {

// A printed expression.
struct Printed {
  std::string text;
  Item item = Item::kInt64;
  bool nullable = false;
  std::optional<Bounds> bounds;
};

class KernelWriter {
 public:
  KernelWriter(const physical::Plan& plan, const physical::Pipeline& pipeline);

  const physical::Plan& plan() const { return plan_; }
  const physical::Pipeline& pipeline() const { return pipeline_; }
  EmittedKernel& kernel() { return kernel_; }

  // ---- lines: before the loop over tiles, in its body, after it ----
  void before(const std::string& code, const std::string& comment = {}) { before_.push_back({1, code, comment}); }
  void line(const std::string& code, const std::string& comment = {}) { body_.push_back({indent_, code, comment}); }
  void after(const std::string& code, const std::string& comment = {}) { after_.push_back({1, code, comment}); }
  // Opens a loop in the body; it is closed at the end, or by close(): what is named within is then gone.
  void open(const std::string& code, const std::string& comment);
  void close();
  bool nested() const { return indent_ > 2; }

  // ---- names and arguments ----
  // A name that nothing else in the kernel has.
  std::string unique_name(const std::string& wanted);
  // Adds an argument and returns how the text names it: "a.l_shipdate".
  std::string argument(Argument argument);

  // ---- slots ----
  struct SlotValue {
    std::string text;  // how an expression names it
    Item item = Item::kInt64;
    bool nullable = false;
    std::optional<Bounds> bounds;
    std::string pending;  // what loads it, until it is first needed
    std::string comment;
    int width = -1;  // bytes a value of a column of the source; -1: another slot
  };
  SlotValue& slot(int index) { return slots_.at(static_cast<std::size_t>(index)); }
  // Prints the loads of the slots that `node` reads, where they are still to come.
  void need(const physical::Node& node);
  void need_slot(int index);
  std::string slot_name(int index);

  // ---- expressions (emitter_expression.cpp) ----
  // The slots must have been loaded (need).
  Printed print(const physical::Node& node);
  // need() and print().
  Printed value(const physical::Node& node);

  // The finished texts.
  std::string text(bool comments) const;

 private:
  struct Line {
    int indent;
    std::string code, comment;
  };

  Printed print_literal(const physical::Node& node);
  Printed print_call(const physical::Node& node);
  Printed print_logic(const physical::Node& node);
  Printed print_case(const physical::Node& node, std::size_t first);
  Printed print_or_else(const physical::Node& node);
  Printed print_lookup(const physical::Node& node);
  std::string header() const;

  const physical::Plan& plan_;
  const physical::Pipeline& pipeline_;
  EmittedKernel kernel_;
  std::vector<Line> before_, body_, after_;
  std::vector<SlotValue> slots_;
  std::set<std::string> names_;
  std::vector<std::string> literals_, lookups_;  // by number; empty until first used
  int indent_ = 2;
};

}  // namespace saccade::gpu
