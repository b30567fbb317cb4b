#include "core/answers/explain/explain_step.h"

#include "core/answers/explain/explain_context.h"
#include "core/answers/explain/explain_network.h"
#include "core/answers/explain/explain_offload.h"
#include "core/answers/explain/explain_tensor.h"
#include "core/answers/explain/explain_optimizer.h"
#include "core/costs/kernels/ends.h"
#include "core/costs/offload/swap.h"
#include "core/costs/pipeline/share.h"

#include <string>

namespace plimsoll {

StepParts::StepParts(const Scenario& s) : scenario(s), stages(stage_times(s)), step(step_of(s, stages)) {}

namespace {

const char* format_key(Precision p) {
    switch (p) {
        case Precision::fp32: return "fp32";
        case Precision::fp16: return "fp16";
        case Precision::bf16: return "bf16";
        case Precision::fp8: return "bf16";  // priced from the 16-bit rate
    }
    return "fp32";
}

Term machine_value(const Scenario& s, const std::string& label, double value, const std::string& unit, const std::string& pointer) {
    return given(label, value, unit, source_of(s.machine.sources, pointer));
}
Term stack_value(const Scenario& s, const std::string& label, double value, const std::string& unit, const std::string& key) {
    return given(label, value, unit, source_of(s.stack.sources, "/" + key));
}

Term gemm_rate(const Scenario& s, Precision precision) {
    const Device& d = s.machine.device;
    const FlopRate peak = precision == Precision::fp8 ? d.bf16 : d.peak(matrix_format(precision));
    std::vector<Term> factors{
        machine_value(s, "Peak rate", peak / (flop / second), "FLOP/s", std::string("/device/peak_TFLOPS/") + format_key(precision)),
        machine_value(s, "Ceiling of large products", d.efficiency.gemm_ceiling, "", "/device/efficiency/gemm_ceiling"),
        stack_value(s, "Stack's GEMM factor", s.stack.gemm_factor, "", "gemm_factor")};
    if (precision == Precision::fp8)
        factors.push_back(machine_value(s, "Gain of fp8", d.efficiency.fp8_gain, "", "/device/efficiency/fp8_gain"));
    return product("Rate of an infinitely large product", "FLOP/s", factors);
}

Term memory_rate(const Scenario& s) {
    const Device& d = s.machine.device;
    return product("Streamed memory bandwidth", "B/s",
                   {machine_value(s, "Memory bandwidth", d.bandwidth / (byte / second), "B/s", "/device/bandwidth_GBps"),
                    machine_value(s, "Streamed fraction", d.efficiency.stream_fraction, "", "/device/efficiency/stream_fraction")});
}

Term floor_of(const Scenario& s, double kernels) {
    return product("Shortest kernels", "s",
                   {counted("Kernels", kernels),
                    machine_value(s, "Shortest kernel", s.machine.device.efficiency.kernel_floor / second, "s", "/device/efficiency/kernel_floor_us")});
}

Term streamed(const Scenario& s, const std::string& label, Bytes traffic, const std::string& formula) {
    return quotient(label, "s", derived("Bytes moved", traffic / byte, "B", formula), memory_rate(s));
}

Term gemm_term(const Scenario& s, const Gemm& g, const std::string& pass, Precision precision) {
    const Rates r = precision == s.recipe.precision ? rates_of(s) : head_rates_of(s);
    const KernelTime k = time_of(g, r);
    char shape[80];
    std::snprintf(shape, sizeof shape, "m %.0f, n %.0f, k %.0f", g.m, g.n, g.k);
    Term compute = quotient("Arithmetic", "s",
        product("Work at the ceiling", "FLOP",
                {derived("FLOP", flop_of(g) / flop, "FLOP", std::string("2 m n k; ") + shape),
                 derived("Shape penalty", shape_penalty(g, r), "", g.steps > 1 ? "(1 + k0 q/k)(1 + A0/(m n)), constants of the device: a grid adds up its result in q steps" : "(1 + k0/k)(1 + A0/(m n)), constants of the device")}),
        gemm_rate(s, precision));
    Term memory = streamed(s, "Memory traffic", k.memory * r.memory, "operands and result once");
    return sum(std::string(g.label) + ", " + pass, "s",
               {maximum("Slower of arithmetic and memory", "s", {std::move(compute), std::move(memory)}), floor_of(s, g.steps)});
}

Term layer_gemms_term(const Scenario& s) {
    std::vector<Term> terms;
    for (const Gemm& g : layer_gemms(s)) terms.push_back(gemm_term(s, g, "forward", s.recipe.precision));
    int i = 0;
    for (const Gemm& g : layer_gradient_gemms(s))
        terms.push_back(gemm_term(s, g, i++ % 2 ? "weight gradient" : "data gradient", s.recipe.precision));
    return sum("Products of one layer", "s", std::move(terms));
}

Term attention_term(const Scenario& s, const AttentionTime& t, const std::string& pass) {
    const bool flash = s.stack.attention == Attention::flash;
    std::vector<Term> parts{derived("Products", t.compute / second, "s",
        flash ? "fused kernel: half of 4 s² d per head (causal), times the density of sparse attention, at the device's fused-attention rate; backward 2.5 times the work"
              : "scores and values as batched products over the heads; of sparse attention the share that is computed")};
    if (!flash) parts.push_back(derived("Softmax, mask and dropout traffic", t.memory / second, "s",
        "s² elements per head, read and written per operator, times the device's softmax factor"));
    if (t.merge > Seconds{})
        parts.push_back(derived("Adding up the blocks of the ring", t.merge / second, "s",
            "(c-1) 3/4 (element + 8 bytes) of output, or of the gradients of queries, keys and values, over streamed bandwidth"));
    parts.push_back(derived("Shortest kernels", t.floor / second, "s", "one per kernel; per block in a ring"));
    return sum("Attention core, " + pass, "s", std::move(parts));
}

Term layers_on(const StepParts& p) { return counted("Layers on the stage", layers_of_stage(p.scenario, p.step.busiest_stage)); }
Term micro_term(const StepParts& p) { return counted("Micro-batches per step", micro_batches(p.scenario)); }

Term per_layer(const StepParts& p, const std::string& label, Term one) {
    return product(label, "s", {micro_term(p), layers_on(p), std::move(one)});
}

Term elementwise_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    const Rates r = rates_of(s);
    const LayerTime t = layer_time(s);
    const auto pass = [&](const char* name, Bytes bytes, Seconds whole) {
        return sum(name, "s", {streamed(s, "Memory traffic", bytes, "reads and writes of norms, residuals, dropout, activation function; times the stack's elementwise factor"),
                               floor_of(s, (whole - bytes / r.memory) / r.floor)});
    };
    return per_layer(p, "Elementwise", sum("One layer", "s",
        {pass("Forward", elementwise_forward_bytes(s), t.forward.elementwise), pass("Backward", elementwise_backward_bytes(s), t.backward.elementwise)}));
}

Term recompute_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    const LayerTime t = layer_time(s);
    std::vector<Term> parts;
    if (const double tokens = swap_of(s, t).recomputed(); tokens > 0)
        parts = {product("Tokens whose activations were not sent", "s",
            {derived("Share", tokens, "", "1 - share of activations sent"),
             derived("Forward pass of one layer without attention", (t.forward.gemm + t.forward.elementwise) / second, "s", "as in Layer GEMMs and Elementwise")})};
    else if (stage_recomputes(s, p.step.busiest_stage)) {
        if (s.layout.recompute == Recompute::full)
            parts = {derived("Products, forward again", repeated_gemms(s, t) / second, "s",
                             s.stack.repeats_last_product ? "as in Layer GEMMs" : "as in Layer GEMMs, without the one that ends the layer: its result is not needed"),
                     derived("Attention, forward again", t.forward.attention / second, "s", "as in Attention"),
                     derived("Elementwise, forward again", t.forward.elementwise / second, "s", "as in Elementwise")};
        else if (s.stack.selective_share > 0)
            parts = {product("Share of a layer's forward pass", "s",
                {stack_value(s, "Selective share", s.stack.selective_share, "", "selective_share"),
                 derived("Forward pass of one layer", t.forward.device() / second, "s", "as in Layer GEMMs, Attention and Elementwise")})};
        else if (s.stack.attention == Attention::materialised)
            parts = {derived("Attention core, forward again", t.forward.attention / second, "s", "selective recomputation, Korthikanti et al. 2022")};
    }
    if (parts.empty()) parts = {derived("Nothing is recomputed on this stage", 0, "s", "layout and stack")};
    return per_layer(p, "Recompute", sum("One layer", "s", std::move(parts)));
}

