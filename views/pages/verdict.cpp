#include "views/pages/verdict.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/wording.h"
#include "views/inputs/knob_row.h"
#include "views/inputs/presets.h"
#include "views/pages/tiles.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QIcon>
#include <QPainter>
#include <QScreen>

#include <algorithm>
#include <memory>

namespace plimsoll {

namespace {

constexpr std::size_t most_fixes = 6;
constexpr int most_remedies = 3;   // few enough for a small window
// Some numbers of the machine were changed: the answer is of a machine that nobody has.
QString hypothetical_line(const Scenario& plan, const Library& library) {
    constexpr int most = 2;
    const QStringList changed = numbers_unlike_the_preset(plan, library);
    if (changed.isEmpty()) return {};
    const QString named = changed.mid(0, most).join(QStringLiteral("; "));
    const auto more = changed.size() - most;
    return more > 0 ? QObject::tr("Hypothetical machine: %1; and %2 more.").arg(named).arg(more)
                    : QObject::tr("Hypothetical machine: %1.").arg(named);
}

// The first words bold, and as much of the rest as the line has room for.
class VerdictLine : public QWidget {
public:
    VerdictLine() { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }
    QSize sizeHint() const override { return {200, std::max(18, fontMetrics().height())}; }
    void say(const VerdictText& t) {
        head_ = t.head;
        rest_ = (QStringList{t.body} + t.notes).join(u' ').replace(u'\n', u' ');
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        QFont bold = font();
        bold.setBold(true);
        painter.setFont(bold);
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, head_);
        const int taken = QFontMetrics(bold).horizontalAdvance(head_ + u' ');
        painter.setFont(font());
        painter.drawText(rect().adjusted(taken, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(rest_, Qt::ElideRight, width() - taken));
    }

private:
    QString head_, rest_;
};

QString counted_notes(qsizetype count) {
    return count == 0   ? QObject::tr("No notes")
           : count == 1 ? QObject::tr("1 note")
                        : QObject::tr("%1 notes").arg(count);
}

}  // namespace

Verdict::Verdict(Workspace& workspace, QWidget* parent)
    : QFrame(parent),
      workspace_(workspace),
      icon_(new QLabel),
      line_(new VerdictLine),
      notes_(new QToolButton),
      judging_(new QToolButton),
      menu_(new QMenu(this)),
      fixes_(new ActionRow(notes_)) {
    setFrameShape(QFrame::StyledPanel);
    setObjectName(QStringLiteral("verdict"));
    setAccessibleName(tr("Verdict"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    notes_->setObjectName(QStringLiteral("verdict.notes"));
    notes_->setToolTip(tr("The whole verdict and what else there is to know of the plan"));
    notes_->setMinimumWidth(fontMetrics().horizontalAdvance(counted_notes(88)) + 20);
    connect(notes_, &QToolButton::clicked, this, &Verdict::show_notes);
    judging_->setObjectName(QStringLiteral("judging"));
    judging_->setAccessibleName(tr("How plans are judged"));
    judging_->setToolTip(tr("How much memory should stay free, and what time, node-hours and energy count"));
    judging_->setPopupMode(QToolButton::InstantPopup);
    judging_->setAutoRaise(true);
    judging_->setMenu(menu_);
    connect(menu_, &QMenu::aboutToShow, this, &Verdict::fill_judging);
    icon_->setFixedSize(18, 18);
    auto* said = new QHBoxLayout;
    said->setSpacing(8);
    said->addWidget(icon_);
    said->addWidget(line_, 1);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(notes_);
    row->addWidget(fixes_, 1);
    row->addWidget(judging_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(8, 3, 8, 3);
    all->setSpacing(3);
    all->addLayout(said);
    all->addLayout(row);
    connect(&search_, &LatestJob::busy_changed, this, &Verdict::busy_changed);
    quiet_.setSingleShot(true);
    quiet_.setInterval(60);
    connect(&quiet_, &QTimer::timeout, this, &Verdict::look_for_fixes);
}

void Verdict::fill_judging() {
    menu_->clear();
    const Preferences now = workspace_.preferences();
    menu_->addSection(tr("Device memory to keep free"));
    auto* free = new QActionGroup(menu_);
    for (const auto& [share, words] : headroom_choices()) {
        QAction* action = menu_->addAction(words, this, [this, share = share] {
            Preferences p = workspace_.preferences();
            p.headroom = share;
            workspace_.set_preferences(p);
        });
        action->setCheckable(true);
        action->setChecked(share == now.headroom);
        free->addAction(action);
    }
    menu_->addSection(tr("Time, node-hours and energy"));
    auto* counted = new QActionGroup(menu_);
    for (const auto& [counting, words] : counting_choices()) {
        QAction* action = menu_->addAction(words, this, [this, counting = counting] {
            Preferences p = workspace_.preferences();
            p.counting = counting;
            workspace_.set_preferences(p);
        });
        action->setCheckable(true);
        action->setChecked(counting == now.counting);
        counted->addAction(action);
    }
}

// Over the window until the next click: all of the text, to read and to copy.
void Verdict::show_notes() {
    auto* box = new QFrame(this, Qt::Popup);
    box->setObjectName(QStringLiteral("verdict.text"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setFrameShape(QFrame::StyledPanel);
    auto* text = new RichLabel;
    text->setText(sentence());
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* column = new QVBoxLayout(box);
    column->addWidget(text);
    const int wide = std::min(width() - 20, 100 * fontMetrics().averageCharWidth());
    box->resize(wide, box->heightForWidth(wide));
    const QRect screen = this->screen()->availableGeometry();
    QPoint at = notes_->mapToGlobal(QPoint(0, notes_->height() + 2));
    at.setY(std::max(screen.top(), std::min(at.y(), screen.bottom() - box->height())));
    box->move(at);
    box->show();
    text->setFocus(Qt::PopupFocusReason);
}

void Verdict::present(const Snapshot& s) {
    said_ = verdict_text(s);
    if (const QString note = hypothetical_line(s.scenario, workspace_.library()); !note.isEmpty())
        said_.notes.prepend(note);
    if (said_.icon != icon_name_) icon_->setPixmap(QIcon(icon_name_ = said_.icon).pixmap(18, 18));
    judging_->setText(tr("Headroom %1  ").arg(to_qt(percent(workspace_.preferences().headroom, 0))));
    static_cast<VerdictLine*>(line_)->say(said_);
    if (const QString count = counted_notes(said_.notes.size()); count != notes_->text()) notes_->setText(count);
    const QString plain = plain_of(said_);
    line_->setToolTip(plain_text(plain));
    setAccessibleDescription(plain);
    clear_fixes();
    search_.forget();
    quiet_.start();
}

void Verdict::clear_fixes() {
    fixes_->clear();
    offered_.clear();
}

void Verdict::offer(const QString& text, const QString& why, const Scenario& then, const QString& name) {
    if (offered_.size() >= most_fixes || std::find(offered_.begin(), offered_.end(), then) != offered_.end()) return;
    offered_.push_back(then);
    auto* button = new QPushButton(text);
    button->setToolTip(plain_text(why));
    button->setAccessibleDescription(why);
    // Queued: the button is deleted when the plan it fixes is presented.
    connect(
        button, &QPushButton::clicked, this, [this, then, name] { workspace_.propose(then, name); },
        Qt::QueuedConnection);
    fixes_->add(button);
}

void Verdict::offer_layouts(const QString& text, const QString& why) {
    auto* button = new QPushButton(text);
    button->setToolTip(plain_text(why));
    button->setAccessibleDescription(why);
    connect(button, &QPushButton::clicked, this, &Verdict::show_layouts, Qt::QueuedConnection);
    fixes_->add(button);
}

// Several things are wrong at once: the nearest values of each, one step at a time, and said to be one of several.
void Verdict::offer_values(const Snapshot& s) {
    const std::size_t reasons = s.outcome.error().size();
    for (const Obstacle& o : s.outcome.error()) {
        const Knob* knob = find_knob(o.knob);
        for (const double v : o.valid) {
            const auto next = knob ? with(s.scenario, *knob, v) : Expected<Scenario, Obstacle>(Unexpected{o});
            if (!next) continue;
            const QString name = edit_name(*knob, v);
            offer(reasons > 1 ? tr("%1 (one of %2 things)").arg(name).arg(reasons) : name,
                  tr("Sets %1; what else stands in the way stays").arg(to_qt(value_with_unit(*knob, v))), *next, name);
        }
    }
}

namespace {

Seconds total_time(const Scenario& s, const Estimate& e, Counting counting) {
    return totals(s, headline(s, e), counting).time;
}

// "Tensor parallel 8: 21.3 d, fits, 78 %; slower: 1.2 x"
QString remedy_text(const Remedy& r, Seconds time) {
    const QString text = QObject::tr("%1: %2, %3").arg(to_qt(r.name), to_qt(say(time)), to_qt(say_fit(r.estimate)));
    return r.cost.empty() ? text : text + QStringLiteral("; ") + to_qt(r.cost);
}

// Other software is offered where it helps: the plan may run with it, and one that has room fits more surely or ends no
// later.
bool helps(const SuitedStack& other, const Snapshot& s, Counting counting) {
    if (!may_run(other.estimate)) return false;
    if (!s.outcome || !s.last_good || s.last_good->room() != Room::enough) return true;
    if (fit_verdict(other.estimate) < fit_verdict(*s.outcome)) return true;
    return total_time(other.scenario, other.estimate, counting) <= total_time(s.scenario, *s.outcome, counting);
}

}  // namespace

// Beside the window: a search of layouts may take longer than a frame.
void Verdict::look_for_fixes() {
    const Snapshot& s = workspace_.snapshot();
    const bool needs = !s.last_good || s.stale() || s.last_good->room() != Room::enough
                    || fit_verdict(s.last_good->estimate) != FitVerdict::fits;
    const auto record = workspace_.record();
    if (!needs && !record) return;
    search_.start([this, needs, record, plan = s.scenario, asked = workspace_.headroom(),
                   stacks = workspace_.library().stacks](std::stop_token stop) -> LatestJob::Deliver {
        auto found = std::make_shared<Offers>();
        found->plan = plan;
        if (needs) found->remedies = remedies(plan, most_remedies, asked, stop);
        const auto here = [&](const Remedy& r) { return r.scenario.machine == plan.machine; };
        if (needs && std::ranges::none_of(found->remedies, here)) found->clearings = clearings(plan, 2);
        if (record) found->stacks = suited_stacks(plan, record->evidence, stacks);
        return [this, found] { show_offers(*found); };
    });
}

void Verdict::show_offers(const Offers& found) {
    const Snapshot& s = workspace_.snapshot();
    if (!(found.plan == s.scenario)) return;   // the next search is under way
    clear_fixes();
    const Counting counting = workspace_.preferences().counting;
    for (const Remedy& r : found.remedies) {
        const Seconds time = total_time(r.scenario, r.estimate, counting);
        offer(remedy_text(r, time),
              tr("The plan then %1 and trains in %2")
                  .arg(memory_verdict(r.estimate), to_qt(say(time))),
              r.scenario, to_qt(r.name));
    }
    const bool needs = s.stale() || (s.outcome && !may_run(s.outcome));
    for (const Remedy& r : found.clearings)
        offer(tr("%1: %2").arg(to_qt(r.name), memory_verdict(r.estimate)),
              tr("The plan can be computed then, and %1").arg(memory_verdict(r.estimate)), r.scenario, to_qt(r.name));
    if (offered_.empty() && s.stale()) offer_values(s);
    const bool refused_alone = s.stale() && s.outcome.error().empty();   // a field says so; the plan itself runs
    if (s.stale() && !refused_alone && buttons().isEmpty())
        offer_layouts(tr("No change that was tried makes it run: see the layouts"),
                      tr("Opens the Layouts page, which lists the layouts that lack least"));
    if (found.remedies.empty() && needs && !s.stale())
        offer_layouts(tr("No change of layout or nodes fits: see what nearly does"),
                      tr("Opens the Layouts page, which lists the layouts that lack least"));
    for (const SuitedStack& each : found.stacks) {
        if (!helps(each, s, counting)) continue;
        const Seconds then = total_time(each.scenario, each.estimate, counting);
        QString text = tr("%1: %2").arg(to_qt(each.stack.name), to_qt(say(then)));
        if (s.outcome) text += tr(" instead of %1").arg(to_qt(say(total_time(s.scenario, *s.outcome, counting))));
        const QString cost = to_qt(say_cost(s.scenario, each.scenario, each.estimate));
        if (!cost.isEmpty()) text += QStringLiteral("; ") + cost;
        const QString why =
            tr("%1 of %2 on this device used it; no published run used %3 there. The plan then %4.")
                .arg(to_qt(numbered(each.runs, "published run", "published runs")),
                     to_qt(numbered(each.sources, "source", "sources")), to_qt(s.scenario.stack.name),
                     memory_verdict(each.estimate));
        offer(text, why, each.scenario, tr("Software %1").arg(to_qt(each.stack.name)));
    }
}

}  // namespace plimsoll
