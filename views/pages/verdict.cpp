#include "views/pages/verdict.h"

#include "core/answers/plan/compression.h"
#include "core/values/knobs/wording.h"
#include "core/answers/plan/rules.h"
#include "core/answers/plan/remedies.h"
#include "core/answers/plan/cards.h"
#include "core/evidence/published/band.h"
#include "core/values/knobs/knobs.h"
#include "views/inputs/knob_row.h"
#include "views/pages/tiles.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QHBoxLayout>
#include <QIcon>

#include <algorithm>

namespace plimsoll {

Verdict::Verdict(Workspace& workspace, QWidget* parent)
    : QFrame(parent), workspace_(workspace), icon_(new QLabel), text_(new RichLabel), fixes_(new QWidget) {
    setFrameShape(QFrame::StyledPanel);
    setObjectName(QStringLiteral("verdict"));
    setAccessibleName(tr("Verdict"));
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    new FlowLayout(fixes_);
    fixes_->hide();
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(icon_, 0, Qt::AlignTop);
    line->addWidget(text_, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(8, 5, 8, 5);
    all->setSpacing(5);
    all->addLayout(line);
    all->addWidget(fixes_);
    quiet_.setSingleShot(true);
    quiet_.setInterval(60);
    connect(&quiet_, &QTimer::timeout, this, &Verdict::refresh_fixes);
}

namespace {

constexpr std::size_t most_fixes = 6;

// The three largest parts of a step, for a plan that runs.
QString where_time_goes(const Estimate& e) {
    std::vector<std::pair<double, QString>> shares;
    for (const auto& part : step_parts)
        shares.emplace_back(e.step.*part.value / e.step.total(), to_qt(part.label));
    std::sort(shares.rbegin(), shares.rend());
    QStringList named;
    for (int i = 0; i < 3 && shares[i].first > 0.02; ++i)
        named.append(QStringLiteral("%1 %2 %").arg(shares[i].second).arg(100 * shares[i].first, 0, 'f', 0));
    return named.join(QStringLiteral(", "));
}

QString plan_line(const Snapshot& s) {
    const Estimate& e = *s.outcome;
    return QObject::tr("%1 (%2 parameters) on %3 nodes, %4 devices")
        .arg(to_qt(s.scenario.model.name), to_qt(say_count(e.parameters)), grouped(e.nodes), grouped(e.devices));
}

QString warnings_of(const Snapshot& s) {
    QString lines;
    for (const std::string& warning : codec_warnings(s.scenario))
        lines += QStringLiteral("<br>") + to_qt(warning).toHtmlEscaped();
    return lines;
}

// Said only where the published runs end; inside, the ranges on the tiles say enough.
QString beyond_line(const Snapshot& s) {
    if (!s.last_good || !s.last_good->band || s.last_good->band->beyond.empty()) return {};
    constexpr std::size_t most = 2;
    Band named = *s.last_good->band;
    const std::size_t more = named.beyond.size() - std::min(named.beyond.size(), most);
    named.beyond.resize(named.beyond.size() - more);
    QString text = to_qt(say_beyond(named)).toHtmlEscaped();
    if (more > 0) text += QObject::tr("; and %1 more").arg(more);
    return QStringLiteral(" <i>%1</i>").arg(QObject::tr("Outside what was checked: %1.").arg(text));
}

// What runs of the user's changed.
QString anchor_line(const Snapshot& s) {
    if (!s.last_good || !s.last_good->anchoring || !s.last_good->anchoring->any()) return {};
    return QStringLiteral(" <i>%1</i>").arg(to_qt(say_anchoring(*s.last_good->anchoring)).toHtmlEscaped());
}

QString sentence_of(const Snapshot& s) {
    if (s.stale()) {
        QStringList lines;
        for (const Obstacle& o : s.outcome.error()) lines.append(to_qt(say(o)).toHtmlEscaped());
        if (lines.size() > 4) lines = lines.mid(0, 4) << QObject::tr("and %1 more").arg(lines.size() - 4);
        return QStringLiteral("<b>%1</b> %2")
            .arg(QObject::tr("This plan cannot be computed."), lines.join(QStringLiteral("<br>")));
    }
    const Estimate& e = *s.outcome;
    if (e.fits())
        return QStringLiteral("<b>%1</b> %2. %3%4")
            .arg(QObject::tr("Fits."), plan_line(s).toHtmlEscaped(),
                 QObject::tr("Most of a step: %1.").arg(where_time_goes(e)), warnings_of(s))
             + beyond_line(s) + anchor_line(s);
    if (e.device_fits())
        return QStringLiteral("<b>%1</b> %2")
            .arg(QObject::tr("Does not fit below the devices."),
                 QObject::tr("%1. The times below assume that it did fit.")
                     .arg(to_qt(say_tier_shortage(e)).toHtmlEscaped()));
    return QStringLiteral("<b>%1</b> %2")
        .arg(QObject::tr("Does not fit in memory: %1.").arg(memory_verdict(e)),
             QObject::tr("Stage %1 of %2 needs %3 on devices with %4. The times below assume that it did fit.")
                 .arg(e.worst_stage + 1)
                 .arg(e.stages.size())
                 .arg(to_qt(say(e.worst().total())), to_qt(say(e.memory_limit))))
         + beyond_line(s) + anchor_line(s);
}

}  // namespace

void Verdict::present(const Snapshot& s) {
    const bool fine = runs(s.outcome);
    const QString icon = s.stale() ? QStringLiteral(":/icons/blocked.svg")
                       : fine      ? QStringLiteral(":/icons/fits.svg")
                                   : QStringLiteral(":/icons/short.svg");
    icon_->setPixmap(QIcon(icon).pixmap(18, 18));
    const QString text = sentence_of(s);
    if (text != text_->text()) text_->setText(text);
    const bool judged = s.last_good && s.last_good->band;
    QString beyond = judged ? to_qt(say_beyond(*s.last_good->band)) : QString();
    text_->setToolTip(plain_text(beyond.replace(QStringLiteral("; "), QStringLiteral("\n"))));
    setAccessibleDescription(text);
    if (fine) {
        quiet_.stop();
        clear_fixes();
    } else {
        quiet_.start();
    }
}

void Verdict::clear_fixes() {
    for (QPushButton* button : buttons()) delete button;
    offered_.clear();
    fixes_->hide();
}

void Verdict::offer(const QString& text, const QString& why, const Scenario& then, const QString& name) {
    if (std::find(offered_.begin(), offered_.end(), then) != offered_.end()) return;
    offered_.push_back(then);
    auto* button = new QPushButton(text);
    button->setToolTip(plain_text(why));
    button->setAccessibleDescription(why);
    // Queued: the button is deleted when the plan it fixes is presented.
    connect(
        button, &QPushButton::clicked, this, [this, then, name] { workspace_.propose(then, name); },
        Qt::QueuedConnection);
    fixes_->layout()->addWidget(button);
}

// The nearest values of each obstacle; with `complete` only those that clear all of them.
void Verdict::offer_values(const Snapshot& s, bool complete) {
    for (const Obstacle& o : s.outcome.error()) {
        const Knob* knob = find_knob(o.knob);
        for (const double v : o.valid) {
            const auto next = knob ? with(s.scenario, *knob, v) : Expected<Scenario, Obstacle>(Unexpected{o});
            if (!next || offered_.size() >= most_fixes || (complete && !check(*next).empty())) continue;
            offer(edit_name(*knob, v), tr("Sets %1").arg(value_with_unit(*knob, v)), *next, edit_name(*knob, v));
        }
    }
}

void Verdict::refresh_fixes() {
    clear_fixes();
    const Snapshot& s = workspace_.snapshot();
    for (const Remedy& r : remedies(s.scenario)) {
        const QString name = to_qt(r.name), time = to_qt(say(headline(r.scenario, r.estimate).run));
        offer(tr("%1: %2").arg(name, time),
              tr("The plan then %1 and trains in %2").arg(memory_verdict(r.estimate), time), r.scenario, name);
    }
    if (s.stale()) offer_values(s, true);
    if (offered_.empty() && s.stale()) offer_values(s, false);  // several things are wrong: one step at a time
    fixes_->setVisible(!offered_.empty());
    updateGeometry();
}

}  // namespace plimsoll
