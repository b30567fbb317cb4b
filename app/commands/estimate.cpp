// plimsoll estimate: time, memory and energy of a plan.
#include "app/commands/command.h"

#include "app/commands/tables.h"
#include "core/answers/campaign/hours.h"
#include "core/answers/campaign/money.h"
#include "core/answers/campaign/cards.h"
#include "core/answers/campaign/cautions.h"
#include "core/answers/plan/compression.h"
#include "core/answers/plan/estimate.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/plan/mapping.h"
#include "core/answers/search/remedies.h"
#include "core/answers/plan/rules.h"
#include "core/evidence/published/band.h"
#include "core/files/results/answers_json.h"
#include "core/files/results/track_record.h"
#include "core/papers/ornl_study.h"
#include "core/papers/zero_infinity.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/wording.h"

#include <iostream>
#include <optional>

namespace plimsoll {

namespace {

struct EstimateArguments {
    PlanArguments plan;
    std::string totals = "auto", flop = std::string(name_of(FlopConvention::full));
    double headroom = usual_headroom;
    Watts most_power;
    bool json = false, paper = false, no_band = false;
};

Counting counting_of(const std::string& word) {
    return word == "all" ? Counting::all : word == "training" ? Counting::training : Counting::automatic;
}

std::string time_of(const Totals& t) { return t.ends() ? say(t.time) : "never"; }

// Edits that help, with what they cost: of a plan that cannot be computed, does not surely fit or is tight.
void print_remedies(const Scenario& s, const Headroom& asked, Counting counting) {
    const std::vector<Remedy> found = remedies(s, 4, asked);
    if (found.empty()) return;
    TextRows rows{{"what would help", "time to train", "memory", "of a device"}};
    for (const Remedy& r : found)
        rows.push_back({r.name, time_of(totals(r.scenario, headline(r.scenario, r.estimate), counting)),
                        say(r.estimate.worst().total()) + " of " + say(r.estimate.memory_limit),
                        say_fit(r.estimate) + (r.tight ? ", tight" : "")});
    std::cout << "\n" << table(rows);
}

void print_obstacles(const Scenario& s, const std::vector<Obstacle>& obstacles) {
    std::cout << "This plan cannot be computed:\n";
    for (const Obstacle& o : obstacles) std::cout << "  " << say(o, s) << "\n";
}

// The third column: the range of a value whose error is the time's. Empty without a band.
template <class Quantity, class Say>
std::string likely(Quantity value, double band, Say say_it) {
    if (!(band > 0)) return "";
    const LikelyRange<Quantity> range = range_around(value, band);
    return say_it(range.low) + " to " + say_it(range.high);
}

void print_band(const Band& b) {
    std::cout << "\nTime: " << say_spread(b.time_spread) << "\nMemory: " << say_spread(b.memory_spread) << "\n";
    if (!b.beyond.empty()) std::cout << "Extrapolated: " << say_beyond(b) << ".\n";
}

void print_model_alone(const Scenario& s, const Anchoring& a, Counting counting) {
    const Scenario alone = model_alone(s);
    const Estimate e = *estimate(alone);  // asked: of the plan with its runs
    const Headline h = headline(alone, e);
    const Totals t = totals(alone, h, counting);
    std::cout << say_anchoring(a) << "\nThe model alone: " << (t.ends() ? say(t.time) : "never") << ", step "
              << say(h.step) << ", MFU " << percent(h.mfu) << ", memory " << say(e.worst().total()) << ".\n";
}

void print_headline(const Scenario& s, const Estimate& e, const Anchoring& a, const Headroom& asked,
                    Counting counting, FlopConvention convention) {
    const Headline h = headline(s, e);
    const Band& b = a.band;
    const auto said = [](auto v) { return say(v); };
    const auto percents = [](double v) { return fixed(100 * v, 1) + " %"; };
    const auto of_time = [&](auto value, auto say_it) { return likely(value, b.time, say_it); };
    const auto capped = [&](double v) { return percents(std::min(v, std::max(h.mfu, 1.0))); };   // by the peak
    const Bytes need = e.worst().total();
    const std::string head = s.name.empty() ? s.model.name : s.name;
    TextRows rows{{head, "", b.time > 0 ? (a.any() ? "anchored, two thirds of runs like it"
                                                    : "two thirds of runs like it") : ""}};
    const Totals t = totals(s, h, counting), other = totals(s, h, t.all ? Counting::training : Counting::all);
    const auto of_total = [&](auto value, auto say_it) { return t.ends() ? of_time(value, say_it) : std::string(); };
    const auto label = [](const Totals& of) {
        return of.all ? "time with failures and job ends" : "time of training alone";
    };
    rows.push_back({"time to train", time_of(t), of_total(t.time, said)});
    rows.push_back({"step", say(h.step), of_time(h.step, said)});
    rows.push_back({label(other), time_of(other), ""});
    if (t.ends()) {
        rows.push_back({"node-hours", say_count(t.node_hours), of_total(t.node_hours, say_count)});
        if (s.machine.accounting.unit != "node-hour")
            rows.push_back({s.machine.accounting.unit, say_count(t.accounting_units)});
    }
    const CountedRate rates = rate_by(convention, s, e);
    const std::string count = tunes(s.method) ? ", " + say_flop_count(s.method) : std::string();
    rows.push_back({"model FLOP utilisation, " + std::string(words_of(convention)) + count, percents(rates.mfu),
                    of_time(rates.mfu, capped)});
    rows.push_back({"per device", say(rates.per_device), of_time(rates.per_device, said)});
    const double rate = h.tokens_per_second / (token / second);
    rows.push_back({"tokens per second", say_count(rate), of_time(rate, say_count)});
    if (h.counted < 1)
        rows.push_back({"with padding, " + percent(h.counted) + " count",
                        say_count(h.worked_tokens_per_second / (token / second))});
    if (t.ends()) {
        rows.push_back({"energy, devices only", say(t.device_energy), of_total(t.device_energy, said)});
        rows.push_back({"energy, facility", say(t.facility_energy), of_total(t.facility_energy, said)});
    }
    const auto cost = cost_of(s, t);
    const Carbon carbon = carbon_of(s, t);
    rows.push_back({"cost", cost ? say(*cost) : t.ends() ? "unknown: no price is stated" : "unknown"});
    rows.push_back({"carbon, operational", say_operational(carbon)});
    rows.push_back({"carbon, embodied", say_embodied(carbon)});
    const std::string tight = room_of(e, asked) == Room::tight ? ": tight" : "";
    const std::string lack = e.device_fits() ? tight : ": short by " + say(need - e.memory_limit);
    rows.push_back({"memory, stage " + std::to_string(e.worst_stage + 1),
                    say(need) + " of " + say(e.memory_limit) + lack,
                    likely(need, b.memory, said)});
    std::cout << table(rows) << "Time to train, node-hours and energy are "
              << (t.all ? "with failures, checkpoints, restarts and job ends" : "of training alone") << ".\n";
    if (s.machine.accounting.unit != "node-hour") std::cout << say_gpu_hour(s.machine) << "\n";
    if (cost) std::cout << "Price: " << say_price(*cost) << ".\n";
    if (carbon.operational_kg)
        std::cout << "Grid: " << shortest(*carbon.grid_g_per_kWh) << " g CO2e/kWh, PUE " << shortest(carbon.pue)
                  << " counted: " << carbon.grid_source.text << ".\n";
    std::cout << say_fit_verdict(e) << "\n";
    if (const std::string why = say_tight(e, asked); !why.empty())
        std::cout << "Tight: " << why << ".\n";
    if (b.time > 0) print_band(b);
    if (a.any()) print_model_alone(s, a, counting);
}

void print_tiers(const Scenario& s, const Estimate& e) {
    if (!s.layout.offload.any()) return;
    TextRows rows{{"tiers below device memory, per node", ""}};
    for (const CardRow& row : tier_card(s, e)) rows.push_back({row.label, row.value});
    for (const CardRow& row : infinity::card(s)) rows.push_back({row.label, row.value});
    if (s.layout.offload.swaps()) {
        const FreedMemory f = freed_memory(s);
        const auto count = [](int n) { return n > 0 ? std::to_string(n) : std::string("none"); };
        const auto both = [&](int sent, int kept) {
            return count(sent) + ", " + count(kept) + " with all activations kept";
        };
        rows.push_back({"Largest micro-batch that fits", both(f.micro_batch_sent, f.micro_batch_kept)});
        rows.push_back({"Fewest pipeline stages that fit", both(f.stages_sent, f.stages_kept)});
    }
    std::cout << "\n" << table(rows);
}

void print_failures(const Scenario& s, const Headline& h) {
    TextRows rows{{"failures and checkpoints", ""}};
    for (const CardRow& row : resilience_card(s, h)) rows.push_back({row.label, row.value});
    std::cout << "\n" << table(rows) << resilience_verdict(h.resilience) << "\n";
}

void print_parts(const Estimate& e) {
    TextRows rows{{"part of a step", "seconds", "share"}};
    for (const auto& part : step_parts)
        rows.push_back({std::string(part.label), fixed((e.step.*part.value) / second, 4),
                        fixed(100 * ((e.step.*part.value) / e.step.total()), 1) + " %"});
    std::cout << "\n" << table(rows);
}

void print_codecs(const Scenario& s) {
    const auto uses = codec_uses(s);
    if (uses.empty()) return;
    std::cout << "\n";
    for (const CodecUse& u : uses) std::cout << say(u) << "\n";
    for (const std::string& warning : codec_warnings(s)) std::cout << "Warning: " << warning << "\n";
}

void print_cautions(const Scenario& s, Watts most_power) {
    for (const Caution& c : cautions(s, most_power)) std::cout << "Mind: " << say(c) << "\n";
}

std::string rate_text(ByteRate rate) { return fixed(rate / (gigabyte / second), 2) + " GB/s"; }

void print_mapping(const Scenario& s) {
    const Placement p = placement(s);
    if (p.stages.empty()) return;
    TextRows rows{{"stage", "layers", "cluster", "gradients over", "per device", "reduction"}};
    for (const StagePlace& each : p.stages)
        rows.push_back({std::to_string(each.stage + 1), std::to_string(each.layers),
                        each.cluster == no_cluster ? "several" : std::to_string(each.cluster + 1),
                        std::string(label_of(each.transport)), rate_text(each.rate), say(each.reduction)});
    std::cout << "\n" << table(rows);
    rows = {{"handover", "over", "per device", "one activation"}};
    for (const Handover& each : p.handovers)
        rows.push_back({"stage " + std::to_string(each.after + 1) + " to " + std::to_string(each.after + 2),
                        std::string(label_of(each.transport)), rate_text(each.rate), say(each.message)});
    if (!p.handovers.empty()) std::cout << "\n" << table(rows);
    rows = {{"mapping", "layers", "step"}};
    for (const MappingAlternative& each : p.alternatives)
        rows.push_back({std::string(name_of(each.mapping)), std::string(name_of(each.split)),
                        say(each.step) + (each.present ? "  this plan" : "")});
    std::cout << "\n" << table(rows);
}

void print_paper(const Scenario& s) {
    TextRows rows{{"ORNL study (Yin et al. 2023)", "as printed", "as it has to be read", "unit", "formula"}};
    for (const PaperRow& row : paper_study(s))
        rows.push_back({row.label, significant(row.printed, 4), significant(row.corrected, 4), row.unit, row.formula});
    std::cout << "\n" << table(rows);
}

int run_estimate(const EstimateArguments& a) {
    const auto plan = load_plan(a.plan);
    if (!plan) return refuse(plan.error());
    const Outcome outcome = estimate(*plan);
    Anchoring anchoring;
    if (outcome && !a.no_band) anchoring = anchored(*plan, track_record(shipped_library()).evidence);
    if (plan->measured && outcome && !anchoring.any())
        std::cerr << "no run of " << a.plan.anchor << " is like this plan\n";
    if (a.json) {
        std::cout << to_json(*plan, outcome, a.no_band ? nullptr : &anchoring.band,
                             plan->measured ? &anchoring : nullptr, a.headroom,
                             a.most_power) << "\n";
    } else if (!outcome) {
        print_obstacles(*plan, outcome.error());
        print_remedies(*plan, {a.headroom}, counting_of(a.totals));
    } else {
        const Headroom asked = judged(a.headroom, anchoring.band);
        const auto convention = from_name<FlopConvention>(a.flop).value_or(FlopConvention::full);
        print_headline(*plan, *outcome, anchoring, asked, counting_of(a.totals), convention);
        print_remedies(*plan, asked, counting_of(a.totals));
        print_parts(*outcome);
        print_tiers(*plan, *outcome);
        print_codecs(*plan);
        print_mapping(*plan);
        print_failures(*plan, headline(*plan, *outcome));
        print_cautions(*plan, a.most_power);
        if (a.paper) print_paper(*plan);
    }
    return may_run(outcome) ? exit_ok : exit_infeasible;
}

}  // namespace

void add_estimate(Program& program) {
    const auto a = std::make_shared<EstimateArguments>();
    CLI::App& command = add_command(program.app, {
        "estimate", "Time, memory and energy of a plan",
        "Prints the headline numbers, where a step spends its time, and the memory of each pipeline stage. Beside a "
        "number stands the range in which two thirds of the published runs like this plan lie around their "
        "prediction.\n\n--paper adds the published equations of Yin et al. (2023) beside the full model."});
    add_plan(command, a->plan);
    command.add_flag("--json", a->json, "As JSON");
    command.add_flag("--paper", a->paper, "The ORNL study's equations beside the full model");
    add_headroom(command, a->headroom);
    add_price(command, a->plan);
    add_max_power(command, a->most_power);
    command.add_option("--totals", a->totals,
        "What time to train, node-hours and energy count: training alone, all (failures, checkpoints, restarts and "
        "the ends of jobs) or auto, which is all for runs longer than a day")
        ->check(CLI::IsMember({"auto", "all", "training"}));
    command.add_option("--flop", a->flop,
        "What model FLOP count: full (all scores, the default), causal (the half that a causal mask leaves) or "
        "megatron (as Megatron reports)")
        ->check(CLI::IsMember({"full", "causal", "megatron"}));
    command.add_flag("--no-band", a->no_band, "Skip pricing the published runs the band is judged by (0.1 s)")
        ->excludes(command.get_option("--anchor"));
    command.callback([a, &program] { program.code = run_estimate(*a); });
}

}  // namespace plimsoll
