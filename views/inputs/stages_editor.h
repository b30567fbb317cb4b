#pragma once
// Which layers every pipeline stage holds: a list in Megatron-Core's words ("Ettt|(tt|)*29m|L"), and below it what it
// comes to or all that is wrong with it, while it is typed; then the stages, as cells. An empty line leaves the stages
// to the plan's rule.

#include "views/inputs/checked_line.h"
#include "views/inputs/stage_strip.h"

#include <QLabel>

namespace plimsoll {

class StagesEditor : public QWidget {
    Q_OBJECT
public:
    explicit StagesEditor(Workspace& workspace, QWidget* parent = nullptr);

    void present(const Snapshot&);
    CheckedLine* line() const { return line_; }
    QWidget* message_label() const { return message_; }
    QString message() const { return message_->text(); }   // all that is wrong, or what the list comes to
    bool is_wrong() const { return wrong_; }

protected:
    void changeEvent(QEvent*) override;

private:
    StageList read(const QString&) const;    // empty: nothing is listed, or the text is wrong
    void say(const QString& what, bool wrong);
    void say_of(const StageList&);

    Workspace& workspace_;
    CheckedLine* line_;
    QLabel* message_;
    StageStrip* strip_;
    Scenario shown_;
    bool wrong_ = false, shown_once_ = false;
};

}  // namespace plimsoll
