#include "execution/cpu/kernels/kernels.hpp"

namespace saccade::cpu {

namespace baseline {
extern const Kernels kKernels;
}
namespace avx2 {
extern const Kernels kKernels;
}
namespace avx512 {
extern const Kernels kKernels;
}

std::vector<const Kernels*> supported_kernels() {
  std::vector<const Kernels*> sets = {&baseline::kKernels};
#if defined(__x86_64__)
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                        __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt");
  if (has_avx2) sets.push_back(&avx2::kKernels);
  if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd")) {
    sets.push_back(&avx512::kKernels);
  }
#endif
  return sets;
}

const Kernels& kernels() {
  static const Kernels& best = *supported_kernels().back();
  return best;
}

}  // namespace saccade::cpu
