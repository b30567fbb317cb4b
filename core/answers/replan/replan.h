#pragma once
// Whether a job that runs otherwise than predicted should be laid out anew: the
// second half of Galvatron's method (Miao et al. 2022), search again with what was
// measured, and what that is worth after stopping, saving and starting again.
//
//   const Drift d = drift_of(plan, {.steps = measured});
//   if (d.departs(0.1))
//       for (const Replan& r : replan(plan, d, steps_left, full_space())) show(r.best->layout, r.net());
//
// Where the job tells the parts of its steps, computation, communication and the
// rest are corrected apart. Where only whole steps are known, what slowed them is
// not: each reading of it is searched, and only a layout that gains in all is safe.

#include "core/answers/search/search.h"
#include "core/values/plan/breakdown.h"
#include "core/values/plan/machine.h"
#include "core/values/plan/stack.h"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

struct MeasuredSteps {
    std::vector<Seconds> steps;          // of a job that goes on steadily
    std::optional<StepTime> parts;       // of a middle step, by the cost model's parts
};

struct Drift {
    Seconds predicted;                   // of a step; zero where the plan cannot be computed
    Seconds measured, low, high;         // median and its 95 % interval
    std::optional<StepTime> parts;
    int steps = 0;
    double factor() const { return measured / predicted; }
    // The whole interval lies further than this share from the prediction.
    bool departs(double share) const {
        return steps > 0 && (low / predicted > 1 + share || high / predicted < 1 - share);
    }
};
Drift drift_of(const Scenario&, const MeasuredSteps&);

// One reading of the drift, and the best layout should it be the right one.
struct Replan {
    std::string reading;                 // "parts as measured", "computation is slower", ...
    Scenario corrected;                  // the plan on machine and software as they turned out
    std::optional<Candidate> best;       // nothing where none fits
    Seconds step;                        // of the present layout, corrected: what was measured
    Seconds stop, restart;               // writing a checkpoint of the present layout; starting the new one from it
    double steps_left = 0;
    Seconds least_gain;  // per step of this layout, should another reading be the right one; below zero it may lose
    bool stays() const { return !best || best->layout == corrected.layout; }
    Seconds gain() const { return stays() ? Seconds{} : step - best->step; }   // per step
    Seconds cost() const { return stays() ? Seconds{} : stop + restart; }
    Seconds net() const { return steps_left * gain() - cost(); }
    Seconds least_net() const {
        return stays() ? Seconds{} : steps_left * least_gain - cost();
    }  // whichever reading is right
    // Steps after which changing has paid; nothing where it never does.
    std::optional<double> break_even() const {
        return gain() > Seconds{} ? std::optional(cost() / gain()) : std::nullopt;
    }
};
// Empty where the plan cannot be computed. The batch and the devices stay. Progress is over the readings together;
// what comes of a search that was stopped is incomplete and answers nothing.
std::vector<Replan> replan(const Scenario&, const Drift&, double steps_left, const Space&, const SearchOptions& = {},
                           std::stop_token = {}, const SearchProgress& = {});

// ---- What whole measured steps take against an estimate: computation, exposed communication, the rest
//
//   const StepFactors k = factors_between(measured.parts, estimate->step);
//   scale(machine, stack, k);    // the estimate's groups are now the measured ones

struct StepFactors {
    double compute = 1, network = 1, rest = 1;
    double compute_sd = 0.15, network_sd = 0.15, rest_sd = 0.15;  // of their logarithms
};

// Seconds of each group; a bubble lasts as long as the computation it waits for.
struct StepGroups { double compute = 0, network = 0, rest = 0; };
StepGroups groups_of(const StepTime&);

// Group by group; 1 where either side has nothing.
StepFactors factors_between(const StepTime& measured, const StepTime& predicted);

// Rates of products and attention divided by compute; latencies multiplied and bandwidths divided by network;
// elementwise, optimizer and constant costs of the software multiplied by rest.
void scale(Machine&, Stack&, const StepFactors&);

}  // namespace plimsoll
