#include "core/evidence/calibration/plan/layouts.h"

#include "core/values/knobs/wording.h"
#include "core/values/basics/names.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

// Tensor ranks of every layout of a plan share the heads evenly.
constexpr int heads_step = 2;
int heads_step_for(const CalibrationPlace& place) { return ranks_used(place) >= 4 ? 4 : heads_step; }

bool gated_kind(const Model& m) { return gated(m.activation); }

int head_width(const Model& m) {
    const int found = m.head_dim >= 32 && m.head_dim <= 256 && m.head_dim % 16 == 0 ? m.head_dim : 64;
    return found;
}

// Heads of `head_dim` whose total width is nearest to `width`, by ratio; a multiple of `step`.
int heads_for(int width, int head_dim, int step) {
    const int below = std::max(step, width / head_dim / step * step), above = below + step;
    const auto away = [&](int heads) { return std::abs(std::log(double(heads) * head_dim / width)); };
    return away(above) < away(below) ? above : below;
}

// As many query heads for each key-value head as the subject has, as far as both divide.
int kv_heads_for(int heads, const Model& subject, int step) {
    const double share = double(subject.kv_heads) / std::max(1, subject.heads);
    int best = heads;
    for (int kv = step; kv <= heads; kv += step)
        if (heads % kv == 0
            && std::abs(std::log(double(kv) / heads / share)) < std::abs(std::log(double(best) / heads / share)))
            best = kv;
    return best;
}

int ffn_for(int hidden, const Model& subject) {
    if (has_experts(subject) || subject.ffn < 1)
        return gated_kind(subject) ? (8 * hidden / 3 + 63) / 64 * 64 : 4 * hidden;
    const double ratio = std::clamp(double(subject.ffn) / subject.hidden, 1.0, 8.0);
    return std::max(64, int(std::lround(ratio * hidden / 64)) * 64);
}

Model shaped(const Model& subject, int layers, int width, int vocabulary, int sequence, int step) {
    const bool llama = gated_kind(subject);
    const int dim = head_width(subject), heads = heads_for(width, dim, step);
    Model m = model_of({"", "", layers, heads * dim, heads, vocabulary, sequence, llama});
    m.kv_heads = llama ? kv_heads_for(heads, subject, step) : heads;
    m.ffn = ffn_for(m.hidden, subject);
    m.id = "trial";
    m.name =
        std::string("Trial: ").append(std::to_string(layers)).append(" layers of ").append(std::to_string(m.hidden));
    return m;
}

// What the engine has instead, for the note.
std::vector<std::string> replaced(const Scenario& s, Precision precision) {
    const Model& m = s.model;
    std::vector<std::string> all;
    if (has_experts(m)) all.push_back("dense feed-forward blocks for its experts");
    if (has_latent_attention(m)) all.push_back("plain attention for its latent one");
    if (has_recurrence(m)) all.push_back("plain attention for its layers with a state");
    if (m.further.depths > 0) all.push_back("one token ahead for its further ones");
    if (leaves_out_scores(m, sequence_of(s))) all.push_back("dense attention for its sparse one");
    if (m.activation != Activation::gelu && m.activation != Activation::swiglu)
        all.push_back(std::string(gated_kind(m) ? "swiglu" : "gelu").append(" for ").append(name_of(m.activation)));
    if (head_width(m) != m.head_dim) all.push_back("heads of 64 for heads of " + std::to_string(m.head_dim));
    if (precision != s.recipe.precision)
        all.push_back(std::string(name_of(precision)).append(" for ").append(name_of(s.recipe.precision)));
    if (s.recipe.optimizer != Optimizer::adam && s.recipe.optimizer != Optimizer::sgd)
        all.push_back(std::string("adam for ").append(name_of(s.recipe.optimizer)));
    return all;
}

