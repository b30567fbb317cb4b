// What a layer computes: kernels, and the parts of the step that are so much a layer.
#include "core/answers/explain/explain_parts.h"

#include "core/costs/kernels/indexer.h"
#include "core/costs/kernels/recurrence.h"
#include "core/costs/memory/swap.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/names.h"
#include "core/values/plan/placement.h"

#include <cstdio>

namespace plimsoll {

// ---- One kernel

Term machine_value(const Scenario& s, const std::string& label, double value, const std::string& unit,
                   const std::string& pointer) {
    return given(label, value, unit, source_of(s.machine, pointer));
}
Term stack_value(const Scenario& s, const std::string& label, double value, const std::string& unit,
                 const std::string& key) {
    return given(label, value, unit, source_of(s.stack, "/" + key));
}

namespace {

const char* format_key(Precision p) {
    switch (p) {
        case Precision::fp32: return "fp32";
        case Precision::fp16: return "fp16";
        case Precision::bf16: return "bf16";
        case Precision::fp8: return "fp8";
    }
    return "fp32";
}

// Where the preset has the ceiling of these products.
std::string ceiling_key(const Scenario& s, Precision precision) {
    const std::string at = "/device/efficiency/";
    if (precision != Precision::fp8) return at + "gemm_ceiling";
    if (!s.machine.device.efficiency.fp8_scaled[std::size_t(s.recipe.fp8_recipe)].known()) return at + "fp8_ceiling";
    return at + "fp8_scaled/" + std::string(name_of(s.recipe.fp8_recipe)) + "/ceiling";
}

Term gemm_rate(const Scenario& s, Precision precision) {
    const GemmRate r = gemm_rate_of(s, precision);
    const bool fp8 = precision == Precision::fp8;
    std::vector<Term> factors{
        machine_value(s, "Peak rate", r.peak / (flop / second), "FLOP/s",
                      std::string("/device/peak_TFLOPS/")
                          + (fp8 && matrix_format(s.recipe) == NumberFormat::fp4 ? "fp4" : format_key(precision))),
        machine_value(s, "Ceiling of large products", r.ceiling, "", ceiling_key(s, precision)),
        stack_value(s, "Stack's GEMM factor", r.stack, "", "gemm_factor")};
    if (r.sustained != 1)
        factors.push_back(machine_value(s, "Kept over a long run", r.sustained, "",
                                        fp8 ? "/device/efficiency/sustained_fp8" : "/device/efficiency/sustained"));
    if (r.power != 1)
        factors.push_back(
            derived("Power limit of the board", r.power, "", "(device_max_W / reference_power_W)^power_exponent"));
    return product("Rate of an infinitely large product", "FLOP/s", factors);
}

Term memory_rate(const Scenario& s) {
    const Device& d = s.machine.device;
    return product(
        "Streamed memory bandwidth", "B/s",
        {machine_value(s, "Memory bandwidth", d.bandwidth / (byte / second), "B/s", "/device/bandwidth_GBps"),
         machine_value(s, "Streamed fraction", d.efficiency.stream_fraction, "",
                       "/device/efficiency/stream_fraction")});
}

}  // namespace

Term floor_of(const Scenario& s, double kernels) {
    return product("Shortest kernels", "s",
                   {counted("Kernels", kernels),
                    machine_value(s, "Shortest kernel", s.machine.device.efficiency.kernel_floor / second, "s",
                                  "/device/efficiency/kernel_floor_us")});
}

Term streamed(const Scenario& s, const std::string& label, Bytes traffic, const std::string& formula) {
    return quotient(label, "s", derived("Bytes moved", traffic / byte, "B", formula), memory_rate(s));
}

Term gemm_term(const Scenario& s, const Gemm& g, const std::string& pass, Precision precision) {
    const Rates r = precision == s.recipe.precision ? rates_of(s) : head_rates_of(s);
    char shape[80];
    std::snprintf(shape, sizeof shape, "m %.0f, n %.0f, k %.0f", g.m, g.n, g.k);
    const char* flops = g.batch == 1 ? "2 m n k; " : "2 m n k for each local expert; ";
    Term rate = gemm_rate(s, precision);
    if (g.grouped) {
        const bool fp8 = precision == Precision::fp8;
        std::vector<Term> factors{
            std::move(rate),
            machine_value(s, "Grouped against single products", r.grouped / r.gemm, "",
                          fp8 ? "/device/efficiency/grouped_gemm_fp8" : "/device/efficiency/grouped_gemm"),
            stack_value(s, "Stack's grouped GEMM factor", g.rate, "", "experts/grouped_gemm_factor")};
        if (g.of_weights)
            factors.push_back(machine_value(s, "Weight gradients against other products", grouped_share(g, r), "",
                                            "/device/efficiency/grouped_weight_gradient"));
        rate = product("Rate of grouped products", "FLOP/s", std::move(factors));
    }
    Term compute =
        quotient("Arithmetic", "s",
                 product("Work at the ceiling", "FLOP",
                         {derived("FLOP", flop_of(g) / flop, "FLOP", flops + std::string(shape)),
                          derived("Shape penalty", shape_penalty(g, r), "",
                                  g.grouped ? "(1 + r0/rows)(1 + w0/min(n, k)) with the rows of one expert, "
                                              "constants of the device"
                                  : g.steps > 1 ? "(1 + k0 q/k)(1 + A0/(m n))(1 + m0/m), constants of the device: a "
                                                  "grid adds up its result in q steps"
                                                : "(1 + k0/k)(1 + A0/(m n))(1 + m0/m), constants of the device")}),
                 std::move(rate));
    Term memory = streamed(s, "Memory traffic", traffic_of(g, r), "operands and result once");
    return sum(phrase("{1}, {2}", phrase(g.label), phrase(pass)), "s",
               {maximum("Slower of arithmetic and memory", "s", {std::move(compute), std::move(memory)}),
                floor_of(s, g.steps)});
}

// ---- Layers of the busiest stage

Term micro_term(const StepParts& p) { return counted("Micro-batches per step", micro_batches(p.scenario)); }

Term at_speed(const StepParts& p, int stage, Term work) {
    const double speed = stage_speed(p.scenario, stage);
    if (speed == 1) return work;
    const int cluster = cluster_of_stage(p.scenario, stage);
    const std::string at = cluster == no_cluster ? "/clusters" : "/clusters/" + std::to_string(cluster) + "/speed";
    std::string label = phrase("{1}, at the cluster's speed", work.label);
    return quotient(std::move(label), "s", std::move(work),
                    machine_value(p.scenario, "Speed of its devices", speed, "", at));
}

Term of_slowest(const StepParts& p, int stage, Term work) {
    Term done = at_speed(p, stage, std::move(work));
    const SlowestRank rows = slowest_rows(Work(p.scenario));
    if (rows.more() <= 0) return done;
    std::string label = phrase("{1}, on the rank with the longest rows", done.label);
    return product(std::move(label), "s",
                   {std::move(done), derived("Its tokens over the mean of the ranks", 1 + rows.more(), "",
                                             "largest of the ranks, normal numbers; their spread over the rows between "
                                             "two meetings: a step, a micro-batch where weights are gathered")});
}

Term per_layer(const StepParts& p, const LayerCounts& layers, const std::string& label, const std::string& where,
               const std::function<Term(Kind)>& one) {
    const Layers kinds(p.scenario.model);
    std::vector<Term> each;
    for (Kind k = 0; k < kinds.kinds(); ++k) {
        if (layers[k] == 0) continue;
        Term number = counted(phrase("Layers {1}", phrase(where)), layers[k]);
        if (layers[k] == layers.total()) return product(label, "s", {micro_term(p), std::move(number), one(k)});
        each.push_back(product(layers_in_words(kinds[k], kinds), "s", {std::move(number), one(k)}));
    }
    return product(label, "s", {micro_term(p), sum("Layers of the stage", "s", std::move(each))});
}

namespace {

// Work of the devices of the busiest stage, of all its layers.
Term per_layer(const StepParts& p, const std::string& label, const std::function<Term(Kind)>& one) {
    const int stage = p.step.busiest_stage;
    return per_layer(p, blocks_of_stage(p.scenario, stage), label, "on the stage",
                     [&](Kind k) { return of_slowest(p, stage, one(k)); });
}

Term layer_gemms_term(const Scenario& s, const LayerKind& kind) {
    std::vector<Term> terms;
    const Gemms gemms = layer_gemms(s, kind);
    const Precision precision = kind.in_16_bits ? head_precision(s) : s.recipe.precision;
    for (const Gemm& g : gemms) terms.push_back(gemm_term(s, g, "forward", precision));
    for (const Gemm& g : dense_updates(s, kind)) terms.push_back(gemm_term(s, g, "multiplied out", precision));
    for (const Gemm& g : gemms) {
        terms.push_back(gemm_term(s, data_gradient(g), "data gradient", precision));
        if (g.trained) terms.push_back(gemm_term(s, weight_gradient(g), "weight gradient", precision));
    }
    return sum("Products of one layer", "s", std::move(terms));
}

Term attention_term(const Scenario& s, const AttentionTime& t, const std::string& pass) {
    const bool flash = s.stack.kernels.attention == Attention::flash;
    const bool last = s.layout.state_mode == StateMode::passed && Work(s).in_order;
    std::vector<Term> parts{derived(
        last ? "Products of the rank that holds the end of a sequence" : "Products", t.compute / second, "s",
        measured_attention(s)
            ? "half of 4 s² d per head (causal), times the density of sparse attention, of documents, and of windows "
              "the stack's kernels skip, at the rate of the stack's "
              "attention kernel on this device for this length and head width, less what a long run at the power limit "
              "takes from a kernel of that rate; backward 2.5 times the work"
        : flash
            ? "fused kernel: half of 4 s² d per head (causal), times the density of sparse attention, of documents, "
              "and of windows the stack's kernels skip, at the device's fused-attention rate; backward 2.5 times the "
              "work"
            : "scores and values as batched products over the heads; of sparse attention the share that is computed")};
    if (!flash) parts.push_back(derived("Softmax, mask and dropout traffic", t.memory / second, "s",
        "s² elements per head, read and written per operator, times the device's softmax factor"));
    else if (t.memory > Seconds{})
        parts.push_back(derived("Reading the keys chosen", t.memory / second, "s",
                                "every query reads its own, as far as that takes longer than the products"));
    if (t.merge > Seconds{})
        parts.push_back(derived("Adding up the blocks of the ring", t.merge / second, "s",
                                "(c-1) 3/4 (element + 8 bytes) of output, or of the gradients of queries, keys and "
                                "values, over streamed bandwidth"));
    parts.push_back(derived("Shortest kernels", t.floor / second, "s", "one per kernel; per block in a ring"));
    return sum(phrase("Attention core, {1}", phrase(pass)), "s", std::move(parts));
}

// What is waited for beyond a mean rank's attention.
Term slowest_term(const SlowestRank& rank, Seconds varies) {
    const double root = std::sqrt(rank.sequences);
    return product("Waiting for the rank with the longest documents", "s",
                   {derived("Largest of the ranks, in standard deviations", rank.deviations, "",
                            "of d c normal numbers (Blom 1958), close to sqrt(2 ln(d c)); documents are not normal: "
                            "an estimate"),
                    quotient("Spread of a rank's scores over their mean", "",
                             derived("Of one sequence", rank.variation, "",
                                     "lengths of documents, lognormal, cut where sequences end"),
                             derived("Root of the sequences between two meetings of the ranks", root, "",
                                     "all of a step; of one micro-batch where ranks exchange tokens for experts or "
                                     "gather weights")),
                    derived("Products of the attention core", varies / second, "s", "forward and backward, as above")});
}

// Where the number of passes comes from (costs/kernels/recurrence.h).
const char* source_of_passes(Mixer m) {
    return m == Mixer::mamba2 ? "passes over queries, keys, values and output, more than the delta rule's by a factor "
                                "that Nemotron 3 Nano's published steps set: no times of the kernels are published"
                              : "passes over queries, keys, values and output, by the kernels' published times";
}

Term state_term(const Scenario& s, const LayerKind& kind, const char* label, double passes, double kernels) {
    const Mixer mixer = state_mixer(kind);
    return sum(label, "s",
               {streamed(s, phrase("Kernels of {1}", mixer_in_words(mixer)), passes * state_pass_bytes(s, kind),
                         source_of_passes(mixer)),
                floor_of(s, kernels)});
}

const char* module_label(Module m) {
    switch (m) {
        case Module::core_attn: return "Attention core (core_attn), forward again";
        case Module::layernorm: return "Norms that stand alone (layernorm), forward again";
        case Module::moe_act: return "Activation of the experts (moe_act), forward again";
        case Module::mla_up_proj: return "Projections up from latent vectors (mla_up_proj), forward again";
        case Module::mlp: return "Dense block (mlp), forward again";
        case Module::moe: return "Router and experts (moe), forward again";
        case Module::shared_experts: return "Shared experts (shared_experts), forward again";
        case Module::none: break;
    }
    return "";
}

std::vector<Term> repeated_parts(const Work& s, const LayerKind& kind, const LayerTime& layer,
                                 const RepeatedWork& again) {
    switch (again.what) {
        case Repeats::tokens:
            return {product("Tokens whose activations were not sent", "s",
                            {derived("Share", again.share, "", "1 - share of activations sent"),
                             derived("Forward pass of one layer without attention", again.of.device() / second, "s",
                                     "as in Layer GEMMs and Elementwise")})};
        case Repeats::layer:
            return {derived("Products, forward again", again.of.gemm / second, "s",
                            again.of.gemm == layer.forward.gemm
                                ? "as in Layer GEMMs"
                                : "as in Layer GEMMs, without the one that ends the layer: its result is not needed"),
                    derived("Attention, forward again", again.of.attention / second, "s", "as in Attention"),
                    derived("Elementwise, forward again", again.of.elementwise / second, "s", "as in Elementwise")};
        case Repeats::share:
            return {product("Share of a layer's forward pass", "s",
                            {stack_value(s, "Selective share", again.share, "", "selective_share"),
                             derived("Forward pass of one layer", again.of.device() / second, "s",
                                     "as in Layer GEMMs, Attention and Elementwise")})};
        case Repeats::attention:
            return {derived("Attention core, forward again", again.of.attention / second, "s",
                            "selective recomputation, Korthikanti et al. 2022")};
        case Repeats::modules: {
            std::vector<Term> parts;
            repeated_modules(s, kind, [&](Module m) {
                parts.push_back(derived(module_label(m), module_time(s, kind, m).device() / second, "s",
                                        m == Module::core_attn ? "nothing where the kernel is fused"
                                                               : "its products and what is elementwise in it"));
            });
            if (!parts.empty()) return parts;
            return {derived("Nothing", 0, "s", "none of the listed modules is in such a layer")};
        }
        case Repeats::nothing: break;
    }
    return {derived("Nothing: the fused kernel repeats its scores anyway", 0, "s", "layout and stack")};
}

Term repeated_layer(const StepParts& p, Kind k) {
    const Work s(p.scenario);
    const LayerKind& kind = s.layers[k];
    const LayerTime layer = on_slowest_rank(s, kind, p.layers[k]);
    return sum("One layer", "s", repeated_parts(s, kind, layer, repeated_work(s, kind, layer, p.swap)));
}

}  // namespace

Term explain_gemms(const StepParts& p) {
    const Layers kinds(p.scenario.model);
    return per_layer(p, "Layer GEMMs", [&](Kind k) { return layer_gemms_term(p.scenario, kinds[k]); });
}

Term explain_attention(const StepParts& p) {
    const Scenario& s = p.scenario;
    const Layers kinds(s.model);
    return per_layer(p, "Attention", [&](Kind k) {
        const LayerKind& kind = kinds[k];
        const Rates r = kind.in_16_bits ? head_rates_of(s) : rates_of(s);
        std::vector<Term> parts;
        if (kind.attends()) {
            parts.push_back(attention_term(s, attention_forward(s, kind, r), "forward"));
            parts.push_back(attention_term(s, attention_backward(s, kind, r), "backward"));
            const Work work(s);
            if (const SlowestRank slowest = slowest_rank(work, kind); slowest.more() > 0)
                parts.push_back(slowest_term(slowest, p.layers[k].varies_forward + p.layers[k].varies_backward));
        }
        if (chooses_keys(s.model, kind)) {
            const IndexTime index = index_time(s, kind, r);
            parts.push_back(derived("Indexer, forward", index.forward / second, "s",
                                    "2 n d scores of every key before a query, top k, attention's scores of these"));
            parts.push_back(derived("Indexer, backward", index.backward / second, "s",
                                    "three products of its scores of the keys chosen"));
        }
        if (kind.recurs()) {
            const StatePasses passes = state_passes(state_mixer(kind));
            parts.push_back(state_term(s, kind, "State, forward", passes.forward, passes.forward_kernels));
            parts.push_back(state_term(s, kind, "State, backward", passes.backward, passes.backward_kernels));
        }
        if (parts.empty()) parts.push_back(derived("No mixer", 0, "s", "the model's kinds"));
        return sum("One layer", "s", std::move(parts));
    });
}

Term explain_elementwise(const StepParts& p) {
    const Scenario& s = p.scenario;
    const Layers kinds(s.model);
    return per_layer(p, "Elementwise", [&](Kind k) {
        const LayerKind& kind = kinds[k];
        const char* what = kind.feed == Feed::dense ? "reads and writes of norms, residuals, dropout, activation "
                                                      "function; times the stack's elementwise factor"
                                                    : "norms, residuals, activation function, router scores, times the "
                                                      "stack's elementwise factor; rows of experts permuted there and "
                                                      "back and their activation function, times its row traffic";
        const auto pass = [&](const char* name, const Elementwise& e, const ConvertedBytes& to) {
            std::vector<Term> parts{streamed(s, "Memory traffic", e.bytes, what), floor_of(s, e.kernels)};
            if (to.values > Bytes{})
                parts.push_back(streamed(s, "Conversion to the recipe's format", to.values,
                                         "inputs of the products forward, gradients of their results backward; bytes "
                                         "an element by the fp8 recipe, times the stack's quantisation factor"));
            if (to.transform > Bytes{})
                parts.push_back(streamed(s, "Hadamard transform of copies by columns", to.transform,
                                         "read once more and written by columns, times the stack's quantisation "
                                         "factor"));
            if (to.weights > Bytes{})
                parts.push_back(quantises_frozen(s.method)
                                    ? streamed(s, "Decoding of quantised weights", to.weights,
                                               "read in the frozen format and written in 16 bits, in every pass")
                                    : streamed(s, "Conversion of the weights", to.weights,
                                               "3 bytes a weight, and its copies"));
            return sum(name, "s", std::move(parts));
        };
        return sum("One layer", "s",
                   {pass("Forward", elementwise_forward(s, kind), conversion_forward(s, kind)),
                    pass("Backward", elementwise_backward(s, kind), conversion_backward(s, kind))});
    });
}

Term explain_recompute(const StepParts& p) {
    const Scenario& s = p.scenario;
    const int stage = p.step.busiest_stage;
    const LayerCounts layers = repeating_layers(s, p.swap, stage);
    if (layers.total() == 0)
        return derived("Recompute", 0, "s", "nothing is recomputed on the busiest stage: layout and stack");
    const char* where = s.layout.recomputes_some() ? "that recompute, the first of each chunk" : "on the stage";
    return per_layer(p, layers, "Recompute", where, [&](Kind k) { return of_slowest(p, stage, repeated_layer(p, k)); });
}

}  // namespace plimsoll
