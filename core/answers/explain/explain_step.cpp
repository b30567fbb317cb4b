// The parts of a step that are not so much a layer, and their sum.
#include "core/answers/explain/explain_parts.h"

#include "core/values/basics/phrase.h"
#include "core/costs/kernels/layer.h"
#include "core/costs/memory/swap.h"
#include "core/values/plan/placement.h"
#include "core/values/plan/share.h"

#include <string>

namespace plimsoll {

namespace {

void add_embedding(const Scenario& s, std::vector<Term>& parts) {
    parts.push_back(streamed(s, "Embedding, forward", embedding_forward_bytes(s), "look-up, positions, dropout"));
    parts.push_back(streamed(s, "Embedding, backward", embedding_backward_bytes(s),
                             "the same back, and the gradient of the table once"));
}

void add_passes(const Scenario& s, const std::array<Gemm, 3>& gemms, Precision precision, std::vector<Term>& parts) {
    const char* passes[] = {"forward", "data gradient", "weight gradient"};
    for (int i = 0; i < 3; ++i)
        if (i < 2 || gemms[0].trained) parts.push_back(gemm_term(s, gemms[i], passes[i], precision));
}

void add_head(const Scenario& s, std::vector<Term>& parts) {
    add_passes(s, head_gemms(s), head_precision(s), parts);
    if (s.stack.loss.repeats_head())
        parts.push_back(gemm_term(s, head_gemms(s)[0], "forward again", head_precision(s)));
}

void add_loss(const Scenario& s, std::vector<Term>& parts) {
    parts.push_back(streamed(s, "Cross entropy", cross_entropy_bytes(s), "bytes per logit of the stack, both passes"));
}

// What a module does beside its layers.
Term further_token_term(const Scenario& s) {
    const Gemm join = joining_gemm(s);
    std::vector<Term> parts;
    add_embedding(s, parts);
    add_passes(s, {join, data_gradient(join), weight_gradient(join)}, s.recipe.precision, parts);
    add_head(s, parts);
    add_loss(s, parts);
    return sum("Its embedding, joining product, head and loss", "s", std::move(parts));
}

Term ends_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    std::vector<Term> parts;
    const int stage = p.step.busiest_stage;
    if (holds_embedding(s, stage)) add_embedding(s, parts);
    if (holds_head(s, stage)) add_head(s, parts);
    if (holds_loss(s, stage)) add_loss(s, parts);
    if (holds_modules(s, stage))
        parts.push_back(product("Further tokens", "s",
                                {counted("Tokens beyond the next", s.model.further.depths), further_token_term(s)}));
    if (parts.empty()) parts.push_back(derived("The busiest stage holds neither end", 0, "s", "pipeline layout"));
    return product("Embedding, head, loss", "s",
                   {micro_term(p), of_slowest(p, p.step.busiest_stage, sum("One micro-batch", "s", std::move(parts)))});
}

Term reference_term(const StepParts& p) {
    if (!runs_reference(p.scenario.method)) return derived("Reference model", 0, "s", "the method has none");
    const Seconds pass = p.stages[p.step.busiest_stage].micro.reference;
    return product("Reference model", "s",
                   {micro_term(p), derived("Forward pass of a micro-batch", pass / second, "s",
                                           "layers, ends, gathers, collectives and gaps as in the other parts")});
}

Term launch_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    const StageTime& t = p.stages[p.step.busiest_stage];
    Term soft =
        combine(Operator::power_mean, "Stage with device and host side by side", "s",
                {derived("Device work", t.device / second, "s",
                         "the other parts of one micro-batch and the gaps between kernels"),
                 derived("Host issuing it", t.host / second, "s",
                         "host time per layer of the stack, backward twice forward, and of every matrix that ZeRO-3 "
                         "gathers or reduces; slowest of the tensor ranks")},
                "(device^6 + host^6)^(1/6)");
    soft.exponent = host_exponent;
    soft.value = evaluate(soft);
    const Seconds work = t.micro.total() - t.micro.launch - t.micro.pipeline_transfer - t.micro.offload;
    return sum(
        "Launch and gaps", "s",
        {product("All micro-batches", "s",
                 {micro_term(p),
                  difference("Beyond the device's own work", "s", std::move(soft),
                             derived("Device work without gaps", work / second, "s", "sum of the other parts"))}),
         stack_value(s, "Engine, micro-batches after the first", p.step.engine / second, "s", "host_micro_batch_ms")});
}

