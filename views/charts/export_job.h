#pragma once
// An export while the window lives on: each turn of the event loop draws one file, which another thread writes. Stands
// in the status bar with its progress and a button that cancels it.
//
//   connect(job, &ExportJob::finished, this, [](const QString& folder) { ... });
//   job->start(*plan_files(plan, figures, folder), folder);

#include "views/charts/export.h"
#include "views/parts/background.h"

#include <QObject>
#include <QWidget>

namespace plimsoll {

class ExportJob : public QWidget {
    Q_OBJECT
public:
    explicit ExportJob(QWidget* parent = nullptr);

    // Files of an export that still runs are written first.
    void start(const ExportFiles& files, const QString& folder);
    // What is written stays, whole; the rest is forgotten.
    void cancel();
    bool busy() const { return next_ < files_.size(); }

signals:
    void finished(const QString& folder);
    void cancelled(int written, int all);
    void failed(const plimsoll::Problems&);  // the first file that could not be made or written; the rest is forgotten

private:
    void draw_next();
    void took(const Problems&);
    void end();
    void show_progress();

    ExportFiles files_;
    std::size_t next_ = 0;  // in files_
    QString folder_;
    QProgressBar* bar_;
    QTimer turn_;           // zero interval: lets the window handle its events between two files
    LatestJob writer_;      // last: it ends before the others go
};

}  // namespace plimsoll
