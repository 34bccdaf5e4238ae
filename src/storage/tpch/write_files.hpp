// Tables of TPC-H as files, one a table, made by many threads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/tpch/schema.hpp"

namespace saccade::tpch {

enum class FileFormat : std::uint8_t { kTbl, kCsv, kParquet };
std::string_view extension(FileFormat format);  // "tbl", "csv", "parquet"
// Errors: 22023, which names the formats.
FileFormat parse_format(std::string_view text);

struct FileRequest {
  Scale scale{1};
  std::string directory;  // made where it is missing
  FileFormat format = FileFormat::kParquet;
  std::vector<TableId> tables;
  int threads = 0;  // 0: one per core
  // Called now and then, by one thread at a time, with the share of the work that is done, 0 .. 1. May throw to end the work.
  std::function<void(double)> progress;
};

// Writes DIRECTORY/TABLE.FORMAT for each table; a file that exists is replaced once its successor is complete.
// Errors: 53100 (disk full), 58030, 58P01, 53200; files that are complete then stay, no others.
void write_files(const FileRequest& request);

}  // namespace saccade::tpch
