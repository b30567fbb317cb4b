#include "core/evidence/calibration/plan/trial.h"

#include "core/values/knobs/wording.h"
#include "core/answers/plan/rules.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"
#include "core/values/plan/schedules.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

std::span<const TrialModel> trial_models() {
    static constexpr TrialModel models[] = {
        {"tiny", "Tiny: 2 layers of 128", 2, 128, 4, 256, 64},
        {"small", "Small: 6 layers of 384", 6, 384, 6, 8192, 256},
        {"small-gated", "Small, LLaMA's kind", 6, 384, 6, 8192, 256, true},
        {"medium", "Medium: 8 layers of 512", 8, 512, 8, 8192, 256},
        {"gpt2-124m", "GPT-2's shape, 124M", 12, 768, 12, 50304, 256},
    };
    return models;
}

Model model_of(const TrialModel& t) {
    Model m;
    m.id = t.id;
    m.name = t.label;
    m.layers = t.layers;
    m.hidden = t.width;
    m.heads = m.kv_heads = t.heads;
    m.head_dim = t.width / t.heads;
    m.ffn = t.gated ? (8 * t.width / 3 + 63) / 64 * 64 : 4 * t.width;
    m.vocabulary = t.vocabulary;
    m.vocabulary_padding = 1;
    m.sequence_length = t.sequence;
    m.activation = t.gated ? Activation::swiglu : Activation::gelu;
    m.norm = t.gated ? Norm::rms_norm : Norm::layer_norm;
    m.positions = t.gated ? Positions::rotary : Positions::learned;
    m.position_rows = t.gated ? 0 : t.sequence;
    m.tied_embeddings = !t.gated;
    m.qkv_bias = m.out_bias = m.mlp_bias = !t.gated;
    m.dropout = false;
    return m;
}

Scenario trial_plan(const TrialRun& t, const Machine& computer, const Stack& engine) {
    const auto models = trial_models();
    Scenario s;
    s.model = model_of(models[std::size_t(std::clamp(t.model, 0, int(models.size()) - 1))]);
    s.name = s.model.name;
    s.machine = computer;
    s.stack = engine;
    s.layout.devices = t.ranks();
    s.layout.data_parallel = t.data;
    s.layout.tensor_parallel = t.tensor;
    s.layout.pipeline_parallel = t.pipeline;
    s.layout.zero_stage = t.zero_stage;
    s.layout.recompute = t.recompute;
    s.layout.sequence_parallel = t.sequence_parallel;
    s.layout.micro_batch = t.micro_batch;
    s.recipe.global_batch_sequences = t.data * t.micro_batch * t.accumulate;
    s.recipe.sequence_length = s.model.sequence_length;
    s.recipe.tokens = double(t.steps) * s.recipe.global_batch_sequences * s.recipe.sequence_length;
    s.recipe.precision = Precision::fp32;
    return s;
}

Machine shared_by(const Machine& preset, const Computer& computer, int ranks) {
    Machine m = preset;
    const double cores = ranks == 1 ? computer.cores : std::min(1.0, double(computer.cores) / ranks);
    Device& d = m.device;
    for (FlopRate Device::*peak : {&Device::fp32, &Device::tf32, &Device::fp16, &Device::bf16, &Device::fp8})
        d.*peak *= cores;
    d.bandwidth *= cores;
    if (computer.memory > Bytes{}) m.host.memory = computer.memory;
    d.memory = m.host.memory / ranks;
    d.per_package = m.devices_per_node = ranks;
    m.nodes = 1;
    m.clusters = {};
    for (Level& level : m.levels) level.devices = ranks;
    return m;
}

Scenario on_computer(Scenario s, const Machine& preset, const Computer& computer, const Stack& engine) {
    s.machine = shared_by(preset, computer, s.layout.devices);
    s.stack = engine;
    s.model.dropout = false;
    return s;
}

namespace {

// What the plan has and the engine has not; each with what would work.
class Beyond {
public:
    explicit Beyond(const Scenario& s) : s_(s) {}
    Sentences run() && {
        model();
        spread();
        memory();
        recipe();
        return std::move(said_);
    }

private:
    void unless(bool good, std::string why) {
        if (!good) said_.push_back(std::move(why));
    }

