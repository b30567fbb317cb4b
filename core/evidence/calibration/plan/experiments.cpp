#include "core/evidence/calibration/plan/experiments.h"

#include "core/evidence/calibration/plan/engine_options.h"
#include "core/evidence/calibration/plan/planned_benches.h"
#include "core/evidence/calibration/plan/planned_constants.h"
#include "core/evidence/calibration/plan/planned_layouts.h"
#include "core/answers/explain/wording.h"
#include "core/answers/plan/estimate.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

using Sentences = std::vector<std::string>;

// How much is repeated; never which layouts run.
struct Effort {
    int steps = 10;
    double point_s = 0.05;
};
constexpr double least_effort = 0.4, usual_effort = 1, most_effort = 3;
Effort effort(double share) { return {std::max(5, int(std::lround(10 * share))), 0.05 * share}; }

constexpr Seconds launch_s = 1.5 * second;       // mpirun and the first lines
constexpr Seconds fit_s = 1 * second;
constexpr double first_step_share = 1;           // pages and connections: as long again as a step
constexpr Seconds parameter_s = 50e-9 * second;  // drawing one initial weight and touching its states

// Options that say how a rank computes, in every run.
void add_device(std::vector<std::string>& words, const CalibrationPlace& place) {
    // A thread drives a GPU: with more the engine would take those that idle for time that others took.
    if (place.accelerator) words.insert(words.end(), {"--device", "cuda", "--threads", "1"});
    else words.insert(words.end(), {"--threads", std::to_string(std::max(0, place.threads))});
}

// A bench is of the trial's model: its words without layout and steps.
std::vector<std::string> model_words(std::vector<std::string> words) {
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < words.size();) {
        std::size_t next = i + 1;
        while (next < words.size() && !words[next].starts_with("--")) ++next;
        const bool layout = words[i] == "--dp" || words[i] == "--tp" || words[i] == "--pp" || words[i] == "--steps" || words[i] == "--zero";
        if (!layout) kept.insert(kept.end(), words.begin() + long(i), words.begin() + long(next));
        i = next;
    }
    return kept;
}

void expect(PlannedRun& run, Sentences& wrong) {
    const Outcome e = estimate(run.plan);
    if (!e) {
        for (const Obstacle& o : e.error()) wrong.push_back(std::string(run.label).append(": ").append(say(o)));
        return;
    }
    if (!e->device_fits())
        wrong.push_back(std::string(run.label).append(": needs ").append(say(e->worst().total())).append(" of a device, which has ")
                            .append(say(e->memory_limit)).append("; a device with more memory works"));
    const double share = double(run.plan.layout.devices) / (run.plan.layout.zero_stage == 3 ? run.plan.layout.devices : run.plan.layout.data_parallel);
    run.expected = e->step.total() * (run.steps + first_step_share) + parameter_s * parameters(run.plan.model) / share;
}

class Planner {
public:
    Planner(const Scenario& subject, const CalibrationPlace& place) : subject_(subject), place_(place), small_(scaled_model(subject, place)) {}

    Expected<ExperimentPlan, Sentences> with(Effort e) {
        ExperimentPlan plan{subject_, machine_of(place_, ranks_used(place_)), place_.engine, small_.model, small_.note, {}, {}, 1};
        Sentences wrong;
        auto layouts = planned_layouts(subject_, small_, place_, e.steps);
        for (PlannedRun& run : layouts) finish(run, wrong);
        if (!wrong.empty()) return Unexpected{unique(std::move(wrong))};
        const auto words = model_words(layouts.front().words);
        for (PlannedRun& run : planned_benches(subject_, place_, e.point_s)) {
            run.words.insert(run.words.begin(), words.begin(), words.end());
            plan.runs.push_back(std::move(run));
        }
        std::move(layouts.begin(), layouts.end(), std::back_inserter(plan.runs));
        plan.constants = planned_constants(plan.runs);
        for (const PlannedRun& run : plan.runs) plan.ranks = std::max(plan.ranks, run.ranks);
        return plan;
    }

private:
    void finish(PlannedRun& run, Sentences& wrong) const {
        const auto options = engine_options(run.plan, {run.steps});
        if (!options) {
            for (const std::string& why : options.error()) wrong.push_back(why);
            return;
        }
        run.words = options->words;
        add_device(run.words, place_);
        expect(run, wrong);
    }
    static Sentences unique(Sentences all) {
        Sentences kept;
        for (std::string& each : all)
            if (std::find(kept.begin(), kept.end(), each) == kept.end()) kept.push_back(std::move(each));
        return kept;
    }

    const Scenario& subject_;
    const CalibrationPlace& place_;
    const ScaledModel small_;
};

std::string too_small(Seconds budget, Seconds least) {
    return std::string("A budget of ").append(say(budget)).append(" is too small: ").append(say(least * 1.05))
        .append(" is the least in which every layout that is held back still runs.");
}

}  // namespace

Seconds ExperimentPlan::expected() const {
    Seconds all = launch_s + fit_s;
    for (const PlannedRun& run : runs) all += run.expected;
    return all;
}

std::string say_subject(const ExperimentPlan& plan) {
    return std::string(plan.model_note).append(" Numbers start from the preset of ").append(plan.machine.name).append(" (").append(plan.machine.device.name).append(").");
}

Expected<ExperimentPlan, Sentences> plan_experiments(const Scenario& subject, const CalibrationPlace& place) {
    Planner planner(subject, place);
    auto plan = planner.with(effort(usual_effort));
    if (!plan || place.budget <= Seconds{}) return plan;
    // Time is nearly linear in the effort: the largest that fits, in steps of a tenth.
    for (double share = most_effort; share > least_effort - 0.01; share -= 0.1) {
        plan = planner.with(effort(share));
        if (plan && plan->expected() <= place.budget) return plan;
    }
    return Unexpected{Sentences{too_small(place.budget, plan->expected())}};
}

}  // namespace plimsoll
