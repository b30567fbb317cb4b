#pragma once
// Prices the layouts of a space in its order, doing once what neighbours share:
// the work of a layer for all pipelines it fits in, a pipeline's rules and shares
// for all that is left to choose, activations for all ZeRO stages and tiers.
//
// A layout that cannot be kept anywhere (ranking.h) is left as soon as that is
// certain: its memory is known exactly, its time at first only from below, by
// what its busiest stage computes, then with a bound of the pipeline's makespan.
// What is added is what estimate() says, computed by the same functions.

#include "core/answers/search/ranking.h"
#include "core/costs/memory/memory.h"
#include "core/costs/memory/swap.h"
#include "core/costs/step/step.h"

#include <algorithm>
#include <map>
#include <optional>

namespace plimsoll {

class ComposedPricer {
public:
    // `plan` without sources; all references must outlive the pricer.
    ComposedPricer(const Scenario& plan, const Layouts&, Ranking&);
    // Goes on with the same plan on other devices.
    void turn_to(const Layouts&, Ranking&);

    // All layouts that share this layer choice; `place` of the first. False when stopped.
    bool price(const Layout& layer, long long place, const std::stop_token&);
    // All layouts of one pipeline whose layers take so long.
    void price(const Layout& pipeline, const LayerTimes&, long long place);

private:
    // What rules say of a list of inner choices.
    struct Verdicts {
        struct Excluded { Obstacle obstacle; long long count; std::size_t first; };
        std::vector<std::size_t> allowed;
        std::vector<Excluded> excluded;
    };
    struct FullStage {
        int stage;
        Parameters own;
        WorkMemory work;
    };

    void price_pipeline(const Layout&, long long place);
    const Verdicts& verdicts(const std::vector<Inner>&);
    bool rules_hold(const Layout& pipeline, long long place);
    bool states_lack(const Layout& pipeline, const Verdicts&, const std::vector<Inner>&);
    // Of the present layout.
    void price_inner(const Inner&, long long place);
    void find_fullest(const Work&);
    const Work& begin_layers();                      // layer choice changed
    void begin_work();                               // recomputation changed
    Bytes fullest(const Work&);
    bool device_lacks(const Work&, Bytes need, long long place);   // and notes the near miss
    bool lower_tiers_lack(const Work&, const Swap&, Bytes need, long long place);
    void price_swapped(const Work&, long long place);
    bool may_matter(Bytes memory);
    double share_of(Bytes memory) const;
    bool is_tight(Bytes memory) const;
    Candidate candidate_of(const StepTime&, Bytes memory) const;
    void price_step(const Work&, const std::vector<StageTime>&, Bytes memory, long long place);

    Scenario s_;
    const Layouts* layouts_;
    Ranking* ranking_;
    std::map<std::pair<InnerFacts, const std::vector<Inner>*>, Verdicts> verdicts_;
    bool clusters_, ranking_only_;

    // Of the plan, of the layer choice, of the pipeline, of the recomputation.
    Work of_model_;
    std::optional<Work> of_layers_, of_stages_;
    LayerTimes layers_;
    std::vector<FullStage> full_;
    int heaviest_ = 0;
    long long fits_ = 0, tight_ = 0;
    bool worked_ = false, bounded_ = false;
    Candidate bound_;
};

}  // namespace plimsoll
