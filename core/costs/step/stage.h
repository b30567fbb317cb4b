#pragma once
// One pipeline stage working on one micro-batch: the layers and ends it holds,
// what it recomputes, what it waits for, and how fast its host feeds it.
//
// Device and host run side by side; the slower one wins, softly:
//   time = (device^6 + host^6)^(1/6)
// which is exact when either dominates. What that adds over the device's own
// work is reported as launch.
//
// A split backward pass sets the weight gradients of the matrix products apart,
// head included; data gradients, attention, elementwise work, communication and
// the embedding's look-up stay with the input gradient (Qi et al. 2024, table 1).

#include "core/costs/kernels/work.h"
#include "core/costs/kernels/layer.h"
#include "core/values/plan/breakdown.h"

#include <vector>

namespace plimsoll {

// Chosen by fit: a plain sum of device and host misses vTrain's runs on one device by half of their time.
constexpr double host_exponent = 6;

// One layer of a kind on a stage. Where all are kept, or all repeated, both backward passes are the same.
struct KindTime {
    Seconds forward, kept_backward, repeated_backward;
};

struct StageTime {
    StepTime micro;               // parts of one micro-batch; bubble, data_parallel and optimizer stay zero
    Seconds forward, backward;    // the same split by pass
    Seconds weight, ends_weight;  // of the backward pass, the weight gradients; and the head's share
    Seconds ends_forward, ends_backward;  // of which embedding, head or both
    Seconds lookup_forward, lookup_backward;  // of these, the embedding
    Seconds device, host;         // before they are combined
    Seconds pass_forward, pass_backward;  // before waits for other tiers and other stages
    Seconds streams;              // traffic to and from other tiers
    ShortList<KindTime, most_kinds> kinds;   // zero of those it holds none of
};

struct Swap;  // offload/swap.h
StageTime stage_time(const Work&, const LayerTimes&, const Swap&, int stage);

// All stages, first to last; equal ones are computed once.
std::vector<StageTime> stage_times(const Work&);
std::vector<StageTime> stage_times(const Work&, const LayerTimes&, const Swap&);

// One activation between neighbouring stages, as sent by one rank.
Transfer stage_transfer(const Work&, int stage = 0);  // to the stage after it, or from the last to the first
Bytes stage_payload(const Work&);   // split over the tensor ranks where the software does
Span stage_span(const Work&, int stage = 0);
// Whose transfer a stage waits for: the slower of those before and after it.
int slower_boundary(const Work&, int stage);
// Sends of one activation over the same boundary, of which a share is waited for.
struct Sends {
    int boundary;    // after this stage
    int count;
    double share;
    Seconds time(const Work& s) const { return share * count * stage_transfer(s, boundary).time; }
};
Sends exposed_sends(const Work&, int stage);   // of one micro-batch, in either pass

// Messages that both sides wait for, in either pass, besides what they carry.
Seconds stage_messages(const Work&, int stage);
// Logits, or their gradients, that come to a stage which lies behind the head: 16-bit values from the head, fp32 ones
// from the cast behind it. Zero where loss and head are on one stage.
Bytes crossing_logits(const Work&, int stage);
Seconds logits_crossing(const Work&, int stage);   // exposed, in either pass

// FSDP and ZeRO-3 fetch the next layer while this one computes:
//   max(compute, comm) + tax min(compute, comm)
Seconds overlapped(Seconds compute, Seconds communication, double tax);

// Of the exposed exchange, what is left of passes that run side by side, and of all passes of a plan: those before the
// first backward pass and after the last forward pass run alone. Kernels of the hidden rest slow what they run beside.
double left_in_pairs(const ExpertStack&);
double exchange_left(const Work&);

// Of a stage's layers, those whose forward work, or some of it, a backward pass repeats.
LayerCounts repeating_layers(const Work&, const Swap&, int stage);

// Forward work that the backward pass of such a layer does again: nothing (fused attention under
// selective recomputation), all but attention for tokens whose activations stayed behind, the whole
// layer, a share of it (the stack's selective policy), its attention core, or a list of modules.
enum class Repeats { nothing, tokens, layer, share, attention, modules };
struct RepeatedWork {
    Repeats what = Repeats::nothing;
    double share = 0;   // of
    PassTime of;
    PassTime time() const { return share * of; }
};
// `layer` is the time on devices that are `slow` times slower than the machine's.
RepeatedWork repeated_work(const Work&, const LayerKind&, const LayerTime& layer, const Swap&, double slow = 1);
// The modules such a layer repeats, those inside others left out: visit(Module).
template <class Visit>
void repeated_modules(const Work& s, const LayerKind& kind, Visit visit) {
    for (int i = 0; i < layer_modules; ++i) {
        const Module m{i};
        const bool inside = s.layout.recompute_modules.moe && (m == Module::moe_act || m == Module::shared_experts);
        if (!inside && recomputes(s, kind, m)) visit(m);
    }
}

}  // namespace plimsoll
