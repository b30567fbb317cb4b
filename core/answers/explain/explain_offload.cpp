// Tiers below device memory: what they hold, what waits for them, how long drives last.
#include "core/answers/explain/explain_parts.h"

#include "core/costs/memory/memory.h"
#include "core/costs/step/ledger.h"
#include "core/costs/memory/swap.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/names.h"
#include "core/values/plan/share.h"

namespace plimsoll {

namespace {

std::string place(Tier t) {
    return t == Tier::host ? "host memory" : t == Tier::nvme ? "the node's drives" : "the device";
}

Term rate(const Scenario& s, const std::string& label, ByteRate r, const char* key, const std::string& how) {
    const Source from = source_of(s.machine, key);
    return given(label, r / (byte / second), "B/s", {from.kind, from.text + "; " + how});
}

Term carried(const char* label, Bytes moved, const std::string& formula, Term over) {
    return quotient(label, "s", derived("Bytes of one rank", moved / byte, "B", formula), std::move(over));
}

// As time_of(): the slowest of the link's directions, host memory and drives.
Term flow_term(const Scenario& s, const std::string& label, const Flow& f) {
    const TierRates r = tier_rates(s);
    const std::string shared = phrase("one of {1} ranks of the node", ranks_per_node(s));
    const auto link = [&] { return rate(s, "Host link", r.link, "/host/link_GBps", "of each device"); };
    std::vector<Term> ways;
    if (f.up > Bytes{}) ways.push_back(carried("Link, to the device", f.up, "what comes up", link()));
    if (f.down > Bytes{}) ways.push_back(carried("Link, from the device", f.down, "what goes down", link()));
    if (f.memory > Bytes{})
        ways.push_back(carried(
            "Host memory", f.memory, "link traffic, and drive traffic through a buffer",
            rate(s, "Host memory", r.memory, "/host/memory_bandwidth_GBps",
                 phrase("copies reach 0.8 of it; {1}", shared))));
    std::vector<Term> drives;
    if (f.read > Bytes{})
        drives.push_back(
            carried("Reading", f.read, "read", rate(s, "Drives", r.read, "/host/nvme/drives_read_GBps", shared)));
    if (f.write > Bytes{})
        drives.push_back(
            carried("Writing", f.write, "written", rate(s, "Drives", r.write, "/host/nvme/drives_write_GBps", shared)));
    if (!drives.empty()) ways.push_back(sum("Drives, one after the other", "s", std::move(drives)));
    if (ways.empty()) ways.push_back(derived("Nothing moves", 0, "s", "layout"));
    return maximum(label, "s", std::move(ways));
}

Term beyond(const std::string& label, Term needed, Seconds window, const std::string& behind) {
    return maximum(label, "s",
                   {derived("Hidden altogether", 0, "s", "a wait is never negative"),
                    difference("Beyond what hides it", "s", std::move(needed),
                               derived("Hidden behind", window / second, "s", behind))});
}

Term update_term(const Scenario& s, const Parameters& parameters) {
    const HostUpdate u = host_update(s, parameters);
    const Host& h = s.machine.host;
    const Source from =
        source_of(s.machine, h.adam_rate > 0 ? "/host/adam_Gparameters_per_s" : "/host/memory_bandwidth_GBps");
    const std::string how = h.adam_rate > 0 ? "set for Adam's 28 bytes per parameter, scaled to the recipe's"
                                            : "0.43 of the memory bandwidth over the bytes touched (Ren et al. 2021)";
    return quotient("Update on the CPUs", "s",
                    product("Parameters of the node", "",
                            {counted("Ranks of the node", u.ranks),
                             derived("Parameters of one rank", u.parameters, "",
                                     "of the heaviest stage, shared by ZeRO; those that the CPUs update")}),
                    given("Rate of the node's CPUs", u.rate, "1/s", {from.kind, from.text + "; " + how}));
}

Term after_term(const StepParts& p) {
    const Scenario& s = p.scenario;
    const bool host = s.layout.offload.updates_on_cpus();
    const Flow& moved = p.step.tiers.moved;
    std::vector<Term> sides;
    if (p.step.tiers.in_turn)
        sides = {flow_term(s, "Gradients go down", downwards(moved)),
                 flow_term(s, "Weights come back", upwards(moved))};
    else sides.push_back(flow_term(s, "Moving states", moved));
    if (host) sides.push_back(update_term(s, p.step.heaviest));
    Term all = p.step.tiers.in_turn ? sum("Moving, updating and moving back", "s", std::move(sides))
                                    : maximum("Slower of moving and updating", "s", std::move(sides));
    return beyond("After the last backward pass", std::move(all),
                  p.step.tiers.window,
                  s.layout.offload.delayed_update ? "the next step, less what its own traffic takes (delayed update)"
                                                  : "nothing without a delayed update");
}

}  // namespace

Term explain_offload_wait(const StepParts& p) {
    const Scenario& s = p.scenario;
    if (!s.layout.offload.any())
        return sum("Offload wait", "s", {derived("Everything is on the device", 0, "s", "layout")});
    const StageTime& t = p.stages[p.step.busiest_stage];
    const PassFlows f = pass_flows(s, p.swap, p.step.busiest_stage, t.pass_forward, t.pass_backward);
    const bool halves = f.behind_forward != t.pass_forward;
    std::vector<Term> parts{
        product("All micro-batches", "s",
                {counted("Micro-batches per step", micro_batches(s)),
                 sum("One micro-batch", "s",
                     {beyond("Forward pass", flow_term(s, "Traffic", f.forward), f.behind_forward,
                             halves ? "half of both passes: what is kept is written meanwhile"
                                    : "the forward pass of the stage"),
                      beyond("Backward pass", flow_term(s, "Traffic", f.backward), f.behind_backward,
                             halves ? "the other half: it is read back" : "its backward pass")})})};
    if (s.layout.offload.states()) {
        parts.push_back(flow_term(s, "First layer's weights, unhidden", p.step.tiers.fetch));
        parts.push_back(after_term(p));
    }
    return sum("Offload wait", "s", std::move(parts));
}

Term explain_kept_on(Tier tier, const std::string& label) {
    return sum(label, "B", {derived(phrase("Kept in {1}", phrase(place(tier))), 0, "B", "offload of the layout")});
}

namespace {

// What the listed modules store, each in the mean over the layers of the stage.
Term modules_term(const Work& s, int stage) {
    const LayerCounts layers = blocks_of_stage(s, stage);
    std::vector<Term> each;
    for (int m = 0; m < sent_modules; ++m) {
        if (!s.layout.offload.modules[SentModule(m)]) continue;
        Bytes sum;
        for (Kind k = 0; k < s.layers.kinds(); ++k) sum += double(layers[k]) * sent_with_module(s, k, SentModule(m));
        each.push_back(derived(std::string(sent_module_rows[m].name), sum / std::max(1, layers.total()) / byte, "B",
                               "what the module stores, in the mean over the layers of the stage"));
    }
    return sum("Modules that are listed", "B", std::move(each));
}

Term explain_residue_by_module(const Work& s, const Residue& r, int stage) {
    const auto each = [&] {
        return derived("Bytes per layer and micro-batch", r.each / byte, "B", "mean over the layers of the stage");
    };
    Term sent = product("Leaves the device", "B",
                        {derived("Layers and micro-batches", r.others, "", "in flight, but two"),
                         derived("Share sent", 1 - r.stays, "", "of what may go"), modules_term(s, stage)});
    return difference("Kept for the backward pass", "B",
                      product("Of all layers", "B",
                              {derived("Layers and micro-batches", r.whole + r.others, "", "in flight"), each()}),
                      std::move(sent));
}

}  // namespace

Term explain_residue(const Work& s, const Swap& w, int stage) {
    const Residue r = residue_of(s, w, stage);
    if (s.sends_modules) return explain_residue_by_module(s, r, stage);
    std::vector<Term> parts{
        product("Layers that stay whole", "B",
                {derived("Layers and micro-batches", r.whole, "", "the one computed and the one on its way"),
                 derived("Bytes per layer and micro-batch", r.each / byte, "B",
                         "Korthikanti et al. 2022, after recomputation")})};
    if (w.stay_behind == StayBehind::keep)
        parts.push_back(
            product("Of the others", "B",
                    {derived("Layers and micro-batches", r.others, "", "in flight, less those"),
                     derived("Share that stays", r.stays, "", "1 - share sent"),
                     derived("Bytes per layer and micro-batch", r.elective / byte, "B", "after recomputation")}));
    return sum("Kept for the backward pass", "B", std::move(parts));
}

Term explain_tier(const Estimate& e, Tier tier) {
    const TierUse& use = tier == Tier::host ? e.host.use : e.nvme.use;
    std::vector<Term> parts;
    for (const auto& part : tier_parts)
        parts.push_back(derived(std::string(part.label), use.*part.value / byte, "B",
                                part.id == "activations"
                                    ? "layers in flight but two, times what each sends, of every rank of the node"
                                    : "bytes of the recipe x parameters a rank owns, of every rank of the node"));
    return sum(phrase("Kept in {1}", phrase(place(tier))), "B", std::move(parts), "the node that keeps most");
}

Term explain_share(const StepParts& p) {
    const Scenario& s = p.scenario;
    const Swap& w = p.swap;
    if (!w.on())
        return sum("Share of activations sent", "", {derived("Activations stay on the device", 0, "", "layout")});
    if (!s.layout.offload.solve_share)
        return sum("Share of activations sent", "", {counted("Set in the plan", w.share)});
    // The smaller of two is the negative of the larger negative.
    return difference(
        "Share of activations sent", "", derived("Nothing", 0, "", "smaller of two = -max(-a, -b)"),
        maximum("Larger negative", "",
                {derived("Nobody waits, negative", -w.in_time, "", "traffic in the time of a layer's passes"),
                 derived("The tier holds it, negative", -w.in_capacity, "",
                         "capacity less states, over ranks and layers away")}));
}

Term explain_drive_life(const Scenario& s, const Estimate& e, Term step) {
    const Nvme& n = s.machine.host.nvme;
    if (!drive_life(n, e.nvme.written, e.step.total()))
        return sum("Life of the drives", "s",
                   {derived("Not known", 0, "s", "nothing is written to drives, or their endurance is not stated")});
    return product("Life of the drives", "s",
                   {quotient("Steps until they wear out", "",
                             product("Endurance", "B",
                                     {counted("Drives", n.drives),
                                      given("Of one drive", n.endurance / byte, "B",
                                            source_of(s.machine, "/host/nvme/drive_endurance_PB"))}),
                             derived("Written per step and node", e.nvme.written / byte, "B",
                                     "states and activations of all its ranks")),
                    std::move(step)});
}

}  // namespace plimsoll
