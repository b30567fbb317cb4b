#include "views/pages/tiles.h"

#include "core/values/knobs/wording.h"
#include "core/answers/campaign/hours.h"
#include "core/answers/curves/figure_units.h"
#include "core/answers/campaign/cards.h"
#include "core/values/basics/shown_units.h"
#include "core/evidence/published/band.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>

namespace plimsoll {

Tile::Tile(const QString& caption, const std::string& explains, QWidget* parent)
    : QAbstractButton(parent), explains_(explains) {
    setText(caption);
    setObjectName(QStringLiteral("tile.") + to_qt(explains));
    setAccessibleName(caption);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

QSize Tile::sizeHint() const {
    const int line = fontMetrics().height();
    return {150, line * (compact_ ? 3 : 4) + line / 2 + 10};
}

void Tile::set_compact(bool compact) {
    if (compact == compact_) return;
    compact_ = compact;
    updateGeometry();
}

void Tile::set_text(const TileText& text, bool stale) {
    const bool same = text.value == text_.value && text.caption == text_.caption && text.detail == text_.detail
                   && text.range == text_.range
                   && text.explains == text_.explains && text.warn == text_.warn && text.judged == text_.judged
                   && text.delta == text_.delta && text.alert == text_.alert
                   && stale == stale_;
    if (same) return;
    if (!text.caption.isEmpty()) {
        setText(text.caption);
        setAccessibleName(text.caption);
    }
    text_ = text;
    stale_ = stale;
    QString spoken = text.spoken.isEmpty() ? text.value + QStringLiteral(", ") + text.detail : text.spoken;
    if (!text.range.isEmpty()) spoken += QStringLiteral("\n") + tr("Likely %1. %2").arg(text.range, text.judged);
    setAccessibleDescription(spoken);
    setToolTip(plain_text(spoken + QStringLiteral("\n") + tr("Click to see how this number comes about")));
    update();
}

namespace {

// Shrinks the font until the text fits, then elides.
void draw_fitted(QPainter& painter, QRect box, QFont font, const QString& text) {
    const auto shown = [&] { return QFontMetrics(font).elidedText(text, Qt::ElideRight, box.width()); };
    while (font.pixelSize() > 9 && shown() != text) font.setPixelSize(font.pixelSize() - 1);
    painter.setFont(font);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, shown());
}

}  // namespace

void Tile::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    // A stale tile shows neither warning nor alert: its numbers belong to the plan before the edit.
    const bool alert = text_.alert && !stale_, warn = text_.warn && !stale_;
    const QColor edge = hasFocus()   ? palette().color(QPalette::Highlight)  // the icon and the words say the rest
                      : alert        ? alert_colour(palette())
                      : warn         ? warn_colour(palette())
                      : underMouse() ? palette().color(QPalette::Highlight)
                                                   : outline_colour(palette());
    const double wide = hasFocus() ? 3 : alert || warn ? 2 : 1, half = wide / 2;
    painter.setPen(QPen(edge, wide));
    painter.setBrush(palette().base());
    painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), 5, 5);

    const int line = fontMetrics().height(), left = 8, width = this->width() - 2 * left;
    const QColor faint = faint_colour(palette());
    QFont small = font();
    small.setPixelSize(std::max(11, QFontInfo(font()).pixelSize() - 1));
    painter.setPen(faint);
    draw_fitted(painter, QRect(left, 4, width, line), small, text());

    QRect value(left, 4 + line, width, line * 3 / 2 + 1);
    if (!text_.icon.isNull() && !stale_) {
        const int side = line + 2;
        text_.icon.paint(&painter, QRect(left, value.center().y() - side / 2, side, side));
        value.setLeft(left + side + 6);
    }
    QFont big = font();
    big.setBold(true);
    big.setPixelSize(line * 5 / 4 + 1);
    painter.setPen(stale_  ? faint
                   : alert ? alert_colour(palette())
                   : warn  ? warn_colour(palette())
                           : palette().color(QPalette::Text));
    draw_fitted(painter, value, big, text_.value);

    painter.setPen(stale_ ? faint : palette().color(QPalette::Text));
    QRect under(left, value.bottom() + 1, width, line);
    const bool compared = !text_.delta.isEmpty();
    if (!compact_ || !compared) draw_fitted(painter, under, small, text_.range);
    const QRect last = compact_ ? under : under.translated(0, line);
    if (compared) {
        small.setBold(true);
        return draw_fitted(painter, last, small, text_.delta);
    }
    if (compact_) return;
    painter.setPen(faint);
    const bool cramped = !text_.brief.isEmpty() && QFontMetrics(small).horizontalAdvance(text_.detail) > width;
    draw_fitted(painter, last, small, cramped ? text_.brief : text_.detail);
}

