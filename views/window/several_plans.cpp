// Several plans in the main window: their tabs, and the file that keeps them together.
#include "views/decide/compare_page.h"
#include "views/parts/text.h"
#include "views/window/main_window.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>

namespace plimsoll {

namespace {

const QString workspace_filter = QStringLiteral("Plimsoll workspaces (*.plimsoll-workspace);;All files (*)");

}  // namespace

// ---- Tabs

void MainWindow::follow_tabs() {
    Plans& plans = workspace_.plans();
    connect(&plans, &Plans::listed, this, &MainWindow::show_tabs);
    connect(&plans, &Plans::shown, this, [this] {
        QMetaObject::invokeMethod(this, &MainWindow::look_at_file, Qt::QueuedConnection);  // not before the frame
    });
    connect(tabs_, &PlanTabs::close_asked, this, &MainWindow::close_plan);
    connect(tabs_, &PlanTabs::close_others_asked, this, [this](int place) {
        const QString stays = workspace_.plans().at(place).id();
        for (int i = workspace_.plans().count() - 1; i >= 0; --i)
            if (workspace_.plans().at(i).id() != stays && !close_plan(i)) return;
    });
    connect(tabs_, &PlanTabs::rename_asked, this, &MainWindow::rename_plan);
    connect(tabs_, &PlanTabs::duplicate_asked, this, &MainWindow::duplicate_plan);
}

// A single plan needs no tab.
void MainWindow::show_tabs() {
    const bool several = workspace_.plans().count() > 1;
    tabs_->setVisible(several);
    tabs_->list()->setVisible(several);
    head_->setVisible(several || !answers_->isHidden());
    for (QAction* action : for_several_) action->setEnabled(several);
    if (reopen_) reopen_->setEnabled(workspace_.plans().can_reopen());
}

void MainWindow::add_tab_actions(QMenu& menu) {
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
    add(tr("Compare the plans"), "plan.compare", {}, [this] { show_page(QStringLiteral("compare")); })
        ->setStatusTip(tr("The plan in front against those of the other tabs"));
    show_tabs();
}

void MainWindow::show_next_plan(int by) {
    const int count = workspace_.plans().count();
    workspace_.plans().show((workspace_.plans().place() + by + count) % count);
}

void MainWindow::duplicate_plan(int place) {
    inputs_->commit();
    Plans& plans = workspace_.plans();
    plans.show(place);
    plans.add(plans.copy_of(plans.current()));
}

// As one undo step of the plan, whichever is in front.
void MainWindow::rename_plan(int place) {
    inputs_->commit();
    Document& plan = workspace_.plans().at(place);
    QInputDialog dialog(this);
    dialog.setWindowTitle(tr("Rename the plan"));
    dialog.setLabelText(tr("Name"));
    dialog.setTextValue(to_qt(plan.scenario().name));
    if (auto* field = dialog.findChild<QLineEdit*>()) field->setMaxLength(longest_plan_name);
    if (dialog.exec() != QDialog::Accepted || workspace_.plans().place_of(plan) < 0) return;
    Scenario next = plan.scenario();
    next.name = plan_name_of(dialog.textValue());
    plan.edit(next, tr("Name"));
}

bool MainWindow::close_plan(int place) {
    Plans& plans = workspace_.plans();
    inputs_->commit();
    if (plans.count() == 1 && plans.untouched()) return true;
    if (plans.at(place).modified()) {
        plans.show(place);
        if (!may_discard()) return false;
    }
    const QString name = plans.names().value(place);
    plans.close(place);
    statusBar()->showMessage(tr("Closed %1; Ctrl+Shift+R opens it again").arg(name), 8000);
    return true;
}

// One question for all of them.
bool MainWindow::may_discard_all() {
    inputs_->commit();
    Plans& plans = workspace_.plans();
    const QStringList names = plans.names();
    std::vector<QString> changed;
    QStringList said;
    for (int i = 0; i < plans.count(); ++i)
        if (plans.at(i).modified()) {
            changed.push_back(plans.at(i).id());
            said << names[i];
        }
    if (changed.empty()) return true;
    if (changed.size() == 1) {
        plans.show(plans.place_of_id(changed.front()));
        return may_discard();
    }
    QMessageBox box(QMessageBox::Question, tr("Unsaved changes"),
                    tr("%1 plans have unsaved changes. Save them?").arg(changed.size()),
                    QMessageBox::SaveAll | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setInformativeText(plain_text(said.join(u'\n')));
    box.setDefaultButton(QMessageBox::SaveAll);
    const int answer = box.exec();
    if (answer != QMessageBox::SaveAll) return answer == QMessageBox::Discard;
    for (const QString& id : changed) {
        const int place = plans.place_of_id(id);
        if (place < 0 || !plans.at(place).modified()) continue;  // saved together with another
        plans.show(place);
        if (!save()) return false;
    }
    return true;
}

// ---- One file for all

void MainWindow::add_workspace_actions(QMenu& menu) {
    menu.addAction(tr("Open workspace..."), this, &MainWindow::ask_open_workspace)
        ->setObjectName(QStringLiteral("plan.open_workspace"));
    QAction* save = menu.addAction(tr("Save workspace"), this, [this] { save_workspace(); });
    save->setObjectName(QStringLiteral("plan.save_workspace"));
    save->setStatusTip(tr("All plans that are open, in one file"));
    QAction* save_as = menu.addAction(tr("Save workspace as..."), this, [this] { save_workspace_as(); });
    save_as->setObjectName(QStringLiteral("plan.save_workspace_as"));
    save_as->setStatusTip(save->statusTip());
}

void MainWindow::ask_open_workspace() {
    const QString near = workspace_.plans().file().isEmpty() ? document().file() : workspace_.plans().file();
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a workspace"), QFileInfo(near).path(), workspace_filter);
    if (!path.isEmpty()) open(path);
}

bool MainWindow::open_workspace(const QString& path) {
    if (!may_discard_all()) return false;
    const QString name = QFileInfo(path).fileName();
    const Problems problems = workspace_.plans().open_all(path);
    if (has_errors(problems)) {
        show_problems(tr("\"%1\" could not be opened. Nothing has changed.").arg(name), problems);
        return false;
    }
    remember_file(path);
    show_plan();
    if (problems.empty()) statusBar()->showMessage(tr("Opened %1: %2 plans").arg(name).arg(workspace_.plans().count()),
                                                   4000);
    else show_problems(tr("\"%1\" was opened, with remarks.").arg(name), problems);
    return true;
}

bool MainWindow::save_workspace() {
    inputs_->commit();
    Plans& plans = workspace_.plans();
    if (plans.file().isEmpty()) return save_workspace_as();
    QStringList what;
    if (plans.file_changed_on_disk())
        what << tr("The file was changed by another program since it was opened or saved here.");
    if (const int gone = plans.left_out(); gone > 0)
        what << (gone == 1
                     ? tr("A plan of the file is closed here; it would be in the file no longer.")
                     : tr("%1 plans of the file are closed here; they would be in the file no longer.").arg(gone));
    if (what.isEmpty()) return write_workspace_to(plans.file());
    QMessageBox box(QMessageBox::Warning, tr("Save the workspace"),
                    plain_text(tr("Replace \"%1\" by the plans that are open?").arg(plans.file_name())),
                    QMessageBox::Cancel, this);
    box.setInformativeText(what.join(u'\n'));
    const QAbstractButton* replace = box.addButton(tr("Replace"), QMessageBox::DestructiveRole);
    const QAbstractButton* elsewhere = box.addButton(tr("Save as..."), QMessageBox::ActionRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == elsewhere) return save_workspace_as();
    return box.clickedButton() == replace && write_workspace_to(plans.file());
}

namespace {

// The suffix is what tells such a file from that of a plan.
QString suffix_of_workspace(const QString& path, const QString&) {
    const QString suffix = to_qt(workspace_suffix);
    return path.endsWith(suffix) ? QString() : suffix;
}

}  // namespace

bool MainWindow::save_workspace_as() {
    inputs_->commit();
    const QString own = workspace_.plans().file();
    QString path = own.isEmpty() ? QStringLiteral("plans.plimsoll-workspace") : own;
    do {
        path = ask_where_to_save(tr("Save the workspace"), path, workspace_filter, suffix_of_workspace);
        if (path.isEmpty()) return false;
    } while (QFileInfo::exists(path) && !may_replace(path));
    return write_workspace_to(path);
}

bool MainWindow::write_workspace_to(const QString& path) {
    const Problems problems = workspace_.plans().save_all(path);
    if (has_errors(problems)) {
        show_problems(tr("The workspace could not be saved."), problems);
        return false;
    }
    remember_file(path);
    statusBar()->showMessage(
        tr("Saved %1: %2 plans").arg(workspace_.plans().file_name()).arg(workspace_.plans().count()), 4000);
    return true;
}

}  // namespace plimsoll
