// T08 to T12: memory, storage, resilience, energy, assumptions; and all tables together.
#include "core/answers/campaign/money.h"
#include "core/answers/curves/tornado.h"
#include "core/answers/campaign/cautions.h"
#include "core/answers/propose/tables.h"
#include "core/answers/propose/measured_hours.h"
#include "core/values/basics/names.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/network_levels.h"
#include "core/values/knobs/provenance.h"
#include "core/values/knobs/wording.h"

#include <cmath>

namespace plimsoll {

namespace {

Sheet sheet_of_two(const ProposalInput& in, const char* id, const char* slug, std::string title) {
    Sheet s;
    s.id = id;
    s.slug = slug;
    s.title = std::move(title);
    s.columns = {{"quantity"}, {"value", "", true}, {"unit"}, {"how"}};
    s.dated = say_date(in.programme);
    return s;
}

// A number as it is printed, so that rows multiply out by hand.
struct Printed {
    double value;
    std::string text;
};
Printed printed(double v) {
    const std::string text = cell_number(v);
    return {std::strtod(text.c_str(), nullptr), text};
}

// Which of the two decides how fast a checkpoint can be written, in numbers.
std::string say_bound(const StorageRate& r, const Machine& m) {
    const auto rate = [](ByteRate b) { return cell_number(b / (gigabyte / second)) + " GB/s"; };
    if (r.shared_decides()) return "peak of the file system, by the machine's preset";
    return counted(r.nodes, "node that writes", "nodes that write") + " x " + rate(r.per_node) + " ("
         + say(source_of(m, "/storage/write_GBps_per_node")) + "); the file system takes " + rate(r.shared);
}

}  // namespace

std::string say_above(const Scenario& s, const Resilience& r) {
    const ByteRate stated = r.checkpoint_size / r.checkpoint, most = writing(s).rate();
    if (stated <= 1.001 * most) return {};
    const auto rate = [](ByteRate b) { return cell_number(b / (gigabyte / second)) + " GB/s"; };
    return "a checkpoint time that the file system allows: the plan's " + cell_number(r.checkpoint / second)
         + " s are " + rate(stated) + ", and " + rate(most) + " can be written";
}

Sheet memory_table(const ProposalInput& in) {
    Sheet s;
    s.id = "T08";
    s.slug = "memory";
    s.title = "Memory of a device and of a node";
    s.dated = say_date(in.programme);
    s.columns = {{"plan"}, {"part"}, {"per device", "GiB", true}, {"per node", "GiB", true}};
    for (const CampaignPlan& each : in.plans) {
        const MemoryUse& use = each.estimate.worst();
        const int per_node = each.plan.machine.devices_per_node;
        const std::string name = each.plan.name.empty() ? each.plan.model.name : each.plan.name;
        const auto row = [&](const std::string& part, Bytes b) {
            s.rows.push_back({name, part, fixed(b / gibibyte, 2), fixed(per_node * (b / gibibyte), 2)});
        };
        for (const auto& part : memory_parts)
            if (use.*part.value > Bytes{}) row(std::string(part.label), use.*part.value);
        row("all", use.total());
        row("capacity", each.estimate.memory_limit);
        s.notes.push_back(name + ": the fullest pipeline stage reserves "
                          + percent(use.total() / each.estimate.memory_limit) + " of a device. "
                          + say_fit_verdict(each.estimate));
        if (const int least = least_nodes(each.plan); least > 0)
            s.notes.push_back(name + ": with this model parallelism it fits from " + counted(least, "node", "nodes")
                              + " on.");
    }
    s.notes.push_back("Predicted, not measured. Where ranks split the parts, each node holds its share.");
    return s;
}

Sheet storage_table(const ProposalInput& in, const Proposal& p) {
    Sheet s = sheet_of_two(in, "T09", "storage", "Input, output and storage");
    const CampaignPlan& first = in.plans.front();
    const Resilience& r = first.headline.resilience;
    const StorageRate most = writing(first.plan);
    const bool stated = first.plan.recipe.checkpoint_time > Seconds{};
    const int kept = in.campaign.checkpoints_kept;
    const auto row = [&](std::string what, double v, std::string unit, std::string how) {
        s.rows.push_back({std::move(what), cell_number(v), std::move(unit), std::move(how)});
    };
    const Printed data = printed(dataset_size(first.plan) / terabyte);
    const Printed size = printed(r.checkpoint_size / gigabyte);
    const Printed bound = printed(most.rate() / (gigabyte / second));
    const Printed time = stated ? printed(r.checkpoint / second) : printed(size.value / bound.value);
    const Printed rate = stated ? printed(size.value / time.value) : bound;
    const Printed scratch = printed(data.value + (kept + 1) * size.value / 1000);
    const Printed award_h = printed(in.programme.periods.months * 365.25 / 12 * 24);
    row("data set", data.value, "TB",
        say_count(tokens_of_run(first.plan.recipe)) + " tokens x " + std::to_string(bytes_of_token(first.plan.model))
            + " bytes");
    row("reading while training", first.headline.tokens_per_second / (token / second)
                                      * bytes_of_token(first.plan.model) / 1e6,
        "MB/s", "tokens per second x their size");
    row("checkpoint", size.value, "GB", "weights and states of the optimizer");
    row("checkpoints kept", kept, "", "the applicant's choice");
    row("time of writing one", time.value, "s",
        stated ? "stated in the plan; training stands still" : "checkpoint / rate; training stands still");
    row("rate of writing", rate.value, "GB/s",
        stated ? "checkpoint / time of writing one" : "the most that can be written");
    row("most that can be written", bound.value, "GB/s", say_bound(most, first.plan.machine));
    if (const std::string above = say_above(first.plan, r); !above.empty()) s.missing.push_back(above);
    row("interval", r.interval / hour, "h", r.optimal ? "from the failure rate (Young)" : "by the recipe");
    row("checkpoints written", first.headline.checkpoints, "", "in one run");
    row("files", double(writing_nodes(first.plan)) * first.plan.machine.devices_per_node, "per checkpoint",
        "one for each device that writes");
    row("scratch at the peak", scratch.value, "TB", "data set + (checkpoints kept + 1) x checkpoint");
    row("time that it is kept", award_h.value, "h", "all of the award");
    row("storage over time", scratch.value * award_h.value, "TB-hours",
        "scratch at the peak x time that it is kept; where the site weighs its file systems, times their factor");
    row("archive", p.campaign.storage_TB, "TB", "T03");
    row("transfer in", data.value, "TB", "the data set, once");
    row("transfer out", size.value / 1000, "TB", "the last checkpoint of a run");
    return s;
}

Sheet resilience_table(const ProposalInput& in) {
    Sheet s = sheet_of_two(in, "T10", "resilience", "Failures, checkpoints and restarts");
    for (const CampaignPlan& each : in.plans) {
        const Headline& h = each.headline;
        const Resilience& r = h.resilience;
        const Totals all = totals(each.plan, h, Counting::all), training = totals(each.plan, h, Counting::training);
        const std::string name = in.plans.size() > 1 ? each.plan.name + ": " : std::string();
        const auto row = [&](const std::string& what, double v, std::string unit, std::string how) {
            s.rows.push_back({name + what, cell_number(v), std::move(unit), std::move(how)});
        };
        row("time between failures of the job", r.mtbf / hour, "h",
            shortest(each.plan.machine.reliability.failures_per_1000_node_days)
                + " failures per 1000 node-days: "
                + source_of(each.plan.machine, "/reliability/failures_per_1000_node_days").text);
        row("interval of checkpoints", r.interval / minute, "min", "");
        row("writing one", r.checkpoint / second, "s", "");
        row("restart", r.restart / second, "s", "with loading the checkpoint");
        row("time lost to all of it", 100 * r.overhead.total(), "%", "checkpoints, lost work, restarts");
        s.rows.push_back({name + "failures expected", say_expected(h.failures), "",
                          "in one run: its time over the time between failures"});
        row("hours lost", all.node_hours - training.node_hours, "node-hours", "with the ends of jobs");
    }
    return s;
}

Sheet energy_table(const ProposalInput& in, const Proposal& p) {
    Sheet s = sheet_of_two(in, "T11", "energy", "Energy and carbon of the request");
    const CampaignPlan& first = in.plans.front();
    const Machine& m = first.plan.machine;
    const auto row = [&](std::string what, const std::string& v, std::string unit, std::string how) {
        s.rows.push_back({std::move(what), v, std::move(unit), std::move(how)});
    };
    const int nodes = nodes_used(first.plan);
    const Printed devices = printed(first.headline.device_power * double(first.plan.layout.devices) / kilowatt / nodes);
    const Printed node = printed(first.headline.facility_power / m.power.pue / kilowatt / nodes);
    const Printed hours = printed(p.campaign.node_hours()), pue = printed(m.power.pue);
    const Printed nodes_MWh = printed(node.value * hours.value / 1000), facility = printed(nodes_MWh.value * pue.value);
    row("power of a node's devices", devices.text, "kW", "modelled, while training");
    row("power of a node", node.text, "kW", "modelled, with host and network");
    row("node-hours", hours.text, "", "T02");
    row("energy of the devices", printed(devices.value * hours.value / 1000).text, "MWh", "kW x node-hours / 1000");
    row("energy of the nodes", nodes_MWh.text, "MWh", "kW x node-hours / 1000");
    row("PUE", pue.text, "", source_of(m, "/power/pue").text);
    row("energy of the facility", facility.text, "MWh", "energy of the nodes x PUE");
    const EnergyRule& rule = in.programme.energy;
    const auto grid = rule.grid_g_per_kWh > 0 ? std::optional(rule.grid_g_per_kWh) : m.grid_gCO2e_per_kWh;
    if (grid) {
        row("grid", printed(*grid).text, "g CO2e/kWh",
            rule.grid_g_per_kWh > 0 ? "by the programme" : source_of(m, "/grid_gCO2e_per_kWh").text);
        row("operational carbon", printed(facility.value * printed(*grid).value).text, "kg CO2e", "MWh x g/kWh");
    } else {
        row("operational carbon", "unknown", "kg CO2e", "no factor of the grid is stated");
        s.missing.push_back("the grid's factor is not stated");
    }
    if (m.embodied_gCO2e_per_node_hour)
        row("embodied carbon", printed(hours.value * *m.embodied_gCO2e_per_node_hour / 1000).text, "kg CO2e",
            shortest(*m.embodied_gCO2e_per_node_hour) + " g per node-hour");
    else if (rule.embodied_kg_per_unit == 0)
        row("embodied carbon", "unknown", "kg CO2e", "the operator published no share");
    if (rule.embodied_kg_per_unit > 0)
        row("embodied carbon, by the programme", printed(p.campaign.units * rule.embodied_kg_per_unit).text, "kg CO2e",
            units_text(p.campaign.units, p.unit) + " x " + shortest(rule.embodied_kg_per_unit) + " kg");
    if (rule.overhead * rule.plant > 1 || rule.node_kW_if_unmeasured > 0) {
        const Printed kW = rule.node_kW_if_unmeasured > 0 ? printed(rule.node_kW_if_unmeasured) : node;
        const Printed MWh = printed(kW.value * hours.value / 1000 * rule.overhead * rule.plant);
        row("energy by the programme's rule", MWh.text, "MWh",
            kW.text + " kW x " + hours.text + " node-hours / 1000 x " + shortest(rule.overhead) + " x "
                + shortest(rule.plant));
        if (grid)
            row("operational carbon by that rule", printed(MWh.value * printed(*grid).value).text, "kg CO2e",
                "MWh x g/kWh");
    }
    if (!rule.note.empty()) s.notes.push_back(rule.note);
    s.notes.push_back("Power is predicted by the cost model for the first plan and taken for all rows of T03.");
    return s;
}

namespace {

void add_inputs(Sheet& s, const Scenario& plan) {
    const Machine& m = plan.machine;
    const auto sourced = [&](const std::string& what, std::string value, const std::string& unit,
                             const std::string& pointer) {
        s.rows.push_back({what, std::move(value), unit, say(source_of(m, pointer))});
    };
    const double peak = m.device.peak(matrix_format(plan.recipe)) / (teraflop / second);
    const std::string format(name_of(matrix_format(plan.recipe)));
    sourced("peak of a device, " + format, cell_number(peak), "TFLOP/s", "/device/peak_TFLOPS/" + format);
    sourced("share of it that large products reach", cell_number(m.device.efficiency.gemm_ceiling), "",
            "/device/efficiency/gemm_ceiling");
    sourced("memory of a device", cell_number(m.device.memory / gibibyte), "GiB", "/device/memory_GiB");
    if (const int at = widest_level(plan); at >= 0)
        sourced("network of the " + m.levels[std::size_t(at)].name + ", of each device",
                cell_number(m.levels[std::size_t(at)].bandwidth / (gigabyte / second)), "GB/s",
                "/levels/" + std::to_string(at) + "/bandwidth_GBps");
    sourced("failures", cell_number(m.reliability.failures_per_1000_node_days), "per 1000 node-days",
            "/reliability/failures_per_1000_node_days");
    sourced("PUE", cell_number(m.power.pue), "", "/power/pue");
    if (tunes(plan.method))
        s.rows.push_back({"method", say_method(plan), "", "work is counted as " + say_flop_count(plan.method)});
    s.rows.push_back({"machine preset", m.id, "", "as of " + (m.as_of.empty() ? "no date" : m.as_of)});
    s.rows.push_back({"software", plan.stack.name, "", "preset " + plan.stack.id});
}

}  // namespace

Sheet assumption_table(const ProposalInput& in) {
    Sheet s = sheet_of_two(in, "T12", "assumptions", "Assumptions, range and what the request hangs on");
    const CampaignPlan& first = in.plans.front();
    add_inputs(s, first.plan);
    const ProposalBand band = in.bands.empty() ? ProposalBand{} : in.bands.front();
    if (band.time > 0) {
        const double step = first.estimate.step.total() / second;
        s.rows.push_back({"predicted step, range", significant(step / (1 + band.time), 4) + " to "
                                             + significant(step * (1 + band.time), 4), "s",
                          "two thirds of published runs like it"});
    } else {
        s.missing.push_back("no range of the prediction is known");
    }
    if (first.taken)
        s.rows.push_back({"step that is taken", significant(first.taken->taken / second, 4), "s",
                          first.taken->measured_on > 0 ? "measured (T03)" : "by anchors (T03)"});
    const auto bars = tornado(first.plan, TornadoOf::node_hours);
    for (std::size_t i = 0; i < bars.size() && i < 3; ++i)
        s.rows.push_back({"predicted node-hours with " + bars[i].what + " " + cell_number(bars[i].low_value) + " and "
                              + cell_number(bars[i].high_value),
                          cell_number(bars[i].at_low) + " and " + cell_number(bars[i].at_high), "", bars[i].ends});
    for (const Caution& c : cautions(first.plan)) s.notes.push_back("Mind: " + say(c));
    if (!band.words.empty()) s.notes.push_back(band.words);
    s.notes.push_back("Counted: training, checkpoints, failures, restarts, ends of jobs. Not counted: waiting in the "
                      "queue, slow nodes, data preparation, staff.");
    return s;
}

namespace {

Campaign predicted_campaign(const ProposalInput& in) {
    std::vector<CampaignPlan> plans = in.plans;
    for (CampaignPlan& p : plans)
        if (p.taken) p.headline = headline(p.plan, p.estimate);
    return campaign_of(in.programme, rate_of(in).value_or(1), plans, in.campaign);
}

}  // namespace

std::string hypothetical_machines(const ProposalInput& in) {
    std::vector<std::string> all;
    for (const CampaignPlan& each : in.plans)
        if (const std::string one = say_hypothetical(each.plan); !one.empty())
            all.push_back(in.plans.size() > 1 ? each.plan.name + ": " + one : one);
    return joined(all, " ");
}

Proposal proposal_of(const ProposalInput& in) {
    Proposal p;
    p.unit = unit_name(in.programme, in.plans.front().plan.machine);
    p.campaign = campaign_of(in.programme, rate_of(in).value_or(1), in.plans, in.campaign);
    p.predicted = predicted_campaign(in);
    p.award = in.award.value_or(p.campaign.units);
    p.strong = scaling_of(in.measured, ScalingKind::strong);
    p.weak = scaling_of(in.measured, ScalingKind::weak);
    p.checkpoints = burn_down(p.campaign, in.programme, in.start, p.award);
    p.tables = {request_table(in, p), conversion_table(in, p), runs_table(in, p),    job_table(in, p),
                scaling_table(in, p.strong), scaling_table(in, p.weak), model_table(in, p), memory_table(in),
                storage_table(in, p), resilience_table(in), energy_table(in, p), assumption_table(in)};
    if (const std::string changed = hypothetical_machines(in); !changed.empty())
        for (Sheet& s : p.tables) s.notes.push_back(changed);
    return p;
}

}  // namespace plimsoll
