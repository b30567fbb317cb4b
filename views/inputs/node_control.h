#pragma once
// The most used input: how many nodes. Slider stops are the node counts this
// plan's batch and layout allow, even in the logarithm.

#include "views/inputs/value_box.h"
#include "views/plan/workspace.h"

#include <QLabel>
#include <QSlider>

namespace plimsoll {

class NodeControl : public QWidget {
    Q_OBJECT
public:
    explicit NodeControl(Workspace& workspace, QWidget* parent = nullptr);

    void present(const Snapshot&);
    void refresh_stops();
    QSlider* slider() const { return slider_; }
    const std::vector<double>& stops() const { return stops_; }

private:
    void propose(double nodes);
    void place_slider(double nodes);

    Workspace& workspace_;
    const Knob& knob_;
    QSlider* slider_;
    ValueBox* box_;
    QLabel* note_;
    std::vector<double> stops_;
    Layout held_;   // while the handle is held
};

}  // namespace plimsoll
