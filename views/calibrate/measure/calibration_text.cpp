#include "views/calibrate/measure/calibration_text.h"

#include "core/evidence/calibration/proof/constant_names.h"
#include "core/evidence/calibration/proof/evidence.h"
#include "core/answers/explain/wording.h"
#include "views/plan/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace plimsoll {

namespace {

struct Words { Q_DECLARE_TR_FUNCTIONS(CalibrationText) };
QString tr(const char* text) { return Words::tr(text); }

QString role_text(Role role) {
    switch (role) {
        case Role::measure: return tr("measured");
        case Role::fit: return tr("fitted to");
        case Role::held_out: return tr("held back");
        case Role::extra: return tr("extra");
    }
    return {};
}

QString digits(double value) { return QLocale::c().toString(value, 'g', 4); }
QString per_cent(double share) { return QLocale::c().toString(100 * share, 'f', 1) + QStringLiteral(" %"); }
QString signed_per_cent(double share) { return (share > 0 ? QStringLiteral("+") : QString()) + per_cent(share); }
QString between(Seconds low, Seconds high) { return tr("%1 to %2").arg(to_qt(say(low)), to_qt(say(high))); }

QString label_of_run(const ExperimentPlan& plan, const std::string& id) {
    for (const PlannedRun& run : plan.runs)
        if (run.id == id) return to_qt(run.label);
    return to_qt(id);
}

const Experiment* experiment_of(const Calibration& c, const std::string& id) {
    const auto at = std::find_if(c.experiments.begin(), c.experiments.end(), [&](const Experiment& e) { return e.id == id; });
    return at == c.experiments.end() ? nullptr : &*at;
}

QString evidence_text(const Calibration& c, const MeasuredConstant& m) {
    const Experiment* e = experiment_of(c, m.experiment);
    if (!e) return tr("steps of layouts that fit");
    const auto used = std::count_if(e->points.begin(), e->points.end(), [](const MeasuredPoint& p) { return !p.contended; });
    return tr("%1, %2 points").arg(to_qt(e->label)).arg(used);
}

QString inside_text(const ProofRow& r) { return r.measured >= r.predicted_low && r.measured <= r.predicted_high ? tr("yes") : tr("no"); }

QString role_of(const ProofRow& r) {
    if (!r.held_out) return tr("fitted to");
    if (!r.fair) return tr("not counted");
    return r.contended ? tr("disturbed") : tr("held back");
}

}  // namespace

QStringList planned_run_headings() { return {tr("Run"), tr("Role"), tr("Ranks"), tr("Expected"), tr("Remark")}; }

TextRows planned_run_rows(const ExperimentPlan& plan) {
    TextRows rows;
    for (const PlannedRun& run : plan.runs)
        rows.push_back({to_qt(run.label), role_text(run.role), QString::number(run.ranks), to_qt(say(run.expected)), to_qt(run.caution)});
    return rows;
}

QStringList planned_constant_headings() { return {tr("Number"), tr("Told by"), tr("What it decides, or why it stays assumed")}; }

TextRows planned_constant_rows(const ExperimentPlan& plan) {
    TextRows rows;
    for (const PlannedConstant& c : plan.constants)
        rows.push_back({to_qt(c.label), c.measured() ? label_of_run(plan, c.experiment) : tr("stays assumed"), to_qt(c.why)});
    return rows;
}

QString say_planned(const ExperimentPlan& plan) {
    const auto measured = std::count_if(plan.constants.begin(), plan.constants.end(), [](const PlannedConstant& c) { return c.measured(); });
    return tr("%1 runs on %2 ranks, about %3. %4 numbers will be measured, %5 stay assumed.")
        .arg(plan.runs.size()).arg(plan.ranks).arg(to_qt(say(plan.expected()))).arg(measured).arg(std::ssize(plan.constants) - measured);
}

QString say_going(const CalibrationLog& log, const ExperimentPlan& plan, Seconds elapsed) {
    const QString time = tr("%1 of about %2").arg(to_qt(say(elapsed)), to_qt(say(plan.expected())));
    if (log.experiments.empty()) return tr("Starting on %1 ranks...").arg(plan.ranks);
    const EngineExperiment& e = log.experiments.back().said;
    return tr("Run %1 of %2: %3 (%4)").arg(e.number).arg(e.of).arg(to_qt(e.label), time);
}

double share_done(const CalibrationLog& log, const ExperimentPlan& plan) {
    Seconds done;
    for (const ExperimentState& e : log.experiments)
        done += e.ended ? e.said.expected : min(e.said.expected, e.last - e.began);
    return plan.expected() > Seconds{} ? std::clamp(done / plan.expected(), 0.0, 1.0) : 0;
}

