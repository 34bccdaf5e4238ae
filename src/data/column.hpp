// Columns in memory: encoded, with statistics. A Column is an immutable view of one chunk of one column.
//
// The form and the width are fixed per column and table version; base and bounds may vary by chunk. Buffers are shared and
// immutable; columns may be read by any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "common/int128.hpp"
#include "data/data_type.hpp"
#include "data/dictionary.hpp"
#include "memory/buffer.hpp"

namespace saccade {

// kConstant:   no values are stored: each non-null value equals `base`; width 0.
// kNarrowed:   value = base + an unsigned integer of `width` 1, 2 or 4 bytes. Integers, dates, timestamps, numerics, booleans.
// kDictionary: an unsigned code of `width` 1, 2 or 4 bytes into a sorted dictionary. Text.
// kPlain:      the lane's own form: int64 (8 bytes), int128 (16 bytes), double (8 bytes). Text: an unsigned offset of 4 or 8
//              bytes to a length-prefixed string (data/text.hpp) in the chunk's heap; at nulls an offset to any string.
enum class Form : std::uint8_t { kConstant, kNarrowed, kDictionary, kPlain };

struct Encoding {
  Form form = Form::kPlain;
  std::uint8_t width = 8;  // bytes a value
  bool operator==(const Encoding&) const = default;
};

std::string to_string(const Encoding& encoding);  // "narrowed 2", "dictionary 1", "plain 8", "constant"

// Inclusive bounds over the non-null values of an integer lane (codes for text). Exact or wider, never narrower.
struct Bounds {
  int128 low = 0;
  int128 high = 0;
  bool operator==(const Bounds&) const = default;
};

// The narrowest encoding that holds every value within `bounds` of `type` (nothing known: plain).
Encoding choose_encoding(const DataType& type, const std::optional<Bounds>& bounds);

// The lane in which a column of `type` with these bounds is computed: a numeric is int64 where its bounds or its precision
// (at most 18) prove it.
Lane lane_of(const DataType& type, const std::optional<Bounds>& bounds = std::nullopt);

struct Column {
  DataType type;
  Lane lane = Lane::kInt64;
  Encoding encoding;
  std::int64_t base = 0;    // kConstant, kNarrowed
  std::int64_t length = 0;  // values
  const void* values = nullptr;
  const std::uint64_t* validity = nullptr;       // bit i % 64 of word i / 64 is 1 where value i is not null; null: no nulls
  std::shared_ptr<const Dictionary> dictionary;  // text that is not plain
  const std::byte* heap = nullptr;               // plain text
  std::optional<Bounds> bounds;                  // of this chunk
  std::shared_ptr<const Buffer> value_owner, validity_owner, heap_owner;

  bool valid(std::int64_t row) const { return validity == nullptr || (validity[row / 64] >> (row % 64) & 1) != 0; }
};

// Value `row` as int64 (integer lanes of at most 64 bits, booleans and codes) or int128 (any integer lane). Undefined at nulls.
std::int64_t int64_at(const Column& column, std::int64_t row);
int128 int128_at(const Column& column, std::int64_t row);

// The string of row `row` of a text column of any form. Undefined at nulls.
TextValue text_at(const Column& column, std::int64_t row);

// One row as an SQL value, text decoded. For printing and tests, not for loops.
struct Value;
Value value_at(const Column& column, std::int64_t row);

// Encodes plain lane values (int64, int128, double, or bytes for booleans; `validity` may be null). Raises XX001 with
// `what` in the message where a value lies outside of what (encoding, base) can hold. Bounds are computed.
Column encode_column(const DataType& type, Encoding encoding, std::int64_t base, const void* lane_values, Lane lane,
                     std::int64_t length, std::shared_ptr<const Buffer> validity, std::shared_ptr<const Dictionary> dictionary,
                     MemoryPool& pool, const std::string& what);

// SET verify = on: raises XX000 where the column breaks its invariants (lengths, codes within the dictionary, values within
// bounds, padding of the bitmap).
void verify_column(const Column& column);

}  // namespace saccade
