#include "execution/gpu/gpu_backend.hpp"

#include <chrono>
#include <list>

#include "execution/gpu/device_text.hpp"
#include "execution/gpu/gpu_backend_run.hpp"

namespace saccade {

namespace {

using namespace gpu;

// The kernels of one plan, by pipeline; host pipelines have none.
struct PlanKernels {
  physical::Plan plan;
  std::vector<EmittedKernel> emitted;
  std::vector<const Kernel*> kernels;
};

class GpuBackend final : public Backend {
 public:
  GpuBackend(std::string name, std::unique_ptr<DeviceRuntime> runtime, std::shared_ptr<Residency> residency)
      : name_(std::move(name)), runtime_(std::move(runtime)), residency_(std::move(residency)), primitives_(*runtime_) {}
  ~GpuBackend() override { residency_->forget(*runtime_); }

  std::string name() const override { return name_; }

  std::shared_ptr<PipelineOutput> run(const physical::Pipeline& pipeline, RunState& state, PipelineProfile& profile) override {
    const auto start = std::chrono::steady_clock::now();
    const RuntimeCounters before = runtime_->counters();
    const PlanKernels& plan = kernels_of(state.plan);
    const auto index = static_cast<std::size_t>(pipeline.id);
    GpuPipelineRun run({*runtime_, primitives_, *residency_}, plan.emitted.at(index), plan.kernels.at(index), pipeline, state,
                       profile);
    std::shared_ptr<PipelineOutput> output = run.run();
    const RuntimeCounters after = runtime_->counters();
    profile.pipeline = pipeline.id;
    profile.rank = state.rank;
    profile.device = name_;
    profile.launches = after.launches - before.launches;
    profile.synchronisations = after.synchronisations - before.synchronisations;
    profile.allocations = after.allocations - before.allocations;
    profile.compilations = after.compilations - before.compilations;
    profile.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return output;
  }

 private:
  static constexpr std::size_t kMostPlans = 16;

  const PlanKernels& kernels_of(const physical::Plan& plan) {
    for (auto known = plans_.begin(); known != plans_.end(); ++known) {
      if (!(known->plan == plan)) continue;
      plans_.splice(plans_.begin(), plans_, known);
      return plans_.front();
    }
    plans_.push_front(compile(plan));
    if (plans_.size() > kMostPlans) plans_.pop_back();
    return plans_.front();
  }

  // All pipelines of the plan at the same time, and with the first plan the fixed kernels.
  PlanKernels compile(const physical::Plan& plan) {
    PlanKernels result{plan, {}, {}};
    std::vector<std::string> sources, names;
    std::vector<std::size_t> at;
    result.emitted.resize(plan.pipelines.size());
    result.kernels.resize(plan.pipelines.size());
    for (std::size_t i = 0; i < plan.pipelines.size(); ++i) {
      if (plan.pipelines[i].placement == physical::Placement::kHost) continue;
      result.emitted[i] = emit_pipeline(plan, static_cast<int>(i));
      sources.push_back(complete_source(result.emitted[i].source, runtime_->properties().block_threads));
      names.push_back(result.emitted[i].name);
      at.push_back(i);
    }
    const bool first = !primitives_.ready();
    if (first) {
      for (std::string& source : primitives_.sources()) sources.push_back(std::move(source));
      for (std::string& name : Primitives::names()) names.push_back(std::move(name));
    }
    const std::vector<const Kernel*> kernels = runtime_->compile(sources, names);
    for (std::size_t i = 0; i < at.size(); ++i) result.kernels[at[i]] = kernels[i];
    if (first) primitives_.set_kernels({kernels.begin() + static_cast<std::ptrdiff_t>(at.size()), kernels.end()});
    return result;
  }

  std::string name_;
  std::unique_ptr<DeviceRuntime> runtime_;
  std::shared_ptr<Residency> residency_;
  Primitives primitives_;
  std::list<PlanKernels> plans_;  // most recently used first
};

}  // namespace

std::unique_ptr<Backend> make_gpu_backend(std::string name, std::unique_ptr<gpu::DeviceRuntime> runtime,
                                          std::shared_ptr<gpu::Residency> residency) {
  return std::make_unique<GpuBackend>(std::move(name), std::move(runtime), std::move(residency));
}

}  // namespace saccade
