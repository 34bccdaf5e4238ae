// Checks the device runtime and NCCL on a real GPU, and measures what the cost model assumes: copies, HBM's read bandwidth,
// launches and waits. Prints a table; ends with 1 if anything failed.
//
//   gpu_probe [device]
//   gpu_probe --fault kind [device]    (run by itself: a kernel that faults, in a process of its own)
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <functional>
#include <thread>

#include "common/error.hpp"
#include "cuda/cuda_api.hpp"
#include "exchange/communicator.hpp"
#include "execution/gpu/device_runtime.hpp"

namespace saccade::gpu {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void expect(bool condition, const std::string& what) {
  if (!condition) throw Error(sqlstate::kInternalError, "expected: " + what);
}

// Runs `work`, which must raise `sqlstate`; returns the message.
std::string expect_error(std::string_view sqlstate, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    expect(error.sqlstate() == sqlstate, fmt::format("SQLSTATE {}, got {}: {}", sqlstate, error.sqlstate(), error.what()));
    return error.what();
  }
  throw Error(sqlstate::kInternalError, fmt::format("expected: an error {}", sqlstate));
}

// One line a check: its name, and what it found or how it failed.
class Report {
 public:
  void run(const std::string& name, const std::function<std::string()>& check) {
    std::string result;
    bool passed = true;
    try {
      result = check();
    } catch (const std::exception& error) {
      passed = false;
      result = error.what();
    }
    failures_ += passed ? 0 : 1;
    fmt::print("{:4} {:34} {}\n", passed ? "ok" : "FAIL", name, result);
    std::fflush(stdout);
  }
  int failures() const { return failures_; }

 private:
  int failures_ = 0;
};

constexpr const char* kSumSource = R"(
struct Arguments { const ulonglong2* in; unsigned long long* out; long long count; };
extern "C" __global__ void __launch_bounds__(256) sum_words(Arguments a) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  unsigned long long sum = 0;
  #pragma unroll 8
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < a.count; i += step) {
    const ulonglong2 pair = a.in[i];
    sum += pair.x + pair.y;
  }
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lane);
  if (threadIdx.x % 32 == 0) atomicAdd(a.out, sum);
}
)";

struct SumArguments {
  DeviceAddress in;
  DeviceAddress out;
  std::int64_t count;
};

constexpr const char* kNothingSource = R"(
struct Arguments { long long unused; };
extern "C" __global__ void nothing(Arguments) {}
)";

constexpr const char* kFaultSource = R"(
struct Arguments { unsigned long long* out; int kind; };
extern "C" __global__ void fault(Arguments a) {
  if (a.kind == 0) *a.out = 1;                                                                    // an address that is not there
  if (a.kind == 1) *reinterpret_cast<int*>(reinterpret_cast<char*>(a.out) + 1) = 1;               // misaligned
  if (a.kind == 2) asm volatile("trap;");
}
)";

const Kernel* compile_one(DeviceRuntime& runtime, const std::string& source, const std::string& name) {
  return runtime.compile({&source, 1}, {&name, 1}).front();
}

std::vector<std::uint64_t> pattern(std::int64_t words) {
  std::vector<std::uint64_t> values(static_cast<std::size_t>(words));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i * 0x9e3779b97f4a7c15ULL + 1;
  return values;
}

std::string check_copies(DeviceRuntime& runtime) {
  const std::int64_t words = 64 * kMiB + 3;
  const std::vector<std::uint64_t> sent = pattern(words);
  std::vector<std::uint64_t> received(sent.size());
  const DeviceAddress address = runtime.allocate(words * 8);
  double up = 0, down = 0;
  for (int round = 0; round < 2; ++round) {  // the first pins the staging memory
    up = seconds_of([&] {
      runtime.upload(address, sent.data(), words * 8);
      runtime.synchronize();
    });
    down = seconds_of([&] { runtime.download(received.data(), address, words * 8); });
  }
  runtime.free(address);
  expect(sent == received, "the bytes that were sent");
  const double gigabytes = static_cast<double>(words) * 8e-9;
  return fmt::format("up {:.1f} GB/s, down {:.1f} GB/s (512 MiB, pageable through pinned staging)", gigabytes / up,
                     gigabytes / down);
}