namespace {

QString in_memory_unit(Bytes b) { return grouped(b / shown_memory().size); }
QString memory_unit_name() { return QString::fromLatin1(shown_memory().name); }
QString said_memory(Bytes b) { return in_memory_unit(b) + u' ' + memory_unit_name(); }

QString delta(double now, const Answer* base, double before) {
    if (!base) return {};
    const QString text = delta_text(now, before);
    return text.isEmpty() ? text : QObject::tr("%1 vs base").arg(text);
}

// "18" beside "21.3" is "18.0": both ends of a range have three digits where one of them has a fraction.
QString with_three_digits(const QString& number) {
    const auto digits = std::count_if(number.begin(), number.end(), [](QChar c) { return c.isDigit(); });
    if (digits == 0 || digits >= 3 || number.startsWith(u'0')) return number;
    return number + (number.contains(u'.') ? QString() : QStringLiteral(".")) + QString(3 - digits, u'0');
}

// "61.4 d" and "70.2 d" are "61.4 \u2013 70.2 d": a unit both share is said once.
QString from_to(const QString& low, const QString& high) {
    const qsizetype unit = high.lastIndexOf(u' ');
    const bool shared = unit > 0 && low.endsWith(high.mid(unit));
    QString one = shared ? low.chopped(high.size() - unit) : low, other = unit > 0 ? high.left(unit) : high;
    const bool both = shared || unit < 0;
    if (both && (one.contains(u'.') || other.contains(u'.'))) {
        one = with_three_digits(one);
        other = with_three_digits(other);
    }
    return one + QStringLiteral(" \u2013 ") + other + (unit > 0 ? high.mid(unit) : QString());
}

// Both ends in the unit of the number between them: "40 \u2013 56 h" around "47 h", though 56 h alone would be 2.33 d.
template <class Quantity>
QString say_range(Quantity low, Quantity value, Quantity high,
                  const std::vector<std::pair<QString, Quantity>>& units) {
    const QString middle = to_qt(say(value));
    for (const auto& [unit, size] : units)
        if (middle.endsWith(u' ' + unit))
            return from_to(grouped(low / size) + u' ' + unit, grouped(high / size) + u' ' + unit);
    return from_to(to_qt(say(low)), to_qt(say(high)));
}

QString time_range(Seconds low, Seconds value, Seconds high) {
    return say_range<Seconds>(
        low, value, high, {{"s", second}, {"min", minute}, {"h", hour}, {"d", day}});
}

QString energy_range(Joules low, Joules value, Joules high) {
    const Joules kilojoule = 1e3 * joule, gigawatt_hour = 1e3 * megawatt_hour;
    return say_range<Joules>(
        low, value, high,
        {{"kJ", kilojoule}, {"kWh", kilowatt_hour}, {"MWh", megawatt_hour}, {"GWh", gigawatt_hour}});
}

QString with_anchors(const Answer& a, QString judged) {
    if (a.anchoring && a.anchoring->any()) judged += QStringLiteral(" ") + to_qt(say_anchoring(*a.anchoring));
    return judged;
}

// What is said of the value's kind, by the band of times.
template <class Quantity, class Say>
void add_range(TileText& t, const Answer& a, Quantity value, Say say_both) {
    if (!a.band || a.band->time_spread.runs == 0) return;
    const LikelyRange<Quantity> range = range_around(value, a.band->time);
    t.range = say_both(range.low, value, range.high);
    t.judged = with_anchors(a, to_qt(say_spread(a.band->time_spread)));
}

// In place of the detail, where runs of the user's changed the number: what the model says without them.
void add_model_alone(TileText& t, const QString& value) {
    t.detail = QObject::tr("model alone: %1").arg(value);
    t.brief = t.detail;
    t.spoken += QStringLiteral(". ") + QObject::tr("The model alone says %1").arg(value);
}

// A plan whose failures take all of the time: nothing that is charged for has an end.
TileText without_end(const char* explains) {
    TileText t;
    t.value = QObject::tr("without end");
    t.detail = QObject::tr("failures take all of the time");
    t.spoken = QObject::tr("Without end: failures, restarts and checkpoints take all of the time");
    t.explains = explains;
    return t;
}

// "total.node_hours" or "training.node_hours": the tree that ends in what the tile says.
std::string counted_id(const Answer& a, const char* what) {
    return std::string(a.totals.all ? "total." : "training.") + what;
}

QString counted_text(const Answer& a) { return to_qt(say_counted(a.totals)); }

TileText time_text(const Answer& a, const Answer* b) {
    TileText t;
    if (!a.totals.ends()) return without_end("run.wall_seconds");
    t.value = to_qt(say(a.totals.time));
    const QString step = to_qt(say(a.headline.step)), beside = to_qt(say(a.totals.beside));
    t.detail = !a.totals.all      ? QObject::tr("without failures; step %1").arg(step)
             : a.totals.jobs > 0 ? QObject::tr("of which failures, job ends: %1; step %2").arg(beside, step)
                                 : QObject::tr("of which failures: %1; step %2").arg(beside, step);
    t.brief = a.totals.all ? QObject::tr("of which failures: %1").arg(beside) : QObject::tr("step %1").arg(step);
    t.delta = delta(a.totals.time / second, b, b ? b->totals.time / second : 0);
    t.spoken = QObject::tr("Time to train %1 (%2 days), %3, without queueing; %4 steps of %5")
                   .arg(t.value, grouped(a.totals.time / day), counted_text(a), grouped(a.headline.steps),
                        to_qt(say(a.headline.step)));
    t.explains = counted_id(a, "seconds");
    if (a.model) add_model_alone(t, to_qt(say(a.model->totals.time)));
    add_range(t, a, a.totals.time, time_range);
    return t;
}

TileText hours_text(const Answer& a, const Answer* b) {
    TileText t;
    const Machine& m = a.scenario.machine;
    const auto per_node_hour = hours_per_node_hour(m, a.hours);
    const HourOf of = per_node_hour ? a.hours : HourOf::node;
    t.caption = to_qt(hours_label(of, m));
    if (!a.totals.ends()) {
        const QString caption = t.caption;
        t = without_end("run.wall_seconds");
        t.caption = caption;
        return t;
    }
    const std::string& unit = m.accounting.unit;
    const double amount = a.totals.node_hours * per_node_hour.value_or(1);
    t.value = grouped(amount);
    const bool own_unit = !unit.empty() && unit != "node-hour" && unit != "node-hours";
    t.detail = of != HourOf::node ? QObject::tr("%1 node-hours").arg(grouped(a.totals.node_hours))
             : own_unit ? grouped(a.totals.accounting_units) + QStringLiteral(" ")
                              + to_qt(unit_after(a.totals.accounting_units, unit))
                        : QObject::tr("%1 device-hours").arg(grouped(a.totals.device_hours));
    t.delta = delta(a.totals.node_hours, b, b ? b->totals.node_hours : 0);
    t.spoken = QObject::tr("%1 node-hours, %2 device-hours, charged as %3 %4; %5")
                   .arg(grouped(a.totals.node_hours), grouped(a.totals.device_hours),
                        grouped(a.totals.accounting_units), to_qt(unit_after(a.totals.accounting_units, unit)),
                        counted_text(a))
             + QStringLiteral(". ") + to_qt(say_gpu_hour(m));
    t.explains = counted_id(a, "node_hours");
    if (a.model) add_model_alone(t, grouped(a.model->totals.node_hours * per_node_hour.value_or(1)));
    add_range(t, a, amount, [](double low, double, double high) { return from_to(grouped(low), grouped(high)); });
    return t;
}

// "51.9 TFLOP/s per device", or of a module where hours are those of modules.
template <class Rate, class Say>
QString per_device(const Answer& a, Rate each, Say said) {
    const CountedIn in = counted_in(a.scenario.machine, a.hours);
    return in.name.empty() ? QObject::tr("%1 per device").arg(said(each))
                           : QObject::tr("%1 per %2").arg(said(in.devices * each), to_qt(in.name));
}

TileText mfu_text(const Answer& a, const Answer* b) {
    TileText t;
    t.value = share_text(a.headline.mfu);
    t.detail = per_device(a, a.headline.per_device, [](FlopRate r) { return to_qt(say(r)); });
    t.delta = delta(a.headline.mfu, b, b ? b->headline.mfu : 0);
    t.spoken = QObject::tr("Model FLOP utilisation %1, %2; hardware utilisation %3 with recomputation counted")
                   .arg(t.value, t.detail, share_text(a.headline.hfu));
    if (tunes(a.scenario.method)) {
        const int count = flop_of_parameter(a.scenario.method);
        t.detail += QObject::tr(" (%1 N)").arg(count);
        t.spoken += QStringLiteral(". ") + QObject::tr("Counted with %1 N FLOP a token").arg(count);
    }
    if (a.model) add_model_alone(t, share_text(a.model->headline.mfu));
    add_range(t, a, a.headline.mfu,
              [](double low, double value, double high) {   // nothing exceeds the peak
                  return from_to(share_text(low), share_text(std::min(high, std::max(value, 1.0))));
              });
    return t;
}

// As one writes a rate as large as `like`.
QString per_second(double rate, double like) {
    return (like < 1e6 ? grouped(rate) : grouped(rate / 1e6) + u'M') + QStringLiteral(" /s");
}
QString per_second(double rate) { return per_second(rate, rate); }

TileText tokens_text(const Answer& a, const Answer* b) {
    TileText t;
    const double rate = a.headline.tokens_per_second / (token / second);
    t.value = per_second(rate);
    t.detail = per_device(a, rate / a.estimate.devices, grouped);
    if (a.headline.counted < 1)   // what pads rows does not count
        t.detail = QObject::tr("%1 of %2 worked").arg(
            share_text(a.headline.counted), per_second(a.headline.worked_tokens_per_second / (token / second), rate));
    t.delta = delta(rate, b, b ? b->headline.tokens_per_second / (token / second) : 0);
    t.spoken = QObject::tr("%1 tokens per second, %2").arg(grouped(rate), t.detail);
    if (a.model) add_model_alone(t, per_second(a.model->headline.tokens_per_second / (token / second), rate));
    add_range(t, a, rate, [](double low, double value, double high) {
        return from_to(per_second(low, value), per_second(high, value));
    });
    return t;
}

TileText energy_text(const Answer& a, const Answer* b) {
    TileText t;
    if (!a.totals.ends()) return without_end("run.wall_seconds");
    t.value = to_qt(say(a.totals.facility_energy));
    t.detail = QObject::tr("devices only %1").arg(to_qt(say(a.totals.device_energy)));
    t.brief = QObject::tr("devices %1").arg(to_qt(say(a.totals.device_energy)));
    t.delta = delta(a.totals.facility_energy / joule, b, b ? b->totals.facility_energy / joule : 0);
    t.spoken = QObject::tr("Energy of the facility %1, %2; average power %3; %4")
                   .arg(t.value, t.detail, to_qt(say(a.headline.facility_power)), counted_text(a));
    t.explains = counted_id(a, "facility_energy_MWh");
    if (a.model) add_model_alone(t, to_qt(say(a.model->totals.facility_energy)));
    add_range(t, a, a.totals.facility_energy, energy_range);
    if (!t.judged.isEmpty()) t.judged += QObject::tr(" Power is not part of that check.");
    return t;
}

TileText memory_text(const Answer& a, const Answer* b) {
    TileText t;
    const Estimate& e = a.estimate;
    const Bytes used = e.worst().total();
    const QString limit = in_memory_unit(e.memory_limit);
    const FitVerdict verdict = fit_verdict(e);
    t.alert = verdict == FitVerdict::does_not_fit;
    t.warn = verdict == FitVerdict::may_not_fit;
    t.icon = icon_of(verdict);
    t.value = e.device_fits() && !e.fits() ? QObject::tr("node is short") : to_qt(say_fit(e));
    t.detail = QObject::tr("%1, in all %2 of %3 %4")
                   .arg(in_memory_unit(used), in_memory_unit(shown_by_monitor(e.worst(), e.devices)), limit,
                        memory_unit_name());
    t.brief = QObject::tr("%1 of %2 %3").arg(in_memory_unit(used), limit, memory_unit_name());
    t.delta = delta(used / byte, b, b ? b->estimate.worst().total() / byte : 0);
    t.spoken = QObject::tr("Memory: the plan %1; worst is stage %2 of %3")
                   .arg(memory_verdict(e))
                   .arg(e.worst_stage + 1)
                   .arg(e.stages.size());
    if (a.room() == Room::tight) t.spoken += QStringLiteral(". ") + to_qt(say_tight(e, a.headroom));
    if (e.measured.memory != 1) add_model_alone(t, said_memory(a.model->estimate.worst().total()));
    if (a.band && a.band->memory_spread.runs > 0) {
        const LikelyRange<Bytes> range = range_around(used, a.band->memory);
        t.range = from_to(in_memory_unit(range.low), in_memory_unit(range.high)) + u' ' + memory_unit_name();
        t.judged = with_anchors(a, to_qt(say_spread(a.band->memory_spread)));
    }
    return t;
}

}  // namespace

