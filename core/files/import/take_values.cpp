// How values of settings are taken, in the words of all frameworks.
#include "core/files/import/setting_rows.h"

#include "core/values/basics/text.h"

#include <algorithm>
#include <cctype>

namespace plimsoll::files {

bool take_whole(int& field, const Setting& s, int low) {
    const auto value = whole_of(s.value);
    if (!value || *value < low || *value > (1 << 30)) return false;
    field = int(*value);
    return true;
}

// A switch of a command line is on, whatever word follows it.
bool take_flag(bool& field, const Setting& s) {
    const auto value = s.key.starts_with("--") ? std::optional(flag_of(s.value).value_or(true)) : flag_of(s.value);
    if (value) field = *value;
    return value.has_value();
}

bool take_number(std::optional<double>& field, const Setting& s) {
    const auto value = number_of(s.value);
    if (!value || *value <= 0 || *value > 1e18) return false;
    field = *value;
    return true;
}

bool take_precision(PlanDraft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    const auto has = [&](const char* part) { return word.find(part) != std::string::npos; };
    if (has("fp8") || has("8bit") || has("nvfp4")) d.recipe.precision = Precision::fp8;
    else if (has("bf16") || has("bfloat16")) d.recipe.precision = Precision::bf16;
    else if (has("fp16") || has("16-mixed") || word == "16" || has("float16")) d.recipe.precision = Precision::fp16;
    else if (word == "32" || has("fp32") || has("32-true") || has("float32")) d.recipe.precision = Precision::fp32;
    else return false;
    if (has("nvfp4")) d.recipe.fp8_recipe = Fp8Recipe::nvfp4;
    if (has("mxfp8") || has("fp8_mx")) d.recipe.fp8_recipe = Fp8Recipe::mxfp8;
    if (has("current_scaling") || has("fp8_cs")) d.recipe.fp8_recipe = Fp8Recipe::tensorwise;
    if (has("subchannel") || has("fp8_sc")) d.recipe.fp8_recipe = Fp8Recipe::blockwise;
    return true;
}

bool take_optimizer(PlanDraft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    if (word.starts_with("paged")) {
        d.layout.offload.optimizer = Tier::host;
        d.layout.offload.paged_optimizer = true;
    }
    if (word.find("adafactor") != word.npos) d.recipe.optimizer = Optimizer::adafactor;
    else if (word.find("8bit") != word.npos) d.recipe.optimizer = Optimizer::adam_8bit;
    else if (word.find("shampoo") != word.npos) d.recipe.optimizer = Optimizer::shampoo;
    else if (word == "soap") d.recipe.optimizer = Optimizer::soap;
    else if (word == "muon" || word == "dist_muon") {
        d.recipe.optimizer = Optimizer::muon;
        if (word == "muon") d.recipe.optimizer_options.muon_spread = MuonSpread::redundant;
        else d.layout.zero_stage = std::max(d.layout.zero_stage, 1);
    }
    else if (word.find("adam") != word.npos || word == "mcore_distributed_optim")
        d.recipe.optimizer = Optimizer::adam;
    else if (word == "sgd") d.recipe.optimizer = Optimizer::sgd;
    else return false;
    if (word.find("distributed") != word.npos) d.layout.zero_stage = std::max(d.layout.zero_stage, 1);
    return true;
}

bool take_activation(PlanDraft& d, const Setting& s) {
    d.activation = lower_case(s.value);
    constexpr const char* known[] = {"swiglu", "geglu", "silu", "gelu", "relu", "squared"};
    return std::ranges::any_of(known, [&](const char* word) { return d.activation.find(word) != d.activation.npos; });
}

bool take_dropout(PlanDraft& d, const Setting& s) {
    const auto share = number_of(s.value);
    if (!share || *share < 0 || *share > 1) return false;
    d.model.dropout = d.said.contains("model.dropout") ? d.model.dropout || *share > 0 : *share > 0;
    return true;
}

bool take_zero_stage(PlanDraft& d, const Setting& s) {
    d.uses_deepspeed = d.zero_stated = true;
    return take_whole(d.layout.zero_stage, s, 0) && d.layout.zero_stage <= 3;
}

bool take_attention(PlanDraft& d, const Setting& s) {
    const auto dot = s.value.rfind('.');   // AttnBackend.flash
    const std::string word = lower_case(s.value.substr(dot == s.value.npos ? 0 : dot + 1));
    const auto has_any = [&](std::initializer_list<const char*> parts) {
        return std::ranges::any_of(parts, [&](const char* part) { return word.find(part) != word.npos; });
    };
    d.unfused_attention = word == "unfused" || word == "local" || word == "torch" || has_any({"eager", "dot_product"});
    return d.unfused_attention || has_any({"flash", "fused", "auto", "sdpa", "triton", "flex"}) || word == "te";
}

// DeepSpeed's file, whose name may say the stage, as in those that come with axolotl and LLaMA-Factory.
bool take_zero_file(PlanDraft& d, const Setting& s) {
    d.uses_deepspeed = true;
    const std::string name = lower_case(last_part_of(s.value));
    for (std::size_t at = name.find_first_of("0123"); at != name.npos; at = name.find_first_of("0123", at + 1)) {
        std::string before = name.substr(0, at);
        while (before.ends_with('_') || before.ends_with('-')) before.pop_back();
        if (!before.ends_with("zero") && !before.ends_with("stage") && !before.ends_with("_z")) continue;
        d.layout.zero_stage = d.zero_stated ? d.layout.zero_stage : name[at] - '0';
        return true;
    }
    if (!s.value.empty() && !flag_of(s.value)) d.zero_file = s.value;
    return true;
}

// "FULL_SHARD", "full_shard auto_wrap", "[full_shard, auto_wrap]", and the numbers that accelerate has for them.
bool take_sharding(PlanDraft& d, const Setting& s) {
    const std::string word = lower_case(s.value);
    const auto has = [&](const char* part) { return word.find(part) != std::string::npos; };
    if (has("no_shard") || word == "3") d.layout.zero_stage = 0;
    else if (has("shard_grad_op") || has("hybrid_shard_zero2") || word == "2" || word == "5") d.layout.zero_stage = 2;
    else if (has("full_shard") || has("hybrid_shard") || word == "1" || word == "4") d.layout.zero_stage = 3;
    else return false;
    d.shards_a_node = has("hybrid") || word == "4" || word == "5";
    return true;
}

}  // namespace plimsoll::files
