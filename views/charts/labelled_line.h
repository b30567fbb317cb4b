#pragma once
// A line that says at some of its points what it is there.

#include "views/charts/look.h"

#include <string>
#include <vector>

namespace plimsoll {

class LabelledLine : public QCPGraph {
    Q_OBJECT
public:
    // A label for each point; written where it differs from the one before and there is room.
    LabelledLine(QCustomPlot&, const std::vector<std::string>& labels, const QFont&, const ChartTheme&);

protected:
    void draw(QCPPainter*) override;

private:
    QPointF point(int i) const { return coordsToPixels(dataMainKey(i), dataMainValue(i)); }

    QStringList labels_;
    QFont font_;
    QColor text_, ground_;
};

}  // namespace plimsoll
