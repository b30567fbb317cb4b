#pragma once
// Parts of a page, and where they stand, in one expression:
//
//   setLayout(below({head, {tabs_, 1}, flow({start_, stop_})}, page_margins));
//
// The number behind a part is its share of the room that is left. The name of a button or an input is for tests.

#include "core/files/text/problem.h"
#include "views/parts/widgets.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QSplitter>

#include <functional>
#include <initializer_list>

namespace plimsoll {

struct Placed {
    Placed(QWidget* one, int of_the_rest = 0) : widget(one), share(of_the_rest) {}
    Placed(QLayout* several, int of_the_rest = 0) : layout(several), share(of_the_rest) {}
    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int share;
};
using Placings = std::initializer_list<Placed>;

inline constexpr QMargins usual_margins{-1, -1, -1, -1}, no_margins{0, 0, 0, 0}, page_margins{4, 6, 4, 4};
QBoxLayout* below(Placings, const QMargins& = usual_margins, int spacing = -1);
QBoxLayout* beside(Placings, const QMargins& = usual_margins, int spacing = -1);
FlowLayout* flow(std::initializer_list<QWidget*>);
QWidget* piece(QLayout*);   // as one widget
// With a bar between them that moves; none can be pushed out of view.
QSplitter* split(Qt::Orientation, Placings, const QList<int>& sizes = {});

QPushButton* button(const QString& text, const char* name, const QString& tip = {});
template <class Receiver, class Does>
QPushButton* button(const QString& text, const char* name, const QString& tip, Receiver* receiver, Does does) {
    QPushButton* made = button(text, name, tip);
    QObject::connect(made, &QPushButton::clicked, receiver, does);
    return made;
}

// The wheel turns it only while it has the keyboard.
template <class Input>
Input* as_input(Input* made, const char* name, const QString& tip = {}) {
    made->setObjectName(QLatin1String(name));
    made->setToolTip(tip);
    WheelGuard::install(made);
    return made;
}

// `none` stands for nothing, the least value.
QDoubleSpinBox* number_box(double least, double most, int decimals, const QString& unit = {}, const QString& none = {});

void set_bold(QWidget&, double larger = 1);
QDialogButtonBox* close_button(QDialog&);   // of a dialog that changes nothing
void warn(QWidget* over, const QString& title, const Problems&);

// Does its work where the page is in view, and otherwise when it is shown next.
//
//   auto* seen = new WhenSeen(*this, [this] { present(); });
//   connect(&workspace_, &Workspace::changed, seen, &WhenSeen::due);
class WhenSeen : public QObject {
    Q_OBJECT
public:
    enum class Shown { when_due, always };   // what a page that comes into view does
    WhenSeen(QWidget& page, std::function<void()> work, Shown shown = Shown::when_due)
        : QObject(&page), page_(page), work_(std::move(work)), shown_(shown) {
        page.installEventFilter(this);
    }
    void due();

protected:
    bool eventFilter(QObject*, QEvent*) override;

private:
    QWidget& page_;
    std::function<void()> work_;
    Shown shown_;
    bool due_ = true;   // before it is seen first
};

}  // namespace plimsoll
