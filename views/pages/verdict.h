#pragma once
// One strip above the charts: whether the plan runs and has room, why not, and what to do about it. Always there, so
// that nothing jumps while a slider moves; buttons appear below it once edits pause: remedies where it does not run or
// is tight, software that was measured on the machine where the plan's was not.

#include "core/answers/plan/remedies.h"
#include "core/evidence/published/suited.h"
#include "views/document/workspace.h"
#include "views/pages/verdict_text.h"
#include "views/parts/background.h"
#include "views/parts/widgets.h"

#include <QFrame>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

namespace plimsoll {

class Verdict : public QFrame {
    Q_OBJECT
public:
    explicit Verdict(Workspace& workspace, QWidget* parent = nullptr);
    void present(const Snapshot&);
    QString sentence() const { return text_->text(); }
    QStringList notes() const { return said_.notes; }   // all of them, shown or not
    QList<QPushButton*> buttons() const { return fixes_->findChildren<QPushButton*>(); }
    bool busy() const { return search_.busy(); }        // looking for changes that help
    void cancel() { search_.stop(); }                   // shows what was found up to then
    QToolButton* judging() const { return judging_; }   // headroom, and what totals count

protected:
    void showEvent(QShowEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    bool eventFilter(QObject*, QEvent*) override;   // of the window, whose height decides how much is said

signals:
    void show_layouts();   // asked for where no change helps
    void busy_changed();

private:
    // What the search beside the window found for one plan.
    struct Offers {
        Scenario plan;
        std::vector<Remedy> remedies, clearings;
        std::vector<SuitedStack> stacks;
    };
    void show_text();
    void fill_judging();
    void look_for_fixes();
    void show_offers(const Offers&);
    void offer_values(const Snapshot&);
    void offer(const QString& text, const QString& why, const Scenario& then, const QString& name);
    void offer_layouts(const QString& text, const QString& why);
    void clear_fixes();

    Workspace& workspace_;
    QLabel* icon_;
    QString icon_name_;      // of what it shows
    PlainLabel* text_;
    QToolButton* judging_;
    QMenu* menu_;
    QWidget* fixes_;
    VerdictText said_;
    bool all_notes_ = false, low_window_ = false;
    QTimer quiet_;           // remedies cost hundreds of estimates
    LatestJob search_;
    std::vector<Scenario> offered_;
};

}  // namespace plimsoll
