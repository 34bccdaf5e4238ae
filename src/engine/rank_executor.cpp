#include "engine/rank_executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/backends.hpp"
#include "engine/rank_failure.hpp"
#include "execution/runner.hpp"
#include "physical/serialize.hpp"

namespace saccade {

RankExecutor::RankExecutor(std::unique_ptr<Communicator> communicator, Catalog& catalog, FileOpener& opener, MemoryPool& pool)
    : communicator_(std::move(communicator)), catalog_(catalog), opener_(opener), pool_(pool) {}

Backend& RankExecutor::backend(Device device, const Settings& settings) {
  std::unique_ptr<Backend>& backend = backends_[device];
  if (!backend) backend = make_backend(device, communicator_->rank(), settings);
  return *backend;
}

std::string RankExecutor::device_name(const Settings& settings) {
  return backend(settings.device, settings).name();
}

std::string RankExecutor::transport_name(const Settings& settings) const {
  return settings.device == Device::kGpu && nccl_ ? nccl_->name() : communicator_->name();
}

Communicator& RankExecutor::transport(const Settings& settings) {
  if (settings.device != Device::kGpu || communicator_->size() == 1) return *communicator_;
  if (!nccl_tried_) {
    nccl_tried_ = true;
    try {
      nccl_ = make_nccl_communicator(*communicator_, gpu_of_rank(communicator_->rank()));
    } catch (const Error& error) {
      // Raised on every rank alike: one lacks NCCL, or two share a GPU. EXPLAIN names the transport that is used instead.
      if (error.sqlstate() != sqlstate::kSystemError) throw;
    }
  }
  return nccl_ ? *nccl_ : *communicator_;
}

std::shared_ptr<Table> RankExecutor::find_table(const std::string& opener, const std::string& name) {
  if (!opener.empty()) return opener_.open(opener, name);
  std::shared_ptr<Table> table = catalog_.find(name);
  if (!table)
    throw Error(sqlstate::kUndefinedTable,
                fmt::format("relation \"{}\" does not exist on rank {}", name, communicator_->rank()));
  return table;
}

// Held while a plan runs, so that each file is opened, and its dictionaries read, once.
std::vector<std::shared_ptr<Table>> RankExecutor::open_files(const physical::Plan& plan) {
  std::vector<std::shared_ptr<Table>> tables;
  for (const physical::Pipeline& pipeline : plan.pipelines) {
    const auto* scan = std::get_if<physical::TableScan>(&pipeline.source);
    if (scan != nullptr && !scan->opener.empty()) tables.push_back(find_table(scan->opener, scan->table));
  }
  return tables;
}

std::shared_ptr<Table> RankExecutor::scan_table(const physical::TableScan& scan, MemoryPool& pool) {
  std::shared_ptr<Table> table = find_table(scan.opener, scan.table);
  if (table->version() != scan.version) {
    throw Error(sqlstate::kDataCorrupted,
                fmt::format("\"{}\" is not the same on rank {} as on rank 0, or was changed while it was read", scan.table,
                            communicator_->rank()),
                0, "All ranks must see the same files; run the statement again once nothing changes them.");
  }
  std::vector<int> columns;
  for (const physical::TableScan::ScanColumn& column : scan.columns) columns.push_back(column.column);
  table->prepare(columns, pool);
  for (const physical::TableScan::ScanColumn& column : scan.columns) {
    if (column.encoding.form == Form::kDictionary) table->demand_dictionary(column.column);
    const ColumnInfo& info = table->columns().at(static_cast<std::size_t>(column.column));
    SACCADE_CHECK(info.encoding == column.encoding && info.base == column.base);
  }
  return table;
}

std::vector<std::shared_ptr<const Dictionary>> RankExecutor::dictionaries(const physical::Plan& plan, MemoryPool& pool) {
  std::vector<std::shared_ptr<const Dictionary>> result;
  for (const physical::DictionaryReference& reference : plan.dictionaries) {
    std::shared_ptr<const Dictionary> dictionary;
    if (reference.column < 0) {
      dictionary = Dictionary::from_strings(reference.strings);
    } else {
      const std::shared_ptr<Table> table = find_table(reference.opener, reference.table);
      table->prepare(std::vector<int>{reference.column}, pool);
      table->demand_dictionary(reference.column);
      dictionary = table->columns().at(static_cast<std::size_t>(reference.column)).dictionary;
    }
    if (!dictionary || dictionary->identity() != reference.identity) {
      throw Error(sqlstate::kDataCorrupted, fmt::format("rank {} has another dictionary of a column of \"{}\" than rank 0",
                                                        communicator_->rank(), reference.table));
    }
    result.push_back(std::move(dictionary));
  }
  return result;
}

std::vector<std::shared_ptr<const Dictionary>> RankExecutor::text_dictionaries(const physical::Plan& plan,
                                                                               QueryContext& query) {
  const bool any = std::any_of(plan.pipelines.begin(), plan.pipelines.end(),
                               [](const physical::Pipeline& pipeline) { return !pipeline.text_dictionaries.empty(); });
  if (!any) return {};
  std::vector<std::shared_ptr<const Dictionary>> result = dictionaries(plan, pool_);
  for (const auto& dictionary : result) query.text->keep(dictionary);
  return result;
}

// No rank starts unless all hold the same plan.
void RankExecutor::compare_plans(const std::string& plan_text) {
  const int ranks = communicator_->size();
  if (ranks == 1) return;
  const auto hash = static_cast<std::int64_t>(physical::plan_hash(plan_text));
  const std::vector<std::int64_t> mine(static_cast<std::size_t>(ranks), hash);
  for (const std::int64_t other : communicator_->exchange_sizes(mine)) SACCADE_CHECK(other == hash);
}

RowSet RankExecutor::run_checked(const std::string& plan_text, const physical::Plan& plan, QueryContext& query,
                                 const RowTaker& table) {
  compare_plans(plan_text);
  const std::vector<std::shared_ptr<Table>> files = open_files(plan);
  RunState state{plan, query, communicator_->rank(), communicator_->size(), {}, {}};
  state.dictionaries = text_dictionaries(plan, query);
  state.table = [&](const physical::TableScan& scan) { return scan_table(scan, pool_); };
  const RankBackends backends{backend(query.settings.device, query.settings), backend(Device::kCpu, query.settings)};
  const std::shared_ptr<PipelineOutput> output = run_plan(state, backends, transport(query.settings));
  RowSet rows = output->host_rows();
  const auto* insert = std::get_if<physical::Insert>(&plan.pipelines.back().sink);
  if (insert != nullptr) {
    SACCADE_CHECK(table != nullptr);
    if (!insert->only_rank_zero || state.rank == 0) table(state.rank, std::move(rows));
    rows = RowSet{};
  }
  // A rank that is done must not report success while another fails.
  communicator_->barrier();
  return rows;
}

RowSet RankExecutor::run(const std::string& plan_text, const physical::Plan& plan, QueryContext& query, const RowTaker& table) {
  return or_abort([&] { return run_checked(plan_text, plan, query, table); });
}

std::shared_ptr<Table> RankExecutor::make_table(
    const std::function<std::shared_ptr<Table>(const MemoryTableBuilder::Agree&)>& make) {
  return or_abort([&] {
    std::shared_ptr<Table> table = make([this](std::vector<ColumnSummary> local) { return agree(std::move(local)); });
    communicator_->barrier();
    return table;
  });
}

std::int64_t RankExecutor::sum_over_ranks(std::int64_t number) {
  return or_abort([&] {
    const std::vector<std::int64_t> mine(static_cast<std::size_t>(communicator_->size()), number);
    std::int64_t sum = 0;
    for (const std::int64_t other : communicator_->exchange_sizes(mine)) sum += other;
    return sum;
  });
}

void RankExecutor::abort_command(const std::exception_ptr& failure) {
  Communicator& all = nccl_ ? *nccl_ : *communicator_;  // NCCL's aborts and resets the one below it as well
  all.abort(encode_failure(failure, communicator_->rank()));
  all.reset();
}

std::vector<ColumnSummary> RankExecutor::agree(std::vector<ColumnSummary> local) {
  static_assert(std::is_trivially_copyable_v<ColumnSummary>);
  const auto bytes = static_cast<std::int64_t>(local.size() * sizeof(ColumnSummary));
  const auto ranks = static_cast<std::size_t>(communicator_->size());
  std::vector<ColumnSummary> all(local.size() * ranks);
  std::vector<std::int64_t> offsets(ranks);
  const std::vector<std::int64_t> sizes(ranks, bytes);
  for (std::size_t i = 0; i < ranks; ++i) offsets[i] = static_cast<std::int64_t>(i) * bytes;
  communicator_->all_gather(reinterpret_cast<const std::byte*>(local.data()), bytes, reinterpret_cast<std::byte*>(all.data()),
                            offsets, sizes);
  for (std::size_t column = 0; column < local.size(); ++column) {
    local[column] = all[column];
    for (std::size_t rank = 1; rank < ranks; ++rank) local[column].append(all[rank * local.size() + column]);
  }
  return local;
}

}  // namespace saccade
