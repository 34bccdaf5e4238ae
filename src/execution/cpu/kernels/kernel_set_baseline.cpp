// Kernels for any x86-64 (or other) processor.
#define SACCADE_KERNEL_TARGET 0
#include "execution/cpu/kernels/kernel_set.inc"
