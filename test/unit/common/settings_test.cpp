#include "common/settings.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "common/error.hpp"

namespace saccade {
namespace {

std::string state_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.sqlstate();
  }
  return "no error";
}

TEST(Settings, AreSetAndShown) {
  Settings settings;
  set_setting(settings, "threads", "3");
  set_setting(settings, "memory_limit", "1536MB");
  set_setting(settings, "gpu_memory_limit", "2 GB");
  set_setting(settings, "device", "GPU-shim");
  set_setting(settings, "verify", "on");
  set_setting(settings, "kernel_cache", "/x y");
  EXPECT_EQ(settings.threads, 3);
  EXPECT_EQ(settings.memory_limit, 1536LL << 20);
  EXPECT_EQ(show_setting(settings, "threads"), "3");
  EXPECT_EQ(show_setting(settings, "memory_limit"), "1536MB");
  EXPECT_EQ(show_setting(settings, "gpu_memory_limit"), "2GB");
  EXPECT_EQ(show_setting(settings, "device"), "gpu-shim");
  EXPECT_EQ(show_setting(settings, "verify"), "on");
  EXPECT_EQ(show_setting(settings, "kernel_cache"), "/x y");
}

TEST(Settings, EveryNameCanBeShown) {
  for (const std::string& name : setting_names()) EXPECT_EQ(state_of([&] { show_setting({}, name); }), "no error") << name;
}

TEST(Settings, RefuseWhatIsUnknownOrOutOfRange) {
  Settings settings;
  EXPECT_EQ(state_of([&] { set_setting(settings, "thread", "1"); }), "42704");
  EXPECT_EQ(state_of([&] { show_setting(settings, ""); }), "42704");
  for (const char* value : {"", "-1", "1.5", "1025", "99999999999", "x", "1 "}) {
    EXPECT_EQ(state_of([&] { set_setting(settings, "threads", value); }), "22023") << value;
  }
  for (const char* value : {"", "-1", "1XB", "9999999999TB", "99999999999999999999", "GB", "1GBs"}) {
    EXPECT_EQ(state_of([&] { set_setting(settings, "memory_limit", value); }), "22023") << value;
  }
  EXPECT_EQ(state_of([&] { set_setting(settings, "device", "tpu"); }), "22023");
  EXPECT_EQ(state_of([&] { set_setting(settings, "verify", "perhaps"); }), "22023");
  EXPECT_EQ(settings.threads, 0);
  EXPECT_EQ(settings.memory_limit, 0);
}

TEST(ByteSize, UnitsArePowersOf1024) {
  EXPECT_EQ(parse_byte_size("100"), 100);
  EXPECT_EQ(parse_byte_size("64kB"), 64 << 10);
  EXPECT_EQ(parse_byte_size("512MB"), 512 << 20);
  EXPECT_EQ(parse_byte_size("1GB"), 1 << 30);
  EXPECT_EQ(parse_byte_size("3TB"), 3LL << 40);
}

}  // namespace
}  // namespace saccade
