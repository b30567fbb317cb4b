#include "views/calibrate/calibration_files.h"

#include "core/files/measured/calibration_plan.h"
#include "views/parts/arrange.h"
#include "views/parts/text.h"

#include <QDate>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace plimsoll {

namespace {

const QString part = QStringLiteral(".part");

// The engine holds a lock on the file it writes, which the kernel lets go with the process.
bool being_written(const QString& file) {
    const int descriptor = ::open(QFile::encodeName(file).constData(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool locked = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return locked;
}

}  // namespace

QString default_calibrations() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation))
        .filePath(QStringLiteral("plimsoll/calibrations"));
}

bool CalibrationFiles::holds(const QString& file) const {
    return !file.isEmpty() && QFileInfo(file).absolutePath() == QFileInfo(directory_).absoluteFilePath();
}

QString CalibrationFiles::new_log(const QString& id) const {
    if (!QDir().mkpath(directory_)) return {};
    const QString stem = QDir(directory_).filePath(QDate::currentDate().toString(Qt::ISODate) + u'-' + id);
    for (int n = 1;; ++n) {
        const QString log = stem + (n == 1 ? QString() : QStringLiteral("-%1").arg(n)) + QStringLiteral(".jsonl");
        if (!QFileInfo::exists(log) && !QFileInfo::exists(log + part)) return log;
    }
}

QString CalibrationFiles::written(const QString& log) {
    if (QFileInfo::exists(log)) return log;
    return QFileInfo::exists(log + part) ? log + part : QString();
}

// Only the newest of whole logs is read: one that was left and followed by another is no longer waited for.
std::optional<LeftCalibration> CalibrationFiles::interrupted() const {
    const QFileInfoList files =
        QDir(directory_)
            .entryInfoList({QStringLiteral("*.jsonl"), QStringLiteral("*.jsonl.part")}, QDir::Files, QDir::Time);
    bool newest = true;
    for (const QFileInfo& file : files) {
        const QString path = file.absoluteFilePath();
        const bool cut_off = path.endsWith(part);
        if ((!newest && !cut_off) || being_written(path)) continue;
        newest = false;
        auto log = read_calibration_log(path.toStdString());
        if (log && !log->complete()) return LeftCalibration{path, std::move(*log)};
    }
    return std::nullopt;
}

bool CalibrationFiles::remove(const QString& file) const {
    if (!holds(file)) return false;
    QString log = file;
    if (log.endsWith(part)) log.chop(part.size());
    QFile::remove(plan_of(log));
    return QFile::remove(file);
}

InterruptedBar::InterruptedBar(QWidget* parent) : QWidget(parent), text_(new PlainLabel) {
    text_->setWordWrap(true);
    text_->setAccessibleName(tr("An interrupted calibration"));
    setLayout(beside({{text_, 1},
                      button(tr("Resume"), "interrupted.resume", {}, this, &InterruptedBar::resume),
                      button(tr("Show"), "interrupted.look", {}, this, &InterruptedBar::look),
                      button(tr("Discard"), "interrupted.discard", {}, this, &InterruptedBar::discard)},
                     {8, 6, 8, 6}));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::AlternateBase);
    hide();
}

void InterruptedBar::present(const std::optional<LeftCalibration>& left) {
    text_->setText(left ? say_interrupted(left->log) : QString());
    setVisible(left.has_value());
}

QString say_interrupted(const CalibrationLog& log) {
    const auto plan = read_calibration_plan(log.plan);
    const QString of = plan ? to_qt(plan->model.name) : InterruptedBar::tr("this computer");
    const QString date = log.engine.hello ? to_qt(log.engine.hello->started).left(10) : QString();
    const auto complete = std::count_if(log.experiments.begin(), log.experiments.end(),
                                        [](const ExperimentState& e) { return e.complete(); });
    const int all = log.experiments.empty() ? 0 : log.experiments.front().said.of;
    const QString what = date.isEmpty() ? InterruptedBar::tr("A calibration of %1").arg(of)
                                        : InterruptedBar::tr("A calibration of %1 from %2").arg(of, date);
    return InterruptedBar::tr("%1 was interrupted after %2 of %3 runs.").arg(what).arg(complete).arg(all);
}

}  // namespace plimsoll
