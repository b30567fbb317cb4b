// Rows of the knob table: pre-training, or which part of a model is tuned.
#include "core/values/knobs/knob_rows.h"

namespace plimsoll::rows {

namespace {

constexpr auto adapted = &Method::adapted;

std::string_view without_tuning(const Scenario& s) { return tunes(s.method) ? "" : "the model is pre-trained"; }

std::string_view without_preference(const Scenario& s) {
    return s.method.purpose == Purpose::preference ? "" : "no preferences are trained";
}

std::string_view without_adapted_experts(const Scenario& s) {
    return has_experts(s.model) ? without_adapters(s) : "no experts";
}
std::string_view without_adapted_mixer(const Scenario& s) {
    return has_recurrence(s.model) ? without_adapters(s) : "attention in every layer";
}

template <auto Matrix>
Knob matrix(const char* id, const char* label, const char* help) {
    return idle_if(without_adapters, flag<method, adapted, Matrix>(id, label, help));
}

void add_adapted(Table& t) {
    t.push_back(matrix<&AdaptedMatrices::query>(
        "method.adapted.q_proj", "Queries", "Projection of queries. PEFT: q_proj"));
    t.push_back(matrix<&AdaptedMatrices::key>(
        "method.adapted.k_proj", "Keys", "With latent attention the projection down. PEFT: k_proj"));
    t.push_back(matrix<&AdaptedMatrices::value>(
        "method.adapted.v_proj", "Values", "With latent attention the projection up. PEFT: v_proj"));
    t.push_back(matrix<&AdaptedMatrices::output>(
        "method.adapted.o_proj", "Attention output", "Projection of attention's output. PEFT: o_proj"));
    t.push_back(matrix<&AdaptedMatrices::gate>(
        "method.adapted.gate_proj", "Gate", "Gate of feed-forward blocks. PEFT: gate_proj"));
    t.push_back(matrix<&AdaptedMatrices::up>(
        "method.adapted.up_proj", "Feed-forward in", "First matrix of feed-forward blocks. PEFT: up_proj"));
    t.push_back(matrix<&AdaptedMatrices::down>(
        "method.adapted.down_proj", "Feed-forward out", "Last matrix of feed-forward blocks. PEFT: down_proj"));
    t.push_back(idle_if(without_adapted_experts, flag<method, adapted, &AdaptedMatrices::experts>(
        "method.adapted.experts", "Routed experts", "Of the feed-forward matrices, those of routed experts, too")));
    t.push_back(idle_if(without_adapted_mixer, flag<method, adapted, &AdaptedMatrices::mixer>(
        "method.adapted.mixer", "Other mixers", "Projections of mixers other than attention")));
}

void add_tuning(Table& t) {
    t.push_back(choice<Purpose, method, &Method::purpose>(
        "method.purpose", "Purpose",
        "Pre-training starts from nothing; fine-tuning from weights that are there; preference training (DPO) "
        "passes two answers to a prompt, two sequences, through the model and a reference"));
    t.push_back(idle_if(without_tuning, choice<Trained, method, &Method::trained>(
        "method.trained", "Trained",
        "All weights, or adapters of low rank beside weights that stay as they are (LoRA): no gradients and no "
        "optimizer states of these, and 4 N FLOP of a token in place of 6 N")));
    t.push_back(idle_if(without_adapters, count<method, &Method::rank>(
        "method.rank", "Rank", "", {1, 1024, by_factors, ranges::adapter_rank},
        "Width between an adapter's two products. PEFT: r; torchtune: lora_rank")));
    t.push_back(idle_if(without_adapters, choice<FrozenFormat, method, &Method::frozen>(
        "method.frozen", "Frozen weights",
        "Format of frozen matrices of layers. int8 and NF4 are decoded to 16 bits in every pass (QLoRA); double "
        "quantisation keeps the scales in 8 bits, 4.127 bits a weight in all")));
    t.push_back(idle_if(without_preference, choice<Reference, method, &Method::reference>(
        "method.reference", "Reference model",
        "A copy of the model that stays as it is; the model with its adapters off; or probabilities computed before "
        "the run, which cost the step nothing. TRL: precompute_ref_log_probs")));
    t.push_back(idle_if(without_adapters, flag<method, &Method::trains_tables>(
        "method.trains_tables", "Tables trained", "Embedding and head are trained besides, with full states. PEFT: "
        "modules_to_save")));
    t.push_back(idle_if(without_adapters, flag<method, &Method::fused_adapters>(
        "method.fused_adapters", "Adapters of fused matrices",
        "One adapter for matrices that are multiplied as one: queries with keys and values, gate with its branch. "
        "Megatron: linear_qkv, linear_fc1")));
    t.push_back(idle_if(without_adapters, flag<method, &Method::magnitudes>(
        "method.magnitudes", "Magnitudes (DoRA)",
        "A trained norm of every output of an adapted matrix. Every forward pass multiplies the adapters out. PEFT: "
        "use_dora")));
    t.push_back(idle_if(without_adapters, flag<method, &Method::adapter_dropout>(
        "method.adapter_dropout", "Dropout of adapters",
        "One more pass over the input of every adapted matrix, which keeps a copy. PEFT: lora_dropout")));
}

}  // namespace

void add_method(Table& t) {
    under("Method", t, add_tuning);
    under("Adapted matrices", t, add_adapted);
}

}  // namespace plimsoll::rows
