#pragma once
// Small parts that the window is made of: colours with a meaning, labelled inputs, text to read, sections that fold,
// and a layout that wraps.

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QPalette>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>

#include <vector>

namespace plimsoll {

// Colours that mean something, readable (4.5:1) on either ground. Never the
// only sign: an icon or a word always goes with them.
inline bool is_dark(const QPalette& p) { return p.color(QPalette::Window).lightness() < 128; }
inline QColor alert_colour(const QPalette& p) { return QColor(is_dark(p) ? "#ff8a80" : "#b3261e"); }
inline QColor warn_colour(const QPalette& p) { return QColor(is_dark(p) ? "#ffc266" : "#8a5000"); }
inline QColor good_colour(const QPalette& p) { return QColor(is_dark(p) ? "#4fd1a5" : "#00694d"); }
inline QColor faint_colour(const QPalette& p) { return QColor(is_dark(p) ? "#a9adb3" : "#5c5c5c"); }
// Edges of what can be used: 3:1 against every ground.
inline QColor outline_colour(const QPalette& p) { return QColor(is_dark(p) ? "#868d96" : "#80868e"); }

void set_text_colour(QWidget&, const QColor&);  // of a label

// A label whose text may come from a file: shown as it stands, and never wider than a screen has room for, however long
// a name without a space is.
class PlainLabel : public QLabel {
    Q_OBJECT
public:
    explicit PlainLabel(const QString& text = {}, QWidget* parent = nullptr);
    QSize sizeHint() const override { return bounded(QLabel::sizeHint()); }
    QSize minimumSizeHint() const override { return bounded(QLabel::minimumSizeHint()); }

    // For text that follows a slider: the label keeps its size while the text has room in it, because a label that asks
    // for a size, even the same one, lays out the whole window. Afterwards release() lets the layout decide again.
    void set_text_in_place(const QString& text);
    void release();

protected:
    enum class Markup { none, ours };
    PlainLabel(Markup, QWidget* parent);

private:
    QSize bounded(QSize) const;

    qsizetype held_ = -1;   // letters of the longest text known to have room; -1: the layout decides
};
// For sentences with markup of our own, whose foreign parts are escaped.
class RichLabel : public PlainLabel {
    Q_OBJECT
public:
    explicit RichLabel(QWidget* parent = nullptr) : PlainLabel(Markup::ours, parent) {}
};

// An input with its label to the left, as one piece that flows to the next line
// whole. The label's mnemonic moves the focus to the input.
//
//   flow->addWidget(labelled(tr("&Steps"), steps_));
QWidget* labelled(const QString& text, QWidget* input);

// Tab goes through the parts in this order; inside each part its order stays. All are in one window.
void set_tab_order_of(const std::vector<QWidget*>& parts);

// Text of any length, which wraps and can be copied.
//
//   summary_ = paragraph(tr("What will run"));    // the name is for screen readers; the text comes later
QLabel* paragraph(const QString& name);

// Lines to read and copy, not to edit; Tab leaves it. `empty` stands there while there are none.
QPlainTextEdit* read_only_text(const QString& name, const QString& empty);

// Keeps the wheel from turning an input the pointer merely passes over while
// the panel scrolls: only the focused one listens.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    static void install(QWidget* input) {
        input->setFocusPolicy(Qt::StrongFocus);
        input->installEventFilter(new WheelGuard(input));
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus()) return false;
        event->ignore();  // the scroll area takes it
        return true;
    }

private:
    using QObject::QObject;
};

// A heading that folds its content away.
class Section : public QWidget {
    Q_OBJECT
public:
    enum class Level { group, details };
    Section(const QString& title, Level level, bool open, QWidget* parent = nullptr);

    const QString& title() const { return title_; }
    void unfold() { heading_->setChecked(true); }
    void add(QWidget* row) { content_->addWidget(row); }
    // Says in the heading why nothing below it matters; empty: it does.
    void set_idle(const QString& reason);
    void set_note(const QString& note);  // in the heading: what is set below it
    // While a filter is on, whatever matches is shown open; afterwards the user's choice returns.
    void set_filtered(bool filtering, bool any_match);

private:
    void refresh();
    void set_heading(const QString& text);

    QString title_;
    QToolButton* heading_;
    QWidget* body_;
    QVBoxLayout* content_;
    bool filtering_ = false;
};

// Left to right, wrapping onto as many lines as the width asks for.
class FlowLayout : public QLayout {
    Q_OBJECT
public:
    explicit FlowLayout(QWidget* parent = nullptr, int gap = 6);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override { items_.push_back(item); }
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int i) const override { return i >= 0 && i < count() ? items_[i] : nullptr; }
    QLayoutItem* takeAt(int i) override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place({0, 0, width, 0}, false); }
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override;
    void setGeometry(const QRect&) override;

private:
    int place(const QRect& area, bool really) const;  // height used

    std::vector<QLayoutItem*> items_;
    int gap_;
};

}  // namespace plimsoll
