#include "views/inputs/checked_line.h"

#include "views/inputs/controls.h"

#include <QKeyEvent>

#include <utility>

namespace plimsoll {

CheckedLine::CheckedLine(Workspace& workspace, const char* id, Meaning meaning, QWidget* parent)
    : QLineEdit(parent), workspace_(workspace), meaning_(std::move(meaning)) {
    setObjectName(QLatin1String(id));
    setMinimumWidth(60);
    pause_.setSingleShot(true);
    pause_.setInterval(600);
    connect(&pause_, &QTimer::timeout, this, &CheckedLine::commit);
    connect(this, &QLineEdit::textEdited, this, [this](const QString& text) {
        say(meaning_.wrong(text));
        pause_.start();
    });
    connect(this, &QLineEdit::editingFinished, this, &CheckedLine::commit);
}

void CheckedLine::say(const QString& wrong) {
    emit checked(wrong);
    workspace_.refuse(objectName().toStdString(), wrong.toStdString());
}

void CheckedLine::commit() {
    pause_.stop();
    if (!isModified()) return;
    const QString wrong = meaning_.wrong(text());
    say(wrong);
    if (!wrong.isEmpty()) return;
    setModified(false);
    forget_typing(*this);
    if (!meaning_.same(text())) meaning_.take(text());
}

// What was typed is left as it was while it says the same.
void CheckedLine::give_up() {
    pause_.stop();
    if (!meaning_.same(text())) setText(meaning_.of_plan());
    setModified(false);
    say({});
}

void CheckedLine::plan_changed() {
    if (!pause_.isActive()) give_up();
}

void CheckedLine::keyPressEvent(QKeyEvent* event) {
    if (isModified() && event->key() == Qt::Key_Escape) return give_up();
    QLineEdit::keyPressEvent(event);
}

}  // namespace plimsoll
