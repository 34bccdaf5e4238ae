#include "execution/gpu/nvrtc_compiler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "common/error.hpp"
#include "cuda/shared_library.hpp"

namespace saccade::gpu {

namespace {

using Result = int;  // nvrtcResult
using Program = struct ProgramHandle*;
constexpr Result kSuccess = 0;

// Device code names no execution space: the headers are the host's own. Kernels include nothing from disk. A product and a sum
// are rounded one after the other, as on the CPU: the same answer everywhere.
constexpr const char* kFlags[] = {"--std=c++20", "--device-int128", "--device-as-default-execution-space",
                                  "--no-source-include", "--fmad=false"};
// Leaves textures, device-side launches and the like out: a small kernel compiles in 25 ms instead of 29.
constexpr const char* kMinimalFlag = "--minimal";  // from 12.8 on

struct Nvrtc {
  std::string path;
  int major = 0, minor = 0;
  std::vector<int> architectures;
  std::vector<const char*> flags;
  const char* (*error_string)(Result);
  Result (*version)(int* major, int* minor);
  Result (*architecture_count)(int*);
  Result (*supported_architectures)(int*);
  Result (*create_program)(Program*, const char* source, const char* name, int headers, const char* const* texts,
                           const char* const* names);
  Result (*destroy_program)(Program*);
  Result (*compile_program)(Program, int options, const char* const* option);
  Result (*log_size)(Program, std::size_t*);
  Result (*log)(Program, char*);
  Result (*cubin_size)(Program, std::size_t*);
  Result (*cubin)(Program, char*);

