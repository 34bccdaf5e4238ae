#include "common/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include "common/error.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kMaximumThreads = 1024;

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

[[noreturn]] void raise_invalid(std::string_view name, std::string_view value, const std::string& hint) {
  throw Error(sqlstate::kInvalidParameterValue, fmt::format("invalid value for parameter \"{}\": \"{}\"", name, value), 0,
              hint);
}

bool parse_switch(std::string_view name, std::string_view value) {
  const std::string word = lower(value);
  if (word == "on" || word == "true" || word == "yes" || word == "1") return true;
  if (word == "off" || word == "false" || word == "no" || word == "0") return false;
  raise_invalid(name, value, "Available values: on, off.");
}

int parse_threads(std::string_view name, std::string_view value) {
  int threads = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), threads);
  if (error != std::errc() || end != value.data() + value.size() || threads < 0 || threads > kMaximumThreads) {
    raise_invalid(name, value, fmt::format("Give a number from 0 (one per core) to {}.", kMaximumThreads));
  }
  return threads;
}

Device parse_device(std::string_view name, std::string_view value) {
  const std::string word = lower(value);
  for (const Device device : {Device::kCpu, Device::kGpu, Device::kGpuShim}) {
    if (word == to_string(device)) return device;
  }
  raise_invalid(name, value, "Available values: cpu, gpu, gpu-shim.");
}

constexpr std::array<std::pair<std::string_view, int>, 6> kUnits = {
    {{"", 0}, {"b", 0}, {"kb", 10}, {"mb", 20}, {"gb", 30}, {"tb", 40}}};

std::string byte_size_text(std::int64_t bytes) {
  if (bytes == 0) return "0";
  constexpr std::array<std::pair<std::string_view, int>, 4> kNames = {{{"TB", 40}, {"GB", 30}, {"MB", 20}, {"kB", 10}}};
  for (const auto& [name, shift] : kNames) {
    if ((bytes & ((std::int64_t{1} << shift) - 1)) == 0) return fmt::format("{}{}", bytes >> shift, name);
  }
  return std::to_string(bytes);
}

}  // namespace

std::string_view to_string(Device device) {
  switch (device) {
    case Device::kCpu:
      return "cpu";
    case Device::kGpu:
      return "gpu";
    case Device::kGpuShim:
      return "gpu-shim";
  }
  raise_internal("a known device", __FILE__, __LINE__);
}

std::int64_t parse_byte_size(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (error == std::errc() && number >= 0) {
    for (const auto& [name, shift] : kUnits) {
      if (lower(unit) == name && number <= (INT64_MAX >> shift)) return number << shift;
    }
  }
  throw Error(sqlstate::kInvalidParameterValue, fmt::format("invalid size: \"{}\"", text), 0,
              "Give a number of bytes, or one with a unit: kB, MB, GB, TB.");
}

void set_setting(Settings& settings, std::string_view name, std::string_view value) {
  if (name == "threads") {
    settings.threads = parse_threads(name, value);
  } else if (name == "memory_limit") {
    settings.memory_limit = parse_byte_size(value);
  } else if (name == "gpu_memory_limit") {
    settings.gpu_memory_limit = parse_byte_size(value);
  } else if (name == "device") {
    settings.device = parse_device(name, value);
  } else if (name == "gpu_fallback") {
    settings.gpu_fallback = parse_switch(name, value);
  } else if (name == "verify") {
    settings.verify = parse_switch(name, value);
  } else if (name == "timezone") {
    settings.time_zone = std::string(value);
  } else if (name == "kernel_cache") {
    settings.kernel_cache = std::string(value);
  } else {
    show_setting(settings, name);  // raises the error of an unknown name
  }
}

std::string show_setting(const Settings& settings, std::string_view name) {
  if (name == "threads") return std::to_string(settings.threads);
  if (name == "memory_limit") return byte_size_text(settings.memory_limit);
  if (name == "gpu_memory_limit") return byte_size_text(settings.gpu_memory_limit);
  if (name == "device") return std::string(to_string(settings.device));
  if (name == "gpu_fallback") return settings.gpu_fallback ? "on" : "off";
  if (name == "verify") return settings.verify ? "on" : "off";
  if (name == "timezone") return settings.time_zone;
  if (name == "kernel_cache") return settings.kernel_cache;
  throw Error(sqlstate::kUndefinedObject, fmt::format("unrecognized configuration parameter \"{}\"", name), 0,
              fmt::format("Known parameters: {}.", fmt::join(setting_names(), ", ")));
}

std::string describe_setting(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kDescriptions = {
      {{"device", "where queries run: cpu, gpu or gpu-shim"},
       {"gpu_fallback", "whether what a GPU can't run runs on the CPU"},
       {"gpu_memory_limit", "bytes of device memory; 0: 90 % of what is free at the start"},
       {"kernel_cache", "folder of compiled kernels"},
       {"memory_limit", "bytes for all tables and queries; 0: 80 % of the machine's memory"},
       {"threads", "workers of each rank; 0: one per core"},
       {"timezone", "the zone in which times with a zone are read and shown"},
       {"verify", "whether columns and batches assert their invariants"}}};
  for (const auto& [known, description] : kDescriptions) {
    if (known == name) return std::string(description);
  }
  show_setting({}, name);  // raises the error of an unknown name
  return {};
}

std::vector<std::string> setting_names() {
  return {"device", "gpu_fallback", "gpu_memory_limit", "kernel_cache", "memory_limit", "threads", "timezone", "verify"};
}

}  // namespace saccade
