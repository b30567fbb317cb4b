#include "core/evidence/published/open_values.h"

#include "core/answers/plan/estimate.h"
#include "core/values/basics/integers.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"
#include "core/values/plan/share.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

// The run was made, so it fitted: what misses by no more than two thirds of memory predictions do, for software and
// devices of which no memory was published, counts as fitting.
bool may_have_fitted(const Estimate& e) {
    constexpr double room = 1.2;
    return e.worst().total() <= room * e.memory_limit;
}
bool needs_too_much(const Scenario& s) {
    const Outcome o = estimate(s);
    return o && !may_have_fitted(*o);
}

void untell(FilledRun& run, const std::string& what) {
    std::erase_if(run.filled, [&](const std::string& said) { return said.starts_with(what); });
}

// Chunks of a stage that the schedule can run.
std::vector<int> open_chunks(const RowLayout& row, const Scenario& s) {
    const int p = s.layout.pipeline_parallel;
    if (row.virtual_stages || p == 1 || s.model.layers % p != 0) return {s.layout.virtual_stages};
    std::vector<int> open;
    for (const int v : divisors(s.model.layers / p))
        if (v == 1 || micro_batches(s) % p == 0) open.push_back(v);
    return open;
}

}  // namespace

void choose_expert_degree(FilledRun& run, RunEnded ended) {
    struct Best {
        Seconds step;
        int degree = 0;
        void consider(Seconds with, int of) {
            if (degree == 0 || with < step) step = with, degree = of;
        }
    } fitting, any;
    Scenario& s = run.scenario;
    for (const int degree : divisors(s.model.experts.count)) {
        s.layout.expert_parallel = degree;
        const Outcome o = estimate(s);
        if (!o) continue;
        any.consider(o->step.total(), degree);
        if (ended == RunEnded::well && may_have_fitted(*o)) fitting.consider(o->step.total(), degree);
    }
    const bool fits = fitting.degree > 0;
    s.layout.expert_parallel = std::max(1, fits ? fitting.degree : any.degree);
    untell(run, "expert-parallel degree");
    run.filled.push_back("expert-parallel degree not published: " + std::to_string(s.layout.expert_parallel)
                         + ", the fastest" + (fits ? " that fits" : ""));
}

void choose_schedule(const PublishedRow& row, FilledRun& run) {
    const RowLayout& stated = row.layout;
    Scenario s = run.scenario;
    Layout& l = run.scenario.layout;
    const bool open_chunk = !stated.virtual_stages && l.pipeline_parallel > 1;
    const bool open_recompute = stated.recompute.empty() && !keeps_alternate_by_default(stated, s.stack);
    if (stated.micro_batch && !open_chunk && !open_recompute) return;
    struct Tried {
        Seconds step;
        Layout layout;
    };
    std::vector<Tried> tried;
    const auto price = [&](Recompute recompute, int layers) {
        s.layout.recompute = recompute;
        s.layout.recompute_layers = layers;
        const Outcome o = estimate(s);
        if (!o || !may_have_fitted(*o)) return false;
        tried.push_back({o->step.total(), s.layout});
        return true;
    };
    const auto price_all = [&] {
        if (!open_recompute) return void(price(l.recompute, l.recompute_layers));
        if (price(Recompute::none, 0)) return;   // whatever is repeated comes on top
        price(Recompute::selective, 0);
        if (!price(Recompute::full, 0)) return;
        // Of whole layers only as many of each chunk as have to be: fewer never fit where more do not.
        int least = 1, most = largest_chunk(s);
        while (least < most) {
            const int middle = (least + most) / 2;
            if (price(Recompute::full, middle)) most = middle;
            else least = middle + 1;
        }
    };
    const int replica = std::max(1, s.recipe.global_batch_sequences / std::max(1, l.data_parallel));
    for (const int micro : {1, 2, 4, 8}) {
        if (stated.micro_batch ? micro > 1 : replica % micro != 0) continue;
        s.layout = l;
        if (!stated.micro_batch) s.layout.micro_batch = micro;
        for (const int chunks : open_chunks(stated, s)) {
            s.layout.virtual_stages = chunks;
            s.layout.schedule = schedule_of_run(run, chunks);
            price_all();
        }
    }
    if (tried.empty()) return;   // nothing fits: what the other rules say
    std::ranges::sort(tried, {}, &Tried::step);
    l = tried.front().layout;
    run.span = tried[tried.size() / 2].step / tried.front().step - 1;

    std::string chosen;
    const auto add = [&](bool open, const char* what, const std::string& value) {
        if (!open) return;
        untell(run, what);
        chosen += (chosen.empty() ? "" : ", ") + std::string(what) + " " + value;
    };
    add(!stated.micro_batch, "micro-batch", std::to_string(l.micro_batch));
    add(open_chunk, "chunks per stage", std::to_string(l.virtual_stages));
    const std::string layers =
        l.recomputes_some() ? " in " + std::to_string(l.recompute_layers) + " layers of a chunk" : "";
    add(open_recompute, "recomputation", std::string(name_of(l.recompute)) + layers);
    run.filled.push_back("not published and chosen as the fastest of " + std::to_string(tried.size()) + " that fit: "
                         + chosen + "; half of them within " + std::to_string(std::lround(100 * run.span)) + " %");
}

// "Not stated" in the remark goes for what whoever gathered the row assumed.
void make_fit(const PublishedRow& row, FilledRun& run) {
    const RowLayout& stated = row.layout;
    Scenario& s = run.scenario;
    const bool open = stated.recompute.empty()
                   || contains_any(lower_case(row.remark), {"checkpointing not stated", "recomputation not stated"});
    if (!open || contains(lower_case(row.machine.device), "tpu") || !needs_too_much(s)) return;
    const std::string why = "it ran and would not have fitted otherwise: ";
    if (!stated.zero_stage && stated.sharding.empty() && s.layout.weight_replicas() > 1) {
        const int most = s.layout.pipeline_parallel > 1 ? s.stack.sharding.stage_with_pipeline : 3;
        if (most > s.layout.zero_stage) {
            s.layout.zero_stage = most;
            run.filled.push_back(why + "ZeRO stage " + std::to_string(most));
        }
    }
    if (s.layout.recompute == Recompute::full || !needs_too_much(s)) return;
    s.layout.recompute = Recompute::full;
    s.layout.recompute_layers = 0;
    run.filled.push_back(why + "recomputation full");
}

bool keeps_alternate_by_default(const RowLayout& row, const Stack& stack) {
    return stack.recomputation.keeps_alternate_products && contains(lower_case(row.framework), "torchtitan");
}

}  // namespace plimsoll
