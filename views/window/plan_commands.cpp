// Commands that a plan, or the row of plans that are open, is changed by.
#include "views/window/plan_commands.h"

#include "core/values/knobs/wording.h"
#include "views/parts/text.h"

#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>

namespace plimsoll {

PlanCommands::PlanCommands(Workspace& workspace, PlanTabs& tabs, QWidget* window, std::function<bool()> may_discard)
    : QObject(window), workspace_(workspace), window_(window), may_discard_(std::move(may_discard)) {
    connect(&tabs, &PlanTabs::close_asked, this, &PlanCommands::close_plan);
    connect(&tabs, &PlanTabs::close_others_asked, this, [this](int place) {
        const QString stays = workspace_.plans().at(place).id();
        for (int i = workspace_.plans().count() - 1; i >= 0; --i)
            if (workspace_.plans().at(i).id() != stays && !close_plan(i)) return;
    });
    connect(&tabs, &PlanTabs::rename_asked, this, &PlanCommands::rename_plan);
    connect(&tabs, &PlanTabs::duplicate_asked, this, &PlanCommands::duplicate_plan);
    connect(&workspace_.plans(), &Plans::listed, this, &PlanCommands::enable);
}

// Where there is a second plan to go to, and one to reopen.
void PlanCommands::enable() {
    for (QAction* action : for_several_) action->setEnabled(workspace_.plans().count() > 1);
    if (reopen_) reopen_->setEnabled(workspace_.plans().can_reopen());
}

void PlanCommands::add_splits(QMenu& menu) {
    QAction* rule = menu.addAction(tr("Rule of thumb: &least model parallelism"), this,
                                    [this] { take_split(&Splits::rule, tr("Least model parallelism")); });
    rule->setObjectName(QStringLiteral("plan.fit_first"));
    rule->setStatusTip(tr("The smallest tensor x pipeline split inside a node that fits in memory"));
    QAction* fastest =
        menu.addAction(tr("&Fastest split at this micro-batch"), this,
                                       [this] { take_split(&Splits::fastest, tr("Fastest split")); });
    fastest->setObjectName(QStringLiteral("plan.fastest_split"));
    fastest->setStatusTip(tr("Of all tensor x pipeline splits that fit, the one with the shortest step; a search of "
                             "layouts turns more"));
}

void PlanCommands::add_tab_actions(QMenu& menu) {
    const auto here = [this] { return workspace_.plans().place(); };
    const auto add = [&](const QString& text, const char* name, QList<QKeySequence> keys, auto&& does) {
        QAction* action = menu.addAction(text, this, does);
        action->setObjectName(QLatin1String(name));
        action->setShortcuts(keys);
        return action;
    };
    constexpr auto ctrl = Qt::CTRL;
    constexpr auto ctrl_shift = Qt::CTRL | Qt::SHIFT;
    add(tr("&Duplicate this plan"), "plan.duplicate", {ctrl_shift | Qt::Key_D},
        [this, here] { duplicate_plan(here()); })
        ->setStatusTip(tr("A copy in a tab of its own, to be changed and compared with this one"));
    add(tr("Rename this plan..."), "plan.rename", {Qt::Key_F2}, [this, here] { rename_plan(here()); });
    add(tr("Close this plan"), "plan.close", {ctrl | Qt::Key_W}, [this, here] { close_plan(here()); });
    reopen_ = add(tr("Reopen the plan closed last"), "plan.reopen", {ctrl_shift | Qt::Key_R},
                  [this] { workspace_.plans().reopen(); });
    reopen_->setStatusTip(tr("With its history and where it was"));
    for_several_ = {
        add(tr("Next plan"), "plan.next", {ctrl | Qt::Key_PageDown, ctrl | Qt::Key_Tab}, [this] { show_next_plan(1); }),
        add(tr("Previous plan"), "plan.previous",
            {ctrl | Qt::Key_PageUp, ctrl_shift | Qt::Key_Tab, ctrl_shift | Qt::Key_Backtab},
            [this] { show_next_plan(-1); }),
        add(tr("Move the plan to the right"), "plan.move_right", {ctrl_shift | Qt::Key_PageDown},
            [this, here] { workspace_.plans().move(here(), here() + 1); }),
        add(tr("Move the plan to the left"), "plan.move_left", {ctrl_shift | Qt::Key_PageUp},
            [this, here] { workspace_.plans().move(here(), here() - 1); })};
    add(tr("Compare the plans"), "plan.compare", {}, [this] { emit compare_asked(); })
        ->setStatusTip(tr("The plan in front against those of the other tabs"));
    enable();
}

// One undo step; the status bar says what it was worth.
void PlanCommands::take_split(std::optional<PricedSplit> Splits::*split, const QString& name) {
    const Splits found = splits(workspace_.scenario(), workspace_.headroom());
    const Outcome before = estimate(workspace_.scenario());
    const std::optional<PricedSplit>& pick = found.*split;
    if (!pick)
        return emit status_message(tr("None of %1 splits of these devices fits in memory").arg(found.tried));
    const Layout& l = pick->scenario.layout;
    QString text = tr("%1: tensor %2, pipeline %3, data %4; step %5")
                       .arg(name)
                       .arg(l.tensor_parallel)
                       .arg(l.pipeline_parallel)
                       .arg(l.data_parallel)
                       .arg(to_qt(say(pick->step())));
    if (runs(before)) text += tr(" after %1").arg(to_qt(say(before->step.total())));
    if (found.fastest->step() < pick->step())
        text += tr("; the fastest split takes %1").arg(to_qt(say(found.fastest->step())));
    workspace_.propose(pick->scenario, name);
    emit status_message(text);
}

void PlanCommands::show_next_plan(int by) {
    const int count = workspace_.plans().count();
    workspace_.plans().show((workspace_.plans().place() + by + count) % count);
}

void PlanCommands::duplicate_plan(int place) {
    emit about_to_act();
    Plans& plans = workspace_.plans();
    plans.show(place);
    const auto baseline = workspace_.snapshot().baseline;
    plans.add(plans.copy_of(plans.current()));
    workspace_.set_baseline(baseline);   // what a copy is made for is to be compared
}

// As one undo step of the plan, whichever is in front.
void PlanCommands::rename_plan(int place) {
    emit about_to_act();
    Document& plan = workspace_.plans().at(place);
    QInputDialog dialog(window_);
    dialog.setWindowTitle(tr("Rename the plan"));
    dialog.setLabelText(tr("Name"));
    dialog.setTextValue(to_qt(plan.scenario().name));
    if (auto* field = dialog.findChild<QLineEdit*>()) field->setMaxLength(longest_plan_name);
    if (dialog.exec() != QDialog::Accepted || workspace_.plans().place_of(plan) < 0) return;
    Scenario next = plan.scenario();
    next.name = plan_name_of(dialog.textValue());
    plan.edit(next, tr("Name"));
}

bool PlanCommands::close_plan(int place) {
    Plans& plans = workspace_.plans();
    emit about_to_act();
    if (plans.count() == 1 && plans.untouched()) return true;
    if (plans.at(place).modified()) {
        plans.show(place);
        if (!may_discard_()) return false;
    }
    const QString name = plans.names().value(place);
    plans.close(place);
    emit status_message(tr("Closed %1; Ctrl+Shift+R opens it again").arg(name));
    return true;
}

}  // namespace plimsoll
