#pragma once
// Bars whose fill carries a hatch on top of its colour, and optionally a label
// at their end.

#include "views/charts/look.h"

namespace plimsoll {

class HatchedBars : public QCPBars {
    Q_OBJECT
public:
    HatchedBars(QCPAxis* key, QCPAxis* value) : QCPBars(key, value) {}
    void set_hatch(Hatch hatch) { hatch_ = hatch; }
    void set_label(const QString& text, const QFont& font, const QColor& colour);  // for horizontal bars

protected:
    void draw(QCPPainter*) override;
    void draw_hatch(QCPPainter*) const;
    void draw_label(QCPPainter*) const;

private:
    Hatch hatch_ = Hatch::none;
    QString label_;
    QFont font_;
    QColor text_;
};

}  // namespace plimsoll
