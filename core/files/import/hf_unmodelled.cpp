#include "core/files/import/hf_families.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plimsoll::files {
namespace {

// A module is a layer like the last one, with its norms and a projection of two vectors to one, and another pass
// of the head (DeepSeek-V3, 2412.19437, section 2.2).
void further_tokens(const HfConfig& c, const Model& m) {
    const char* key = "num_nextn_predict_layers";
    for (const char* other : {"mtp_num_hidden_layers", "num_mtp_modules"})
        if (!c.has(key)) key = other;
    const int modules = c.whole({key}, 0);
    if (modules == 0 || m.further.depths > 0) return;
    const LayerKind last = has_experts(m) ? expert_layer : dense_layer;
    const double projection = 2.0 * m.hidden * m.hidden;
    const double held = modules * (layer_parameters(m, last).all.total() + projection);
    const double head = double(m.hidden) * m.vocabulary;
    const double work = modules * (layer_matrix_parameters(m, last) + projection + head);
    const double share = work / (matrix_parameters(m) + head);
    c.root().warning(key,
                     phrase("modules that predict further tokens are left out: {1}B parameters, and a step that trains "
                            "them computes about {2} % more, all of it on the last pipeline stage",
                            significant(held / 1e9, 3), significant(100 * share, 2)));
}

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

void say_what_is_left_out(const HfConfig& c, const Model& m) {
    further_tokens(c, m);
    plain_layers(c);
    capped_scores(c);
}

}  // namespace plimsoll::files
