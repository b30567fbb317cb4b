#include "core/files/results/plan_answers_json.h"

#include "core/answers/plan/compression.h"
#include "core/answers/plan/mapping.h"
#include "core/files/text/fields.h"

namespace plimsoll::files {

OrderedJson compression_json(const Scenario& s) {
    OrderedJson traffic = OrderedJson::array();
    bool risk = false;
    for (const CodecUse& u : codec_uses(s)) {
        risk = risk || u.loss_risk;
        traffic.push_back({{"traffic", name_of(u.traffic)},
                           {"codec", name_of(u.codec.kind)},
                           {"ratio", number_json(u.ratio)},
                           {"ranks", u.ranks},
                           {"encodings", u.encodings},
                           {"transfer_seconds", u.coded.time / second},
                           {"codec_seconds", u.coded.codec / second},
                           {"uncompressed_seconds", u.plain.time / second},
                           {"pays", u.pays()},
                           {"loss_risk", u.loss_risk},
                           {"message", say(u)}});
    }
    return {{"loss_risk", risk}, {"traffic", traffic}, {"warnings", codec_warnings(s)}};
}

namespace {

OrderedJson cluster_json(int cluster) { return cluster == no_cluster ? OrderedJson() : OrderedJson(cluster); }

OrderedJson stage_json(const Scenario& s, const StagePlace& p) {
    return {{"stage", p.stage},
            {"layers", p.layers},
            {"cluster", cluster_json(p.cluster)},
            {"nic", p.cluster == no_cluster ? OrderedJson() : OrderedJson(name_of(s.machine.clusters[p.cluster].nic))},
            {"transport", label_of(p.transport)},
            {"GBps_per_device", number_json(p.rate / GBps)},
            {"reduction_seconds", p.reduction / second}};
}

OrderedJson handover_json(const Handover& h) {
    return {{"after_stage", h.after},
            {"transport", label_of(h.transport)},
            {"GBps_per_device", number_json(h.rate / GBps)},
            {"message_seconds", h.message / second}};
}

OrderedJson alternative_json(const MappingAlternative& a) {
    return {{"mapping", name_of(a.mapping)}, {"stage_split", name_of(a.split)}, {"step_seconds", a.step / second}, {"present", a.present}};
}

}  // namespace

OrderedJson mapping_json(const Scenario& s) {
    const Placement p = placement(s);
    if (p.stages.empty()) return {};
    OrderedJson stages = OrderedJson::array(), handovers = OrderedJson::array(), alternatives = OrderedJson::array();
    for (const StagePlace& each : p.stages) stages.push_back(stage_json(s, each));
    for (const Handover& each : p.handovers) handovers.push_back(handover_json(each));
    for (const MappingAlternative& each : p.alternatives) alternatives.push_back(alternative_json(each));
    return {{"stages", stages}, {"handovers", handovers}, {"alternatives", alternatives}};
}

}  // namespace plimsoll::files
