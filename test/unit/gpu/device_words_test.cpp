// The words of device/*.cuh that wait at barriers or meet in collectives, alone, under many schedules of the shim: a missing
// barrier gives a wrong number under some of them. And what the shim says of threads that miss each other.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "execution/gpu/device_text.hpp"
#include "execution/gpu/primitives/primitives.hpp"
#include "unit/gpu/device_run.hpp"

namespace saccade::test {
namespace {

constexpr std::uint64_t kSeeds = 20;
constexpr int kThreads = 64;

// Runs a kernel `test_kernel(TestArguments a)` whose body is given; a.in and a.out are words.
class WordKernel {
 public:
  WordKernel(const std::string& body, std::uint64_t seed) : runtime_(gpu::make_shim_runtime(shim_settings(), seed)) {
    const std::string text =
        "#include \"execution/gpu/device/aggregate.cuh\"\nusing namespace saccade;\n"
        "struct TestArguments { const u64* in; u64* out; };\n"
        "extern \"C\" __global__ void test_kernel(TestArguments a) {\n" +
        body + "}\n";
    const std::string source = gpu::complete_source(text, kThreads);
    const std::string name = "test_kernel";
    kernel_ = runtime_->compile({&source, 1}, {&name, 1}).front();
  }

  std::vector<std::uint64_t> run(const std::vector<std::uint64_t>& in, std::size_t out_words, int blocks,
                                 std::int64_t shared = 0) {
    const gpu::DeviceMemory input(*runtime_, static_cast<std::int64_t>(in.size() * 8));
    const gpu::DeviceMemory output(*runtime_, static_cast<std::int64_t>(out_words * 8));
    runtime_->upload(input.address(), in.data(), static_cast<std::int64_t>(in.size() * 8));
    runtime_->fill(output.address(), 0, static_cast<std::int64_t>(out_words * 8));
    const gpu::DeviceAddress arguments[2] = {input.address(), output.address()};
    runtime_->launch(kernel_, blocks, kThreads, shared, arguments, sizeof(arguments));
    std::vector<std::uint64_t> out(out_words);
    runtime_->download(out.data(), output.address(), static_cast<std::int64_t>(out_words * 8));
    return out;
  }

 private:
  std::unique_ptr<gpu::DeviceRuntime> runtime_;
  const gpu::Kernel* kernel_ = nullptr;
};

std::vector<std::uint64_t> numbers(std::size_t count) {
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(i * i + 3 * i + 1);
  return values;
}

TEST(DeviceWords, BlockMergeSeveralTimesInARow) {
  const std::vector<std::uint64_t> in = numbers(kThreads);
  std::uint64_t sum = 0;
  for (const std::uint64_t value : in) sum += value;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    WordKernel kernel(
        "  for (int i = 0; i < 4; ++i) {\n"
        "    const i64 merged = block_merge<Sum<i64>>(static_cast<i64>(a.in[threadIdx.x]) * (i + 1));\n"
        "    if (threadIdx.x == 0) a.out[4 * blockIdx.x + i] = merged;\n"
        "  }\n",
        seed);
    const std::vector<std::uint64_t> expected{sum, 2 * sum, 3 * sum, 4 * sum, sum, 2 * sum, 3 * sum, 4 * sum};
    ASSERT_EQ(kernel.run(in, 8, 2), expected) << "seed " << seed;
  }
}

TEST(DeviceWords, BlockExclusiveSumSeveralTimesInARow) {
  const std::vector<std::uint64_t> in = numbers(3 * kThreads);
  std::vector<std::uint64_t> expected;
  std::uint64_t sum = 0;
  for (const std::uint64_t value : in) {
    expected.push_back(sum);
    sum += value;
  }
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    WordKernel kernel(
        "  u64 base = 0;\n"
        "  for (int i = 0; i < 3; ++i) {\n"
        "    u64 total = 0;\n"
        "    const u64 below = block_exclusive_sum(a.in[i * kBlockThreads + threadIdx.x], total);\n"
        "    a.out[i * kBlockThreads + threadIdx.x] = base + below;\n"
        "    base += total;\n"
        "  }\n",
        seed);
    ASSERT_EQ(kernel.run(in, in.size(), 1), expected) << "seed " << seed;
  }
}

