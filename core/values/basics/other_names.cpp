#include "core/values/basics/other_names.h"

#include <algorithm>
#include <cctype>

namespace plimsoll {
namespace {

// A word may mean different names in different lists: the list that is read decides. Words are plain (plain_word).
struct OtherName {
    std::string_view word, name;
};
constexpr OtherName other_names[] = {
    // Optimizers. AdamW keeps the states of Adam; its decay is one more term of the same kernel.
    {"adamw", "adam"},
    {"fusedadam", "adam"},
    {"fusedadamw", "adam"},
    {"adamwtorch", "adam"},
    {"adamwtorchfused", "adam"},
    {"adamw8bit", "adam-8bit"},
    {"pagedadamw8bit", "adam-8bit"},
    {"adamwbnb8bit", "adam-8bit"},
    {"momentum", "sgd"},
    {"nesterov", "sgd"},
    // Number formats.
    {"bfloat16", "bf16"},
    {"bf16mixed", "bf16"},
    {"torch.bfloat16", "bf16"},
    {"float16", "fp16"},
    {"half", "fp16"},
    {"fp16mixed", "fp16"},
    {"torch.float16", "fp16"},
    {"float32", "fp32"},
    {"float", "fp32"},
    {"single", "fp32"},
    {"torch.float32", "fp32"},
    {"float8", "fp8"},
    {"fp8mixed", "fp8"},
    {"fp8hybrid", "fp8"},
    {"e4m3", "fp8"},
    // Schedules.
    {"onefoneb", "1f1b"},
    {"pipedreamflush", "1f1b"},
    {"allforwardallbackward", "gpipe"},
    {"afab", "gpipe"},
    {"interleaved1f1b", "interleaved"},
    {"virtualpipeline", "interleaved"},
    {"zerobubble", "zb-h1"},
    {"zb1p", "zb-h1"},
    {"zb2p", "zb-h2"},
    {"zbvzerobubble", "zb-v"},
    {"dualpipe", "dualpipe-v"},
    // Recomputation.
    {"no", "none"},
    {"off", "none"},
    {"false", "none"},
    {"fullcheckpointing", "full"},
    {"activationcheckpointing", "full"},
    {"gradientcheckpointing", "full"},
    {"checkpointing", "full"},
    // Attention kernels.
    {"flashattention", "flash"},
    {"flashattention2", "flash"},
    {"flashattn", "flash"},
    {"fused", "flash"},
    {"sdpa", "flash"},
    {"eager", "materialised"},
    {"materialized", "materialised"},
    {"unfused", "materialised"},
    // Parallel matrix products and sequences.
    {"megatron", "1d"},
    {"2d", "summa-2d"},
    {"summa", "summa-2d"},
    {"2.5d", "tesseract"},
    {"ringattention", "ring"},
    {"p2p", "ring"},
    {"alltoall", "ulysses"},
    {"a2a", "ulysses"},
    {"deepspeedulysses", "ulysses"},
    // Shapes of models.
    {"gelunew", "gelu"},
    {"gelupytorchtanh", "gelu"},
    {"relu2", "squared_relu"},
    {"rope", "rotary"},
    {"absolute", "learned"},
    {"nope", "none"},
    // Networks.
    {"ib", "infiniband"},
    {"rocev2", "roce"},
    {"tcp", "ethernet"},
};

struct StageName {
    std::string_view word;
    int stage;
};
constexpr StageName stage_names[] = {
    {"ddp", 0},       {"none", 0},  {"off", 0},    {"noshard", 0},     {"zero0", 0}, {"stage0", 0},
    {"zero1", 1},     {"stage1", 1}, {"zero2", 2}, {"shardgradop", 2}, {"stage2", 2}, {"zero3", 3},
    {"stage3", 3},    {"fsdp", 3},  {"fsdp2", 3},  {"fullshard", 3},
};

std::optional<std::size_t> position_of(std::string_view plain, std::span<const std::string_view> names) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (plain_word(names[i]) == plain) return i;
    return std::nullopt;
}

}  // namespace

std::string plain_word(std::string_view text) {
    std::string out;
    for (const unsigned char c : text)
        if (c != '-' && c != '_' && c != ' ') out += static_cast<char>(std::tolower(c));
    return out;
}

std::optional<std::size_t> choice_of(std::string_view word, std::span<const std::string_view> names) {
    const std::string plain = plain_word(word);
    if (const auto own = position_of(plain, names)) return own;
    for (const OtherName& other : other_names)
        if (other.word == plain)
            if (const auto meant = position_of(plain_word(other.name), names)) return meant;
    return std::nullopt;
}

std::optional<int> zero_stage_of(std::string_view word) {
    const std::string plain = plain_word(word);
    for (const StageName& s : stage_names)
        if (s.word == plain) return s.stage;
    return std::nullopt;
}

}  // namespace plimsoll
