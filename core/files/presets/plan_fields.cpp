#include "core/files/presets/parts.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/other_names.h"
#include "core/values/knobs/ranges.h"

#include <algorithm>

namespace plimsoll::files {
namespace {

constexpr auto offload_fields = std::tuple{
    choice("weights", &Offload::weights).about("Tier of the 16-bit weights"),
    choice("gradients", &Offload::gradients).about("Tier of the gradients"),
    choice("optimizer_state", &Offload::optimizer)
        .about("Tier of the optimizer state; below the devices the CPUs update"),
    flag("delayed_update", &Offload::delayed_update)
        .about("Update while the next step computes, with weights one update old"),
    choice("activations", &Offload::activations).about("Tier of the activations that leave the devices"),
    choice("stay_behind", &Offload::stay_behind)
        .about("What becomes of the others: kept on the device, or computed again"),
    flag("solve_share", &Offload::solve_share).about("Take the largest share of activations that nobody waits for"),
    pure("activation_share", &Offload::activation_share, ranges::share).about("The share, where it is not solved for"),
    flag("planned_memory", &Offload::planned_memory).about("Transient memory is placed offline"),
};
static_assert(members_in(offload_fields) == members_of<Offload>, "every member has a row");

// A number, or what people call the stage: "fsdp".
struct ZeroStage : Whole {
    std::optional<int> read(const Reader& at) const {
        if (at.is_text())
            if (const auto stage = zero_stage_of(*at.text())) return stage;
        return Whole::read(at);
    }
};

constexpr auto layout_fields = std::tuple{
    whole("devices", &Layout::devices, ranges::ranks).stated().about("All devices of the plan"),
    whole("tensor_parallel", &Layout::tensor_parallel, ranges::degree).about("t"),
    choice("tensor_mode", &Layout::tensor_mode)
        .about("How matrices are cut over the tensor ranks: columns and rows, a square grid, a grid with depth"),
    whole("tensor_depth", &Layout::tensor_depth, ranges::degree)
        .about("Depth of a Tesseract: tensor_parallel = q x q x depth"),
    whole("pipeline_parallel", &Layout::pipeline_parallel, ranges::degree).about("p"),
    whole("data_parallel", &Layout::data_parallel, ranges::ranks).about("d"),
    whole("context_parallel", &Layout::context_parallel, ranges::degree).about("c"),
    choice("context_mode", &Layout::context_mode).about("How ranks that share a sequence compute its attention"),
    whole("expert_parallel", &Layout::expert_parallel, ranges::degree).about("e"),
    whole("expert_tensor_parallel", &Layout::expert_tensor_parallel, ranges::degree)
        .about("Ranks that share one expert's matrices"),
    whole("virtual_stages", &Layout::virtual_stages, ranges::degree).about("Model chunks per stage"),
    whole("micro_batch", &Layout::micro_batch, ranges::micro_batch).about("Sequences"),
    Field{"zero_stage", &Layout::zero_stage, ZeroStage{Whole{ranges::zero_stage}}}
        .about("0 replicated to 3 all sharded"),
    whole("shard_group", &Layout::shard_group, ranges::shard_group)
        .about("Ranks sharing one sharded copy; 0 for all data-parallel ranks"),
    Field{"secondary_shard", &Layout::secondary_shard, UnlessOff<Whole>{{ranges::shard_group}}}
        .about("ZeRO-3: ranks sharing a second copy of the weights for the backward pass (hpZ); 0 without"),
    flag("sequence_parallel", &Layout::sequence_parallel).about("Norms and dropout split along the sequence"),
    choice("recompute", &Layout::recompute).about("What the backward pass computes again"),
    whole("recompute_layers", &Layout::recompute_layers, ranges::recomputed_layers)
        .about("Layers of every model chunk that are recomputed, the first ones; 0 for all"),
    choice("schedule", &Layout::schedule).about("Pipeline schedule"),
    choice("mapping", &Layout::mapping).about("Ranks over clusters: in order, or whole stages to each cluster"),
    choice("stage_split", &Layout::stage_split)
        .about("Layers per stage: even, by Holmes' rule, so that the slowest stage is fastest, or by their cost"),
    feature("offload", &Layout::offload, offload_fields)
        .about("Which tier of a node keeps what; left out, everything is on the devices"),
};
static_assert(members_in(layout_fields) == members_of<Layout>, "every member has a row");

// A number of bytes in the file.
struct StateBytesPerParameter {
    OrderedJson schema() const { return {{"enum", {6, 8, 10, 12, 14, 16, 18, 20}}}; }
    std::optional<StateFormat> read(const Reader& at) const {
        const auto& json = at.json();
        for (std::size_t i = 0; i < names_of<StateFormat>().size(); ++i)
            if (const StateFormat f{int(i)}; json.is_number() && json == bytes_per_parameter(f)) return f;
        at.error("found " + (json.is_number() ? json.dump() : std::string(json.type_name())) + ", expected "
                 + expected());
        return std::nullopt;
    }
    OrderedJson write(StateFormat f) const { return bytes_per_parameter(f); }
    std::string expected() const { return "6, 8, 10, 12, 14, 16, 18 or 20"; }
};

constexpr auto optimizer_fields = std::tuple{
    whole("block_size", &OptimizerOptions::block_size, ranges::factor_block)
        .about("K-FAC, Shampoo: widest factor; 0 cuts nothing"),
    whole("update_interval", &OptimizerOptions::update_interval, ranges::steps_between)
        .about("Steps between two updates of the factors"),
    whole("inverse_interval", &OptimizerOptions::inverse_interval, ranges::steps_between)
        .about("Steps between two inversions; a multiple of update_interval"),
    pure("inverse_rate_share", &OptimizerOptions::inverse_rate_share, ranges::rate_share)
        .about("Share of the fp32 product rate that inversions reach"),
    pure("iteration_reduction", &OptimizerOptions::iteration_reduction, ranges::iteration_reduction)
        .about("Steps of a first-order optimizer over the steps of this one, as measured; 1 claims nothing"),
};
static_assert(members_in(optimizer_fields) == members_of<OptimizerOptions>, "every member has a row");

// Zero, the default, leaves the choice to the planner and the key out of the file.
constexpr Real<Seconds> optional_time{second, {0, 1e9}, true};

constexpr auto recipe_fields = std::tuple{
    whole("global_batch_sequences", &Recipe::global_batch_sequences, ranges::batch)
        .needed().about("Sequences per step"),
    whole("sequence_length", &Recipe::sequence_length, ranges::sequence).about("Tokens per sequence"),
    pure("tokens", &Recipe::tokens, ranges::tokens).about("Of the whole run"),
    choice("precision", &Recipe::precision).about("Of the matrix products"),
    flag("tf32", &Recipe::tf32).about("fp32 products run on the tensor cores in tf32"),
    choice("fp8_recipe", &Recipe::fp8_recipe).about("Where fp8 products have their scales from"),
    Field{"bytes_per_parameter", &Recipe::state_format, StateBytesPerParameter{}}
        .about("Model-state bytes per parameter with Adam"),
    choice("optimizer", &Recipe::optimizer).about("Optimizer"),
    feature("optimizer_options", &Recipe::optimizer_options, optimizer_fields)
        .about("What the optimizer leaves open; absent: the defaults"),
    Field{"checkpoint_interval_s", &Recipe::checkpoint_interval, optional_time}
        .about("Training between two checkpoints; 0 or absent: Young's optimum"),
    Field{"checkpoint_s", &Recipe::checkpoint_time, optional_time}
        .about("Time of one checkpoint where measured; 0 or absent: size over bandwidth"),
};
static_assert(members_in(recipe_fields) == members_of<Recipe>, "every member has a row");

constexpr auto traffic_codec_fields = std::tuple{
    choice("kind", &Codec::kind).about("What the payload passes through"),
    pure("rate", &Codec::rate, {1, 32}).about("zfp: bits a value takes"),
    pure("ratio", &Codec::ratio, {0.5, 100}).about("lossless: payload over message, as measured"),
    pure("density", &Codec::density, {1e-6, 1}).about("top-k: share of the values that is sent"),
};
static_assert(members_in(traffic_codec_fields) == members_of<Codec>, "every member has a row");

constexpr auto compression_fields = std::tuple{
    choice("scheme", &Compression::scheme).about("A named table (Xu et al. 2024), or custom: the table below"),
    nested("gradients", &Compression::gradients, traffic_codec_fields).about("Gradients between data-parallel ranks"),
    nested("weights", &Compression::weights, traffic_codec_fields).about("Weights that ZeRO gathers"),
    nested("tensor", &Compression::tensor, traffic_codec_fields).about("Activations between tensor-parallel ranks"),
    nested("pipeline", &Compression::pipeline, traffic_codec_fields).about("Activations between pipeline stages"),
    choice("encoding", &Compression::encoding).about("When a collective encodes"),
    flag("error_feedback", &Compression::error_feedback).about("top-k keeps what it did not send for the next step"),
    pure("safe_ratio", &Compression::safe_ratio, {1, 1000})
        .about("Lossy codecs that shrink weights or activations by more are warned of"),
};
static_assert(members_in(compression_fields) == members_of<Compression>, "every member has a row");

// What does not divide is rounded down: estimate() names the remainder better.
void derive_data_parallel(Layout& l) {
    l.data_parallel = static_cast<int>(std::max(1LL, l.devices / l.model_parallel()));
}

void derive_devices(const Reader& at, Layout& l) {
    const double devices = static_cast<double>(l.model_parallel()) * l.data_parallel;
    if (devices > ranks.high) at.error("data_parallel", phrase("the degrees multiply to more than 1e8 devices"));
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
    else if (!devices) at->missing("devices", phrase("{1}, or data_parallel in its place", a_whole_number(ranks)));
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

OrderedJson compression_schema() { return object_schema(compression_fields); }

OrderedJson write_compression(const Compression& c) { return write_fields(compression_fields, c); }

}  // namespace plimsoll::files