std::string check_small_uploads(DeviceRuntime& runtime) {
  const int copies = 20000;
  const DeviceAddress address = runtime.allocate(copies * 1000LL);
  std::vector<unsigned char> received(static_cast<std::size_t>(copies) * 1000);
  const double seconds = seconds_of([&] {
    unsigned char piece[1000];
    for (int i = 0; i < copies; ++i) {
      std::memset(piece, i % 251, sizeof piece);
      runtime.upload(address + static_cast<DeviceAddress>(i) * sizeof piece, piece, sizeof piece);
    }
    runtime.synchronize();
  });
  runtime.download(received.data(), address, copies * 1000LL);
  runtime.free(address);
  for (std::size_t i = 0; i < received.size(); ++i) expect(received[i] == i / 1000 % 251, "each piece where it belongs");
  return fmt::format("{:.2f} us each (1,000 bytes)", seconds / copies * 1e6);
}

std::string check_fills(DeviceRuntime& runtime) {
  const std::int64_t words = 5 * kMiB + 1;
  std::vector<std::uint64_t> received(static_cast<std::size_t>(words));
  const DeviceAddress address = runtime.allocate(words * 8);
  for (const std::uint64_t word : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0} >> 1}) {
    runtime.fill(address, 0x5a, words * 8);
    runtime.fill_words(address, word, words - 1);
    runtime.download(received.data(), address, words * 8);
    for (std::size_t i = 0; i + 1 < received.size(); ++i) expect(received[i] == word, "the word that was filled in");
    expect(received.back() == 0x5a5a5a5a5a5a5a5a, "no word filled beyond the end");
  }
  runtime.free(address);
  return "";
}

std::string check_bandwidth(DeviceRuntime& runtime) {
  const std::int64_t bytes = std::min<std::int64_t>(8192 * kMiB, runtime.properties().memory / 4);
  const DeviceAddress in = runtime.allocate(bytes), out = runtime.allocate(8);
  runtime.fill_words(in, 0x100000003, bytes / 8);
  runtime.fill_words(out, 0, 1);
  const Kernel* sum = compile_one(runtime, kSumSource, "sum_words");
  const SumArguments arguments{in, out, bytes / 16};
  double best = 0;
  const int rounds = 10;
  for (const int blocks : {4, 8, 16, 32}) {
    runtime.synchronize();
    const double seconds = seconds_of([&] {
      for (int i = 0; i < rounds; ++i) {
        runtime.launch(sum, blocks * runtime.properties().multiprocessors, 256, 0, &arguments, sizeof arguments);
      }
      runtime.synchronize();
    });
    best = std::max(best, static_cast<double>(bytes) * rounds / seconds * 1e-9);
  }
  std::uint64_t total = 0;
  runtime.download(&total, out, 8);
  runtime.free(in);
  runtime.free(out);
  expect(total == 0x100000003 * static_cast<std::uint64_t>(bytes / 8) * 4 * rounds, "the right sum");
  return fmt::format("{:.0f} GB/s (sum of {} MiB, 16-byte loads)", best, bytes / kMiB);
}

std::string check_latencies(DeviceRuntime& runtime) {
  const Kernel* nothing = compile_one(runtime, kNothingSource, "nothing");
  const DeviceAddress address = runtime.allocate(8);
  const std::int64_t argument = 0;
  const int rounds = 2000;
  const auto launch = [&] { runtime.launch(nothing, 1, 32, 0, &argument, sizeof argument); };
  for (int i = 0; i < 100; ++i) launch();
  runtime.synchronize();
  const double queued = seconds_of([&] {
    for (int i = 0; i < rounds; ++i) launch();
    runtime.synchronize();
  });
  const double waited = seconds_of([&] {
    for (int i = 0; i < rounds; ++i) {
      launch();
      runtime.synchronize();
    }
  });
  std::uint32_t word = 0;
  const double fetched = seconds_of([&] {
    for (int i = 0; i < rounds; ++i) {
      launch();
      runtime.download(&word, address, 4);
    }
  });
  runtime.free(address);
  return fmt::format("launch {:.2f} us, with a wait {:.2f} us, with 4 bytes back {:.2f} us", queued / rounds * 1e6,
                     waited / rounds * 1e6, fetched / rounds * 1e6);
}

std::string check_pool(DeviceRuntime& runtime) {
  const auto round = [&] {
    std::vector<DeviceAddress> pieces;
    for (int i = 0; i < 100; ++i) pieces.push_back(runtime.allocate(i * kMiB / 4 + 1));
    for (const DeviceAddress piece : pieces) expect(piece % 256 == 0, "256-byte alignment");
    for (const DeviceAddress piece : pieces) runtime.free(piece);
  };
  round();
  const int cold = runtime.counters().allocations;
  const double seconds = seconds_of(round);
  expect(runtime.counters().allocations == cold, "no call to the driver in a warm round");
  return fmt::format("{} driver calls so far, a warm piece {:.0f} ns", cold, seconds / 100 * 1e9);
}

