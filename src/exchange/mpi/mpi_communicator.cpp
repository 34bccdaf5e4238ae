// Ranks as processes that mpirun started. All transfers are non-blocking messages of at most kChunkBytes, watched by one
// polling loop, so that a failure elsewhere ends every wait.
//
// An abort is told to all ranks by a notice on a communicator of its own. Memory that MPI still reads or writes cannot be given
// back to a caller, so a verb that ends by an abort first *drains*: each rank tells each other how many messages it has sent it
// since the last reset, and each receives (and discards) what it had not received. A rank that is not in a verb drains at its
// next verb or reset. A rank that drains (by a reset, or because it ends) while another still waits for it aborts that one.
//
// Threads: one thread of a rank in a verb; abort from any. Every MPI call is made under one mutex (MPI_THREAD_SERIALIZED).
// A message is received only once it has arrived and its size is the expected one: Open MPI 4.1 writes behind a receive buffer
// that is too short.
//
// A failure of MPI itself leaves no safe way on: the job is ended with a message (MPI_Abort).
#define OMPI_SKIP_MPICXX 1
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "common/error.hpp"
#include "exchange/mpi/backoff.hpp"
#include "exchange/mpi/message_verbs.hpp"
#include "exchange/mpi/plugin.hpp"

namespace saccade {
namespace {

using Clock = std::chrono::steady_clock;
using Lock = std::unique_lock<std::mutex>;

constexpr std::int64_t kChunkBytes = 16 << 20;
constexpr int kDataTag = 1, kAbortTag = 2, kDrainTag = 3;
constexpr std::chrono::seconds kPatienceAtTheEnd{10};

// What ranks tell each other about an abort.
struct Notice {
  std::int64_t epoch = 0;     // resets so far: a notice of an earlier epoch is stale
  std::int64_t messages = 0;  // kDrainTag: data messages from the sender to the receiver in this epoch
  std::int64_t sender = 0;
  std::int64_t origin = -1;  // the rank whose abort the sender knows of; -1: none
  char reason[480] = "";
};

// A message under way.
struct Message {
  enum class Kind { kSend, kReceive, kNotice };
  Kind kind = Kind::kSend;
  int peer = 0;
  std::unique_ptr<Notice> notice;  // kNotice
};

// A message that a rank is to get, and where.
struct Expected {
  std::byte* data;
  std::int64_t bytes;
};

class MpiCommunicator : public MessageVerbs {
 public:
  MpiCommunicator();
  ~MpiCommunicator() override;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string name() const override { return "mpi"; }

  void abort(const std::string& reason) noexcept override;
  void reset() override;

 private:
  void check(int code, const char* call) const;
  [[noreturn]] void end_job(const std::string& reason) const;

  void run(const std::function<void()>& post) override;
  template <class Step>
  void poll(Lock& lock, const Step& done);
  void post_send(int peer, const std::byte* data, std::int64_t bytes) override;
  void expect(int peer, std::byte* data, std::int64_t bytes) override;
  std::int64_t arrived(int peer) const;
  void receive(int peer, std::byte* data, std::int64_t bytes);
  void receive_expected();
  MPI_Request& track(Message message);
  void progress();
  bool complete() const;
  bool receiving() const;
  bool open_with(int peer) const;

  void abort_locked(const std::string& reason);
  void learn(const Notice& notice);
  void send_notice(int peer, int tag, std::int64_t messages);
  bool next_notice(int tag, Notice& notice);
  void hear_drains();
  void abort_if_left();
  [[noreturn]] void raise_abort(Lock& lock);
  void drain(Lock& lock);
  bool discard();
  void meet_all(Lock& lock, bool leaving);

  int rank_ = 0, size_ = 1;
  MPI_Comm data_ = MPI_COMM_NULL, control_ = MPI_COMM_NULL;

