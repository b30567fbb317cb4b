#include "core/files/presets/plan_fields.h"

#include <algorithm>

namespace plimsoll::files {
namespace {

// Wider than the knobs: a plan beyond those opens, and estimate() says why it
// has no numbers. Narrow enough that no product of two of them overflows an int
// where the planner multiplies them.
constexpr NumberRange degree{1, 16384};
constexpr NumberRange ranks{1, 1e8};

constexpr auto offload_fields = std::tuple{
    choice("weights", &Offload::weights),
    choice("gradients", &Offload::gradients),
    choice("optimizer_state", &Offload::optimizer),
    flag("delayed_update", &Offload::delayed_update),
    choice("activations", &Offload::activations),
    choice("stay_behind", &Offload::stay_behind),
    flag("solve_share", &Offload::solve_share),
    pure("activation_share", &Offload::activation_share, share),
    flag("planned_memory", &Offload::planned_memory),
};
static_assert(members_in(offload_fields) == members_of<Offload>, "every member has a row");

constexpr auto layout_fields = std::tuple{
    whole("devices", &Layout::devices, ranks),
    whole("tensor_parallel", &Layout::tensor_parallel, degree),
    choice("tensor_mode", &Layout::tensor_mode),
    whole("tensor_depth", &Layout::tensor_depth, degree),
    whole("pipeline_parallel", &Layout::pipeline_parallel, degree),
    whole("data_parallel", &Layout::data_parallel, ranks),
    whole("context_parallel", &Layout::context_parallel, degree),
    choice("context_mode", &Layout::context_mode),
    whole("expert_parallel", &Layout::expert_parallel, degree),
    whole("expert_tensor_parallel", &Layout::expert_tensor_parallel, degree),
    whole("virtual_stages", &Layout::virtual_stages, degree),
    whole("micro_batch", &Layout::micro_batch, {1, 1e6}),
    whole("zero_stage", &Layout::zero_stage, {0, 3}),
    whole("shard_group", &Layout::shard_group, {0, 1e8}),
    flag("sequence_parallel", &Layout::sequence_parallel),
    choice("recompute", &Layout::recompute),
    whole("recompute_layers", &Layout::recompute_layers, {0, 1e6}),
    choice("schedule", &Layout::schedule),
    choice("mapping", &Layout::mapping),
    choice("stage_split", &Layout::stage_split),
    feature("offload", &Layout::offload, offload_fields),
};
static_assert(members_in(layout_fields) == members_of<Layout>, "every member has a row");

struct StateBytesPerParameter {
    std::optional<int> read(const Reader& at) const {
        const auto& json = at.json();
        for (const int v : {16, 18, 20})
            if (json.is_number() && json == v) return v;
        at.error("found " + (json.is_number() ? json.dump() : std::string(json.type_name())) + ", expected " + expected());
        return std::nullopt;
    }
    OrderedJson write(int v) const { return v; }
    std::string expected() const { return "16, 18 or 20"; }
};

constexpr auto optimizer_fields = std::tuple{
    whole("block_size", &OptimizerOptions::block_size, {0, 1 << 20}),
    whole("update_interval", &OptimizerOptions::update_interval, {1, 1e6}),
    whole("inverse_interval", &OptimizerOptions::inverse_interval, {1, 1e6}),
    pure("inverse_rate_share", &OptimizerOptions::inverse_rate_share, fraction),
    pure("iteration_reduction", &OptimizerOptions::iteration_reduction, {1e-3, 1e3}),
};
static_assert(members_in(optimizer_fields) == members_of<OptimizerOptions>, "every member has a row");

// Zero, the default, leaves the choice to the planner and the key out of the file.
constexpr Real<Seconds> optional_time{second, {0, 1e9}, true};

constexpr auto recipe_fields = std::tuple{
    whole("global_batch_sequences", &Recipe::global_batch_sequences, {1, 1e9}).needed(),
    whole("sequence_length", &Recipe::sequence_length, {1, 1 << 24}),
    pure("tokens", &Recipe::tokens, {1, 1e18}),
    choice("precision", &Recipe::precision),
    Field{"bytes_per_parameter", &Recipe::bytes_per_parameter, StateBytesPerParameter{}},
    choice("optimizer", &Recipe::optimizer),
    feature("optimizer_options", &Recipe::optimizer_options, optimizer_fields),
    Field{"checkpoint_interval_s", &Recipe::checkpoint_interval, optional_time},
    Field{"checkpoint_s", &Recipe::checkpoint_time, optional_time},
};
static_assert(members_in(recipe_fields) == members_of<Recipe>, "every member has a row");

// What does not divide is rounded down: estimate() names the remainder better.
void derive_data_parallel(Layout& l) {
    l.data_parallel = static_cast<int>(std::max(1LL, l.devices / l.model_parallel()));
}

void derive_devices(const Reader& at, Layout& l) {
    const double devices = static_cast<double>(l.model_parallel()) * l.data_parallel;
    if (devices > ranks.high) at.error("data_parallel", "the degrees multiply to more than 1e8 devices");
    else l.devices = static_cast<int>(devices);
}

}  // namespace

void read_layout(const Reader& root, Layout& l) {
    const auto at = root.member("layout");
    if (!at) return root.missing("layout", "an object");
    const auto errors = root.findings().errors();
    read_fields(layout_fields, *at, l);
    if (root.findings().errors() != errors) return;
    const bool devices = at->member("devices").has_value(), data = at->member("data_parallel").has_value();
    if (devices && !data) derive_data_parallel(l);
    else if (data && !devices) derive_devices(*at, l);
    else if (!devices) at->missing("devices", a_whole_number(ranks) + ", or data_parallel in its place");
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
    if (!at) return root.missing("recipe", "an object");
    s.recipe.sequence_length = s.model.sequence_length;
    s.recipe.tokens = s.model.training_tokens > 0 ? s.model.training_tokens : 20 * parameters(s.model);
    read_fields(recipe_fields, *at, s.recipe);
}

OrderedJson write_layout(const Layout& l) { return write_fields(layout_fields, l); }

OrderedJson write_recipe(const Recipe& r) { return write_fields(recipe_fields, r); }

}  // namespace plimsoll::files