// Read once each: drawings are parsed whenever they are read.
QIcon icon_of(FitVerdict verdict) {
    static const QIcon fits(QStringLiteral(":/icons/fits.svg")), tight(QStringLiteral(":/icons/tight.svg")),
        short_of(QStringLiteral(":/icons/short.svg"));
    return verdict == FitVerdict::fits ? fits : verdict == FitVerdict::may_not_fit ? tight : short_of;
}

QString memory_verdict(const Estimate& e) {
    if (e.device_fits() && !e.fits()) return to_qt(say_tier_shortage(e));
    const FitVerdict verdict = fit_verdict(e);
    const QString words = verdict == FitVerdict::fits          ? QObject::tr("fits with %1 of %2 %3 (%4)")
                        : verdict == FitVerdict::may_not_fit ? QObject::tr("may not fit with %1 of %2 %3 (%4)")
                                                             : QObject::tr("does not fit with %1 of %2 %3 (%4)");
    return words.arg(in_memory_unit(e.worst().total()), in_memory_unit(e.memory_limit), memory_unit_name(),
                     to_qt(say_share(e)));
}

TileBar::TileBar(QWidget* parent)
    : QWidget(parent),
      tiles_{new Tile(tr("Time to train"), "run.seconds"),
             new Tile(tr("Node-hours"), "run.node_hours"),
             new Tile(tr("MFU"), "mfu"),
             new Tile(tr("Tokens per second"), "tokens_per_second"),
             new Tile(tr("Energy, facility"), "run.facility_energy_MWh"),
             new Tile(tr("Device memory"), "memory.worst_stage_bytes")} {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    for (Tile* tile : tiles_) {
        row->addWidget(tile, 1);
        connect(tile, &Tile::clicked, this, [this, tile] { emit explain(to_qt(tile->explains())); });
        tile->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(tile, &QWidget::customContextMenuRequested, this,
                [this, tile](const QPoint& at) { menu_of(*tile)->popup(tile->mapToGlobal(at)); });
    }
}

QMenu* TileBar::menu_of(Tile& tile) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("How this number comes &about"), this,
                    [this, id = to_qt(tile.explains())] { emit explain(id); });
    menu->addAction(tr("&Copy"), this, [text = tile.text() + QStringLiteral(": ") + tile.content().value] {
        QApplication::clipboard()->setText(text);
    });
    const bool hours = &tile == tiles_[0] || &tile == tiles_[1];
    if (hours) menu->addAction(tr("Hours in &other units..."), this, &TileBar::hours_wanted);
    menu->addAction(tr("&Units..."), this, &TileBar::units_wanted);
    return menu;
}

void TileBar::set_compact(bool compact) {
    for (Tile* tile : tiles_) tile->set_compact(compact);
}

void TileBar::present(const Snapshot& s) {
    if (!s.last_good) return;
    const Answer& a = *s.last_good;
    const Answer* b = s.baseline.get();
    const TileText texts[] = {time_text(a, b),   hours_text(a, b),  mfu_text(a, b),
                              tokens_text(a, b), energy_text(a, b), memory_text(a, b)};
    for (int i = 0; i < 6; ++i) tiles_[i]->set_text(texts[i], s.stale());
}

}  // namespace plimsoll
