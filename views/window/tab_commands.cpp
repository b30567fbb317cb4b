// Several plans in the main window: their tabs, and the file that keeps them together.
#include "views/parts/text.h"
#include "views/window/main_window.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>

namespace plimsoll {

namespace {

const QString workspace_filter = QStringLiteral("Plimsoll workspaces (*.plimsoll-workspace);;All files (*)");

}  // namespace

// ---- Tabs

// A single plan needs no tab.
void MainWindow::show_tabs() {
    const bool several = workspace_.plans().count() > 1;
    plans_line_->setVisible(several);
    head_->setVisible(several || !answers_->isHidden());
}

// One question for all of them.
bool FileSession::may_discard_all() {
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
                    QMessageBox::SaveAll | QMessageBox::Discard | QMessageBox::Cancel, window_);
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

void FileSession::add_workspace_actions(QMenu& menu) {
    menu.addAction(tr("Open workspace..."), this, &FileSession::ask_open_workspace)
        ->setObjectName(QStringLiteral("plan.open_workspace"));
    QAction* save = menu.addAction(tr("Save workspace"), this, [this] { save_workspace(); });
    save->setObjectName(QStringLiteral("plan.save_workspace"));
    save->setStatusTip(tr("All plans that are open, in one file"));
    QAction* save_as = menu.addAction(tr("Save workspace as..."), this, [this] { save_workspace_as(); });
    save_as->setObjectName(QStringLiteral("plan.save_workspace_as"));
    save_as->setStatusTip(save->statusTip());
}

void FileSession::ask_open_workspace() {
    const QString near = workspace_.plans().file().isEmpty() ? document().file() : workspace_.plans().file();
    const QString path =
        QFileDialog::getOpenFileName(window_, tr("Open a workspace"), QFileInfo(near).path(), workspace_filter);
    if (!path.isEmpty()) open(path);
}

bool FileSession::open_workspace(const QString& path) {
    if (!may_discard_all()) return false;
    const QString name = QFileInfo(path).fileName();
    const Problems problems = workspace_.plans().open_all(path);
    if (!accepted(window_, tr("\"%1\" could not be opened. Nothing has changed.").arg(name), problems)) return false;
    remember_file(path);
    emit plan_wanted();
    if (problems.empty()) emit status_message(tr("Opened %1: %2 plans").arg(name).arg(workspace_.plans().count()),
                                                   4000);
    else show_problems(window_, tr("\"%1\" was opened, with remarks.").arg(name), problems);
    return true;
}

bool FileSession::save_workspace() {
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
                    QMessageBox::Cancel, window_);
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

bool FileSession::save_workspace_as() {
    inputs_->commit();
    const QString own = workspace_.plans().file();
    QString path = own.isEmpty() ? QStringLiteral("plans.plimsoll-workspace") : own;
    do {
        path = ask_where_to_save(tr("Save the workspace"), path, workspace_filter, suffix_of_workspace);
        if (path.isEmpty()) return false;
    } while (QFileInfo::exists(path) && !may_replace(path));
    return write_workspace_to(path);
}

bool FileSession::write_workspace_to(const QString& path) {
    if (!accepted(window_, tr("The workspace could not be saved."), workspace_.plans().save_all(path))) return false;
    remember_file(path);
    emit status_message(
        tr("Saved %1: %2 plans").arg(workspace_.plans().file_name()).arg(workspace_.plans().count()), 4000);
    return true;
}

}  // namespace plimsoll
