// What settings of fine-tuning mean: PEFT's words as TRL, axolotl, LLaMA-Factory and NeMo AutoModel have them, and
// those of NeMo and Megatron-Bridge, whose adapters stand beside fused matrices.
#include "core/files/import/framework_reading.h"
#include "core/files/import/setting_rows.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace plimsoll::files {

namespace {

// ---- Which matrices

constexpr AdaptedMatrices no_matrices{false, false, false, false, false, false, false, true, false};

struct MatrixName {
    std::string_view name;                         // the last part of a module's
    std::array<bool AdaptedMatrices::*, 3> means;
    bool fused = false;                            // one module of several matrices
};

const MatrixName* matrix_named(std::string_view name) {
    using A = AdaptedMatrices;
    constexpr auto q = &A::query, k = &A::key, v = &A::value, o = &A::output;
    constexpr auto gate = &A::gate, up = &A::up, down = &A::down, mixer = &A::mixer;
    static constexpr MatrixName names[] = {
        {"q_proj", {q}}, {"k_proj", {k}}, {"v_proj", {v}},
        {"o_proj", {o}}, {"output_proj", {o}}, {"linear_proj", {o}}, {"attention_dense", {o}}, {"dense", {o}},
        {"linear_q", {q}}, {"linear_k", {k}}, {"linear_v", {v}},
        {"gate_proj", {gate}}, {"w1", {gate}}, {"linear_fc1_gate", {gate}},
        {"up_proj", {up}}, {"w3", {up}}, {"linear_fc1_up", {up}},
        {"down_proj", {down}}, {"w2", {down}}, {"linear_fc2", {down}}, {"mlp_fc2", {down}}, {"dense_4h_to_h", {down}},
        {"c_proj", {o, down}},   // attention and block share the name
        {"linear_qkv", {q, k, v}, true}, {"qkv_proj", {q, k, v}, true}, {"attention_qkv", {q, k, v}, true},
        {"c_attn", {q, k, v}, true}, {"query_key_value", {q, k, v}, true}, {"w_pack", {q, k, v}, true},
        {"linear_fc1", {gate, up}, true}, {"mlp_fc1", {gate, up}, true}, {"gate_up_proj", {gate, up}, true},
        {"dense_h_to_4h", {gate, up}, true},
        // Latent attention.
        {"q_a_proj", {q}}, {"q_b_proj", {q}}, {"kv_a_proj_with_mqa", {k}}, {"kv_b_proj", {v}},
        {"linear_q_proj", {q}}, {"linear_q_down_proj", {q}}, {"linear_q_up_proj", {q}},
        {"linear_kv_down_proj", {k}}, {"linear_kv_up_proj", {v}},
        {"in_proj", {mixer}}, {"out_proj", {mixer}}, {"in_proj_qkvz", {mixer}},
    };
    const auto* found = std::ranges::find(names, name, &MatrixName::name);
    return found == std::end(names) ? nullptr : found;
}

// Words of a list in whatever brackets: "model.layers.*.q_proj" is q_proj.
std::vector<std::string> words_of(const std::string& list) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : list + ' ') {
        const bool part = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '*';
        if (part) word += char(std::tolower(static_cast<unsigned char>(c)));
        else if (c != '.' && !word.empty()) words.push_back(std::exchange(word, {}));
        else word.clear();
    }
    return words;
}

bool is_all(std::string_view word) {
    return word == "all" || word == "all-linear" || word == "all_linear" || word == "*_proj";
}

bool all_matrices(PlanDraft& d, const Setting& s) {
    if (flag_said(s)) d.method.adapted = {}, d.names_matrices = true;
    return flag_of(s.value).has_value();
}

std::string say_no_head() { return phrase("an adapter of the head is not modelled: the plan has none"); }

// ---- Adapters, and the weights beside them

// "lora", "qlora", "full"; a class of NeMo: "llm.peft.LoRA(dim=8)".
bool adapter_named(PlanDraft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    const auto has = [&](const char* part) { return word.find(part) != std::string::npos; };
    if (word == "none" || word == "full" || flag_of(word) == false) return d.adapters = false, true;
    if (has("dora")) d.method.magnitudes = true;
    if (!has("lora") && !has("dora") && !has("peftconfig")) return false;
    d.adapters = true;
    if (has("qlora") && d.frozen_bits == 0) d.frozen_bits = 4, d.frozen_by = s.key;
    return true;
}

