// What a kernel compiled for the host asks of the machine it runs on. Compiled into the binary and into every kernel, so no
// standard headers.
#pragma once

namespace saccade_shim {

// The thread that runs now; the machine changes it at every switch.
struct Place {
  unsigned thread = 0;
  unsigned threads = 0;
  unsigned block = 0;
  unsigned blocks = 0;
  void* machine = nullptr;
  unsigned long* shared = nullptr;  // the block's dynamic shared memory
};

struct Api {
  // Returns when all threads of the block have come.
  void (*barrier)(void* machine);
  // Returns the values that the 32 lanes brought, when all have come with the same `kind`; valid until the lane's next call.
  const unsigned long* (*collective)(void* machine, unsigned kind, unsigned mask, unsigned long value);
  // Lets other threads run, now and then.
  void (*preempt)(void* machine);
};

enum Collective : unsigned { kShuffle = 1, kShuffleUp, kShuffleXor, kAny, kBallot, kSyncWarp };

}  // namespace saccade_shim