QString say_contention(const CalibrationLog& log) {
    const auto& points = log.measurements.points;
    const auto disturbed = std::count_if(points.begin(), points.end(), [](const BenchPoint& p) { return p.contended(); });
    long steps = 0;
    for (const TrainingRun& run : log.measurements.runs)
        steps += std::count_if(run.steps.begin(), run.steps.end(), [](const EngineStep& s) { return std::find(s.quality.begin(), s.quality.end(), "contended") != s.quality.end(); });
    if (disturbed == 0 && steps == 0) return {};
    return tr("Somebody else uses this computer: %1 points and %2 steps were disturbed and will not be averaged in.").arg(disturbed).arg(steps);
}

QString headline_of(const Calibration& c) {
    const ProofScore score = score_of(c);
    if (score.rows == 0) return tr("No layout that was held back counts: no error can be stated.");
    QString text = score.rows == 1 ? tr("Mean absolute error %1 over 1 layout held back").arg(per_cent(score.time))
                                   : tr("Mean absolute error %1 over %2 layouts held back").arg(per_cent(score.time)).arg(score.rows);
    if (score.memory > 0) text += tr("; of memory %1").arg(per_cent(score.memory));
    return text;
}

QStringList constant_headings() { return {tr("Number"), tr("Was"), tr("Now"), tr("95 % from"), tr("to"), tr("Evidence")}; }

TextRows constant_rows(const Calibration& c) {
    TextRows rows;
    for (const MeasuredConstant& m : c.constants)
        rows.push_back({name_of_constant(m.pointer), digits(m.before), digits(m.value), digits(m.low), digits(m.high), evidence_text(c, m)});
    return rows;
}

QStringList proof_headings() {
    return {tr("Layout"), tr("Role"), tr("Predicted"), tr("90 %"), tr("Measured"), tr("95 %"), tr("Error"), tr("Inside"), tr("Memory predicted"),
            tr("Measured"), tr("Error"), tr("Remark")};
}

TextRows proof_rows_of(const Calibration& c) {
    TextRows rows;
    for (const ProofRow& r : c.proof) {
        QStringList row{to_qt(r.label), role_of(r), to_qt(say(r.predicted)), between(r.predicted_low, r.predicted_high)};
        if (r.has_run()) row << to_qt(say(r.measured)) << between(r.measured_low, r.measured_high) << signed_per_cent(r.error()) << inside_text(r);
        else row << tr("did not run") << QString() << QString() << QString();
        const bool weighed = r.memory_measured > Bytes{};
        row << to_qt(say(r.memory_predicted)) << (weighed ? to_qt(say(r.memory_measured)) : QString()) << (weighed ? signed_per_cent(r.memory_error()) : QString());
        rows.push_back(row << to_qt(r.caution));
    }
    return rows;
}

QStringList energy_headings(const EnergyEvidence& e) {
    QStringList all{tr("Joules of a step"), tr("Modelled: devices"), tr("Modelled: hosts")};
    return e.measured() ? all << tr("Measured") << tr("Of") << tr("Measured / modelled") : all;
}

TextRows energy_rows_of(const EnergyEvidence& e) {
    TextRows rows;
    for (const LayoutEnergy& l : e.layouts) {
        QStringList row{to_qt(l.label), to_qt(say(l.devices)), to_qt(say(l.hosts))};
        if (l.measured)
            row << to_qt(say(*l.measured)) << tr("%1 (%2), %3 steps").arg(to_qt(l.scope), to_qt(l.source)).arg(l.steps)
                 << (l.covers_hosts() ? tr("%1, with hosts") : tr("%1, devices")).arg(QLocale::c().toString(*l.measured / l.modelled(), 'f', 2));
        else if (e.measured()) row << tr("no") << QString() << QString();
        rows.push_back(row);
    }
    return rows;
}

QStringList point_headings() { return {tr("Point"), tr("Size"), tr("Measured"), tr("95 % from"), tr("to"), tr("Fitted"), tr("Error"), tr("Remark")}; }

TextRows point_rows(const Experiment& e) {
    TextRows rows;
    for (const MeasuredPoint& p : e.points)
        rows.push_back({to_qt(p.label), digits(p.size), to_qt(say(p.measured)), to_qt(say(p.low)), to_qt(say(p.high)), to_qt(say(p.fitted)),
                        p.fitted > Seconds{} ? signed_per_cent(error(p)) : QString(), p.contended ? tr("disturbed, left out") : QString()});
    return rows;
}

QString name_of_constant(const std::string& pointer) { return to_qt(constant_name(pointer)); }

}  // namespace plimsoll
