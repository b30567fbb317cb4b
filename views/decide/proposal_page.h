#pragma once
// The proposal to a programme, made of the plan and those beside it: what is asked for, each table, text and figure as
// the pack will hold it, and what is missing. The button writes the pack.

#include "core/files/results/proposal_pack.h"
#include "views/charts/chart.h"
#include "views/charts/export.h"
#include "views/document/workspace.h"
#include "views/parts/background.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateEdit>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QWidget>

namespace plimsoll {

class ProposalPage : public QWidget {
    Q_OBJECT
public:
    explicit ProposalPage(Workspace& workspace, QWidget* parent = nullptr);

    void remember_looks() { remember_ = true; }    // figures of a pack look as they were exported last
    void choose(const std::string& programme);     // by its id
    Problems measure(const QString& path);         // the user's own scaling runs, in place of others
    void tell_floor();                             // the programme's, to the charts
    void say_written(const QString& folder);       // the pack, if it is what was written there
    void wait();                                   // until what is shown belongs to the plan: for pictures and tests
    Expected<ExportFiles, Problems> pack_files(const QString& dir) const;

    QComboBox* programme() const { return programme_; }
    QDateEdit* start() const { return start_; }
    QDoubleSpinBox* award() const { return award_; }
    QDoubleSpinBox* rate() const { return rate_; }
    QListWidget* list() const { return list_; }
    QTextBrowser* text() const { return text_; }
    QPushButton* write_button() const { return write_; }
    QString state() const { return state_->text(); }
    QString written() const { return written_->isHidden() ? QString() : written_->text(); }
    const ProposalPack* pack() const { return pack_.get(); }

signals:
    void export_wanted(const plimsoll::ExportFiles&, const QString& folder);

protected:
    void showEvent(QShowEvent*) override;

private:
    QWidget* build_head();
    QWidget* build_choices();
    void read_programmes();
    void ask_measured();
    void ask_write();
    void ask_tables();
    void count_measured();
    FigureOptions figures_look() const;
    void follow();
    void work_out();
    Expected<ProposalInput, QString> input() const;
    void adopt(std::shared_ptr<const ProposalPack>, const QString& dated);
    void refuse(const QString& why);
    void show_part();

    Workspace& workspace_;
    std::vector<Programme> programmes_;
    std::shared_ptr<const ProposalPack> pack_;
    QString dated_;                                // of the pack's profile
    QComboBox* programme_;
    QDateEdit* start_;
    QDoubleSpinBox *award_, *rate_, *contingency_;
    QSpinBox *ablations_, *evaluations_;
    QCheckBox* with_beside_;
    QPushButton *measure_, *tables_, *write_, *open_;
    QLabel *state_, *written_;
    QString folder_;                               // that a pack is being written into
    QListWidget* list_;
    QStackedWidget* parts_;
    QTextBrowser* text_;
    Chart* figure_;
    QTimer pause_;                                 // several edits in a row are one proposal
    bool behind_ = true;
    bool remember_ = false;
    LatestJob job_;                                // last: it ends before the others go
};

}  // namespace plimsoll