std::string check_limit(int device, Settings settings) {
  settings.gpu_memory_limit = 100 * kMiB;
  const auto runtime = make_cuda_runtime(device, settings);
  const DeviceAddress address = runtime->allocate(60 * kMiB);
  std::string message = expect_error(sqlstate::kOutOfMemory, [&] { runtime->allocate(60 * kMiB); });
  runtime->fill(address, 1, 60 * kMiB);
  runtime->synchronize();
  return message;
}

std::string check_kernel_cache(int device, const Settings& settings) {
  std::vector<std::string> sources, names;
  for (int i = 0; i < 8; ++i) {
    names.push_back("sum_words");
    sources.push_back(fmt::format("// kernel {}\n{}", i, kSumSource));
  }
  double cold = 0, warm = 0, disk = 0;
  {
    const auto runtime = make_cuda_runtime(device, settings);
    cold = seconds_of([&] { runtime->compile(sources, names); });
    expect(runtime->counters().compilations == 8, "8 compilations");
    warm = seconds_of([&] { runtime->compile(sources, names); });
    expect(runtime->counters().compilations == 8, "none compiled again");
  }
  {
    const auto runtime = make_cuda_runtime(device, settings);
    disk = seconds_of([&] { runtime->compile(sources, names); });
    expect(runtime->counters().compilations == 0, "all from the cache");
  }
  return fmt::format("8 kernels: compiled {:.1f} ms, loaded from the cache {:.2f} ms, in memory {:.1f} us", cold * 1e3,
                     disk * 1e3, warm * 1e6);
}

