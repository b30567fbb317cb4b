#pragma once
// Which layers every pipeline stage holds, listed one stage after the other, in the words of Megatron-Core's
// --pipeline-model-parallel-layout (core/transformer/pipeline_parallel_layer_layout.py).
//
//   const auto list = read_stage_list("Ettt|(tt|)*29,m|L");   // DeepSeek-V3: 61 layers on 32 stages
//   list->layers(0) == 3;   list->layers(31) == 0;   list->modules_at() == 30
//   text_of(*list) == "Ettt|(tt|)*29m|L"
//
// E is the embedding, t a layer, m a module that predicts a further token, L the loss with the head. | separates stages
// in the order of the model, those of all chunks counted: virtual stages. A stage may hold nothing. Hybrid models of
// Megatron write | into the pattern of their layers instead.

#include "core/values/basics/expected.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// Copies share what they list: layouts that list nothing are copied by the million.
class StageList {
public:
    StageList() = default;
    // Layers of each virtual stage in turn, modules in all and the stage of these.
    StageList(std::vector<int> layers, int modules, int modules_at)
        : all_(std::make_shared<const Stages>(Stages{std::move(layers), modules, modules_at})) {}

    bool empty() const { return !all_; }
    int stages() const { return all_ ? int(all_->layers.size()) : 0; }   // virtual ones
    int layers(int stage) const { return stage >= 0 && stage < stages() ? all_->layers[std::size_t(stage)] : 0; }
    int layers() const;        // of all
    int most_layers() const;   // of any
    int modules() const { return all_ ? all_->modules : 0; }
    int modules_at() const { return all_ ? all_->modules_at : 0; }   // the last stage where none is listed
    friend bool operator==(const StageList& a, const StageList& b) {
        return a.all_ == b.all_ || (a.all_ && b.all_ && *a.all_ == *b.all_);
    }

private:
    struct Stages {
        std::vector<int> layers;
        int modules = 0, modules_at = 0;
        friend bool operator==(const Stages&, const Stages&) = default;
    };
    std::shared_ptr<const Stages> all_;
};

inline constexpr std::size_t longest_stage_list = 1 << 16;   // letters, written out

// Or all that is wrong with the text, in words.
Expected<StageList, std::vector<std::string>> read_stage_list(std::string_view text);
// As short as brackets around equal neighbours make it; nothing of an empty list.
std::string text_of(const StageList&);

// A pattern of layers with | between the stages (Megatron's --hybrid-layer-pattern), apart: the layers' letters, and
// the list; which is empty where there is no |.
struct PatternByStage {
    std::string pattern;
    StageList stages;
};
Expected<PatternByStage, std::string> pattern_by_stage(std::string_view text);

}  // namespace plimsoll
