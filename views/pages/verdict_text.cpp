#include "views/pages/verdict_text.h"

#include "core/answers/campaign/hours.h"
#include "core/answers/campaign/cards.h"
#include "core/answers/campaign/cautions.h"
#include "core/answers/plan/compression.h"
#include "core/answers/plan/rules.h"
#include "core/evidence/published/band.h"
#include "core/values/basics/shown_units.h"
#include "core/values/knobs/wording.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <algorithm>

namespace plimsoll {

namespace {

// The three largest parts of a step, for a plan that runs.
QString where_time_goes(const Estimate& e) {
    std::vector<std::pair<double, QString>> shares;
    for (const auto& part : step_parts)
        shares.emplace_back(e.step.*part.value / e.step.total(), worded(part.label));
    std::sort(shares.rbegin(), shares.rend());
    QStringList named;
    for (int i = 0; i < 3 && shares[i].first > 0.02; ++i)
        named.append(QStringLiteral("%1 %2 %").arg(shares[i].second).arg(100 * shares[i].first, 0, 'f', 0));
    return named.join(QStringLiteral(", "));
}

QString counted_text(double n, const QString& one, const QString& several) {
    return grouped(n) + u' ' + (n == 1 ? one : several);
}

QString plan_line(const Snapshot& s) {
    const Estimate& e = *s.outcome;
    const CountedIn in = s.last_good ? counted_in(s.scenario.machine, s.last_good->hours) : CountedIn{};
    const QString name = to_qt(in.name);
    return QObject::tr("%1 (%2 parameters) on %3, %4. Most of a step: %5.")
        .arg(to_qt(s.scenario.model.name), to_qt(say_count(e.parameters)),
             counted_text(e.nodes, QObject::tr("node"), QObject::tr("nodes")),
             counted_text(1.0 * e.devices / in.devices, name.isEmpty() ? QObject::tr("device") : name,
                          name.isEmpty() ? QObject::tr("devices") : name),
             where_time_goes(e));
}

QString in_shown_unit(Bytes b) { return grouped(b / shown_memory().size); }

QString shortage_line(const Estimate& e) {
    const Bytes need = e.worst().total();
    return QObject::tr("Stage %1 of %2 needs %3 %6 on devices with %4 %6, %5 %6 too much.")
             .arg(e.worst_stage + 1)
             .arg(e.stages.size())
             .arg(in_shown_unit(need), in_shown_unit(e.memory_limit), in_shown_unit(need - e.memory_limit),
                  QString::fromLatin1(shown_memory().name))
         + u' ' + to_qt(say_times_assume());
}

bool lacks_below(const Estimate& e) { return e.device_fits() && !e.fits(); }

// What a plan that fits takes of its memory, said as what it lacks where it leaves less free than was asked for.
QString room_line(const Estimate& e, const Headroom& asked) {
    const std::string lack = say_tight(e, asked);
    return to_qt((lack.empty() ? say_share(e) : lack) + ". ");
}

// The one share that decides. A plan that may not fit leaves no headroom to speak of.
QString doubt_line(const Estimate& e) {
    return QObject::tr("The plan takes %1 of a device, what lives outside the allocator included; between %2 and %3 "
                       "predictions miss too often to tell.")
               .arg(to_qt(percent(share_of_device(e), 0)), to_qt(percent(surely_fits, 0)),
                    to_qt(percent(surely_fails, 0)))
         + u' ';
}

QString obstacle_lines(const Snapshot& s) {
    constexpr int most = 4;
    QStringList lines;
    for (const auto& [knob, why] : s.refused) lines.append(to_qt(why));
    for (const Obstacle& o : s.outcome.error()) lines.append(to_qt(say(o, s.scenario)));
    const auto more = lines.size() - most;
    if (more > 0) lines = lines.mid(0, most) << QObject::tr("And %1 more.").arg(more);
    return lines.join(u'\n');
}

constexpr std::size_t most_beyond = 2;

// What the published runs do not reach. Inside of them the ranges on the tiles say enough.
QString beyond_line(const Answer& a, std::size_t most) {
    if (!a.band || a.band->beyond.empty()) return {};
    Band named = *a.band;
    const std::size_t all = named.beyond.size(), more = all - std::min(all, most);
    named.beyond.resize(all - more);
    const QString text = to_qt(say_beyond(named));
    return more > 0 ? QObject::tr("Extrapolated: %1; and %2 more.").arg(text).arg(more)
                    : QObject::tr("Extrapolated: %1.").arg(text);
}

QStringList notes_of(const Snapshot& s) {
    QStringList notes;
    if (s.outcome) {
        const Watts most_power = s.last_good ? s.last_good->most_power : Watts{};
        for (const Caution& c : cautions(s.scenario, most_power)) notes << QObject::tr("Mind: %1").arg(to_qt(say(c)));
        for (const std::string& warning : codec_warnings(s.scenario)) notes << to_qt(warning);
    }
    if (s.stale() || !s.last_good) return notes;
    if (const QString beyond = beyond_line(*s.last_good, most_beyond); !beyond.isEmpty()) notes << beyond;
    if (s.last_good->anchoring && s.last_good->anchoring->any())
        notes << to_qt(say_anchoring(*s.last_good->anchoring));
    return notes;
}

}  // namespace

VerdictText verdict_text(const Snapshot& s) {
    VerdictText t;
    t.notes = notes_of(s);
    if (!s.stale() && s.last_good) t.beyond = beyond_line(*s.last_good, std::size_t(-1));
    if (s.stale()) {
        t.icon = QStringLiteral(":/icons/blocked.svg");
        const bool typed = s.outcome.error().empty();   // what was typed is the only thing in the way
        t.head = typed ? QObject::tr("Not what was typed.") : QObject::tr("Cannot be computed.");
        t.body = obstacle_lines(s);
        if (typed) t.body += u' ' + QObject::tr("The numbers are those of the plan without it; Esc in the field "
                                                "brings its value back.");
        return t;
    }
    const Estimate& e = *s.outcome;
    const Headroom asked = s.last_good ? s.last_good->headroom : Headroom{};
    const bool too_long = lasts_longer_than_an_award(s.scenario, e);
    const QString share = to_qt(say_share(e)) + QStringLiteral(". ");
    switch (fit_verdict(e)) {
        case FitVerdict::fits:
            t.icon = too_long ? QStringLiteral(":/icons/tight.svg") : QStringLiteral(":/icons/fits.svg");
            t.head = too_long ? QObject::tr("Fits, but takes longer than a year.") : QObject::tr("Fits.");
            t.body = room_line(e, asked) + plan_line(s);
            break;
        case FitVerdict::may_not_fit:
            t.icon = QStringLiteral(":/icons/tight.svg");
            t.head = QObject::tr("May not fit.");
            t.body = doubt_line(e) + (e.fits() ? plan_line(s) : shortage_line(e));
            break;
        case FitVerdict::does_not_fit:
            t.icon = QStringLiteral(":/icons/short.svg");
            t.head = lacks_below(e) ? QObject::tr("Does not fit below the devices.")
                                    : QObject::tr("Does not fit in memory.");
            t.body = lacks_below(e)    ? to_qt(say_tier_shortage(e) + ". " + say_times_assume())
                   : e.device_fits() ? share + to_qt(say_times_assume())
                                     : share + shortage_line(e);
            break;
    }
    return t;
}

QString html_of(const VerdictText& t) {
    const auto shown = [](const QString& text) {
        return with_units_kept(text).toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
    };
    QString html = QStringLiteral("<b>%1</b> %2").arg(t.head.toHtmlEscaped(), shown(t.body));
    for (const QString& note : t.notes) html += QStringLiteral("<br>") + shown(note);
    return html;
}

QString plain_of(const VerdictText& t) {
    QStringList lines = QStringList{t.head + u' ' + t.body} + t.notes;
    if (!t.beyond.isEmpty() && !lines.contains(t.beyond)) lines << t.beyond;
    return lines.join(u'\n');
}

}  // namespace plimsoll
