#include "core/files/presets/parts.h"

#include "core/values/basics/phrase.h"
#include "core/values/knobs/ranges.h"

namespace plimsoll::files {
namespace {

constexpr int widest_attention = 1 << 29;  // queries, keys and values together still fit an int

constexpr Table experts_fields{
    whole<&Experts::count>("count", ranges::experts).about("Routed experts of one layer, E; 0: a dense model"),
    whole<&Experts::top_k>("top_k", ranges::chosen_experts).about("Routed experts a token visits, k"),
    whole<&Experts::ffn>("expert_ffn", ranges::width).about("Inner width of one routed expert"),
    whole<&Experts::shared>("shared", ranges::shared_experts).about("Experts every token passes"),
    whole<&Experts::shared_ffn>("shared_ffn", ranges::width_or_none).about("Inner width of one shared expert"),
    whole<&Experts::dense_layers>("dense_layers", ranges::some_layers).about("First layers without experts"),
    whole<&Experts::every>("every", ranges::layers).about("Of the other layers every n-th has experts"),
    whole<&Experts::node_limit>("node_limit", ranges::experts)
        .about("Most nodes one token's experts lie on; 0: no limit"),
    pure<&Experts::capacity>("capacity", ranges::capacity)
        .about("Tokens an expert takes over the mean, padded; 0: all that come"),
    pure<&Experts::imbalance>("imbalance", ranges::imbalance).about("Tokens of the busiest rank over the mean"),
    pure<&Experts::ratio>("ratio", ranges::exchange_ratio).about("DCCA: width of an exchanged token over hidden"),
    flag<&Experts::router_bias>("router_bias").about("One learned number per expert"),
    choice<&Experts::order>("order")
        .about("Projections inside the experts, or shared and outside the exchange (BigMac)"),
};
static_assert(complete(experts_fields), "every member has a row");

constexpr Table latent_fields{
    whole<&LatentAttention::kv_rank>("kv_rank", ranges::latent_width)
        .about("Latent width of keys and values; 0: without"),
    whole<&LatentAttention::q_rank>("q_rank", ranges::latent_width).about("Latent width of queries; 0: one projection"),
    whole<&LatentAttention::rope_dim>("rope_dim", ranges::latent_width)
        .about("Part of a query head with rotary positions"),
    whole<&LatentAttention::nope_dim>("nope_dim", ranges::latent_width).about("Part of a query head without"),
    whole<&LatentAttention::value_dim>("value_dim", ranges::latent_width).about("Value head dimension"),
};
static_assert(complete(latent_fields), "every member has a row");

constexpr Table window_fields{
    whole<&AttentionWindow::tokens>("tokens", ranges::positions)
        .about("Tokens a query sees in such a layer; 0: no window"),
    whole<&AttentionWindow::layers>("layers", ranges::some_layers)
        .about("Layers with the window; the others see everything"),
    flag<&AttentionWindow::chunks>("chunks")
        .about("A query sees its own chunk of so many tokens (Llama 4) instead of the last ones"),
};
static_assert(complete(window_fields), "every member has a row");

constexpr Table model_fields{
    constant<Model>("schema", "plimsoll/model"),
    constant<Model>("version", preset_version),
    text<&Model::id>("id").matching(id_pattern).stated().about("File name without .json"),
    text<&Model::name>("name").not_empty().stated().about("For people"),
    text<&Model::family>("family").not_empty().stated().about("Family"),
    text<&Model::as_of>("as_of")
        .matching(month_pattern).stated().about("Year and month the facts were gathered"),
    text<&Model::note>("note").prose().stated().about("What a user should know"),
    whole<&Model::layers>("layers", ranges::layers).needed().about("Transformer layers"),
    whole<&Model::hidden>("hidden", ranges::stream).needed().about("Width of the residual stream"),
    whole<&Model::heads>("heads", ranges::heads).schema_limits({1, 8192}).needed().about("Query heads"),
    whole<&Model::kv_heads>("kv_heads", ranges::heads).schema_limits({1, 8192}).stated().about("Key-value heads"),
    whole<&Model::head_dim>("head_dim", ranges::stream).schema_limits({1, 1 << 16}).stated().about("Width of one head"),
    whole<&Model::ffn>("ffn", ranges::width).needed().about("Feed-forward width, of each branch when gated"),
    whole<&Model::vocabulary>("vocabulary", ranges::vocabulary)
        .schema_limits({1, 1e7}).needed().about("Token types as published, before padding"),
    whole<&Model::sequence_length>("sequence_length", ranges::sequence).stated().about("Native context"),
    whole<&Model::position_rows>("position_rows", ranges::positions).stated().about("Rows of a learned position table"),
    whole<&Model::norms_per_layer>("norms_per_layer", ranges::norms)
        .schema_limits({0, 8}).stated().about("Norms of hidden width in one layer"),
    choice<&Model::activation>("activation").stated().about("swiglu and geglu are gated"),
    choice<&Model::positions>("positions").stated().about("How positions enter"),
    choice<&Model::norm>("norm").stated().about("Kind of norm"),
    flag<&Model::tied_embeddings>("tied_embeddings").stated().about("Input embedding and head share a table"),
    flag<&Model::qkv_bias>("qkv_bias").stated().about("Bias in the query, key and value projections"),
    flag<&Model::out_bias>("out_bias").stated().about("Bias in the attention output"),
    flag<&Model::mlp_bias>("mlp_bias").stated().about("Bias in the feed-forward matrices"),
    flag<&Model::final_norm>("final_norm").stated().about("A norm after the last layer"),
    flag<&Model::embedding_norm>("embedding_norm").stated().about("A norm after the embedding"),
    whole<&Model::qk_norm_width>("qk_norm_width", ranges::width_or_none)
        .schema_limits({0, 1 << 20}).stated().about("Elements of one query or key norm; 0 without"),
    feature<&Model::experts>("experts", experts_fields).about("Mixture of experts in place of feed-forward blocks"),
    feature<&Model::latent>("latent", latent_fields).about("Multi-head latent attention (DeepSeek-V2)"),
    pure<&Model::attention_density>("attention_density", ranges::attention_density)
        .about("Share of the score matrix a sparse layer computes, against the same layer dense"),
    pure<&Model::sparse_layers>("sparse_layers", ranges::share)
        .about("Share of the layers that attention_density applies to"),
    feature<&Model::window>("window", window_fields).about("Sliding windows or chunks of attention in some layers"),
    flag<&Model::parallel_blocks>("parallel_blocks")
        .about("Attention and feed-forward block both start from the layer's input (GPT-J, PaLM); absent: in turn"),
    flag<&Model::dropout>("dropout").stated().about("Masks are kept for the backward pass"),
    whole<&Model::vocabulary_padding>("vocabulary_padding", ranges::vocabulary_padding)
        .stated().about("The vocabulary is padded to a multiple of this times the tensor degree"),
    pure<&Model::extra_parameters>("extra_parameters", {-1e15, 1e15})
        .schema_limits({-1e12, 1e14}).stated().about("Parameters outside the formula"),
    pure<&Model::published_parameters>("published_parameters", {0, 1e15})
        .stated().about("Published label; 0 when unknown"),
    pure<&Model::training_tokens>("training_tokens", {0, 1e18})
        .schema_limits({0, 1e16}).stated().about("Published token count; 0 when unknown"),
    sources<&Model::sources>("sources").stated(),
};
static_assert(complete(model_fields), "every member has a row");

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
