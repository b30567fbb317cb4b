#include "core/evidence/calibration/proof/record.h"

#include "core/values/knobs/wording.h"
#include "core/values/basics/names.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace plimsoll {

namespace {

constexpr double most_contended = 0.5;   // of all points
constexpr double most_disturbed =
    1 / 3.0;  // of the layouts held back: the rest still test the prediction, and the table marks which do not
constexpr std::string_view removed = "(removed)";

bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)); }

// "/disk/x", "~/run", "C:\\x", "data/sets/own"; not "FLOP/s", nor the kernel's own files, which are the same
// everywhere.
bool is_path(std::string_view word) {
    for (const std::string_view kernel : {"/sys/", "sys/", "/proc/", "proc/"})
        if (word.starts_with(kernel)) return false;
    if (word.find('\\') != word.npos) return true;
    if (word.size() > 1 && (word[0] == '/' || word.starts_with("~/"))) return true;
    return std::count(word.begin(), word.end(), '/') > 1;
}

// "node7.cluster.example", "10.0.0.7"; not "0.3.21" nor "v4.1.4".
bool is_address(std::string_view word) {
    const auto dots = std::count(word.begin(), word.end(), '.');
    const bool digits = std::all_of(word.begin(), word.end(),
                                    [](char c) { return c == '.' || std::isdigit(static_cast<unsigned char>(c)); });
    if (digits) return dots == 3;
    const auto last = word.rfind('.');
    return dots >= 2 && word.size() > last + 2
        && std::all_of(word.begin() + std::ptrdiff_t(last) + 1, word.end(), letter);
}

bool is_account(std::string_view word) {
    const auto at = word.find('@');
    return at != word.npos && at > 0 && at + 1 < word.size();
}

bool tells(std::string_view word, const std::vector<std::string>& names) {
    const auto begin = word.find_first_not_of("\"'(["), end = word.find_last_not_of("\"')],.;:");
    if (begin == word.npos || end == word.npos || end < begin) return false;
    const std::string_view bare = word.substr(begin, end - begin + 1);
    return is_path(bare) || is_address(bare) || is_account(bare)
        || std::find(names.begin(), names.end(), bare) != names.end();
}

// Of the nodes the runs were placed on.
std::vector<std::string> node_names(const Measurements& m) {
    std::vector<std::string> names;
    for (const TrainingRun& run : m.runs)
        for (const EngineRank& rank : run.layout.grid)
            if (rank.node.find_first_not_of("0123456789") != std::string::npos) names.push_back(rank.node);
    return names;
}

// A rate above what the base states moves the bandwidth instead of the share of it that is reached.
std::string stated_rate(const PlannedConstant& planned) {
    const std::string& pointer = planned.pointer;
    constexpr std::string_view share = "/efficiency", attention = "/device/efficiency/flash_";
    // Plans of earlier versions promised the engine's kernel as the device's.
    if (planned.experiment == "attention" && pointer.starts_with(attention))
        return std::string("stack/flash_").append(pointer.substr(attention.size())).append("_scale");
    if (pointer == "/device/efficiency/stream_fraction") return "/device/bandwidth_GBps";
    return pointer.ends_with(share) ? pointer.substr(0, pointer.size() - share.size()) + "/bandwidth_GBps" : pointer;
}

bool was_measured(const Calibrated& c, const PlannedConstant& planned) {
    const std::string& pointer = planned.pointer;
    const std::string instead = stated_rate(planned);
    if (std::any_of(c.experiments.begin(), c.experiments.end(), [&](const Experiment& e) { return e.id == pointer; }))
        return true;  // told, not a number of the preset
    return std::any_of(c.constants.begin(), c.constants.end(),
                       [&](const MeasuredConstant& m) { return m.pointer == pointer || m.pointer == instead; });
}

std::vector<std::string> assumed(const ExperimentPlan& plan, const Calibrated& c) {
    std::vector<std::string> all;
    for (const PlannedConstant& p : plan.constants) {
        if (was_measured(c, p)) continue;   // promised or not
        if (p.experiment == library_attention_id) continue;   // the engine says why, in a sentence of the log
        all.push_back(std::string(p.label).append(": ").append(
            p.measured() ? "its experiment gave no point that could be used" : p.why));
    }
    return all;
}

