// The expressions of one pipeline as a graph in which equal sub-expressions are one node, so that a batch computes each once.
//
// Built once before a pipeline runs, immutable afterwards, read by all workers. Refers to the pipeline's literals and lookups,
// and to the dictionaries and strings of the run: pipeline and run must outlive it.
#pragma once

#include <deque>
#include <exception>
#include <memory>
#include <unordered_map>
#include <vector>

#include "execution/backend.hpp"
#include "execution/cpu/vector.hpp"
#include "function/text/call.hpp"
#include "physical/physical_plan.hpp"

namespace saccade::cpu {

struct ExpressionNode {
  physical::NodeKind kind = physical::NodeKind::kLiteral;
  Lane lane = Lane::kInt64;
  bool can_fail = false;
  int index = -1;
  FunctionId function{};
  TextFunctionId text_function{};
  std::vector<int> arguments;
  bool operator==(const ExpressionNode&) const = default;
};

class Program {
 public:
  Program(const physical::Pipeline& pipeline, const RunState& state);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Adds a tree; returns the number of its root. Checks lanes and argument counts (XX000).
  int add(const physical::Node& node);

  const ExpressionNode& node(int expression) const { return nodes_[static_cast<std::size_t>(expression)]; }
  std::size_t size() const { return nodes_.size(); }
  // A literal as a constant vector.
  const Vector& literal(int index) const { return literals_[static_cast<std::size_t>(index)].vector; }
  const physical::Literal& literal_value(int index) const { return pipeline_->literals[static_cast<std::size_t>(index)]; }
  const physical::Lookup& lookup(int index) const { return pipeline_->lookups[static_cast<std::size_t>(index)]; }
  const physical::Slot& slot(int index) const { return pipeline_->slots[static_cast<std::size_t>(index)]; }
  std::size_t slot_count() const { return pipeline_->slots.size(); }
  // The dictionary that a kDictionaryText node names.
  const Dictionary& text_dictionary(int index) const;
  TextStore& text_store() const;
  // Whether the strings of a text slot or expression live as long as the query's rows: those of a table in memory, of a
  // dictionary, of earlier pipelines. Others live as long as the batch or the chunk they were read from.
  bool is_permanent_slot(int slot) const { return permanent_slots_[static_cast<std::size_t>(slot)]; }
  bool is_permanent_text(int expression) const { return prepared_[static_cast<std::size_t>(expression)].permanent; }
  // What the function of a kTextCall node has made of its constant arguments, if anything. Errors: those of making it.
  const TextPrepared* prepared_text(const ExpressionNode& node) const;
  // Marks the slots an expression reads.
  void mark_slots(int expression, std::vector<bool>& slots) const;

 private:
  struct LiteralStorage {
    alignas(16) std::byte value[16];
    std::uint8_t valid = 1;
    Vector vector;
  };
  // What is known of a node besides the node itself.
  struct Prepared {
    bool permanent = false;
    std::shared_ptr<const TextPrepared> text;
    std::exception_ptr failure;  // raised by rows that come to the node
  };
  void check(const ExpressionNode& node) const;
  void mark_permanent_slots();
  bool is_permanent(const physical::Node& node) const;
  Prepared prepare(const ExpressionNode& node) const;

  const physical::Pipeline* pipeline_;
  const RunState* state_;
  std::vector<bool> permanent_slots_;
  std::vector<Prepared> prepared_;  // by node
  std::vector<ExpressionNode> nodes_;
  std::unordered_multimap<std::size_t, int> numbers_;  // nodes by their hash
  std::deque<LiteralStorage> literals_;                // never moved: vectors point into it
};

}  // namespace saccade::cpu
