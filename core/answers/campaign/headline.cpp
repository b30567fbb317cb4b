#include "core/answers/campaign/headline.h"

#include <cmath>

namespace plimsoll {
namespace {

FlopRate peak_of(const Scenario& s) { return s.machine.device.peak(matrix_format(s.recipe)); }

void add_rates(Headline& h, const Scenario& s, const Estimate& e) {
    const FlopRate peak = peak_of(s);
    h.per_device = e.model_flop / h.step / e.devices;
    h.hardware_per_device = e.hardware_flop / h.step / e.devices;
    h.mfu = h.per_device / peak;
    h.hfu = h.hardware_per_device / peak;
    h.tokens_per_second = tokens_of_step(s.recipe) * token / h.step;
    h.counted = counted_sequence(s.recipe).tokens / sequence_of(s).tokens;
    h.worked_tokens_per_second = h.tokens_per_second / h.counted;
}

void add_run(Headline& h, const Scenario& s) {
    h.steps = steps_of_run(s.recipe);
    h.run = h.steps * h.step;
    h.resilience = resilience(s);
    h.wall = h.run / h.resilience.goodput();
    h.failures = h.wall / h.resilience.mtbf;
    h.checkpoints = std::ceil(h.run / h.resilience.interval);
}

// The site charges whole nodes, also where a plan leaves some of their devices idle, unless it lets devices singly, and
// all of the time they are held.
void add_charges(Headline& h, const Scenario& s, const Estimate& e) {
    h.node_hours = nodes_held(s) * (h.wall / hour);
    h.device_hours = e.devices * (h.wall / hour);
    h.accounting_units = h.node_hours * s.machine.accounting.units_per_node_hour;
}

// What is lost to failures and checkpoints draws as much power as training.
void add_energy(Headline& h, const Estimate& e) {
    const double steps = h.wall / h.step;
    h.device_energy = steps * e.energy.devices;
    h.facility_energy = steps * e.energy.total();
    h.device_power = e.energy.devices / h.step / e.devices;
    h.facility_power = e.energy.total() / h.step;
}

}  // namespace

Headline headline(const Scenario& s, const Estimate& e) {
    Headline h;
    h.step = e.step.total();
    add_rates(h, s, e);
    add_run(h, s);
    add_charges(h, s, e);
    add_energy(h, e);
    return h;
}

CountedRate rate_by(FlopConvention convention, const Scenario& s, const Estimate& e) {
    const Recipe& r = s.recipe;
    const int vocabulary = padded_vocabulary(s.model, s.layout.tensor_parallel);
    const Flop work =
        model_flop(s.model, r.global_batch_sequences, counted_sequence(r), vocabulary, convention, s.method);
    const FlopRate rate = work / e.step.total() / e.devices;
    return {rate, rate / peak_of(s)};
}

std::string_view words_of(FlopConvention convention) {
    switch (convention) {
        case FlopConvention::full: return "all scores counted";
        case FlopConvention::causal: return "half of the scores counted";
        case FlopConvention::megatron: return "as Megatron counts";
    }
    return {};
}

}  // namespace plimsoll
