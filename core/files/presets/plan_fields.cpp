#include "core/files/presets/parts.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/other_names.h"
#include "core/values/knobs/ranges.h"

#include <algorithm>

namespace plimsoll::files {
namespace {

constexpr Table sent_module_fields{
    flag<&OffloadModules::attn_norm>("attn_norm").about("The norm in front of latent attention"),
    flag<&OffloadModules::qkv_linear>("qkv_linear")
        .about("Projections into attention, with the norm that is fused into them; latent vectors"),
    flag<&OffloadModules::core_attn>("core_attn").about("The attention core: queries, keys and values"),
    flag<&OffloadModules::attn_proj>("attn_proj").about("The projection behind attention"),
    flag<&OffloadModules::mlp_norm>("mlp_norm").about("The norm in front of experts"),
    flag<&OffloadModules::expert_fc1>("expert_fc1").about("The first product of the routed experts"),
    flag<&OffloadModules::moe_act>("moe_act").about("The activation function of the routed experts"),
};
static_assert(complete(sent_module_fields), "every member has a row");

constexpr Table offload_fields{
    choice<&Offload::weights>("weights").about("Tier of the 16-bit weights"),
    choice<&Offload::gradients>("gradients").about("Tier of the gradients"),
    choice<&Offload::optimizer>("optimizer_state")
        .about("Tier of the optimizer state; below the devices the CPUs update"),
    pure<&Offload::optimizer_share>("optimizer_share", ranges::share)
        .about("Of the parameters, those whose optimizer state lies there; the devices update the others"),
    flag<&Offload::paged_optimizer>("paged_optimizer")
        .left_out_by_default().about("The states come to the devices, which update; absent: the CPUs do"),
    flag<&Offload::delayed_update>("delayed_update")
        .about("Update while the next step computes, with weights one update old"),
    choice<&Offload::activations>("activations").about("Tier of the activations that leave the devices"),
    feature<&Offload::modules>("modules", sent_module_fields)
        .about("Modules whose inputs are those activations; left out, whole layers"),
    choice<&Offload::stay_behind>("stay_behind")
        .about("What becomes of the others: kept on the device, or computed again"),
    flag<&Offload::solve_share>("solve_share").about("Take the largest share of activations that nobody waits for"),
    pure<&Offload::activation_share>("activation_share", ranges::share).about("The share, where it is not solved for"),
    flag<&Offload::planned_memory>("planned_memory").about("Transient memory is placed offline"),
};
static_assert(complete(offload_fields), "every member has a row");

constexpr Table module_fields{
    flag<&RecomputeModules::core_attn>("core_attn").about("Scores, softmax and values"),
    flag<&RecomputeModules::layernorm>("layernorm").about("Norms in front of experts and of latent attention"),
    flag<&RecomputeModules::moe_act>("moe_act").about("The activation function of the routed experts"),
    flag<&RecomputeModules::mla_up_proj>("mla_up_proj").about("Projections of latent vectors up"),
    flag<&RecomputeModules::mlp>("mlp").about("Dense feed-forward blocks"),
    flag<&RecomputeModules::moe>("moe").about("Router, both exchanges and all experts"),
    flag<&RecomputeModules::shared_experts>("shared_experts").about("The shared experts"),
};
static_assert(complete(module_fields), "every member has a row");

// A number, or what people call the stage: "fsdp".
struct ZeroStage : Whole {
    static void read(const Field& f, const Reader& at, int& v) {
        const auto stage = at.is_text() ? zero_stage_of(*at.text()) : std::nullopt;
        if (stage) v = *stage;
        else Whole::read(f, at, v);
    }
};

// One is not written.
struct OneOrMore : Whole {
    static OrderedJson write(const Field& f, int v) { return v == 1 ? OrderedJson() : Whole::write(f, v); }
};

// In Megatron's words; all that is wrong with them is told.
struct ListedStages {
    static OrderedJson schema(const Field&) { return text_schema(1, {}); }
    static std::string expected(const Field&) { return phrase("a text"); }
    static void read(const Field&, const Reader& at, StageList& v) {
        const auto text = at.line(longest_prose);
        if (!text) return;
        const auto list = read_stage_list(*text);
        if (list) v = *list;
        else
            for (const std::string& reason : list.error()) at.error(reason);
    }
    static OrderedJson write(const Field&, const StageList& v) {
        return v.empty() ? OrderedJson() : OrderedJson(text_of(v));
    }
};

constexpr Table layout_fields{
    whole<&Layout::devices>("devices", ranges::ranks).stated().about("All devices of the plan"),
    whole<&Layout::tensor_parallel>("tensor_parallel", ranges::degree).about("t"),
    choice<&Layout::tensor_mode>("tensor_mode")
        .about("How matrices are cut over the tensor ranks: columns and rows, a square grid, a grid with depth"),
    whole<&Layout::tensor_depth>("tensor_depth", ranges::degree)
        .about("Depth of a Tesseract: tensor_parallel = q x q x depth"),
    whole<&Layout::pipeline_parallel>("pipeline_parallel", ranges::degree).about("p"),
    whole<&Layout::data_parallel>("data_parallel", ranges::ranks).about("d"),
    whole<&Layout::context_parallel>("context_parallel", ranges::degree).about("c"),
    choice<&Layout::context_mode>("context_mode").about("How ranks that share a sequence compute its attention"),
    within<OneOrMore, &Layout::ulysses_ranks>("ulysses_ranks", ranges::degree)
        .left_out_by_default()
        .about("ulysses_ring: neighbours that exchange heads; their groups form the ring"),
    choice<&Layout::state_mode>("state_mode")
        .left_out_by_default()
        .about("How ranks that share a sequence compute mixers with a state"),
    whole<&Layout::expert_parallel>("expert_parallel", ranges::degree).about("e"),
    whole<&Layout::expert_tensor_parallel>("expert_tensor_parallel", ranges::degree)
        .about("Ranks that share one expert's matrices"),
    whole<&Layout::virtual_stages>("virtual_stages", ranges::degree).about("Model chunks per stage"),
    whole<&Layout::micro_batch>("micro_batch", ranges::micro_batch).about("Sequences"),
    within<ZeroStage, &Layout::zero_stage>("zero_stage", ranges::zero_stage)
        .about("0 replicated to 3 all sharded"),
    whole<&Layout::shard_group>("shard_group", ranges::shard_group)
        .about("Ranks sharing one sharded copy; 0 for all data-parallel ranks"),
    whole<&Layout::secondary_shard>("secondary_shard", ranges::shard_group)
        .left_out_by_default()
        .about("ZeRO-3: ranks sharing a second copy of the weights for the backward pass (hpZ); 1 keeps all that a "
               "rank gathered (reshard_after_forward off); 0 without"),
    flag<&Layout::sequence_parallel>("sequence_parallel").about("Norms and dropout split along the sequence"),
    choice<&Layout::recompute>("recompute").about("What the backward pass computes again"),
    feature<&Layout::recompute_modules>("recompute_modules", module_fields)
        .about("What selective recomputation repeats; left out, the attention core"),
    whole<&Layout::recompute_layers>("recompute_layers", ranges::recomputed_layers)
        .about("Layers of every model chunk that are recomputed, the first ones; 0 for all"),
    choice<&Layout::schedule>("schedule").about("Pipeline schedule"),
    whole<&Layout::micro_batch_group>("micro_batch_group", ranges::shard_group)
        .left_out_by_default()
        .about("Micro-batches that a chunk takes in its turn; 0 for as many as there are stages"),
    choice<&Layout::mapping>("mapping").about("Ranks over clusters: in order, or whole stages to each cluster"),
    choice<&Layout::stage_split>("stage_split")
        .about("Layers per stage: even, by Holmes' rule, so that the slowest stage is fastest, or by their cost"),
    row<ListedStages, &Layout::stages>("stages")
        .left_out_by_default()
        .about("Layers of every stage in turn, chunks counted, in place of a rule: Ettt|(tt|)*29,m|L has the embedding "
               "and three layers first, 29 stages of two, a module that predicts a further token, and the loss"),
    feature<&Layout::offload>("offload", offload_fields)
        .about("Which tier of a node keeps what; left out, everything is on the devices"),
};
static_assert(complete(layout_fields), "every member has a row");

constexpr Table state_fields{
    choice<&StateFormat::weights>("weight_format").about("16 bits as products read them, or fp32"),
    choice<&StateFormat::gradients>("gradient_format").about("16 bits, fp32, or both beside each other"),
    choice<&StateFormat::master>("master_format")
        .about("Of weights that small updates do not vanish in; remainders: what a bf16 weight lacks of fp32"),
    choice<&StateFormat::first_moment>("first_moment").about("Momentum"),
    choice<&StateFormat::second_moment>("second_moment").about("Of squares"),
};
static_assert(members_of<StateFormat> == std::size(state_fields.fields) + 1, "every format has a row");

// In the file a number of bytes where they go by it, else an object.
struct StatesOfParameter {
    static OrderedJson schema(const Field& f) {
        return {{"anyOf", {OrderedJson{{"enum", {6, 8, 10, 12, 14, 16, 18, 20}}}, object_schema(f.rows)}}};
    }
    static std::string expected(const Field&) {
        return phrase("6, 8, 10, 12, 14, 16, 18 or 20, or an object of formats");
    }
    static void read(const Field& f, const Reader& at, StateFormat& v) {
        const auto& json = at.json();
        if (json.is_object()) {
            v = {.one_by_one = true};
            return read_rows(f.rows, at, &v);
        }
        for (int i = 0; i < named_state_count; ++i)
            if (json.is_number() && json == bytes_of_named(i)) {
                v = named_states[i];
                return;
            }
        at.error("found " + (json.is_number() ? json.dump() : std::string(json.type_name())) + ", expected "
                 + expected(f));
    }
    static OrderedJson write(const Field& f, const StateFormat& v) {
        return goes_by_name(v) ? OrderedJson(bytes_of_named(named_state(v))) : write_rows(f.rows, &v);
    }
};

// Left out where it is as usual: plans of before keep their hash.
template <int OptimizerOptions::*member>
struct UnlessUsual : Whole {
    static OrderedJson write(const Field&, int v) {
        return v == OptimizerOptions{}.*member ? OrderedJson() : OrderedJson(v);
    }
};
template <int OptimizerOptions::*member>
constexpr auto unless_usual(std::string_view key, NumberRange r) {
    return within<UnlessUsual<member>, member>(key, r);
}
struct TrueUnlessSaid : Flag {
    static OrderedJson write(const Field& f, bool v) { return v ? OrderedJson() : Flag::write(f, v); }
};

constexpr Table optimizer_fields{
    whole<&OptimizerOptions::block_size>("block_size", ranges::factor_block)
        .about("K-FAC, Shampoo: widest factor; 0 cuts nothing"),
    whole<&OptimizerOptions::update_interval>("update_interval", ranges::steps_between)
        .about("Steps between two updates of the factors"),
    whole<&OptimizerOptions::inverse_interval>("inverse_interval", ranges::steps_between)
        .about("Steps between two inversions; a multiple of update_interval"),
    pure<&OptimizerOptions::inverse_rate_share>("inverse_rate_share", ranges::rate_share)
        .about("Share of the fp32 product rate that inversions reach"),
    choice<&OptimizerOptions::muon_spread>("muon_spread")
        .about("Muon: who computes a matrix").left_out_by_default(),
    choice<&OptimizerOptions::muon_tensor>("muon_tensor")
        .about("Muon: what a tensor rank computes of it").left_out_by_default(),
    whole<&OptimizerOptions::muon_iterations>("muon_iterations", ranges::muon_iterations)
        .about("Muon: Newton-Schulz iterations of an update").left_out_by_default(),
    flag<&OptimizerOptions::muon_symmetric>("muon_symmetric")
        .about("Muon: half of a symmetric product is computed").left_out_by_default(),
    pure<&OptimizerOptions::muon_fraction>("muon_fraction", ranges::rate_share)
        .about("Muon: share of a matrix that is made orthogonal in a step").left_out_by_default(),
    unless_usual<&OptimizerOptions::soap_interval>("soap_interval", ranges::steps_between)
        .about("SOAP: steps between two decompositions of its factors"),
    unless_usual<&OptimizerOptions::soap_widest>("soap_widest", ranges::widest_side)
        .about("SOAP: a wider side of a matrix is left alone; 0 leaves none alone"),
    pure<&OptimizerOptions::iteration_reduction>("iteration_reduction", ranges::iteration_reduction)
        .about("Steps of a first-order optimizer over the steps of this one, as measured; 1 claims nothing"),
};
static_assert(complete(optimizer_fields), "every member has a row");

// Zero, the default, leaves the choice to the planner and the key out of the file.
template <Seconds Recipe::*Time>
constexpr auto optional_time(std::string_view key) {
    return real<Time>(key, second, {0, 1e9}).left_out_by_default();
}

constexpr Table recipe_fields{
    whole<&Recipe::global_batch_sequences>("global_batch_sequences", ranges::batch)
        .needed().about("Sequences per step"),
    whole<&Recipe::sequence_length>("sequence_length", ranges::sequence).about("Tokens per sequence"),
    pure<&Recipe::document_length>("document_length", ranges::document)
        .left_out_by_default()
        .about("Mean tokens of documents that attention keeps apart; 0: it sees the whole sequence"),
    pure<&Recipe::document_variation>("document_variation", ranges::variation)
        .left_out_by_default()
        .about("Standard deviation of their lengths over the mean"),
    choice<&Recipe::rows>("rows")
        .left_out_by_default()
        .about("How documents fill rows: packed, padding_free, padded, padded_to_longest of the micro-batch"),
    pure<&Recipe::tokens>("tokens", ranges::tokens).about("Of the whole run"),
    pure<&Recipe::examples>("examples", ranges::examples)
        .left_out_by_default()
        .about("Documents of the data set, which with epochs take the place of tokens; 0 or absent: tokens count"),
    pure<&Recipe::epochs>("epochs", ranges::epochs)
        .left_out_by_default()
        .about("How often each of them is read"),
    choice<&Recipe::precision>("precision").about("Of the matrix products"),
    flag<&Recipe::tf32>("tf32").about("fp32 products run on the tensor cores in tf32"),
    choice<&Recipe::fp8_recipe>("fp8_recipe").about("Where fp8 products have their scales from"),
    flag<&Recipe::converted_weights_alone>("converted_weights_alone")
        .left_out_by_default().about("Weights are kept and gathered in the recipe's format, without a 16-bit copy"),
    row<TrueUnlessSaid, &Recipe::gathers_into_gradients>("gathers_into_gradients")
        .about("MXFP8 then: gathered weights land in the gradients' buffer; absent: they do"),
    row<StatesOfParameter, &Recipe::state_format>("bytes_per_parameter").with(&Field::rows, state_fields)
        .about("Model-state bytes per parameter with Adam, or the format of each state"),
    choice<&Recipe::optimizer>("optimizer").about("Optimizer"),
    feature<&Recipe::optimizer_options>("optimizer_options", optimizer_fields)
        .about("What the optimizer leaves open; absent: the defaults"),
    flag<&Recipe::updates_in_backward>("updates_in_backward")
        .left_out_by_default().about("A parameter is updated as soon as the backward pass has its gradient"),
    optional_time<&Recipe::checkpoint_interval>("checkpoint_interval_s")
        .about("Training between two checkpoints; 0 or absent: Young's optimum"),
    optional_time<&Recipe::checkpoint_time>("checkpoint_s")
        .about("Time of one checkpoint where measured; 0 or absent: size over bandwidth"),
};
static_assert(complete(recipe_fields), "every member has a row");

constexpr Table traffic_codec_fields{
    choice<&Codec::kind>("kind").about("What the payload passes through"),
    pure<&Codec::rate>("rate", {1, 32}).about("zfp: bits a value takes"),
    pure<&Codec::ratio>("ratio", {0.5, 100}).about("lossless: payload over message, as measured"),
    pure<&Codec::density>("density", {1e-6, 1}).about("top-k: share of the values that is sent"),
};
static_assert(complete(traffic_codec_fields), "every member has a row");

constexpr Table compression_fields{
    choice<&Compression::scheme>("scheme").about("A named table (Xu et al. 2024), or custom: the table below"),
    nested<&Compression::gradients>("gradients", traffic_codec_fields).about("Gradients between data-parallel ranks"),
    nested<&Compression::weights>("weights", traffic_codec_fields).about("Weights that ZeRO gathers"),
    nested<&Compression::tensor>("tensor", traffic_codec_fields).about("Activations between tensor-parallel ranks"),
    nested<&Compression::pipeline>("pipeline", traffic_codec_fields).about("Activations between pipeline stages"),
    choice<&Compression::encoding>("encoding").about("When a collective encodes"),
    flag<&Compression::error_feedback>("error_feedback").about("top-k keeps what it did not send for the next step"),
    pure<&Compression::safe_ratio>("safe_ratio", {1, 1000})
        .about("Lossy codecs that shrink weights or activations by more are warned of"),
};
static_assert(complete(compression_fields), "every member has a row");

constexpr Table adapted_fields{
    flag<&AdaptedMatrices::query>("q_proj").about("Projection of queries"),
    flag<&AdaptedMatrices::key>("k_proj").about("Projection of keys; with latent attention the one down"),
    flag<&AdaptedMatrices::value>("v_proj").about("Projection of values; with latent attention the one up"),
    flag<&AdaptedMatrices::output>("o_proj").about("Projection of attention's output"),
    flag<&AdaptedMatrices::gate>("gate_proj").about("Gate of feed-forward blocks"),
    flag<&AdaptedMatrices::up>("up_proj").about("First matrix of feed-forward blocks"),
    flag<&AdaptedMatrices::down>("down_proj").about("Last matrix of feed-forward blocks"),
    flag<&AdaptedMatrices::experts>("experts").about("Of the last three, those of routed experts, too"),
    flag<&AdaptedMatrices::mixer>("mixer").about("Projections of mixers other than attention"),
};
static_assert(complete(adapted_fields), "every member has a row");

constexpr Table method_fields{
    choice<&Method::purpose>("purpose")
        .stated().about("pretrain from nothing, finetune weights that are there, or tune them by preference"),
    choice<&Method::trained>("trained").about("What is trained: all, or adapters beside frozen weights"),
    whole<&Method::rank>("rank", ranges::adapter_rank).about("Of an adapter: width between its two products"),
    nested<&Method::adapted>("adapted", adapted_fields).about("Matrices that adapters stand beside"),
    flag<&Method::fused_adapters>("fused_adapters")
        .about("One adapter for matrices that are multiplied as one, queries with keys and values"),
    flag<&Method::magnitudes>("magnitudes")
        .left_out_by_default().about("A trained norm of every output of an adapted matrix (DoRA)"),
    flag<&Method::adapter_dropout>("adapter_dropout").left_out_by_default().about("Dropout before every adapter"),
    flag<&Method::trains_tables>("trains_tables").about("Embedding and head are trained besides"),
    choice<&Method::frozen>("frozen")
        .about("Format of frozen matrices: 16 bits as products read them, int8, NF4, NF4 with double quantisation"),
    choice<&Method::reference>("reference")
        .left_out_by_default()
        .about("preference: a resident copy, the model without adapters, or precomputed probabilities"),
};
static_assert(complete(method_fields), "every member has a row");

// What does not divide is rounded down: estimate() names the remainder better.
void derive_data_parallel(Layout& l) {
    l.data_parallel = static_cast<int>(std::max(1LL, l.devices / l.model_parallel()));
}

void derive_devices(const Reader& at, Layout& l) {
    const double devices = static_cast<double>(l.model_parallel()) * l.data_parallel;
    if (devices > ranges::ranks.high)
        at.error("data_parallel", phrase("the degrees multiply to more than 1e8 devices"));
    else l.devices = static_cast<int>(devices);
}

}  // namespace

void read_layout(const Reader& root, Layout& l) {
    const auto at = root.member("layout");
    if (!at) return root.missing("layout", phrase("an object"));
    const auto errors = root.findings().errors();
    read_fields(layout_fields, *at, l);
    if (root.findings().errors() != errors) return;
    const bool devices = at->member("devices").has_value(), data = at->member("data_parallel").has_value();
    if (devices && !data) derive_data_parallel(l);
    else if (data && !devices) derive_devices(*at, l);
    else if (!devices)
        at->missing("devices", phrase("{1}, or data_parallel in its place", a_whole_number(ranges::ranks)));
}

std::optional<Offload> read_offload(const Reader& at) {
    const auto errors = at.findings().errors();
    Offload offload;
    if (at.object()) read_fields(offload_fields, at, offload);
    if (at.findings().errors() != errors) return std::nullopt;
    return offload;
}

void read_recipe(const Reader& root, Scenario& s) {
    const auto at = root.member("recipe");
    if (!at) return root.missing("recipe", phrase("an object"));
    s.recipe.sequence_length = s.model.sequence_length;
    s.recipe.tokens = s.model.training_tokens > 0 ? s.model.training_tokens : 20 * parameters(s.model);
    read_fields(recipe_fields, *at, s.recipe);
}

OrderedJson layout_schema() { return object_schema(layout_fields); }

OrderedJson recipe_schema() { return object_schema(recipe_fields); }

OrderedJson write_layout(const Layout& l) { return write_fields(layout_fields, l); }

OrderedJson write_recipe(const Recipe& r) { return write_fields(recipe_fields, r); }

void read_compression(const Reader& root, Compression& c) {
    if (const auto at = root.member("compression")) read_fields(compression_fields, *at, c);
}

void read_method(const Reader& root, Method& m) {
    if (const auto at = root.member("method")) read_fields(method_fields, *at, m);
}

OrderedJson method_schema() { return object_schema(method_fields); }

OrderedJson write_method(const Method& m) { return write_fields(method_fields, m); }

OrderedJson compression_schema() { return object_schema(compression_fields); }

OrderedJson write_compression(const Compression& c) { return write_fields(compression_fields, c); }

}  // namespace plimsoll::files
