#pragma once
// A tour of the window: a note beside one part after another, with Next and Skip. The window can be used meanwhile.
//
//   tour->begin({{tiles, tr("The numbers"), tr("Click one ...")}});

#include <QFrame>

#include <QLabel>
#include <QPointer>
#include <QPushButton>

#include <vector>

namespace plimsoll {

struct TourStop {
    QPointer<QWidget> at;
    QString title, text;
};

class Tour : public QFrame {
    Q_OBJECT
public:
    explicit Tour(QWidget* window);

    void begin(std::vector<TourStop> stops);
    void next();
    void end();
    int stop() const { return int(now_); }  // from 0
    const QWidget* at() const { return now_ < stops_.size() ? stops_[now_].at.data() : nullptr; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent*) override;

private:
    void show_stop();
    void place();

    std::vector<TourStop> stops_;
    std::size_t now_ = 0;
    QLabel *title_, *text_, *count_;
    QPushButton *next_, *skip_;
    QWidget* ring_;  // around what the note speaks of
};

}  // namespace plimsoll
