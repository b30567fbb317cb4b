#pragma once
// A calibration as a job of a batch system: what it asks for, the script, and,
// where that system is here, the job itself.
//
//   page.show_job();   // of the plan's machine

#include <QWidget>  // first: moc loses track of <compare> where that is the first header it meets

#include "core/files/launch/calibration_job.h"
#include "views/calibrate/job/batch_job.h"
#include "views/plan/workspace.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>

namespace plimsoll {

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
    QComboBox* kind_box() const { return kind_; }
    QSpinBox* nodes() const { return nodes_; }
    QLineEdit* account() const { return account_; }
    BatchJob& job() { return job_; }

signals:
    void told(const QString& what);

protected:
    void showEvent(QShowEvent*) override;
    void changeEvent(QEvent*) override;

private:
    QWidget* build_form();
    void follow_machine();
    void refresh();
    void show_state();
    void ask_save();
    void ask_submit();
    Expected<JobFiles, std::vector<std::string>> job_for(const QString& folder) const;
    QStringList notes_on(const Expected<JobFiles, std::vector<std::string>>&, bool present) const;

    Workspace& workspace_;
    BatchJob job_;
    std::string machine_;                         // whose habits the form shows
    QComboBox* kind_;
    QSpinBox *nodes_, *minutes_;
    QLineEdit *account_, *queue_, *engine_;
    QPlainTextEdit* preview_;
    QLabel *notes_, *state_;
    QPushButton *save_, *submit_, *cancel_;
};

}  // namespace plimsoll
