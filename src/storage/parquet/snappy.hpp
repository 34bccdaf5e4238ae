// The Snappy block format (google/snappy, format_description.txt): pages of Parquet files are mostly compressed with it, and
// unpacking them is the largest part of a scan. Arrow's build of the reference library reaches half of this one's speed on the
// short copies that pages of 8-byte integers consist of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace saccade {

// The length that a block says it unpacks to; nothing where the block is too short to say.
std::optional<std::int64_t> snappy_length(std::span<const std::uint8_t> block);

// Unpacks a block into exactly `to.size()` bytes. False where the block is malformed or of another length; reads and writes
// nothing outside of the two spans.
bool unpack_snappy(std::span<const std::uint8_t> block, std::span<std::uint8_t> to);

}  // namespace saccade
