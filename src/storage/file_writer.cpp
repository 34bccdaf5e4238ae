#include "storage/file_writer.hpp"

#include <utility>

#include "storage/arrow/batch_writer.hpp"
#include "storage/csv/csv_writer.hpp"

namespace saccade {

std::unique_ptr<FileWriter> make_file_writer(const std::string& path, std::vector<WriteColumn> columns,
                                             const WriteOptions& options, MemoryPool& pool) {
  if (options.format == FileFormat::kCsv) return make_csv_writer(path, std::move(columns), options.csv, pool);
  return make_batch_writer(path, std::move(columns), options, pool);
}

}  // namespace saccade
