#include "core/files/launch/launch.h"

#include "core/answers/explain/wording.h"
#include "core/answers/plan/headline.h"
#include "core/files/launch/framework_flags.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace files {

long long training_steps(const Scenario& s) {
    return (long long)std::ceil(tokens_read(s.recipe) / (double(s.recipe.global_batch_sequences) * s.recipe.sequence_length));
}

long long save_interval(const Scenario& s) {
    const Outcome o = estimate(s);
    if (!o) return 1;
    const Headline h = headline(s, *o);
    return std::clamp<long long>(std::llround(h.resilience.interval / h.step), 1, training_steps(s));
}

namespace {

Sentences beyond(const Scenario& s, Framework f) {
    switch (f) {
        case Framework::megatron: return beyond_megatron(s);
        case Framework::deepspeed: return beyond_deepspeed(s);
        case Framework::fsdp: return beyond_fsdp(s);
    }
    return {};
}

std::string head(const Scenario& s) { return "#!/bin/bash\n" + job_header(s) + "# " + say_plan(s) + "\n"; }

std::string continued(std::string command, const Arguments& flags) {
    for (const Argument& f : flags) command += " \\\n    " + f.name + (f.value.empty() ? "" : " " + f.value);
    return command + "\n";
}

std::string megatron_script(const Scenario& s) {
    Arguments flags = megatron_flags(s);
    for (const char* left : {"--data-path $DATA", "--tokenizer-type HuggingFaceTokenizer", "--tokenizer-model $TOKENIZER", "--save $CHECKPOINTS",
                             "--load $CHECKPOINTS"})
        flags.push_back({left, {}});
    return head(s) + rendezvous(s) + "export CUDA_DEVICE_MAX_CONNECTIONS=1\n\n" + continued(launcher_line(s, "pretrain_gpt.py"), flags);
}

std::string json_script(const Scenario& s, const std::string& file, const std::string& json, const std::string& flag) {
    return head(s) + rendezvous(s) + "\ncat > " + file + " <<'EOF'\n" + json + "EOF\n\n" + launcher_line(s, "$TRAIN") + " " + flag + " " + file + "\n";
}

}  // namespace
}  // namespace files

std::optional<Framework> framework_from(std::string_view name) {
    if (name == "megatron") return Framework::megatron;
    if (name == "deepspeed") return Framework::deepspeed;
    if (name == "fsdp") return Framework::fsdp;
    return std::nullopt;
}

Expected<std::string, std::vector<std::string>> launch_script(const Scenario& s, Framework f) {
    std::vector<std::string> cannot;
    const Outcome outcome = estimate(s);
    if (!outcome)
        for (const Obstacle& o : outcome.error()) cannot.push_back(say(o));
    else if (!outcome->fits())
        cannot.push_back("Stage " + std::to_string(outcome->worst_stage) + " needs " + say(outcome->worst().total()) + " of "
                         + say(outcome->memory_limit) + ".");
    if (outcome)
        for (std::string& why : files::beyond(s, f)) cannot.push_back(std::move(why));
    if (!cannot.empty()) return Unexpected{std::move(cannot)};
    switch (f) {
        case Framework::megatron: return files::megatron_script(s);
        case Framework::deepspeed: return files::json_script(s, "ds_config.json", files::deepspeed_json(s), "--deepspeed --deepspeed_config");
        case Framework::fsdp: return files::json_script(s, "fsdp.json", files::fsdp_json(s), "--config");
    }
    return std::string();
}

}  // namespace plimsoll
