#include "core/evidence/published/mixture_recipe.h"

#include "core/values/basics/names.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace plimsoll {

namespace {

// Devices behind the widest switches inside a system.
int nvlink_domain(const Machine& m) {
    return m.levels.size() < 2 ? m.devices_per_node : m.levels[m.levels.size() - 2].devices;
}

}  // namespace

MixtureRecipe mixture_recipe(const Scenario& s, const RecipeWords& w) {
    // Graphs, copies a rank and overlap of the exchange came with the containers of 25.09.
    if (!w.of_the_maker || w.release < 250900) return {};
    const Layout& l = s.layout;
    const int domain = nvlink_domain(s.machine);
    const bool blackwell = contains_any(w.device, {"b200", "b300"}), b300 = contains_any(w.device, {"b300"});
    const bool rack = domain > 8, mx = contains_any(w.format, {"mxfp8", "fp8-mx"});
    // Megatron's hybrids have no schedule that works on two micro-batches at once; their graphs hold mixers and router.
    const bool hybrid = has_pattern(s.model);
    const bool newest = (rack && w.release >= 260600) || (b300 && l.micro_batch >= 8 && w.release >= 260600)
                     || (blackwell && w.release >= 260800);
    const bool step = mx && newest && !hybrid;
    const bool far = l.pipeline_parallel > 1 && l.expert_parallel > domain;
    // On machines of single nodes the recipes of 25.11 and 26.02 overlap inside a node as well, wherever a stage has
    // chunks (moe_a2a_overlap); those of 26.02.01 took that back.
    const bool near = !rack && l.pipeline_parallel > 1 && l.virtual_stages > 1 && w.release >= 251100
                   && w.release <= 260200;
    // What overlaps between Blackwell nodes has graphs of attention and router since 26.04.01.
    const bool part = rack || (blackwell && (l.micro_batch >= 2 || (far && w.release >= 260401)));
    MixtureRecipe r;
    r.graph = step ? Graph::whole_step : part ? Graph::attention_router : Graph::none;
    r.dispatch = rack || w.release > 260200 ? Dispatch::per_rank : Dispatch::per_expert;
    r.overlaps = !hybrid && (step || far || near);
    r.fused = step;   // pull requests 3983, 4249 and 4606: cuTeDSL fused grouped MLP
    return r;
}

namespace {

// Whether the word is there, and "off" does not follow it.
std::optional<bool> switched(const std::string& text, const char* word) {
    const auto at = text.find(word);
    if (at == std::string::npos) return std::nullopt;
    return text.compare(at + std::string(word).size(), 4, " off") != 0;
}

}  // namespace

MixtureWords mixture_words(const PublishedRow& row) {
    const std::string text = lower_case(row.model.name + "; " + row.layout.framework + "; " + row.remark);
    MixtureWords w;
    const std::string capacity = "capacity factor ";
    if (const auto at = text.find(capacity); at != std::string::npos) {
        const double factor = std::atof(text.c_str() + at + capacity.size());
        if (factor >= 0.1 && factor <= 100) w.capacity = factor;
    }
    if (contains(text, "first layer dense")) w.dense_layers = 1;
    else if (const auto at = text.find(" dense layer"); at != std::string::npos && at > 0)
        if (const int count = text[at - 1] - '0'; count >= 1 && count <= 9) w.dense_layers = count;
    for (const std::string word : {"expert tp ", "etp "})
        if (const auto at = text.find(word); at != std::string::npos && !w.expert_tensor)
            if (const int ranks = std::atoi(text.c_str() + at + word.size()); ranks >= 1 && ranks <= 64)
                w.expert_tensor = ranks;
    if (const auto at = text.find(" mtp "); at != std::string::npos) {
        const std::string number = text.substr(0, at).substr(text.rfind(' ', at - 1) + 1);
        const std::string_view words[] = {"no", "one", "two", "three"};
        const auto word = std::ranges::find(words, number);
        const int count = word != std::end(words) ? int(word - words) : std::atoi(number.c_str());
        if (count >= 1 && count <= 9) w.further = count;
        w.one_module = w.further && contains(text, "one repeated");
    }
    w.not_attention = contains_any(text, {"mamba", "deltanet", "linear attention"});
    for (const char* word : {"ep overlap", "all-to-all overlap"})
        if (!w.overlaps) w.overlaps = switched(text, word);
    if (contains(text, "full-iteration")) w.graph = Graph::whole_step;
    else if (contains_any(text, {"attention and router", "router and preprocess", "attn, moe_router"}))
        w.graph = Graph::attention_router;
    if (contains_any(text, {"nccl all-to-all", "all-to-all dispatcher"})) w.dispatch = Dispatch::per_expert;
    else if (contains_any(lower_case(row.layout.framework), {"deepep", "hybridep"})) w.dispatch = Dispatch::per_rank;
    w.natural = contains_any(text, {"natural routing", "dropless routing"});
    return w;
}

