#include "core/answers/search/first_plan.h"

#include "core/answers/plan/headline.h"
#include "core/answers/search/fit_first.h"

#include <cmath>
#include <numeric>
#include <optional>

namespace plimsoll {

namespace {

struct UsualStack {
    const char *device_has, *stack;
};

// By a part of the device's name; what no row names is taken for a GPU of NVIDIA.
constexpr UsualStack usual_stacks[] = {
    {"TPU", "maxtext"},   {"A64FX", "fugaku-megatron"}, {"MI3", "primus"},         {"MI2", "deepspeed-megatron-flash"},
    {"CPU", "pytorch-fsdp"}, {"Xeon", "pytorch-fsdp"},  {"EPYC", "pytorch-fsdp"},
};

Stack usual_stack(const Device& device, const std::map<std::string, Stack>& stacks) {
    std::string wanted = "megatron-core";
    for (const UsualStack& row : usual_stacks)
        if (device.name.find(row.device_has) != std::string::npos) {
            wanted = row.stack;
            break;
        }
    if (const auto found = stacks.find(wanted); found != stacks.end()) return found->second;
    return stacks.empty() ? Stack{} : stacks.begin()->second;
}

// The fastest format there is for training; fp8 is a choice of its own.
Precision usual_precision(const Device& d) {
    return d.bf16 > FlopRate{} ? Precision::bf16 : d.fp16 > FlopRate{} ? Precision::fp16 : Precision::fp32;
}

// Twenty for each active parameter, of which two digits count.
double usual_tokens(const Model& model) {
    const double parameters = active_parameters(model);
    const double digit = std::pow(10, std::floor(std::log10(parameters)) - 1);
    return 20 * std::round(parameters / digit) * digit;
}

// Degrees of a plan that does no more than replicate.
void spread(Scenario& s, int nodes) {
    Layout plain;
    plain.devices = plain.data_parallel = nodes * s.machine.devices_per_node;
    plain.zero_stage = 1;
    if (s.model.experts.count > 1) plain.expert_parallel = std::gcd(s.machine.devices_per_node, s.model.experts.count);
    s.layout = plain;
}

}  // namespace

std::string given_name(const Scenario& s) { return s.model.name + " on " + s.machine.name; }

Scenario first_plan(const Model& model, const Machine& machine, const std::map<std::string, Stack>& stacks) {
    constexpr Seconds patience = 60 * day;
    constexpr int batch = 1024;
    Scenario s;
    s.model = model;
    s.machine = machine;
    s.name = given_name(s);
    s.stack = usual_stack(machine.device, stacks);
    s.recipe.precision = usual_precision(machine.device);
    s.recipe.sequence_length = model.sequence_length;
    s.recipe.global_batch_sequences = batch;
    s.recipe.tokens = usual_tokens(model);
    std::optional<Scenario> best;
    for (int nodes = 1; nodes <= machine.nodes && nodes * machine.devices_per_node <= batch * 64; nodes *= 2) {
        spread(s, nodes);
        const Splits found = splits(s);
        if (!found.rule) continue;
        best = found.rule->scenario;
        if (headline(*best, found.rule->estimate).run <= patience) break;
    }
    if (best) return *best;
    spread(s, machine.nodes);
    return s;
}

}  // namespace plimsoll
