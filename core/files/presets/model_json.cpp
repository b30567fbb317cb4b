#include "core/files/presets/parts.h"

#include "core/values/basics/phrase.h"
#include "core/values/knobs/ranges.h"

namespace plimsoll::files {
namespace {

constexpr int widest_attention = 1 << 29;  // queries, keys and values together still fit an int

constexpr auto experts_fields = std::tuple{
    whole("count", &Experts::count, ranges::experts).about("Routed experts of one layer, E; 0: a dense model"),
    whole("top_k", &Experts::top_k, ranges::chosen_experts).about("Routed experts a token visits, k"),
    whole("expert_ffn", &Experts::ffn, ranges::width).about("Inner width of one routed expert"),
    whole("shared", &Experts::shared, ranges::shared_experts).about("Experts every token passes"),
    whole("shared_ffn", &Experts::shared_ffn, ranges::width_or_none).about("Inner width of one shared expert"),
    whole("dense_layers", &Experts::dense_layers, ranges::some_layers).about("First layers without experts"),
    whole("every", &Experts::every, ranges::layers).about("Of the other layers every n-th has experts"),
    whole("node_limit", &Experts::node_limit, ranges::experts)
        .about("Most nodes one token's experts lie on; 0: no limit"),
    pure("capacity", &Experts::capacity, ranges::capacity)
        .about("Tokens an expert takes over the mean, padded; 0: all that come"),
    pure("imbalance", &Experts::imbalance, ranges::imbalance).about("Tokens of the busiest rank over the mean"),
    pure("ratio", &Experts::ratio, ranges::exchange_ratio).about("DCCA: width of an exchanged token over hidden"),
    flag("router_bias", &Experts::router_bias).about("One learned number per expert"),
    choice("order", &Experts::order)
        .about("Projections inside the experts, or shared and outside the exchange (BigMac)"),
};
static_assert(members_in(experts_fields) == members_of<Experts>, "every member has a row");

constexpr auto latent_fields = std::tuple{
    whole("kv_rank", &LatentAttention::kv_rank, ranges::latent_width)
        .about("Latent width of keys and values; 0: without"),
    whole("q_rank", &LatentAttention::q_rank, ranges::latent_width).about("Latent width of queries; 0: one projection"),
    whole("rope_dim", &LatentAttention::rope_dim, ranges::latent_width)
        .about("Part of a query head with rotary positions"),
    whole("nope_dim", &LatentAttention::nope_dim, ranges::latent_width).about("Part of a query head without"),
    whole("value_dim", &LatentAttention::value_dim, ranges::latent_width).about("Value head dimension"),
};
static_assert(members_in(latent_fields) == members_of<LatentAttention>, "every member has a row");

constexpr auto window_fields = std::tuple{
    whole("tokens", &AttentionWindow::tokens, ranges::positions)
        .about("Tokens a query sees in such a layer; 0: no window"),
    whole("layers", &AttentionWindow::layers, ranges::some_layers)
        .about("Layers with the window; the others see everything"),
    flag("chunks", &AttentionWindow::chunks)
        .about("A query sees its own chunk of so many tokens (Llama 4) instead of the last ones"),
};
static_assert(members_in(window_fields) == members_of<AttentionWindow>, "every member has a row");

constexpr auto model_fields = std::tuple{
    FixedField{"schema", std::string_view("plimsoll/model")},
    FixedField{"version", preset_version},
    text("id", &Model::id).matching(id_pattern).stated().about("File name without .json"),
    text("name", &Model::name).not_empty().stated().about("For people"),
    text("family", &Model::family).not_empty().stated().about("Family"),
    text("as_of", &Model::as_of)
        .matching(month_pattern).stated().about("Year and month the facts were gathered"),
    text("note", &Model::note).prose().stated().about("What a user should know"),
    whole("layers", &Model::layers, ranges::layers).needed().about("Transformer layers"),
    whole("hidden", &Model::hidden, ranges::stream).needed().about("Width of the residual stream"),
    whole("heads", &Model::heads, ranges::heads).schema_limits({1, 8192}).needed().about("Query heads"),
    whole("kv_heads", &Model::kv_heads, ranges::heads).schema_limits({1, 8192}).stated().about("Key-value heads"),
    whole("head_dim", &Model::head_dim, ranges::stream).schema_limits({1, 1 << 16}).stated().about("Width of one head"),
    whole("ffn", &Model::ffn, ranges::width).needed().about("Feed-forward width, of each branch when gated"),
    whole("vocabulary", &Model::vocabulary, ranges::vocabulary)
        .schema_limits({1, 1e7}).needed().about("Token types as published, before padding"),
    whole("sequence_length", &Model::sequence_length, ranges::sequence).stated().about("Native context"),
    whole("position_rows", &Model::position_rows, ranges::positions).stated().about("Rows of a learned position table"),
    whole("norms_per_layer", &Model::norms_per_layer, ranges::norms)
        .schema_limits({0, 8}).stated().about("Norms of hidden width in one layer"),
    choice("activation", &Model::activation).stated().about("swiglu and geglu are gated"),
    choice("positions", &Model::positions).stated().about("How positions enter"),
    choice("norm", &Model::norm).stated().about("Kind of norm"),
    flag("tied_embeddings", &Model::tied_embeddings).stated().about("Input embedding and head share a table"),
    flag("qkv_bias", &Model::qkv_bias).stated().about("Bias in the query, key and value projections"),
    flag("out_bias", &Model::out_bias).stated().about("Bias in the attention output"),
    flag("mlp_bias", &Model::mlp_bias).stated().about("Bias in the feed-forward matrices"),
    flag("final_norm", &Model::final_norm).stated().about("A norm after the last layer"),
    flag("embedding_norm", &Model::embedding_norm).stated().about("A norm after the embedding"),
    whole("qk_norm_width", &Model::qk_norm_width, ranges::width_or_none)
        .schema_limits({0, 1 << 20}).stated().about("Elements of one query or key norm; 0 without"),
    feature("experts", &Model::experts, experts_fields).about("Mixture of experts in place of feed-forward blocks"),
    feature("latent", &Model::latent, latent_fields).about("Multi-head latent attention (DeepSeek-V2)"),
    pure("attention_density", &Model::attention_density, ranges::attention_density)
        .about("Share of the score matrix a sparse layer computes, against the same layer dense"),
    pure("sparse_layers", &Model::sparse_layers, ranges::share)
        .about("Share of the layers that attention_density applies to"),
    feature("window", &Model::window, window_fields).about("Sliding windows or chunks of attention in some layers"),
    flag("parallel_blocks", &Model::parallel_blocks)
        .about("Attention and feed-forward block both start from the layer's input (GPT-J, PaLM); absent: in turn"),
    flag("dropout", &Model::dropout).stated().about("Masks are kept for the backward pass"),
    whole("vocabulary_padding", &Model::vocabulary_padding, ranges::vocabulary_padding)
        .stated().about("The vocabulary is padded to a multiple of this times the tensor degree"),
    pure("extra_parameters", &Model::extra_parameters, {-1e15, 1e15})
        .schema_limits({-1e12, 1e14}).stated().about("Parameters outside the formula"),
    pure("published_parameters", &Model::published_parameters, {0, 1e15})
        .stated().about("Published label; 0 when unknown"),
    pure("training_tokens", &Model::training_tokens, {0, 1e18})
        .schema_limits({0, 1e16}).stated().about("Published token count; 0 when unknown"),
    sources("sources", &Model::sources).stated(),
};
static_assert(members_in(model_fields) == members_of<Model>, "every member has a row");

// Multi-head attention over the whole width, unless the file says otherwise.
void derive_absent(const Reader& at, Model& m) {
    if (!at.member("kv_heads")) m.kv_heads = m.heads;
    if (at.member("head_dim")) return;
    if (m.hidden % m.heads == 0) m.head_dim = m.hidden / m.heads;
    else at.missing("head_dim", phrase("a whole number: heads {1} do not divide hidden {2}", m.heads, m.hidden));
}

void check_agreement(const Reader& at, const Model& m) {
    if (m.heads % m.kv_heads != 0)
        at.conflict("kv_heads", phrase("found {1}, expected a divisor of heads {2}", m.kv_heads, m.heads));
    const auto narrow = [&](const char* key, int dim, const char* what) {
        if (1LL * m.heads * dim > widest_attention)
            at.error(key, phrase("found {1}, expected heads x {2} to be at most {3}", dim, what, widest_attention));
    };
    narrow("head_dim", m.head_dim, "head_dim");
    narrow("latent/value_dim", m.latent.value_dim, "value_dim");
    if (m.window.layers > m.layers)
        at.conflict("window/layers",
                    phrase("found {1}, expected at most the {2} layers", m.window.layers, m.layers));
}

}  // namespace

template <> std::string_view schema_of<Model>() { return "plimsoll/model"; }

void read_part(const Reader& at, Model& m) {
    const auto errors = at.findings().errors();
    read_fields(model_fields, at, m);
    if (at.findings().errors() != errors) return;
    derive_absent(at, m);
    check_agreement(at, m);
}

template <> OrderedJson preset_schema<Model>() {
    return document_schema("Model preset", object_schema(model_fields));
}

OrderedJson write_part(const Model& m) { return write_fields(model_fields, m); }

}  // namespace plimsoll::files