Term ends_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    std::vector<Term> parts;
    if (first_stage(p.step.busiest_stage)) {
        parts.push_back(streamed(s, "Embedding, forward", embedding_forward_bytes(s), "look-up, positions, dropout"));
        parts.push_back(streamed(s, "Embedding, backward", embedding_backward_bytes(s), "the same back, and the gradient of the table once"));
    }
    if (last_stage(s, p.step.busiest_stage)) {
        const Precision head = s.recipe.precision == Precision::fp8 ? Precision::bf16 : s.recipe.precision;
        const char* passes[] = {"forward", "data gradient", "weight gradient"};
        int i = 0;
        for (const Gemm& g : head_gemms(s)) parts.push_back(gemm_term(s, g, passes[i++], head));
        parts.push_back(streamed(s, "Cross entropy", cross_entropy_bytes(s), "bytes per logit of the stack, both passes"));
    }
    if (parts.empty()) parts.push_back(derived("The busiest stage holds neither end", 0, "s", "pipeline layout"));
    return product("Embedding, head, loss", "s", {micro_term(p), sum("One micro-batch", "s", std::move(parts))});
}

Term launch_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    const StageTime& t = p.stages[p.step.busiest_stage];
    Term soft = combine(Operator::power_mean, "Stage with device and host side by side", "s",
        {derived("Device work", t.device / second, "s", "the other parts of one micro-batch and the gaps between kernels"),
         derived("Host issuing it", t.host / second, "s", "host time per layer of the stack; backward twice forward; slowest of the tensor ranks")},
        "(device^6 + host^6)^(1/6)");
    soft.exponent = host_exponent;
    soft.value = evaluate(soft);
    const Seconds work = t.micro.total() - t.micro.launch - t.micro.pipeline_transfer - t.micro.offload;
    return sum("Launch and gaps", "s",
        {product("All micro-batches", "s",
            {micro_term(p), difference("Beyond the device's own work", "s", std::move(soft),
                                       derived("Device work without gaps", work / second, "s", "sum of the other parts"))}),
         stack_value(s, "Engine, micro-batches after the first", p.step.engine / second, "s", "host_micro_batch_ms")});
}

