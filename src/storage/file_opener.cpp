#include "storage/file_opener.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>
#include <utility>

#include "catalog/file_call.hpp"
#include "common/error.hpp"
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
  if (function == "read_parquet") return function;
  if (function == "read_file" && ends_with(path, ".parquet")) return "read_parquet";
  if (function == "read_file") {
    throw Error(sqlstate::kFeatureNotSupported, fmt::format("the format of file \"{}\" is not supported", path), 0,
                "Files that end in .parquet can be read; for a Parquet file of another name write read_parquet('...').");
  }
  throw Error(sqlstate::kFeatureNotSupported, fmt::format("{} is not supported", function), 0, "Use read_parquet('...').");
}

class CachingFileOpener final : public FileOpener {
 public:
  CachingFileOpener(MemoryPool& pool, int threads) : pool_(pool), threads_(threads) {}

  std::shared_ptr<Table> open(const std::string& call, const std::string& path) override {
    FileCall parsed = FileCall::parse(call);
    parsed.function = resolve(parsed.function, path);
    if (!parsed.options.empty()) {
      throw Error(sqlstate::kUndefinedFunction,
                  fmt::format("{} has no option \"{}\"", parsed.function, parsed.options.front().name));
    }
    const std::uint64_t version = parquet_version(path);
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<Table>& table = tables_[{parsed.text(), path}];
    if (table == nullptr || table->version() != version) {
      table.reset();
      table = open_parquet(path, pool_, threads_);
    }
    return table;
  }

 private:
  MemoryPool& pool_;
  int threads_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<Table>> tables_;  // by call and path
};

}  // namespace

std::unique_ptr<FileOpener> make_file_opener(MemoryPool& pool, int threads) {
  return std::make_unique<CachingFileOpener>(pool, threads);
}

}  // namespace saccade
