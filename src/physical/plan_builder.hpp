// The planner's state while it walks a logical plan. One visit method a node kind; planner.cpp has the walk, plan_join*.cpp,
// plan_aggregate*.cpp and plan_output.cpp the larger visits.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "optimizer/cardinality.hpp"
#include "physical/keys.hpp"
#include "physical/lowering.hpp"
#include "physical/open_pipeline.hpp"
#include "physical/planner.hpp"

namespace saccade::physical {

using ColumnSet = std::set<ColumnId>;

struct AggregateLayout;  // aggregate_layout.hpp
struct WindowLayout;     // plan_window.cpp

class PlanBuilder {
 public:
  PlanBuilder(const LogicalPlan& logical, const PlannerOptions& options);

  PlannedQuery build_query();
  PlannedQuery build_insert(const std::string& table);

 private:
  // Columns of a node whose rows only matter where a build that is there already has the value as its key: a join above drops
  // the others. They pay where rows are dropped long before that join: `crossing` a build side or an aggregation on the way.
  struct Reducer {
    int build = -1;
    bool crossing = false;
  };
  using Reducers = std::map<ColumnId, Reducer>;

  // `required`: the columns that the node's parent reads.
  OpenPipeline visit(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline visit_scan(const LogicalNode& node);
  OpenPipeline visit_filter(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline visit_project(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline visit_join(const LogicalNode& node, const ColumnSet& required, const Reducers& reducers);
  OpenPipeline visit_aggregate(const LogicalNode& node);
  OpenPipeline visit_sort(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline visit_limit(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline visit_shared(const LogicalNode& node);  // plan_shared.cpp
  // plan_union.cpp
  OpenPipeline visit_union(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline visit_values(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline visit_repeat(const LogicalNode& node, const ColumnSet& required);
  // plan_window.cpp
  OpenPipeline visit_window(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline bring_partitions_together(const LogicalNode& node, OpenPipeline open, const ColumnSet& needed);
  void add_window_calls(const LogicalNode& node, OpenPipeline& open, WindowLayout& layout);
  OpenPipeline read_window(int id, const OpenPipeline& from, const WindowLayout& layout);
  void finish_window(const LogicalNode& node, OpenPipeline& open, const WindowLayout& layout);

  struct JoinKey {
    Expression probe, build;
    bool null_safe = false;  // two NULLs are equal
  };
  // A join taken apart: which child builds and which probes, by which keys, and what else a pair must satisfy.
  struct JoinTask {
    JoinKind kind = JoinKind::kInner;
    bool left_builds = false;  // the right child probes
    const LogicalNode* node = nullptr;
    std::vector<JoinKey> keys;
    std::vector<Expression> conditions;
    std::string text;  // of the keys, or of the conditions where there are none
    ColumnSet required;
    ColumnSet needed;  // what the parent and the conditions read
    ColumnSet inputs;  // the same and what the keys read
    const LogicalNode& probe_child() const { return node->children[left_builds ? 1 : 0]; }
    const LogicalNode& build_child() const { return node->children[left_builds ? 0 : 1]; }
    // Rows of the build side are put out by whether they matched.
    bool tracks() const { return left_builds || kind == JoinKind::kFull; }
    // Rows of the probe side without a match are put out as well.
    bool keeps_probe() const {
      return kind == JoinKind::kFull ||
             (!left_builds && (kind == JoinKind::kLeft || kind == JoinKind::kAnti || kind == JoinKind::kMark));
    }
    // Pairs are put out.
    bool puts_out_pairs() const { return shows_right(kind); }
  };
  struct JoinKeys {
    std::vector<Node> probe, build;  // key parts
    std::vector<OptionalBounds> build_bounds;
    std::vector<ColumnId> probe_columns, build_columns;  // -1 where a key is no plain column
    std::vector<bool> build_null_parts;                  // by key: a part tells of NULL in the build (lower_simple_build)
  };
  // plan_join.cpp
  JoinTask take_apart(const LogicalNode& node, const ColumnSet& required) const;
  bool left_builds(const LogicalNode& node, bool has_keys) const;
  void add_probe(const JoinTask& task, OpenPipeline& probe, const OpenPipeline& build, int build_id, const JoinKeys& keys);
  void limit_rows(const JoinTask& task, OpenPipeline& probe, const OpenPipeline& build, const JoinBuild& sink,
                  const JoinKeys& keys) const;
  // plan_reducers.cpp
  bool visits_build_first(const JoinTask& task) const;
  bool closes_build_first(const JoinTask& task) const;
  bool crosses_breaker(const LogicalNode& node, ColumnId column, bool crossing) const;
  static Reducers reducers_of_child(const LogicalNode& node, const Reducers& reducers, std::size_t child);
  void add_reducers(OpenPipeline& open, const Reducers& reducers);
  bool keeps_few(const LogicalNode& build, const LogicalNode& node, ColumnId column) const;
  double build_rows(int build) const;
  void forget_repeated(const JoinTask& task, Reducers& reducers) const;
  static Reducers own_reducers(const JoinTask& task, const JoinKeys& keys, int build_id);
  static Reducers restrictions_of_probe(const JoinTask& task, const OpenPipeline& probe);
  static Reducers restrictions_of_build(const JoinTask& task, const OpenPipeline& build);
  static void note_restriction(OpenPipeline& probe, const OpenPipeline& build, int build_id, const JoinKeys& keys,
                               const JoinTask& task);
  // plan_join_keys.cpp
  void lower_simple_build(const JoinTask& task, OpenPipeline& build, JoinKeys& keys);
  void lower_simple_probe(const JoinTask& task, OpenPipeline& probe, JoinKeys& keys);
  JoinKeys lower_join_keys(const JoinTask& task, OpenPipeline& probe, OpenPipeline& build);
  JoinBuild make_join_build(const JoinTask& task, const JoinKeys& keys, const OpenPipeline& build) const;
  // plan_join_ranks.cpp
  void exchange_join_sides(const JoinTask& task, OpenPipeline& probe, OpenPipeline& build);
  // plan_join_tracked.cpp
  OpenPipeline read_matches(const JoinTask& task, OpenPipeline probe, const OpenPipeline& build, int build_id);
  OpenPipeline add_unmatched(const JoinTask& task, OpenPipeline pairs, const OpenPipeline& build, int build_id);
  OpenPipeline finish_join(const JoinTask& task, OpenPipeline probe, const OpenPipeline& build, int build_id,
                           const JoinKeys& keys);
  OpenPipeline scan_build(const OpenPipeline& build, int build_id, BuildScan::Which which, const ColumnSet& columns);

  // plan_aggregate.cpp
  bool use_build_row_layout(const LogicalNode& node, OpenPipeline& open, AggregateLayout& layout);
  void use_key_layout(const LogicalNode& node, OpenPipeline& open, AggregateLayout& layout);
  // The output of a closed aggregation: key columns of a build or key parts, then states.
  OpenPipeline read_groups(const LogicalNode& node, int id, const OpenPipeline& from, const AggregateLayout& layout);
  // plan_aggregate_ranks.cpp: partial groups of every rank, brought together and aggregated again.
  // The slots of partial groups to send: interned keys become their text, which means the same everywhere.
  std::vector<int> sendable_groups(OpenPipeline& partial, const AggregateLayout& layout);
  OpenPipeline exchange_groups(OpenPipeline partial, const std::vector<int>& slots, const std::vector<KeyPart>& parts,
                               bool gather);
  OpenPipeline merge_over_ranks(const LogicalNode& node, OpenPipeline partial, AggregateLayout& layout);
  void finish_groups(const LogicalNode& node, OpenPipeline& open, const AggregateLayout& layout);

  // plan_output.cpp
  OpenPipeline sort_rows(OpenPipeline open, const std::vector<SortKey>& keys, std::optional<std::int64_t> limit,
                         std::int64_t offset, const ColumnSet& required);
  void keep_rank_zero(OpenPipeline& open);
  OpenPipeline exchange_rows(OpenPipeline open, Exchange exchange, const ColumnSet& columns);
  OpenPipeline gather_to_rank_zero(OpenPipeline open, const ColumnSet& columns);
  PlannedQuery take_plan();

  // A part of the plan that several nodes read, once it is planned.
  struct SharedOutput {
    int pipeline = -1;
    OpenPipeline from;
  };

  // Shared by the visits.
  void add_filter(OpenPipeline& open, Node predicate, std::string text, double selectivity);
  void add_conjunct(OpenPipeline& open, const Expression& conjunct);
  static Node lower_condition(OpenPipeline& open, const Expression& condition);
  void compute(OpenPipeline& open, ColumnId column, const Lowered& value);
  int add_value_slot(OpenPipeline& open, const std::string& name, const DataType& type, const Lowered& value);
  int dictionary_index(const std::shared_ptr<const Dictionary>& dictionary);
  int close(OpenPipeline& open, Sink sink);
  // A pipeline that reads `columns` of the closed pipeline `id`; output column i of it is columns[i].
  OpenPipeline read_output(int id, const OpenPipeline& from, const std::vector<ColumnId>& columns);
  std::vector<int> slots_of(const OpenPipeline& open, const std::vector<ColumnId>& columns) const;
  double row_bytes(const OpenPipeline& open, const ColumnSet& columns) const;
  const std::string& column_name(ColumnId column) const;
  int ranks() const { return options_.topology.ranks; }

  const LogicalPlan& logical_;
  const PlannerOptions& options_;
  Cardinality cardinality_;
  Plan plan_;
  std::map<int, SharedOutput> shared_outputs_;  // by number in LogicalPlan::shared
  std::vector<std::shared_ptr<const Dictionary>> dictionaries_;
  std::map<std::uint64_t, DictionaryReference> dictionary_sources_;  // by identity: columns that hold a dictionary
  // Of a probe with a unique build in the open pipeline: what an aggregation by build row needs (by build pipeline).
  struct UniqueProbe {
    ColumnId probe_key, build_key;
    std::vector<ColumnId> payload;  // payload column > column
  };
  std::map<int, UniqueProbe> unique_probes_;
  Reducers reducers_;  // of the node that is visited next
};

}  // namespace saccade::physical
