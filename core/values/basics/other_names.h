#pragma once
// Names the field uses for what is called otherwise here. They are understood
// wherever a name is read: --set, plans, presets, search spaces. What is
// written keeps our names.
//
//   constexpr std::string_view precisions[] = {"fp32", "fp16", "bf16", "fp8"};
//   choice_of("bfloat16", precisions) == 2
//   choice_of("BF-16", precisions) == 2          // case and separators do not matter
//   zero_stage_of("fsdp") == 3

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

// Position in `names` of the one that `word` means; nothing where none is meant.
std::optional<std::size_t> choice_of(std::string_view word, std::span<const std::string_view> names);

// The ZeRO stage that "zero3", "stage 2", "fsdp", "full_shard" or "ddp" stand for.
std::optional<int> zero_stage_of(std::string_view word);

// Lower case, without the separators people swap: "one f one b" and "one_f_one_b" are the same word.
std::string plain_word(std::string_view);

}  // namespace plimsoll
