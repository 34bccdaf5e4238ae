// Results as Arrow record batches through the C Data Interface.
//
// What is exported owns its memory: it is counted in the pool until the importer calls release, and keeps `owner` alive.
#pragma once

#include <saccade/saccade.hpp>

#include <memory>
#include <string>
#include <vector>

#include "engine/result_column.hpp"

namespace saccade {

// A struct type of these fields.
void export_schema(const std::vector<std::string>& names, const std::vector<DataType>& types, ArrowSchema* out);

// Rows begin .. begin + rows - 1 of the columns as a struct array. Errors: 53200.
void export_rows(const std::vector<ResultLane>& columns, std::int64_t begin, std::int64_t rows, MemoryPool& pool,
                 const std::shared_ptr<void>& owner, ArrowArray* out);

// Texts, by row and column, as a struct array of `columns` text columns.
void export_texts(const std::vector<std::vector<std::string>>& cells, std::size_t columns, std::int64_t begin,
                  std::int64_t rows, MemoryPool& pool, const std::shared_ptr<void>& owner, ArrowArray* out);

}  // namespace saccade
