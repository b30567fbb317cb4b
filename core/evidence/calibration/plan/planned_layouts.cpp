#include "core/evidence/calibration/plan/planned_layouts.h"

#include <algorithm>

namespace plimsoll {
namespace {

struct Shape {
    int data = 1, tensor = 1, pipeline = 1;
    int micro_batch = 0, accumulate = 1;   // 0: the trial's
    int zero = 0;
    Recompute recompute = Recompute::none;
    bool sequence_parallel = false;
    int ranks() const { return data * tensor * pipeline; }
};

class Layouts {
public:
    Layouts(const Scenario& subject, const ScaledModel& small, const CalibrationPlace& place, int steps)
        : subject_(subject), small_(small), place_(place), steps_(steps), ranks_(ranks_used(place)) {}
    std::vector<PlannedRun> all() && {
        if (ranks_ == 1) one();
        else if (ranks_ < 4) two();
        else many();
        return std::move(runs_);
    }

private:
    Scenario plan(const Model& model, const Shape& l, int sequence) const {
        Scenario s;
        s.name = model.name;
        s.model = model;
        s.machine = machine_of(place_, std::max(l.ranks(), ranks_));
        s.stack = place_.engine;
        s.layout.devices = l.ranks();
        s.layout.data_parallel = l.data, s.layout.tensor_parallel = l.tensor, s.layout.pipeline_parallel = l.pipeline;
        s.layout.micro_batch = l.micro_batch ? l.micro_batch : small_.micro_batch;
        s.layout.zero_stage = l.zero, s.layout.recompute = l.recompute, s.layout.sequence_parallel = l.sequence_parallel;
        s.recipe.global_batch_sequences = l.data * s.layout.micro_batch * l.accumulate;
        s.recipe.sequence_length = sequence;
        s.recipe.tokens = double(steps_) * s.recipe.global_batch_sequences * sequence;
        s.recipe.precision = small_.precision;
        s.recipe.bytes_per_parameter = small_.precision == Precision::fp32 ? 16 : 18;
        s.recipe.optimizer = subject_.recipe.optimizer == Optimizer::sgd ? Optimizer::sgd : Optimizer::adam;
        return without_sources(std::move(s));
    }
    PlannedRun& add(Role role, std::string id, std::string label, const Model& model, const Shape& l, int sequence = 0) {
        PlannedRun run;
        run.id = std::move(id), run.label = std::move(label), run.role = role;
        run.ranks = l.ranks(), run.steps = steps_;
        run.plan = plan(model, l, sequence ? sequence : small_.sequence_length);
        return runs_.emplace_back(std::move(run));
    }
    void unfair(std::string id, std::string label, const Shape& l) {
        PlannedRun& run = add(Role::held_out, std::move(id), std::move(label), small_.model, l);
        run.fair = false;
        run.caution = std::to_string(l.ranks()).append(" ranks on ").append(std::to_string(ranks_))
                          .append(" cores: they take turns, which no cost model knows");
    }

