// Rows of the knob table: nodes, layout, recipe.

#include "core/values/knobs/knob_rows.h"

#include "core/values/plan/layer.h"
#include "core/values/plan/schedules.h"

#include <algorithm>
#include <climits>
#include <type_traits>

namespace plimsoll::rows {

namespace {

// tensor x context x data x pipeline must be the device count: the model-parallel
// degrees are kept and data parallelism takes what is left.
void spread_data(Scenario& s) {
    Layout& l = s.layout;
    l.data_parallel = static_cast<int>(std::max(1LL, l.devices / std::max(1LL, l.model_parallel())));
}

void count_devices(Scenario& s) {
    Layout& l = s.layout;
    const double devices = 1.0 * l.model_parallel() * l.data_parallel;
    l.devices = static_cast<int>(std::min<double>(devices, INT_MAX));
}

// A list of stages is of so many: with others the layers are split by the rule again.
void forget_other_stages(Layout& l) {
    if (l.stages.stages() != l.pipeline_parallel * l.virtual_stages) l.stages = {};
}

template <int Layout::*Degree>
void set_degree(Scenario& s, double v) {
    s.layout.*Degree = static_cast<int>(v);
    forget_other_stages(s.layout);
    spread_data(s);
}

void set_nodes(Scenario& s, double v) {
    s.layout.devices = static_cast<int>(v) * s.machine.devices_per_node;
    spread_data(s);
}

void set_data(Scenario& s, double v) {
    s.layout.data_parallel = static_cast<int>(v);
    count_devices(s);
}

// Chunks and schedule belong together: each schedule runs so many.
void set_virtual_stages(Scenario& s, double v) {
    Layout& l = s.layout;
    l.virtual_stages = static_cast<int>(v);
    if (!schedule_kind(l.schedule).runs(l.virtual_stages)) l.schedule = usual_schedule(l.virtual_stages);
    if (!schedule_kind(l.schedule).in_rounds) l.micro_batch_group = 0;
    forget_other_stages(l);
}

void set_schedule(Scenario& s, double v) {
    Layout& l = s.layout;
    l.schedule = static_cast<Schedule>(static_cast<int>(v));
    const ScheduleKind& kind = schedule_kind(l.schedule);
    l.virtual_stages = std::clamp(l.virtual_stages, kind.least_chunks, kind.most_chunks);
    if (!kind.in_rounds) l.micro_batch_group = 0;
    forget_other_stages(l);
}


std::string_view without_tesseract(const Scenario& s) {
    return s.layout.tensor_mode == TensorMode::tesseract ? "" : "tensor mode is not tesseract";
}
std::string_view without_context(const Scenario& s) {
    return s.layout.context_parallel > 1 ? "" : "not context parallel";
}
std::string_view without_groups(const Scenario& s) {
    if (s.layout.context_parallel == 1) return without_context(s);
    return s.layout.context_mode == ContextMode::ulysses_ring ? "" : "not ulysses_ring";
}
std::string_view without_states(const Scenario& s) {
    if (s.layout.context_parallel == 1) return without_context(s);
    return has_recurrence(s.model) ? "" : "no mixer with a state";
}

void add_degrees(Table& t) {
    Knob nodes = row("nodes", "Nodes", "nodes", KnobKind::integer, {1, 2e5, true},
                     "Whole nodes in use. Model-parallel degrees stay, data parallelism takes what is left. "
                     "Launcher: --nodes");
    nodes.get = [](const Scenario& s) { return static_cast<double>(nodes_used(s)); };
    nodes.set = set_nodes;
    t.push_back(nodes);
    t.push_back(keeping(count<layout, &Layout::devices>(
        "layout.devices", "Devices", "devices", {1, 2e6, by_factors, ranges::ranks},
        "Devices in use, N = t c d p. Data parallelism takes what the other degrees leave. Megatron: world size"),
        set_degree<&Layout::devices>));
    t.push_back(keeping(count<layout, &Layout::tensor_parallel>(
        "layout.tensor_parallel", "Tensor parallel", "", {1, 1024, by_factors, ranges::degree},
        "Devices that share each layer's matrices, t. Best kept inside a node. Megatron: --tensor-model-parallel-size"),
        set_degree<&Layout::tensor_parallel>));
    t.push_back(idle_if(without_tensor, choice<TensorMode, layout, &Layout::tensor_mode>(
                                            "layout.tensor_mode", "Tensor mode",
                                            "How matrices are cut over the tensor-parallel devices: 1d by columns, "
                                            "then rows (Megatron); summa-2d weights and "
                                            "activations over a q x q grid; tesseract the tokens over a depth as well. "
                                            "Colossal-AI: parallel.tensor.mode 1d, 2d, 2.5d")));
    t.push_back(idle_if(without_tesseract, count<layout, &Layout::tensor_depth>(
                                               "layout.tensor_depth", "Tensor depth", "",
                                               {1, 64, by_factors, ranges::degree},
                                               "Layers of the grid of a tesseract, t = q q depth; the weights are "
                                               "repeated on each. Colossal-AI: parallel.tensor.depth")));
    t.push_back(keeping(count<layout, &Layout::pipeline_parallel>(
        "layout.pipeline_parallel", "Pipeline parallel", "stages", {1, 1024, by_factors, ranges::degree},
        "Stages the layers are cut into, p. Megatron: --pipeline-model-parallel-size"),
        set_degree<&Layout::pipeline_parallel>));
    t.push_back(keeping(count<layout, &Layout::data_parallel>(
        "layout.data_parallel", "Data parallel", "replicas", {1, 1e6, by_factors, ranges::ranks},
        "Replicas that work on different sequences, d. Turning it changes the device count. Megatron: N / (t c p)"),
        set_data));
    t.push_back(keeping(count<layout, &Layout::context_parallel>(
        "layout.context_parallel", "Context parallel", "", {1, 1024, by_factors, ranges::degree},
        "Devices that share each sequence, c; each works on s / c tokens. Megatron: --context-parallel-size; "
        "DeepSpeed-Ulysses: sequence parallel size"),
        set_degree<&Layout::context_parallel>));
    t.push_back(idle_if(
        without_context,
        choice<ContextMode, layout, &Layout::context_mode>(
            "layout.context_mode", "Context attention",
            "How devices that share a sequence compute its attention: ring passes keys and values round while their "
            "attention is computed, ulysses exchanges tokens for heads before and after, all_gather gathers all keys "
            "and values first, ulysses_ring exchanges heads among neighbours and rings between them. Megatron: "
            "--cp-comm-type p2p, a2a, all_gather, a2a+p2p")));
    t.push_back(idle_if(without_groups, count<layout, &Layout::ulysses_ranks>(
        "layout.ulysses_ranks", "Ranks that exchange heads", "", {1, 1024, by_factors, ranges::degree},
        "Of ulysses_ring: neighbours that exchange tokens for heads, best inside a node; c / this form a ring. "
        "Megatron: the first of --hierarchical-context-parallel-sizes")));
    t.push_back(idle_if(without_states, choice<StateMode, layout, &Layout::state_mode>(
        "layout.state_mode", "Context states",
        "How devices that share a sequence compute mixers with a state: all_to_all exchanges the projections of tokens "
        "for those of heads (Megatron); passed gathers the states of the ranks before, whose tokens lie in order: "
        "where attention is no ulysses the last rank then works longest")));
    t.push_back(idle_if(without_experts, count<layout, &Layout::expert_parallel>(
        "layout.expert_parallel", "Expert parallel", "", {1, 1024, by_factors, ranges::degree},
        "Devices that share the experts of a mixture, e: some of the tensor x context x data ranks of a stage. "
        "Megatron: --expert-model-parallel-size")));
    t.push_back(idle_if(without_experts, count<layout, &Layout::expert_tensor_parallel>(
        "layout.expert_tensor_parallel", "Expert tensor parallel", "", {1, 1024, by_factors, ranges::degree},
        "Devices that share one expert's matrices; the experts' replicas are what remains, t c d / (e x this). "
        "Megatron: --expert-tensor-parallel-size")));
}

std::string_view without_sharding(const Scenario& s) { return s.layout.zero_stage > 0 ? "" : "ZeRO stage is 0"; }
std::string_view without_sharded_weights(const Scenario& s) {
    return s.layout.zero_stage == 3 ? "" : "ZeRO stage is below 3";
}

std::string_view without_turns(const Scenario& s) {
    if (s.layout.pipeline_parallel == 1) return without_pipeline(s);
    return schedule_kind(s.layout.schedule).in_rounds ? "" : "chunks take no turns";
}

void add_schedule(Table& t) {
    t.push_back(count<layout, &Layout::micro_batch>(
        "layout.micro_batch", "Micro-batch", "sequences", {1, 4096, by_factors, ranges::micro_batch},
        "Sequences one device works on at a time, b. Megatron: --micro-batch-size"));
    t.push_back(idle_if(without_pipeline, keeping(count<layout, &Layout::virtual_stages>(
        "layout.virtual_stages", "Virtual stages", "", {1, 128, {}, ranges::degree},
        "Model chunks per pipeline stage, v; above 1 the schedule is interleaved. "
        "Megatron: --num-layers-per-virtual-pipeline-stage = layers / (p v)"),
        set_virtual_stages)));
    t.push_back(keeping(choice<Schedule, layout, &Layout::schedule>(
        "layout.schedule", "Schedule",
        "Order of forward and backward passes in the pipeline: gpipe keeps all micro-batches in flight, 1f1b at most "
        "p, interleaved shortens the bubble v times, zb-h1 and zb-h2 fill it with weight gradients (h2 keeps twice as "
        "much in flight). With two chunks a stage, the second on the way back: zb-v holds p everywhere, v-half and "
        "v-min half and a third of that, dualpipe-v works on two micro-batches side by side. combined: interleaved, "
        "with a forward pass beside the backward pass of another micro-batch, to hide the exchange of experts; also "
        "with one stage. Megatron: --overlap-moe-expert-parallel-comm"),
        set_schedule));
    t.push_back(idle_if(without_turns, count<layout, &Layout::micro_batch_group>(
        "layout.micro_batch_group", "Micro-batches in turn", "", {0, 1e8, {}, ranges::shard_group},
        "Micro-batches that go through a chunk before the next one's turn, no fewer than the stages; 0: as many as "
        "these. More keep more in flight. Megatron: --microbatch-group-size-per-virtual-pipeline-stage")));
    t.push_back(idle_if(without_pipeline, choice<StageSplit, layout, &Layout::stage_split>(
        "layout.stage_split", "Layers per stage",
        "even; holmes_floor: by what clusters reach, floor(L r / sum r) on the faster ones (Holmes); min_max: so that "
        "the slowest stage, head included, is fastest; by_cost: in order, each taking its share of the products and "
        "what goes beyond it (nanotron). Megatron: --decoder-first-pipeline-num-layers")));
    t.push_back(idle_if(without_clusters, choice<Mapping, layout, &Layout::mapping>(
        "layout.mapping", "Mapping to clusters",
        "ordered: ranks take nodes as they come, and cards of several families leave TCP for the whole job; holmes: "
        "whole stages to each cluster, gradients stay on its network, activations alone cross over")));
    t.push_back(choice<Recompute, layout, &Layout::recompute>(
        "layout.recompute", "Recompute",
        "What the backward pass computes again instead of keeping: selective the attention core, or a list of "
        "modules, full whole layers. "
        "Megatron: --recompute-granularity"));
    t.push_back(idle_if(without_recomputation, count<layout, &Layout::recompute_layers>(
        "layout.recompute_layers", "Recomputed layers", "layers", {0, 1024, {}, ranges::recomputed_layers},
        "How many layers of every model chunk of a stage recompute, n, the first ones; the others keep all their "
        "activations. 0 recomputes in all. Megatron: --recompute-method block --recompute-num-layers")));
    t.push_back(idle_if(without_tensor, flag<layout, &Layout::sequence_parallel>(
        "layout.sequence_parallel", "Sequence parallel",
        "Splits norms and dropout over the tensor-parallel devices too. Megatron: --sequence-parallel")));
    t.push_back(count<layout, &Layout::zero_stage>(
        "layout.zero_stage", "ZeRO stage", "", all_of(ranges::zero_stage),
        "What data-parallel ranks share: 0 nothing, 1 optimizer state, 2 gradients too, 3 weights too (FSDP). "
        "Megatron: 1 is --use-distributed-optimizer; DeepSpeed: zero_optimization.stage"));
    t.push_back(idle_if(without_sharding, count<layout, &Layout::shard_group>(
        "layout.shard_group", "Shard group", "ranks", {0, 1e6, by_factors, ranges::shard_group},
        "Ranks that share one sharded copy (hybrid sharding); 0 is all data-parallel ranks. "
        "PyTorch FSDP: HYBRID_SHARD")));
    t.push_back(idle_if(without_sharded_weights, count<layout, &Layout::secondary_shard>(
        "layout.secondary_shard", "Secondary shard", "ranks", {0, 1e6, by_factors, ranges::shard_group},
        "Ranks, best of one node, that share a second copy of the weights, from which the backward pass gathers (hpZ "
        "of ZeRO++); 1: each keeps what it gathered; 0 without. DeepSpeed: zero_hpz_partition_size; PyTorch FSDP2: "
        "reshard_after_forward=N, False is 1")));
}

template <Module module>
std::string_view without_module(const Scenario& s) {
    if (s.layout.recompute != Recompute::selective) return "recompute is not selective";
    return has_module(s.model, module) ? "" : "no such module in the model";
}

template <Module module>
Knob module_row(const char* id, const char* label, const char* help) {
    return idle_if(without_module<module>,
                   flag<layout, &Layout::recompute_modules, module_rows[int(module)].listed>(id, label, help));
}

void add_modules(Table& t) {
    t.push_back(module_row<Module::core_attn>(
        "layout.recompute_modules.core_attn", "Recompute attention core",
        "Selective recomputation repeats scores, softmax and values. Megatron: --recompute-modules core_attn"));
    t.push_back(module_row<Module::layernorm>(
        "layout.recompute_modules.layernorm", "Recompute norms",
        "Selective recomputation repeats norms in front of experts and of latent attention. Megatron: "
        "--recompute-modules layernorm"));
    t.push_back(module_row<Module::moe_act>(
        "layout.recompute_modules.moe_act", "Recompute expert activations",
        "Selective recomputation repeats the activation function of the routed experts. Megatron: "
        "--recompute-modules moe_act"));
    t.push_back(module_row<Module::mla_up_proj>(
        "layout.recompute_modules.mla_up_proj", "Recompute latent projections",
        "Selective recomputation repeats what projects latent vectors up to queries, keys and values. Megatron: "
        "--recompute-modules mla_up_proj"));
    t.push_back(module_row<Module::mlp>(
        "layout.recompute_modules.mlp", "Recompute dense blocks",
        "Selective recomputation repeats dense feed-forward blocks. Megatron: --recompute-modules mlp"));
    t.push_back(module_row<Module::moe>(
        "layout.recompute_modules.moe", "Recompute experts",
        "Selective recomputation repeats router, both exchanges and all experts. Megatron: --recompute-modules moe"));
    t.push_back(module_row<Module::shared_experts>(
        "layout.recompute_modules.shared_experts", "Recompute shared experts",
        "Selective recomputation repeats the shared experts. Megatron: --recompute-modules shared_experts"));
}

// By name; formats that have none together are free, and so are those that were chosen one by one.
Knob named_states_row() {
    Knob k = row(
        "recipe.bytes_per_parameter", "Model state", "bytes per parameter", KnobKind::choice, {0, named_state_count},
        "Weight, gradient and Adam state of one parameter: 16 with 16-bit gradients, 18 with fp32 accumulation "
        "(Megatron), 20 with 16-bit gradients and an fp32 copy (ZeRO-Infinity); 12 and 14 like 16 and 18 with 16-bit "
        "moments; without fp32 weights 8 all in 16 bits, 10 with fp32 accumulation, 6 with 8-bit moments; free: as the "
        "formats of the states say. fp32 is 16");
    for (int i = 0; i < named_state_count; ++i) k.choices.push_back(std::to_string(bytes_of_named(i)));
    k.choices.push_back("free");
    k.get = [](const Scenario& s) {
        const StateFormat& f = s.recipe.state_format;
        return double(goes_by_name(f) ? named_state(f) : named_state_count);
    };
    k.set = [](Scenario& s, double v) {
        if (v < named_state_count) s.recipe.state_format = named_states[int(v)];
        else s.recipe.state_format.one_by_one = true;
    };
    return k;
}

std::string_view without_wide_gather(const Scenario& s) {
    const std::string_view other = without_fp8(s);
    if (!other.empty()) return other;
    return s.recipe.converted_weights_alone ? "" : "there is a copy in 16 bits";
}

std::string_view in_fp32(const Scenario& s) {
    return s.recipe.precision == Precision::fp32 ? "fp32 keeps 16 bytes" : "";
}

std::string_view without_documents(const Scenario& s) {
    return s.recipe.document_length > 0 ? "" : "one document a sequence";
}

std::string_view without_examples(const Scenario& s) {
    return s.recipe.examples > 0 ? "" : "no size of a data set is stated";
}
std::string_view with_examples(const Scenario& s) {
    return s.recipe.examples > 0 ? "examples and epochs give them" : "";
}

std::string_view not_in_fp32(const Scenario& s) {
    return s.recipe.precision == Precision::fp32 ? "" : "precision is not fp32";
}

std::string_view without_first_moment(const Scenario& s) {
    const OptimizerState& kept = kept_by(s.recipe.optimizer);
    if (kept.narrow) return "its moments have 8 bits";
    return kept.others == 0 ? "the optimizer keeps no moments" : in_fp32(s);
}
std::string_view without_second_moment(const Scenario& s) {
    return kept_by(s.recipe.optimizer).others < 2 ? "no second moment is kept" : without_first_moment(s);
}

constexpr auto states = &Recipe::state_format;

template <auto Format>
void set_format(Scenario& s, double v) {
    StateFormat& f = s.recipe.state_format;
    f.*Format = static_cast<std::remove_reference_t<decltype(f.*Format)>>(static_cast<int>(v));
    if (named_state(f) == named_state_count) f.one_by_one = true;
}

template <class E, auto Format>
Knob format_row(const char* id, const char* label, const char* help) {
    return keeping(choice<E, recipe, states, Format>(id, label, help), set_format<Format>);
}

void add_states(Table& t) {
    t.push_back(idle_if(in_fp32, format_row<WeightFormat, &StateFormat::weights>(
        "recipe.bytes_per_parameter.weight_format", "Weights kept in",
        "as_products: 16 bits; fp32: converted to 16 bits for the products, with no master weights beside them. "
        "PyTorch: autocast, FSDP's MixedPrecisionPolicy")));
    t.push_back(idle_if(in_fp32, format_row<GradientFormat, &StateFormat::gradients>(
        "recipe.bytes_per_parameter.gradient_format", "Gradients kept in",
        "half: 16 bits, as they are reduced; fp32: added up and reduced in fp32; both: 16 bits and an fp32 copy. "
        "Megatron: --main-grads-dtype, --grad-reduce-in-bf16")));
    t.push_back(idle_if(in_fp32, format_row<MasterFormat, &StateFormat::master>(
        "recipe.bytes_per_parameter.master_format", "Master weights in",
        "What small updates do not vanish in: fp32, fp16, or remainders, the 16 bits that a bf16 weight lacks of the "
        "fp32 one. Megatron: --use-precision-aware-optimizer --main-params-dtype; it keeps remainders then")));
    t.push_back(idle_if(without_first_moment, format_row<MomentFormat, &StateFormat::first_moment>(
        "recipe.bytes_per_parameter.first_moment", "First moment in",
        "Momentum. fp8 has one scale a tensor, scaled_8bit one for every 2,048 values. Megatron: --exp-avg-dtype; "
        "torchtitan: optimizer.implementation fused_opt_states_bf16")));
    t.push_back(idle_if(without_second_moment, format_row<MomentFormat, &StateFormat::second_moment>(
        "recipe.bytes_per_parameter.second_moment", "Second moment in",
        "Mean of the squared gradients. Megatron: --exp-avg-sq-dtype")));
}

void add_recipe(Table& t) {
    t.push_back(count<recipe, &Recipe::global_batch_sequences>(
        "recipe.global_batch_sequences", "Global batch", "sequences", {1, 1e6, by_factors, ranges::batch},
        "Sequences of one optimizer step over all replicas, B. Megatron: --global-batch-size"));
    t.push_back(count<recipe, &Recipe::sequence_length>(
        "recipe.sequence_length", "Sequence length", "tokens", all_of(ranges::sequence, by_factors),
        "Tokens of one training sequence, s. Megatron: --seq-length"));
    t.push_back(real<one, recipe, &Recipe::document_length>(
        "recipe.document_length", "Document length", "tokens", {0, 1 << 24, {}, ranges::document},
        "Mean tokens of a document, or of an example, where attention does not look from one into another; 0 lets it "
        "see the whole sequence. Fused kernels leave out what is masked. Megatron: --reset-attention-mask"));
    t.push_back(idle_if(without_documents, real<one, recipe, &Recipe::document_variation>(
        "recipe.document_variation", "Spread of documents", "", all_of(ranges::variation),
        "Standard deviation of the documents' lengths over their mean; 0: all as long. Attention works on the mean "
        "square of the lengths, and ranks wait for the one with the longest documents")));
    t.push_back(idle_if(without_documents, choice<RowKind, recipe, &Recipe::rows>(
        "recipe.rows", "Rows",
        "packed: documents share a sequence; otherwise a sequence of the batch is one of them, cut off at the sequence "
        "length. padding_free: none is padded; padded: each to that length; padded_to_longest: to the longest of its "
        "micro-batch. TRL: packing, padding_free; torchtune: dataset.packed")));
    t.push_back(idle_if(with_examples, real<one, recipe, &Recipe::tokens>(
        "recipe.tokens", "Training tokens", "tokens", {1, 1e16, by_factors, ranges::tokens},
        "Tokens of the whole run, T = steps x B x s; what pads rows is not counted. Megatron: --train-samples x "
        "--seq-length")));
    // Idle, it shows what the examples come to.
    t.back().get = [](const Scenario& s) { return tokens_of_run(s.recipe); };
    t.push_back(real<one, recipe, &Recipe::examples>(
        "recipe.examples", "Examples", "", {0, 1e9, {}, ranges::examples},
        "Documents of the data set: with the epochs and their mean length they are the tokens of the run; 0: training "
        "tokens are stated"));
    t.push_back(idle_if(without_examples, real<one, recipe, &Recipe::epochs>(
        "recipe.epochs", "Epochs", "", {0.01, 100, {}, ranges::epochs},
        "How often each example is read. Transformers: num_train_epochs; torchtune: epochs")));
    t.push_back(choice<Precision, recipe, &Recipe::precision>(
        "recipe.precision", "Precision",
        "Number format of the matrix products. Megatron: --bf16, --fp16, --fp8-format"));
    t.push_back(idle_if(not_in_fp32, flag<recipe, &Recipe::tf32>(
        "recipe.tf32", "fp32 products in tf32",
        "Matrix products of an fp32 recipe run on the tensor cores with inputs rounded to tf32. PyTorch: "
        "torch.backends.cuda.matmul.allow_tf32")));
    t.push_back(idle_if(without_fp8, choice<Fp8Recipe, recipe, &Recipe::fp8_recipe>(
        "recipe.fp8_recipe", "fp8 scales",
        "From the steps before (delayed) or from the data: one for a tensor, a row, a block, or 32 values (MX); finer "
        "ones cost more to convert. NVFP4 multiplies 4-bit numbers with one for 16. Megatron: --fp8-recipe, "
        "--fp4-format")));
    t.push_back(idle_if(without_fp8, flag<recipe, &Recipe::converted_weights_alone>(
        "recipe.converted_weights_alone", "Converted weights alone",
        "Weights of products are kept and gathered in the recipe's format, without a copy in 16 bits; off: they are "
        "converted once a step and the copies stay for its micro-batches. Megatron: --fp8-param-gather, "
        "--fp4-param-gather")));
    t.push_back(idle_if(without_wide_gather, flag<recipe, &Recipe::gathers_into_gradients>(
        "recipe.gathers_into_gradients", "Gathers into the gradients",
        "MXFP8 weights are gathered in 16 bits, where gradients are added up; off: in a buffer of their own. Megatron: "
        "--reuse-grad-buf-for-mxfp8-param-ag")));
    t.push_back(idle_if(in_fp32, named_states_row()));
    t.push_back(choice<Optimizer, recipe, &Recipe::optimizer>(
        "recipe.optimizer", "Optimizer",
        "Adam keeps two moments per parameter in fp32, 8-bit Adam two bytes, SGD one moment, Adafactor sums over rows "
        "and "
        "columns; K-FAC and Shampoo keep factors of every matrix and their inverses; Muon keeps one moment of "
        "matrices, makes it orthogonal, and leaves the rest to Adam; SOAP runs Adam in the basis of the eigenvectors "
        "of Shampoo's factors. Megatron: --optimizer"));
    t.push_back(flag<recipe, &Recipe::updates_in_backward>(
        "recipe.updates_in_backward", "Updates in the backward pass",
        "A parameter is updated as soon as the backward pass has its gradient, so that the gradients are never all "
        "there; asks for one micro-batch a step. torchtune: optimizer_in_bwd"));
}

void add_checkpoints(Table& t) {
    t.push_back(real<second, recipe, &Recipe::checkpoint_interval>(
        "recipe.checkpoint_interval_s", "Checkpoint interval", "s", {0, 1e7},
        "Training between two checkpoints; 0 takes Young's optimum. Megatron: --save-interval x step time"));
    t.push_back(real<second, recipe, &Recipe::checkpoint_time>(
        "recipe.checkpoint_s", "Checkpoint time", "s", {0, 1e6},
        "How long training stands still for one checkpoint, where measured; 0 is size over write bandwidth"));
}

}  // namespace

void add_plan(Table& t) {
    add_degrees(t);
    add_schedule(t);
    under("Recomputed modules", t, add_modules);
    add_recipe(t);
    under("Formats of the states", t, add_states);
    under("Second-order optimizer", t, add_optimizer);
    under("Checkpoints", t, add_checkpoints);
}

// Rows of the knob table: what second-order optimizers leave open.

namespace {

constexpr auto options = &Recipe::optimizer_options;

std::string_view without_factors(const Scenario& s) {
    const bool factors = kept_by(s.recipe.optimizer).by_matrix == MatrixState::factors;
    return factors ? "" : "the optimizer keeps no factors";
}
std::string_view without_blocks(const Scenario& s) {   // and intervals that K-FAC and Shampoo share
    return s.recipe.optimizer == Optimizer::soap ? "SOAP has numbers of its own" : without_factors(s);
}
std::string_view without_soap(const Scenario& s) {
    return s.recipe.optimizer == Optimizer::soap ? "" : "the optimizer is not SOAP";
}

std::string_view without_muon(const Scenario& s) {
    return s.recipe.optimizer == Optimizer::muon ? "" : "the optimizer is not Muon";
}
std::string_view without_muon_on_tensor_ranks(const Scenario& s) {
    return s.layout.tensor_parallel > 1 ? without_muon(s) : "one tensor rank";
}

}  // namespace

void add_optimizer(Table& t) {
    t.push_back(idle_if(without_blocks, count<recipe, options, &OptimizerOptions::block_size>(
        "recipe.optimizer_options.block_size", "Factor block", "rows", all_of(ranges::factor_block, by_factors),
        "K-FAC and Shampoo: widest factor, k; wider sides are cut into diagonal blocks, 0 cuts nothing. "
        "Distributed Shampoo: max_preconditioner_dim")));
    t.push_back(idle_if(without_blocks, count<recipe, options, &OptimizerOptions::update_interval>(
        "recipe.optimizer_options.update_interval", "Factor update every", "steps",
        all_of(ranges::steps_between, by_factors),
        "K-FAC and Shampoo: steps between two updates of the factors. kfac-pytorch: factor_update_steps")));
    t.push_back(idle_if(without_blocks, count<recipe, options, &OptimizerOptions::inverse_interval>(
        "recipe.optimizer_options.inverse_interval", "Inversion every", "steps",
        all_of(ranges::steps_between, by_factors),
        "K-FAC and Shampoo: steps between two inversions, a multiple of the factor update. kfac-pytorch: "
        "inv_update_steps; Distributed Shampoo: precondition_frequency")));
    t.push_back(idle_if(without_factors, real<one, recipe, options, &OptimizerOptions::inverse_rate_share>(
        "recipe.optimizer_options.inverse_rate_share", "Rate of inversions", "", {0.001, 1, {}, ranges::rate_share},
        "K-FAC, Shampoo, SOAP: share of the fp32 product rate that inversions, roots and decompositions reach. "
        "Estimated: time torch.linalg.cholesky or eigh on one block to know it")));
    t.push_back(idle_if(without_soap, count<recipe, options, &OptimizerOptions::soap_interval>(
        "recipe.optimizer_options.soap_interval", "Decomposition every", "steps",
        all_of(ranges::steps_between, by_factors),
        "SOAP: steps between two QR decompositions of its factors. SOAP: precondition_frequency")));
    t.push_back(idle_if(without_soap, count<recipe, options, &OptimizerOptions::soap_widest>(
        "recipe.optimizer_options.soap_widest", "Widest side", "rows", {0, 65536, by_factors, ranges::widest_side},
        "SOAP: a wider side of a matrix has no factor, and the basis of the other one alone counts; 0 gives every "
        "side one. SOAP: max_precond_dim")));
    t.push_back(idle_if(without_muon, choice<MuonSpread, recipe, options, &OptimizerOptions::muon_spread>(
        "recipe.optimizer_options.muon_spread", "Muon over replicas",
        "layer-wise: every matrix on one rank (Megatron: --optimizer dist_muon); gathered: ranks gather the matrices "
        "they own slices of (Moonlight); all-to-all: slices go to one rank and back (dion); redundant: every rank "
        "computes all (Megatron: --optimizer muon)")));
    t.push_back(idle_if(without_muon_on_tensor_ranks,
                        choice<MuonTensor, recipe, options, &OptimizerOptions::muon_tensor>(
        "recipe.optimizer_options.muon_tensor", "Muon over tensor ranks",
        "blockwise: each its own shard; duplicated: gathered, each the whole matrix; distributed: each its part, with "
        "sums in every iteration. Megatron: --muon-tp-mode")));
    t.push_back(idle_if(without_muon, count<recipe, options, &OptimizerOptions::muon_iterations>(
        "recipe.optimizer_options.muon_iterations", "Newton-Schulz iterations", "",
        {1, 32, {}, ranges::muon_iterations}, "Of every update of a matrix. Megatron: --muon-num-ns-steps")));
    t.push_back(idle_if(without_muon, flag<recipe, options, &OptimizerOptions::muon_symmetric>(
        "recipe.optimizer_options.muon_symmetric", "Symmetric products",
        "Kernels that compute half of a symmetric product: 3 m^2 n + m^3 FLOP an iteration instead of 4 m^2 n + "
        "2 m^3. Emerging-Optimizers: use_syrk")));
    t.push_back(idle_if(without_muon, real<one, recipe, options, &OptimizerOptions::muon_fraction>(
        "recipe.optimizer_options.muon_fraction", "Share of a matrix", "", {0.001, 1, {}, ranges::rate_share},
        "That is made orthogonal and exchanged in a step: Dion takes part of it")));
    t.push_back(real<one, recipe, options, &OptimizerOptions::iteration_reduction>(
        "recipe.optimizer_options.iteration_reduction", "Iteration reduction", "",
        {0.1, 100, by_factors, ranges::iteration_reduction},
        "Steps a first-order optimizer takes over the steps this one takes to the same loss, as you measured it; "
        "1 claims nothing"));
}

}  // namespace plimsoll::rows
