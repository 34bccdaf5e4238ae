#include "execution/gpu/nvrtc_compiler.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "common/error.hpp"

namespace saccade::gpu {
namespace {

constexpr const char* kKernel = R"(
struct Arguments { const int* in; long long* out; long long rows; };
template <class T> T twice(T value) { return value + value; }
extern "C" __global__ void kernel(Arguments a) {
  __int128 sum = 0;
  for (long long i = threadIdx.x; i < a.rows; i += blockDim.x) sum += twice(a.in[i]);
  atomicAdd(reinterpret_cast<unsigned long long*>(a.out), static_cast<unsigned long long>(sum));
}
)";

class Nvrtc : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!nvrtc_available()) GTEST_SKIP() << "libnvrtc is not installed";
  }
};

TEST_P(Nvrtc, CompilesAKernelForTheArchitecture) {
  const CompiledKernel kernel = compile_with_nvrtc(kKernel, GetParam());
  ASSERT_GT(kernel.cubin.size(), 100U);
  EXPECT_EQ(std::string(kernel.cubin.data() + 1, 3), "ELF");
  EXPECT_GT(kernel.seconds, 0);
}

INSTANTIATE_TEST_SUITE_P(Architectures, Nvrtc, testing::Values(80, 90, 100));

TEST_F(Nvrtc, AFaultOfTheEmitterIsInternalAndCarriesTheLog) {
  try {
    compile_with_nvrtc("extern \"C\" __global__ void kernel() { undeclared = 1; }", 90);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "XX000");
    EXPECT_NE(std::string(error.what()).find("undeclared"), std::string::npos);
  }
}

TEST_F(Nvrtc, AnUnknownArchitectureIsAClearError) {
  try {
    compile_with_nvrtc(kKernel, 12);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "58000");
    EXPECT_NE(std::string(error.what()).find("can't compile for sm_12"), std::string::npos);
  }
}

}  // namespace
}  // namespace saccade::gpu
