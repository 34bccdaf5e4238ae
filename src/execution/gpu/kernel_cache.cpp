#include "execution/gpu/kernel_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <optional>
#include <thread>

#include "common/error.hpp"
#include "execution/gpu/nvrtc_compiler.hpp"

namespace saccade::gpu {

namespace {

namespace fs = std::filesystem;

constexpr char kMagic[16] = "saccade kernel1";

struct FileHeader {
  char magic[sizeof(kMagic)];
  std::uint64_t key_bytes;
  std::uint64_t cubin_bytes;
  std::uint64_t checksum;  // of key and cubin
};

// FNV-1a (Fowler, Noll, Vo), 128 bits.
unsigned __int128 hash(std::string_view bytes, unsigned __int128 state) {
  constexpr unsigned __int128 kPrime = (static_cast<unsigned __int128>(1) << 88) + 0x13b;
  for (const char byte : bytes) state = (state ^ static_cast<unsigned char>(byte)) * kPrime;
  return state;
}

constexpr unsigned __int128 kHashStart = (static_cast<unsigned __int128>(0x6c62272e07bb0142) << 64) | 0x62b821756295c58d;

std::uint64_t checksum(std::string_view key, std::string_view cubin) {
  const unsigned __int128 sum = hash(cubin, hash(key, kHashStart));
  return static_cast<std::uint64_t>(sum ^ (sum >> 64));
}

std::optional<std::vector<char>> read_entry(const fs::path& file, const std::string& key) {
  std::ifstream stream(file, std::ios::binary);
  FileHeader header{};
  if (!stream.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  std::error_code error;
  const std::uint64_t size = fs::file_size(file, error);
  if (error || std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.key_bytes != key.size() ||
      size < sizeof header + key.size() || header.cubin_bytes != size - sizeof header - key.size()) {
    return std::nullopt;
  }
  std::string stored_key(key.size(), '\0');
  std::vector<char> cubin(header.cubin_bytes);
  if (!stream.read(stored_key.data(), static_cast<std::streamsize>(stored_key.size())) || stored_key != key ||
      !stream.read(cubin.data(), static_cast<std::streamsize>(cubin.size())) ||
      checksum(key, {cubin.data(), cubin.size()}) != header.checksum) {
    return std::nullopt;
  }
  return cubin;
}

// Failing to write is no error: the next process compiles again.
void write_entry(const fs::path& file, const std::string& key, const std::vector<char>& cubin) {
  static std::atomic<unsigned> serial{0};
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  const fs::path draft = fmt::format("{}.{}.{}", file.string(), getpid(), serial.fetch_add(1));
  FileHeader header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.key_bytes = key.size();
  header.cubin_bytes = cubin.size();
  header.checksum = checksum(key, {cubin.data(), cubin.size()});
  {
    std::ofstream stream(draft, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(&header), sizeof header);
    stream.write(key.data(), static_cast<std::streamsize>(key.size()));
    stream.write(cubin.data(), static_cast<std::streamsize>(cubin.size()));
    stream.close();
    if (!stream) {
      fs::remove(draft, error);
      return;
    }
  }
  fs::rename(draft, file, error);
  if (error) fs::remove(draft, error);
}

// Calls work(0), ..., work(count - 1) on up to one thread a core; raises the first error after all have ended.
void run_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  const std::size_t threads = std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::exception_ptr> errors(count);
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 1; i < threads; ++i) workers.emplace_back(run);
    run();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace

KernelCache::KernelCache(fs::path folder, std::string identity, Compile compile)
    : folder_(std::move(folder)), identity_(std::move(identity)), compile_(std::move(compile)) {}

std::string KernelCache::key(const std::string& source, int architecture) const {
  return fmt::format("{} sm_{}\n{}", identity_, architecture, source);
}

fs::path KernelCache::file_of(const std::string& source, int architecture) const {
  const unsigned __int128 name = hash(key(source, architecture), kHashStart);
  return folder_ /
         fmt::format("{:016x}{:016x}.kernel", static_cast<std::uint64_t>(name >> 64), static_cast<std::uint64_t>(name));
}

std::vector<KernelCache::Found> KernelCache::get(std::span<const std::string> sources, int architecture) {
  std::vector<Found> found(sources.size());
  run_parallel(sources.size(), [&](std::size_t i) { found[i] = get_one(sources[i], architecture); });
  return found;
}

KernelCache::Found KernelCache::get_one(const std::string& source, int architecture) {
  const std::string key = this->key(source, architecture);
  {
    std::unique_lock lock(mutex_);
    compiled_.wait(lock, [&] { return !in_work_.contains(key); });
    if (const auto entry = memory_.find(key); entry != memory_.end()) return {entry->second, false};
    in_work_.insert(key);
  }
  const auto finish = [&](const Cubin& cubin) {
    const std::lock_guard lock(mutex_);
    if (cubin) memory_.emplace(key, cubin);
    in_work_.erase(key);
    compiled_.notify_all();
  };
  try {
    Found found = load_or_compile(key, source, architecture);
    finish(found.cubin);
    return found;
  } catch (...) {
    finish(nullptr);
    throw;
  }
}

KernelCache::Found KernelCache::load_or_compile(const std::string& key, const std::string& source, int architecture) {
  const fs::path file = folder_.empty() ? fs::path() : file_of(source, architecture);
  if (!file.empty()) {
    if (auto cubin = read_entry(file, key)) return {std::make_shared<const std::vector<char>>(std::move(*cubin)), false};
  }
  auto cubin = std::make_shared<const std::vector<char>>(compile_(source, architecture));
  if (!file.empty()) write_entry(file, key, *cubin);
  return {std::move(cubin), true};
}

fs::path kernel_cache_folder(const Settings& settings) {
  if (!settings.kernel_cache.empty()) return settings.kernel_cache;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "saccade";  // the standard says to ignore relative ones
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return fs::path(home) / ".cache" / "saccade";
  return {};
}

std::shared_ptr<KernelCache> nvrtc_kernel_cache(const fs::path& folder) {
  static std::mutex mutex;
  static std::map<fs::path, std::shared_ptr<KernelCache>> caches;
  const std::lock_guard lock(mutex);
  std::shared_ptr<KernelCache>& cache = caches[folder];
  if (!cache) {
    cache = std::make_shared<KernelCache>(folder, nvrtc_identity(), [](const std::string& source, int architecture) {
      return compile_with_nvrtc(source, architecture).cubin;
    });
  }
  return cache;
}

}  // namespace saccade::gpu
