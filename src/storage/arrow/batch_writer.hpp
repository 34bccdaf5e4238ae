// Rows as a Parquet file (one row group a batch) or as an Arrow IPC file (one record batch).
#pragma once

#include <memory>

#include "storage/file_writer.hpp"

namespace saccade {

// Errors: see make_file_writer().
std::unique_ptr<FileWriter> make_batch_writer(const std::string& path, std::vector<WriteColumn> columns,
                                              const WriteOptions& options, MemoryPool& pool);

}  // namespace saccade
