// A backend turns one pipeline into work on its device and hands back the pipeline's output.
//
// One backend object serves one rank; run() is called by one thread at a time, pipeline after pipeline. A backend knows nothing
// of ranks beyond which share of a table it scans: for Sort, Exchange, Result and Insert sinks it only has to collect (and for
// Sort, order) rows; the runner (runner.hpp) exchanges them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catalog/table.hpp"
#include "data/row_set.hpp"
#include "execution/assumption.hpp"
#include "execution/query_context.hpp"
#include "physical/physical_plan.hpp"

namespace saccade {

// What a pipeline left behind: rows, groups or a join build; lives until the query ends. Backends derive their own.
class PipelineOutput {
 public:
  virtual ~PipelineOutput() = default;
  // The rows as physical::output_slots describes them, on the host. XX000 for a join build, which only its own backend reads.
  virtual const RowSet& host_rows() = 0;
};

// Rows on the host: the output of the CPU's collecting sinks and of every exchange.
class HostRows : public PipelineOutput {
 public:
  explicit HostRows(RowSet rows) : rows_(std::move(rows)) {}
  const RowSet& host_rows() override { return rows_; }

 private:
  RowSet rows_;
};

// What a pipeline runs on, on one rank.
struct RunState {
  const physical::Plan& plan;
  QueryContext& query;
  int rank = 0;
  int ranks = 1;
  // By pipeline: outputs of the earlier ones. A device pipeline may read the output of a host pipeline (through host_rows) and
  // the other way round.
  std::vector<std::shared_ptr<PipelineOutput>> outputs;
  // The table of a TableScan, already opened, prepared and checked against the plan.
  std::function<std::shared_ptr<Table>(const physical::TableScan&)> table;
  // Of Plan::dictionaries those that kDictionaryText nodes name; others may be null.
  std::vector<std::shared_ptr<const Dictionary>> dictionaries = {};
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;  // "cpu", "gpu 0", "gpu-shim"
  // Runs `pipeline`, fills `profile` (all but its exchange) and returns the output. Exchange and Insert sinks collect their
  // `output` slots; an Exchange with keys appends the key parts as further int64 columns. Errors: any SQL error;
  // AssumptionFailed.
  virtual std::shared_ptr<PipelineOutput> run(const physical::Pipeline& pipeline, RunState& state,
                                              PipelineProfile& profile) = 0;
};

}  // namespace saccade
