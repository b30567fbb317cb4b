#include "core/answers/search/nearest_plans.h"

#include "core/answers/campaign/money.h"
#include "core/answers/campaign/headline.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <tuple>

namespace plimsoll {

namespace {

constexpr int most_models_tried = 12;

Space usual_space(const Scenario& s) { return common_space(s); }

// States and activations may lie in host memory, and sharded to any degree.
Space host_space(const Scenario& s) {
    Space space = common_space(s);
    space.zero_stages = {1, 2, 3};
    space.offload = full_space().offload;
    return space;
}

class Nearest {
public:
    Nearest(const Model& model, const Machine& machine, const FirstPresets& presets, const FirstAsk& ask,
            std::stop_token stop)
        : model_(model), machine_(machine), presets_(presets), ask_(ask), stop_(std::move(stop)) {}

    std::vector<NearPlan> all() {
        if (tunes(ask_.method)) less_trained();
        take(phrase("8-bit optimizer states"), with_states(Optimizer::adam_8bit), ask_, usual_space);
        take(phrase("States in host memory"), bare(model_, machine_), ask_, host_space);
        if (ask_.nodes) more_nodes();
        if (ask_.time) take(phrase("More time"), bare(model_, machine_), without_limit(), usual_space);
        else if (ask_.node_hours) take(phrase("More node-hours"), bare(model_, machine_), without_limit(), usual_space);
        for (const FirstAsk& ask : {ask_, without_limit()}) {
            fewer_parameters(ask);
            other_machine(ask);
            if (!found_.empty()) break;
        }
        std::ranges::stable_sort(found_, {}, [&](const NearPlan& p) {
            const bool other = p.scenario.model.id != model_.id || p.scenario.machine.id != machine_.id;
            return std::pair(tunes(ask_.method) && other, p.time);
        });
        return std::move(found_);
    }

private:
    Scenario bare(const Model& model, const Machine& machine) const {
        return bare_plan(model, machine, presets_.stacks, ask_);
    }
    Scenario with_states(Optimizer o) const {
        Scenario s = bare(model_, machine_);
        s.recipe.optimizer = o;
        return s;
    }
    // Adapters in place of all weights, frozen weights in few bits, and with these shorter sequences.
    void less_trained() {
        Scenario s = bare(model_, machine_);
        if (!trains_adapters(s.method)) {
            s.method.trained = Trained::adapters;
            s.method.frozen = FrozenFormat::as_products;
            take(phrase("LoRA in place of all weights"), s, ask_, usual_space);
        }
        if (!quantises_frozen(s.method)) {
            s.method.frozen = FrozenFormat::nf4_double;
            take(phrase("QLoRA, weights in NF4"), s, ask_, usual_space);
        }
        s.method = ask_.method;
        s.recipe.sequence_length = std::max(1, s.recipe.sequence_length / 2);
        take(phrase("Sequences of half the length"), s, ask_, usual_space);
    }
    // Bytes of a parameter that every device needs a share of.
    static double least_bytes(const Scenario& s) {
        if (quantises_frozen(s.method)) return frozen_bytes(s.method.frozen);
        const StateBytes bytes = state_bytes(s.recipe);
        return trains_adapters(s.method) ? bytes.fetched : bytes.total(ParameterGroup::matrices);
    }
    FirstAsk without_limit() const {
        FirstAsk ask = ask_;
        ask.nodes.reset();
        ask.time.reset();
        ask.node_hours.reset();
        return ask;
    }

    static Totals totals_of(const Scenario& s) {
        return totals(s, headline(s, *estimate(s)), Counting::all);  // asked: by planned()
    }

    std::optional<NearPlan> working(const std::string& name, const Scenario& s, const FirstAsk& ask,
                                    const SpaceOf& space) const {
        if (stop_.stop_requested()) return std::nullopt;
        FirstPlan p = planned(s, ask, space, stop_);
        if (!p.works) return std::nullopt;
        const Seconds time = totals_of(p.scenario).time;
        return NearPlan{name, std::move(p.scenario), time};
    }
    bool take(const std::string& name, const Scenario& s, const FirstAsk& ask, const SpaceOf& space) {
        auto p = working(name, s, ask, space);
        if (!p) return false;
        found_.push_back(*std::move(p));
        return true;
    }

    // The fewest, each twice the last.
    void more_nodes() {
        FirstAsk ask = ask_;
        for (long long nodes = std::clamp(*ask_.nodes, 1, machine_.nodes); nodes <= machine_.nodes; nodes *= 2) {
            if (nodes == *ask_.nodes) continue;
            ask.nodes = int(nodes);
            if (take(phrase("Another number of nodes"), bare(model_, machine_), ask, usual_space)) return;
        }
    }

    void fewer_parameters(const FirstAsk& ask) {
        std::vector<const Model*> smaller;
        const double own = parameters(model_);
        const double bytes = least_bytes(bare(model_, machine_));
        const double room = double(machine_.devices()) * (machine_.device.memory / byte) / bytes;
        for (const auto& [id, m] : presets_.models)
            if (parameters(m) < own && parameters(m) < room) smaller.push_back(&m);
        std::ranges::stable_sort(smaller, {}, [&](const Model* m) {
            return std::tuple(m->family != model_.family, -parameters(*m));
        });
        int tried = 0;
        for (const Model* m : smaller)
            if (++tried > most_models_tried || take(m->name, bare(*m, machine_), ask, usual_space)) return;
    }

    // Without the number of nodes, which is of this machine: the cheapest, of which those that nobody prices come last.
    // To tune a model: the smallest, since who has a card looks for the next larger one.
    void other_machine(FirstAsk ask) {
        ask.nodes.reset();
        std::optional<NearPlan> best;
        std::tuple<bool, double, Seconds> least;
        for (const auto& [id, m] : presets_.machines) {
            if (id == machine_.id || !m.site.starts_with("generic")) continue;
            auto p = working(m.name, bare(model_, m), ask, usual_space);
            if (!p) continue;
            const auto cost = cost_of(p->scenario, totals_of(p->scenario));
            const double memory = p->scenario.layout.devices * (m.device.memory / byte);
            const std::tuple rank = tunes(ask.method) ? std::tuple(false, memory, p->time)
                                                      : std::tuple(!cost, cost ? cost->low : 0, p->time);
            if (best && rank >= least) continue;
            least = rank;
            best = std::move(p);
        }
        if (best) found_.push_back(*std::move(best));
    }

    const Model& model_;
    const Machine& machine_;
    const FirstPresets& presets_;
    const FirstAsk& ask_;
    std::stop_token stop_;
    std::vector<NearPlan> found_;
};

}  // namespace

std::vector<NearPlan> nearest_plans(const Model& model, const Machine& machine, const FirstPresets& presets,
                                    const FirstAsk& ask, std::stop_token stop) {
    return Nearest(model, machine, presets, ask, std::move(stop)).all();
}

}  // namespace plimsoll
