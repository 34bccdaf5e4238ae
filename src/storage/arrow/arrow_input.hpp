// An InputFile as Arrow reads files. A read never asks for more memory than the file has bytes, whatever a damaged file says.
#pragma once

#include <arrow/io/interfaces.h>

#include <memory>

#include "storage/arrow/arrow_memory.hpp"
#include "storage/input_file.hpp"

namespace saccade {

// `pool`, counting what is read, must outlive the result. ReadAt is thread-safe.
std::shared_ptr<arrow::io::RandomAccessFile> make_arrow_input(std::shared_ptr<const InputFile> file, CountedArrowPool& pool);

}  // namespace saccade