    void model() {
        const Model& m = s_.model;
        const bool gpt = m.activation == Activation::gelu && m.norm == Norm::layer_norm
                      && m.positions == Positions::learned && m.tied_embeddings && m.qkv_bias && m.out_bias
                      && m.mlp_bias;
        const bool llama = m.activation == Activation::swiglu && m.norm == Norm::rms_norm
                        && m.positions == Positions::rotary && !m.tied_embeddings && !m.qkv_bias && !m.out_bias
                        && !m.mlp_bias;
        unless(gpt || llama,
               "The engine trains two kinds of model: GPT-2's (layer norm, GELU, learned positions, tied head, biases) "
               "and "
               "LLaMA's (RMS norm, SwiGLU, rotary positions, own head, no biases).");
        unless(!has_experts(m), "The engine has no experts: it takes dense models.");
        unless(!has_latent_attention(m) && !leaves_out_scores(m, sequence_of(s_)),
               "The engine has plain attention only: neither latent nor sparse.");
        unless(!has_pattern(m) && m.further.depths == 0 && !m.attention_gate,
               "The engine's layers are all alike: plain attention and a feed-forward block, and one token ahead.");
        unless(1LL * m.heads * m.head_dim == m.hidden, "The engine's heads are as wide as the model over their number: "
                                                           + std::to_string(m.hidden / std::max(1, m.heads))
                                                           + " rather than " + std::to_string(m.head_dim) + ".");
        unless(m.norms_per_layer == 2 && m.qk_norm_width == 0 && !m.embedding_norm && m.final_norm,
               "The engine has two norms a layer and one at the end.");
    }

    void spread() {
        const Layout& l = s_.layout;
        unless(l.context_parallel == 1, "The engine has no context parallelism: 1 works.");
        unless(!l.on_grid(), "The engine splits tensors in one dimension, not over a grid.");
        unless(!schedule_kind(l.schedule).splits_backward,
               "The engine has no zero-bubble schedule: 1f1b and interleaved work.");
        unless(l.schedule != Schedule::gpipe, "The engine has no GPipe schedule: 1f1b and interleaved work.");
        unless(l.stage_split == StageSplit::even && l.stages.empty() && l.mapping == Mapping::ordered,
               "The engine gives every stage the same layers.");
        unless(l.shard_group == 0, "The engine shards over all data ranks: shard group 0 works.");
        unless(l.secondary_shard == 0, "The engine keeps no second copy of the weights: secondary shard 0 works.");
        coding();
    }

    void coding() {
        const Compression& c = s_.compression;
        unless(c.scheme == Scheme::custom, "The engine takes a codec for each kind of traffic: scheme custom works.");
        unless(entry(c, Traffic::weights).kind == CodecKind::none,
               "The engine codes gathered weights as it does gradients: no codec of their own works.");
        for (const Traffic t : {Traffic::gradients, Traffic::tensor, Traffic::pipeline})
            unless(entry(c, t).kind != CodecKind::lossless,
                   "The engine has no lossless codec: fp8, zfp and top_k work.");
        const bool any =
            entry(c, Traffic::gradients).kind != CodecKind::none || entry(c, Traffic::tensor).kind != CodecKind::none;
        unless(!any || c.encoding == Encoding::once, "The engine encodes sums once: encoding once works.");
    }

    void memory() {
        const Layout& l = s_.layout;
        unless(!l.recomputes_some(), "The engine recomputes all layers or none: recomputed layers 0 works.");
        unless(!l.offload.any(), "A trial keeps everything on the device: no offloading works.");
    }

    void recipe() {
        const Recipe& r = s_.recipe;
        unless(r.precision == Precision::fp32 || r.precision == Precision::bf16,
               "The engine computes in fp32 or bf16, not in " + std::string(name_of(r.precision)) + ".");
        unless(r.optimizer == Optimizer::adam || r.optimizer == Optimizer::sgd,
               "The engine's optimizers are adam and sgd, not " + std::string(name_of(r.optimizer)) + ".");
    }

