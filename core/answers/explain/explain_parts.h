#pragma once
// The trees that explanations are put together from, by subject. Each orders and words the terms
// that the cost functions return; none of them computes a cost.

#include "core/answers/campaign/job_chain.h"
#include "core/answers/explain/term.h"
#include "core/answers/plan/by_kind.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/plan/price.h"
#include "core/costs/kernels/kernel.h"
#include "core/values/knobs/provenance.h"

#include <functional>
#include <string>
#include <string_view>

namespace plimsoll {

// A plan and what it was priced at: what every tree is built from.
struct StepParts : Priced {
    const Scenario& scenario;
};

// ---- Values of the plan (explain_layers.cpp)

inline const Source by_user{SourceKind::user, "set in the recipe"};
Term machine_value(const Scenario&, const std::string& label, double value, const std::string& unit,
                   const std::string& pointer);
Term stack_value(const Scenario&, const std::string& label, double value, const std::string& unit,
                 const std::string& key);
Term micro_term(const StepParts&);                       // micro-batches per step
Term at_speed(const StepParts&, int stage, Term work);   // of the machine's device, as the stage's cluster does it
Term of_slowest(const StepParts&, int stage, Term work);   // the same, on the rank with the longest rows

// ---- Kernels and layers (explain_layers.cpp)

Term floor_of(const Scenario&, double kernels);          // shortest kernels
Term streamed(const Scenario&, const std::string& label, Bytes traffic, const std::string& formula);
Term gemm_term(const Scenario&, const Gemm&, const std::string& pass, Precision);
// What one layer of a kind takes, times the layers of the busiest stage; kinds one by one where these have several.
Term per_layer(const StepParts&, const LayerCounts&, const std::string& label, const std::string& where,
               const std::function<Term(Kind)>& one);
Term explain_gemms(const StepParts&);
Term explain_attention(const StepParts&);
Term explain_elementwise(const StepParts&);
Term explain_recompute(const StepParts&);

// ---- Collectives (explain_network.cpp)

Term explain_transfer(const Scenario&, const Span&, Bytes payload, Collective, const Coding&, const std::string& label);
// A gather or scatter of ZeRO-3 on a stage, at the stack's achieved share of the network.
Term explain_sharded(const Scenario&, int stage, const LayerBytes&, Collective, const Coding&,
                     const std::string& label);
// What a level of the network, or a cluster's own, achieves over the whole of a message.
Term explain_rate(const Machine&, const Hop&, Bytes message, Collective = Collective::all_reduce);
std::string network_name(const Machine&, const Hop&);
// Exposed gradient reduction of the heaviest stage.
Term explain_gradients(const StepParts&);

// ---- Exchanges inside layers (explain_exchanges.cpp)

Term explain_tensor(const StepParts&);
Term explain_context(const StepParts&);
Term explain_exchange(const StepParts&);                 // of tokens and their experts
Term explain_exchange_volume(const Scenario&);           // bytes of all ranks per step

// ---- Optimizers beyond Adam (explain_optimizer.cpp)

Term explain_optimizer_memory(const Scenario&, int stage, Term by_parameter);
Term explain_preconditioner_memory(const Scenario&, int stage);
Term explain_preconditioner(const StepParts&);
Term explain_preconditioner_exchange(const StepParts&);

// ---- Tiers below the device (explain_offload.cpp)

Term explain_offload_wait(const StepParts&);
Term explain_kept_on(Tier, const std::string& label);    // of the device, then: nothing
// Activations of the layers that the device keeps although others leave.
Term explain_residue(const Work&, const Swap&, int stage);
Term explain_tier(const Estimate&, Tier);
Term explain_share(const StepParts&);
Term explain_drive_life(const Scenario&, const Estimate&, Term step);

// ---- The step (explain_step.cpp)

Term explain_part(const StepParts&, std::string_view part_id);
Term explain_step(const StepParts&);                     // their sum

// ---- Device memory (explain_memory.cpp)

Term explain_memory_part(const StepParts&, std::string_view part_id);   // of the fullest stage
Term explain_memory(const StepParts&);

// ---- Failures (explain_resilience.cpp)

Term explain_mtbf(const Scenario&);
Term explain_checkpoint_size(const Scenario&);
Term explain_checkpoint_time(const Scenario&);
Term explain_interval(const Scenario&);
Term explain_overhead(const Scenario&);
Term explain_goodput(const Scenario&);
// From the tree of the failure-free run.
Term explain_wall(const Scenario&, Term run);
Term explain_failures(const Scenario&, Term run);
// The same and the ends of jobs.
Term explain_total(const Scenario&, const JobChain&, Term run);

}  // namespace plimsoll