std::string mixture_obstacle(const PublishedRow& row, const Model* like) {
    const RowModel& m = row.model;
    const bool known = like && has_pattern(*like) && like->layers == m.layers;
    if (mixture_words(row).not_attention && !known)
        return "some of its layers have neither attention nor a feed-forward block";
    return m.expert_count && m.top_k && m.ffn ? "" : "the model's experts are not published";
}

const Model* mixture_like(const RowModel& row, const std::map<std::string, Model>& models) {
    const Model *same = nullptr, *deeper = nullptr;
    // Rows say themselves whether they train a module, so that the same shape without one comes first.
    const auto offer = [](const Model*& best, const Model& m) {
        if (!best || best->further.depths > m.further.depths) best = &m;
    };
    for (const auto& [id, m] : models) {
        const bool alike = m.hidden == row.hidden && m.experts.count == row.expert_count
                        && m.experts.top_k == row.top_k && m.experts.ffn == row.ffn
                        && m.experts.order == ExpertOrder::cdac;
        if (alike && m.layers == row.layers) offer(same, m);
        if (alike && m.layers > *row.layers) offer(deeper, m);
    }
    return same ? same : deeper;
}

void fill_experts(const PublishedRow& row, const Model* like, FilledRun& run) {
    Model& m = run.scenario.model;
    const std::optional<int> dense_layers = mixture_words(row).dense_layers;
    if (!like) {
        m.ffn = *row.model.ffn;
        m.activation = row.model.gated.value_or(true) ? Activation::swiglu : Activation::gelu;
        m.tied_embeddings = false;
        m.experts.count = *row.model.expert_count;
        m.experts.top_k = *row.model.top_k;
        m.experts.ffn = *row.model.ffn;
        m.experts.dense_layers = dense_layers.value_or(0);
        run.filled.push_back("no model preset has such experts: in every layer, none of them shared");
        return;
    }
    run.filled.push_back("shared experts, dense layers, biases and attention of the model preset '" + like->id + "'");
    const int layers = std::max(1, *row.model.layers);
    if (m.layers == layers) return;
    // The first of the preset's layers. Those with windows lie evenly.
    m.window.layers = int(std::lround(double(m.window.layers) * layers / m.layers));
    m.layers = layers;
    m.experts.dense_layers = std::min(layers, dense_layers.value_or(m.experts.dense_layers));
    m.published_parameters = 0;
    run.filled.push_back("its first " + std::to_string(layers) + " layers, of which "
                         + std::to_string(m.experts.dense_layers) + " have no experts");
}

// Megatron cuts experts over the tensor ranks unless told otherwise; recipes for many narrow experts tell it.
int expert_tensor_ranks(const PublishedRow& row, const Scenario& s) {
    constexpr int few = 16;
    if (!has_experts(s.model) || s.layout.tensor_parallel == 1) return 1;
    const bool usual = s.stack.family == "megatron-core" && s.model.experts.count <= few;
    return mixture_words(row).expert_tensor.value_or(usual ? s.layout.tensor_parallel : 1);
}

namespace {

// Behind the work of another micro-batch, where the preset does not say: what Megatron-Core's leaves.
constexpr double overlapped_exchange = 0.3;
// Tokens of the busiest rank over the mean with natural routing: 1.0 to 1.9 in published pairs of runs.
constexpr double natural_imbalance = 1.5;

// Chunks of a stage that are still to be chosen are chosen with it.
void overlap_exchange(FilledRun& run, bool on) {
    Scenario& s = run.scenario;
    Layout& l = s.layout;
    run.overlaps = on && l.expert_parallel > 1;
    if (run.overlaps && s.stack.experts.paired_exposed == 1)
        run.set_own("stack.experts.paired_exposed", s.stack.experts.paired_exposed, overlapped_exchange);
    l.schedule = schedule_of_run(run, l.virtual_stages);
}

}  // namespace

