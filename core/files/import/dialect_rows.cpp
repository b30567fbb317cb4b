// What each dialect's settings are looked up in, what it leaves to its framework, and what its software is called.
#include "core/files/import/framework_reading.h"

namespace plimsoll::files {

std::vector<std::span<const SettingRow>> rows_of(Dialect d, const Signs& signs) {
    switch (d) {
        case Dialect::megatron: return {megatron_rows(), launcher_rows()};
        case Dialect::nemo:
        case Dialect::bridge: return {megatron_rows(), adapter_rows(), launcher_rows()};
        case Dialect::primus:
            if (!signs.claims(Dialect::torchtitan)) return {megatron_rows(), launcher_rows()};
            return {torchtitan_rows(), launcher_rows()};
        case Dialect::torchtitan: return {torchtitan_rows(), launcher_rows(), spoken_rows()};
        case Dialect::deepspeed: return {deepspeed_rows(), megatron_rows(), launcher_rows()};
        case Dialect::fsdp: return {fsdp_rows(), megatron_rows(), launcher_rows()};
        case Dialect::huggingface:
            return {huggingface_rows(), adapter_rows(), deepspeed_rows(), launcher_rows(), spoken_rows()};
        case Dialect::axolotl:
            return {axolotl_rows(), adapter_rows(), deepspeed_rows(), launcher_rows(), spoken_rows()};
        case Dialect::llm_foundry: return {llm_foundry_rows(), launcher_rows(), spoken_rows()};
        case Dialect::olmo: return {olmo_rows(), launcher_rows(), spoken_rows()};
        case Dialect::olmo_core: return {olmo_core_rows(), launcher_rows(), spoken_rows()};
        case Dialect::automodel: return {automodel_rows(), adapter_rows(), launcher_rows(), spoken_rows()};
        case Dialect::nanotron: return {nanotron_rows(), launcher_rows(), spoken_rows()};
        case Dialect::maxtext: return {maxtext_rows(), launcher_rows(), spoken_rows()};
        case Dialect::torchtune: return {torchtune_rows(), launcher_rows(), spoken_rows()};
    }
    return {};
}

namespace {

void take_biases(Model& m, bool on) { m.qkv_bias = m.out_bias = m.mlp_bias = on; }

void like_gpt2(Model& m, int padding, bool dropout) {
    m.activation = Activation::gelu;
    m.positions = Positions::learned;
    m.norm = Norm::layer_norm;
    m.tied_embeddings = true;
    m.dropout = dropout;
    m.vocabulary_padding = padding;
    take_biases(m, true);
}

void like_llama(Model& m) {
    m.activation = Activation::swiglu;
    m.positions = Positions::rotary;
    m.norm = Norm::rms_norm;
    m.tied_embeddings = m.dropout = false;
    m.vocabulary_padding = 1;
    take_biases(m, false);
}

}  // namespace

void take_defaults(PlanDraft& d, Dialect dialect, const Model* base) {
    Model& m = d.model;
    switch (dialect) {
        case Dialect::llm_foundry:
            like_gpt2(m, 1, false);
            d.ffn_ratio = 4;
            break;
        case Dialect::olmo:
            like_gpt2(m, 1, true);
            m.activation = Activation::swiglu;
            d.ffn_ratio = 4;
            d.ratio_holds_both = true;
            d.layout.zero_stage = 3;
            break;
        case Dialect::olmo_core:
        case Dialect::nanotron:
        case Dialect::maxtext:
        case Dialect::huggingface:
        case Dialect::axolotl:
        case Dialect::automodel:
        case Dialect::torchtune:
        case Dialect::torchtitan: like_llama(m); break;
        case Dialect::deepspeed:
            like_gpt2(m, 128, true);
            if (!d.launched) m.experts.every = 2, m.experts.top_k = 1;   // of Megatron-DeepSpeed
            break;
        case Dialect::megatron:
        case Dialect::nemo:
        case Dialect::bridge:
        case Dialect::primus:
        case Dialect::fsdp: like_gpt2(m, 128, true); break;
    }
    m.ffn = m.head_dim = m.kv_heads = 0;
    m.experts.count = 0;
    m.latent.kv_rank = base && has_latent_attention(*base) ? base->latent.kv_rank : 0;
}

SoftwareAsked software_of(Dialect dialect, const Reading& r, const PlanDraft& d) {
    SoftwareAsked asked;
    const bool zero = d.uses_deepspeed;
    switch (dialect) {
        case Dialect::megatron:
            asked.words = "megatron-core";
            asked.switches = d.switches;
            break;
        case Dialect::nemo:
            asked.words = "megatron-core";
            asked.tuning = r.python ? Tuning::tuned_2025 : Tuning::tuned_2024;
            break;
        case Dialect::bridge:
            asked.words = "megatron bridge";
            asked.tuning = Tuning::tuned_2025;
            break;
        case Dialect::torchtitan:
            asked.words = d.asynchronous ? "torchtitan async" : d.compiled ? "torchtitan compile" : "torchtitan eager";
            break;
        case Dialect::primus:
            asked.words = r.signs.claims(Dialect::torchtitan) ? "torchtitan compile" : "primus";
            break;
        case Dialect::deepspeed:
            asked.words = d.layout.zero_stage == 3 ? "deepspeed zero-3 flash" : "megatron-deepspeed flash";
            break;
        case Dialect::fsdp: asked.words = "pytorch fsdp"; break;
        case Dialect::huggingface:
        case Dialect::axolotl:
            asked.words = zero         ? "deepspeed zero-3 flash"
                        : d.unsloth    ? "unsloth"
                        : d.liger      ? "liger"
                                       : "hugging face";
            break;
        case Dialect::torchtune: asked.words = d.compiled ? "torchtune compile" : "torchtune"; break;
        case Dialect::llm_foundry: asked.words = d.pure_16_bits ? "llm foundry pure" : "llm foundry"; break;
        case Dialect::olmo:
        case Dialect::olmo_core: asked.words = d.compiled ? "olmo compile" : "olmo"; break;
        case Dialect::automodel: asked.words = "nemo automodel"; break;
        case Dialect::nanotron: asked.words = "nanotron"; break;
        case Dialect::maxtext: asked.words = "maxtext"; break;
    }
    return asked;
}

}  // namespace plimsoll::files
