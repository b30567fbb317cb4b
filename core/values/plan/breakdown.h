#pragma once
// What an estimate is made of: step time, memory and energy as named parts.
// Each struct has one table that JSON keys, CSV columns, charts, totals and
// explanations iterate; a forgotten field does not compile.

#include "core/values/basics/units.h"

#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>

namespace plimsoll {

// Breakdowns: a struct of quantities plus one table that names its fields.
// Totals, charts, CSV columns and explanations all iterate the table, so a
// parent is the sum of its children by construction.
template <class Owner, class Q>
struct Part {
    std::string_view id;     // stable: JSON key, CSV column
    std::string_view label;  // for people
    Q Owner::*value;
};

template <class Owner, class Q, std::size_t N>
constexpr Q total_of(const Owner& o, const Part<Owner, Q> (&table)[N]) {
    Q sum{};
    for (const auto& part : table) sum += o.*part.value;
    return sum;
}

// Wall time of one optimizer step, as the busiest pipeline stage sees it.
struct StepTime {
    Seconds gemm;               // layer matrix products, forward and backward
    Seconds attention;          // scores, softmax, values
    Seconds elementwise;        // norms, activations, dropout, residuals
    Seconds recompute;          // forward work repeated for the backward pass
    Seconds reference;          // the forward pass of a reference model (preference training), with its waits
    Seconds ends;               // embedding, LM head and loss, where this stage has them
    Seconds launch;             // device waiting for the host to issue work, and gaps between kernels
    Seconds tensor_parallel;    // exposed collectives inside layers
    Seconds context_parallel;   // exposed exchange of keys and values between ranks that share a sequence
    Seconds expert_exchange;    // exposed all-to-alls that take tokens to their experts and back
    Seconds shard_gather;       // exposed weight gathers and gradient scatters (ZeRO-3, FSDP)
    Seconds pipeline_transfer;  // exposed sends between stages
    Seconds offload;            // exposed traffic to and from host memory and drives, and the optimizer there
    Seconds bubble;             // stage idle: schedule fill and drain, uneven stages
    Seconds data_parallel;      // exposed gradient reduction and parameter gather
    Seconds optimizer;          // update, gradient accumulation, step constant
    Seconds preconditioner;     // K-FAC, Shampoo, Muon: work on whole matrices, mean over the steps
    Seconds total() const;
    friend bool operator==(const StepTime&, const StepTime&) = default;
};
inline constexpr Part<StepTime, Seconds> step_parts[] = {
    {"gemm", "Layer GEMMs", &StepTime::gemm},
    {"attention", "Attention", &StepTime::attention},
    {"elementwise", "Elementwise", &StepTime::elementwise},
    {"recompute", "Recompute", &StepTime::recompute},
    {"reference", "Reference model", &StepTime::reference},
    {"ends", "Embedding, head, loss", &StepTime::ends},
    {"launch", "Launch and gaps", &StepTime::launch},
    {"tensor_parallel", "Tensor-parallel wait", &StepTime::tensor_parallel},
    {"context_parallel", "Context-parallel wait", &StepTime::context_parallel},
    {"expert_exchange", "Expert all-to-all", &StepTime::expert_exchange},
    {"shard_gather", "Shard gathers", &StepTime::shard_gather},
    {"pipeline_transfer", "Pipeline transfer", &StepTime::pipeline_transfer},
    {"offload", "Offload wait", &StepTime::offload},
    {"bubble", "Pipeline bubble", &StepTime::bubble},
    {"data_parallel", "Data-parallel wait", &StepTime::data_parallel},
    {"optimizer", "Optimizer", &StepTime::optimizer},
    {"preconditioner", "Preconditioner", &StepTime::preconditioner},
};
static_assert(sizeof(StepTime) == std::size(step_parts) * sizeof(Seconds), "every field has a row");
inline Seconds StepTime::total() const { return total_of(*this, step_parts); }

// Device memory of one pipeline stage at its peak.
struct MemoryUse {
    Bytes weights, gradients, optimizer;
    Bytes preconditioner;  // K-FAC, Shampoo: factors, inverses, statistics not yet reduced
    Bytes activations;
    Bytes logits;
    Bytes buffers;        // communication buckets, gathered units
    Bytes fragmentation;
    Bytes context;        // driver, libraries, communicators
    Bytes total() const;
    friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};
inline constexpr Part<MemoryUse, Bytes> memory_parts[] = {
    {"weights", "Weights", &MemoryUse::weights},
    {"gradients", "Gradients", &MemoryUse::gradients},
    {"optimizer", "Optimizer state", &MemoryUse::optimizer},
    {"preconditioner", "Preconditioner", &MemoryUse::preconditioner},
    {"activations", "Activations", &MemoryUse::activations},
    {"logits", "Logits", &MemoryUse::logits},
    {"buffers", "Communication buffers", &MemoryUse::buffers},
    {"fragmentation", "Fragmentation", &MemoryUse::fragmentation},
    {"context", "Context", &MemoryUse::context},
};
static_assert(sizeof(MemoryUse) == std::size(memory_parts) * sizeof(Bytes), "every field has a row");
inline Bytes MemoryUse::total() const { return total_of(*this, memory_parts); }

// What the ranks of one node keep together in a tier below device memory.
struct TierUse {
    Bytes weights, gradients, optimizer;
    Bytes activations;
    Bytes total() const;
    TierUse& operator+=(const TierUse&);
    friend bool operator==(const TierUse&, const TierUse&) = default;
};
inline constexpr Part<TierUse, Bytes> tier_parts[] = {
    {"weights", "Weights", &TierUse::weights},
    {"gradients", "Gradients", &TierUse::gradients},
    {"optimizer", "Optimizer state", &TierUse::optimizer},
    {"activations", "Activations", &TierUse::activations},
};
static_assert(sizeof(TierUse) == std::size(tier_parts) * sizeof(Bytes), "every field has a row");
inline Bytes TierUse::total() const { return total_of(*this, tier_parts); }
inline TierUse& TierUse::operator+=(const TierUse& o) {
    for (const auto& part : tier_parts) this->*part.value += o.*part.value;
    return *this;
}

// Energy of one optimizer step on all devices and nodes of the plan.
struct EnergyUse {
    Joules devices;   // the accelerators: the "device-only" figure
    Joules unused;    // devices of the plan's nodes that it leaves idle
    Joules hosts;
    Joules network;
    Joules cooling;   // what PUE adds
    Joules total() const;  // the facility figure
    friend bool operator==(const EnergyUse&, const EnergyUse&) = default;
};
inline constexpr Part<EnergyUse, Joules> energy_parts[] = {
    {"devices", "Devices", &EnergyUse::devices},
    {"unused", "Unused devices", &EnergyUse::unused},
    {"hosts", "Hosts", &EnergyUse::hosts},
    {"network", "Network", &EnergyUse::network},
    {"cooling", "Cooling and losses", &EnergyUse::cooling},
};
static_assert(sizeof(EnergyUse) == std::size(energy_parts) * sizeof(Joules), "every field has a row");
inline Joules EnergyUse::total() const { return total_of(*this, energy_parts); }

}  // namespace plimsoll