std::string note_of(const Scenario& subject, const ScaledModel& small) {
    const Model& m = small.model;
    std::string text = subject.model.name.empty() ? "The model" : subject.model.name;
    text.append(" is scaled to ")
        .append(std::to_string(m.layers))
        .append(" layers of ")
        .append(std::to_string(m.hidden))
        .append(" (")
        .append(std::to_string(m.heads))
        .append(" heads of ")
        .append(std::to_string(m.head_dim))
        .append("), a vocabulary of ")
        .append(say_count(m.vocabulary))
        .append(" and sequences of ")
        .append(say_count(small.sequence_length))
        .append(": ")
        .append(say_count(parameters(m)))
        .append(" parameters.");
    const auto instead = replaced(subject, small.precision);
    for (std::size_t i = 0; i < instead.size(); ++i) text.append(i ? ", " : " The engine takes ").append(instead[i]);
    return instead.empty() ? text : text.append(".");
}

Precision precision_for(const Scenario& s, const CalibrationPlace& place) {
    const bool wide = s.recipe.precision == Precision::fp32;
    return place.accelerator && !wide && place.machine.device.bf16 > FlopRate{} ? Precision::bf16 : Precision::fp32;
}

// The widest model whose states (weight, gradient, master weight, two moments: 18 B) leave room for a deeper and a
// wider one, four fifths more, and for activations.
int accelerator_width(Bytes memory) {
    constexpr int widths[] = {2048, 1536, 1024, 768, 512};
    for (const int width : widths)
        if (12.0 * width * width * 12 * 18 * byte < 0.12 * memory) return width;
    return 384;
}

Model named_by_size(Model m) {
    m.name =
        std::string("Trial: ").append(std::to_string(m.layers)).append(" layers of ").append(std::to_string(m.hidden));
    return m;
}

}  // namespace

ScaledModel scaled_model(const Scenario& subject, const CalibrationPlace& place) {
    ScaledModel small;
    small.precision = precision_for(subject, place);
    if (place.accelerator) {
        small.sequence_length = std::clamp(subject.recipe.sequence_length, 256, 1024);
        small.model = shaped(subject.model, 12, accelerator_width(place.machine.device.memory), 32768,
                             small.sequence_length, heads_step_for(place));
    } else {
        const int layers = ranks_used(place) >= 4 ? 4 : 6;   // one for each of four stages
        small.model = shaped(subject.model, layers, 384, 8192, small.sequence_length, heads_step_for(place));
    }
    small.note = note_of(subject, small);
    return small;
}

Model deeper(Model m) {
    m.layers = m.layers * 5 / 3;
    return named_by_size(std::move(m));
}

Model wider(Model m) {
    const double before = m.hidden;
    const int group = m.heads / m.kv_heads;
    m.heads += std::max(heads_step, m.heads / 3 / heads_step * heads_step);
    m.heads = (m.heads + group * heads_step - 1) / (group * heads_step) * (group * heads_step);
    m.kv_heads = m.heads / group;
    m.hidden = m.heads * m.head_dim;
    m.ffn = std::max(64, int(std::lround(m.ffn * m.hidden / before / 64)) * 64);
    return named_by_size(std::move(m));
}

