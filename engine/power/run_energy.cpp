#include "engine/power/run_energy.h"

#include "engine/report/stopping.h"

#include <thread>

namespace plimsoll::engine::power {

using Json = nlohmann::ordered_json;

namespace {

// Two seconds, and twenty looks that come a tenth of a second apart at 10 Hz, at most a fifth more.
constexpr double due_after_s = 2.5;
constexpr double most_own_share = 0.002;

}  // namespace

bool RunEnergy::idle(double seconds, const std::function<void()>& alive) {
    if (!power_ || seconds <= 0) return true;
    MPI_Barrier(ranks_.handle());
    const double from = power_->now_s();
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end && !stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        alive();
    }
    const Used used = power_->used(ranks_, from, power_->now_s());
    if (used.joules) (begun_ ? after_W_ : before_W_) = *used.joules / used.window_s;
    return !stop_requested();
}

// Rank 0's clock decides for all.
bool RunEnergy::due() const {
    int yes = ranks_.rank() == 0 && power_->now_s() - from_s_ >= due_after_s;
    MPI_Bcast(&yes, 1, MPI_INT, 0, ranks_.handle());
    return yes;
}

void RunEnergy::step_ended(int step, Json& line, Log& log) {
    if (!power_) return;
    if (!begun_) {
        begun_ = true;
        from_s_ = power_->now_s();
        first_ = step;
        return;
    }
    if (!due()) return;
    const double to = power_->now_s();
    last_ = power_->used(ranks_, from_s_, to);
    power_->write_other_nodes(ranks_, log);
    if (!last_.joules) return;  // the window stays open and grows
    line["energy_J"] = *last_.joules;
    line["energy_steps"] = step - first_;
    joules_ += *last_.joules;
    seconds_ += last_.window_s;
    steps_ += step - first_;
    from_s_ = to;
    first_ = step;
}

Json RunEnergy::summary(double tokens_per_step) const {
    if (!power_)
        return {{"available", false},
                {"reason", "no source of energy can be read on every node: see the energy lines"}};
    const Sampler::Cost cost = power_->cost(ranks_);
    Json s{{"available", steps_ > 0}};
    if (steps_ == 0)
        s["reason"] = last_.reason.empty() ? "the steps after the first took less than 2.5 s together" : last_.reason;
    if (steps_ > 0) {
        const double tokens = tokens_per_step * steps_;
        const Idle idle = idle_of(before_W_, after_W_);
        s.update({{"scope", last_.scope},
                  {"source", last_.sources},
                  {"nodes", last_.nodes},
                  {"steps", steps_},
                  {"window_s", seconds_},
                  {"gross_J", joules_},
                  {"per_token_J", joules_ / tokens}});
        s["idle_W"] = idle.watts ? Json(*idle.watts) : Json(nullptr);
        s["net_J"] = idle.watts ? Json(joules_ - *idle.watts * seconds_) : Json(nullptr);
        s["net_per_token_J"] = idle.watts ? Json((joules_ - *idle.watts * seconds_) / tokens) : Json(nullptr);
        if (idle.drift) s["idle_drift"] = *idle.drift;
        Json flags = last_.remarks;
        if (idle.drifted) flags.push_back("idle power changed by more than a twentieth between before and after");
        if (cost.share() > most_own_share) flags.push_back("sampling took more than 0.2 % of a core");
        s["remarks"] = flags;
    }
    s["sampler"] = {{"cpu_s", cost.cpu_s}, {"share", cost.share()}, {"pinned", cost.pinned}};
    return s;
}

}  // namespace plimsoll::engine::power
