#include "engine/kernels/dry.h"
#include "engine/train/run.h"
#include "engine/train/trainer.h"

namespace plimsoll::engine {
namespace {

template <class Real, class Wide> MemoryPlan dry_run(const Options& o, int rank) {
    const Shape shape = shape_of(o.model);
    Grid grid = pretended_grid(rank, o.layout);
    DryKernels<Real, Wide> kernels;
    PhaseClock clock;
    Arena arena = Arena::pretended();
    Trainer<Real, Wide> trainer(o, shape, grid, kernels, clock, arena);
    trainer.step(0, {}, false);
    MemoryPlan plan{};
    for (std::size_t u = 0; u < use_count; ++u) plan.uses[u] = arena.kept_for(Use(u));
    plan.scratch = arena.scratch_peak(), plan.total = arena.peak(), plan.offloaded = trainer.offloaded();
    return plan;
}

}  // namespace

static_assert(std::extent_v<decltype(MemoryPlan::uses)> == use_count);

MemoryPlan predict_memory(const Options& o, int rank) {
    switch (o.precision) {
    case Precision::fp64: return dry_run<double, double>(o, rank);
    case Precision::bf16:
        if (o.device == Device::cuda) return dry_run<bf16, float>(o, rank);
        break;  // the processor stores fp32 and multiplies bf16
    case Precision::fp32: break;
    }
    return dry_run<float, float>(o, rank);
}

nlohmann::ordered_json json_of(const MemoryPlan& plan) {
    nlohmann::ordered_json object;
    for (std::size_t u = 0; u < use_count; ++u) object[use_names[u]] = plan.uses[u];
    object["scratch"] = plan.scratch, object["total"] = plan.total, object["offloaded"] = plan.offloaded;
    return object;
}

}  // namespace plimsoll::engine
