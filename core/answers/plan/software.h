#pragma once
// Which preset stands for the training software of a run: of one that was published, of a new plan, of a configuration.
//
//   chosen_software({.words = "Megatron-LM", .device = "NVIDIA V100"}, stacks)->id;   // "megatron-lm-2021"
//   chosen_software({.device = "AMD Instinct MI300X"}, stacks)->id;      // no words: what is usual on such a device
//   chosen_software({.words = "megatron-core", .device = d, .switches = {.overlaps_gradients = true}}, stacks)
//
// Where presets of one software differ in how hard it was tuned, whoever knows that says it, else the switches of the
// run do: without any that overlaps traffic with work the software runs as it comes.

#include "core/values/plan/stack.h"

#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace plimsoll {

// How a source turns time into FLOP/s; per token, N_blocks the layers' matrices:
enum class FlopRule {
    unknown,
    hardware,        // 8 N_blocks + 16 L h s + 6 V h: recomputation counted
    full_attention,  // 6 N_blocks + 12 L h s + 6 V h
    causal,          // 6 N_blocks +  6 L h s + 6 V h
    megatron,        // model_flop() as Megatron counts: windows, further tokens and kinds of layers as well
    all_parameters,  // 6 N + 12 L h s, N with embeddings
    eight_n, six_n,  // 8 N, 6 N: the nominal count only
};

// What releases of a software do where a source does not say it.
struct SoftwareHabits {
    bool dropout = false;                    // GPT models train with dropout
    bool pads_vocabulary = false;            // to a multiple of 128 x tensor parallel
    bool fp32_gradients = false;             // bf16 recipes add gradients up in fp32
    bool all_16bit = false;                  // weights and moments in 16 bits, no master weights
    bool distributed = false;                // optimizer sharded and sequence parallel unless stated otherwise
    bool whole_batch = false;                // no gradient accumulation: a replica takes its batch at once
    FlopRule flop = FlopRule::unknown;       // what its TFLOP/s count when the source does not say
    friend bool operator==(const SoftwareHabits&, const SoftwareHabits&) = default;
};

// What the name of a training framework says: its stack preset and its habits. Rules look at words of the name and at
// the device, never at a source or a row. Published rows that ship state their software and need no rule.
struct FrameworkRule {
    const char* words = "";    // all must occur in the name, separated by '+', lower case
    const char* device = "";   // must occur in the device's name, lower case; "" any
    const char* stack = "";    // id of the stack preset
    SoftwareHabits habits{};
    bool by_tuning = false;    // the preset of the stack's family that is tuned as tuning_of() says
    int year = 0;              // of the releases of this name, where the name does not say it; 0: any
    int from = 0, until = 0;   // only releases that are known to be of these years; 0: any, and those without a date
};

std::span<const FrameworkRule> framework_rules();
// The first rule that matches a release of the year, 0 where it is not known; null when no stack preset stands for the
// framework.
const FrameworkRule* framework_rule(const std::string& framework, const std::string& device, int year = 0);
// Another year would mean other software.
bool depends_on_year(const std::string& framework, const std::string& device);
// What a name that is not known is taken for on the device: on GPUs PyTorch as it comes. Null where no rule stands for
// it.
const FrameworkRule* everyday_rule(const std::string& device);

// What the switches of a configuration say of how the software is run.
struct SoftwareSwitches {
    bool overlaps_gradients = false;     // reductions run beside the backward pass
    bool overlaps_gathers = false;       // weights are fetched beside the forward pass
    bool overlaps_tensor = false;        // tensor collectives run beside products
    bool local_layers = false;           // PyTorch's own layers instead of fused ones
    bool fused_attention = false;        // asked for by a switch of its own
    friend bool operator==(const SoftwareSwitches&, const SoftwareSwitches&) = default;
};

struct SoftwareAsked {
    std::string words{};                          // the framework's name; empty: what is usual on the device
    std::string device{};
    int year = 0;                                 // of the release; 0: not known
    std::string preset{};                         // an id that goes before the one that the words stand for
    std::optional<Tuning> tuning{};               // where it is known how hard it was tuned
    std::optional<SoftwareSwitches> switches{};   // where a configuration is known
    bool or_usual = false;                        // where no preset stands for the words: everyday_rule()
};
// Nothing where no preset stands for it.
std::optional<Stack> chosen_software(const SoftwareAsked&, const std::map<std::string, Stack>&);

// ---- Words in a text

// All of them, separated by '+': "megatron-lm+1f1b".
bool contains(const std::string& lower_case_text, const char* words);
bool contains_any(const std::string& lower_case_text, std::initializer_list<const char*> words);

}  // namespace plimsoll
