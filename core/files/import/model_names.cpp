// Models by what frameworks and Hugging Face call them.
#include "core/files/import/plan_draft.h"

#include "core/values/basics/text.h"

#include <cctype>

namespace plimsoll::files {

namespace {

std::string letters_and_digits(std::string_view text) {
    std::string plain;
    for (const unsigned char c : text)
        if (std::isalnum(c)) plain += char(std::tolower(c));
    return plain;
}

// What stands for what: releases of the same shape, torchtitan's flavors, what is written before or after a name.
struct OtherName {
    std::string_view said, meant;
};
constexpr OtherName other_names[] = {
    {"metallama", "llama"},           {"llama318b", "llama38b"},           {"llama3170b", "llama370b"},
    {"llama3370b", "llama370b"},      {"llama3405b", "llama31405b"},       {"llama31b", "llama321b"},
    {"llama33b", "llama323b"},        {"deepseekv316b", "deepseekv2lite"}, {"deepseekv3236b", "deepseekv2"},
    {"deepseekv3671b", "deepseekv3"}, {"llama417bx16e", "llama4scout"},    {"llama417bx128e", "llama4maverick"},
    {"llama417b16e", "llama4scout"},  {"llama417b128e", "llama4maverick"}, {"kimik2", "kimik21t"},
    {"mistral7b", "mistral7b"},
};
constexpr std::string_view endings[] = {"hf", "base", "instruct", "pretrain", "config", "v01", "v03", "2507", "yaml"};

}  // namespace

const Model* model_named(const Library& library, const std::string& name) {
    std::string_view stem = name;
    stem = stem.substr(stem.rfind('/') == stem.npos ? 0 : stem.rfind('/') + 1);
    std::string plain = letters_and_digits(stem.substr(0, 200));
    for (bool cut = true; cut;) {
        cut = false;
        for (const std::string_view e : endings)
            if (plain.ends_with(e) && plain.size() > e.size()) plain.resize(plain.size() - e.size()), cut = true;
    }
    for (const auto& [said, meant] : other_names)
        if (plain == said || (said == "metallama" && plain.starts_with(said)))
            plain = std::string(meant) + plain.substr(said.size());
    if (plain.empty()) return nullptr;
    for (const auto& [id, model] : library.models)
        if (letters_and_digits(id) == plain) return &model;
    return nullptr;
}

const Model* model_of_shape(const Library& library, const Model& m) {
    const Model* same = nullptr;
    for (const auto& [id, known] : library.models)
        if (known.layers == m.layers && known.hidden == m.hidden && known.heads == m.heads
            && known.kv_heads == m.kv_heads && known.ffn == m.ffn && known.head_dim == m.head_dim
            && known.experts.count == m.experts.count && known.experts.ffn == m.experts.ffn
            && known.activation == m.activation && known.pattern == m.pattern && known.kinds == m.kinds
            && known.further == m.further
            && (!same || (known.vocabulary == m.vocabulary && same->vocabulary != m.vocabulary)))
            same = &known;
    return same;
}

}  // namespace plimsoll::files
