#include "core/files/presets/parts.h"

#include "core/values/basics/phrase.h"
#include "core/values/knobs/ranges.h"
#include "core/values/plan/kinds.h"
#include "core/values/plan/pattern.h"

#include <algorithm>
#include <array>

namespace plimsoll::files {
namespace {

constexpr int widest_attention = 1 << 29;  // queries, keys and values together still fit an int

// What was always so is not written.
struct Padding : Flag {
    static OrderedJson write(const Field&, bool pads) { return pads ? OrderedJson() : OrderedJson(false); }
};

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
        .about("Tokens an expert takes over the mean; 0: all that come"),
    row<Padding, &Experts::pads>("pads")
        .left_out_by_default()
        .about("Experts are padded up to the capacity; absent: they are"),
    pure<&Experts::rank_capacity>("rank_capacity", ranges::capacity)
        .left_out_by_default()
        .about("Room in memory for a rank's tokens over the mean; 0: for those that come"),
    pure<&Experts::imbalance>("imbalance", ranges::imbalance).about("Tokens of the busiest rank over the mean"),
    pure<&Experts::ratio>("ratio", ranges::exchange_ratio).about("DCCA: width of an exchanged token over hidden"),
    whole<&Experts::latent_width>("latent_width", ranges::latent_width)
        .left_out_by_default()
        .about("Width that tokens are exchanged and worked on at, behind a projection all experts share; 0: none"),
    flag<&Experts::latent_norm>("latent_norm").left_out_by_default().about("A norm of that width"),
    flag<&Experts::shared_gate>("shared_gate").left_out_by_default().about("Shared experts pass a gate (Qwen)"),
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

constexpr Table indexer_fields{
    whole<&Indexer::heads>("heads", ranges::heads_or_none).about("Heads that score keys; 0: without"),
    whole<&Indexer::head_dim>("head_dim", ranges::head_or_none).about("Width of one of them"),
    whole<&Indexer::top_k>("top_k", ranges::positions).about("Keys that a query sees, the best of those before it"),
};
static_assert(complete(indexer_fields), "every member has a row");

constexpr Table compressed_fields{
    whole<&CompressedAttention::q_rank>("q_rank", ranges::latent_width).about("Latent width of queries"),
    whole<&CompressedAttention::out_groups>("out_groups", ranges::heads)
        .about("Groups of heads with a projection of their own"),
    whole<&CompressedAttention::out_rank>("out_rank", ranges::latent_width).about("Width that each projects to"),
};
static_assert(complete(compressed_fields), "every member has a row");

constexpr Table window_fields{
    whole<&AttentionWindow::tokens>("tokens", ranges::positions)
        .about("Tokens a query sees in such a layer; 0: no window"),
    whole<&AttentionWindow::layers>("layers", ranges::some_layers)
        .about("Layers with the window; the others see everything"),
    flag<&AttentionWindow::chunks>("chunks")
        .about("A query sees its own chunk of so many tokens (Llama 4) instead of the last ones"),
};
static_assert(complete(window_fields), "every member has a row");

constexpr Table recurrence_fields{
    whole<&Recurrence::heads>("heads", ranges::heads_or_none).about("Heads of values; Mamba-2: heads"),
    whole<&Recurrence::head_dim>("head_dim", ranges::head_or_none).about("Width of one of them"),
    whole<&Recurrence::key_heads>("key_heads", ranges::heads_or_none)
        .about("Heads of queries and keys; Mamba-2: groups"),
    whole<&Recurrence::key_dim>("key_dim", ranges::head_or_none)
        .about("Width of one of them; Mamba-2: size of the state"),
    whole<&Recurrence::conv>("conv", ranges::convolution).about("Tokens that the short convolution sees; 0: none"),
    flag<&Recurrence::gated_norm>("gated_norm").about("mamba2: a norm behind the gate"),
    flag<&Recurrence::full_gate>("full_gate")
        .left_out_by_default().about("kimi_delta: the gate is one matrix, not two of low rank"),
};
static_assert(complete(recurrence_fields), "every member has a row");

struct Letter {
    static void read(const Field& f, const Reader& at, char& c) {
        const auto text = at.line(1);
        if (!text) return;
        if (text->size() == 1 && names_a_kind(text->front())) c = text->front();
        else at.error(phrase("found {1}, expected {2}", in_quotes(*text), expected(f)));
    }
    static OrderedJson write(const Field&, char c) { return text_json(std::string(1, c)); }
    static OrderedJson schema(const Field&) { return text_schema(1, "^[!-~]$"); }
    static std::string expected(const Field&) { return phrase("a letter or a sign other than ( ) | / ,"); }
};

// Files of models without an indexer, or with one stream, say nothing of them.
template <class Whose>
struct OwnUnlessSaid : Choice<Whose> {
    static OrderedJson write(const Field& f, Whose v) {
        return v == Whose::own ? OrderedJson() : Choice<Whose>::write(f, v);
    }
};
struct OneUnlessSaid : Whole {
    static OrderedJson write(const Field& f, int v) { return v == 1 ? OrderedJson() : Whole::write(f, v); }
};

constexpr Table shared_fields{
    flag<&SharedWeights::on>("on").about("All layers of the kind share their weights (Zamba2)"),
    whole<&SharedWeights::adapter_rank>("adapter_rank", ranges::latent_width)
        .left_out_by_default().about("Width of the adapters that each layer has of its own; 0: none"),
    flag<&SharedWeights::adapts_attention>("adapts_attention")
        .left_out_by_default().about("Beside queries, keys and values, too, not the feed-forward block alone"),
    flag<&SharedWeights::reads_embedding>("reads_embedding")
        .left_out_by_default().about("Attention starts from stream and embedding beside each other"),
    flag<&SharedWeights::projects_back>("projects_back")
        .left_out_by_default().about("Each layer ends with a product of hidden x hidden of its own"),
};
static_assert(complete(shared_fields), "every member has a row");

constexpr Table kind_fields{
    row<Letter, &LayerKind::letter>("letter").needed().about("Its name in the pattern"),
    choice<&LayerKind::mixer>("mixer").about("What mixes tokens; none: a feed-forward block alone"),
    choice<&LayerKind::beside>("beside").about("A second mixer that starts from the same norm (Falcon-H1)"),
    choice<&LayerKind::feed>("feed").about("What stands behind it; none: a mixer alone"),
    whole<&LayerKind::window>("window", ranges::positions)
        .left_out_by_default().about("Tokens that attention sees; 0: all"),
    flag<&LayerKind::chunks>("chunks").left_out_by_default().about("Those of the query's own chunk"),
    whole<&LayerKind::heads>("heads", ranges::heads_or_none)
        .left_out_by_default().about("Query heads; 0: the model's, and so are the next"),
    whole<&LayerKind::kv_heads>("kv_heads", ranges::heads_or_none).left_out_by_default().about("Key-value heads"),
    whole<&LayerKind::head_dim>("head_dim", ranges::head_or_none)
        .left_out_by_default().about("Width of one head of attention"),
    whole<&LayerKind::ffn>("ffn", ranges::width_or_none)
        .left_out_by_default().about("Width of a dense feed-forward block"),
    row<OwnUnlessSaid<Index>, &LayerKind::index>("index")
        .about("Of a model with an indexer: its own, that of the last layer before it that has one, or none"),
    whole<&LayerKind::compression>("compression", ranges::positions)
        .left_out_by_default().about("compressed: tokens that one key stands for; 0: the window alone"),
    feature<&LayerKind::recurrence>("recurrence", recurrence_fields).about("Sizes of a mixer with a state"),
    row<OwnUnlessSaid<Keys>, &LayerKind::keys>("keys")
        .about("Its own, lent to later layers as well, or those of the last layer before that lends and sees as far"),
    flag<&LayerKind::keys_are_values>("keys_are_values")
        .left_out_by_default().about("One projection makes both keys and values (Gemma 4)"),
    flag<&LayerKind::in_16_bits>("in_16_bits")
        .left_out_by_default().about("Its products keep 16 bits where the recipe has fewer"),
    feature<&LayerKind::shared>("shared", shared_fields).about("All layers of the kind hold one copy of its weights"),
};
static_assert(complete(kind_fields), "every member has a row");

constexpr Table further_fields{
    whole<&FurtherTokens::depths>("depths", ranges::further_tokens).about("Tokens beyond the next that are predicted"),
    text<&FurtherTokens::pattern>("pattern").about("Layers of one depth; left out: one like the last"),
    flag<&FurtherTokens::repeated>("repeated").about("All depths share one module's weights"),
};
static_assert(complete(further_fields), "every member has a row");

constexpr Table wide_fields{
    whole<&WideLayers::first>("first", ranges::some_layers).about("First layers of the model"),
    whole<&WideLayers::last>("last", ranges::some_layers).about("Last layers"),
    flag<&WideLayers::further>("further").about("Modules that predict further tokens"),
};
static_assert(complete(wide_fields), "every member has a row");

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
    flag<&Model::attention_gate>("attention_gate")
        .left_out_by_default()
        .about("Attention's output passes a gate of its own projection (Qwen3-Next)"),
    flag<&Model::attention_sinks>("attention_sinks")
        .left_out_by_default().about("A learned number a head beside the scores (GPT-OSS)"),
    feature<&Model::indexer>("indexer", indexer_fields)
        .about("An indexer chooses the keys that latent attention sees (DeepSeek-V3.2)"),
    feature<&Model::compressed>("compressed_attention", compressed_fields)
        .about("Sizes of the mixer compressed (DeepSeek-V4)"),
    whole<&Model::per_layer_embedding>("per_layer_embedding", ranges::latent_width)
        .left_out_by_default().about("Width of an embedding that every layer has of its own (Gemma 3n and 4); 0: none"),
    within<OneUnlessSaid, &Model::streams>("streams", ranges::streams)
        .about("Streams of the residual (hyper-connections); absent: one"),
    list<&Model::kinds>("kinds", kind_fields, most_kinds)
        .left_out_by_default().about("Kinds of layers where a pattern names them"),
    text<&Model::pattern>("pattern")
        .prose()
        .about("The kind of every layer, a letter each; (GGGA)x12 repeats. Left out: as experts and window say"),
    feature<&Model::further>("further_tokens", further_fields)
        .about("A module that predicts further tokens (DeepSeek-V3, Megatron's --mtp-num-layers)"),
    feature<&Model::wide>("layers_in_16_bits", wide_fields)
        .about("Layers whose products keep 16 bits where the recipe has fewer (num_layers_at_start_in_bf16)"),
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

// Letters that a pattern names no kind by; the first alone is told.
void check_letters(const Reader& at, const Model& m, std::string_view key, const std::string& pattern) {
    if (const char c = letter_without_kind(m, pattern); c != 0)
        at.conflict(key, phrase("found {1}, expected the letters of the kinds: {2}", in_quotes(std::string(1, c)),
                                letters_of_kinds(m)));
}

// An indexer's sizes, and whose choice a layer may take over.
void check_indexer(const Reader& at, const Model& m) {
    const Indexer& i = m.indexer;
    const auto compressed = [](const LayerKind& k) { return k.has(Mixer::compressed); };
    const bool latent = has_latent_attention(m) || std::ranges::any_of(m.kinds, compressed);
    if (has_indexer(m) && (i.head_dim < 1 || i.top_k < 1)) at.conflict("indexer", phrase("needs head_dim and top_k"));
    if (has_indexer(m) && !latent) at.conflict("indexer", phrase("needs latent attention"));
    bool chosen = false;
    for (const char c : m.pattern) {
        const auto k = std::ranges::find(m.kinds, c, &LayerKind::letter);
        if (k == m.kinds.end() || !sees_chosen_keys(m, *k)) continue;
        if (k->index == Index::borrowed && !chosen)
            return at.conflict("pattern", phrase("{1} borrows an index, and no layer before it has one",
                                                 in_quotes(std::string(1, c))));
        chosen = true;
    }
}

// Who reads the keys of an earlier layer has one before it that lends, and sees as many tokens.
void check_keys(const Reader& at, const Model& m) {
    std::vector<int> lent;   // windows
    for (const char c : m.pattern) {
        const auto k = std::ranges::find(m.kinds, c, &LayerKind::letter);
        if (k == m.kinds.end() || !k->attends()) continue;
        if (k->keys == Keys::lent) lent.push_back(k->window);
        if (k->keys == Keys::borrowed && std::ranges::find(lent, k->window) == lent.end())
            return at.conflict("pattern", phrase("{1} borrows keys, and no layer before it with such a window lends",
                                                 in_quotes(std::string(1, c))));
    }
}

// The pattern as it is written out, and what it has to agree with.
void settle_pattern(const Reader& at, Model& m) {
    const auto write_out = [&](std::string_view key, std::string& pattern) {
        auto all = expanded(pattern, std::size_t(ranges::layers.high));
        if (!all) return at.conflict(key, phrase("found {1}", all.error()));
        pattern = std::move(*all);
        check_letters(at, m, key, pattern);
    };
    if (m.pattern.empty() != m.kinds.empty())
        at.missing(m.pattern.empty() ? "pattern" : "kinds", phrase("both or neither"));
    if (!m.pattern.empty()) {
        write_out("pattern", m.pattern);
        if (int(m.pattern.size()) != m.layers)
            at.conflict("pattern",
                        phrase("found {1} letters, expected the {2} layers", int(m.pattern.size()), m.layers));
    }
    if (!m.further.pattern.empty()) write_out("further_tokens/pattern", m.further.pattern);
    for (const KindFault& f : faults_of_kinds(m))
        at.conflict("kinds/" + std::to_string(f.kind) + (f.key.empty() ? "" : "/" + f.key), f.text);
}

}  // namespace

template <> std::string_view schema_of<Model>() { return "plimsoll/model"; }

void read_part(const Reader& at, Model& m) {
    const auto errors = at.findings().errors();
    read_fields(model_fields, at, m);
    if (at.findings().errors() != errors) return;
    derive_absent(at, m);
    settle_pattern(at, m);
    check_indexer(at, m);
    check_keys(at, m);
    check_agreement(at, m);
}

template <> OrderedJson preset_schema<Model>() {
    OrderedJson schema = document_schema("Model preset", object_schema(model_fields));
    schema["properties"]["version"] = {{"enum", {preset_version, newest_model_version}}};
    return schema;
}

OrderedJson write_part(const Model& m) {
    OrderedJson json = write_fields(model_fields, m);
    // As it goes on where a plan has more or fewer layers than letters.
    if (has_pattern(m)) json["pattern"] = letters_of(m);
    const auto is_new = [&](std::string_view key) { return json.contains(key); };
    const bool newer = std::ranges::any_of(
        std::array{"kinds", "pattern", "further_tokens", "attention_gate", "attention_sinks", "indexer",
                   "compressed_attention", "streams", "per_layer_embedding"},
        is_new);
    const Experts& e = m.experts;
    if (newer || e.latent_width > 0 || e.latent_norm || e.shared_gate) json["version"] = newest_model_version;
    return json;
}

}  // namespace plimsoll::files
