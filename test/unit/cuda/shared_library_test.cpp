#include "cuda/shared_library.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "common/error.hpp"

namespace saccade::cuda {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "SACCADE_TEST_LIBRARY";

// The math library stands for NVIDIA's.
class SharedLibraryTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "saccade_library_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    unsetenv(kVariable);
    fs::remove_all(folder_);
  }
  std::optional<SharedLibrary> find(const std::string& place, std::vector<std::string> names = {"libm.so.6"}) {
    if (!place.empty()) setenv(kVariable, place.c_str(), 1);
    return SharedLibrary::find({"arithmetic", std::move(names), kVariable}, reason_);
  }
  // A folder with the library under another name.
  void install(const fs::path& folder, const std::string& name) {
    const auto library = find("");
    ASSERT_TRUE(library.has_value());
    fs::create_directories(folder);
    for (const char* place : {"/lib/x86_64-linux-gnu/libm.so.6", "/lib64/libm.so.6", "/usr/lib/aarch64-linux-gnu/libm.so.6"}) {
      if (fs::exists(place)) {
        fs::copy_file(place, folder / name);
        return;
      }
    }
    GTEST_SKIP() << "no libm.so.6 in a known place";
  }

  fs::path folder_;
  std::string reason_;
};

TEST_F(SharedLibraryTest, FoundByTheLoaderAndItsFunctionsCalled) {
  const auto library = find("", {"libnothing.so.1", "libm.so.6"});
  ASSERT_TRUE(library.has_value());
  double (*cosine)(double) = nullptr;
  library->resolve("cos", cosine);
  EXPECT_EQ(cosine(0.0), 1.0);
  try {
    library->resolve("cosine_of_the_future", cosine);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "58000");
    EXPECT_STREQ(error.what(), "libm.so.6 has no function cosine_of_the_future");
  }
}

TEST_F(SharedLibraryTest, TheVariableNamesAFileAFolderOrAPythonEnvironment) {
  install(folder_ / "lib" / "python3.11" / "site-packages" / "nvidia" / "cu13" / "lib", "libarithmetic.so.1");
  if (IsSkipped()) return;
  const fs::path package = folder_ / "lib" / "python3.11" / "site-packages" / "nvidia" / "cu13" / "lib";
  for (const fs::path& place : {folder_, package, package / "libarithmetic.so.1"}) {
    const auto library = find(place.string(), {"libarithmetic.so.2", "libarithmetic.so.1"});
    ASSERT_TRUE(library.has_value()) << place << ": " << reason_;
    EXPECT_EQ(library->path(), (package / "libarithmetic.so.1").string());
  }
}

TEST_F(SharedLibraryTest, AVariableThatNamesNoLibraryIsNotPassedOver) {
  EXPECT_FALSE(find(folder_.string()).has_value());
  EXPECT_EQ(reason_, std::string(kVariable) + "=" + folder_.string() + " names no arithmetic library");
  EXPECT_FALSE(find((folder_ / "missing.so").string()).has_value());
  EXPECT_NE(reason_.find("missing.so"), std::string::npos);
}

TEST_F(SharedLibraryTest, TheReasonSaysWhereItWasLookedFor) {
  EXPECT_FALSE(find("", {"libnothing.so.1"}).has_value());
  EXPECT_EQ(reason_, "libnothing.so.1 was not found by the loader or in /usr/local/cuda/lib64");
}

}  // namespace
}  // namespace saccade::cuda
