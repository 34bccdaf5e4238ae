// One rank's part of a command: checks the plan against its own tables, runs it on its backends, keeps its part of new tables.
//
// Used by one thread at a time. All ranks run the same commands in the same order.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "catalog/catalog.hpp"
#include "exchange/communicator.hpp"
#include "execution/backend.hpp"
#include "storage/memory_table.hpp"

namespace saccade {

// Takes the rows that a rank inserts.
using RowTaker = std::function<void(int rank, RowSet rows)>;

class RankExecutor {
 public:
  RankExecutor(std::unique_ptr<Communicator> communicator, Catalog& catalog, FileOpener& opener, MemoryPool& pool);

  Communicator& communicator() { return *communicator_; }

  // Runs the plan. Returns rank 0's result rows; the rows of an Insert go to `table`. Collective;
  // on failure the other ranks are told, all make ready for the next command, and the error is rethrown.
  RowSet run(const std::string& plan_text, const physical::Plan& plan, QueryContext& query, const RowTaker& table);

  // The dictionaries of a plan, from this rank's tables. Errors: XX001 where they are not those the plan was made with.
  std::vector<std::shared_ptr<const Dictionary>> dictionaries(const physical::Plan& plan, MemoryPool& pool);

  // Where ranks are processes: `make` makes this process's part of a new table, with encodings and bounds agreed. Collective.
  std::shared_ptr<Table> make_table(const std::function<std::shared_ptr<Table>(const MemoryTableBuilder::Agree&)>& make);
  // The sum of all ranks' numbers. Collective.
  std::int64_t sum_over_ranks(std::int64_t number);

  // Runs this rank's part of a command; where it fails, the other ranks are told, all make ready for the next command, and the
  // error is rethrown. Collective where it fails.
  template <class Work>
  auto or_abort(const Work& work) {
    try {
      return work();
    } catch (...) {
      abort_command(std::current_exception());
      throw;
    }
  }

  // The device's and the transport's names as EXPLAIN prints them. Called by one rank alone: it names what is in use already.
  std::string device_name(const Settings& settings);
  std::string transport_name(const Settings& settings) const;

 private:
  RowSet run_checked(const std::string& plan_text, const physical::Plan& plan, QueryContext& query, const RowTaker& table);
  std::vector<ColumnSummary> agree(std::vector<ColumnSummary> local);
  void abort_command(const std::exception_ptr& failure);
  // What kDictionaryText nodes read, kept as long as the query's strings; empty where there are none.
  std::vector<std::shared_ptr<const Dictionary>> text_dictionaries(const physical::Plan& plan, QueryContext& query);
  void compare_plans(const std::string& plan_text);
  std::shared_ptr<Table> find_table(const std::string& opener, const std::string& name);
  std::vector<std::shared_ptr<Table>> open_files(const physical::Plan& plan);
  std::shared_ptr<Table> scan_table(const physical::TableScan& scan, MemoryPool& pool);
  Backend& backend(Device device, const Settings& settings);
  // What rows travel by: NCCL between GPUs where every rank has one of its own, else the ranks' own communicator. Collective.
  Communicator& transport(const Settings& settings);

  std::unique_ptr<Communicator> communicator_;
  std::unique_ptr<Communicator> nccl_;  // over communicator_
  bool nccl_tried_ = false;
  Catalog& catalog_;
  FileOpener& opener_;
  MemoryPool& pool_;
  std::map<Device, std::unique_ptr<Backend>> backends_;
};

}  // namespace saccade
