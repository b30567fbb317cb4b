#include "app/commands/calibrate/report.h"

#include "app/commands/tables.h"
#include "core/answers/plan/headline.h"
#include "core/values/knobs/wording.h"

#include <cstdio>

namespace plimsoll {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string_view role_text(Role role) {
    constexpr std::string_view texts[] = {"measured", "fitted", "held back", "extra"};
    return texts[std::size_t(role)];
}

std::string digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string between(Seconds low, Seconds high) { return std::string(say(low)).append(" to ").append(say(high)); }

Rows proof_rows(const Calibration& c) {
    Rows rows{{"layout", "role", "predicted", "90 %", "measured", "95 %", "error", "inside", "memory predicted", "measured", "error"}};
    for (const ProofRow& r : c.proof) {
        std::vector<std::string> row{r.label, r.held_out ? "held back" : "fitted", say(r.predicted), between(r.predicted_low, r.predicted_high)};
        if (!r.has_run()) row.insert(row.end(), {"did not run", "", "", "", say(r.memory_predicted), "", ""});
        else row.insert(row.end(), {say(r.measured), between(r.measured_low, r.measured_high), signed_percent(r.error()),
                                    r.measured >= r.predicted_low && r.measured <= r.predicted_high ? "yes" : "no", say(r.memory_predicted),
                                    r.memory_measured > Bytes{} ? say(r.memory_measured) : "", r.memory_measured > Bytes{} ? signed_percent(r.memory_error()) : ""});
        rows.push_back(std::move(row));
    }
    return rows;
}

Rows constant_rows(const Calibration& c) {
    Rows rows{{"constant", "was", "measured", "95 % from", "to", "from"}};
    for (const MeasuredConstant& m : c.constants) rows.push_back({m.pointer, digits(m.before), digits(m.value), digits(m.low), digits(m.high), m.experiment});
    return rows;
}

std::string score_text(const Calibration& c) {
    const ProofScore score = score_of(c);
    if (score.rows == 0) return "Nothing was held back that counts: no error can be stated.\n";
    return std::string("Mean absolute error of ").append(std::to_string(score.rows)).append(score.rows == 1 ? " layout" : " layouts")
        .append(" held back: ").append(fixed(100 * score.time, 1)).append(" % of the step, ").append(fixed(100 * score.memory, 1)).append(" % of the memory.\n");
}

}  // namespace

std::string say_plan(const ExperimentPlan& plan) {
    Rows runs{{"run", "what", "role", "ranks", "seconds", ""}};
    for (const PlannedRun& r : plan.runs)
        runs.push_back({r.id, r.label, std::string(role_text(r.role)), std::to_string(r.ranks), fixed(r.expected / second, 1), r.caution});
    Rows constants{{"constant", "told by", "what it decides, or why it stays as it is"}};
    for (const PlannedConstant& c : plan.constants) constants.push_back({c.label, c.measured() ? c.experiment : "assumed", c.why});
    return say_subject(plan).append("\n\n").append(table(runs)).append("\n").append(table(constants)).append("\n")
        .append(std::to_string(plan.runs.size())).append(" runs on ").append(std::to_string(plan.ranks)).append(" ranks, about ")
        .append(say(plan.expected())).append(" altogether. Nothing has been run.\n");
}

std::string progress_of(const CalibrationLog& log, const EngineEvent& event) {
    if (const auto* begun = std::get_if<EngineExperiment>(&event))
        return std::string("[").append(std::to_string(begun->number)).append("/").append(std::to_string(begun->of)).append("] ").append(begun->label)
            .append(begun->resumed ? ": taken over\n" : begun->fair ? "\n" : ": more ranks than cores, not counted\n");
    if (const auto* p = std::get_if<EnginePrediction>(&event))
        return std::string("      predicted ").append(p->id).append(": ").append(say(p->step)).append(" (").append(between(p->low, p->high)).append(")\n");
    if (const auto* ended = std::get_if<EngineRunEnd>(&event); ended && !log.measurements.runs.empty() && ended->experiment == log.measurements.runs.back().id) {
        const StepSummary s = summary_of(log.measurements.runs.back());
        return s.steps == 0 ? "" : std::string("      measured ").append(say(s.median)).append(" a step").append(s.disturbed() ? ", disturbed\n" : "\n");
    }
    if (const auto* note = std::get_if<EngineNote>(&event)) return std::string(note->error ? "error: " : "warning: ").append(note->text).append("\n");
    return {};
}

namespace {

std::string codec_text(const Calibration& c) {
    if (c.codecs.empty()) return {};
    std::vector<std::vector<std::string>> rows{{"with a codec", "fewer bytes", "step", "without", "loss", "steps"}};
    for (const CodecTrial& t : c.codecs)
        rows.push_back({t.label, fixed(t.ratio, 2).append(" x"), say(t.step), say(t.step_without), std::string(t.loss_change < 0 ? "" : "+").append(fixed(t.loss_change, 4)),
                        std::to_string(t.steps) + (t.contended ? ", disturbed" : "")});
    return std::string("\n").append(table(rows)).append("\n");
}

}  // namespace

namespace {

// Without any measurement the model's columns alone.
Rows energy_rows(const EnergyEvidence& e) {
    Rows rows{{"energy of a step", "modelled: devices", "modelled: hosts"}};
    if (e.measured()) rows[0].insert(rows[0].end(), {"measured", "steps", "of", "measured / modelled"});
    for (const LayoutEnergy& l : e.layouts) {
        std::vector<std::string> row{l.label, say(l.devices), say(l.hosts)};
        if (l.measured)
            row.insert(row.end(), {say(*l.measured), std::to_string(l.steps), std::string(l.scope).append(" (").append(l.source).append(")"),
                                    fixed(*l.measured / l.modelled(), 2).append(l.covers_hosts() ? ", with hosts" : ", devices")});
        else if (e.measured()) row.insert(row.end(), {"no", "", "", ""});
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string energy_text(const EnergyEvidence& e) {
    std::string text = std::string("Energy: ").append(headline(e)).append("\n");
    for (const std::string& source : say_sources(e)) text.append("  ").append(source).append("\n");
    if (!e.job.empty()) text.append(e.job).append("\n");
    if (!e.layouts.empty()) text.append("\n").append(table(energy_rows(e))).append(say_model(e)).append("\n");
    return text;
}

}  // namespace

std::string say_result(const Calibration& c, const EnergyEvidence& energy) {
    std::string text = std::string(c.host).append("; ").append(c.software).append("\n\n").append(table(constant_rows(c))).append("\n").append(table(proof_rows(c)))
                           .append("\n").append(score_text(c)).append(codec_text(c));
    for (const ProofRow& r : c.proof)
        if (!r.caution.empty()) text.append("Not counted: ").append(r.label).append(": ").append(r.caution).append(".\n");
    for (const std::string& caution : c.cautions) text.append("Caution: ").append(caution).append(c.cautions.empty() || caution.ends_with(".") ? "\n" : ".\n");
    for (const std::string& each : c.assumed) text.append("Assumed: ").append(each).append(each.ends_with(".") ? "\n" : ".\n");
    return text.append(energy.empty() ? std::string("Energy: ").append(c.energy).append("\n") : energy_text(energy));
}

}  // namespace plimsoll
