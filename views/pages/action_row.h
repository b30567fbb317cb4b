#pragma once
// Buttons in one line of fixed height: those that have no room are the menu of "More" at its end.

#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

namespace plimsoll {

class ActionRow : public QWidget {
    Q_OBJECT
public:
    explicit ActionRow(QWidget* before);   // which has the keyboard before the first button

    void add(QPushButton*);                // is its own from then on
    void clear();
    const QList<QPushButton*>& buttons() const { return buttons_; }   // in view or behind "More"
    QToolButton* more() const { return more_; }
    QSize sizeHint() const override { return {300, more_->sizeHint().height()}; }
    QSize minimumSizeHint() const override { return {more_->sizeHint().width(), sizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent*) override { place(); }
    void showEvent(QShowEvent*) override { place(); }

private:
    void place();
    void fill_menu();

    QWidget* before_;
    QList<QPushButton*> buttons_;
    QToolButton* more_;
    QMenu menu_;
};

}  // namespace plimsoll