  void check(Result result, const char* call) const {
    if (result == kSuccess) return;
    throw Error(sqlstate::kSystemError, fmt::format("NVRTC ({}) failed in {}: {}", path, call, error_string(result)));
  }
};

// NVRTC opens its library of builtins by bare name. Where NVRTC was loaded from a folder that the loader doesn't search, such
// as a Python package, that name is only known if the library beside it is loaded already.
void load_builtins_beside(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (!entry->path().filename().string().starts_with("libnvrtc-builtins.so")) continue;
    std::string ignored;  // without it, compiling says what is missing
    cuda::SharedLibrary::find({"NVRTC's builtins", {entry->path().string()}, {}}, ignored);
  }
}

Nvrtc load_nvrtc() {
  std::string reason;
  const auto library =
      cuda::SharedLibrary::find({"NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}, "SACCADE_NVRTC"}, reason);
  if (!library) {
    throw Error(sqlstate::kSystemError, fmt::format("NVRTC, the compiler for GPU kernels, can't be loaded: {}", reason), 0,
                "Install the CUDA toolkit, or PyPI's nvidia-cuda-nvrtc and set SACCADE_NVRTC to its Python environment.");
  }
  Nvrtc nvrtc{};
  nvrtc.path = library->path();
  load_builtins_beside(nvrtc.path);
  library->resolve("nvrtcGetErrorString", nvrtc.error_string);
  library->resolve("nvrtcVersion", nvrtc.version);
  library->resolve("nvrtcGetNumSupportedArchs", nvrtc.architecture_count);
  library->resolve("nvrtcGetSupportedArchs", nvrtc.supported_architectures);
  library->resolve("nvrtcCreateProgram", nvrtc.create_program);
  library->resolve("nvrtcDestroyProgram", nvrtc.destroy_program);
  library->resolve("nvrtcCompileProgram", nvrtc.compile_program);
  library->resolve("nvrtcGetProgramLogSize", nvrtc.log_size);
  library->resolve("nvrtcGetProgramLog", nvrtc.log);
  library->resolve("nvrtcGetCUBINSize", nvrtc.cubin_size);
  library->resolve("nvrtcGetCUBIN", nvrtc.cubin);
  nvrtc.check(nvrtc.version(&nvrtc.major, &nvrtc.minor), "nvrtcVersion");
  nvrtc.flags.assign(std::begin(kFlags), std::end(kFlags));
  if (100 * nvrtc.major + nvrtc.minor >= 1208) nvrtc.flags.push_back(kMinimalFlag);
  int count = 0;
  nvrtc.check(nvrtc.architecture_count(&count), "nvrtcGetNumSupportedArchs");
  nvrtc.architectures.resize(static_cast<std::size_t>(count));
  nvrtc.check(nvrtc.supported_architectures(nvrtc.architectures.data()), "nvrtcGetSupportedArchs");
  return nvrtc;
}

const Nvrtc& loaded_nvrtc() {
  static const Nvrtc nvrtc = load_nvrtc();
  return nvrtc;
}

class ProgramOwner {
 public:
  ProgramOwner(const Nvrtc& nvrtc, const std::string& source) : nvrtc_(nvrtc) {
    nvrtc.check(nvrtc.create_program(&program_, source.c_str(), "pipeline.cu", 0, nullptr, nullptr), "nvrtcCreateProgram");
  }
  ~ProgramOwner() { nvrtc_.destroy_program(&program_); }
  ProgramOwner(const ProgramOwner&) = delete;
  ProgramOwner& operator=(const ProgramOwner&) = delete;

  Program get() const { return program_; }

  std::string log() const {
    std::size_t size = 0;
    nvrtc_.check(nvrtc_.log_size(program_, &size), "nvrtcGetProgramLogSize");
    std::string text(size, '\0');
    nvrtc_.check(nvrtc_.log(program_, text.data()), "nvrtcGetProgramLog");
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
    return text;
  }

  std::vector<char> cubin() const {
    std::size_t size = 0;
    nvrtc_.check(nvrtc_.cubin_size(program_, &size), "nvrtcGetCUBINSize");
    std::vector<char> cubin(size);
    nvrtc_.check(nvrtc_.cubin(program_, cubin.data()), "nvrtcGetCUBIN");
    return cubin;
  }

 private:
  const Nvrtc& nvrtc_;
  Program program_ = nullptr;
};

}  // namespace

std::string nvrtc_identity() {
  const Nvrtc& nvrtc = loaded_nvrtc();
  return fmt::format("nvrtc {}.{} {}", nvrtc.major, nvrtc.minor, fmt::join(nvrtc.flags, " "));
}

bool nvrtc_available() {
  try {
    loaded_nvrtc();
    return true;
  } catch (const Error&) {
    return false;
  }
}

CompiledKernel compile_with_nvrtc(const std::string& source, int architecture) {
  const Nvrtc& nvrtc = loaded_nvrtc();
  if (std::find(nvrtc.architectures.begin(), nvrtc.architectures.end(), architecture) == nvrtc.architectures.end()) {
    throw Error(sqlstate::kSystemError,
                fmt::format("NVRTC {}.{} ({}) can't compile for sm_{}: it knows {}", nvrtc.major, nvrtc.minor, nvrtc.path,
                            architecture, fmt::join(nvrtc.architectures, ", ")),
                0, "Install a CUDA toolkit that fits the GPU, and name it in SACCADE_NVRTC.");
  }
  const auto start = std::chrono::steady_clock::now();
  const std::string target = fmt::format("--gpu-architecture=sm_{}", architecture);
  std::vector<const char*> options = nvrtc.flags;
  options.push_back(target.c_str());
  const ProgramOwner program(nvrtc, source);
  const Result result = nvrtc.compile_program(program.get(), static_cast<int>(options.size()), options.data());
  CompiledKernel compiled;
  compiled.log = program.log();
  if (result != kSuccess) {
    throw Error(sqlstate::kInternalError,
                fmt::format("a generated kernel does not compile ({}):\n{}", nvrtc.error_string(result), compiled.log));
  }
  compiled.cubin = program.cubin();
  compiled.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return compiled;
}

}  // namespace saccade::gpu
