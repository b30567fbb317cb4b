#pragma once
// Picks the model, machine or stack of the plan from the library. Shows
// "(edited)" once the plan's part differs from the preset it came from.

#include "views/plan/workspace.h"

#include <QComboBox>

namespace plimsoll {

class PresetBox : public QComboBox {
    Q_OBJECT
public:
    enum class Part { model, machine, stack };
    PresetBox(Part part, Workspace& workspace, QWidget* parent = nullptr);
    void present(const Snapshot&);

private:
    void refill();
    void choose(int index);

    Part part_;
    Workspace& workspace_;
};

}  // namespace plimsoll
