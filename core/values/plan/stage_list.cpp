#include "core/values/plan/stage_list.h"

#include "core/values/basics/phrase.h"
#include "core/values/plan/pattern.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {

int StageList::layers() const {
    return all_ ? std::accumulate(all_->layers.begin(), all_->layers.end(), 0) : 0;
}

int StageList::most_layers() const { return all_ ? std::ranges::max(all_->layers) : 0; }

namespace {

// What is counted of a text that is written out.
struct StageLetters {
    std::vector<int> layers = {0}, modules = {0};   // by stage
    int embeddings = 0, losses = 0;
    char unknown = 0;                               // the first letter that means nothing here
    bool module_before_layer = false;

    explicit StageLetters(std::string_view all) {
        for (const char c : all) count(c);
    }
    int modules_listed() const { return std::accumulate(modules.begin(), modules.end(), 0); }

private:
    void count(char c) {
        switch (c) {
            case '|':
                layers.push_back(0);
                modules.push_back(0);
                break;
            case 't':
                ++layers.back();
                module_before_layer = module_before_layer || modules_listed() > 0;
                break;
            case 'm': ++modules.back(); break;
            case 'E': ++embeddings; break;
            case 'L': ++losses; break;
            default:
                if (unknown == 0) unknown = c;
        }
    }
};

}  // namespace

Expected<StageList, std::vector<std::string>> read_stage_list(std::string_view text) {
    const auto all = expanded(text, longest_stage_list);
    if (!all) return Unexpected{std::vector{all.error()}};
    const StageLetters found(*all);
    std::vector<std::string> wrong;
    const auto need = [&](bool holds, std::string reason) {
        if (!holds) wrong.push_back(std::move(reason));
    };
    const bool shown = found.unknown > ' ' && found.unknown <= '~';
    need(found.unknown == 0,
         phrase("found {1}, expected the letters E, t, m, L and |", shown ? std::string(1, found.unknown) : "?"));
    need(found.embeddings == 1 && all->starts_with('E'),
         phrase("found {1} E, expected one, at the start of the first stage", found.embeddings));
    need(found.losses == 1 && all->ends_with('L'),
         phrase("found {1} L, expected one, at the end of the last stage", found.losses));
    need(!found.module_before_layer, phrase("found m before t, expected every m behind the last t"));
    const auto holds_modules = [](int n) { return n > 0; };
    const auto with = int(std::ranges::count_if(found.modules, holds_modules));
    need(with <= 1, phrase("found m on {1} stages, expected all on one", with));
    if (!wrong.empty()) return Unexpected{std::move(wrong)};
    const int last = int(found.layers.size()) - 1;
    const auto at = std::ranges::find_if(found.modules, holds_modules);
    const int modules_at = with > 0 ? int(at - found.modules.begin()) : last;
    return StageList(found.layers, found.modules_listed(), modules_at);
}

std::string text_of(const StageList& list) {
    std::string text;
    const int stages = list.stages();
    // A few stand one beside the other, as people write them.
    const auto several = [](char letter, int n) {
        return n > 4 ? std::string(1, letter) + '*' + std::to_string(n) : std::string(std::size_t(n), letter);
    };
    const auto stage = [&](int i) {
        std::string letters(i == 0 ? "E" : "");
        letters += several('t', list.layers(i));
        if (i == list.modules_at()) letters += several('m', list.modules());
        return letters + (i == stages - 1 ? "L" : "|");
    };
    for (int i = 0; i < stages;) {
        const std::string one = stage(i);
        int alike = 1;
        while (i + alike < stages && stage(i + alike) == one) ++alike;
        text += alike == 1 ? one : "(" + one + ")*" + std::to_string(alike);
        i += alike;
    }
    return text;
}

Expected<PatternByStage, std::string> pattern_by_stage(std::string_view text) {
    const auto all = expanded(text, longest_stage_list);
    if (!all) return Unexpected{all.error()};
    PatternByStage found;
    std::vector<int> layers = {0};
    for (const char c : *all) {
        if (c == '|') {
            layers.push_back(0);
            continue;
        }
        ++layers.back();
        found.pattern += c;
    }
    const int last = int(layers.size()) - 1;
    if (last > 0) found.stages = StageList(std::move(layers), 0, last);
    return found;
}

}  // namespace plimsoll
