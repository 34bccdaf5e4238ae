// What a scalar function reports instead of throwing; shared by host and device, so no standard headers here.
#pragma once

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define SACCADE_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define SACCADE_HOST_DEVICE inline __attribute__((always_inline))
#endif

namespace saccade {

// 64- and 128-bit integers as both compilers know them (on Linux these are std::int64_t and common/int128's types).
using i64 = long;
using u64 = unsigned long;
using i128 = __int128;
using u128 = unsigned __int128;

// Ordered by nothing: any one of several errors may be reported.
enum class FunctionError : unsigned int {
  kNone = 0,
  kDivisionByZero,
  kSmallintOutOfRange,
  kIntegerOutOfRange,
  kBigintOutOfRange,
  kNumericOutOfRange,
  kFloatOutOfRange,
  kDateOutOfRange,
  kTimestampOutOfRange,
  kFloatUnderflow,
  kIntervalOutOfRange,
  kDateFieldOutOfRange,
  kTimeFieldOutOfRange,
  kRootOfNegative,
  kZeroToNegativePower,
  kNegativeToFraction,
  kLogarithmOfZero,
  kLogarithmOfNegative,
  kInputOutOfRange,
  kTimeZoneUnknown,
  kSeveralRows,
};

// Sets `error` to `code` where `failed`; a select, not a branch, so that loops over it vectorise.
SACCADE_HOST_DEVICE void report(FunctionError& error, bool failed, FunctionError code) {
  error = failed ? code : error;
}

}  // namespace saccade
