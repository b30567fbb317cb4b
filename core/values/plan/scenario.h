#pragma once
// One training plan: everything an estimate depends on, as a value.

#include "core/values/plan/codec.h"
#include "core/values/plan/layout.h"
#include "core/values/plan/machine.h"
#include "core/values/plan/method.h"
#include "core/values/plan/model.h"
#include "core/values/plan/recipe.h"
#include "core/values/plan/stack.h"

#include <memory>

namespace plimsoll {

struct Scenario;
struct StepTime;
struct MemoryUse;

// What the model's own prediction is multiplied by, for measured runs of one's own. 1: nothing is known of it.
struct Correction {
    double time = 1, memory = 1;
    bool any() const { return time != 1 || memory != 1; }
    friend bool operator==(const Correction&, const Correction&) = default;
};

// Measured runs of one's own (evidence/published/anchor.h), asked with what the model alone predicts of a plan.
class MeasuredRuns {
public:
    virtual ~MeasuredRuns() = default;
    virtual Correction of(const Scenario&, const StepTime&, const MemoryUse& fullest) const = 0;
};

struct Scenario {
    std::string name;
    Model model;
    Machine machine;
    Layout layout;
    Recipe recipe;
    Stack stack;
    Compression compression;
    Method method;
    // That the estimate starts from; in no file of the plan. Plans with other runs are other plans.
    std::shared_ptr<const MeasuredRuns> measured = {};
    friend bool operator==(const Scenario&, const Scenario&) = default;
};

// The rows of tokens that are worked on, and those of the longest micro-batch of the run, which memory has to hold.
inline Sequence sequence_of(const Scenario& s) { return worked_rows(filling_of(s.recipe), s.layout.micro_batch); }
inline Sequence longest_sequence_of(const Scenario& s) {
    return longest_rows(filling_of(s.recipe), s.layout.micro_batch, documents_of_data(s.recipe));
}

// Micro-batches each pipeline works through in one step (0 if they do not divide).
int micro_batches(const Scenario&);
// Whole nodes the layout occupies; a part of a node counts as one.
int nodes_used(const Scenario&);
// Nodes that are charged and draw power for the plan: those, or its share of them where devices are let singly.
double nodes_held(const Scenario&);
// Devices of the nodes held that the plan leaves idle.
long long unused_devices(const Scenario&);

// The kernel the stack calls on this device.
AttentionKernel called_kernel(const Scenario&);
// The device's numbers of the fused attention kernel that the stack calls; null where the device's own rates,
// flash_forward and flash_backward, count: no kernel is named, it was not measured there, or products are fp32.
const FusedAttention* measured_attention(const Scenario&);

// Bytes of one value of this traffic before any codec.
double value_bytes(const Scenario&, Traffic);
double value_bytes(const Recipe&, const Stack&, int zero_stage, Traffic);
// The codec it passes through, by the plan's table or scheme.
inline Codec codec_of(const Scenario& s, Traffic t) { return effective(s.compression, t, value_bytes(s, t)); }

// A copy without provenance, for trying many variants: copying it again is cheap.
inline Scenario without_sources(Scenario s) {
    s.model.sources = s.machine.sources = s.stack.sources = {};
    return s;
}

// As if nothing had been measured.
inline Scenario model_alone(Scenario s) {
    s.measured.reset();
    return s;
}

}  // namespace plimsoll
