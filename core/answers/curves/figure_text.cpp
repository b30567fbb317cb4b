#include "core/answers/curves/figures.h"

#include "core/answers/plan/by_kind.h"
#include "core/values/knobs/provenance.h"
#include "core/values/knobs/wording.h"
#include "core/values/basics/csv.h"

#include <algorithm>
#include <set>

namespace plimsoll {
namespace {

constexpr const char* never_counted = "queue waiting, data staging, evaluation and trial runs";
constexpr const char* at_choice = "failures, checkpoints, restarts and the ends of jobs";

// ---- Captions

std::string over_nodes(const Figure& f) {
    const bool hollow = std::any_of(f.series.begin(), f.series.end(), [](const Series& s) {
        return std::find(s.fits.begin(), s.fits.end(), false) != s.fits.end();
    });
    const bool searched = std::any_of(f.series.begin(), f.series.end(), [](const Series& s) { return s.id == "best"; });
    return std::string("Global batch and model parallelism stay, data parallelism grows with the ") +
           (f.x.label == "Devices" ? "devices. " : "nodes. ") +
           (hollow ? "Hollow marks need more than the device memory. " : "") +
           (searched ? "The best layout is searched for at each node count, among those that fit. " : "");
}

// "M: Mamba-2 alone, 23 layers; E: ...".
std::string said_of_kinds(const Model& m) {
    std::string text;
    for (const KindCost& k : kinds_in_words(m))
        text += (text.empty() ? "" : "; ") + std::string(1, k.letter) + ": " + k.name + ", " + std::to_string(k.layers)
              + (k.layers == 1 ? " layer" : " layers");
    return text + ". ";
}

std::string shown(const Figure& f, const Scenario& s, const Estimate& e) {
    if (f.id == "time-vs-nodes")
        return "Modelled time to train " + say_count(tokens_of_run(s.recipe)) + " tokens. " + over_nodes(f) +
               "The dashed line is perfect scaling from the smallest plan that fits. ";
    if (f.id == "step-breakdown")
        return "Modelled time of one optimizer step, " + say(e.step.total()) + ", as pipeline stage "
             + std::to_string(e.busiest_stage + 1) + " of " + std::to_string(e.stages.size())
             + ", the busiest, sees it. ";
    if (f.id == "step-vs-nodes") return "Share of each part in the modelled step time. " + over_nodes(f);
    if (f.id == "memory-per-stage")
        return "Modelled peak memory of one device of each pipeline stage; stage " + std::to_string(e.worst_stage + 1) +
               " needs most, " + say(e.worst().total()) + " of " + say(e.memory_limit) + ". ";
    if (f.id == "step-by-kind")
        return "Modelled time of one optimizer step in the layers of each kind on pipeline stage "
             + std::to_string(e.busiest_stage + 1) + ", the busiest: both passes, with what they wait for inside "
               "layers. " + said_of_kinds(s.model);
    if (f.id == "memory-by-kind")
        return "Modelled memory that the layers of each kind hold on a device of pipeline stage "
             + std::to_string(e.worst_stage + 1) + ", which needs most. " + said_of_kinds(s.model);
    if (f.id == "checkpoint-tradeoff") return checkpoint_caption(s);
    if (f.id == "energy-vs-nodes")
        return "Modelled energy of the run. Facility adds hosts, network and cooling (PUE " +
               say_count(s.machine.power.pue) + ") to the devices. " + over_nodes(f);
    if (f.id == "power-vs-nodes")
        return "Modelled average power while training. Facility adds hosts, network and cooling (PUE " +
               say_count(s.machine.power.pue) + ") to the devices. " + over_nodes(f);
    if (f.id == "node-hours-vs-nodes")
        return "Modelled node-hours to train " + say_count(tokens_of_run(s.recipe)) + " tokens. " + over_nodes(f);
    return "Parallel efficiency is node-time against the smallest plan that fits; MFU is model FLOP per second over "
           "the devices' peak. " + over_nodes(f);
}

// ---- CSV

// "Part of the step" -> part_of_the_step; the unit follows.
std::string column(std::string name, const std::string& unit) {
    for (char& c : name)
        c = c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (unit.empty()) return name;
    return name + '_' + (unit == "%" ? "percent" : unit);
}

// Everything in `x` of any series, ascending: the rows.
std::vector<double> rows_of(const Figure& f) {
    std::set<double> x;
    for (const Series& s : f.series) x.insert(s.x.begin(), s.x.end());
    return {x.begin(), x.end()};
}

void put_value(CsvRow& row, const Series& s, double x) {
    if (s.mark == Mark::limit) {
        s.y.empty() ? row.empty() : row.number(s.y.front());
        return;
    }
    const auto at = std::find(s.x.begin(), s.x.end(), x) - s.x.begin();
    const bool band = s.mark == Mark::band;
    if (at == std::ssize(s.x)) {
        row.empty(band ? 2 : 1);
        return;
    }
    row.number(s.y[at]);
    if (band) row.number(s.high[at]);
}

const Series* with_fits(const Figure& f) {
    const auto found = std::find_if(f.series.begin(), f.series.end(), [](const Series& s) { return !s.fits.empty(); });
    return found == f.series.end() ? nullptr : &*found;
}

std::string header(const Figure& f) {
    CsvRow row;
    row.text(column(f.x.label, f.x.unit));
    for (const Series& s : f.series)
        if (s.mark == Mark::band) row.text(column(s.id + "_low", f.y.unit)).text(column(s.id + "_high", f.y.unit));
        else row.text(column(s.id, f.y.unit));
    if (with_fits(f)) row.text("fits");
    return row.line();
}

void put_x(CsvRow& row, const Figure& f, double x) {
    if (f.categories.empty()) row.number(x);
    else row.text(f.categories[static_cast<std::size_t>(x)]);
}

std::string values_at(const Figure& f, double x) {
    CsvRow row;
    put_x(row, f, x);
    for (const Series& s : f.series) put_value(row, s, x);
    if (const Series* s = with_fits(f)) {
        const auto at = std::find(s->x.begin(), s->x.end(), x);
        if (at == s->x.end()) row.empty();
        else row.truth(s->fits[at - s->x.begin()]);
    }
    return row.line();
}

// Named points share no x: each has a row of its own, with its series, and the ends of its interval where the figure
// has any.
std::string point_rows(const Figure& f) {
    const bool intervals = std::any_of(f.series.begin(), f.series.end(), [](const Series& s) {
        return s.has_named_points() && !s.low.empty();
    });
    CsvRow names;
    names.text("series").text("name").text(column(f.x.label, f.x.unit)).text(column(f.y.label, f.y.unit));
    if (intervals) names.text(column(f.y.label + "_low", f.y.unit)).text(column(f.y.label + "_high", f.y.unit));
    std::string text = names.line();
    for (const Series& s : f.series)
        for (std::size_t i = 0; s.has_named_points() && i < s.names.size(); ++i) {
            CsvRow row;
            row.text(s.id).text(s.names[i]);
            put_x(row, f, s.x[i]);
            row.number(s.y[i]);
            if (intervals && i < s.low.size() && i < s.high.size()) row.number(s.low[i]).number(s.high[i]);
            else if (intervals) row.empty(2);
            text += row.line();
        }
    return text;
}


// ---- All captions together

bool has_measurements(const std::vector<Figure>& figures) {
    const auto is_measured = [](const Series& s) { return s.id.starts_with("measured"); };
    return std::any_of(figures.begin(), figures.end(), [&](const Figure& f) {
        return f.id.starts_with("calibration-") || std::any_of(f.series.begin(), f.series.end(), is_measured);
    });
}

std::string preset_line(const char* what, const std::string& name, const std::string& as_of) {
    return std::string("  ") + what + ": " + name + (as_of.empty() ? "" : " (as of " + as_of + ")") + '\n';
}

// Each source once, with what it is, in the order of the presets' pointers.
std::string sources_of(const Scenario& s) {
    std::set<std::string> seen;
    std::string text;
    for (const Sources* sources : {&s.model.sources, &s.machine.sources, &s.stack.sources})
        for (const auto& [pointer, source] : *sources)
            if (!source.text.empty() && !is_own(source) && seen.insert(source.text).second)
                text += "  - " + source.text + '\n';
    return text.empty() ? "" : "\nSources\n" + text;
}

}  // namespace

bool is_of_points(const Figure& f) {
    const auto any = [&](auto&& is) {
        return std::any_of(f.series.begin(), f.series.end(), [&](const Series& s) { return is(s) && !s.y.empty(); });
    };
    return any([](const Series& s) { return s.has_named_points(); })
        && !any([](const Series& s) { return s.mark == Mark::line; });
}

std::string caption_of(const Figure& f, const Scenario& s, const Estimate& e, bool all) {
    const bool whole_run = f.id == "time-vs-nodes" || f.id == "energy-vs-nodes" || f.id == "node-hours-vs-nodes";
    std::string text = shown(f, s, e) + say_plan(s) + '.';
    if (!whole_run) return text;
    return text + (all ? std::string(" Counted: ") + at_choice + ". Not counted: " + never_counted
                       : std::string(" Not counted: ") + at_choice + ", " + never_counted)
         + '.';
}

std::string to_csv(const Figure& f, const Scenario& s) {
    std::string text = csv_comment(f.title + (f.y.unit.empty() ? "" : " (" + f.y.unit + ")"));
    if (!s.name.empty()) text += csv_comment("Scenario: " + s.name);
    text += csv_comment(f.caption.empty() ? "Plan: " + say_plan(s) : f.caption);
    const std::string changed = say_hypothetical(s);
    if (!changed.empty() && text.find("ypothetical machine") == text.npos) text += csv_comment(changed);
    if (is_of_points(f)) return text + point_rows(f);
    text += header(f);
    for (double x : rows_of(f)) text += values_at(f, x);
    return text;
}

std::string captions(const std::vector<Figure>& figures, const Scenario& s) {
    std::string text = s.name.empty() ? "Figures\n" : s.name + '\n';
    text += "\nPlan\n  " + say_plan(s) + ".\n";
    text += preset_line("Model", s.model.name, s.model.as_of) + preset_line("Machine", s.machine.name, s.machine.as_of)
          + preset_line("Software", s.stack.name, s.stack.as_of);
    text +=
        "\nCounted\n  steps of the whole run on all nodes of the plan; energy of devices, hosts, network and cooling\n";
    text += std::string("\nCounted where a caption says so\n  ") + at_choice + "\n";
    text += std::string("\nNot counted\n  ") + never_counted + "\n";
    text += has_measurements(figures) ? "\nValues are modelled, but for those that are called measured.\n"
                                      : "\nAll values are modelled, none is a measurement.\n";
    for (const Figure& f : figures) text += '\n' + f.id + ": " + f.title + '\n' + "  " + f.caption + '\n';
    return text + sources_of(s);
}

}  // namespace plimsoll
