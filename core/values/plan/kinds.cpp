#include "core/values/plan/kinds.h"

#include "core/values/basics/phrase.h"
#include "core/values/knobs/ranges.h"
#include "core/values/plan/pattern.h"

#include <algorithm>

namespace plimsoll {

char letter_of(const LayerKind& k) {
    if (k.letter != 0) return k.letter;
    const bool experts = k.feed == Feed::experts;
    return k.window > 0 ? (experts ? 'e' : 'd') : (experts ? 'E' : 'D');
}

std::string letters_of(const Model& m) {
    const Layers layers(m);
    std::string letters;
    for (int i = 0; i < m.layers; ++i) letters += letter_of(layers[layers.of_layer(i)]);
    return letters;
}

Model with_kinds_stated(Model m) {
    if (has_pattern(m)) return m;
    const WideLayers wide = m.wide;
    m.wide = {};
    const Layers layers(m);
    m.pattern = letters_of(m);
    for (Kind k = 0; k < layers.kinds(); ++k) {
        LayerKind kind = layers[k];
        kind.letter = letter_of(kind);
        m.kinds.push_back(kind);
    }
    m.window = {};
    m.experts.dense_layers = 0;
    m.experts.every = 1;
    m.wide = wide;
    return m;
}

std::vector<KindFault> faults_of_kinds(const Model& m) {
    std::vector<KindFault> faults;
    for (int i = 0; i < int(m.kinds.size()); ++i) {
        const LayerKind& k = m.kinds[i];
        const Recurrence& r = k.recurrence;
        const auto add = [&](const char* key, std::string text) { faults.push_back({i, key, std::move(text)}); };
        const auto same = [&](const LayerKind& other) { return other.letter == k.letter; };
        if (std::any_of(m.kinds.begin(), m.kinds.begin() + i, same))
            add("letter", phrase("another kind has the letter {1}", std::string(1, k.letter)));
        if (!k.mixes() && !k.feeds()) add("", phrase("a layer with neither a mixer nor a feed-forward block"));
        if (k.recurs() && (r.heads < 1 || r.head_dim < 1 || r.key_heads < 1 || r.key_dim < 1))
            add("", phrase("recurrence needs heads, head_dim, key_heads and key_dim"));
        else if (k.recurs() && r.heads % r.key_heads != 0)
            add("recurrence/key_heads", phrase("found {1}, expected a divisor of heads {2}", r.key_heads, r.heads));
        const AttentionSizes a = attention_of(m, k);
        if (k.attends() && a.kv_heads > 0 && a.heads % a.kv_heads != 0)
            add("kv_heads", phrase("found {1}, expected a divisor of heads {2}", a.kv_heads, a.heads));
        if (k.beside != Mixer::none && (!passes_state(k.beside) || k.has(Mixer::compressed)))
            add("beside", phrase("expected a mixer with a state, beside another one or attention"));
        const bool plain = k.attends() && !has_latent_attention(m);
        if (k.keys != Keys::own && !plain) add("keys", phrase("needs attention that is not over latent vectors"));
        if (k.keys_are_values && !plain)
            add("keys_are_values", phrase("needs attention that is not over latent vectors"));
        const SharedWeights& shared = k.shared;
        if (!shared.on && shared != SharedWeights{}) add("shared", phrase("needs on"));
        if (shared.on && k.feed == Feed::experts) add("shared", phrase("no layer with experts shares its weights"));
        if ((shared.reads_embedding || shared.adapts_attention) && !plain)
            add("shared", phrase("needs attention that is not over latent vectors"));
        const CompressedAttention& c = m.compressed;
        if (k.has(Mixer::compressed) && (c.q_rank < 1 || c.out_rank < 1))
            add("", phrase("compressed needs q_rank and out_rank of compressed_attention"));
        if (k.feed == Feed::experts && !has_experts(m)) add("", phrase("experts, and the model states none"));
    }
    return faults;
}

char letter_without_kind(const Model& m, std::string_view pattern) {
    for (const char c : pattern)
        if (std::ranges::find(m.kinds, c, &LayerKind::letter) == m.kinds.end()) return c;
    return 0;
}

std::string letters_of_kinds(const Model& m) {
    std::string letters;
    for (const LayerKind& k : m.kinds) {
        if (!letters.empty()) letters += ' ';
        letters += k.letter;
    }
    return letters;
}

Expected<std::string, std::string> read_pattern(const Model& m, std::string_view typed) {
    auto letters = expanded(typed, std::size_t(ranges::layers.high));
    if (!letters) return Unexpected{phrase("This is no pattern: {1}.", letters.error())};
    if (letters->empty()) return Unexpected{phrase("A pattern needs at least one letter.")};
    if (const char c = letter_without_kind(m, *letters); c != 0)
        return Unexpected{phrase("No kind of layer has the letter {1}; there are {2}.", std::string(1, c),
                                 letters_of_kinds(m))};
    return letters;
}

Model with_pattern(Model m, const std::string& letters) {
    m.pattern = letters;
    m.layers = int(letters.size());
    return m;
}

}  // namespace plimsoll
