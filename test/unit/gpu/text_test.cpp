// The text of kernels: it reads like the plan, holds no literal, and NVRTC takes it for every architecture.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "execution/gpu/device_text.hpp"
#include "execution/gpu/emitter.hpp"
#include "execution/gpu/primitives/primitives.hpp"
#include "unit/gpu/device_run.hpp"
#include "unit/gpu/tpch_plans.hpp"

namespace saccade::test {
namespace {

std::string golden_path(const std::string& name) {
  return SACCADE_SOURCE_DIR "/test/unit/gpu/golden/" + name;
}

// SACCADE_WRITE_GOLDEN=1 writes the file instead: look at the difference before you keep it.
void expect_golden(const std::string& name, const std::string& text) {
  if (std::getenv("SACCADE_WRITE_GOLDEN") != nullptr) {
    std::ofstream(golden_path(name)) << text;
    return;
  }
  std::ifstream file(golden_path(name));
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text, golden.str()) << "run with SACCADE_WRITE_GOLDEN=1 if the change is wanted";
}

struct TpchPlans {
  std::shared_ptr<ArrayTable> customer = customer_table(150), orders = orders_table(1500, 150),
                              lineitem = lineitem_table(6000, {6000});
  physical::Plan q1 = q1_plan(*lineitem), q3 = q3_plan(*customer, *orders, *lineitem), q6 = q6_plan(*lineitem);
};

TEST(Text, LastPipelineOfQ3) {
  expect_golden("q3_pipeline.cu", gpu::emit_kernel(TpchPlans().q3, 2));
}
TEST(Text, Q1) {
  expect_golden("q1_pipeline.cu", gpu::emit_kernel(TpchPlans().q1, 0));
}
TEST(Text, Q6) {
  expect_golden("q6_pipeline.cu", gpu::emit_kernel(TpchPlans().q6, 0));
}

TEST(Text, LiteralsAreArguments) {
  TpchPlans plans;
  const gpu::EmittedKernel first = gpu::emit_pipeline(plans.q6, 0);
  for (physical::Literal& literal : plans.q6.pipelines[0].literals) literal.integer += 3;
  std::get<physical::Filter>(plans.q6.pipelines[0].steps[0]).text = "another condition";
  const gpu::EmittedKernel second = gpu::emit_pipeline(plans.q6, 0);
  EXPECT_EQ(first.source, second.source);
  EXPECT_NE(first.text, second.text);  // the comment alone
}

void expect_compiles(const std::string& source, int architecture) {
  const gpu::CompiledKernel kernel = gpu::compile_with_nvrtc(gpu::complete_source(source, 256), architecture);
  EXPECT_FALSE(kernel.cubin.empty());
}

class Nvrtc : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!gpu::nvrtc_available()) GTEST_SKIP() << "NVRTC is not installed";
  }
};

TEST_P(Nvrtc, PipelinesOfTpch) {
  const TpchPlans plans;
  for (const physical::Plan& plan : {plans.q1, plans.q3, plans.q6}) {
    for (const physical::Pipeline& pipeline : plan.pipelines)
      expect_compiles(gpu::emit_pipeline(plan, pipeline.id).source, GetParam());
  }
}

TEST_P(Nvrtc, FixedKernels) {
  for (const std::string& name : gpu::Primitives::names()) {
    expect_compiles(std::string(gpu::embedded_text("execution/gpu/primitives/" + name + ".cu")), GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, Nvrtc, testing::Values(80, 90, 100));

}  // namespace
}  // namespace saccade::test
