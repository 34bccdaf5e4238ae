// Fills 128-bit states with their identity.
#include "execution/gpu/device/values.cuh"

using namespace saccade;

struct FillWideArguments {
  u64* words;
  i64 count;  // states
  u64 low, high;
};

extern "C" __global__ void fill_wide(FillWideArguments a) {
  const i64 step = static_cast<i64>(gridDim.x) * kBlockThreads;
  for (i64 i = static_cast<i64>(blockIdx.x) * kBlockThreads + threadIdx.x; i < a.count; i += step) {
    a.words[2 * i] = a.low;
    a.words[2 * i + 1] = a.high;
  }
}
