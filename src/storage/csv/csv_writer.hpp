// Rows as CSV (RFC 4180) in the text forms of PostgreSQL's COPY: lines end in a line feed, NULL stands without quotes.
#pragma once

#include <memory>

#include "storage/file_writer.hpp"

namespace saccade {

// Errors: see make_file_writer().
std::unique_ptr<FileWriter> make_csv_writer(const std::string& path, std::vector<WriteColumn> columns,
                                            const CsvWriteOptions& options, MemoryPool& pool);

}  // namespace saccade
