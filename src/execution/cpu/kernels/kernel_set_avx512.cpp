// Kernels for AVX-512.
#if defined(__x86_64__)
#define SACCADE_KERNEL_TARGET 2
#include "execution/cpu/kernels/kernel_set.inc"
#endif
