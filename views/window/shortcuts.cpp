// Help > Keyboard shortcuts, read off the menus so that it cannot be wrong.
#include "views/window/main_window.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace plimsoll {

namespace {

void add_menu(QTreeWidget& list, const QMenu& menu) {
    auto* group = new QTreeWidgetItem(&list, {menu.title().remove(u'&')});
    for (const QAction* action : menu.actions())
        if (!action->shortcut().isEmpty())
            new QTreeWidgetItem(group, {action->text().remove(u'&').remove(QStringLiteral("...")),
                                        QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText)});
}

void add_gestures(QTreeWidget& list) {
    auto* group = new QTreeWidgetItem(&list, {QObject::tr("In charts and fields")});
    new QTreeWidgetItem(group, {QObject::tr("Chart: move the cursor point by point"), QObject::tr("Left, Right")});
    new QTreeWidgetItem(group, {QObject::tr("Number field: next valid value"), QObject::tr("Up, Down")});
    new QTreeWidgetItem(group,
                        {QObject::tr("Number field: next value, valid or not"), QObject::tr("Shift+Up, Shift+Down")});
    new QTreeWidgetItem(group, {QObject::tr("Number field: back to the plan's value"), QObject::tr("Esc")});
}

}  // namespace

void show_shortcuts(QWidget* window) {
    QDialog dialog(window);
    dialog.setWindowTitle(QObject::tr("Keyboard shortcuts"));
    auto* list = new QTreeWidget;
    list->setAccessibleName(dialog.windowTitle());
    list->setHeaderLabels({QObject::tr("Action"), QObject::tr("Keys")});
    list->setRootIsDecorated(false);
    if (auto* main = qobject_cast<QMainWindow*>(window))
        for (const QAction* action : main->menuBar()->actions())
            if (action->menu()) add_menu(*list, *action->menu());
    add_gestures(*list);
    list->expandAll();
    list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    auto* close = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(close, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* all = new QVBoxLayout(&dialog);
    all->addWidget(list);
    all->addWidget(close);
    dialog.resize(560, 560);
    dialog.exec();
}

}  // namespace plimsoll
