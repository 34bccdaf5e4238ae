#include "execution/gpu/cuda_runtime.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "common/error.hpp"

namespace saccade::gpu {
namespace {

bool driver_available() {
  try {
    cuda::driver();
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST(CudaRuntime, WithoutADriverTheErrorSaysWhatToDo) {
  if (driver_available()) GTEST_SKIP() << "there is a driver here";
  try {
    make_cuda_runtime(0, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "58000");
    EXPECT_EQ(std::string(error.what()).rfind("no GPU can be used", 0), 0U) << error.what();
    EXPECT_NE(error.hint().find("SET device = cpu"), std::string::npos);
  }
}

TEST(CudaRuntime, AGpuThatIsNotThereIsAClearError) {
  if (!driver_available()) GTEST_SKIP() << "no driver here";
  for (const int device : {-1, 1000}) {
    try {
      make_cuda_runtime(device, {});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.sqlstate(), "58000");
      EXPECT_EQ(std::string(error.what()).rfind("there is no GPU", 0), 0U) << error.what();
    }
  }
}

class OnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!driver_available()) GTEST_SKIP() << "no driver here";
    runtime_ = make_cuda_runtime(0, {});
  }
  std::unique_ptr<DeviceRuntime> runtime_;
};

TEST_F(OnGpu, WhatIsUploadedComesBack) {
  // Lengths around the halves of the staging memory.
  for (const std::int64_t words : {1LL, 1000LL, (4LL << 20) - 1, 4LL << 20, (4LL << 20) + 1, 20LL << 20}) {
    std::vector<std::uint32_t> sent(static_cast<std::size_t>(words)), received(sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::uint32_t>(i * 2654435761U);
    const DeviceAddress address = runtime_->allocate(words * 4);
    runtime_->upload(address, sent.data(), words * 4);
    runtime_->download(received.data(), address, words * 4);
    EXPECT_EQ(sent, received);
    runtime_->free(address);
  }
}

TEST_F(OnGpu, FillsBytesAndWords) {
  const std::int64_t words = 3'000'001;
  const DeviceAddress address = runtime_->allocate(words * 8);
  std::vector<std::uint64_t> received(static_cast<std::size_t>(words));
  for (const std::uint64_t word : {std::uint64_t{0}, std::uint64_t{0x8000000000000000}, std::uint64_t{0x1234567812345678}}) {
    runtime_->fill(address, 0xee, words * 8);
    runtime_->fill_words(address, word, words - 1);
    runtime_->download(received.data(), address, words * 8);
    for (std::size_t i = 0; i + 1 < received.size(); ++i) ASSERT_EQ(received[i], word) << i;
    EXPECT_EQ(received.back(), 0xeeeeeeeeeeeeeeee);
  }
}

TEST_F(OnGpu, LaunchesAKernelWithLargeSharedMemory) {
  const std::string source = R"(
struct Arguments { int* out; int factor; };
extern "C" __global__ void kernel(Arguments a) {
  extern __shared__ int scratch[];
  for (int i = threadIdx.x; i < 20000; i += blockDim.x) scratch[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) a.out[blockIdx.x] = scratch[19999 - blockIdx.x] * a.factor;
}
)";
  const std::string name = "kernel";
  const auto kernels = runtime_->compile({&source, 1}, {&name, 1});
  EXPECT_EQ(runtime_->compile({&source, 1}, {&name, 1}), kernels);
  struct Arguments {
    DeviceAddress out;
    int factor;
  } arguments{runtime_->allocate(16), 3};
  runtime_->launch(kernels[0], 4, 64, 80000, &arguments, sizeof arguments);
  std::vector<int> out(4);
  runtime_->download(out.data(), arguments.out, 16);
  EXPECT_EQ(out, (std::vector<int>{3 * 19999, 3 * 19998, 3 * 19997, 3 * 19996}));
  EXPECT_EQ(runtime_->counters().launches, 1);
}

TEST_F(OnGpu, AWarmRoundAllocatesNothing) {
  const auto round = [&] {
    const DeviceAddress one = runtime_->allocate(1000), other = runtime_->allocate(40 << 20);
    runtime_->fill(one, 0, 1000);
    char byte = 1;
    runtime_->download(&byte, one, 1);
    EXPECT_EQ(byte, 0);
    runtime_->free(one);
    runtime_->free(other);
  };
  round();
  const RuntimeCounters before = runtime_->counters();
  round();
  const RuntimeCounters after = runtime_->counters();
  EXPECT_EQ(after.allocations, before.allocations);
  EXPECT_EQ(after.synchronisations, before.synchronisations + 1);
}

}  // namespace
}  // namespace saccade::gpu
