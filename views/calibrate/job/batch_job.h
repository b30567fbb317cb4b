#pragma once
// One job of the batch system here: submitted, asked after ever less often, cancelled.
//
//   job.submit(BatchKind::slurm, folder, "job.sh");
//   connect(&job, &BatchJob::changed, this, [this] { show(job.state()); });

#include <QObject>  // first: moc loses track of <compare> where that is the first header it meets

#include "core/files/launch/batch.h"

#include <QProcess>
#include <QTimer>

#include <functional>

namespace plimsoll {

class BatchJob : public QObject {
    Q_OBJECT
public:
    explicit BatchJob(QObject* parent = nullptr);
    ~BatchJob() override;                       // leaves the job to the batch system

    void submit(BatchKind, const QString& folder, const QString& script);
    void cancel();
    bool active() const { return !id_.empty() && !status_.ended(); }
    bool asking() const { return process_.state() != QProcess::NotRunning; }
    QString state() const;                      // "Job 4711: queued: Priority", or what went wrong
    const JobStatus& status() const { return status_; }
    const std::string& id() const { return id_; }

signals:
    void changed();

private:
    using Answer = std::function<void(int code, const std::string& printed)>;
    void ask(const Command&, Answer);
    void poll(std::size_t command);
    void wait();

    BatchKind kind_ = BatchKind::slurm;
    std::string id_;
    JobStatus status_;
    QString problem_;
    QProcess process_;
    Answer answer_;
    QTimer next_;
    int polls_ = 0;
};

}  // namespace plimsoll
