// The hot loops of the CPU backend, compiled once for each instruction set (baseline, AVX2, AVX-512) and chosen at run time.
//
// Kernels are pure loops over plain arrays: they allocate nothing, throw nothing and know no plan. Arrays may be unaligned;
// outputs must not overlap inputs. A validity array holds one byte a row (1: not null); a null pointer means no nulls.
// `rows` arrays choose rows of an input; a null pointer means rows 0 .. n-1. Every thread may call every kernel.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/int128.hpp"
#include "function/registry.hpp"

namespace saccade::cpu {

// One argument of a function loop: an array, or one value for all rows.
struct Operand {
  const void* values = nullptr;
  bool constant = false;
};

// Evaluates a scalar function for n rows into `out`. A function that can fail skips rows that are not valid; `error` is set
// where a row fails.
using FunctionLoop = void (*)(const Operand* arguments, const std::uint8_t* valid, void* out, std::int64_t n,
                              FunctionError& error);

inline constexpr std::size_t kFunctionCount = 0
#define SACCADE_SCALAR_1(name, result, can_fail, a) +1
#define SACCADE_SCALAR_2(name, result, can_fail, a, b) +1
#define SACCADE_SCALAR_3(name, result, can_fail, a, b, c) +1
#include "function/scalar/functions.inc"
#undef SACCADE_SCALAR_1
#undef SACCADE_SCALAR_2
#undef SACCADE_SCALAR_3
    ;

using FunctionTable = std::array<FunctionLoop, kFunctionCount>;

// Unsigned codes that a predicate lets through: low <= code <= low + extent, or the opposite of it.
struct CodeRange {
  std::uint64_t low = 0;
  std::uint64_t extent = 0;
  bool negated = false;
};

// 64 keys of a dense join build: which are there, and the number of keys before them.
struct DenseWord {
  std::uint64_t bits = 0;
  std::int64_t before = 0;
};

// A hash's bit in the Bloom filter of a join build.
inline constexpr int kFilterShift = 16;

// Indexed by width: 0: 1 byte, 1: 2 bytes, 2: 4 bytes, 3: 8 bytes.
inline constexpr int width_index(int width) {
  return width == 1 ? 0 : width == 2 ? 1 : width == 4 ? 2 : 3;
}

struct ScanKernels {
  // out[i] = base + in[rows[i]], unsigned codes of 1, 2 or 4 bytes, or int64.
  using Decode = void (*)(const void* in, const std::uint32_t* rows, std::int64_t base, std::int64_t* out, std::int64_t n);
  std::array<Decode, 4> decode;
  // Decodes the rows among 0 .. n - 1 whose mask byte is 1; for codes of 1, 2 or 4 bytes. Stores whole registers: `out`
  // has 64 bytes more than it needs. Null where the instruction set has nothing faster than decode().
  using DecodeMasked = void (*)(const void* in, const std::uint8_t* mask, std::int64_t base, std::int64_t* out, std::int64_t n);
  std::array<DecodeMasked, 3> decode_masked;
  // mask[i] &= in[rows[i]] lies in the range (on the codes' own width; 8 bytes: the bits of an int64 as unsigned).
  using RangeMask = void (*)(const void* in, const std::uint32_t* rows, CodeRange range, std::uint8_t* mask, std::int64_t n);
  std::array<RangeMask, 4> range_mask;
  // out[i] = bit begin + rows[i] of the bitmap.
  void (*expand_bits)(const std::uint64_t* bits, std::int64_t begin, const std::uint32_t* rows, std::uint8_t* out,
                      std::int64_t n);
  // a[i] &= b[i].
  void (*and_bytes)(std::uint8_t* a, const std::uint8_t* b, std::int64_t n);
  // How many bytes are 1; the others are 0.
  std::int64_t (*count_bytes)(const std::uint8_t* mask, std::int64_t n);
  // The rows whose mask byte is 1, ascending; returns how many. `rows` has room for n + 16.
  std::int64_t (*mask_to_rows)(const std::uint8_t* mask, std::int64_t n, std::uint32_t* rows);
};

struct VectorKernels {
  // out[i] = in[rows[i]], values of 1, 8 or 16 bytes.
  void (*gather1)(const void* in, const std::uint32_t* rows, void* out, std::int64_t n);
  void (*gather4)(const void* in, const std::uint32_t* rows, void* out, std::int64_t n);
  void (*gather8)(const void* in, const std::uint32_t* rows, void* out, std::int64_t n);
  void (*gather16)(const void* in, const std::uint32_t* rows, void* out, std::int64_t n);
  // The same with the row numbers of a join build.
  void (*gather1_far)(const void* in, const std::int64_t* rows, void* out, std::int64_t n);
  void (*gather8_far)(const void* in, const std::int64_t* rows, void* out, std::int64_t n);
  void (*gather16_far)(const void* in, const std::int64_t* rows, void* out, std::int64_t n);
  // Three-valued logic into (values, valid), which start as the first argument; a null `b_valid` means no nulls.
  void (*logical_and)(std::uint8_t* values, std::uint8_t* valid, const std::uint8_t* b, const std::uint8_t* b_valid,
                      std::int64_t n);
  void (*logical_or)(std::uint8_t* values, std::uint8_t* valid, const std::uint8_t* b, const std::uint8_t* b_valid,
                     std::int64_t n);
  void (*logical_not)(const std::uint8_t* in, std::uint8_t* out, std::int64_t n);
  // out[i] = table[in[i] - base]; where that lies outside of the table 0, and for a valid row the result is false.
  bool (*lookup_i64)(const std::int64_t* in, const std::uint8_t* valid, const std::int64_t* table, std::int64_t base,
                     std::int64_t size, void* out, std::int64_t n);
  bool (*lookup_boolean)(const std::int64_t* in, const std::uint8_t* valid, const std::int64_t* table, std::int64_t base,
                         std::int64_t size, void* out, std::int64_t n);
  // out[i] = condition[i] ? a[i] : out[i], values of 1, 8 or 16 bytes.
  void (*blend1)(const std::uint8_t* condition, const void* a, void* out, std::int64_t n);
  void (*blend8)(const std::uint8_t* condition, const void* a, void* out, std::int64_t n);
  void (*blend16)(const std::uint8_t* condition, const void* a, void* out, std::int64_t n);
  // The finished hash (function/hash.hpp) of each row's key parts.
  void (*hash)(const std::int64_t* const* parts, int part_count, std::uint64_t* out, std::int64_t n);
  // The positions whose hash may be in a Bloom filter of one bit a hash (join_table.hpp); returns how many.
  std::int64_t (*pass_filter)(const std::uint64_t* filter, std::uint64_t filter_mask, const std::uint64_t* hashes,
                              std::uint32_t* positions, std::int64_t n);
  // Fills `before` of all words; returns the number of keys.
  std::int64_t (*count_dense)(DenseWord* words, std::int64_t n);
  // The build rows of keys that are all there.
  void (*rank_dense)(const DenseWord* words, std::int64_t low, const std::int64_t* keys, std::int64_t* build_rows,
                     std::int64_t n);
  // Probes a dense build over keys low .. low + extent: the positions that match and their build rows; returns how many.
  // Both outputs have room for n + 16.
  std::int64_t (*probe_dense)(const DenseWord* words, std::int64_t low, std::uint64_t extent, const std::int64_t* keys,
                              std::uint32_t* positions, std::int64_t* build_rows, std::int64_t n);
};

struct AggregateKernels {
  // groups[i] += (part[i] - low) * stride; false where a part lies outside of low .. low + extent.
  bool (*add_group_part)(const std::int64_t* part, std::int64_t low, std::uint64_t extent, std::int64_t stride,
                         std::int64_t* groups, std::int64_t n);
  // states[groups[i]] takes values[i] up; null groups: states[0] takes all. Rows that are not valid are passed over.
  using Update = void (*)(void* states, const std::int64_t* groups, const void* values, const std::uint8_t* valid,
                          std::int64_t n);
  Update count;  // values are not read
  Update sum_i64, sum_i128_of_i64, sum_i128;
  Update min_i64, max_i64, min_i128, max_i128, min_f64, max_f64;
  // A finite sum of finite values that leaves the range of a double is reported.
  bool (*sum_f64)(void* states, const std::int64_t* groups, const void* values, const std::uint8_t* valid, std::int64_t n);
  // For few groups, 0 .. group_count - 1: counts and sums over kStateCopies state arrays, `copy_stride` apart, that may be used
  // in any way: their sum is the state.
  void (*count_few)(std::int64_t* states, std::int64_t copy_stride, std::int64_t group_count, const std::int64_t* groups,
                    const std::uint8_t* valid, std::int64_t n);
  void (*sum_few_i64)(std::int64_t* states, std::int64_t copy_stride, std::int64_t group_count, const std::int64_t* groups,
                      const std::int64_t* values, const std::uint8_t* valid, std::int64_t n);
};
inline constexpr int kStateCopies = 4;

struct Kernels {
  std::string_view name;  // "baseline", "avx2", "avx512"
  const FunctionTable& functions;
  ScanKernels scan;
  VectorKernels vector;
  AggregateKernels aggregate;
};

// The best set that this machine runs.
const Kernels& kernels();
// All sets that this machine runs, the best last: tests compare them.
std::vector<const Kernels*> supported_kernels();

}  // namespace saccade::cpu
