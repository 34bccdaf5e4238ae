// Ranks as threads of one process: a verb publishes where a rank's data lies, waits for the others, and copies what it gets.
//
// Each verb meets twice: first when all have published (then each rank copies from the others' memory), then when all have
// copied (then the published memory may go away). An abort wakes every waiting rank; a rank leaves a verb only when nobody
// copies, since what it published dies with its caller's frame.
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <utility>

#include "common/error.hpp"
#include "exchange/communicator.hpp"

namespace saccade {
namespace {

enum class Verb { kExchangeSizes, kAllToAll, kBroadcast, kAllGather, kGather, kBarrier };

// What one rank brings to a verb. Pointers are into its caller's memory.
struct Offer {
  Verb verb = Verb::kBarrier;
  int root = 0;
  const std::byte* data = nullptr;
  std::int64_t bytes = 0;
  std::span<const std::int64_t> sizes = {}, offsets = {};
};

class Meeting {
 public:
  explicit Meeting(int ranks) : offers_(static_cast<std::size_t>(ranks)) {}

  int size() const { return static_cast<int>(offers_.size()); }

  // Runs one verb: `copy` sees all offers of the ranks and copies into the caller's memory.
  template <class Copy>
  void run(int rank, const Offer& offer, const Copy& copy) {
    {
      std::unique_lock lock(mutex_);
      if (resetting_ > 0) set_aborted("a rank left the query before the others");
      offers_[static_cast<std::size_t>(rank)] = offer;
      meet(lock, size());
    }
    std::exception_ptr failure;
    try {
      check_same_verb(offer);
      copy(std::as_const(offers_));
    } catch (const std::exception& error) {
      failure = std::current_exception();
      abort(error.what());
    }
    std::unique_lock lock(mutex_);
    if (--copying_ == 0) changed_.notify_all();
    if (failure) {
      leave(lock);
      std::rethrow_exception(failure);
    }
    meet(lock, 0);
  }

  void abort(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    set_aborted(reason);
  }

  bool aborted() {
    const std::lock_guard lock(mutex_);
    return aborted_;
  }

  void reset() {
    std::unique_lock lock(mutex_);
    if (arrived_ > 0) set_aborted("a rank left the query before the others");
    const std::uint64_t epoch = epoch_;
    if (++resetting_ == size()) {
      resetting_ = 0;
      arrived_ = 0;
      aborted_ = false;
      ++epoch_;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return epoch_ != epoch; });
  }

 private:
  void set_aborted(const std::string& reason) {
    if (aborted_) return;
    aborted_ = true;
    reason_ = reason;
    changed_.notify_all();
  }

  // Returns when all ranks are here; `copying` of them go on to copy. Counted by the last to arrive: a rank that is woken late
  // must be waited for as well. Errors: 08006 after an abort.
  void meet(std::unique_lock<std::mutex>& lock, int copying) {
    if (!aborted_) {
      const std::uint64_t generation = generation_;
      if (++arrived_ == size()) {
        arrived_ = 0;
        copying_ = copying;
        ++generation_;
        changed_.notify_all();
        return;
      }
      changed_.wait(lock, [&] { return generation_ != generation || aborted_; });
      if (generation_ != generation) return;
    }
    leave(lock);
    throw Error(sqlstate::kConnectionFailure, reason_);
  }

  // After an abort nobody starts to copy, except who had met before it: those are waited for.
  void leave(std::unique_lock<std::mutex>& lock) {
    changed_.wait(lock, [&] { return copying_ == 0; });
  }

  void check_same_verb(const Offer& mine) const {
    for (const Offer& other : offers_) SACCADE_CHECK(other.verb == mine.verb && other.root == mine.root);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Offer> offers_;  // written before a meeting, read between the two meetings of a verb
  int arrived_ = 0;
  int copying_ = 0;
  int resetting_ = 0;
  bool aborted_ = false;
  std::string reason_;  // of the first abort since the last reset
  std::uint64_t generation_ = 0;
  std::uint64_t epoch_ = 0;
};

void copy_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  if (bytes > 0) std::memmove(to, from, static_cast<std::size_t>(bytes));
}

class InProcessCommunicator : public Communicator {
 public:
  InProcessCommunicator(std::shared_ptr<Meeting> meeting, int rank) : meeting_(std::move(meeting)), rank_(rank) {}
  ~InProcessCommunicator() override { InProcessCommunicator::abort("rank " + std::to_string(rank_) + " has ended"); }

  int rank() const override { return rank_; }
  int size() const override { return meeting_->size(); }
  std::string name() const override { return "in-process"; }

