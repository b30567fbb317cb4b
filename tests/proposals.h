#pragma once
// A plan on Selene with four measured sizes, applied for at any programme. Its numbers follow from the cost model and
// the profiles alone, not from presets of machines.

#include "core/files/measured/scaling_runs.h"
#include "core/files/presets/programme_json.h"
#include "core/files/results/proposal_pack.h"
#include "scenarios.h"
#include "shipped.h"

namespace plimsoll::testing {

inline constexpr const char* four_runs =
    "nodes,step_s,machine,date,job,gpu_utilisation\n"
    "8,64,selene,2026-10-01,1,0.95\n"
    "16,32,selene,2026-10-01,2,0.94\n"
    "16,36,selene,2026-10-02,3,0.92\n"
    "32,20,selene,2026-10-02,4,0.90\n"
    "64,16,selene,2026-10-02,5,0.80\n";

inline Scenario plan() {
    Scenario s = gpt3_on_selene();
    s.machine.scheduler.bins = {{.min_nodes = 1, .max_nodes = 1000, .walltime = 24 * hour}};
    s.machine.price = {2.5, PerHour::node_hour, "EUR", "2026-10"};
    s.recipe.tokens = 30e9;
    return s;
}

inline CampaignPlan plan_of_campaign(const Scenario& s) {
    Estimate e = *estimate(s);
    const Headline h = headline(s, e);
    return {s, std::move(e), h, "sha256:0123456789abcdef", "plan.json"};
}

inline ProposalInput input(const char* programme = "generic", const Scenario& s = plan()) {
    ProposalInput in;
    const auto file = load_programme(programme, library());
    if (!file) qFatal("%s", say(file.error()).c_str());
    in.programme = file->programme;
    in.plans = {plan_of_campaign(s)};
    in.bands = {ProposalBand{0.06, 0.1, 0.2, "Two thirds lie within 6 %.", ""}};
    in.start = "2027-01-01";
    in.version = "test";
    return in;
}

inline ProposalInput measured_input(const char* programme = "generic") {
    ProposalInput in = input(programme);
    in.measured = *read_scaling_runs(four_runs);
    return in;
}

}  // namespace plimsoll::testing
