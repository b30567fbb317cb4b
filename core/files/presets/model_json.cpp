#include "core/files/text/part.h"

namespace plimsoll::files {
namespace {

constexpr Range width{1, 1 << 22};
constexpr int widest_attention = 1 << 29;  // queries, keys and values together still fit an int

constexpr auto fields = std::tuple{
    Constant{"schema", std::string_view("plimsoll/model")},
    Constant{"version", preset_version},
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
    flag("dropout", &Model::dropout),
    whole("vocabulary_padding", &Model::vocabulary_padding, {1, 1 << 16}),
    pure("extra_parameters", &Model::extra_parameters, {-1e15, 1e15}),
    pure("published_parameters", &Model::published_parameters, {0, 1e15}),
    pure("training_tokens", &Model::training_tokens, {0, 1e18}),
    sources("sources", &Model::sources),
};
static_assert(members_in(fields) == members_of<Model>, "every member has a row");

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
    if (1LL * m.heads * m.head_dim > widest_attention)
        at.error("head_dim", "found " + std::to_string(m.head_dim) + ", expected heads x head_dim to be at most " +
                                 std::to_string(widest_attention));
}

}  // namespace

template <> std::string_view schema_of<Model>() { return "plimsoll/model"; }

void read_part(const Reader& at, Model& m) {
    const auto errors = at.findings().errors();
    read_fields(fields, at, m);
    if (at.findings().errors() != errors) return;
    derive_absent(at, m);
    check_agreement(at, m);
}

OrderedJson write_part(const Model& m) { return write_fields(fields, m); }

}  // namespace plimsoll::files
