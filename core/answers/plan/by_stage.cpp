#include "core/answers/plan/by_stage.h"

#include "core/answers/plan/estimate.h"
#include "core/answers/plan/price.h"
#include "core/values/plan/kinds.h"
#include "core/values/plan/share.h"

#include <algorithm>

namespace plimsoll {

int StageHeld::layers() const {
    int sum = 0;
    for (const ChunkHeld& c : chunks) sum += int(c.letters.size());
    return sum;
}

namespace {

std::string letters_between(const std::string& all, int first, int layers) {
    std::string letters;
    if (std::size_t(first) < all.size()) letters = all.substr(std::size_t(first), std::size_t(layers));
    letters.resize(std::size_t(layers), ' ');
    return letters;
}

std::vector<StageHeld> stages_as_typed(const Scenario& s) {
    const StageList& list = s.layout.stages;
    const std::string letters = letters_of(s.model);
    std::vector<StageHeld> all;
    int first = 0;
    for (int i = 0; i < list.stages(); ++i) {
        ChunkHeld chunk{letters_between(letters, first, list.layers(i))};
        chunk.modules = i == list.modules_at() ? list.modules() : 0;
        chunk.embedding = i == 0;
        chunk.loss = i == list.stages() - 1;
        first += list.layers(i);
        all.push_back({{std::move(chunk)}});
    }
    return all;
}

}  // namespace

std::vector<StageHeld> stages_held(const Scenario& s, bool computable) {
    const Layout& l = s.layout;
    const long long slots = 1LL * l.pipeline_parallel * l.virtual_stages;
    if (!l.stages.empty() && l.stages.stages() != slots) return stages_as_typed(s);
    if (l.stages.empty() && !computable) return {};
    const ChunkPlace& place = schedule_kind(l.schedule).place;
    const std::string letters = letters_of(s.model);
    const Slot modules = module_slot(s), loss{loss_stage(s), place.slot(int(slots) - 1, l.pipeline_parallel).chunk};
    std::vector<StageHeld> all(std::size_t(l.pipeline_parallel));
    int first = 0;
    for (int at = 0; at < int(slots); ++at) {
        const Slot slot = place.slot(at, l.pipeline_parallel);
        const int held = layers_of_chunk(s, slot.stage, slot.chunk);
        ChunkHeld chunk{letters_between(letters, first, held)};
        chunk.modules = slot == modules ? s.model.further.depths : 0;
        chunk.embedding = at == 0;
        chunk.loss = slot == loss;
        first += held;
        all[std::size_t(slot.stage)].chunks.push_back(std::move(chunk));
    }
    return all;
}

std::vector<Seconds> times_by_stage(const Scenario& s) {
    const Work w(s);
    const Priced p = price(w);
    const Correction measured = estimate_of(w, p).measured;
    std::vector<Seconds> all;
    for (const StageTime& t : p.stages) all.push_back(measured.time * (t.forward + t.backward));
    return all;
}

}  // namespace plimsoll
