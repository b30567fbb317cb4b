#include "views/calibrate/calibration_text.h"

#include "core/values/knobs/wording.h"
#include "core/evidence/calibration/proof/evidence.h"
#include "core/files/launch/engine_launch.h"
#include "core/values/basics/text.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QObject>
#include <QRegularExpression>

#include <algorithm>

namespace plimsoll {

namespace {

QString role_text(Role role) {
    switch (role) {
        case Role::measure: return QObject::tr("measured");
        case Role::fit: return QObject::tr("fitted to");
        case Role::held_out: return QObject::tr("kept for the test");
        case Role::extra: return QObject::tr("extra");
    }
    return {};
}

QString four_digits(double value) { return to_qt(significant(value, 4)); }
QString between(Seconds low, Seconds high) { return QObject::tr("%1 to %2").arg(to_qt(say(low)), to_qt(say(high))); }

QString label_of_run(const ExperimentPlan& plan, const std::string& id) {
    for (const PlannedRun& run : plan.runs)
        if (run.id == id) return worded_kept(run.label);
    return to_qt(id);
}

const Experiment* experiment_of(const Calibration& c, const std::string& id) {
    const auto at =
        std::find_if(c.experiments.begin(), c.experiments.end(), [&](const Experiment& e) { return e.id == id; });
    return at == c.experiments.end() ? nullptr : &*at;
}

QString evidence_text(const Calibration& c, const MeasuredConstant& m) {
    const Experiment* e = experiment_of(c, m.experiment);
    if (!e) return QObject::tr("steps of layouts that fit");
    const auto used =
        std::count_if(e->points.begin(), e->points.end(), [](const MeasuredPoint& p) { return !p.contended; });
    return QObject::tr("%1, %2 points").arg(worded_kept(e->label)).arg(used);
}

QString inside_text(const ProofRow& r) {
    return r.measured >= r.predicted_low && r.measured <= r.predicted_high ? QObject::tr("yes") : QObject::tr("no");
}

QString say_cautions(const ProofRow& r) {
    QStringList all;
    for (const QString& each : to_qt(r.caution).split(QStringLiteral("; "))) all << worded_kept(each.toStdString());
    return all.join(QStringLiteral("; "));
}

QString role_of(const ProofRow& r) {
    if (!r.held_out) return QObject::tr("fitted to");
    if (!r.fair) return QObject::tr("not counted");
    return r.contended ? QObject::tr("disturbed") : QObject::tr("kept for the test");
}

}  // namespace

TextRows planned_run_rows(const ExperimentPlan& plan) {
    TextRows rows;
    for (const PlannedRun& run : plan.runs)
        rows.push_back({worded_kept(run.label),
                        run.repeats.empty() ? role_text(run.role) : QObject::tr("%1, again").arg(role_text(run.role)),
                        QString::number(run.ranks), to_qt(say(run.expected)), worded_kept(run.caution)});
    return rows;
}

TextRows planned_constant_rows(const ExperimentPlan& plan) {
    TextRows rows;
    for (const PlannedConstant& c : plan.constants)
        rows.push_back({worded(c.label), c.measured() ? label_of_run(plan, c.experiment) : QObject::tr("stays assumed"),
                        worded(c.why)});
    return rows;
}

QString say_planned(const ExperimentPlan& plan) {
    const auto measured = std::count_if(plan.constants.begin(), plan.constants.end(),
                                        [](const PlannedConstant& c) { return c.measured(); });
    return QObject::tr("%1 runs on up to %2 ranks, about %3. %4 numbers will be measured, %5 stay assumed.")
        .arg(plan.runs.size())
        .arg(plan.ranks)
        .arg(to_qt(say(plan.expected())))
        .arg(measured)
        .arg(std::ssize(plan.constants) - measured);
}

QString say_going(const CalibrationLog& log, const ExperimentPlan& plan, Seconds elapsed) {
    const QString time = QObject::tr("%1 of about %2").arg(to_qt(say(elapsed)), to_qt(say(plan.expected())));
    if (log.experiments.empty()) return QObject::tr("Starting on %1 ranks...").arg(plan.ranks);
    const EngineExperiment& e = log.experiments.back().said;
    return QObject::tr("Run %1 of %2: %3 (%4)").arg(e.number).arg(e.of).arg(worded_kept(e.label), time);
}

double share_done(const CalibrationLog& log, const ExperimentPlan& plan) {
    Seconds done;
    for (const ExperimentState& e : log.experiments)
        done += e.ended ? e.said.expected : min(e.said.expected, e.last - e.began);
    return plan.expected() > Seconds{} ? std::clamp(done / plan.expected(), 0.0, 1.0) : 0;
}

QString say_contention(const CalibrationLog& log) {
    const auto& points = log.measurements.points;
    const auto disturbed =
        std::count_if(points.begin(), points.end(), [](const BenchPoint& p) { return p.contended(); });
    long steps = 0;
    for (const TrainingRun& run : log.measurements.runs)
        steps += std::count_if(run.steps.begin(), run.steps.end(), [](const EngineStep& s) {
            return std::find(s.quality.begin(), s.quality.end(), "contended") != s.quality.end();
        });
    if (disturbed == 0 && steps == 0) return {};
    return QObject::tr(
               "Somebody else uses this computer: %1 points and %2 steps were disturbed and will not be averaged in.")
        .arg(disturbed)
        .arg(steps);
}

QString headline_of(const Calibration& c) {
    const ProofScores scores = scores_of(c);
    const ProofScore &all = scores.all, &undisturbed = scores.undisturbed;
    if (all.rows == 0) return QObject::tr("No layout that was held back counts: no error can be stated.");
    QString text = all.rows == 1
                     ? QObject::tr("Mean absolute error %1 over 1 layout held back").arg(to_qt(percent(all.time)))
                     : QObject::tr("Mean absolute error %1 over %2 layouts held back")
                           .arg(to_qt(percent(all.time)))
                           .arg(all.rows);
    if (all.memory > 0) text += QObject::tr("; of memory %1").arg(to_qt(percent(all.memory)));
    if (undisturbed.rows == 0) text += QObject::tr("; something disturbed all of them");
    else if (undisturbed.rows < all.rows)
        text += QObject::tr("; %1 over the %2 that nothing disturbed")
                    .arg(to_qt(percent(undisturbed.time)))
                    .arg(undisturbed.rows);
    return text + QObject::tr("; %1 of %2 inside their intervals of 90 %").arg(scores.inside).arg(all.rows);
}

TextRows constant_rows(const Calibration& c) {
    TextRows rows;
    for (const MeasuredConstant& m : c.constants)
        rows.push_back({name_of_constant(m.pointer), four_digits(m.before), four_digits(m.value), four_digits(m.low),
                        four_digits(m.high), evidence_text(c, m)});
    return rows;
}

TextRows proof_rows_of(const Calibration& c) {
    TextRows rows;
    for (const ProofRow& r : c.proof) {
        QStringList row{worded_kept(r.label), role_of(r), to_qt(say(r.predicted)),
                        between(r.predicted_low, r.predicted_high)};
        if (r.has_run())
            row << to_qt(say(r.measured)) << between(r.measured_low, r.measured_high)
                << to_qt(signed_percent(r.error())) << inside_text(r);
        else row << QObject::tr("did not run") << QString() << QString() << QString();
        const bool weighed = r.memory_measured > Bytes{};
        row << to_qt(say(r.memory_predicted)) << (weighed ? to_qt(say(r.memory_measured)) : QString())
            << (weighed ? to_qt(signed_percent(r.memory_error())) : QString());
        rows.push_back(row << say_cautions(r));
    }
    return rows;
}

QStringList energy_headings(const EnergyEvidence& e) {
    QStringList all{QObject::tr("Joules of a step"), QObject::tr("Modelled: devices"), QObject::tr("Modelled: hosts")};
    return e.measured() ? all << QObject::tr("Measured") << QObject::tr("Of") << QObject::tr("Measured / modelled")
                        : all;
}

TextRows energy_rows_of(const EnergyEvidence& e) {
    TextRows rows;
    for (const LayoutEnergy& l : e.layouts) {
        QStringList row{worded_kept(l.label), to_qt(say(l.devices)), to_qt(say(l.hosts))};
        if (l.measured)
            row << to_qt(say(*l.measured))
                << QObject::tr("%1 (%2), %3 steps").arg(to_qt(l.scope), to_qt(l.source)).arg(l.steps)
                << (l.covers_hosts() ? QObject::tr("%1, with hosts") : QObject::tr("%1, devices"))
                       .arg(QLocale::c().toString(*l.measured / l.modelled(), 'f', 2));
        else if (e.measured()) row << QObject::tr("no") << QString() << QString();
        rows.push_back(row);
    }
    return rows;
}

TextRows point_rows(const Experiment& e) {
    TextRows rows;
    for (const MeasuredPoint& p : e.points)
        rows.push_back({worded_kept(p.label), four_digits(p.size), to_qt(say(p.measured)), to_qt(say(p.low)),
                        to_qt(say(p.high)), to_qt(say(p.fitted)),
                        p.fitted > Seconds{} ? to_qt(signed_percent(error(p))) : QString(),
                        p.contended ? QObject::tr("disturbed, left out") : QString()});
    return rows;
}

QString name_of_constant(const std::string& pointer) { return worded(constant_name(pointer)); }

namespace {

constexpr int watchdog = 70, signals_from = 128;

// The engine's own errors, each once.
QStringList errors_of(const CalibrationLog& log) {
    QStringList all;
    for (const EngineNote& n : log.engine.notes) {
        if (!n.error || n.text.empty()) continue;
        const QString who = n.rank && *n.rank >= 0 ? QObject::tr("Rank %1: ").arg(*n.rank) : QString();
        if (const QString text = who + to_qt(n.text); !all.contains(text)) all << text;
    }
    return all;
}

QString what_is_kept(const CalibrationLog& log) {
    const auto complete = std::count_if(log.experiments.begin(), log.experiments.end(),
                                        [](const ExperimentState& e) { return e.complete(); });
    if (complete == 0) return QObject::tr("No run was complete: nothing can be gone on from.");
    return QObject::tr("%1 of %2 runs are complete and kept: Resume goes on from there.")
        .arg(complete)
        .arg(log.experiments.front().said.of);
}

QString cause(const BadEnd& end) {
    const QString where = end.log.experiments.empty()
                            ? QString()
                            : QObject::tr(" in \"%1\"").arg(worded_kept(end.log.experiments.back().said.label));
    if (const auto rank = killed_rank(end)) {
        const QString phase = phase_of_rank(end.beat, *rank);
        return QObject::tr("Rank %1 was killed%2%3.")
            .arg(*rank)
            .arg(where, phase.isEmpty() ? QString() : QObject::tr(", last seen in %1").arg(phase));
    }
    const QString meaning = worded(say_exit(end.exit_code));
    if (end.exit_code == watchdog)
        return QObject::tr("The ranks stopped making progress%1 and the engine ended the run.").arg(where);
    if (!meaning.isEmpty()) return QObject::tr("The engine ended%1: %2.").arg(where, meaning);
    return QObject::tr("The engine ended%1 with exit code %2.").arg(where).arg(end.exit_code);
}

}  // namespace

std::optional<int> killed_rank(const BadEnd& end) {
    static const QRegularExpression by_launcher(
        QStringLiteral("(?:process rank|rank) (\\d+) .*(?:exited on signal|killed by signal|KILLED)"),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
    const auto found = by_launcher.match(end.chatter.join(u' '));
    if (found.hasMatch()) return found.captured(1).toInt();
    if (end.exit_code <= signals_from) return std::nullopt;
    for (const EngineNote& n : end.log.engine.notes)
        if (n.error && n.rank && *n.rank >= 0) return n.rank;
    return std::nullopt;
}

QString phase_of_rank(const std::string& beat, int rank) {
    for (const QString& each : to_qt(beat).split(QStringLiteral("; "))) {
        const QString name = QStringLiteral("rank %1 ").arg(rank);
        if (each.startsWith(name)) return each.mid(name.size());
    }
    return {};
}

QString failure_text(const BadEnd& end) {
    QStringList all{cause(end)};
    if (end.exit_code == watchdog && !end.beat.empty())
        all << QObject::tr("Where the ranks last were: %1.").arg(to_qt(end.beat));
    all << errors_of(end.log) << what_is_kept(end.log);
    return all.join(u'\n');
}

}  // namespace plimsoll
