#pragma once
// Offers a calibration that an earlier window left half done.

#include <QWidget>  // first: moc loses track of <compare> where that is the first header it meets

#include "views/calibrate/measure/calibration_files.h"

#include <QLabel>

namespace plimsoll {

class InterruptedBar : public QWidget {
    Q_OBJECT
public:
    explicit InterruptedBar(QWidget* parent = nullptr);

    void present(const std::optional<LeftCalibration>&);   // hidden without one
    QString text() const { return text_->text(); }

signals:
    void resume();
    void look();
    void discard();

private:
    QLabel* text_;
};

// "A calibration of GPT-2 small from 2026-11-21 was interrupted after 12 of 20 runs."
QString say_interrupted(const CalibrationLog&);

}  // namespace plimsoll
