#include "views/layouts/layout_text.h"

#include "core/answers/explain/wording.h"
#include "core/answers/search/change_text.h"
#include "core/answers/search/wording.h"
#include "views/plan/text.h"

namespace plimsoll {

namespace {

constexpr double shown = 0.0005;   // of the step; smaller changes are no reason

QString row_of(const QString& label, const QString& before, const QString& after, const QString& change, const char* tag = "td") {
    const QLatin1String name(tag);
    QString html = QStringLiteral("<tr><%1 align=\"left\" width=\"37%\">%2</%1>").arg(name, label.toHtmlEscaped());
    for (const QString& cell : {before, after, change})
        html += QStringLiteral("<%1 align=\"right\" width=\"21%\">%2</%1>").arg(name, cell.toHtmlEscaped().replace(u' ', QChar::Nbsp));
    return html + QStringLiteral("</tr>");
}

template <class Q>
QString signed_text(Q change) {
    if (!(change < Q{}) && !(change > Q{})) return QStringLiteral("0");
    return (change < Q{} ? QStringLiteral("\u2212") : QStringLiteral("+")) + to_qt(say(max(change, -change)));
}

template <class Q>
QString line(const QString& label, Q before, Q after, const char* tag = "td") {
    return row_of(label, to_qt(say(before)), to_qt(say(after)), signed_text(after - before), tag);
}

QString memory_rows(const MemoryUse& before, const MemoryUse& after) {
    QString html = line(QObject::tr("Memory"), before.total(), after.total(), "th");
    for (const auto& part : memory_parts) {
        const Bytes a = before.*part.value, b = after.*part.value;
        if (max(a - b, b - a) > shown * before.total()) html += line(to_qt(std::string(part.label)), a, b);
    }
    return html;
}

}  // namespace

std::span<const Objective> objectives() {
    static constexpr Objective all[] = {Objective::time, Objective::energy, Objective::memory};
    return all;
}

QString objective_label(Objective o) {
    switch (o) {
        case Objective::time: return QObject::tr("Time of a step");
        case Objective::energy: return QObject::tr("Energy of a step");
        case Objective::cost: return QObject::tr("Cost of the run");
        case Objective::node_hours: return QObject::tr("Node-hours");
        case Objective::memory: return QObject::tr("Memory");
    }
    return {};
}

QString summary_of(const Study& s, Seconds took) {
    const SearchResult& r = s.found;
    QString text = QObject::tr("%1 layouts of the %2 space: %3 can be computed, %4 fit (%5).")
                       .arg(grouped(double(r.count)), to_qt(r.space), grouped(double(r.feasible)), grouped(double(r.fits)), to_qt(say(took)));
    if (r.cancelled) text = QObject::tr("Cancelled: this is what was found up to then. ") + text;
    if (r.top.empty() && r.cancelled) return text;
    if (r.top.empty()) return text + QObject::tr(" <b>Nothing fits</b> on %1 devices; the nearest layouts are listed.").arg(grouped(s.plan.layout.devices));
    return text + QObject::tr(" Best: %1, %2.").arg(to_qt(say_layout(r.top.front().layout)).toHtmlEscaped(), to_qt(say_value(r.top.front(), s.options.objective)));
}

QString difference_html(const Scenario& plan, const Layout& layout, const Layout& reference, const QString& versus) {
    const Scenario there = with_layout(plan, reference), here = with_layout(plan, layout);
    const Outcome before = estimate(there), after = estimate(here);
    if (!after) return {};
    QString html = QStringLiteral("<b>%1</b>").arg(to_qt(say_layout(layout)).toHtmlEscaped());
    if (layout == reference) return html + QObject::tr("<p>This is %1. Select another layout to see why it is faster or slower.</p>").arg(versus);
    if (!before) return html + QObject::tr("<p>%1 cannot be computed, so there is nothing to compare with.</p>").arg(versus);
    const Seconds was = before->step.total(), is = after->step.total();
    const std::vector<PartChange> parts = changes(there, here);
    html += QObject::tr("<p>Against %1 (%2): %3.</p><table width=\"100%\" cellspacing=\"0\" cellpadding=\"1\">")
                .arg(versus, to_qt(say_layout(reference)).toHtmlEscaped(), to_qt(say_changes(was, is, parts)).replace(QStringLiteral(" %"), QStringLiteral("\u00a0%")).toHtmlEscaped());
    html += row_of(QObject::tr("Part"), QObject::tr("There"), QObject::tr("Here"), QObject::tr("Change"), "th");
    html += line(QObject::tr("Step"), was, is, "th");
    for (const PartChange& c : parts)
        if (max(c.to - c.from, c.from - c.to) > shown * was) html += line(to_qt(std::string(c.label)), c.from, c.to);
    html += memory_rows(before->worst(), after->worst());
    html += line(QObject::tr("Energy of a step"), before->energy.total(), after->energy.total(), "th");
    return html + QStringLiteral("</table>");
}

}  // namespace plimsoll
