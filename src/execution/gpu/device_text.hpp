// The complete text of a kernel: the device words and scalar functions it includes are put in their place, so that a compiler
// needs no files, and a cache that knows the text knows all that decides on the kernel. Pure functions, callable from any
// thread.
#pragma once

#include <string>
#include <string_view>

namespace saccade::gpu {

// `text` with its includes of embedded files replaced by their text, each once. Errors: XX000 for an unknown file.
std::string with_includes(std::string_view text);

// A kernel that is to be launched with `block_threads` threads a block.
std::string complete_source(std::string_view text, int block_threads);

// The text of one embedded file, by the name it is included by. Errors: XX000.
std::string_view embedded_text(std::string_view name);

}  // namespace saccade::gpu
