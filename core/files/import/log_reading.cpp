// A log as one more source of a plan.
#include "core/files/import/framework_reading.h"
#include "core/files/import/model_import.h"
#include "core/files/measured/training_log.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <map>

namespace plimsoll::files {

namespace {

// Whose settings a log prints; nothing of frameworks whose files are not read.
std::optional<Dialect> whose(LogDialect d) {
    switch (d) {
        case LogDialect::megatron: return Dialect::megatron;
        case LogDialect::bridge: return Dialect::bridge;
        case LogDialect::nemo: return Dialect::nemo;
        case LogDialect::primus: return Dialect::primus;
        case LogDialect::torchtitan: return Dialect::torchtitan;
        case LogDialect::deepspeed: return Dialect::deepspeed;
        case LogDialect::trainer: return Dialect::huggingface;
        case LogDialect::axolotl: return Dialect::axolotl;
        case LogDialect::nanotron: return Dialect::nanotron;
        case LogDialect::llm_foundry: return Dialect::llm_foundry;
        case LogDialect::maxtext: return Dialect::maxtext;
        case LogDialect::torchtune:
        case LogDialect::levanter: break;
    }
    return std::nullopt;
}

// Megatron-LM prints every argument, also those of what is switched off.
struct SwitchedSetting {
    std::string_view begin, needs;
};
constexpr SwitchedSetting switched_settings[] = {
    {"num_query_groups", "group_query_attention"},
    {"kv_lora_rank", "multi_latent_attention"},
    {"q_lora_rank", "multi_latent_attention"},
    {"qk_head_dim", "multi_latent_attention"},
    {"qk_pos_emb_head_dim", "multi_latent_attention"},
    {"v_head_dim", "multi_latent_attention"},
    {"moe_", "num_experts"},
    {"expert_tensor_parallel_size", "num_experts"},
    {"fp8_", "fp8"},
    {"recompute_num_layers", "recompute_granularity"},
    {"recompute_method", "recompute_granularity"},
    {"cp_comm_type", "hierarchical_context_parallel_sizes"},
    {"data_parallel_sharding_strategy", "use_megatron_fsdp"},
};

bool is_switched_off(std::string_view value) {
    return is_nothing(value) || value == "False" || value == "false" || value == "0" || value == "[]" || value == "{}";
}

// Of a list of all arguments: without what is off where off is the default, and without what belongs to it.
std::vector<Setting> stated_in_list(const std::vector<Setting>& all) {
    std::map<std::string, std::string, std::less<>> values;
    for (const Setting& s : all) values[s.key] = s.value;
    const auto on = [&](std::string_view key) {
        const auto found = values.find(key);
        return found != values.end() && !is_switched_off(found->second);
    };
    std::vector<Setting> kept;
    for (const Setting& s : all) {
        const auto belongs = std::ranges::find_if(switched_settings, [&](const SwitchedSetting& w) {
            return s.key.starts_with(w.begin) && s.key != w.needs;
        });
        if (belongs != std::end(switched_settings) && !on(belongs->needs)) continue;
        constexpr std::string_view off_tells[] = {"add_bias_linear", "add_position_embedding", "attention_dropout",
                                                  "hidden_dropout"};
        const bool tells = std::ranges::find(off_tells, s.key) != std::end(off_tells);
        if (is_switched_off(s.value) && !tells) continue;
        kept.push_back(s);
    }
    return kept;
}

bool same_value(const std::string& a, const std::string& b) {
    if (a == b || lower_case(a) == lower_case(b)) return true;
    const auto x = number_of(a), y = number_of(b);
    if (x && y) return *x == *y;
    const auto on = flag_of(a), too = flag_of(b);
    return on && too && *on == *too;
}

}  // namespace

Expected<bool, Problems> read_log(Reading& r, const TrainingLog& log, const std::string& file) {
    if (const auto dialect = whose(log.dialect)) r.signs.claim(*dialect);
    if (log.link && !r.link) r.link = log.link;
    if (!log.model_config.empty() && !r.model) {
        auto model = import_model(log.model_config, {file, {}, 0});
        if (!model) return Unexpected{std::move(model.error())};
        for (const Problem& p : model->remarks)
            r.remarks.push_back({SettingFate::assumed, p.pointer, {}, p.message, place_of(file, 0)});
        r.model = model->model;
        r.model_file = place_of(file, 0);
    }
    const bool list = log.dialect == LogDialect::megatron || log.dialect == LogDialect::primus;
    std::vector<Setting> settings = list ? stated_in_list(log.settings) : log.settings;
    const auto says = [&](std::string_view leaf) {
        return std::ranges::any_of(settings, [&](const Setting& s) { return leaf_of(s.key) == leaf; });
    };
    if (log.batch > 0 && !says("global_batch_size")) settings.push_back({"global_batch_size", shortest(log.batch), 0});
    if (log.devices > 0 && !says("world_size")) settings.push_back({"world_size", std::to_string(log.devices), 0});
    for (Setting& s : settings) {
        std::string name = lower_case(s.key);
        std::ranges::replace(name, '-', '_');
        bool said = false;
        std::erase_if(r.settings, [&](const PlacedSetting& p) {
            const bool plain = name.find('.') == name.npos || p.name.find('.') == p.name.npos;
            if (p.name != name && !(plain && leaf_of(p.name) == leaf_of(name))) return false;
            said |= same_value(p.s.value, s.value);
            if (same_value(p.s.value, s.value)) return false;
            r.remarks.push_back({SettingFate::assumed, p.s.key, p.s.value,
                                 phrase("the log says {1}, which is what ran", s.value), place_of(p.file, p.s.line)});
            return true;
        });
        if (said || r.settings.size() >= 2 * most_settings) continue;
        r.signs.look_at(s, name);
        r.settings.push_back({s, std::move(name), file, list});
    }
    return true;
}

}  // namespace plimsoll::files