Term gather_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    const double layer = p.stages[p.step.busiest_stage].micro.shard_gather / second;
    const LayerKind first = first_layer(s);
    return sum("Shard gathers", "s",
               {product("Beyond compute, all layers and both ends", "s",
                        {micro_term(p),
                         derived("One micro-batch", layer, "s",
                                 "max(compute, gather) + tax min(compute, gather), less compute, per layer or end and "
                                 "pass; a ring's waits count as compute")}),
                explain_sharded(s, p.step.heaviest_stage, layer_gather_bytes(s, first), Collective::all_gather,
                                coding_of(s, Traffic::weights), "First gather, unhidden"),
                explain_sharded(s, p.step.heaviest_stage, layer_scatter_bytes(s, first), Collective::reduce_scatter,
                                coding_of(s, Traffic::gradients), "Last scatter, unhidden")});
}

Term transfer_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    if (s.layout.pipeline_parallel == 1) return derived("Pipeline transfer", 0, "s", "one stage sends nothing");
    const auto one = [&](const Sends& sends) {
        return explain_transfer(s, stage_span(s, sends.boundary), stage_payload(s), Collective::message,
                                coding_of(s, Traffic::pipeline), "One activation between stages");
    };
    const int stage = p.step.busiest_stage;
    const Sends exposed = exposed_sends(s, stage);
    const int passes = forward_passes(s.method) + 1;
    std::vector<Term> parts{product("Exposed sends", "s",
        {micro_term(p), counted("Sends and receives per micro-batch", passes * exposed.count),
         stack_value(s, "Exposed share", exposed.share, "", "pipeline_exposed"), one(exposed)})};
    if (const Seconds messages = stage_messages(s, stage); messages > Seconds{})
        parts.push_back(product(
            "Messages both sides wait for", "s",
            {micro_term(p), counted("Passes", passes),
             stack_value(s, "To and from neighbours, one pass", messages / second, "s", "pipeline_message_ms")}));
    if (const Bytes logits = crossing_logits(s, stage); logits > Bytes{})
        parts.push_back(product("Logits from the stage before", "s",
                                {micro_term(p), counted("Logits and their gradients", passes),
                                 stack_value(s, "Exposed share", exposed.share, "", "pipeline_exposed"),
                                 explain_transfer(s, stage_span(s, stage - 1), logits, Collective::message,
                                                  coding_of(s, Traffic::pipeline), "Logits of one micro-batch")}));
    hidden_sends(s, [&](const Sends& sends) {
        parts.push_back(product("Hidden sends that delay filling and draining", "s",
                                {counted("Sends through the pipeline and back", sends.count),
                                 stack_value(s, "Hidden share", sends.share, "", "pipeline_exposed"), one(sends)}));
    });
    return sum("Pipeline transfer", "s", std::move(parts));
}

Term bubble_term(const StepParts& p) {
    const StageTime& t = p.stages[p.step.busiest_stage];
    const bool overlap = schedule_kind(p.scenario.layout.schedule).steps_overlap;
    return difference(
        "Pipeline bubble", "s",
        derived("First task to last", p.step.pipeline / second, "s",
                overlap ? "simulated schedule with every stage's own times, of the stage that takes longest; the next "
                        "step follows on at once"
                      : "simulated schedule with every stage's own times; (m + p - 1) tasks when all stages are equal"),
        product("Busy time of the busiest stage", "s",
                {micro_term(p), derived("One micro-batch", (t.forward + t.backward) / second, "s",
                                        "forward and backward of the stage")}));
}

