#pragma once
// A calibration as a job of a batch system: what it asks for, the script, and,
// where that system is here, the job itself.
//
//   page.show_job();   // of the plan's machine

#include "core/files/launch/batch.h"
#include "core/files/launch/calibration_job.h"
#include "views/document/workspace.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <QWidget>

#include <functional>

namespace plimsoll {

// What is needed to ask after a job again, by another window as well.
struct SubmittedJob {
    BatchKind kind = BatchKind::slurm;
    std::string id;
    QString folder, machine;   // where it was submitted from, and whose preset it was made for
};

// One job of the batch system here: submitted, asked after ever less often, cancelled.
//
//   job.submit({BatchKind::slurm, {}, folder, "Frontier"}, "job.sh");
//   connect(&job, &BatchJob::changed, this, [this] { show(job.state()); });
class BatchJob : public QObject {
    Q_OBJECT
public:
    explicit BatchJob(QObject* parent = nullptr);
    ~BatchJob() override;                       // leaves the job to the batch system

    void submit(const SubmittedJob&, const QString& script);   // its id is what the batch system answers
    void follow(const SubmittedJob&);           // submitted by an earlier window
    void cancel();                              // also while another command is under way
    void forget();                              // the batch system does not know it any more
    bool active() const { return !job_.id.empty() && !status_.ended(); }
    bool lost() const { return active() && !known_; }
    bool asking() const { return process_.state() != QProcess::NotRunning; }
    QString state() const;                      // "Job 4711: queued: Priority", or what went wrong
    const JobStatus& status() const { return status_; }
    const std::string& id() const { return job_.id; }
    const SubmittedJob& submitted() const { return job_; }

signals:
    void changed();

private:
    using Answer = std::function<void(int code, const std::string& printed)>;
    void ask(const Command&, Answer);
    void poll(std::size_t command);
    void wait();

    SubmittedJob job_;
    JobStatus status_;
    QString problem_;
    bool cancelling_ = false;
    bool known_ = true;         // to the batch system, when it was asked last
    QProcess process_;
    Answer answer_;
    QTimer next_;
    int polls_ = 0;
};

class JobPage : public QWidget {
    Q_OBJECT
public:
    explicit JobPage(Workspace& workspace, QWidget* parent = nullptr);

    Problems save_to(const QString& folder);      // script, plan and what lies beside them; the folder is made
    void submit_from(const QString& folder);      // likewise, then submits it

    BatchKind kind() const;
    QString script() const { return preview_->toPlainText(); }
    QString notes() const { return notes_->text(); }
    QString state() const { return state_->text(); }
    QPushButton* save_button() const { return save_; }
    QPushButton* submit_button() const { return submit_; }
    QPushButton* forget_button() const { return forget_; }
    QComboBox* kind_box() const { return kind_; }
    QSpinBox* nodes() const { return nodes_; }
    QLineEdit* account() const { return account_; }
    BatchJob& job() { return job_; }

signals:
    void status_message(const QString& text);

protected:
    void changeEvent(QEvent*) override;

private:
    QWidget* build_form();
    void follow_machine();
    void refresh();
    void show_state();
    bool accepts_lines();                         // asks, where the plan brings lines that no preset has
    bool may_write(const QString& folder);   // asks, where files of these names hold something else
    bool may_submit();                            // says what is asked for
    QStringList lines_of_plan() const;
    void ask_save();
    void ask_submit();
    Expected<JobFiles, std::vector<std::string>> job_for(const QString& folder) const;
    QStringList notes_on(const Expected<JobFiles, std::vector<std::string>>&, bool installed) const;

    Workspace& workspace_;
    BatchJob job_;
    std::string machine_;                         // whose habits the form shows
    QComboBox* kind_;
    QSpinBox *nodes_, *minutes_;
    QLineEdit *account_, *queue_, *engine_;
    QPlainTextEdit* preview_;
    QLabel *notes_, *state_;
    QPushButton *save_, *submit_, *cancel_, *forget_;
};

}  // namespace plimsoll
