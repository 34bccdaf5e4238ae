// The MPI plug-in. The tests of suite Mpi start this program again under mpirun, where suite MpiRank runs on every rank.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "common/error.hpp"
#include "exchange/communicator.hpp"

namespace saccade {
namespace {

using Int64s = std::vector<std::int64_t>;

bool under_mpirun() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
}

std::filesystem::path this_program() {
  return std::filesystem::read_symlink("/proc/self/exe");
}
std::filesystem::path plugin_folder() {
  return this_program().parent_path().parent_path();
}

struct Outcome {
  int exit_code;
  std::string output;
};

Outcome run(const std::string& command) {
  Outcome outcome{};
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (pipe != nullptr && fgets(buffer, sizeof buffer, pipe) != nullptr) outcome.output += buffer;
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

class Mpi : public testing::Test {
 protected:
  void SetUp() override {
    if (under_mpirun()) GTEST_SKIP() << "runs outside of mpirun only";
    if (run("mpirun --version").exit_code != 0) GTEST_SKIP() << "mpirun was not found";
    if (!exists(plugin_folder() / "libsaccade_mpi.so")) GTEST_SKIP() << "the plug-in was not built: MPI was not found";
  }

  // Runs tests of suite MpiRank on `ranks` ranks; a minute is far more than any of them needs.
  static Outcome run_ranks(int ranks, const std::string& filter, const std::string& environment = "") {
    std::ostringstream command;
    command << environment << " SACCADE_PLUGIN_PATH='" << plugin_folder().string() << "' timeout 60 mpirun -np " << ranks
            << " --allow-run-as-root --oversubscribe '" << this_program().string() << "' --gtest_filter=MpiRank." << filter;
    return run(command.str());
  }

  static void expect_passes(int ranks, const std::string& filter) {
    const Outcome outcome = run_ranks(ranks, filter);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    std::size_t passed = 0;
    for (std::size_t at = outcome.output.find("[  PASSED  ] "); at != std::string::npos; ++passed) {
      at = outcome.output.find("[  PASSED  ] ", at + 1);
    }
    EXPECT_EQ(passed, static_cast<std::size_t>(ranks)) << outcome.output;
    EXPECT_EQ(outcome.output.find("[  PASSED  ] 0"), std::string::npos) << outcome.output;
  }
};

TEST_F(Mpi, VerbsOnOneRank) {
  expect_passes(1, "Verb*");
}
TEST_F(Mpi, VerbsOnTwoRanks) {
  expect_passes(2, "Verb*");
}
TEST_F(Mpi, VerbsOnThreeRanks) {
  expect_passes(3, "Verb*");
}
TEST_F(Mpi, AbortsOnTwoRanks) {
  expect_passes(2, "Abort*");
}
TEST_F(Mpi, AbortsOnThreeRanks) {
  expect_passes(3, "Abort*");
}

TEST_F(Mpi, ARankThatEndsEndsTheWaitOfTheOthers) {
  expect_passes(3, "EndOfOneRank");
}

TEST_F(Mpi, AKilledRankEndsTheJobAndLeavesNoProcess) {
  const auto pids = std::filesystem::temp_directory_path() / ("saccade_mpi_pids_" + std::to_string(getpid()));
  const Outcome outcome = run_ranks(3, "Killed", "SACCADE_TEST_PIDS='" + pids.string() + "'");
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_NE(outcome.exit_code, 124) << "the job hung: " << outcome.output;
  EXPECT_NE(outcome.output.find("signal 9"), std::string::npos) << outcome.output;
  std::ifstream file(pids);
  int count = 0;
  for (pid_t pid = 0; file >> pid; ++count) {
    for (int wait = 0; wait < 500 && kill(pid, 0) == 0; ++wait) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_NE(kill(pid, 0), 0) << "rank process " << pid << " is still there";
  }
  EXPECT_EQ(count, 3);
  std::filesystem::remove(pids);
}

TEST_F(Mpi, AMissingPluginIsAnErrorUnderMpirunOnly) {
  EXPECT_EQ(make_mpi_communicator(), nullptr);
  const Outcome outcome = run("SACCADE_PLUGIN_PATH=/nowhere OMPI_COMM_WORLD_SIZE=1 '" + this_program().string() +
                              "' --gtest_filter=MpiRank.MissingPlugin");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
}

// ---- on each rank ----

std::unique_ptr<Communicator> communicator_of_this_process;

class MpiRank : public testing::Test {
 protected:
  void SetUp() override {
    if (!under_mpirun()) GTEST_SKIP() << "runs under mpirun only";
  }
  static Communicator& communicator() {
    if (!communicator_of_this_process) communicator_of_this_process = make_mpi_communicator();
    return *communicator_of_this_process;
  }
};

class LeaveJob : public testing::Environment {
 public:
  void TearDown() override { communicator_of_this_process.reset(); }
};
const testing::Environment* const kLeaveJob = testing::AddGlobalTestEnvironment(new LeaveJob);

const std::byte* bytes_at(const Int64s& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}
std::byte* bytes_at(Int64s& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

Int64s scaled(const Int64s& values, std::int64_t factor) {
  Int64s result = values;
  for (std::int64_t& value : result) value *= factor;
  return result;
}

Int64s offsets_of(const Int64s& counts) {
  Int64s offsets(counts.size(), 0);
  for (std::size_t i = 1; i < counts.size(); ++i) offsets[i] = offsets[i - 1] + counts[i - 1];
  return offsets;
}

std::int64_t total(const Int64s& counts) {
  return offsets_of(counts).back() + counts.back();
}

// Element i of what `from` sends to `to`.
std::int64_t element(int from, int to, std::int64_t i) {
  return from * 1'000'000'000'000 + to * 1'000'000'000 + i;
}

// Sends counts[from][to] elements between all pairs and checks each element.
void check_all_to_all(Communicator& c, const std::vector<Int64s>& counts) {
  const auto self = static_cast<std::size_t>(c.rank());
  Int64s arriving;
  for (const Int64s& row : counts) arriving.push_back(row[self]);
  EXPECT_EQ(c.exchange_sizes(counts[self]), arriving);
  Int64s send, receive(static_cast<std::size_t>(total(arriving)), -1), expected;
  for (int peer = 0; peer < c.size(); ++peer) {
    for (std::int64_t i = 0; i < counts[self][static_cast<std::size_t>(peer)]; ++i) send.push_back(element(c.rank(), peer, i));
    for (std::int64_t i = 0; i < arriving[static_cast<std::size_t>(peer)]; ++i) expected.push_back(element(peer, c.rank(), i));
  }
  c.all_to_all(bytes_at(std::as_const(send)), scaled(offsets_of(counts[self]), 8), scaled(counts[self], 8), bytes_at(receive),
               scaled(offsets_of(arriving), 8), scaled(arriving, 8));
  EXPECT_TRUE(receive == expected);
}

TEST_F(MpiRank, VerbAllToAll) {
  Communicator& c = communicator();
  EXPECT_EQ(c.name(), "mpi");
  std::mt19937 random(7);  // the same on all ranks
  for (int round = 0; round < 30; ++round) {
    std::vector<Int64s> counts(static_cast<std::size_t>(c.size()), Int64s(static_cast<std::size_t>(c.size())));
    for (Int64s& row : counts) {
      for (std::int64_t& count : row) count = random() % 3 == 0 ? 0 : random() % (round < 25 ? 5000 : 500'000);
    }
    check_all_to_all(c, counts);
  }
}

// Two and a half chunks of a message one way, and nothing the other.
TEST_F(MpiRank, VerbAllToAllOfManyChunks) {
  Communicator& c = communicator();
  const auto ranks = static_cast<std::size_t>(c.size());
  std::vector<Int64s> counts(ranks, Int64s(ranks, 0));
  counts[0][ranks - 1] = 5'300'000;
  counts[ranks - 1][ranks - 1] = 10;
  check_all_to_all(c, counts);
}

TEST_F(MpiRank, VerbBroadcast) {
  Communicator& c = communicator();
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{3'000'000}}) {
    for (int root = 0; root < c.size(); ++root) {
      Int64s data(count, -1), expected(count);
      for (std::size_t i = 0; i < count; ++i) expected[i] = element(root, 0, static_cast<std::int64_t>(i));
      if (c.rank() == root) data = expected;
      c.broadcast(bytes_at(data), static_cast<std::int64_t>(count * 8), root);
      EXPECT_TRUE(data == expected);
    }
  }
}

TEST_F(MpiRank, VerbGathers) {
  Communicator& c = communicator();
  for (const std::int64_t unit : {1, 1000, 1'500'000}) {
    Int64s counts, expected;
    for (int from = 0; from < c.size(); ++from) {
      counts.push_back((c.size() - 1 - from) * unit);  // the last rank sends nothing
      for (std::int64_t i = 0; i < counts.back(); ++i) expected.push_back(element(from, 0, i));
    }
    Int64s send;
    for (std::int64_t i = 0; i < counts[static_cast<std::size_t>(c.rank())]; ++i) send.push_back(element(c.rank(), 0, i));
    const auto bytes = static_cast<std::int64_t>(send.size() * 8);
    Int64s received(expected.size(), -1);
    c.all_gather(bytes_at(std::as_const(send)), bytes, bytes_at(received), scaled(offsets_of(counts), 8), scaled(counts, 8));
    EXPECT_TRUE(received == expected);
    for (int root = 0; root < c.size(); ++root) {
      received.assign(expected.size(), -1);
      c.gather(bytes_at(std::as_const(send)), bytes, c.rank() == root ? bytes_at(received) : nullptr,
               scaled(offsets_of(counts), 8), scaled(counts, 8), root);
      EXPECT_TRUE(c.rank() != root || received == expected);
    }
  }
}

TEST_F(MpiRank, VerbBarrier) {
  for (int round = 0; round < 20; ++round) communicator().barrier();
}

// A reset, and verbs that work after it. The last reset keeps an abort of the next round away from a rank that is still here.
void expect_recovery(Communicator& c) {
  c.reset();
  check_all_to_all(c, std::vector<Int64s>(static_cast<std::size_t>(c.size()), Int64s(static_cast<std::size_t>(c.size()), 77)));
  c.barrier();
  c.reset();
}

void expect_failure(const std::function<void()>& verb, const std::string& reason) {
  try {
    verb();
    ADD_FAILURE() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), sqlstate::kConnectionFailure);
    EXPECT_EQ(error.what(), reason);
  }
}

