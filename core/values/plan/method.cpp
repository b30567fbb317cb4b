#include "core/values/plan/method.h"

#include <utility>

namespace plimsoll {

namespace {

using Adapted = bool AdaptedMatrices::*;

// A product, its adapter's two, and the parts of it in the order in which they stand beside each other.
struct AdapterRow {
    std::string_view product;
    const char *down, *up, *down_label, *up_label;
    std::array<Adapted, 3> parts;
    bool of_experts = false;
};
#define ROW(product, label, ...) \
    {product, "adapter_down/" product, "adapter_up/" product, "Adapter down: " label, "Adapter up: " label, __VA_ARGS__}
constexpr AdapterRow rows[] = {
    ROW("qkv", "queries, keys, values", {&AdaptedMatrices::query, &AdaptedMatrices::key, &AdaptedMatrices::value}),
    ROW("query_down", "queries to their latent vectors", {&AdaptedMatrices::query}),
    ROW("query_up", "queries", {&AdaptedMatrices::query}),
    ROW("kv_down", "keys and values to their latent vectors", {&AdaptedMatrices::key}),
    ROW("kv_up", "keys and values", {&AdaptedMatrices::value}),
    ROW("attention_out", "attention output", {&AdaptedMatrices::output}),
    ROW("ffn_in", "feed-forward in", {&AdaptedMatrices::gate, &AdaptedMatrices::up}),
    ROW("ffn_out", "feed-forward out", {&AdaptedMatrices::down}),
    ROW("shared_in", "shared experts in", {&AdaptedMatrices::gate, &AdaptedMatrices::up}),
    ROW("shared_out", "shared experts out", {&AdaptedMatrices::down}),
    ROW("experts_in", "experts in", {&AdaptedMatrices::gate, &AdaptedMatrices::up}, true),
    ROW("experts_out", "experts out", {&AdaptedMatrices::down}, true),
    ROW("mixer_in", "into the mixer", {&AdaptedMatrices::mixer}),
    ROW("mixer_out", "out of the mixer", {&AdaptedMatrices::mixer}),
};
#undef ROW

}  // namespace

ParameterCounts quantised(const Method& m, const Parameters& p) {
    ParameterCounts frozen;
    if (!quantises_frozen(m)) return frozen;
    using enum ParameterGroup;
    return p.all.without(p.trained).only({matrices, packed, routed});
}

ParameterCounts all_but_adapters(const Method& m, const Parameters& p) {
    using enum ParameterGroup;
    if (!trains_adapters(m)) return p.all;
    return p.all.without(p.trained.only({matrices, packed, routed, vectors, routed_vectors}));
}

AdapterOf adapter_of(const Method& m, std::string_view product) {
    if (!trains_adapters(m)) return {};
    for (const AdapterRow& row : rows) {
        if (row.product != product || (row.of_experts && !m.adapted.experts)) continue;
        AdapterOf a{row.down, row.up, row.down_label, row.up_label, {}};
        for (int i = 0; i < 3; ++i) a.parts[i] = row.parts[i] && m.adapted.*row.parts[i];
        if (a.count() > 0) return a;
    }
    return {};
}

std::string_view product_of_adapter(std::string_view product) {
    const std::size_t slash = product.find('/');
    return slash == std::string_view::npos ? product : product.substr(slash + 1);
}

std::string names_of_adapted(const AdaptedMatrices& a, std::string_view between) {
    constexpr std::pair<Adapted, std::string_view> names[] = {
        {&AdaptedMatrices::query, "q_proj"}, {&AdaptedMatrices::key, "k_proj"},
        {&AdaptedMatrices::value, "v_proj"}, {&AdaptedMatrices::output, "o_proj"},
        {&AdaptedMatrices::gate, "gate_proj"}, {&AdaptedMatrices::up, "up_proj"},
        {&AdaptedMatrices::down, "down_proj"}, {&AdaptedMatrices::experts, "experts"},
        {&AdaptedMatrices::mixer, "mixer"}};
    std::string text;
    for (const auto& [on, name] : names)
        if (a.*on) text.append(text.empty() ? "" : between).append(name);
    return text.empty() ? "nothing" : text;
}

}  // namespace plimsoll
