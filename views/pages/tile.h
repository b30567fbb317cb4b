#pragma once
// One headline number: caption, value, the range it may lie in, detail, and the
// difference to the baseline. A button: pressing it explains the number.

#include <QAbstractButton>
#include <QIcon>

namespace plimsoll {

struct TileText {
    QString value, detail;
    QString range;       // what published runs of its kind allow: "61 \u2013 70 d"; empty while unknown
    QString judged;      // by which runs, for the tooltip
    QString brief;       // of the detail, where a tile is narrow
    QString delta;       // against the baseline; empty without one
    bool alert = false;  // in the alert colour, always with `icon`
    QIcon icon;
    QString spoken;  // the whole statement, for screen readers and tooltips
};

class Tile : public QAbstractButton {
    Q_OBJECT
public:
    Tile(const QString& caption, const std::string& explains, QWidget* parent = nullptr);

    void set_text(const TileText& text, bool stale);
    void set_compact(bool);  // without the detail line, which the tooltip keeps
    const TileText& content() const { return text_; }
    const std::string& explains() const { return explains_; }  // id for explain()
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    std::string explains_;
    TileText text_;
    bool stale_ = false, compact_ = false;
};

}  // namespace plimsoll