// Two ranks of one process on one GPU, each with its runtime, on threads of their own.
std::string check_two_runtimes(int device, const Settings& settings) {
  std::exception_ptr errors[2];
  {
    std::vector<std::jthread> ranks;
    for (int rank = 0; rank < 2; ++rank) {
      ranks.emplace_back([&, rank] {
        try {
          const auto runtime = make_cuda_runtime(device, settings);
          for (int i = 0; i < 20; ++i) check_fills(*runtime);
        } catch (...) {
          errors[rank] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return "";
}

// In a process of its own: 0 if the fault is raised, the runtime disabled, and everything can still be destroyed.
int run_fault(int kind, int device, const Settings& settings) {
  try {
    const auto runtime = make_cuda_runtime(device, settings);
    const DeviceAddress address = runtime->allocate(1024);
    struct {
      DeviceAddress out;
      int kind;
    } const arguments{kind == 0 ? DeviceAddress{0x10} : address, kind};
    const Kernel* fault = compile_one(*runtime, kFaultSource, "fault");
    runtime->launch(fault, 1, 1, 0, &arguments, sizeof arguments);
    const std::string first = expect_error(sqlstate::kSystemError, [&] { runtime->synchronize(); });
    expect(first.find("was disabled after CUDA_ERROR") != std::string::npos, "a text that says why, got: " + first);
    expect(expect_error(sqlstate::kSystemError, [&] { runtime->allocate(8); }) == first, "the same text later");
    expect_error(sqlstate::kSystemError, [&] { make_cuda_runtime(device, settings)->synchronize(); });
    fmt::print("{}\n", first);
    return 0;
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return 1;
  }
}

std::string check_fault(int kind, int device) {
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const std::string command = fmt::format("'{}' --fault {} {}", self, kind, device);
  FILE* child = popen(command.c_str(), "r");
  expect(child != nullptr, "a child process");
  std::string output;
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, child) != nullptr) output += buffer;
  const int status = pclose(child);
  while (!output.empty() && output.back() == '\n') output.pop_back();
  expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, fmt::format("exit 0, got status {:#x}: {}", status, output));
  return output;
}

std::string check_nccl_one_rank(int device) {
  const auto hosts = make_in_process_communicators(1);
  std::unique_ptr<Communicator> nccl;
  const double start = seconds_of([&] { nccl = make_nccl_communicator(*hosts[0], device); });
  const std::vector<std::uint64_t> sent = pattern(20 * kMiB + 5);  // 160 MiB: several rounds
  const auto bytes = static_cast<std::int64_t>(sent.size() * 8);
  const auto* data = reinterpret_cast<const std::byte*>(sent.data());
  const std::vector<std::int64_t> offsets = {0}, sizes = {bytes};
  const auto receive = [&](const char* verb, const std::function<void(std::byte*)>& run) {
    std::vector<std::uint64_t> received(sent.size());
    run(reinterpret_cast<std::byte*>(received.data()));
    expect(received == sent, fmt::format("{} brings what was sent", verb));
  };
  double exchange = 0;
  const auto all_verbs = [&] {
    receive("all_to_all",
            [&](std::byte* to) { exchange = seconds_of([&] { nccl->all_to_all(data, offsets, sizes, to, offsets, sizes); }); });
    receive("all_gather", [&](std::byte* to) { nccl->all_gather(data, bytes, to, offsets, sizes); });
    receive("gather", [&](std::byte* to) { nccl->gather(data, bytes, to, offsets, sizes, 0); });
    std::vector<std::uint64_t> copy = sent;
    nccl->broadcast(reinterpret_cast<std::byte*>(copy.data()), bytes, 0);
    expect(copy == sent, "broadcast leaves the root's bytes");
    expect(nccl->exchange_sizes(sizes) == sizes, "the sizes");
    nccl->barrier();
  };
  all_verbs();
  nccl->abort("stopped by the probe");
  const std::string message = expect_error(sqlstate::kConnectionFailure, [&] { all_verbs(); });
  expect(message == "stopped by the probe", "the reason of the abort, got: " + message);
  nccl->reset();
  all_verbs();
  return fmt::format("connected in {:.2f} s, all verbs, abort, reset; all_to_all {:.1f} GB/s through host memory", start,
                     static_cast<double>(bytes) / exchange * 1e-9);
}

std::string check_nccl_shared_gpu(int device) {
  const auto hosts = make_in_process_communicators(2);
  std::string messages[2];
  {
    std::vector<std::jthread> ranks;
    for (std::size_t rank = 0; rank < 2; ++rank) {
      ranks.emplace_back([&, rank] {
        try {
          make_nccl_communicator(*hosts[rank], device);
        } catch (const Error& error) {
          messages[rank] = error.what();
        }
      });
    }
  }
  expect(!messages[0].empty() && messages[0] == messages[1], "the same error on both ranks");
  return messages[0];
}

std::string describe_device(const DeviceRuntime& runtime) {
  const DeviceProperties& properties = runtime.properties();
  int version = 0;
  cuda::driver().driver_get_version(&version);
  return fmt::format("{}, sm_{}, {} multiprocessors, {} MiB, {} KiB shared, driver for CUDA {}.{}", properties.name,
                     properties.architecture, properties.multiprocessors, properties.memory / kMiB,
                     properties.shared_memory_per_block / 1024, version / 1000, version % 1000 / 10);
}

int run_probe(int device, const Settings& settings) {
  Report report;
  std::unique_ptr<DeviceRuntime> runtime;
  report.run("device", [&] {
    runtime = make_cuda_runtime(device, settings);
    return describe_device(*runtime);
  });
  if (!runtime) return 1;
  report.run("copies", [&] { return check_copies(*runtime); });
  report.run("small uploads", [&] { return check_small_uploads(*runtime); });
  report.run("fills", [&] { return check_fills(*runtime); });
  report.run("HBM read bandwidth", [&] { return check_bandwidth(*runtime); });
  report.run("latencies", [&] { return check_latencies(*runtime); });
  report.run("pool", [&] { return check_pool(*runtime); });
  runtime.reset();  // its memory limit is shared with the others as long as it lives
  report.run("memory limit", [&] { return check_limit(device, settings); });
  report.run("kernel cache", [&] { return check_kernel_cache(device, settings); });
  report.run("two runtimes, two threads", [&] { return check_two_runtimes(device, settings); });
  report.run("fault: illegal address", [&] { return check_fault(0, device); });
  report.run("fault: misaligned address", [&] { return check_fault(1, device); });
  report.run("fault: trap", [&] { return check_fault(2, device); });
  report.run("NCCL, one rank", [&] { return check_nccl_one_rank(device); });
  report.run("NCCL, two ranks on one GPU", [&] { return check_nccl_shared_gpu(device); });
  fmt::print("{}\n", report.failures() == 0 ? "all passed" : fmt::format("{} failed", report.failures()));
  return report.failures() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace saccade::gpu

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool fault = arguments.size() >= 2 && arguments[0] == "--fault";
  const std::size_t rest = fault ? 2 : 0;
  const int device = arguments.size() > rest ? std::stoi(arguments[rest]) : 0;
  saccade::Settings settings;
  std::string folder = (std::filesystem::temp_directory_path() / "gpu_probe_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  settings.kernel_cache = folder;
  const int result =
      fault ? saccade::gpu::run_fault(std::stoi(arguments[1]), device, settings) : saccade::gpu::run_probe(device, settings);
  std::filesystem::remove_all(folder);
  return result;
}