struct Contention { std::size_t disturbed = 0, all = 0; };

Contention contention_of(const std::vector<Experiment>& experiments) {
    Contention c;
    for (const Experiment& e : experiments) {
        c.all += e.points.size();
        c.disturbed += std::size_t(
            std::count_if(e.points.begin(), e.points.end(), [](const MeasuredPoint& p) { return p.contended; }));
    }
    return c;
}

constexpr double drifting = 0.04;   // twice what two visits of a layout usually differ by

// A layout that the fit saw once more at the end: whether the machine is still what was fitted.
std::string drift_of(const ExperimentPlan& plan, const Measurements& m) {
    for (const PlannedRun& run : plan.runs) {
        if (run.role != Role::extra || run.repeats.empty()) continue;
        Visits before, after;
        for (const PlannedRun& first : plan.runs)
            if (first.id == run.repeats) before = complete_visits(plan, first, m);
        for (const TrainingRun& ran : m.runs)
            if (ran.id == run.id && ran.complete) after.push_back(&ran);
        if (before.empty() || after.empty()) continue;
        const double slower = summary_of(after).median / summary_of(before).median - 1;
        if (std::abs(slower) > drifting)
            return std::string("\"").append(run.label).append("\" took ").append(percent(std::abs(slower), 0))
                .append(slower > 0 ? " longer" : " less")
                .append(" at the end than when the constants were fitted: the machine drifted meanwhile, and the "
                        "errors of the layouts held back have it in them");
    }
    return {};
}

// Where a layout has fewer than six steps, what is called its interval of 95 % is the range of all of them.
std::string short_of_steps(const ExperimentPlan& plan, const Measurements& m) {
    double least = 1;
    for (const PlannedRun& run : plan.runs)
        if ((run.role == Role::fit || run.role == Role::held_out) && run.repeats.empty())
            if (const StepSummary s = summary_of(complete_visits(plan, run, m)); s.steps > 0)
                least = std::min(least, s.confidence);
    if (least >= 0.95) return {};
    return std::string("layouts of few steps have the range of all of them as interval, which holds the median with ")
        .append(percent(least, 0))
        .append(" rather than 95 %");
}

std::vector<std::string> cautions(const Calibrated& c, const std::vector<ProofRow>& proof) {
    std::vector<std::string> all = c.cautions;
    if (const Contention k = contention_of(c.experiments); k.disturbed)
        all.push_back(std::to_string(k.disturbed).append(" of ").append(counted(k.all, "point was", "points were"))
                          .append(" measured while somebody else had the processor, and left out of the fit"));
    const auto idle =
        std::count_if(proof.begin(), proof.end(), [](const ProofRow& r) { return r.held_out && !r.has_run(); });
    if (idle)
        all.push_back(
            counted(idle, "layout that was", "layouts that were").append(" held back did not run to the end"));
    return all;
}

std::string energy_of(const Measurements& m) {
    std::size_t with = 0, all = 0;
    for (const TrainingRun& run : m.runs)
        for (const EngineStep& step : run.steps) {
            ++all;
            with += step.energy.has_value();
        }
    if (!with) return "Unavailable: no energy counter can be read on this machine, so joules stay estimates.";
    return std::string("Measured by the machine's own counters in ")
        .append(std::to_string(with))
        .append(" of ")
        .append(counted(all, "step.", "steps."));
}

// Of the training layouts, which all have one.
std::string precision_of(const ExperimentPlan& plan) {
    for (const PlannedRun& run : plan.runs)
        if (run.role == Role::fit || run.role == Role::held_out) return std::string(name_of(run.plan.recipe.precision));
    return {};
}

void scrub(std::vector<std::string>& texts, const std::vector<std::string>& names) {
    for (std::string& text : texts) text = scrubbed(text, names);
}

}  // namespace

