#include "views/window/palette.h"

#include <QApplication>
#include <QFocusEvent>
#include <QMouseEvent>

#include <algorithm>

namespace plimsoll {

Palette::Palette(QWidget* window)
    : SearchList(Groups::column, tr("Find a command, an input, a model, a machine, a page, a number"), window) {
    setObjectName(QStringLiteral("palette"));
    connect(this, &SearchList::chosen, this, &Palette::run);
    connect(this, &SearchList::cancelled, this, &Palette::leave);
    connect(this, &SearchList::refilled, this, &Palette::place);
    window->installEventFilter(this);
    hide();
}

void Palette::open(std::vector<PaletteEntry> entries) {
    entries_ = std::move(entries);
    if (isHidden()) before_ = QApplication::focusWidget();
    std::vector<SearchEntry> shown;
    for (const PaletteEntry& e : entries_) shown.push_back(e.shown);
    set_entries(std::move(shown));
    show();
    raise();
    start();
}

// Below the menu bar, in the middle, and never beyond the window.
void Palette::place() {
    const QWidget& window = *parentWidget();
    const int width = std::min(window.width() - 24, std::max(520, 84 * fontMetrics().averageCharWidth()));
    const int top = std::min(60, window.height() / 10);
    setGeometry((window.width() - width) / 2, top, width, std::min(height_for(14), window.height() - top - 12));
}

void Palette::leave() {
    hide();
    if (before_) before_->setFocus(Qt::OtherFocusReason);
}

void Palette::run(int entry) {
    const std::function<void()> run = entries_[std::size_t(entry)].run;
    leave();  // first: what runs may take the keyboard
    run();
}

bool Palette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && !isHidden()) place();
        const bool pressed = event->type() == QEvent::MouseButtonPress;
        if (pressed && !geometry().contains(static_cast<QMouseEvent*>(event)->position().toPoint())) hide();
        return false;
    }
    // A click elsewhere closes it, whether that takes the keyboard or not; another window in front does not.
    if (watched == field() && event->type() == QEvent::FocusOut
        && static_cast<QFocusEvent*>(event)->reason() == Qt::MouseFocusReason)
        hide();
    return SearchList::eventFilter(watched, event);
}

}  // namespace plimsoll
