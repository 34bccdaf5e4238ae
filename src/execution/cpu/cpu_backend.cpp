#include "execution/cpu/cpu_backend.hpp"

#include <utility>

#include "common/error.hpp"
#include "execution/cpu/operators/operator.hpp"

namespace saccade {
namespace {

using namespace cpu;

std::vector<std::unique_ptr<Step>> make_steps(PipelineRun& run) {
  std::vector<std::unique_ptr<Step>> steps;
  std::vector<const physical::Filter*> filters;
  const auto close_filters = [&] {
    if (!filters.empty()) steps.push_back(make_filter(std::exchange(filters, {}), run));
  };
  for (const physical::Step& step : run.pipeline.steps) {
    if (const auto* filter = std::get_if<physical::Filter>(&step)) {
      filters.push_back(filter);
      continue;
    }
    close_filters();
    if (const auto* compute = std::get_if<physical::Compute>(&step)) {
      steps.push_back(make_compute(*compute, run));
    } else if (const auto* repeat = std::get_if<physical::Repeat>(&step)) {
      steps.push_back(make_repeat(*repeat, run));
    } else {
      steps.push_back(make_probe(std::get<physical::Probe>(step), run));
    }
  }
  close_filters();
  return steps;
}

std::unique_ptr<Sink> make_sink(const physical::Sink& sink, PipelineRun& run) {
  if (const auto* build = std::get_if<physical::JoinBuild>(&sink)) return make_join_build(*build, run);
  if (const auto* aggregation = std::get_if<physical::Aggregation>(&sink)) return make_aggregation(*aggregation, run);
  if (const auto* sort = std::get_if<physical::Sort>(&sink)) return make_sort(*sort, run);
  if (const auto* exchange = std::get_if<physical::Exchange>(&sink)) return make_collect(exchange->output, exchange->keys, run);
  if (const auto* result = std::get_if<physical::Result>(&sink)) return make_collect(result->output, {}, run);
  if (const auto* collect = std::get_if<physical::Collect>(&sink)) return make_collect(collect->output, {}, run);
  if (const auto* window = std::get_if<physical::Window>(&sink)) return make_window(*window, run);
  return make_collect(std::get<physical::Insert>(sink).output, {}, run);
}

// Steps and sink of a pipeline, ready to run; each slot's last use is known.
struct Operators {
  std::vector<std::unique_ptr<Step>> steps;
  std::unique_ptr<Sink> sink;
  std::vector<std::string> names;        // of the plan's steps
  std::vector<std::size_t> first_names;  // by step

  explicit Operators(PipelineRun& run) {
    steps = make_steps(run);
    sink = make_sink(run.pipeline.sink, run);
    for (const auto& step : steps) {
      first_names.push_back(names.size());
      for (std::string& name : step->names()) names.push_back(std::move(name));
    }
    std::vector<bool> live(run.program.slot_count(), false);
    sink->mark_slots(live);
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      (*step)->set_live(live);
      (*step)->mark_slots(live);
    }
  }
};

// One worker: morsels from the source through the steps into the sink.
class Worker {
 public:
  Worker(int number, PipelineRun& run, Operators& operators, MorselSource& source)
      : number_(number),
        run_(run),
        operators_(operators),
        source_(source),
        arena_(run.memory()),
        step_rows_(operators.names.size(), 0) {
    for (std::size_t i = 0; i <= operators.steps.size(); ++i) continuations_.emplace_back(this, i);
  }

  void work() {
    Batch batch(run_.program, arena_);
    while (!run_.pool.failed() && !operators_.sink->satisfied() && source_.next(morsel_)) {
      run_.check_cancelled();
      rows_in_ += morsel_.count;
      for (std::int64_t done = 0; done < morsel_.count; done += kBatchRows) {
        arena_.release({});
        batch.reset(morsel_.chunk->sources, morsel_.place.begin + done, std::min(kBatchRows, morsel_.count - done));
        continuations_[0](batch);
      }
      if (run_.state.rank == 0 && run_.state.query.progress != nullptr) run_.state.query.progress->add_rows(morsel_.count);
    }
    bytes_ = batch.bytes_touched();
  }

  std::int64_t rows_in() const { return rows_in_; }
  std::int64_t bytes() const { return bytes_; }
  const std::vector<std::int64_t>& step_rows() const { return step_rows_; }

 private:
  class Next : public Continuation {
   public:
    Next(Worker* worker, std::size_t step) : worker_(worker), step_(step) {}
    bool satisfied() const override { return worker_->operators_.sink->satisfied(); }
    void operator()(Batch& batch) const override {
      const Operators& operators = worker_->operators_;
      if (step_ < operators.steps.size()) {
        std::int64_t* rows_left = worker_->step_rows_.data() + operators.first_names[step_];
        operators.steps[step_]->run(batch, rows_left, worker_->continuations_[step_ + 1]);
      } else {
        operators.sink->consume(worker_->number_, batch, worker_->morsel_.place);
      }
    }

   private:
    Worker* worker_;
    std::size_t step_;
  };

  int number_;
  PipelineRun& run_;
  Operators& operators_;
  MorselSource& source_;
  Arena arena_;
  Morsel morsel_;
  std::vector<Next> continuations_;
  std::vector<std::int64_t> step_rows_;
  std::int64_t rows_in_ = 0;
  std::int64_t bytes_ = 0;
};

void fill_profile(PipelineProfile& profile, const std::vector<std::unique_ptr<Worker>>& workers, const Operators& operators,
                  const MorselSource& source) {
  for (const std::string& name : operators.names) profile.steps.push_back({name, 0});
  for (const auto& worker : workers) {
    profile.rows_in += worker->rows_in();
    profile.bytes += worker->bytes();
    for (std::size_t i = 0; i < profile.steps.size(); ++i) profile.steps[i].rows += worker->step_rows()[i];
  }
  profile.chunks = source.chunks();
  profile.chunks_skipped = source.chunks_skipped();
  profile.rows_out = operators.sink->rows_out();
}

class CpuBackend : public Backend {
 public:
  std::string name() const override { return "cpu"; }

  std::shared_ptr<PipelineOutput> run(const physical::Pipeline& pipeline, RunState& state, PipelineProfile& profile) override {
    const auto start = std::chrono::steady_clock::now();
    state.query.cancellation.check();
    PipelineRun run(pipeline, state, pool_);
    Operators operators(run);
    const std::unique_ptr<MorselSource> source = make_morsel_source(run);
    std::vector<std::unique_ptr<Worker>> workers;
    const int count = static_cast<int>(std::clamp<std::int64_t>(source->useful_workers(), 1, run.threads));
    for (int w = 0; w < count; ++w) workers.push_back(std::make_unique<Worker>(w, run, operators, *source));
    pool_.run(count, [&](int w) { workers[static_cast<std::size_t>(w)]->work(); });
    std::shared_ptr<PipelineOutput> output = operators.sink->finish();
    profile.pipeline = pipeline.id;
    profile.rank = state.rank;
    profile.device = name();
    fill_profile(profile, workers, operators, *source);
    profile.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return output;
  }

 private:
  WorkerPool pool_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend() {
  return std::make_unique<CpuBackend>();
}

}  // namespace saccade