Term data_term(const StepParts& p) {
    std::vector<Term> parts{
        explain_gradients(p),
        derived("Crossing nodes", p.step.gradients.crossing / second, "s",
                "node_reduction_ms per node, bucket_crossing_ms per bucket and, under ZeRO-1, owner_broadcast_ms per "
                "owning rank and layer_handout_ms per layer and node of the stack"),
        derived("Tied embedding", p.step.tied_embedding / second, "s", "first and last stage add their gradients")};
    if (p.step.shared_weights > Seconds{})
        parts.push_back(derived("Shared weights", p.step.shared_weights / second, "s",
                                "stages that hold layers of the kind add their gradients"));
    if (p.step.head_start > Seconds{})
        parts.front() = difference(phrase("Gradient reduction of stage {1}", p.step.heaviest_stage + 1), "s",
                                   std::move(parts.front()),
                                   derived("Head start on the first stage", p.step.head_start / second, "s",
                                           "the last micro-batch's backward pass through the stages before it"));
    if (p.step.preconditioner.exchange() > Seconds{}) parts.push_back(explain_preconditioner_exchange(p));
    return sum("Data-parallel wait", "s", std::move(parts));
}

Term optimizer_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    const Parameters& n = p.step.heaviest;
    const int stage = p.step.heaviest_stage;
    const Bytes conversion = weight_conversion(s, n);
    std::vector<Term> parts{
        at_speed(p, stage, streamed(s, "Update", optimizer_traffic(s, n) - conversion,
                                    "bytes per parameter of the stack, over this rank's share"))};
    if (conversion > Bytes{})
        parts.push_back(at_speed(p, stage, streamed(s, "Conversion of new weights", conversion,
                                                    "read, and written as often as products want copies of them, in "
                                                    "the recipe's format, once a step")));
    parts.push_back(
        stack_value(s, "Host issuing the update", p.step.optimizer.host / second, "s", "host_optimizer_layer_ms"));
    parts.push_back(at_speed(p, stage, streamed(s, "Gradient accumulation", accumulation_traffic(s, n),
                                                "bytes per parameter and micro-batch of the stack")));
    parts.push_back(
        stack_value(s, "Constant per step", p.step.optimizer.constant / second, "s", "step_constant_ms"));
    return sum("Optimizer", "s", std::move(parts));
}

}  // namespace

Term explain_part(const StepParts& p, std::string_view id) {
    const auto part = [&]() -> Term {
        if (id == "gemm") return explain_gemms(p);
        if (id == "attention") return explain_attention(p);
        if (id == "elementwise") return explain_elementwise(p);
        if (id == "recompute") return explain_recompute(p);
        if (id == "reference") return reference_term(p);
        if (id == "ends") return ends_term(p);
        if (id == "launch") return launch_term(p);
        if (id == "tensor_parallel") return explain_tensor(p);
        if (id == "context_parallel") return explain_context(p);
        if (id == "expert_exchange") return explain_exchange(p);
        if (id == "shard_gather") return gather_term(p);
        if (id == "pipeline_transfer") return transfer_term(p);
        if (id == "offload") return explain_offload_wait(p);
        if (id == "bubble") return bubble_term(p);
        if (id == "data_parallel") return data_term(p);
        if (id == "preconditioner") return explain_preconditioner(p);
        return optimizer_term(p);
    };
    return named(part(), "step." + std::string(id));
}

Term explain_step(const StepParts& p) {
    std::vector<Term> parts;
    for (const auto& part : step_parts) parts.push_back(explain_part(p, part.id));
    return named(sum("Step time", "s", std::move(parts), "parts of the busiest pipeline stage"), "step_seconds");
}

}  // namespace plimsoll
