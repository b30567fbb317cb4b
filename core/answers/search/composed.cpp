#include "core/answers/search/composed.h"

#include "core/answers/campaign/cautions.h"
#include "core/answers/plan/rules.h"
#include "core/costs/campaign/energy.h"
#include "core/values/plan/placement.h"
#include "core/costs/step/ledger.h"

namespace plimsoll {

namespace {

// Sums of many parts may round differently from the sums they bound.
constexpr double below = 1 - 1e-12;

bool same_recomputation(const Inner& a, const Inner& b) {
    return a.recompute == b.recompute && a.recompute_layers == b.recompute_layers && a.modules == b.modules;
}

}  // namespace

Candidate ComposedPricer::candidate_of(const StepTime& parts, Bytes memory) const {
    const Bytes limit = s_.machine.device.memory;
    const double share = share_of(memory);
    return {s_.layout, parts.total(), energy_of(s_, parts).total(), memory, may_stall(s_, memory / limit),
            plimsoll::is_tight(memory, limit, share, ranking_->options().headroom), share};
}

double ComposedPricer::share_of(Bytes memory) const {
    return share_of_device(memory, s_.stack.memory.context, s_.layout.devices, s_.machine.device.memory);
}

bool ComposedPricer::is_tight(Bytes memory) const {
    return plimsoll::is_tight(memory, s_.machine.device.memory, share_of(memory), ranking_->options().headroom);
}

ComposedPricer::ComposedPricer(const Scenario& plan, const Layouts& layouts, Ranking& ranking)
    : s_(plan),
      layouts_(&layouts),
      ranking_(&ranking),
      clusters_(any_cluster(plan.machine.clusters)),
      ranking_only_(ranking.options().ranking_only),
      of_model_(s_) {}

void ComposedPricer::turn_to(const Layouts& layouts, Ranking& ranking) {
    layouts_ = &layouts;
    ranking_ = &ranking;
}

bool ComposedPricer::price(const Layout& layer, long long place, const std::stop_token& stop) {
    bool timed = false;
    for (const Layout& pipeline : layouts_->pipelines(layer)) {
        if (stop.stop_requested()) return false;
        if (rules_hold(pipeline, place)) {
            // Where nodes differ, which network a layer's ranks are in depends on the stages.
            if (!timed || clusters_) layers_ = layer_times(begin_layers());
            timed = true;
            price_pipeline(pipeline, place);
        }
        place += (long long)layouts_->inner(pipeline).size();
    }
    return true;
}

void ComposedPricer::price(const Layout& pipeline, const LayerTimes& layers, long long place) {
    if (!rules_hold(pipeline, place)) return;
    begin_layers();
    layers_ = clusters_ ? layer_times(*of_layers_) : layers;
    price_pipeline(pipeline, place);
}

const Work& ComposedPricer::begin_layers() { return of_layers_.emplace(s_, of_model_, InCommon::model); }

// Rules about degrees and schedule exclude all that is left to choose.
bool ComposedPricer::rules_hold(const Layout& pipeline, long long place) {
    s_.layout = Layouts::with(pipeline, Inner{});
    const std::vector<Obstacle> obstacles = check_pipeline(s_);
    if (!obstacles.empty() && !ranking_only_) {
        const std::vector<Inner>& inner = layouts_->inner(pipeline);
        const long long tried = (long long)inner.size();
        ranking_->count(pipeline, tried, 0, 0, 0);
        ranking_->exclude(obstacles.front(), Layouts::with(pipeline, inner.front()), place, tried);
    }
    return obstacles.empty();
}

// Of the present pipeline.
const ComposedPricer::Verdicts& ComposedPricer::verdicts(const std::vector<Inner>& inner) {
    const InnerFacts facts = inner_facts(s_);
    const auto [at, fresh] = verdicts_.try_emplace({facts, &inner});
    Verdicts& v = at->second;
    if (!fresh) return v;
    for (std::size_t i = 0; i < inner.size(); ++i) {
        const std::vector<Obstacle> obstacles = check_inner(s_, facts, inner[i]);
        if (obstacles.empty()) {
            v.allowed.push_back(i);
            continue;
        }
        const Obstacle& first = obstacles.front();
        const auto same = std::find_if(v.excluded.begin(), v.excluded.end(),
                                       [&](const Verdicts::Excluded& e) { return same_rule(e.obstacle, first); });
        if (same == v.excluded.end()) v.excluded.push_back({first, 1, i});
        else ++same->count;
    }
    return v;
}

void ComposedPricer::price_pipeline(const Layout& l, long long place) {
    const std::vector<Inner>& inner = layouts_->inner(l);
    const Verdicts& rules = verdicts(inner);
    if (!ranking_only_)
        for (const Verdicts::Excluded& e : rules.excluded)
            ranking_->exclude(e.obstacle, Layouts::with(l, inner[e.first]), place + (long long)e.first, e.count);

    fits_ = tight_ = 0;
    full_.clear();
    const Inner* before = nullptr;
    for (const std::size_t k : rules.allowed) {
        const Inner& i = inner[k];
        const long long here = place + (long long)k;
        s_.layout = Layouts::with(l, i);
        if (!before || !same_recomputation(*before, i)) begin_work();
        if (!before && ranking_only_ && states_lack(l, rules, inner)) return;
        before = &i;
        if (ranking_only_ && !may_matter({})) continue;   // before anything is known of its memory
        price_inner(i, here);
    }
    if (!ranking_only_)
        ranking_->count(l, (long long)inner.size(), (long long)rules.allowed.size(), fits_, tight_);
}

void ComposedPricer::price_inner(const Inner& i, long long place) {
    const Work work(s_, *of_stages_, InCommon::stages);
    if (i.offload.swaps()) return price_swapped(work, place);
    const Bytes memory = fullest(work);
    if (device_lacks(work, memory, place)) return;
    if (i.offload.any() && lower_tiers_lack(work, {}, memory, place)) return;
    ++fits_;
    tight_ += is_tight(memory);
    if (may_matter(memory)) price_step(work, stage_times(work, layers_, {}), memory, place);
}

// Even the leanest sharing and keeping of states, without activations, is more than a device holds. Asked of the first
// recomputation.
bool ComposedPricer::states_lack(const Layout& l, const Verdicts& rules, const std::vector<Inner>& inner) {
    const Bytes limit = s_.machine.device.memory;
    if (stage_split(s_) != StageSplit::even) return false;
    const Layout present = s_.layout;
    bool lack = true;
    for (const std::size_t k : rules.allowed) {
        if (!lack || !same_recomputation(inner[rules.allowed.front()], inner[k])) break;
        s_.layout = Layouts::with(l, inner[k]);
        const Work work(s_, *of_stages_, InCommon::stages);
        Bytes most;
        for (const FullStage& f : full_) most = max(most, stage_memory(work, WorkMemory{}, f.own, f.stage).total());
        lack = most > limit;
    }
    s_.layout = present;
    return lack;
}

// An uneven split of layers looks at what is recomputed, too; and of layers of several kinds the first ones of a chunk,
// which may be those that are recomputed, differ where the chunks hold as many of each.
void ComposedPricer::find_fullest(const Work& work) {
    if (!full_.empty() && stage_split(s_) == StageSplit::even && work.layers.all_alike()) return;
    heaviest_ = heaviest_stage(work);
    full_.clear();
    for (const int stage : stages_that_may_fill(work)) full_.push_back({stage, stage_parameters(work, stage), {}});
}

void ComposedPricer::begin_work() {
    find_fullest(of_stages_.emplace(s_, *of_layers_, InCommon::layers));
    worked_ = bounded_ = false;
}

Bytes ComposedPricer::fullest(const Work& work) {
    if (!worked_)
        for (FullStage& f : full_) f.work = work_memory(work, {}, f.stage);
    worked_ = true;
    Bytes most;
    for (const FullStage& f : full_) most = max(most, stage_memory(work, f.work, f.own, f.stage).total());
    return most;
}

void ComposedPricer::price_swapped(const Work& work, long long place) {
    const Swap swap = swap_of(work, layers_);
    Bytes memory;
    for (const FullStage& f : full_)
        memory = max(memory, stage_memory(work, work_memory(work, swap, f.stage), f.own, f.stage).total());
    if (device_lacks(work, memory, place) || lower_tiers_lack(work, swap, memory, place)) return;
    ++fits_;
    tight_ += is_tight(memory);
    if (may_matter(memory)) price_step(work, stage_times(work, layers_, swap), memory, place);
}

bool ComposedPricer::device_lacks(const Work& work, Bytes need, long long place) {
    const Bytes limit = s_.machine.device.memory;
    if (need <= limit) return false;
    if (ranking_only_) return true;
    // Only whether another tier lacks more is open, and that leaves it further away.
    if (!ranking_->could_nearly_fit(need / limit - 1, s_.layout)) return true;
    lower_tiers_lack(work, swap_of(work, layers_), need, place);
    return true;
}

// Notes by how much when any tier, the device included, holds less than is needed.
bool ComposedPricer::lower_tiers_lack(const Work& work, const Swap& swap, Bytes need, long long place) {
    NearMiss worst{s_.layout, Tier::device, need, s_.machine.device.memory};
    bool lacks = need > worst.limit;
    for (const Tier tier : {Tier::host, Tier::nvme}) {
        if (!tier_used(s_.layout.offload, tier)) continue;
        const NearMiss m{s_.layout, tier, node_use(work, tier, swap).total(), tier_capacity(s_.machine, tier)};
        if (m.need <= m.limit) continue;
        lacks = true;
        if (m.excess() > worst.excess()) worst = m;
    }
    if (lacks && !ranking_only_) ranking_->miss(worst, place);
    return lacks;
}

// By what the busiest stage computes alone: sharding and other tiers only add to it, except
// that the optimizer may go elsewhere, which is not counted here.
bool ComposedPricer::may_matter(Bytes memory) {
    if (!bounded_) {
        const Layout present = s_.layout;
        s_.layout.zero_stage = 0;
        s_.layout.offload = {};
        const Work work(s_, *of_stages_, InCommon::stages);
        StepTime parts;
        Seconds busiest;
        const double m = work.micro_batches;
        for (const int stage : {0, s_.layout.pipeline_parallel - 1}) {
            const StageTime t = stage_time(work, layers_, {}, stage);
            if (t.forward + t.backward <= busiest) continue;
            busiest = t.forward + t.backward;
            for (const auto& part : step_parts) parts.*part.value = m * (t.micro.*part.value);
        }
        s_.layout = present;
        const Candidate bound = candidate_of(parts, {});
        bound_ = {s_.layout, below * bound.step, below * bound.energy, {}, false, false};
        bounded_ = true;
    }
    bound_.memory = memory;
    bound_.tight = is_tight(memory);
    return ranking_->could_matter(bound_);
}

void ComposedPricer::price_step(const Work& work, const std::vector<StageTime>& stages, Bytes memory, long long place) {
    const Layout& l = s_.layout;
    const std::vector<ChunkTime> chunks = chunk_times(work, stages);
    const int m = work.micro_batches;
    if (l.pipeline_parallel > 1 && !clusters_) {
        const Seconds least = makespan_bound(l.schedule, chunks, l.pipeline_parallel, m);
        Candidate bound = candidate_of(step_of(work, stages, least, heaviest_).parts, memory);
        bound.step = below * bound.step;
        bound.energy = below * bound.energy;
        bound.stalls = false;
        if (!ranking_->could_matter(bound)) return;
    }
    const Step step = step_of(work, stages, makespan(l, chunks, m), heaviest_);
    ranking_->add({candidate_of(step.parts, memory), place});
}

}  // namespace plimsoll