bool adapters_if(PlanDraft& d, const Setting& s) {
    bool on = false;
    if (!take_flag(on, s)) return false;
    d.adapters = on || d.adapters.value_or(false);
    return true;
}

bool quantised_adapters_if(PlanDraft& d, const Setting& s) {
    bool on = false;
    if (!take_flag(on, s)) return false;
    if (on) d.adapters = true, d.frozen_bits = 4, d.frozen_by = s.key, d.nested_scales = true;
    return true;
}

template <int bits>
bool bits_if(PlanDraft& d, const Setting& s) {
    bool on = false;
    if (!take_flag(on, s)) return false;
    if (on) d.frozen_bits = bits, d.frozen_by = s.key + (s.value.empty() ? "" : " " + s.value);
    return true;
}

bool bits_said(PlanDraft& d, const Setting& s) {
    d.frozen_by = s.key + " " + s.value;
    return take_whole(d.frozen_bits, s, 4) && (d.frozen_bits == 4 || d.frozen_bits == 8);
}

bool format_of_4_bits(PlanDraft& d, const Setting& s) {
    if (s.value == "fp4") d.nearest = phrase("NF4 stands for it, which has as many bits");
    return s.value == "nf4" || s.value == "fp4";
}

bool nested(PlanDraft& d, const Setting& s) {
    bool on = false;
    if (!take_flag(on, s)) return false;
    d.nested_scales = on;
    return true;
}

// Modules that are trained whole, beside adapters.
bool whole_modules(PlanDraft& d, const Setting& s) {
    constexpr std::string_view tables[] = {"embed_tokens", "lm_head", "wte", "output_layer", "word_embeddings"};
    bool known = true;
    for (const std::string& word : words_of(s.value)) {
        const bool table = std::ranges::find(tables, word) != std::end(tables);
        d.method.trains_tables |= table;
        known &= table;
    }
    return known;
}

bool one_for_experts(PlanDraft& d, const Setting& s) {
    bool on = false;
    if (!take_flag(on, s)) return false;
    if (on)
        d.nearest = phrase("an adapter that all experts of a rank share is not modelled: in the plan each has its own");
    return true;
}

// ---- Preferences

bool reference_computed(PlanDraft& d, const Setting& s) { return take_flag(d.reference_computed, s); }

bool reference_apart(PlanDraft& d, const Setting& s) {
    d.reference_apart = !is_nothing(s.value) && flag_of(s.value) != false;
    if (d.reference_apart) d.nearest = phrase("the plan's reference model is a copy of the one that is trained");
    return true;
}

// Of others signs tell before.
bool preference_named(PlanDraft&, const Setting& s) {
    constexpr std::string_view names[] = {"dpo", "ipo", "kto", "orpo", "simpo"};
    return std::ranges::find(names, lower_case(s.value)) != std::end(names);
}

// A matter of the loss, but for those that take no reference.
bool preference_loss(PlanDraft&, const Setting&) { return true; }

