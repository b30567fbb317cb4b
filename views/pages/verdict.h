#pragma once
// One strip above the charts: whether the plan runs and has room, why not, and what to do about it. It has one line of
// text and one row of buttons, whatever it says: the whole text is behind the button that counts the notes, and what
// has no room in the row is behind "More". The row fills once edits pause: remedies where the plan does not run or is
// tight, software that was measured on the machine where the plan's was not.

#include "core/answers/search/remedies.h"
#include "core/evidence/published/suited.h"
#include "views/document/workspace.h"
#include "views/pages/action_row.h"
#include "views/pages/verdict_text.h"
#include "views/parts/background.h"

#include <QFrame>
#include <QLabel>
#include <QMenu>
#include <QTimer>
#include <QToolButton>

namespace plimsoll {

class Verdict : public QFrame {
    Q_OBJECT
public:
    explicit Verdict(Workspace& workspace, QWidget* parent = nullptr);
    void present(const Snapshot&);
    QString sentence() const { return html_of(said_); }
    QStringList notes() const { return said_.notes; }
    QList<QPushButton*> buttons() const { return fixes_->buttons(); }   // also those behind "More"
    QToolButton* notes_button() const { return notes_; }
    bool busy() const { return search_.busy(); }        // looking for changes that help
    bool settled() const { return !quiet_.isActive() && !busy(); }   // all that is offered for the plan stands there
    void cancel() { search_.stop(); }                   // shows what was found up to then
    QToolButton* judging() const { return judging_; }   // headroom, and what totals count

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
    void show_notes();
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
    QWidget* line_;          // of text
    QToolButton *notes_, *judging_;
    QMenu* menu_;
    ActionRow* fixes_;
    VerdictText said_;
    QTimer quiet_;           // remedies cost hundreds of estimates
    LatestJob search_;
    std::vector<Scenario> offered_;
};

}  // namespace plimsoll
