#pragma once
// Where this user's calibrations lie, and what an interrupted one left there.
//
//   CalibrationFiles files(default_calibrations());
//   const QString out = files.new_log("gpt-2-small");              // ".../2026-11-21-gpt-2-small.jsonl"
//   if (const auto left = files.interrupted()) offer(left->log.state());
//
// The engine writes LOG.part and renames it to LOG at a clean end, cancelled or complete.

#include "core/files/measured/calibration_log.h"

#include <QLabel>
#include <QString>
#include <QWidget>

#include <optional>

namespace plimsoll {

struct LeftCalibration {
    QString file;
    CalibrationLog log;
};

class CalibrationFiles {
public:
    explicit CalibrationFiles(QString directory) : directory_(std::move(directory)) {}

    const QString& directory() const { return directory_; }
    bool holds(const QString& file) const;        // lies in the directory: ours to delete
    // A file that is not there yet, nor its .part; makes the directory. Empty where that cannot be made.
    QString new_log(const QString& id) const;
    static QString plan_of(const QString& log) { return log + QStringLiteral(".plan.json"); }
    // The file a run that was to write `log` left: itself, else its .part; empty where there is neither.
    static QString written(const QString& log);
    // The newest that did not go to its end and that nobody writes to any more.
    std::optional<LeftCalibration> interrupted() const;
    // With the plan beside it. Only of the directory.
    bool remove(const QString& file) const;

private:
    QString directory_;
};

QString default_calibrations();

// Offers a calibration that an earlier window left half done.
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