    void one() {
        const Model& m = small_.model;
        Model longer = m;
        longer.sequence_length *= 2;
        if (longer.position_rows) longer.position_rows *= 2;
        add(Role::fit, "one", "One rank", m, {});
        add(Role::held_out, "full-recompute", "Full recompute", m, {.recompute = Recompute::full});
        add(Role::held_out, "deeper", std::to_string(deeper(m).layers) + " layers", deeper(m), {});
        add(Role::held_out, "wider", std::string("Width ").append(std::to_string(wider(m).hidden)), wider(m), {});
        add(Role::held_out, "longer", "Sequences twice as long", longer, {}, 2 * small_.sequence_length);
    }
    void two() {
        const Model& m = small_.model;
        add(Role::fit, "one", "One rank", m, {});
        add(Role::fit, "dp2", "Two data ranks", m, {.data = 2});
        add(Role::fit, "tp2", "Two tensor ranks", m, {.tensor = 2});
        add(Role::held_out, "pp2-m4", "Two stages, four micro-batches", m, {.pipeline = 2, .micro_batch = 1, .accumulate = 4});
        add(Role::held_out, "dp2-zero3", "Two data ranks, ZeRO-3", m, {.data = 2, .zero = 3});
        add(Role::held_out, "tp2-sp", "Two tensor ranks, sequence parallel", m, {.tensor = 2, .sequence_parallel = true});
        add(Role::held_out, "dp2-full", "Two data ranks, full recompute", m, {.data = 2, .recompute = Recompute::full});
        add(Role::held_out, "deeper-dp2", std::to_string(deeper(m).layers) + " layers, two data ranks", deeper(m), {.data = 2});
        add(Role::held_out, "wider-tp2", std::string("Width ").append(std::to_string(wider(m).hidden)).append(", two tensor ranks"), wider(m), {.tensor = 2});
        if (place_.codecs) coded();
        if (place_.accelerator || place_.nodes > 1 || place_.fixed) return;
        unfair("dp4", "Four data ranks", {.data = 4});
        unfair("dp2-tp2", "Two data x two tensor ranks", {.data = 2, .tensor = 2});
    }
    void coded(const char* without, const char* suffix, const std::string& label, const Shape& l, Traffic traffic, const Codec& codec) {
        PlannedRun& run = add(Role::extra, std::string(without).append(suffix), label, small_.model, l);
        entry(run.plan.compression, traffic) = codec;
        run.plan.compression.encoding = Encoding::once;
        run.without = without;
    }
    // Of each kind of traffic the codec that the literature keeps the loss with, and for gradients those beyond.
    void coded() {
        const Codec fp8{.kind = CodecKind::fp8}, zfp{.kind = CodecKind::zfp, .rate = 8}, top_k{.kind = CodecKind::top_k, .density = 0.01};
        coded("dp2", "-fp8", "Gradients in fp8, two data ranks", {.data = 2}, Traffic::gradients, fp8);
        coded("dp2", "-zfp8", "Gradients at 8 bits, two data ranks", {.data = 2}, Traffic::gradients, zfp);
        coded("dp2", "-topk", "1 % of the gradients, two data ranks", {.data = 2}, Traffic::gradients, top_k);
        coded("tp2", "-fp8", "Activations in fp8, two tensor ranks", {.tensor = 2}, Traffic::tensor, fp8);
        coded("pp2-m4", "-fp8", "Transfers in fp8, two stages", {.pipeline = 2, .micro_batch = 1, .accumulate = 4}, Traffic::pipeline, fp8);
    }
    void many() {
        const Model& m = small_.model;
        const int n = ranks_;
        const std::string all = std::to_string(n), half = std::to_string(n / 2), quarter = std::to_string(n / 4);
        add(Role::fit, "one", "One rank", m, {});
        add(Role::fit, std::string("dp").append(all), std::string(all).append(" data ranks"), m, {.data = n});
        add(Role::fit, std::string("tp2-dp").append(half), std::string("2 tensor x ").append(half).append(" data ranks"), m, {.data = n / 2, .tensor = 2});
        add(Role::fit, std::string("pp2-dp").append(half), std::string("2 stages x ").append(half).append(" data ranks, four micro-batches"), m,
            {.data = n / 2, .pipeline = 2, .micro_batch = 1, .accumulate = 4});
        add(Role::held_out, std::string("tp2-pp2-dp").append(quarter), std::string("2 tensor x 2 stages x ").append(quarter).append(" data ranks"), m,
            {.data = n / 4, .tensor = 2, .pipeline = 2, .micro_batch = 1, .accumulate = 4});
        add(Role::held_out, std::string("dp").append(all).append("-zero3-full"), std::string(all).append(" data ranks, ZeRO-3, full recompute"), m,
            {.data = n, .zero = 3, .recompute = Recompute::full});
        add(Role::held_out, "deeper", std::string(std::to_string(deeper(m).layers)).append(" layers, ").append(all).append(" data ranks"), deeper(m), {.data = n});
        add(Role::held_out, "wider", std::string("Width ").append(std::to_string(wider(m).hidden)).append(", 2 tensor x ").append(half).append(" data ranks"),
            wider(m), {.data = n / 2, .tensor = 2});
    }

    const Scenario& subject_;
    const ScaledModel& small_;
    const CalibrationPlace& place_;
    int steps_, ranks_;
    std::vector<PlannedRun> runs_;
};

}  // namespace

int ranks_used(const CalibrationPlace& p) {
    return p.ranks >= 4 ? p.ranks / 4 * 4 : p.ranks >= 2 ? 2 : 1;
}

Machine machine_of(const CalibrationPlace& p, int ranks) {
    return p.accelerator || p.nodes > 1 ? p.machine : shared_by(p.machine, {p.ranks, p.machine.host.memory}, ranks);
}

std::vector<PlannedRun> planned_layouts(const Scenario& subject, const ScaledModel& small, const CalibrationPlace& place, int steps) {
    return Layouts(subject, small, place, steps).all();
}

}  // namespace plimsoll
