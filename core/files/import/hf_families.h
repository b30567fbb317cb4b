#pragma once
// What the config.json of each Hugging Face model type means in our terms, one row per type: its keys, how far its
// layers attend, and what it asks for that is not modelled. Internal to core/files.

#include "core/files/text/reader.h"
#include "core/values/basics/expected.h"
#include "core/values/plan/model.h"

#include <initializer_list>
#include <span>

namespace plimsoll::files {

inline constexpr std::size_t most_layers = 10000;   // that a list may name

// The keys of one config.json, by any of the names that generations of it used.
class HfConfig {
public:
    explicit HfConfig(const Reader& root) : root_(root) {}
    int whole(std::initializer_list<const char*> keys) const;                 // has to be there
    int whole(std::initializer_list<const char*> keys, int otherwise) const;
    double number(const char* key, double otherwise) const;
    bool flag(const char* key, bool otherwise) const;
    std::string text(std::initializer_list<const char*> keys, const std::string& otherwise) const;
    bool has(const char* key) const { return root_.member(key).has_value(); }
    const Reader& root() const { return root_; }

private:
    std::optional<Reader> find(std::initializer_list<const char*> keys) const;
    const Reader& root_;
};

struct HfFamily {
    std::string_view model_type;
    std::string_view name;
    void (*read)(const HfConfig&, Model&);  // after the keys all of them share
};
std::span<const HfFamily> hf_families();
const HfFamily& llama_by_keys();
void bailing(const HfConfig&, Model&);   // Ling, before and beside its linear attention
// Of a type that is not in the table: Llama's row where all of Llama's keys are there and none says otherwise, else the
// key that is missing or says so.
Expected<const HfFamily*, std::string> family_by_keys(const Reader& root);

void read_shared_keys(const HfConfig&, Model&);

// ---- Which layers attend to how much (hf_attention.cpp): windows and chunks are taken over, blocks that are no
// attention are refused.

// What a model type does where its configuration does not say.
struct WindowHabit {
    int tokens = 0;        // of the window; 0: no window unless stated
    int full_every = 0;    // without a list of layers every n-th attends to everything; 0: none does
    bool chunks = false;   // Llama 4: a query sees its own chunk only
};
void read_window(const HfConfig&, Model&, WindowHabit = {});

// "gated delta-net blocks" for "qwen3_next": what a type has that is not modelled; empty for all others.
std::string_view blocks_not_modelled(std::string_view model_type);
void refuse_blocks(const Reader& at, std::string_view blocks);

// ---- Layers of several kinds (hf_hybrids.cpp), after the keys that all types share.

void bailing_linear(const HfConfig&, Model&);
void bamba(const HfConfig&, Model&);
void falcon_h1(const HfConfig&, Model&);
void gemma4(const HfConfig&, Model&);
void granite_hybrid(const HfConfig&, Model&);
void kimi_linear(const HfConfig&, Model&);
void mimo_v2(const HfConfig&, Model&);
void minimax(const HfConfig&, Model&);
void nemotron_h(const HfConfig&, Model&);
void olmo_hybrid(const HfConfig&, Model&);
void qwen3_next(const HfConfig&, Model&);   // and Qwen3.5
void zamba2(const HfConfig&, Model&);
void latent_attention(const HfConfig&, Model&);
void borrow_keys_in_turn(Model&, int each);   // of so many layers the first one's (cross-layer attention, 2405.12981)
void indexers(const HfConfig&, Model&);     // whose choice of keys latent attention sees, and which layers borrow it

// Modules that predict further tokens, of any type, where the type's own row has not read them; says how to leave
// them out.
void read_further_tokens(const HfConfig&, Model&);

// ---- What a configuration asks for that the planner leaves out (hf_unmodelled.cpp), each with its effect.

void say_what_is_left_out(const HfConfig&);

}  // namespace plimsoll::files
