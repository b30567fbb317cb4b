#include "views/window/theme.h"

#include "views/parts/widgets.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QLabel>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleHints>
#include <QStyleOption>
#include <QToolTip>

namespace plimsoll {

namespace {

struct Ground {
    const char *window, *base, *alternate, *text, *faint, *button, *mid, *highlight, *highlighted, *link;
};

constexpr Ground light{"#f3f4f6", "#ffffff", "#f0f3f7", "#1a1a1a", "#5c5c5c",
                       "#f7f8fa", "#c9ced6", "#0b6aa8", "#ffffff", "#005a94"};
constexpr Ground dark{"#26292e", "#1f2226", "#272b30", "#ececec", "#a9adb3",
                      "#32363c", "#4b5058", "#5aa9e6", "#101214", "#7cc4f5"};

QPalette palette_of(const Ground& g, bool is_dark) {
    QPalette p;
    p.setColor(QPalette::Window, g.window);
    p.setColor(QPalette::WindowText, g.text);
    p.setColor(QPalette::Base, g.base);
    p.setColor(QPalette::AlternateBase, g.alternate);
    p.setColor(QPalette::Text, g.text);
    p.setColor(QPalette::PlaceholderText, g.faint);
    p.setColor(QPalette::Button, g.button);
    p.setColor(QPalette::ButtonText, g.text);
    p.setColor(QPalette::BrightText, Qt::white);
    p.setColor(QPalette::ToolTipBase, g.base);
    p.setColor(QPalette::ToolTipText, g.text);
    p.setColor(QPalette::Highlight, g.highlight);
    p.setColor(QPalette::HighlightedText, g.highlighted);
    p.setColor(QPalette::Link, g.link);
    p.setColor(QPalette::LinkVisited, g.link);
    p.setColor(QPalette::Light, QColor(g.button).lighter(is_dark ? 120 : 102));
    p.setColor(QPalette::Midlight, QColor(g.mid).lighter(is_dark ? 110 : 110));
    p.setColor(QPalette::Mid, g.mid);
    p.setColor(QPalette::Dark, QColor(g.mid).darker(is_dark ? 150 : 130));
    p.setColor(QPalette::Shadow, QColor(is_dark ? "#101214" : "#8b9097"));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, QColor(is_dark ? "#767b82" : "#9aa0a8"));
    return p;
}

// Fusion's own outlines all but vanish on a dark ground, and it marks what has the
// keyboard faintly or, in lists and folded headings, not at all: inputs need an edge
// that stands out 3:1, and a ring while they have the keyboard.
class OutlinedFusion : public QProxyStyle {
public:
    OutlinedFusion() : QProxyStyle(QStringLiteral("Fusion")) {}

    // The names of six pages have room in half of a small window.
    int pixelMetric(PixelMetric m, const QStyleOption* o, const QWidget* w) const override {
        const bool of_pages = m == PM_TabBarTabHSpace && w && w->objectName().startsWith(QStringLiteral("page_"));
        return of_pages ? 12 : QProxyStyle::pixelMetric(m, o, w);
    }
    void drawPrimitive(PrimitiveElement e, const QStyleOption* o, QPainter* p, const QWidget* w) const override {
        QProxyStyle::drawPrimitive(e, o, p, w);
        if (e == PE_IndicatorCheckBox || e == PE_IndicatorRadioButton || e == PE_FrameLineEdit) outline(o->rect, o, p);
        if (e == PE_PanelButtonCommand) ring(o->rect, o, p);
        if (e == PE_Frame && qobject_cast<const QAbstractScrollArea*>(w)) ring(o->rect, o, p);
    }
    void drawComplexControl(ComplexControl c, const QStyleOptionComplex* o, QPainter* p,
                            const QWidget* w) const override {
        QProxyStyle::drawComplexControl(c, o, p, w);
        if (c == CC_SpinBox || c == CC_ComboBox) outline(o->rect, o, p);
        if (c == CC_ToolButton || c == CC_Slider) ring(o->rect, o, p);
    }
    void drawControl(ControlElement e, const QStyleOption* o, QPainter* p, const QWidget* w) const override {
        QProxyStyle::drawControl(e, o, p, w);
        const bool text = e == CE_ShapedFrame && qobject_cast<const QLabel*>(w);  // with a link
        if (text || e == CE_TabBarTabLabel) ring(o->rect, o, p);
    }

private:
    static void outline(const QRect& box, const QStyleOption* o, QPainter* p) {
        if (o->state & State_HasFocus && o->state & State_Enabled) ring(box, o, p);
        else round(box, p, QPen(outline_colour(o->palette), 1));
    }
    static void ring(const QRect& box, const QStyleOption* o, QPainter* p) {
        if (o->state & State_HasFocus && o->state & State_Enabled)
            // On a dark ground lists of choices are rather light: the ring has to stand out from them as well.
            round(box, p, QPen(is_dark(o->palette) ? QColor("#9ccdf7") : o->palette.color(QPalette::Highlight), 2));
    }
    static void round(const QRect& box, QPainter* p, const QPen& pen) {
        const double half = pen.widthF() / 2;
        p->save();
        p->setRenderHint(QPainter::Antialiasing);
        p->setPen(pen);
        p->setBrush(Qt::NoBrush);
        p->drawRoundedRect(QRectF(box).adjusted(half, half, -half, -half), 2, 2);
        p->restore();
    }
};

}  // namespace

void apply_theme(Theme choice) {
    const bool is_dark = shown_theme(choice) == Theme::dark;
    const QPalette palette = palette_of(is_dark ? dark : light, is_dark);
    if (!qobject_cast<QProxyStyle*>(QApplication::style())) QApplication::setStyle(new OutlinedFusion);
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

// Qt tells a desktop's scheme from 6.5 on. Before, the palette it gave us does, as it was before we set ours.
Theme system_theme() {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    const Qt::ColorScheme scheme = QGuiApplication::styleHints()->colorScheme();
    if (scheme != Qt::ColorScheme::Unknown) return scheme == Qt::ColorScheme::Dark ? Theme::dark : Theme::light;
#endif
    static const Theme at_start = is_dark(QApplication::palette()) ? Theme::dark : Theme::light;
    return at_start;
}

Theme theme_of(const QString& name, Theme otherwise) {
    for (const Theme theme : {Theme::light, Theme::dark, Theme::system})
        if (name == name_of(theme)) return theme;
    return otherwise;
}

QString name_of(Theme theme) {
    return theme == Theme::light  ? QStringLiteral("light")
         : theme == Theme::dark ? QStringLiteral("dark")
                                : QStringLiteral("system");
}

}  // namespace plimsoll
