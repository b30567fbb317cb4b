#include "core/files/import/hf_families.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plimsoll::files {
namespace {

constexpr int most_tokens = 1 << 24;

struct Hybrid {
    std::string_view model_type, blocks;
};
constexpr Hybrid hybrids[] = {
    {"deepseek_v4", "attention over compressed keys"},
    {"falcon_mamba", "state-space blocks (Mamba)"},
    {"gemma3n_text", "streams that every layer predicts and corrects (AltUp)"},
    {"jamba", "state-space blocks (Mamba)"},
    {"laguna", "sizes that differ from layer to layer"},
    {"lfm2", "short convolutions"},
    {"lfm2_moe", "short convolutions"},
    {"mamba", "state-space blocks (Mamba)"},
    {"mamba2", "state-space blocks (Mamba-2)"},
    {"minimax_m3", "sparse attention that an indexer steers"},
    {"minimax_m3_vl", "sparse attention that an indexer steers"},
    {"nemotron-nas", "sizes that differ from layer to layer"},
    {"recurrent_gemma", "recurrent blocks (RG-LRU)"},
    {"rwkv", "recurrent blocks (RWKV)"},
    {"step3p5", "sizes that differ from layer to layer"},
    {"step3p7", "sizes that differ from layer to layer"},
    {"zamba", "state-space blocks (Mamba)"},
};

std::string refusal(std::string_view blocks) {
    return phrase("layers with {1} are not modelled: products, memory and exchange of such a layer differ from those "
                  "of attention. The list of its weights' names and shapes imports for its memory and cut",
                  phrase(blocks));
}

// Kinds of layers by the list that newer configurations have. Nothing without one.
struct Kinds {
    int full = 0, sliding = 0, chunked = 0;
};
std::optional<Kinds> kinds_listed(const HfConfig& c, const Model& m) {
    const auto at = c.root().member("layer_types");
    if (!at || !at->array(10000)) return std::nullopt;
    Kinds kinds;
    for (const Reader& layer : at->elements()) {
        const std::string kind = layer.text().value_or("");
        if (kind == "full_attention") ++kinds.full;
        else if (kind == "sliding_attention") ++kinds.sliding;
        else if (kind == "chunked_attention") ++kinds.chunked;
        else if (!kind.empty()) return layer.error(refusal(in_quotes(kind))), std::nullopt;
    }
    if (kinds.full + kinds.sliding + kinds.chunked != m.layers)
        c.root().error("layer_types", phrase("found {1} layers, expected the {2} of num_hidden_layers",
                                             at->elements().size(), m.layers));
    return kinds;
}

// Layers of which every n-th sees everything.
int windowed_by(int layers, int every) { return every > 0 ? layers - layers / every : layers; }

}  // namespace

std::string_view blocks_not_modelled(std::string_view model_type) {
    for (const Hybrid& h : hybrids)
        if (h.model_type == model_type) return h.blocks;
    return {};
}

void refuse_blocks(const Reader& at, std::string_view blocks) { at.error(refusal(blocks)); }

void read_window(const HfConfig& c, Model& m, WindowHabit habit) {
    const auto listed = kinds_listed(c, m);
    const char* key = habit.chunks ? "attention_chunk_size" : "sliding_window";
    const bool said = c.root().json().contains(key);
    const int tokens = said ? c.whole({key}, 0) : habit.tokens;  // null: none
    const int layers = !listed ? windowed_by(m.layers, c.whole({"sliding_window_pattern"}, habit.full_every))
                     : habit.chunks ? listed->chunked
                                    : listed->sliding;
    if (tokens == 0 || layers == 0 || tokens > most_tokens) return;
    m.window = {tokens, layers, habit.chunks};
    m.sources["/window"] = {SourceKind::vendor,
                            said ? std::string("config.json: ") + key : "the model type's window where none is stated"};
}

}  // namespace plimsoll::files