constexpr SettingRow adapter_table[] = {
    {"rl", "method.purpose", preference_named},
    {"pref_loss", "method.reference", preference_loss},
    {"precompute_ref_log_probs", "method.reference", reference_computed},
    {"ref_model", "method.reference", reference_apart},
    {"ref_model_name_or_path", "method.reference", reference_apart},
    {"rl_adapter_ref_model", "method.reference", [](PlanDraft& d, const Setting& s) {
         return take_flag(d.reference_apart, s);
     }},
    {"use_peft", "method.trained", adapters_if},
    {"use_lora", "method.trained", adapters_if},
    {"q_lora", "method.trained", quantised_adapters_if},
    {"use_qlora", "method.trained", quantised_adapters_if},
    {"adapter", "method.trained", adapter_named},
    {"finetuning_type", "method.trained", adapter_named},
    {"train_type", "method.trained", adapter_named},
    {"peft", "method.trained", adapter_named},
    {"peft_scheme", "method.trained", adapter_named},
    {"peft.scheme", "method.trained", adapter_named},
    {"peft._target_", "method.trained", adapter_named},
    {"lora_r", "method.rank", WHOLE(method.rank, 1)},
    {"lora_rank", "method.rank", WHOLE(method.rank, 1)},
    {"lora_dim", "method.rank", WHOLE(method.rank, 1)},
    {"peft.dim", "method.rank", WHOLE(method.rank, 1)},
    {"lora_tuning.adapter_dim", "method.rank", WHOLE(method.rank, 1)},
    {"lora_target_modules", "method.adapted.q_proj", take_adapted},
    {"lora_target", "method.adapted.q_proj", take_adapted},
    {"peft.target_modules", "method.adapted.q_proj", take_adapted},
    {"lora_tuning.target_modules", "method.adapted.q_proj", take_adapted},
    {"lora_target_linear", "method.adapted.q_proj", all_matrices},
    {"peft.match_all_linear", "method.adapted.q_proj", all_matrices},
    {"lora_modules_to_save", "method.trains_tables", whole_modules},
    {"modules_to_save", "method.trains_tables", whole_modules},
    {"additional_target", "method.trains_tables", whole_modules},
    {"load_in_4bit", "method.frozen", bits_if<4>},
    {"load_in_8bit", "method.frozen", bits_if<8>},
    {"quantization_bit", "method.frozen", bits_said},
    {"quantization_method", "method.frozen",   // of others signs tell before
     [](PlanDraft&, const Setting& s) { return s.value == "bnb" || s.value == "bitsandbytes"; }},
    {"quantization_type", "method.frozen", format_of_4_bits},
    {"bnb_4bit_quant_type", "method.frozen", format_of_4_bits},
    {"use_bnb_nested_quant", "method.frozen", nested},
    {"double_quantization", "method.frozen", nested},
    {"bnb_4bit_use_double_quant", "method.frozen", nested},
    {"use_dora", "method.magnitudes", take_dora},
    {"peft_use_dora", "method.magnitudes", take_dora},
    {"peft.use_dora", "method.magnitudes", take_dora},
    {"lora_dropout", "method.adapter_dropout", take_adapter_dropout},
    {"peft.dropout", "method.adapter_dropout", take_adapter_dropout},
    {"lora_tuning.adapter_dropout", "method.adapter_dropout", take_adapter_dropout},
    {"peft.share_expert_adapters", "method.adapted.experts", one_for_experts},
    {"checkpoint.pretrained_checkpoint", "method.purpose",
     [](PlanDraft& d, const Setting&) { return d.from_weights = true; }},
};

// What adapters are where nobody says it.
struct AdapterDefaults {
    int rank;
    AdaptedMatrices adapted;
    bool fused, nested;   // adapters of fused matrices; NF4 with scales that are quantised as well
};

AdapterDefaults defaults_of(Dialect whose, const std::string& stage) {
    AdaptedMatrices queries_and_values = no_matrices;   // PEFT's for most models
    queries_and_values.query = queries_and_values.value = true;
    switch (whose) {
        case Dialect::nemo:
        case Dialect::bridge: return {32, {}, true, false};
        case Dialect::torchtune:
        case Dialect::axolotl: return {8, queries_and_values, false, true};
        case Dialect::automodel: return {8, {}, false, false};
        default: break;
    }
    if (!stage.empty()) return {8, {}, false, true};   // LLaMA-Factory
    return {16, queries_and_values, false, false};     // TRL
}

}  // namespace

bool take_adapted(PlanDraft& d, const Setting& s) {
    Method& m = d.method;
    m.adapted = no_matrices;
    m.fused_adapters = false;
    d.names_matrices = true;
    bool known = true;
    for (const std::string& word : words_of(s.value)) {
        const MatrixName* named = matrix_named(word);
        if (is_all(word)) m.adapted = {};
        else if (word == "attention") m.adapted.query = m.adapted.key = m.adapted.value = m.adapted.output = true;
        else if (word == "mlp") m.adapted.gate = m.adapted.up = m.adapted.down = true;
        else if (word == "lm_head" || word == "output" || word == "embed_tokens") d.nearest = say_no_head();
        else if (!named) known = false;
        for (const auto matrix : named ? named->means : MatrixName{}.means)
            if (matrix) m.adapted.*matrix = true;
        m.fused_adapters |= (named && named->fused) || word == "attention" || word == "mlp";   // NeMo's words
    }
    return known;
}

bool take_adapted_head(PlanDraft& d, const Setting& s) {
    bool on = false;
    if (!take_flag(on, s)) return false;
    if (on) d.nearest = say_no_head();
    return true;
}

bool take_adapter_dropout(PlanDraft& d, const Setting& s) {
    const auto share = number_of(s.value);
    d.method.adapter_dropout = share.value_or(0) > 0;
    return share && *share >= 0 && *share <= 1;
}

bool take_dora(PlanDraft& d, const Setting& s) {
    return take_flag(d.method.magnitudes, s);
}

