#pragma once
// A line of text that is part of the plan, checked while it is typed: a pattern of layers, a list of stages.
//
//   line = new CheckedLine(workspace, "layout.stages", {.wrong = ..., .take = ..., .of_plan = ..., .same = ...});
//   connect(line, &CheckedLine::checked, this, [](const QString& wrong) { ... });
//
// It becomes part of the plan after a short rest, with Enter, or when the keyboard leaves. What cannot is left standing
// and leaves the plan as it was; Escape brings the plan's text back.

#include "views/document/workspace.h"

#include <QLineEdit>
#include <QTimer>

#include <functional>

namespace plimsoll {

class CheckedLine : public QLineEdit {
    Q_OBJECT
public:
    struct Meaning {
        std::function<QString(const QString&)> wrong;   // why the text cannot be part of the plan; empty: it can
        std::function<void(const QString&)> take;       // makes it part of the plan
        std::function<QString()> of_plan;               // what the plan has
        std::function<bool(const QString&)> same;       // whether the text says what the plan has
    };
    // By its id the plan is told what stands here and cannot be part of it.
    CheckedLine(Workspace&, const char* id, Meaning, QWidget* parent = nullptr);

    void commit();          // what is being typed becomes part of the plan now
    void give_up();         // it is left for the plan's
    void plan_changed();    // what is not being typed follows the plan

signals:
    void checked(const QString& wrong);   // with every letter, and when the plan's text is back

protected:
    void keyPressEvent(QKeyEvent*) override;

private:
    void say(const QString& wrong);

    Workspace& workspace_;
    Meaning meaning_;
    QTimer pause_;   // typing counts as finished after a short rest
};

}  // namespace plimsoll