TEST(DeviceWords, ThreadGroupsAreMergedWhenAllThreadsHaveAdded) {
  const std::vector<std::uint64_t> in = numbers(kThreads * 8);
  std::vector<std::uint64_t> expected(3, 0);
  for (const std::uint64_t value : in) expected[value % 3] += value;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    WordKernel kernel(
        "  ThreadGroups<1> groups(3);\n"
        "  ThreadStates<Sum<i64>, 1, 0> sum(groups);\n"
        "  Status status{};\n"
        "  for (Tile tile(kBlockThreads * kItems, &status); tile.valid(); tile.next()) {\n"
        "    auto value = tile.load(Column<i64, i64>{reinterpret_cast<const i64*>(a.in), 0, nullptr});\n"
        "    sum.add(groups.cells(tile, lift<Values<int>>(kAllItems, [&](int i) { return int(item(value, i) % 3); })), "
        "value);\n"
        "  }\n"
        "  groups.ready();\n"
        "  sum.finish(States<i64>{reinterpret_cast<i64*>(a.out), nullptr});\n",
        seed);
    ASSERT_EQ(kernel.run(in, 3, 1, 8 * 4 * kThreads), expected) << "seed " << seed;
  }
}

// More groups than threads: every thread fills, adds to and finishes groups of others.
TEST(DeviceWords, BlockStatesAreFilledAddedToAndFinishedInTurn) {
  const std::vector<std::uint64_t> in = numbers(kThreads * 8);
  std::vector<std::uint64_t> expected(100, 0);
  for (const std::uint64_t value : in) expected[value % 100] += value;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    WordKernel kernel(
        "  BlockStates<Sum<i64>> sum(100, 0);\n"
        "  block_ready();\n"
        "  Status status{};\n"
        "  for (Tile tile(kBlockThreads * kItems, &status); tile.valid(); tile.next()) {\n"
        "    auto value = tile.load(Column<i64, i64>{reinterpret_cast<const i64*>(a.in), 0, nullptr});\n"
        "    auto group = lift<Values<int>>(kAllItems, [&](int i) { return int(item(value, i) % 100); });\n"
        "    tile.add<Sum<i64>>(sum.states(), group, value);\n"
        "  }\n"
        "  block_ready();\n"
        "  sum.finish(States<i64>{reinterpret_cast<i64*>(a.out), nullptr});\n",
        seed);
    ASSERT_EQ(kernel.run(in, 100, 1, 800), expected) << "seed " << seed;
  }
}

TEST(DeviceWords, RanksOfADenseBuild) {
  constexpr std::int64_t kEntries = 5000;
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> entries(2 * kEntries), expected(2 * kEntries);
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    entries[i] = expected[i] = random() & random();
    entries[i + 1] = 0;
    expected[i + 1] = rank;
    rank += static_cast<std::uint64_t>(std::popcount(entries[i]));
  }
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto runtime = gpu::make_shim_runtime(shim_settings(), seed);
    gpu::Primitives primitives(*runtime);
    const std::vector<std::string> sources = primitives.sources(), names = gpu::Primitives::names();
    primitives.set_kernels(runtime->compile(sources, names));
    const gpu::DeviceMemory memory(*runtime, kEntries * 16), sums(*runtime, gpu::Primitives::kRankBlocks * 8);
    runtime->upload(memory.address(), entries.data(), kEntries * 16);
    primitives.rank(memory.address(), kEntries, sums.address());
    std::vector<std::uint64_t> ranked(entries.size());
    runtime->download(ranked.data(), memory.address(), kEntries * 16);
    ASSERT_EQ(ranked, expected) << "seed " << seed;
  }
}

TEST(Shim, ThreadsThatMissEachOtherEndInAnError) {
  const std::vector<std::uint64_t> in = numbers(kThreads);
  const auto expect_error = [&](const std::string& body, const std::string& part) {
    try {
      WordKernel(body, 1).run(in, 1, 1);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  expect_error("  if (threadIdx.x < 40) __syncthreads();\n", "wait for each other");
  expect_error("  if (threadIdx.x < 40) __syncwarp();\n", "wait for each other");
  expect_error("  if (threadIdx.x % 2 == 0) { __syncwarp(); } else { __any_sync(kFullWarp, 1); }\n", "different collectives");
  expect_error("  __any_sync(0xff, 1);\n", "part of a warp");
}

TEST(Shim, ATextThatDoesNotCompileIsAnErrorWithTheCompilersWords) {
  try {
    WordKernel("  no_such_word();\n", 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no_such_word"), std::string::npos);
  }
}

}  // namespace
}  // namespace saccade::test