bool take_packed(PlanDraft& d, const Setting& s) {
    if (!take_flag(d.documents_apart, s)) return false;
    d.packed = d.documents_apart;
    return true;
}

bool take_offloaded_activations(PlanDraft& d, const Setting& s) {
    bool on = false;
    if (!take_flag(on, s)) return false;
    if (!on) return true;
    d.layout.offload.activations = Tier::host;
    d.layout.offload.solve_share = false;
    d.layout.offload.activation_share = 1;
    return true;
}

// LLaMA-Factory, which says the stage, trains adapters unless it is told otherwise.
bool asks_for_adapters(const PlanDraft& d) {
    return d.adapters.value_or(d.said.contains("method.rank") || (!d.stage.empty() && d.stage != "pt"));
}

namespace {

// Trainers count pairs of answers where a plan counts sequences.
void settle_preferences(Scenario& plan, PlanDraft& d, Preferences kind, std::vector<ImportRemark>& remarks) {
    Method& m = plan.method;
    if (kind == Preferences::none || d.stage == "sft" || d.stage == "pt") return;
    const auto say = [&](const char* key, std::string done) {
        remarks.push_back({SettingFate::assumed, key, {}, std::move(done), {}});
    };
    m.purpose = Purpose::preference;
    m.reference = kind == Preferences::pairs_alone || d.reference_computed ? Reference::precomputed
                : trains_adapters(m) && !d.reference_apart                 ? Reference::adapters_off
                                                                           : Reference::resident;
    if (kind == Preferences::pairs_alone)
        say("reference model", phrase("the method has none, which costs a step what probabilities cost that were "
                                      "computed before the run: the plan has these"));
    if (kind == Preferences::answers)
        return say("preferences", phrase("of single answers; the passes over mismatched ones that KTO estimates a "
                                         "divergence with are not modelled"));
    say("pairs of answers", phrase("the files count pairs, and the plan counts their sequences, two of each"));
    constexpr int most = 1 << 29;
    for (int* sequences : {&plan.layout.micro_batch, &plan.recipe.global_batch_sequences})
        if (*sequences <= most) *sequences *= 2;
    if (d.samples) *d.samples *= 2;
}

}  // namespace

void settle_method(Scenario& plan, PlanDraft& d, Dialect whose, Preferences preferences,
                   std::vector<ImportRemark>& remarks) {
    Method& m = plan.method;
    if (d.steps_of_epoch) d.steps = *d.steps_of_epoch * d.epochs.value_or(1);
    // Rows that are filled from several samples; LLaMA-Factory's look from one into another.
    if ((d.packs && d.stage.empty()) || d.padding_free) d.documents_apart = true;
    plan.recipe.rows = d.padding_free           ? RowKind::padding_free
                     : d.packed.value_or(true)  ? RowKind::packed
                     : d.pads_to_length         ? RowKind::padded
                                                : RowKind::padded_to_longest;
    const bool adapters = asks_for_adapters(d);
    m = {};
    if (adapters || (d.from_weights && d.stage != "pt")) m.purpose = Purpose::finetune;
    if (!adapters) return settle_preferences(plan, d, preferences, remarks);
    m = d.method;
    m.purpose = Purpose::finetune;
    m.trained = Trained::adapters;
    const AdapterDefaults usual = defaults_of(whose, d.stage);
    const auto missing = [&](const char* key, std::string done) {
        remarks.push_back({SettingFate::missing, key, {}, std::move(done), {}});
    };
    if (!d.said.contains("method.rank")) {
        m.rank = usual.rank;
        missing("rank of adapters", phrase("{1} is taken, as {2} has it", m.rank, say(whose)));
    }
    if (!d.names_matrices) {
        m.adapted = usual.adapted;
        m.fused_adapters = usual.fused;
        missing("matrices with adapters",
                phrase("{1} are taken, as {2} has them", names_of_adapted(m.adapted), say(whose)));
    }
    if (whose == Dialect::torchtune && !d.said.contains("method.adapted.gate_proj"))
        m.adapted.gate = m.adapted.up = m.adapted.down = false;
    if (d.frozen_bits == 8) m.frozen = FrozenFormat::int8;
    if (d.frozen_bits == 4)
        m.frozen = d.nested_scales.value_or(usual.nested) ? FrozenFormat::nf4_double : FrozenFormat::nf4;
    settle_preferences(plan, d, preferences, remarks);
}

std::span<const SettingRow> adapter_rows() { return adapter_table; }

}  // namespace plimsoll::files