  std::mutex mutex_;  // guards all below, and MPI
  std::vector<MPI_Request> requests_;
  std::vector<Message> messages_;               // of requests_
  std::vector<std::deque<Expected>> expected_;  // by rank, in the order in which it sends
  bool moved_ = false;                          // a message was completed since the last pause
  std::vector<std::int64_t> sent_, received_;   // data messages to and from each rank since the last reset
  std::vector<std::optional<Notice>> drains_;   // by rank: its notice of this epoch's drain
  std::vector<std::byte> discarded_;            // where a message goes that nobody wants
  std::int64_t epoch_ = 0;
  bool aborted_ = false, drained_ = false;
  bool ended_ = false;  // a rank has left for good: only an error and the end are possible
  std::int64_t origin_ = -1;
  std::string reason_;
  Clock::time_point deadline_ = Clock::time_point::max();
};

MpiCommunicator::MpiCommunicator() {
  int provided = MPI_THREAD_SINGLE;
  check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
  if (provided < MPI_THREAD_SERIALIZED) throw Error(sqlstate::kSystemError, "this MPI does not support threads");
  check(MPI_Comm_dup(MPI_COMM_WORLD, &data_), "MPI_Comm_dup");
  check(MPI_Comm_dup(MPI_COMM_WORLD, &control_), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(data_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_set_errhandler(control_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(data_, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(data_, &size_), "MPI_Comm_size");
  sent_.assign(ranks(), 0);
  received_.assign(ranks(), 0);
  drains_.resize(ranks());
  expected_.resize(ranks());
}

// Ends the waits of ranks that still count on this one, and takes part in their drain, before it leaves.
MpiCommunicator::~MpiCommunicator() {
  Lock lock(mutex_);
  deadline_ = Clock::now() + kPatienceAtTheEnd;
  if (!ended_) {
    drain(lock);
    meet_all(lock, true);
  }
  Notice stale;
  while (next_notice(kAbortTag, stale)) continue;
  MPI_Comm_free(&data_);
  MPI_Comm_free(&control_);
  MPI_Finalize();
}

void MpiCommunicator::check(int code, const char* call) const {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  end_job(fmt::format("{} failed: {}", call, text));
}

void MpiCommunicator::end_job(const std::string& reason) const {
  std::fprintf(stderr, "saccade: rank %d ends the job: %s\n", rank_, reason.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();  // not reached
}

// Returns when all messages are complete, whatever came after them.
void MpiCommunicator::run(const std::function<void()>& post) {
  Lock lock(mutex_);
  if (aborted_) raise_abort(lock);
  post();
  poll(lock, [&] {
    Notice abort_notice;
    const bool heard = next_notice(kAbortTag, abort_notice) && abort_notice.epoch == epoch_;
    hear_drains();
    receive_expected();
    progress();
    const bool done = complete() && !aborted_;
    if (heard) learn(abort_notice);
    if (done) return true;
    abort_if_left();
    if (aborted_) raise_abort(lock);
    return false;
  });
}

// Calls `done` until it is true; the mutex is free during the pauses, for an abort by another thread.
template <class Step>
void MpiCommunicator::poll(Lock& lock, const Step& done) {
  Backoff backoff;
  while (!done()) {
    if (Clock::now() > deadline_) end_job("the other ranks did not end");
    const bool moved = std::exchange(moved_, false);
    lock.unlock();
    backoff.wait(moved);
    lock.lock();
  }
}

MPI_Request& MpiCommunicator::track(Message message) {
  messages_.push_back(std::move(message));
  return requests_.emplace_back(MPI_REQUEST_NULL);
}

void MpiCommunicator::post_send(int peer, const std::byte* data, std::int64_t bytes) {
  for (std::int64_t begin = 0; begin < bytes; begin += kChunkBytes) {
    const std::int64_t count = std::min(kChunkBytes, bytes - begin);
    MPI_Request& request = track({Message::Kind::kSend, peer, nullptr});
    check(MPI_Isend(data + begin, static_cast<int>(count), MPI_BYTE, peer, kDataTag, data_, &request), "MPI_Isend");
    ++sent_[static_cast<std::size_t>(peer)];
  }
}

void MpiCommunicator::expect(int peer, std::byte* data, std::int64_t bytes) {
  for (std::int64_t begin = 0; begin < bytes; begin += kChunkBytes) {
    expected_[static_cast<std::size_t>(peer)].push_back({data + begin, std::min(kChunkBytes, bytes - begin)});
  }
}

// The size of the next data message from `peer`, -1 where none has arrived.
std::int64_t MpiCommunicator::arrived(int peer) const {
  int there = 0, bytes = 0;
  MPI_Status status;
  check(MPI_Iprobe(peer, kDataTag, data_, &there, &status), "MPI_Iprobe");
  if (there == 0) return -1;
  check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
  return bytes;
}

void MpiCommunicator::receive(int peer, std::byte* data, std::int64_t bytes) {
  MPI_Request& request = track({Message::Kind::kReceive, peer, nullptr});
  check(MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, peer, kDataTag, data_, &request), "MPI_Irecv");
  ++received_[static_cast<std::size_t>(peer)];
}

// Starts to receive what is expected and has arrived.
void MpiCommunicator::receive_expected() {
  for (int peer = 0; peer < size_; ++peer) {
    std::deque<Expected>& queue = expected_[static_cast<std::size_t>(peer)];
    while (!queue.empty()) {
      const std::int64_t bytes = arrived(peer);
      if (bytes < 0) break;
      if (bytes != queue.front().bytes) {
        return abort_locked(fmt::format("internal error: rank {} got {} bytes where it expected {} from rank {}", rank_, bytes,
                                        queue.front().bytes, peer));
      }
      receive(peer, queue.front().data, bytes);
      queue.pop_front();
    }
  }
}

bool MpiCommunicator::complete() const {
  return requests_.empty() &&
         std::all_of(expected_.begin(), expected_.end(), [](const std::deque<Expected>& queue) { return queue.empty(); });
}

// Forgets what is complete, and lets MPI move the rest.
void MpiCommunicator::progress() {
  if (requests_.empty()) return;
  int done = 0;
  std::vector<int> indices(requests_.size());
  check(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &done, indices.data(), MPI_STATUSES_IGNORE),
        "MPI_Testsome");
  if (done <= 0) return;
  moved_ = true;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    requests_[kept] = requests_[i];
    messages_[kept++] = std::move(messages_[i]);
  }
  requests_.resize(kept);
  messages_.resize(kept);
}

bool MpiCommunicator::receiving() const {
  return std::any_of(messages_.begin(), messages_.end(),
                     [](const Message& message) { return message.kind == Message::Kind::kReceive; });
}

void MpiCommunicator::abort(const std::string& reason) noexcept {
  const Lock lock(mutex_);
  abort_locked(reason);
}

void MpiCommunicator::abort_locked(const std::string& reason) {
  if (aborted_) return;
  aborted_ = true;
  origin_ = rank_;
  reason_ = reason.substr(0, sizeof Notice{}.reason - 1);  // the same text on all ranks
  for (int peer = 0; peer < size_; ++peer) {
    if (peer != rank_) send_notice(peer, kAbortTag, 0);
  }
}

// Of several aborts at a time, all ranks name the one of the lowest rank.
void MpiCommunicator::learn(const Notice& notice) {
  aborted_ = true;
  if (notice.origin < 0 || (origin_ >= 0 && origin_ <= notice.origin)) return;
  origin_ = notice.origin;
  reason_.assign(notice.reason, strnlen(notice.reason, sizeof notice.reason));
}

void MpiCommunicator::send_notice(int peer, int tag, std::int64_t messages) {
  auto notice = std::make_unique<Notice>(Notice{.epoch = epoch_, .messages = messages, .sender = rank_, .origin = origin_});
  std::memcpy(notice->reason, reason_.data(), std::min(reason_.size(), sizeof notice->reason - 1));
  Notice* data = notice.get();
  MPI_Request& request = track({Message::Kind::kNotice, peer, std::move(notice)});
  check(MPI_Isend(data, sizeof(Notice), MPI_BYTE, peer, tag, control_, &request), "MPI_Isend");
}

// The next notice that has arrived, if any. Small messages arrive whole: this does not wait.
bool MpiCommunicator::next_notice(int tag, Notice& notice) {
  int there = 0;
  MPI_Status status;
  check(MPI_Iprobe(MPI_ANY_SOURCE, tag, control_, &there, &status), "MPI_Iprobe");
  if (there == 0) return false;
  check(MPI_Recv(&notice, sizeof(Notice), MPI_BYTE, status.MPI_SOURCE, tag, control_, MPI_STATUS_IGNORE), "MPI_Recv");
  return true;
}

void MpiCommunicator::hear_drains() {
  Notice notice;
  while (next_notice(kDrainTag, notice)) drains_[static_cast<std::size_t>(notice.sender)] = notice;
}

// A rank that drains has completed its part of all messages that it took part in: what is still open with it stays open.
void MpiCommunicator::abort_if_left() {
  for (int peer = 0; peer < size_; ++peer) {
    const std::optional<Notice>& drain = drains_[static_cast<std::size_t>(peer)];
    if (!drain || !open_with(peer)) continue;
    if (drain->origin >= 0) return learn(*drain);
    return abort_locked(fmt::format("rank {} left the query before the others", peer));
  }
}

bool MpiCommunicator::open_with(int peer) const {
  return !expected_[static_cast<std::size_t>(peer)].empty() ||
         std::any_of(messages_.begin(), messages_.end(),
                     [&](const Message& message) { return message.peer == peer && message.kind != Message::Kind::kNotice; });
}

void MpiCommunicator::raise_abort(Lock& lock) {
  drain(lock);
  throw Error(sqlstate::kConnectionFailure, reason_);
}

// Collective: afterwards no message is under way between any two ranks, and all ranks know the same reason.
void MpiCommunicator::drain(Lock& lock) {
  if (drained_) return;
  aborted_ = true;
  for (std::deque<Expected>& queue : expected_) queue.clear();
  for (int peer = 0; peer < size_; ++peer) {
    if (peer != rank_) send_notice(peer, kDrainTag, sent_[static_cast<std::size_t>(peer)]);
  }
  poll(lock, [&] {
    progress();
    hear_drains();
    return discard() && requests_.empty();
  });
  for (const std::optional<Notice>& notice : drains_) {
    if (notice && notice->origin >= 0) learn(*notice);
  }
  drained_ = true;
  std::fill(sent_.begin(), sent_.end(), 0);
  std::fill(received_.begin(), received_.end(), 0);
}

// Receives what nobody waits for any more, a message at a time. True when all that was sent has been received.
bool MpiCommunicator::discard() {
  if (receiving()) return false;
  bool all = true;
  for (int peer = 0; peer < size_; ++peer) {
    const auto from = static_cast<std::size_t>(peer);
    if (peer == rank_ || (drains_[from] && drains_[from]->messages == received_[from])) continue;
    all = false;
    const std::int64_t bytes = arrived(peer);
    if (bytes < 0) continue;
    discarded_.resize(static_cast<std::size_t>(bytes));
    receive(peer, discarded_.data(), bytes);
    return false;
  }
  return all;
}

// Waits for all ranks to come here, and learns whether one of them leaves for good.
void MpiCommunicator::meet_all(Lock& lock, bool leaving) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int mine = leaving ? 1 : 0;
  int any = 0;
  check(MPI_Iallreduce(&mine, &any, 1, MPI_INT, MPI_MAX, control_, &request), "MPI_Iallreduce");
  poll(lock, [&] {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  });
  ended_ = any != 0;
}

void MpiCommunicator::reset() {
  Lock lock(mutex_);
  if (!ended_) {
    drain(lock);
    meet_all(lock, false);
  }
  if (ended_) throw Error(sqlstate::kConnectionFailure, "another rank has ended: the job must be started again");
  ++epoch_;
  aborted_ = drained_ = false;
  origin_ = -1;
  reason_.clear();
  discarded_ = {};
  drains_.assign(ranks(), std::nullopt);
}

}  // namespace
}  // namespace saccade

extern "C" [[gnu::visibility("default")]] saccade::Communicator* saccade_make_mpi_communicator_1(char* message,
                                                                                                 std::size_t message_size) {
  try {
    return new saccade::MpiCommunicator();
  } catch (const std::exception& error) {
    std::snprintf(message, message_size, "%s", error.what());
    return nullptr;
  }
}
