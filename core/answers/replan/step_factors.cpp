#include "core/answers/replan/step_factors.h"

#include <algorithm>

namespace plimsoll {

StepGroups groups_of(const StepTime& t) {
    const Seconds network = t.tensor_parallel + t.context_parallel + t.expert_exchange + t.shard_gather + t.pipeline_transfer + t.data_parallel;
    const Seconds rest = t.elementwise + t.launch + t.optimizer + t.offload + t.preconditioner;
    return {(t.total() - network - rest) / second, network / second, rest / second};
}

StepFactors factors_between(const StepTime& measured, const StepTime& predicted) {
    const StepGroups m = groups_of(measured), p = groups_of(predicted);
    const auto ratio = [](double a, double b) { return a > 0 && b > 0 ? a / b : 1; };
    StepFactors k;
    k.compute = ratio(m.compute, p.compute), k.network = ratio(m.network, p.network), k.rest = ratio(m.rest, p.rest);
    return k;
}

void scale(Machine& machine, Stack& stack, const StepFactors& k) {
    Efficiency& e = machine.device.efficiency;
    for (double Efficiency::*rate : {&Efficiency::gemm_ceiling, &Efficiency::flash_forward, &Efficiency::flash_backward})
        e.*rate = std::min(1.0, e.*rate / k.compute);
    for (Level& level : machine.levels) {
        level.latency *= k.network;
        level.bandwidth *= 1 / k.network;
        level.large_bandwidth *= 1 / k.network;
    }
    stack.elementwise_factor *= k.rest;
    stack.optimizer_bytes *= k.rest;
    stack.step_constant *= k.rest;
}

}  // namespace plimsoll