Term gather_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    const double layer = p.stages[p.step.busiest_stage].micro.shard_gather / second;
    return sum("Shard gathers", "s",
        {product("Beyond compute, all layers", "s", {micro_term(p), derived("One micro-batch", layer, "s", "max(compute, gather) + tax min(compute, gather), less compute, per layer and pass")}),
         explain_sharded(s, layer_gather_bytes(s), Collective::all_gather, coding_of(s, Traffic::weights), "First gather, unhidden"),
         explain_sharded(s, layer_weights(s), Collective::reduce_scatter, coding_of(s, Traffic::gradients), "Last scatter, unhidden")});
}

Term transfer_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    const int stages = s.layout.pipeline_parallel;
    if (stages == 1) return derived("Pipeline transfer", 0, "s", "one stage sends nothing");
    const auto one = [&] {
        return explain_transfer(s, stage_span(s), stage_payload(s), Collective::message, coding_of(s, Traffic::pipeline), "One activation between stages");
    };
    const double exposed = s.stack.pipeline_exposed;
    return sum("Pipeline transfer", "s",
        {product("Exposed sends", "s",
            {micro_term(p), counted("Sends and receives per micro-batch", 2 * s.layout.virtual_stages),
             stack_value(s, "Exposed share", exposed, "", "pipeline_exposed"), one()}),
         product("Hidden sends that delay filling and draining", "s",
            {counted("Sends through the pipeline and back", 2 * (stages - 1)),
             stack_value(s, "Hidden share", 1 - exposed, "", "pipeline_exposed"), one()})});
}

Term bubble_term(const StepParts& p) {
    const StageTime& t = p.stages[p.step.busiest_stage];
    const bool split = splits_backward(p.scenario.layout.schedule);
    return difference("Pipeline bubble", "s",
        derived("First task to last", p.step.pipeline / second, "s",
                split ? "simulated schedule with every stage's own times, of the stage that takes longest; the next step follows on at once"
                      : "simulated schedule with every stage's own times; (m + p - 1) tasks when all stages are equal"),
        product("Busy time of the busiest stage", "s",
                {micro_term(p), derived("One micro-batch", (t.forward + t.backward) / second, "s", "forward and backward of the stage")}));
}

Term data_term(const StepParts& p) {
    std::vector<Term> parts{explain_gradients(p),
         derived("Crossing nodes", p.step.gradients.crossing / second, "s", "node_reduction_ms per node and, under ZeRO-1, owner_broadcast_ms per owning rank of the stack"),
         derived("Tied embedding", p.step.tied_embedding / second, "s", "first and last stage add their gradients")};
    if (p.step.preconditioner.exchange() > Seconds{}) parts.push_back(explain_preconditioner_exchange(p));
    return sum("Data-parallel wait", "s", std::move(parts));
}

Term optimizer_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    const double n = p.step.heaviest_parameters;
    const Seconds update = optimizer_traffic(s, n) / rates_of(s).memory;
    return sum("Optimizer", "s",
        {streamed(s, "Update", optimizer_traffic(s, n), "bytes per parameter of the stack, over this rank's share"),
         stack_value(s, "Host issuing the update", (p.step.optimizer.update - update) / second, "s", "host_optimizer_layer_ms"),
         streamed(s, "Gradient accumulation", accumulation_traffic(s, n), "bytes per parameter and micro-batch of the stack"),
         stack_value(s, "Constant per step", p.step.optimizer.constant / second, "s", "step_constant_ms")});
}

}  // namespace

Term explain_part(const StepParts& p, std::string_view id) {
    const Scenario& s = p.scenario;
    const auto part = [&]() -> Term {
        if (id == "gemm") return per_layer(p, "Layer GEMMs", layer_gemms_term(s));
        if (id == "attention") {
            const Rates r = rates_of(s);
            return per_layer(p, "Attention", sum("One layer", "s", {attention_term(s, attention_forward(s, r), "forward"),
                                                                   attention_term(s, attention_backward(s, r), "backward")}));
        }
        if (id == "elementwise") return elementwise_term(p);
        if (id == "recompute") return recompute_term(p);
        if (id == "ends") return ends_term(p);
        if (id == "launch") return launch_term(p);
        if (id == "tensor_parallel") return explain_tensor(p);
        if (id == "context_parallel") return explain_context(p);
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
