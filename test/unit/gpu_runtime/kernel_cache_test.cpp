#include "execution/gpu/kernel_cache.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "common/error.hpp"

namespace saccade::gpu {
namespace {

namespace fs = std::filesystem;

class KernelCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "saccade_kernels_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  // A stand-in for the compiler, whose "cubin" tells what it was made from.
  KernelCache cache(const std::string& identity = "compiler 1") {
    return {folder_ / "kernels", identity, [this, identity](const std::string& source, int architecture) {
              ++compilations_;
              if (source == "broken") throw Error(sqlstate::kInternalError, "does not compile");
              const std::string text = identity + std::to_string(architecture) + source;
              return std::vector<char>(text.begin(), text.end());
            }};
  }
  static std::string text(const KernelCache::Found& found) { return {found.cubin->begin(), found.cubin->end()}; }
  static KernelCache::Found get(KernelCache& cache, const std::string& source, int architecture = 90) {
    return cache.get({&source, 1}, architecture).front();
  }
  // Entries and leftovers.
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_ / "kernels"), fs::directory_iterator()));
  }

  fs::path folder_;
  std::atomic<int> compilations_{0};
};

TEST_F(KernelCacheTest, CompilesOnceAndServesFromMemoryThenFromDisk) {
  KernelCache first = cache();
  EXPECT_TRUE(get(first, "a").compiled);
  EXPECT_FALSE(get(first, "a").compiled);
  KernelCache second = cache();
  const KernelCache::Found found = get(second, "a");
  EXPECT_FALSE(found.compiled);
  EXPECT_EQ(text(found), "compiler 190a");
  EXPECT_EQ(compilations_, 1);
  EXPECT_EQ(files(), 1U);
}

TEST_F(KernelCacheTest, SourceArchitectureAndCompilerAreAllPartOfTheKey) {
  KernelCache one = cache();
  KernelCache other = cache("compiler 2");
  EXPECT_EQ(text(get(one, "a", 80)), "compiler 180a");
  EXPECT_EQ(text(get(one, "a", 90)), "compiler 190a");
  EXPECT_EQ(text(get(one, "b", 90)), "compiler 190b");
  EXPECT_EQ(text(get(other, "a", 90)), "compiler 290a");
  EXPECT_EQ(compilations_, 4);
}

TEST_F(KernelCacheTest, ADamagedEntryIsRebuilt) {
  {
    KernelCache first = cache();
    get(first, "a");
  }
  const fs::path file = cache().file_of("a", 90);
  const auto size = fs::file_size(file);
  // Every byte of the file, flipped in turn, then every shorter length.
  for (std::uintmax_t at = 0; at < size; ++at) {
    {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(static_cast<std::streamoff>(at));
      const char byte = static_cast<char>(stream.get());
      stream.seekp(static_cast<std::streamoff>(at));
      stream.put(static_cast<char>(byte ^ 0x20));
    }
    KernelCache damaged = cache();
    const KernelCache::Found found = get(damaged, "a");
    ASSERT_TRUE(found.compiled) << "byte " << at;
    ASSERT_EQ(text(found), "compiler 190a");
  }
  for (std::uintmax_t length = 0; length < size; ++length) {
    fs::resize_file(file, length);
    KernelCache cut = cache();
    ASSERT_TRUE(get(cut, "a").compiled) << "length " << length;
  }
  KernelCache repaired = cache();
  EXPECT_FALSE(get(repaired, "a").compiled);
}

TEST_F(KernelCacheTest, AFolderThatCantBeWrittenCostsOnlyTime) {
  std::ofstream(folder_ / "kernels") << "a file where the folder should be";
  KernelCache blocked = cache();
  EXPECT_TRUE(get(blocked, "a").compiled);
  EXPECT_EQ(text(get(blocked, "a")), "compiler 190a");
  EXPECT_EQ(compilations_, 1);
}

TEST_F(KernelCacheTest, AnErrorOfTheCompilerIsRaisedAndNotKept) {
  KernelCache failing = cache();
  const std::vector<std::string> sources = {"a", "broken", "b"};
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      failing.get(sources, 90);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.sqlstate(), "XX000");
    }
  }
  EXPECT_EQ(compilations_, 4);  // "broken" twice, the others once
}

TEST_F(KernelCacheTest, ThreadsThatAskForTheSameTextsCompileThemOnce) {
  KernelCache shared = cache();
  std::vector<std::string> sources;
  for (int i = 0; i < 20; ++i) sources.push_back("kernel " + std::to_string(i));
  std::vector<std::jthread> ranks;
  for (int rank = 0; rank < 4; ++rank) {
    ranks.emplace_back([&] {
      const auto found = shared.get(sources, 90);
      for (std::size_t i = 0; i < sources.size(); ++i) EXPECT_EQ(text(found[i]), "compiler 190" + sources[i]);
    });
  }
  ranks.clear();
  EXPECT_EQ(compilations_, 20);
  EXPECT_EQ(files(), 20U);
}

TEST_F(KernelCacheTest, FolderFollowsTheSettingThenXdgThenHome) {
  Settings settings;
  settings.kernel_cache = "/somewhere";
  EXPECT_EQ(kernel_cache_folder(settings), "/somewhere");
  settings.kernel_cache.clear();
  setenv("XDG_CACHE_HOME", "/x", 1);
  EXPECT_EQ(kernel_cache_folder(settings), "/x/saccade");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(kernel_cache_folder(settings), "/home/someone/.cache/saccade");
  unsetenv("HOME");
  EXPECT_EQ(kernel_cache_folder(settings), "");
}

}  // namespace
}  // namespace saccade::gpu
