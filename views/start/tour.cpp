#include "views/start/tour.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace plimsoll {

namespace {

class Ring : public QWidget {
public:
    explicit Ring(QWidget* parent) : QWidget(parent) { setAttribute(Qt::WA_TransparentForMouseEvents); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 3));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), 6, 6);
    }
};

}  // namespace

Tour::Tour(QWidget* window)
    : QFrame(window),
      title_(new QLabel),
      text_(new QLabel),
      count_(new QLabel),
      next_(new QPushButton(tr("&Next"))),
      skip_(new QPushButton(tr("S&kip"))),
      ring_(new Ring(window)) {
    setObjectName(QStringLiteral("tour"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    text_->setWordWrap(true);
    count_->setForegroundRole(QPalette::PlaceholderText);
    auto* foot = new QHBoxLayout;
    foot->addWidget(count_, 1);
    foot->addWidget(skip_);
    foot->addWidget(next_);
    auto* column = new QVBoxLayout(this);
    column->addWidget(title_);
    column->addWidget(text_);
    column->addLayout(foot);
    connect(next_, &QPushButton::clicked, this, &Tour::next);
    connect(skip_, &QPushButton::clicked, this, &Tour::end);
    window->installEventFilter(this);
    end();
}

void Tour::begin(std::vector<TourStop> stops) {
    stops_ = std::move(stops);
    std::erase_if(stops_, [](const TourStop& s) { return !s.at; });
    now_ = 0;
    show_stop();
}

void Tour::next() {
    ++now_;
    show_stop();
}

void Tour::end() {
    hide();
    ring_->hide();
}

void Tour::show_stop() {
    if (now_ >= stops_.size()) return end();
    const TourStop& s = stops_[now_];
    title_->setText(s.title);
    text_->setText(s.text);
    count_->setText(tr("%1 of %2").arg(now_ + 1).arg(stops_.size()));
    next_->setText(now_ + 1 == stops_.size() ? tr("&Done") : tr("&Next"));
    setAccessibleName(s.title);
    setAccessibleDescription(s.text);
    ring_->show();
    show();
    place();
    ring_->raise();
    raise();
    next_->setFocus(Qt::OtherFocusReason);
}

// Below what it speaks of, else above, right or left of it: the first place that covers nothing of it.
void Tour::place() {
    if (isHidden() || now_ >= stops_.size() || !stops_[now_].at) return;
    const QWidget* at = stops_[now_].at;
    QWidget* window = parentWidget();
    const QRect area = window->rect().adjusted(6, 6, -6, -6);
    const QRect target = QRect(at->mapTo(window, QPoint()), at->size()).intersected(window->rect());
    ring_->setGeometry(target.adjusted(-3, -3, 3, 3).intersected(window->rect()));
    const int wide = std::min(area.width(), 46 * fontMetrics().averageCharWidth());
    const QMargins around = layout()->contentsMargins();
    text_->setFixedWidth(wide - around.left() - around.right());
    layout()->activate();
    const QSize size = sizeHint();
    const int centre = target.center().x() - size.width() / 2, middle = target.center().y() - size.height() / 2;
    QRect best;
    const QPoint corners[] = {{centre, target.bottom() + 10},
                              {centre, target.top() - size.height() - 10},
                              {target.right() + 10, middle},
                              {target.left() - size.width() - 10, middle},
                              {area.right() - size.width(), area.bottom() - size.height()}};
    for (const QPoint& corner : corners) {
        QRect box(corner, size);
        box.moveLeft(std::clamp(box.left(), area.left(), std::max(area.left(), area.right() - size.width())));
        box.moveTop(std::clamp(box.top(), area.top(), std::max(area.top(), area.bottom() - size.height())));
        best = box;
        if (!box.intersects(target)) break;
    }
    setGeometry(best);
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    const bool moves = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
    if (watched == parentWidget() && moves) place();
    return QFrame::eventFilter(watched, event);
}

void Tour::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return end();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return next();
    QFrame::keyPressEvent(event);
}

}  // namespace plimsoll
