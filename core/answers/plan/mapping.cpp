#include "core/answers/plan/mapping.h"

#include "core/answers/plan/estimate.h"
#include "core/costs/kernels/data_parallel.h"
#include "core/values/plan/share.h"
#include "core/costs/step/stage.h"

#include <algorithm>

namespace plimsoll {

namespace {

ByteRate rate_of(const Span& span) { return span.hops == 0 ? ByteRate{} : span.outermost().rate; }

StagePlace place(const Work& s, int stage) {
    const Span group = data_span(s, stage);
    return {stage,
            layers_of_stage(s, stage),
            cluster_of_stage(s, stage),
            transport_of(s.machine, group),
            rate_of(group),
            gradient_time(s, stage_parameters(s, stage), {}, stage).reduce};
}

Handover handover(const Work& s, int stage) {
    const Span pair = stage_span(s, stage);
    return {stage, transport_of(s.machine, pair), rate_of(pair), stage_transfer(s, stage).time};
}

std::vector<MappingAlternative> alternatives(const Scenario& s) {
    std::vector<MappingAlternative> all;
    Scenario other = s;
    for (const Mapping mapping : {Mapping::ordered, Mapping::holmes})
        for (const StageSplit split : {StageSplit::even, StageSplit::holmes_floor, StageSplit::min_max}) {
            other.layout.mapping = mapping;
            other.layout.stage_split = split;
            if (const Outcome o = estimate(other))
                all.push_back({mapping, split, o->step.total(), other.layout == s.layout});
        }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
    return all;
}

}  // namespace

Placement placement(const Scenario& s) {
    Placement p;
    if (!any_cluster(s.machine.clusters)) return p;
    for (int i = 0; i < s.layout.pipeline_parallel; ++i) p.stages.push_back(place(s, i));
    for (int i = 0; i + 1 < s.layout.pipeline_parallel; ++i) p.handovers.push_back(handover(s, i));
    p.alternatives = alternatives(s);
    return p;
}

std::string_view label_of(Transport t) {
    switch (t) {
        case Transport::node: return "inside the node";
        case Transport::infiniband: return "InfiniBand";
        case Transport::roce: return "RoCE";
        case Transport::tcp: return "TCP";
    }
    return "";
}

}  // namespace plimsoll
