// The keys of a config.json: reading them, those that all types share, and whether they are Llama's.
#include "core/files/import/hf_families.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plimsoll::files {

namespace {

constexpr NumberRange side{1, 1 << 24};  // of anything counted, vocabularies included

// A list that says the same of every layer says it of the model.
Reader of_all_layers(const Reader& at) {
    const auto& list = at.json();
    if (!list.is_array() || list.empty() || list.size() > most_layers) return at;
    for (const auto& entry : list)
        if (entry != list.front()) return at;
    return at.elements().front();
}

}  // namespace

std::optional<Reader> HfConfig::find(std::initializer_list<const char*> keys) const {
    for (const char* key : keys)
        if (auto at = root_.member(key)) return of_all_layers(*at);
    return std::nullopt;
}

int HfConfig::whole(std::initializer_list<const char*> keys) const {
    if (const auto at = find(keys)) return at->whole(side).value_or(1);
    std::string names;
    for (const char* key : keys) names += (names.empty() ? "" : " or ") + std::string(key);
    root_.missing(*keys.begin(), a_whole_number(side) + (keys.size() > 1 ? " (" + names + ")" : ""));
    return 1;
}

int HfConfig::whole(std::initializer_list<const char*> keys, int otherwise) const {
    const auto at = find(keys);
    return at ? at->whole({0, side.high}).value_or(otherwise) : otherwise;
}

double HfConfig::number(const char* key, double otherwise) const {
    const auto at = root_.member(key);
    return at ? at->number({-1e15, 1e15}).value_or(otherwise) : otherwise;
}

bool HfConfig::flag(const char* key, bool otherwise) const {
    const auto at = root_.member(key);
    return at ? at->flag().value_or(otherwise) : otherwise;
}

std::string HfConfig::text(std::initializer_list<const char*> keys, const std::string& otherwise) const {
    const auto at = find(keys);
    return at ? at->text().value_or(otherwise) : otherwise;
}

namespace {

// Keys that say of a layer what Llama's has not, by a part of their names.
constexpr std::string_view other_layers[] = {"ssm", "mamba", "linear_attn", "linear_attention", "lru_", "rwkv",
                                             "conv_", "attn_layer_period", "block_types", "layers_block_type",
                                             "hybrid", "kv_lora_rank", "expert", "moe_", "index_topk", "retention",
                                             "encoder_layers", "altup", "ngram", "token_shift", "recurrent"};

}  // namespace

Expected<const HfFamily*, std::string> family_by_keys(const Reader& root) {
    for (const char* key : {"hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
                            "vocab_size", "rms_norm_eps"})
        if (!root.member(key)) return Unexpected{std::string(key)};
    for (const std::string& key : root.keys())
        for (const std::string_view part : other_layers)
            if (key.find(part) != key.npos && root.member(key) && root.json()[key] != 0 && root.json()[key] != false)
                return Unexpected{key};
    const auto act = root.member("hidden_act");
    const std::string name = act ? act->text().value_or("") : "silu";
    if (name != "silu" && name != "swish") return Unexpected{std::string("hidden_act")};
    return &llama_by_keys();
}

void read_shared_keys(const HfConfig& c, Model& m) {
    // Nemotron 3 states its layers by their list alone.
    const auto list = c.root().member("layers_block_type");
    const bool by_list = list && !c.has("num_hidden_layers") && list->array(most_layers);
    m.layers = by_list ? std::max(1, int(list->elements().size()))
                       : c.whole({"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
    m.hidden = c.whole({"hidden_size", "n_embd", "n_embed", "d_model"});
    m.heads = c.whole({"num_attention_heads", "n_head", "n_heads"});
    m.vocabulary = c.whole({"vocab_size", "padded_vocab_size"});
    m.sequence_length = c.whole(
        {"max_position_embeddings", "n_positions", "n_ctx", "seq_length", "max_seq_len", "model_max_length"}, 2048);
    m.kv_heads = c.whole({"num_key_value_heads"}, m.heads);
    m.head_dim = c.whole({"head_dim", "attention_head_dim"}, m.hidden / std::max(1, m.heads));
    m.positions = Positions::rotary;
    m.tied_embeddings = c.flag("tie_word_embeddings", false);
    m.vocabulary_padding = 1;
}

}  // namespace plimsoll::files
