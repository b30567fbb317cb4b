#pragma once
// One undo step: the scenario before and after. Scenarios are values, so undo
// is exact by construction. What the program adds to an edit of the user's by
// itself belongs to the edit's step.

#include "core/values/plan/scenario.h"

#include <QUndoCommand>

#include <functional>
#include <string>

namespace plimsoll {

class Edit : public QUndoCommand {
public:
    using Adopt = std::function<void(const Scenario&)>;
    static constexpr const char* amendment = "+";   // as `knob`: part of whatever step comes before
    // Consecutive edits with the same non-empty `knob` become one step.
    Edit(Scenario before, Scenario after, const QString& name, std::string knob, Adopt adopt);

    void undo() override { adopt_(before_); }
    void redo() override { adopt_(after_); }
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* next) override;

private:
    Scenario before_, after_;
    std::string knob_;
    Adopt adopt_;
};

}  // namespace plimsoll