    const Scenario& s_;
    Sentences said_;
};

class Words {
public:
    void add(const char* name) { words_.emplace_back(name); }
    void add(const char* name, std::string value) {
        words_.emplace_back(name);
        words_.push_back(std::move(value));
    }
    void add(const char* name, long long value) { add(name, std::to_string(value)); }
    std::vector<std::string> take() { return std::move(words_); }

private:
    std::vector<std::string> words_;
};

void add_model(Words& w, const Scenario& s) {
    const Model& m = s.model;
    w.add("--model", m.activation == Activation::swiglu ? "llama" : "gpt2");
    w.add("--layers", m.layers);
    w.add("--width", m.hidden);
    w.add("--heads", m.heads);
    w.add("--kv-heads", m.kv_heads);
    w.add("--ffn", m.ffn);
    w.add("--vocabulary", padded_vocabulary(m, s.layout.tensor_parallel));
    w.add("--sequence", s.recipe.sequence_length);
}

// Reductions that a plan hides behind the backward pass; from ZeRO-2 on the engine waits for each.
bool hides_reductions(const Scenario& s) { return s.stack.gradients.overlap > 0 && s.layout.data_parallel > 1; }
bool can_hide_reductions(const Layout& l) { return l.zero_stage < 2; }

void add_layout(Words& w, const Scenario& s) {
    const Layout& l = s.layout;
    w.add("--dp", l.data_parallel);
    w.add("--tp", l.tensor_parallel);
    w.add("--pp", l.pipeline_parallel);
    if (l.virtual_stages > 1) w.add("--chunks", l.virtual_stages);
    if (l.sequence_parallel && l.tensor_parallel > 1) w.add("--sp");
    w.add("--zero", l.zero_stage);
    w.add("--recompute", std::string(name_of(l.recompute)));
    w.add("--micro-batch", l.micro_batch);
    w.add("--accumulate", micro_batches(s));
    if (hides_reductions(s) && can_hide_reductions(l)) w.add("--overlap");
}

// "data=fp8,tensor=fixed:8"; empty without a codec.
std::string codec_words(const Compression& c) {
    constexpr std::pair<Traffic, const char*> dimensions[] = {
        {Traffic::gradients, "data="}, {Traffic::tensor, "tensor="}, {Traffic::pipeline, "pipeline="}};
    std::string words;
    for (const auto& [traffic, name] : dimensions) {
        const Codec& codec = entry(c, traffic);
        if (codec.kind == CodecKind::none) continue;
        words.append(words.empty() ? "" : ",").append(name);
        if (codec.kind == CodecKind::fp8) words += "fp8";
        else if (codec.kind == CodecKind::zfp) words.append("fixed:").append(std::to_string(std::lround(codec.rate)));
        else words.append("topk:").append(significant(codec.density, 6));
    }
    return words;
}

Sentences remarks(const Scenario& s) {
    Sentences said;
    if (s.model.dropout) said.push_back("The engine trains without dropout.");
    if (const int padded = padded_vocabulary(s.model, s.layout.tensor_parallel); padded != s.model.vocabulary)
        said.push_back("The vocabulary is the padded one, " + std::to_string(padded) + ".");
    if (s.recipe.precision == Precision::fp32 && !s.recipe.state_format.same_formats(StateFormat::fp32_moments))
        said.push_back("In fp32 a parameter has 16 bytes of states.");
    if (hides_reductions(s) && !can_hide_reductions(s.layout))
        said.push_back("The engine hides reductions behind the backward pass under ZeRO 0 and 1 only.");
    return said;
}

}  // namespace

Expected<EngineOptions, Sentences> engine_options(const Scenario& s, const EngineRun& run) {
    Sentences cannot;
    for (const Obstacle& o : check(s)) cannot.push_back(say(o));
    for (std::string& why : Beyond(s).run()) cannot.push_back(std::move(why));
    if (!cannot.empty()) return Unexpected{std::move(cannot)};
    Words w;
    add_model(w, s);
    add_layout(w, s);
    if (std::string codecs = codec_words(s.compression); !codecs.empty()) w.add("--codec", std::move(codecs));
    w.add("--precision", std::string(name_of(s.recipe.precision)));
    w.add("--optimizer", s.recipe.optimizer == Optimizer::sgd ? "sgd" : "adamw");
    // Two runs of three at the engine's 1e-3 have one step whose loss leaps to several times its neighbours' and comes
    // back; none of sixteen at this rate. The leap is the model's own (double precision and a plain reference make it
    // too), and no time depends on it.
    w.add("--rate", std::string("0.0003"));
    w.add("--steps", run.steps);
    return EngineOptions{w.take(), remarks(s)};
}

}  // namespace plimsoll
