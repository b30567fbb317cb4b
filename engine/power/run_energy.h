#pragma once
// The energy of a training run: windows of several steps, one after the other, from
// the second step on (the first fills caches and connections).
//
//   RunEnergy energy(place.power, place.ranks);
//   energy.idle(seconds, alive);                       // before the first step and after the last, if wanted
//   ... after each step:  energy.step_ended(number, line, log);
//   summary["energy"] = energy.summary(tokens_per_step);
//
// All calls are collective over the run's ranks. Where no node counts, they cost nothing.

#include "engine/power/account.h"
#include "engine/power/node_power.h"

namespace plimsoll::engine::power {

class RunEnergy {
public:
    RunEnergy(NodePower* power, const MpiComm& ranks)
        : power_(power && power->available() ? power : nullptr), ranks_(ranks) {}

    // Sleeps, and keeps what the machine drew meanwhile as before or after, by whether steps have ended. False when
    // asked to stop.
    bool idle(double seconds, const std::function<void()>& alive);

    // Gives the step's line `energy_J` and `energy_steps` when a window closes with it.
    void step_ended(int step, nlohmann::ordered_json& line, Log&);

    // PROTOCOL.md, `summary`; on rank 0.
    nlohmann::ordered_json summary(double tokens_per_step) const;

private:
    bool due() const;

    NodePower* power_;
    const MpiComm& ranks_;
    bool begun_ = false;
    double from_s_ = 0;                    // the open window's beginning, on this node's clock
    int first_ = 0, steps_ = 0;            // the last step before the open window; steps in closed ones
    double joules_ = 0, seconds_ = 0;      // of closed windows
    Used last_{};
    std::optional<double> before_W_{}, after_W_{};
};

}  // namespace plimsoll::engine::power
