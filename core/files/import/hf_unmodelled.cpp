#include "core/files/import/hf_families.h"

#include "core/values/basics/phrase.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plimsoll::files {
namespace {

void plain_layers(const HfConfig& c) {
    const auto at = c.root().member("mlp_only_layers");
    if (!at || !at->array(10000) || at->elements().empty()) return;
    c.root().warning("mlp_only_layers",
                     phrase("{1} layers without experts are priced as layers with experts: parameters and exchanges of "
                            "experts are that much too many",
                            at->elements().size()));
}

void capped_scores(const HfConfig& c) {
    if (c.has("attn_logit_softcapping"))
        c.root().warning("attn_logit_softcapping",
                         phrase("capping of scores is left out: it adds a few percent to fused attention, and kernels "
                                "that cannot cap fall back to slower ones"));
}

}  // namespace

void say_what_is_left_out(const HfConfig& c) {
    plain_layers(c);
    capped_scores(c);
}

}  // namespace plimsoll::files
