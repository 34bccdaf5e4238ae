// The planner's state while it walks a logical plan. One visit method a node kind; planner.cpp has the walk, plan_join.cpp,
// plan_aggregate.cpp and plan_output.cpp the larger visits.
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

class PlanBuilder {
 public:
  PlanBuilder(const LogicalPlan& logical, const PlannerOptions& options);

  PlannedQuery build_query();
  PlannedQuery build_insert(const std::string& table);

 private:
  // `required`: the columns that the node's parent reads.
  OpenPipeline visit(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline visit_scan(const LogicalNode& node);
  OpenPipeline visit_filter(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline visit_project(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline visit_join(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline visit_aggregate(const LogicalNode& node);
  OpenPipeline visit_sort(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline visit_limit(const LogicalNode& node, const ColumnSet& required);
  OpenPipeline visit_shared(const LogicalNode& node);  // plan_shared.cpp

  // plan_join.cpp
  struct JoinKey {
    Expression probe, build;
  };
  struct JoinKeys {
    std::vector<Node> probe, build;  // key parts
    std::vector<OptionalBounds> build_bounds;
    std::vector<ColumnId> probe_columns, build_columns;  // -1 where a key is no plain column
  };
  JoinKeys lower_join_keys(const std::vector<JoinKey>& keys, OpenPipeline& probe, OpenPipeline& build);
  void exchange_join_sides(const LogicalNode& node, const std::vector<JoinKey>& keys, const ColumnSet& needed,
                           OpenPipeline& probe, OpenPipeline& build);
  JoinBuild make_join_build(const JoinKeys& keys, const OpenPipeline& build) const;
  void add_probe(OpenPipeline& probe, const OpenPipeline& build, int build_id, const JoinKeys& keys, const ColumnSet& needed,
                 bool unique, const std::string& text);

  // plan_aggregate.cpp
  bool use_build_row_layout(const LogicalNode& node, OpenPipeline& open, AggregateLayout& layout);
  void use_key_layout(const LogicalNode& node, OpenPipeline& open, AggregateLayout& layout);
  // The output of a closed aggregation: key columns of a build or key parts, then states.
  OpenPipeline read_groups(const LogicalNode& node, int id, const OpenPipeline& from, const AggregateLayout& layout);
  // plan_aggregate_ranks.cpp: partial groups of every rank, brought together and aggregated again.
  OpenPipeline exchange_groups(OpenPipeline partial, const std::vector<KeyPart>& parts, bool gather);
  OpenPipeline merge_over_ranks(const LogicalNode& node, OpenPipeline partial, AggregateLayout& layout);
  void finish_groups(const LogicalNode& node, OpenPipeline& open, const AggregateLayout& layout);

  // plan_output.cpp
  OpenPipeline sort_rows(OpenPipeline open, const std::vector<SortKey>& keys, std::optional<std::int64_t> limit,
                         std::int64_t offset, const ColumnSet& required);
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
};

}  // namespace saccade::physical
