#include "core/evidence/calibration/plan/trial.h"

#include <algorithm>

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
    for (FlopRate Device::*peak : {&Device::fp32, &Device::tf32, &Device::fp16, &Device::bf16, &Device::fp8}) d.*peak *= cores;
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

}  // namespace plimsoll