namespace {

struct TrialShape {
    int data = 1, tensor = 1, pipeline = 1;
    int micro_batch = 0, accumulate = 1;   // 0: the trial's
    int zero = 0;
    Recompute recompute = Recompute::none;
    bool sequence_parallel = false;
    int ranks() const { return data * tensor * pipeline; }
};

class LayoutPlanner {
public:
    LayoutPlanner(const Scenario& subject, const ScaledModel& small, const CalibrationPlace& place, int steps)
        : subject_(subject), small_(small), place_(place), steps_(steps), ranks_(ranks_used(place)) {}
    std::vector<PlannedRun> all() && {
        if (ranks_ == 1) one();
        else if (ranks_ < 4) two();
        else many();
        return visited();
    }

private:
    Scenario plan(const Model& model, const TrialShape& l, int sequence) const {
        Scenario s;
        s.name = model.name;
        s.model = model;
        s.machine = machine_of(place_, std::max(l.ranks(), ranks_));
        s.stack = place_.engine;
        s.layout.devices = l.ranks();
        s.layout.data_parallel = l.data;
        s.layout.tensor_parallel = l.tensor;
        s.layout.pipeline_parallel = l.pipeline;
        s.layout.micro_batch = l.micro_batch ? l.micro_batch : small_.micro_batch;
        s.layout.zero_stage = l.zero;
        s.layout.recompute = l.recompute;
        s.layout.sequence_parallel = l.sequence_parallel;
        s.recipe.global_batch_sequences = l.data * s.layout.micro_batch * l.accumulate;
        s.recipe.sequence_length = sequence;
        s.recipe.tokens = double(steps_) * s.recipe.global_batch_sequences * sequence;
        s.recipe.precision = small_.precision;
        s.recipe.state_format = small_.precision == Precision::fp32 ? StateFormat::fp32_moments
                                                                    : StateFormat::fp32_moments_fp32_sums;
        s.recipe.optimizer = subject_.recipe.optimizer == Optimizer::sgd ? Optimizer::sgd : Optimizer::adam;
        return without_sources(std::move(s));
    }
    static PlannedRun again(PlannedRun run, Role role, const std::string& ending) {
        run.repeats = run.id;
        run.id.append(ending);
        run.role = role;
        return run;
    }
    // What nothing fair can be said of is visited once.
    std::vector<PlannedRun> visited() const {
        std::vector<PlannedRun> all;
        const PlannedRun* last = nullptr;    // of those that fit, with the most ranks
        for (const Role role : {Role::fit, Role::held_out})
            for (int visit = 1; visit <= layout_visits; ++visit)
                for (const PlannedRun& run : runs_) {
                    if (run.role != role || (visit > 1 && !run.fair)) continue;
                    if (visit == 1) all.push_back(run);
                    else all.push_back(again(run, role, std::string("-visit").append(std::to_string(visit))));
                    if (role == Role::fit && (!last || run.ranks > last->ranks)) last = &run;
                }
        if (last) all.push_back(again(*last, Role::extra, "-last"));
        for (const PlannedRun& run : runs_)
            if (run.role == Role::extra) all.push_back(run);
        return all;
    }
    PlannedRun& add(Role role, std::string id, std::string label, const Model& model, const TrialShape& l,
                    int sequence = 0) {
        PlannedRun run;
        run.id = std::move(id);
        run.label = std::move(label);
        run.role = role;
        run.ranks = l.ranks();
        run.steps = steps_;
        run.plan = plan(model, l, sequence ? sequence : small_.sequence_length);
        return runs_.emplace_back(std::move(run));
    }
    void unfair(std::string id, std::string label, const TrialShape& l) {
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
        add(Role::fit, "dp2-zero3", "Two data ranks, ZeRO-3", m, {.data = 2, .zero = 3});
        add(Role::held_out, "pp2-m4", "Two stages, four micro-batches", m,
            {.pipeline = 2, .micro_batch = 1, .accumulate = 4});
        add(Role::held_out, "tp2-sp", "Two tensor ranks, sequence parallel", m,
            {.tensor = 2, .sequence_parallel = true});
        add(Role::held_out, "dp2-full", "Two data ranks, full recompute", m, {.data = 2, .recompute = Recompute::full});
        add(Role::held_out, "deeper-dp2", std::to_string(deeper(m).layers) + " layers, two data ranks", deeper(m),
            {.data = 2});
        add(Role::held_out, "deeper-zero3",
            std::to_string(deeper(m).layers) + " layers, two data ranks, ZeRO-3", deeper(m), {.data = 2, .zero = 3});
        add(Role::held_out, "wider-tp2",
            std::string("Width ").append(std::to_string(wider(m).hidden)).append(", two tensor ranks"), wider(m),
            {.tensor = 2});
        if (place_.codecs) coded();
        if (place_.accelerator || place_.nodes > 1 || place_.fixed) return;
        unfair("dp4", "Four data ranks", {.data = 4});
        unfair("dp2-tp2", "Two data x two tensor ranks", {.data = 2, .tensor = 2});
    }
    void coded(const char* without, const char* suffix, const std::string& label, const TrialShape& l, Traffic traffic,
               const Codec& codec) {
        PlannedRun& run = add(Role::extra, std::string(without).append(suffix), label, small_.model, l);
        entry(run.plan.compression, traffic) = codec;
        run.plan.compression.encoding = Encoding::once;
        run.without = without;
    }
    // Of each kind of traffic the codec that the literature keeps the loss with, and for gradients those beyond.
    void coded() {
        const Codec fp8{.kind = CodecKind::fp8}, zfp{.kind = CodecKind::zfp, .rate = 8},
            top_k{.kind = CodecKind::top_k, .density = 0.01};
        coded("dp2", "-fp8", "Gradients in fp8, two data ranks", {.data = 2}, Traffic::gradients, fp8);
        coded("dp2", "-zfp8", "Gradients at 8 bits, two data ranks", {.data = 2}, Traffic::gradients, zfp);
        coded("dp2", "-topk", "1 % of the gradients, two data ranks", {.data = 2}, Traffic::gradients, top_k);
        coded("tp2", "-fp8", "Activations in fp8, two tensor ranks", {.tensor = 2}, Traffic::tensor, fp8);
        coded("pp2-m4", "-fp8", "Transfers in fp8, two stages", {.pipeline = 2, .micro_batch = 1, .accumulate = 4},
              Traffic::pipeline, fp8);
    }
    // "2 tensor x 4 data ranks", "4 stages"
    static std::string name_of(const TrialShape& l) {
        std::string name;
        const auto add = [&](int degree, const char* what) {
            if (degree > 1) name.append(name.empty() ? "" : " x ").append(std::to_string(degree)).append(what);
        };
        add(l.tensor, " tensor");
        add(l.pipeline, l.pipeline == l.ranks() ? " stages" : " stage");
        add(l.data, " data");
        return l.pipeline == l.ranks() ? name : name.append(" ranks");
    }
    // "tp2-dp4", "pp4"
    static std::string id_of(const TrialShape& l) {
        std::string id;
        for (const auto& [degree, what] :
             {std::pair{l.tensor, "tp"}, std::pair{l.pipeline, "pp"}, std::pair{l.data, "dp"}})
            if (degree > 1) id.append(id.empty() ? "" : "-").append(what).append(std::to_string(degree));
        return id;
    }
    void add_shape(Role role, const TrialShape& l) {
        std::string label = name_of(l), id = id_of(l);
        if (l.accumulate > 1) label.append(", ").append(std::to_string(l.accumulate)).append(" micro-batches");
        if (l.zero == 3) {
            id.append("-zero3");
            label.append(", ZeRO-3");
        }
        if (l.recompute == Recompute::full) {
            id.append("-full");
            label.append(", full recompute");
        }
        add(role, std::move(id), std::move(label), small_.model, l);
    }
    void many() {
        const Model& m = small_.model;
        const int n = ranks_, half = n / 2;
        add(Role::fit, "one", "One rank", m, {});
        add_shape(Role::fit, {.data = half});
        add_shape(Role::fit, {.data = half / 2, .tensor = 2});
        add_shape(Role::fit, {.data = half / 2, .pipeline = 2, .micro_batch = 1, .accumulate = 4});
        add_shape(Role::fit, {.data = half, .zero = 3});
        add_shape(Role::held_out, {.data = n});
        add_shape(Role::held_out, {.data = n / 4, .tensor = 4});
        add_shape(Role::held_out, {.data = n / 4, .pipeline = 4, .micro_batch = 1, .accumulate = 8});
        add_shape(Role::held_out, {.data = n / 4, .tensor = 2, .pipeline = 2, .micro_batch = 1, .accumulate = 4});
        add_shape(Role::held_out, {.data = n, .zero = 3, .recompute = Recompute::full});
        const TrialShape data{.data = n}, tensor{.data = half, .tensor = 2};
        add(Role::held_out, "deeper",
            std::string(std::to_string(deeper(m).layers)).append(" layers, ").append(name_of(data)), deeper(m), data);
        add(Role::held_out, "wider",
            std::string("Width ").append(std::to_string(wider(m).hidden)).append(", ").append(name_of(tensor)),
            wider(m), tensor);
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

std::vector<PlannedRun> planned_layouts(const Scenario& subject, const ScaledModel& small,
                                        const CalibrationPlace& place, int steps) {
    return LayoutPlanner(subject, small, place, steps).all();
}

}  // namespace plimsoll
