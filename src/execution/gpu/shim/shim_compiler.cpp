#include "execution/gpu/shim/shim_compiler.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "common/error.hpp"
#include "execution/gpu/device_text.hpp"

extern char** environ;

namespace saccade::gpu {

namespace {

// Wrapping arithmetic as on the device, and no fused multiply-add that the device's flags would not make. A program with the
// address sanitizer watches its kernels too.
constexpr const char* kFlags[] = {
    "-std=gnu++20",
    "-O1",
    "-fwrapv",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-shared",
    "-fPIC",
    "-w",
#ifdef __SANITIZE_ADDRESS__
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
#endif
};

std::string compiler() {
  const char* named = std::getenv("CXX");
  return named != nullptr && *named != '\0' ? named : "c++";
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string host_source(const std::string& source, const std::string& name) {
  return fmt::format(
      "// {} {}\n{}\n{}\n"
      "extern \"C\" void saccade_shim_bind(const saccade_shim::Api* api, saccade_shim::Place* place) {{\n"
      "  saccade_shim::api = api;\n  saccade_shim::place = place;\n}}\n"
      "extern \"C\" void saccade_shim_call(const void* arguments) {{ saccade_shim::call(&{}, arguments); }}\n",
      compiler(), fmt::join(kFlags, " "), with_includes(embedded_text("execution/gpu/shim/device_shim.hpp")), source, name);
}

std::uint64_t hash_text(const std::string& text, std::uint64_t seed) {
  std::uint64_t hash = seed;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

// Runs the compiler with its messages in `log`; its exit status.
int run_compiler(const std::filesystem::path& input, const std::filesystem::path& output, const std::filesystem::path& log) {
  std::vector<std::string> arguments{compiler()};
  arguments.insert(arguments.end(), std::begin(kFlags), std::end(kFlags));
  arguments.insert(arguments.end(), {"-o", output.string(), input.string()});
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t process = 0;
  const int spawned = posix_spawnp(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (spawned != 0) {
    throw Error(sqlstate::kSystemError, fmt::format("the gpu-shim needs a C++ compiler, and \"{}\" can't be run", compiler()),
                0, "Install g++ or clang++, or name one in the environment variable CXX.");
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

ShimObject compile_for_host(const std::string& source, const std::string& name, const std::filesystem::path& folder) {
  static std::atomic<int> counter{0};
  const std::string text = host_source(source, name);
  const std::string stem =
      fmt::format("shim-{:016x}{:016x}", hash_text(text, 0xcbf29ce484222325ULL), hash_text(text, 0x9e3779b9ULL));
  const std::filesystem::path object = folder / (stem + ".so"), kept = folder / (stem + ".cpp");
  std::error_code ignored;
  if (std::filesystem::exists(object, ignored) && read_file(kept) == text) return {object, false};
  std::filesystem::create_directories(folder, ignored);
  const std::string unique = fmt::format("{}.{}.{}", stem, getpid(), counter++);
  const std::filesystem::path input = folder / (unique + ".cpp"), output = folder / (unique + ".so"),
                              log = folder / (unique + ".log");
  std::ofstream(input, std::ios::binary) << text;
  if (read_file(input) != text) {
    throw Error(sqlstate::kSystemError, fmt::format("the gpu-shim can't write \"{}\"", input.string()), 0,
                "Set kernel_cache to a folder that can be written.");
  }
  const int status = run_compiler(input, output, log);
  const std::string messages = read_file(log);
  std::filesystem::remove(log, ignored);
  if (status != 0) {
    std::filesystem::remove(input, ignored);
    throw Error(sqlstate::kInternalError, fmt::format("a generated kernel does not compile for the host:\n{}", messages));
  }
  std::filesystem::rename(output, object);
  std::filesystem::rename(input, kept);
  return {object, true};
}

}  // namespace saccade::gpu