std::string scrubbed(std::string_view text, const std::vector<std::string>& names) {
    std::string all;
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of(" \t\r\n"), text.size());
        const std::string_view word = text.substr(0, end);
        if (!word.empty()) all.append(all.empty() ? "" : " ").append(tells(word, names) ? removed : word);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return all;
}

namespace {

// "8 NVIDIA H200 of 140 GiB beside "; nothing where the processor is the device.
std::string devices_of(int node, const std::vector<EngineDevice>& devices) {
    std::map<std::string, std::size_t> kinds;
    for (const EngineDevice& d : devices) {
        if (d.node != node || d.name.empty()) continue;
        std::string kind = scrubbed(d.name);
        if (d.memory > Bytes{}) kind.append(" of ").append(say(d.memory));
        ++kinds[kind];
    }
    std::string all;
    for (const auto& [kind, count] : kinds) {
        if (!all.empty()) all += " and ";
        if (count > 1) all.append(std::to_string(count)).append(" ");
        all += kind;
    }
    return all.empty() ? all : all.append(" beside ");
}

}  // namespace

std::string describe(const std::vector<EngineHardware>& nodes, const std::vector<EngineDevice>& devices) {
    std::map<std::string, std::size_t> kinds;
    int node = 0;
    for (const EngineHardware& n : nodes) {
        std::string kind = devices_of(node++, devices).append(scrubbed(n.cpu));
        if (n.cores > 0) kind.append(kind.empty() ? "" : ", ").append(counted(n.cores, "core", "cores"));
        if (n.memory > Bytes{}) kind.append(kind.empty() ? "" : ", ").append(say(n.memory));
        ++kinds[kind];
    }
    std::string all;
    for (const auto& [kind, count] : kinds) {
        if (!all.empty()) all += "; ";
        if (count > 1) all.append(std::to_string(count)).append(" nodes of ");
        all += kind;
    }
    return all;
}

Calibration record_of(const ExperimentPlan& plan, const Calibrated& calibrated, const std::vector<ProofRow>& proof,
                      const Measurements& measured, const RecordContext& context) {
    const auto names = node_names(measured);
    Calibration c;
    c.based_on = plan.machine.id;
    c.codecs = calibrated.codecs;
    c.stack = plan.engine.id;
    c.date = context.date;
    c.host = describe(measured.nodes, measured.devices);
    c.software = scrubbed(context.software, names);
    c.precision = precision_of(plan);
    c.prediction_hash = context.prediction_hash;
    c.experiments = calibrated.experiments;
    c.constants = calibrated.constants;
    c.proof = proof;
    c.assumed = assumed(plan, calibrated);
    c.cautions = cautions(calibrated, proof);
    for (std::string text : {drift_of(plan, measured), short_of_steps(plan, measured)})
        if (!text.empty()) c.cautions.push_back(std::move(text));
    c.energy = scrubbed(context.energy.empty() ? energy_of(measured) : context.energy, names);
    scrub(c.assumed, names);
    scrub(c.cautions, names);
    for (ProofRow& row : c.proof) row.caution = scrubbed(row.caution, names);
    for (Experiment& e : c.experiments)
        std::stable_sort(e.points.begin(), e.points.end(),
                         [](const MeasuredPoint& a, const MeasuredPoint& b) { return a.size < b.size; });
    return c;
}

std::optional<std::string> refusal(const Calibration& c) {
    const Contention k = contention_of(c.experiments);
    if (double(k.disturbed) > most_contended * double(k.all))
        return phrase("{1} of {2} measured while somebody else had the processor: measure again when the machine is "
                      "free.",
                      k.disturbed, numbered((long long)k.all, "point was", "points were"));
    std::size_t disturbed = 0, held_back = 0;
    for (const ProofRow& row : c.proof)
        if (row.held_out && row.fair && row.has_run()) {
            ++held_back;
            disturbed += row.contended;
        }
    if (double(disturbed) > most_disturbed * double(held_back))
        return phrase("{1} of {2} held back to test the prediction ran while something disturbed them: measure again "
                      "when the machine is free.",
                      disturbed, numbered((long long)held_back, "layout", "layouts"));
    return std::nullopt;
}

}  // namespace plimsoll
