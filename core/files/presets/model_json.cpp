#include "core/files/text/part.h"

namespace plimsoll::files {
namespace {

constexpr NumberRange width{1, 1 << 22};
constexpr int widest_attention = 1 << 29;  // queries, keys and values together still fit an int

constexpr auto experts_fields = std::tuple{
    whole("count", &Experts::count, {0, 1 << 16}),
    whole("top_k", &Experts::top_k, {1, 1 << 16}),
    whole("expert_ffn", &Experts::ffn, width),
    whole("shared", &Experts::shared, {0, 1 << 10}),
    whole("shared_ffn", &Experts::shared_ffn, {0, width.high}),
    whole("dense_layers", &Experts::dense_layers, {0, 10000}),
    whole("every", &Experts::every, {1, 10000}),
    whole("node_limit", &Experts::node_limit, {0, 1 << 16}),
    pure("capacity", &Experts::capacity, {0, 1000}),
    pure("imbalance", &Experts::imbalance, {1, 1000}),
    pure("ratio", &Experts::ratio, {1e-3, 1}),
    flag("router_bias", &Experts::router_bias),
    choice("order", &Experts::order),
};
static_assert(members_in(experts_fields) == members_of<Experts>, "every member has a row");

constexpr NumberRange latent_width{0, 1 << 16};

constexpr auto latent_fields = std::tuple{
    whole("kv_rank", &LatentAttention::kv_rank, latent_width),
    whole("q_rank", &LatentAttention::q_rank, latent_width),
    whole("rope_dim", &LatentAttention::rope_dim, latent_width),
    whole("nope_dim", &LatentAttention::nope_dim, latent_width),
    whole("value_dim", &LatentAttention::value_dim, latent_width),
};
static_assert(members_in(latent_fields) == members_of<LatentAttention>, "every member has a row");

constexpr auto model_fields = std::tuple{
    FixedField{"schema", std::string_view("plimsoll/model")},
    FixedField{"version", preset_version},
    text("id", &Model::id),
    text("name", &Model::name),
    text("family", &Model::family),
    text("as_of", &Model::as_of),
    text("note", &Model::note),
    whole("layers", &Model::layers, {1, 10000}).needed(),
    whole("hidden", &Model::hidden, {1, 1 << 20}).needed(),
    whole("heads", &Model::heads, {1, 1 << 16}).needed(),
    whole("kv_heads", &Model::kv_heads, {1, 1 << 16}),
    whole("head_dim", &Model::head_dim, {1, 1 << 16}),
    whole("ffn", &Model::ffn, width).needed(),
    whole("vocabulary", &Model::vocabulary, {1, 1e8}).needed(),
    whole("sequence_length", &Model::sequence_length, {1, 1 << 24}),
    whole("position_rows", &Model::position_rows, {0, 1 << 24}),
    whole("norms_per_layer", &Model::norms_per_layer, {0, 16}),
    choice("activation", &Model::activation),
    choice("positions", &Model::positions),
    choice("norm", &Model::norm),
    flag("tied_embeddings", &Model::tied_embeddings),
    flag("qkv_bias", &Model::qkv_bias),
    flag("out_bias", &Model::out_bias),
    flag("mlp_bias", &Model::mlp_bias),
    flag("final_norm", &Model::final_norm),
    flag("embedding_norm", &Model::embedding_norm),
    whole("qk_norm_width", &Model::qk_norm_width, {0, 1 << 22}),
    feature("experts", &Model::experts, experts_fields),
    feature("latent", &Model::latent, latent_fields),
    pure("attention_density", &Model::attention_density, {1e-6, 1}),
    pure("sparse_layers", &Model::sparse_layers, {0, 1}),
    flag("dropout", &Model::dropout),
    whole("vocabulary_padding", &Model::vocabulary_padding, {1, 1 << 16}),
    pure("extra_parameters", &Model::extra_parameters, {-1e15, 1e15}),
    pure("published_parameters", &Model::published_parameters, {0, 1e15}),
    pure("training_tokens", &Model::training_tokens, {0, 1e18}),
    sources("sources", &Model::sources),
};
static_assert(members_in(model_fields) == members_of<Model>, "every member has a row");

// Multi-head attention over the whole width, unless the file says otherwise.
void derive_absent(const Reader& at, Model& m) {
    if (!at.member("kv_heads")) m.kv_heads = m.heads;
    if (at.member("head_dim")) return;
    if (m.hidden % m.heads == 0) m.head_dim = m.hidden / m.heads;
    else at.missing("head_dim", "a whole number: heads " + std::to_string(m.heads) + " do not divide hidden " +
                                    std::to_string(m.hidden));
}

void check_agreement(const Reader& at, const Model& m) {
    if (m.heads % m.kv_heads != 0)
        at.conflict("kv_heads", "found " + std::to_string(m.kv_heads) + ", expected a divisor of heads " +
                                    std::to_string(m.heads));
    const auto narrow = [&](const char* key, int dim, const char* what) {
        if (1LL * m.heads * dim > widest_attention)
            at.error(key, "found " + std::to_string(dim) + ", expected heads x " + what + " to be at most " +
                              std::to_string(widest_attention));
    };
    narrow("head_dim", m.head_dim, "head_dim");
    narrow("latent/value_dim", m.latent.value_dim, "value_dim");
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

OrderedJson write_part(const Model& m) { return write_fields(model_fields, m); }

}  // namespace plimsoll::files
