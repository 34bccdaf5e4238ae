// Settings of one session: SET name = value, SHOW name, command line, environment (SACCADE_NAME).
//
// A plain value, copied into each query's context when the query starts: a running query never sees a change.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace saccade {

enum class Device : std::uint8_t { kCpu, kGpu, kGpuShim };

std::string_view to_string(Device device);

struct Settings {
  int threads = 0;                    // workers per rank; 0: one per core, divided among the ranks of the process
  std::int64_t memory_limit = 0;      // bytes for all queries and tables of the database; 0: 80 % of the machine's memory
  Device device = Device::kCpu;       // where pipelines run
  bool gpu_fallback = false;          // what a GPU can't run runs on the CPU; off: an error
  bool verify = false;                // every batch asserts its bounds, validity, dictionary identity and encoding
  std::string kernel_cache;           // folder of compiled kernels; empty: $XDG_CACHE_HOME/saccade or ~/.cache/saccade
  std::string time_zone = "UTC";      // in which times with a zone are read and shown
  std::int64_t gpu_memory_limit = 0;  // bytes of device memory; 0: 90 % of what is free at the start
};

// Sets one setting from its text. Errors: 42704 unknown name, 22023 a value out of range.
void set_setting(Settings& settings, std::string_view name, std::string_view value);

// The text of one setting, as SHOW prints it. Errors: 42704.
std::string show_setting(const Settings& settings, std::string_view name);

// What a setting is for, in a few words. Errors: 42704.
std::string describe_setting(std::string_view name);

// All names, in alphabetical order.
std::vector<std::string> setting_names();

// "1GB", "512MB", "64kB", "100" (bytes; units are powers of 1024, as in PostgreSQL). Errors: 22023.
std::int64_t parse_byte_size(std::string_view text);

}  // namespace saccade