  std::vector<std::int64_t> exchange_sizes(std::span<const std::int64_t> send) override {
    SACCADE_CHECK(send.size() == ranks());
    std::vector<std::int64_t> received(ranks());
    meeting_->run(rank_, {.verb = Verb::kExchangeSizes, .sizes = send}, [&](const std::vector<Offer>& offers) {
      for (std::size_t from = 0; from < ranks(); ++from) received[from] = offers[from].sizes[self()];
    });
    return received;
  }

  void all_to_all(const std::byte* send, std::span<const std::int64_t> send_offsets, std::span<const std::int64_t> send_bytes,
                  std::byte* receive, std::span<const std::int64_t> receive_offsets,
                  std::span<const std::int64_t> receive_bytes) override {
    SACCADE_CHECK(send_offsets.size() == ranks() && send_bytes.size() == ranks());
    SACCADE_CHECK(receive_offsets.size() == ranks() && receive_bytes.size() == ranks());
    const Offer offer{.verb = Verb::kAllToAll, .data = send, .sizes = send_bytes, .offsets = send_offsets};
    meeting_->run(rank_, offer, [&](const std::vector<Offer>& offers) {
      for (std::size_t from = 0; from < ranks(); ++from) {
        SACCADE_CHECK(offers[from].sizes[self()] == receive_bytes[from]);
        if (receive_bytes[from] == 0) continue;
        copy_bytes(receive + receive_offsets[from], offers[from].data + offers[from].offsets[self()], receive_bytes[from]);
      }
    });
  }

  void broadcast(std::byte* data, std::int64_t bytes, int root) override {
    SACCADE_CHECK(root >= 0 && root < size());
    meeting_->run(rank_, {.verb = Verb::kBroadcast, .root = root, .data = data, .bytes = bytes},
                  [&](const std::vector<Offer>& offers) {
                    const Offer& source = offers[static_cast<std::size_t>(root)];
                    SACCADE_CHECK(source.bytes == bytes);
                    if (rank_ != root) copy_bytes(data, source.data, bytes);
                  });
  }

  void all_gather(const std::byte* send, std::int64_t bytes, std::byte* receive, std::span<const std::int64_t> offsets,
                  std::span<const std::int64_t> bytes_of) override {
    SACCADE_CHECK(offsets.size() == ranks() && bytes_of.size() == ranks());
    meeting_->run(rank_, {.verb = Verb::kAllGather, .data = send, .bytes = bytes},
                  [&](const std::vector<Offer>& offers) { collect(offers, receive, offsets, bytes_of); });
  }

  void gather(const std::byte* send, std::int64_t bytes, std::byte* receive, std::span<const std::int64_t> offsets,
              std::span<const std::int64_t> bytes_of, int root) override {
    SACCADE_CHECK(offsets.size() == ranks() && bytes_of.size() == ranks());
    SACCADE_CHECK(root >= 0 && root < size());
    meeting_->run(rank_, {.verb = Verb::kGather, .root = root, .data = send, .bytes = bytes},
                  [&](const std::vector<Offer>& offers) {
                    if (rank_ == root) collect(offers, receive, offsets, bytes_of);
                  });
  }

  void barrier() override {
    meeting_->run(rank_, {.verb = Verb::kBarrier}, [](const std::vector<Offer>&) {});
  }

  void abort(const std::string& reason) noexcept override { meeting_->abort(reason); }
  bool aborted() const noexcept override { return meeting_->aborted(); }
  void reset() override { meeting_->reset(); }

 private:
  std::size_t ranks() const { return static_cast<std::size_t>(meeting_->size()); }
  std::size_t self() const { return static_cast<std::size_t>(rank_); }

  void collect(const std::vector<Offer>& offers, std::byte* receive, std::span<const std::int64_t> offsets,
               std::span<const std::int64_t> bytes_of) const {
    for (std::size_t from = 0; from < ranks(); ++from) {
      SACCADE_CHECK(offers[from].bytes == bytes_of[from]);
      if (bytes_of[from] > 0) copy_bytes(receive + offsets[from], offers[from].data, bytes_of[from]);
    }
  }

  std::shared_ptr<Meeting> meeting_;
  int rank_;
};

}  // namespace

std::vector<std::unique_ptr<Communicator>> make_in_process_communicators(int ranks) {
  SACCADE_CHECK(ranks >= 1);
  const auto meeting = std::make_shared<Meeting>(ranks);
  std::vector<std::unique_ptr<Communicator>> communicators;
  for (int rank = 0; rank < ranks; ++rank) communicators.push_back(std::make_unique<InProcessCommunicator>(meeting, rank));
  return communicators;
}

}  // namespace saccade