// The aborting rank is not in a verb; the others wait for it in one, with messages of every size under way.
TEST_F(MpiRank, AbortReachesWaitingRanks) {
  Communicator& c = communicator();
  const auto ranks = static_cast<std::size_t>(c.size());
  for (int round = 0; round < 6; ++round) {
    const int failing = round % c.size();
    const auto count = std::int64_t{3} << (4 * round);  // up to 3 M elements to each rank: two messages
    if (c.rank() == failing) {
      c.abort("rank " + std::to_string(failing) + " failed");
      c.abort("a second reason");
    } else {
      Int64s send(ranks * static_cast<std::size_t>(count), c.rank()), receive(send.size());
      const Int64s counts(ranks, count);
      expect_failure(
          [&] {
            c.all_to_all(bytes_at(std::as_const(send)), scaled(offsets_of(counts), 8), scaled(counts, 8), bytes_at(receive),
                         scaled(offsets_of(counts), 8), scaled(counts, 8));
            c.barrier();  // where nothing was needed from the failing rank
          },
          "rank " + std::to_string(failing) + " failed");
      expect_failure([&] { c.barrier(); }, "rank " + std::to_string(failing) + " failed");
    }
    expect_recovery(c);
  }
}

// Another thread aborts at any moment of a transfer; nothing of it may be left for the time after the reset.
TEST_F(MpiRank, AbortAtAnyMoment) {
  Communicator& c = communicator();
  const auto ranks = static_cast<std::size_t>(c.size());
  for (int round = 0; round < 10; ++round) {
    std::thread aborting;
    if (c.rank() == round % c.size()) {
      aborting = std::thread([&c, round] {
        std::this_thread::sleep_for(std::chrono::microseconds(2'000 * round));
        c.abort("cancelled");
      });
    }
    expect_failure(
        [&] {
          while (true) check_all_to_all(c, std::vector<Int64s>(ranks, Int64s(ranks, 200'000)));
        },
        "cancelled");
    if (aborting.joinable()) aborting.join();
    expect_recovery(c);
  }
}

TEST_F(MpiRank, AbortOfAllRanksAtOnceNamesOneReason) {
  Communicator& c = communicator();
  for (int round = 0; round < 20; ++round) {
    c.abort("rank " + std::to_string(c.rank()) + " failed");
    expect_failure([&] { c.barrier(); }, "rank 0 failed");
    expect_recovery(c);
  }
}

// Ranks disagree on what comes next: an error on all, and no hang.
TEST_F(MpiRank, AbortOfARankThatLeavesWithoutAWord) {
  Communicator& c = communicator();
  if (c.rank() != 1) {
    expect_failure([&] { c.barrier(); }, "rank 1 left the query before the others");
  }
  expect_recovery(c);
}

// Too short and too long, in messages that MPI moves in its different ways; nothing is written behind the receiver's memory.
TEST_F(MpiRank, AbortOnUnexpectedSizes) {
  Communicator& c = communicator();
  const Int64s counts{1, 2, 100, 600, 5'000, 200'000, 3'000'000};
  for (const std::int64_t sent : counts) {
    for (const std::int64_t expected : counts) {
      if (sent == expected) continue;
      const std::int64_t count = c.rank() == 0 ? sent : expected;
      Int64s data(static_cast<std::size_t>(count + 1000), c.rank());
      try {
        c.broadcast(bytes_at(data), count * 8, 0);
        c.barrier();
        ADD_FAILURE() << "nothing was raised";
      } catch (const Error& error) {
        const std::string reason = error.what();
        EXPECT_TRUE(reason.find(" where it expected ") != std::string::npos ||
                    reason.ends_with("left the query before the others"))
            << reason;
      }
      EXPECT_EQ(Int64s(data.end() - 1000, data.end()), Int64s(1000, c.rank()));
      expect_recovery(c);
    }
  }
}

TEST_F(MpiRank, EndOfOneRank) {
  if (communicator().rank() == 1) return;  // leaves the job
  expect_failure([] { communicator().barrier(); }, "rank 1 left the query before the others");
}

TEST_F(MpiRank, Killed) {
  Communicator& c = communicator();
  const int file = open(std::getenv("SACCADE_TEST_PIDS"), O_WRONLY | O_APPEND | O_CREAT, 0600);
  const std::string line = std::to_string(getpid()) + "\n";
  ASSERT_EQ(write(file, line.data(), line.size()), static_cast<ssize_t>(line.size()));
  close(file);
  c.barrier();
  if (c.rank() == 1) raise(SIGKILL);
  c.barrier();
  ADD_FAILURE() << "the barrier was passed without rank 1";
}

TEST_F(MpiRank, MissingPlugin) {
  try {
    make_mpi_communicator();
    ADD_FAILURE() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), sqlstate::kSystemError);
    EXPECT_NE(std::string(error.what()).find("/nowhere/libsaccade_mpi.so"), std::string::npos) << error.what();
    EXPECT_NE(error.hint(), "");
  }
}

}  // namespace
}  // namespace saccade
