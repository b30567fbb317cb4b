// What an import says of itself.
#include "core/files/import/framework_import.h"
#include "core/files/settings/settings.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

namespace plimsoll {

std::string_view say(Dialect d) {
    constexpr std::string_view names[] = {
        "Megatron-LM", "NeMo",        "Megatron-Bridge", "torchtitan", "DeepSpeed",      "FSDP",     "Primus",
        "Hugging Face Trainer", "axolotl", "LLM Foundry", "OLMo",       "OLMo-core",      "NeMo AutoModel", "nanotron",
        "MaxText", "torchtune"};
    static_assert(std::size(names) == dialect_count);
    return names[std::size_t(d)];
}

std::string say(SettingFate f) {
    switch (f) {
        case SettingFate::not_understood:
            return phrase("not understood");
        case SettingFate::missing:
            return phrase("missing");
        case SettingFate::assumed:
            return phrase("assumed");
        case SettingFate::taken:
            return phrase("taken");
        case SettingFate::no_effect:
            return phrase("no effect");
    }
    return {};
}

bool is_framework_configuration(std::string_view file, std::string_view text) {
    const auto syntax = files::syntax_of(file, text);
    if (!syntax) return false;
    if (*syntax != files::Syntax::json) return true;
    const auto has = [&](std::string_view key) { return text.find(key) != text.npos; };
    return !has("\"schema\"") && !has("\"model_type\"")
        && (has("\"zero_optimization\"") || has("\"train_micro_batch_size_per_gpu\"") || has("\"train_batch_size\"")
            || has("\"sharding_strategy\"") || has("\"per_device_train_batch_size\"") || has("\"train_module\""));
}

std::vector<std::vector<std::string>> rows_of(const ImportedPlan& p, bool all) {
    std::vector<std::vector<std::string>> rows;
    std::size_t idle = 0;
    const auto shown = [](const std::string& text) {
        return visible(
            one_line(text.size() > 60 ? text.substr(0, 57 - incomplete_end(text.substr(0, 57))) + "..." : text));
    };
    for (const ImportRemark& r : p.remarks) {
        if (r.fate == SettingFate::no_effect && !all) {
            ++idle;
            continue;
        }
        rows.push_back({say(r.fate), shown(r.key), shown(r.value), visible(one_line(r.done)), shown(r.place)});
    }
    if (idle > 0)
        rows.push_back({say(SettingFate::no_effect),
                        {},
                        {},
                        phrase("settings that change neither time nor memory of a plan: {1}", idle),
                        {}});
    return rows;
}

}  // namespace plimsoll
