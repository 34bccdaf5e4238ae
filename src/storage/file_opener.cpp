#include "storage/file_opener.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>
#include <utility>

#include "catalog/file_call.hpp"
#include "common/error.hpp"
#include "storage/arrow/arrow_table.hpp"
#include "storage/csv/csv_table.hpp"
#include "storage/input_file.hpp"
#include "storage/parquet/parquet_table.hpp"

namespace saccade {
namespace {

bool ends_with(const std::string& path, std::string_view ending) {
  if (path.size() < ending.size()) return false;
  return std::equal(ending.begin(), ending.end(), path.end() - static_cast<std::ptrdiff_t>(ending.size()),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

// The function of a format where only a file is named.
std::string resolve(const std::string& function, const std::string& path) {
  if (function != "read_file") return function;
  if (ends_with(path, ".parquet")) return "read_parquet";
  if (ends_with(path, ".csv") || ends_with(path, ".tsv")) return "read_csv";
  if (ends_with(path, ".arrow") || ends_with(path, ".feather") || ends_with(path, ".ipc")) return "read_arrow";
  throw Error(sqlstate::kFeatureNotSupported, fmt::format("the format of file \"{}\" is not supported", path), 0,
              "Files that end in .parquet, .csv, .tsv, .arrow, .feather or .ipc can be read; for a file of another name write "
              "read_parquet('...'), read_csv('...') or read_arrow('...').");
}

class CachingFileOpener final : public FileOpener {
 public:
  CachingFileOpener(MemoryPool& pool, int threads) : pool_(pool), threads_(threads) {}

  std::shared_ptr<Table> open(const std::string& call, const std::string& path) override {
    FileCall parsed = FileCall::parse(call);
    parsed.function = resolve(parsed.function, path);
    const std::uint64_t version = files_version(path);
    const std::scoped_lock lock(mutex_);
    Opened& opened = tables_[{parsed.text(), path}];
    if (opened.files != version) opened = {version, nullptr, {}};
    std::shared_ptr<Table> table = opened.table.lock();
    if (table == nullptr) {
      table = open_anew(parsed, path, opened);
      opened.table = table;
    }
    return table;
  }

 private:
  struct Opened {
    std::uint64_t files = 0;                      // files_version() when it was opened
    std::shared_ptr<const ParquetLayout> layout;  // of Parquet files: kept
    std::weak_ptr<Table> table;                   // shared by what runs at the same time
  };

  std::shared_ptr<Table> open_anew(const FileCall& call, const std::string& path, Opened& opened) {
    if (call.function == "read_csv") return open_csv(path, call.text(), parse_csv_options(call), pool_, threads_);
    if (!call.options.empty()) {
      throw Error(sqlstate::kUndefinedFunction,
                  fmt::format("{} has no option \"{}\"", call.function, call.options.front().name));
    }
    if (call.function == "read_parquet") {
      if (opened.layout == nullptr) opened.layout = read_parquet_layout(path, pool_);
      return make_parquet_table(opened.layout, pool_, threads_);
    }
    if (call.function == "read_arrow") return open_arrow(path, call.text(), pool_, threads_);
    throw Error(sqlstate::kUndefinedFunction, fmt::format("function {} does not read files", call.function), 0,
                "Use read_parquet('...'), read_csv('...') or read_arrow('...').");
  }

  MemoryPool& pool_;
  int threads_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Opened> tables_;  // by call and path
};

}  // namespace

std::unique_ptr<FileOpener> make_file_opener(MemoryPool& pool, int threads) {
  return std::make_unique<CachingFileOpener>(pool, threads);
}

}  // namespace saccade
