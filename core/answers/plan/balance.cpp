#include "core/answers/plan/balance.h"

#include "core/answers/plan/by_kind.h"

#include <algorithm>

namespace plimsoll {

namespace {

constexpr double a_few_per_cent = 0.05;
constexpr double least_share = 1.0 / 3;   // the head or the number of layers makes the rest

Seconds both_passes(const StageTime& t) { return t.forward + t.backward; }

// Layers on all stages, and what they take of a micro-batch.
struct Together {
    double layers = 0;
    Seconds time;
    Seconds one() const { return layers > 0 ? time / layers : Seconds{}; }
};
Together of_all_stages(const Work& w, const Priced& p, Kind k) {
    Together sum;
    for (int i = 0; i < w.layout.pipeline_parallel; ++i) {
        sum.layers += blocks_of_stage(w, i)[k];
        sum.time += passes_of_kind(w, p, k, i);
    }
    return sum;
}

// What a stage's mix of kinds adds to its time: layers beyond the mean of the stages that take longer than the mean
// layer, and cheaper ones that it lacks. The sum leaves out how many layers it holds.
class Mix {
public:
    Mix(const Work& w, const Priced& p) : w_(w), stages_(w.layout.pipeline_parallel) {
        Together all;
        for (Kind k = 0; k < w.layers.kinds(); ++k) {
            kinds_.push_back(of_all_stages(w, p, k));
            all.layers += kinds_.back().layers;
            all.time += kinds_.back().time;
        }
        mean_layer_ = all.one();
    }

    double mean(Kind k) const { return kinds_[k].layers / stages_; }
    bool dear(Kind k) const { return kinds_[k].one() > mean_layer_; }
    Seconds adds(int stage, Kind k) const {
        if (kinds_[k].layers == 0) return {};
        return (blocks_of_stage(w_, stage)[k] - mean(k)) * (kinds_[k].one() - mean_layer_);
    }
    Seconds adds(int stage) const {
        Seconds sum;
        for (Kind k = 0; k < int(kinds_.size()); ++k) sum += adds(stage, k);
        return sum;
    }

private:
    const Work& w_;
    const int stages_;
    std::vector<Together> kinds_;
    Seconds mean_layer_;
};

}  // namespace

std::optional<SlowStage> slow_stage(const Work& w, const Priced& p) {
    const int stages = w.layout.pipeline_parallel;
    if (stages == 1 || w.layers.all_alike() || w.clusters) return std::nullopt;
    Seconds mean;
    for (const StageTime& t : p.stages) mean += both_passes(t) / double(stages);
    SlowStage slow;
    slow.stage = p.step.busiest_stage;
    slow.longer = both_passes(p.busiest()) / mean - 1;
    if (!(slow.longer > a_few_per_cent)) return std::nullopt;
    const Mix mix(w, p);
    slow.of_kinds = mix.adds(slow.stage) / mean;
    if (slow.of_kinds <= a_few_per_cent || slow.of_kinds < least_share * slow.longer) return std::nullopt;
    for (Kind k = 0; k < w.layers.kinds(); ++k) {
        const int here = blocks_of_stage(w, slow.stage)[k];
        if (mix.dear(k) && here > mix.mean(k)) slow.holds.push_back({k, here, mix.mean(k)});
    }
    const auto adds = [&](const DearLayers& d) { return mix.adds(slow.stage, d.kind); };
    std::ranges::stable_sort(slow.holds, std::ranges::greater{}, adds);
    if (slow.holds.empty()) return std::nullopt;
    return slow;
}

StageList even_list(const Work& w, const Priced& p) {
    const int n = w.layout.pipeline_parallel, v = w.layout.virtual_stages;
    std::vector<double> of_kind, layers;
    for (Kind k = 0; k < w.layers.kinds(); ++k) of_kind.push_back(of_all_stages(w, p, k).one() / second);
    for (int i = 0; i < w.model.layers; ++i) layers.push_back(of_kind[w.layers.of_layer(i)]);
    // What a chunk takes besides the layers: ends, modules, hosts and messages.
    const std::vector<ChunkTime> chunks = chunk_times(w, p.stages);
    const std::vector<int> of_stages = layers_of_stages(w);
    std::vector<StageRoom> rooms(std::size_t(n) * v);
    int first = 0;
    for (int at = 0; at < n * v; ++at) {
        const auto [stage, chunk] = schedule_kind(w.layout.schedule).place.slot(at, n);
        const ChunkTime& t = chunks[std::size_t(stage) * v + chunk];
        const int held = layers_of_chunk(w, stage, chunk, of_stages[stage]);
        double rest = (t.forward + t.backward) / second;
        for (int i = first; i < first + held; ++i) rest -= layers[i];
        rooms[at].extra = std::max(0.0, rest);
        first += held;
    }
    return StageList(balanced_split(layers, rooms, may_begin_stage(w.model)), w.model.further.depths,
                     n * v - 1);
}

}  // namespace plimsoll
