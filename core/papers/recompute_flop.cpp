#include "core/papers/recompute_flop.h"

#include "core/values/plan/weights.h"

namespace plimsoll::paper {

Flop full_recompute_flop(const Model& m, double sequences, int s, int vocabulary) {
    const Flop layers_forward =
        2.0 * matrix_parameters(m) * sequences * s * flop + attention_core_flop(m, sequences, s);
    return model_flop(m, sequences, s, vocabulary) + layers_forward;
}

Flop selective_recompute_flop(const Model& m, double sequences, int s, int vocabulary) {
    return model_flop(m, sequences, s, vocabulary) + 3 * attention_core_flop(m, sequences, s);
}

}  // namespace plimsoll::paper
