// The few verbs with which ranks talk. Implementations: in_process (threads), mpi (plug-in), nccl.
//
// Every rank calls the same verbs in the same order; one thread of a rank at a time. A verb returns on a rank when its own part
// is done. After abort() by any rank, every verb on every rank raises SQLSTATE 08006 with the message of the first abort; the
// next reset() (itself collective) makes the communicator usable again where the transport allows it. Of aborts at the same
// time one counts, the same on all ranks. A rank that resets, or is destroyed, while another waits for it in a verb aborts that
// one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace saccade {

class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual std::string name() const = 0;  // "in-process", "mpi", "nccl": for EXPLAIN and profiles

  // send[i] goes to rank i; returns what each rank sent here. Sizes before an all_to_all.
  virtual std::vector<std::int64_t> exchange_sizes(std::span<const std::int64_t> send) = 0;

  // send_bytes[i] bytes at send + send_offsets[i] go to rank i; receive likewise: straight to their final places.
  virtual void all_to_all(const std::byte* send, std::span<const std::int64_t> send_offsets,
                          std::span<const std::int64_t> send_bytes, std::byte* receive,
                          std::span<const std::int64_t> receive_offsets, std::span<const std::int64_t> receive_bytes) = 0;

  // `bytes` at `data` of `root` arrive at `data` of all.
  virtual void broadcast(std::byte* data, std::int64_t bytes, int root) = 0;

  // Each rank's `bytes` arrive at receive + offsets[rank] of every rank (bytes_of[rank] each).
  virtual void all_gather(const std::byte* send, std::int64_t bytes, std::byte* receive, std::span<const std::int64_t> offsets,
                          std::span<const std::int64_t> bytes_of) = 0;

  // As all_gather, on `root` only; elsewhere `receive` is null.
  virtual void gather(const std::byte* send, std::int64_t bytes, std::byte* receive, std::span<const std::int64_t> offsets,
                      std::span<const std::int64_t> bytes_of, int root) = 0;

  virtual void barrier() = 0;

  // Ends the running query on all ranks with `reason`. May be called by any thread, and more than once.
  virtual void abort(const std::string& reason) noexcept = 0;
  // Whether an abort is known here since the last reset(): cheap, any thread, for waits that no verb can end. A transport that
  // learns of it only inside a verb says false.
  virtual bool aborted() const noexcept { return false; }
  virtual void reset() = 0;
};

// Ranks as threads of this process: element r is rank r's. They share one state and outlive each other.
std::vector<std::unique_ptr<Communicator>> make_in_process_communicators(int ranks);

// Loads the MPI plug-in (libsaccade_mpi.so, in $SACCADE_PLUGIN_PATH or beside the binary) and joins the job that mpirun
// started. Null where this process was not started by mpirun or srun. To be destroyed by the same thread. A rank that is killed
// ends the job: mpirun stops the others and returns a non-zero code. Errors: 58000 where the plug-in or MPI can't be loaded.
std::unique_ptr<Communicator> make_mpi_communicator();

// NCCL between the GPUs of `host`'s ranks, bootstrapped over `host`. Host buffers are staged through device memory.
// Errors: 58000 where libnccl or a GPU is missing.
std::unique_ptr<Communicator> make_nccl_communicator(Communicator& host, int device);

}  // namespace saccade
