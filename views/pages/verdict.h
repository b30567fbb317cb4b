#pragma once
// One strip above the charts: whether the plan runs, why not, and what to do
// about it. Always there, so that nothing jumps while a slider moves; buttons
// appear below it only when there is something to fix, once edits pause.

#include "views/document/workspace.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QTimer>

namespace plimsoll {

class Verdict : public QFrame {
    Q_OBJECT
public:
    explicit Verdict(Workspace& workspace, QWidget* parent = nullptr);
    void present(const Snapshot&);
    QString sentence() const { return text_->text(); }
    QList<QPushButton*> buttons() const { return fixes_->findChildren<QPushButton*>(); }

private:
    void refresh_fixes();
    void offer_values(const Snapshot&, bool complete);
    void offer(const QString& text, const QString& why, const Scenario& then, const QString& name);
    void clear_fixes();

    Workspace& workspace_;
    QLabel* icon_;
    QLabel* text_;
    QWidget* fixes_;
    QTimer quiet_;  // remedies cost tens of estimates
    std::vector<Scenario> offered_;
};

}  // namespace plimsoll