namespace {

// Megatron-Bridge's recipes (training/mixed_precision.py) keep converted weights alone but for scales of blocks, with
// NVFP4 since its pull request 3364 of April 2026; that of Nemotron 3 Super in NVFP4 keeps the last 14 of 88 in bf16.
void take_number_formats(const PublishedRow& row, FilledRun& run) {
    Recipe& r = run.scenario.recipe;
    const int release = container_release(row);
    if (r.precision != Precision::fp8 || from_elsewhere(row) || release < 250900) return;
    const bool four = r.fp8_recipe == Fp8Recipe::nvfp4;
    const bool held = run.scenario.stack.memory.fp8_storage != Fp8Storage::none && run.scenario.layout.zero_stage < 3;
    r.converted_weights_alone = held && r.fp8_recipe != Fp8Recipe::blockwise && (!four || release >= 260600);
    const std::string name = lower_case(row.model.name);
    Model& m = run.scenario.model;
    if (four && contains(name, "nemotron") && contains(name, "super") && m.layers == 88) m.wide.last = 14;
    run.filled.push_back(std::string("number formats of Megatron-Bridge's recipes: converted weights ")
                         + (r.converted_weights_alone ? "alone" : "beside 16 bits")
                         + (m.wide.any() ? ", the last 14 layers in 16 bits" : ""));
}

}  // namespace

void take_mixture_recipe(const PublishedRow& row, FilledRun& run) {
    take_number_formats(row, run);

    constexpr double fused_grouped = 1.2;
    const MixtureRecipe r =
        mixture_recipe(run.scenario, {lower_case(row.machine.device), lower_case(row.layout.precision),
                                      container_release(row), !from_elsewhere(row)});
    ExpertStack& e = run.scenario.stack.experts;
    e.graph = r.graph;
    e.dispatch = r.dispatch;
    if (r.fused) run.set_own("stack.experts.grouped_gemm_factor", e.grouped_gemm_factor, fused_grouped);
    if (r.overlaps) overlap_exchange(run, true);
    run.filled.push_back("graph " + std::string(name_of(e.graph)) + ", dispatch " + std::string(name_of(e.dispatch))
                         + (r.overlaps ? "," : ", not") + " overlapped: the recipes of "
                         + (release_of(row) ? "such containers" : "the newest container, as none is stated"));
}

namespace {

// A module's layers: as the preset states them; where a mixer or a block alone is a layer, one that attends and one
// with experts; else the model's last one.
void add_modules(const MixtureWords& w, FilledRun& run) {
    Model& m = run.scenario.model;
    FurtherTokens further{*w.further, m.further.pattern, w.one_module};
    if (further.pattern.empty())
        for (const LayerKind& k : m.kinds)
            if ((k.attends() && !k.feeds()) || (!k.mixes() && k.feed == Feed::experts)) further.pattern += k.letter;
    m.further = further;
    run.filled.push_back(std::to_string(further.depths) + " further tokens, of "
                         + (w.one_module ? "one module" : "a module each"));
}

}  // namespace

void take_mixture_words(const PublishedRow& row, FilledRun& run) {
    const MixtureWords w = mixture_words(row);
    if (w.further) add_modules(w, run);
    Experts& experts = run.scenario.model.experts;
    ExpertStack& e = run.scenario.stack.experts;
    if (w.capacity) experts.capacity = *w.capacity;
    if (w.overlaps) overlap_exchange(run, *w.overlaps);
    if (w.graph) e.graph = *w.graph;
    if (w.dispatch) e.dispatch = *w.dispatch;
    if (!w.natural) return;
    if (experts.capacity == 0) experts.imbalance = natural_imbalance;
    if (e.graph == Graph::whole_step) e.graph = Graph::none;   // shapes depend on the routing
    run.filled.push_back("natural routing: 1.5 times the mean on the busiest rank");
}

}  // namespace plimsoll
