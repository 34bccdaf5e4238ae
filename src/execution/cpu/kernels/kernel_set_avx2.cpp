// Kernels for AVX2.
#if defined(__x86_64__)
#define SACCADE_KERNEL_TARGET 1
#include "execution/cpu/kernels/kernel_set.inc"
#endif
