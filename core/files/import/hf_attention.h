#pragma once
// Which layers of a Hugging Face configuration attend to how much: windows and
// chunks are taken over, blocks that are no attention are refused.
// Internal to core/files.

#include "core/files/import/hf_families.h"

namespace plimsoll::files {

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

}  // namespace plimsoll::files
