#include "views/inputs/knob_row.h"

#include "core/values/knobs/in_words.h"
#include "core/values/knobs/network_levels.h"
#include "core/values/knobs/provenance.h"
#include "core/values/knobs/wording.h"
#include "core/answers/plan/valid_values.h"
#include "core/evidence/calibration/proof/evidence.h"
#include "views/evidence/evidence_view.h"
#include "views/inputs/controls.h"
#include "views/inputs/other_names.h"
#include "views/parts/kept_sentences.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QHelpEvent>
#include <QMenu>
#include <QObject>
#include <QPainter>
#include <QToolTip>
#include <QWhatsThis>

#include <cmath>

namespace plimsoll {

KnobRow::KnobRow(const Knob& knob, Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      knob_(knob),
      found_by_(findable(knob)),
      workspace_(workspace),
      label_(new QLabel(to_qt(label_in_words(knob)))),
      message_(new RichLabel),
      idle_(new PlainLabel),
      note_(new PlainLabel),
      unit_(new QLabel(worded(knob.unit == "bytes per parameter" ? "B/param" : knob.unit))),
      grid_(new QGridLayout(this)) {
    setObjectName(to_qt(knob.id));
    setAccessibleName(to_qt(label_in_words(knob)));
    build_editor();
    build_slider();
    editor_->setObjectName(to_qt(knob.id) + QStringLiteral(".editor"));
    editor_->setAccessibleName(to_qt(label_in_words(knob)));
    editor_->setAccessibleDescription(to_qt(help_in_words(knob)));
    label_->setBuddy(editor_);
    // Labels that wrap take what width there is: with a width of their own they would push the panel's edge out.
    for (QLabel* label : {label_, static_cast<QLabel*>(message_), idle_, note_, unit_}) {
        label->setWordWrap(true);
        label->setMinimumWidth(1);
    }
    message_->setObjectName(to_qt(knob.id) + QStringLiteral(".message"));
    message_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    message_->hide();
    connect(message_, &QLabel::linkActivated, this, [this](const QString& value) { propose(value.toDouble()); });
    label_->setTextInteractionFlags(Qt::LinksAccessibleByMouse);   // by keyboard the context menu leads there
    connect(label_, &QLabel::linkActivated, this, &KnobRow::show_points);
    const int em = fontMetrics().horizontalAdvance(u'0');
    grid_->setContentsMargins(6, 1, 4, 1);
    grid_->setHorizontalSpacing(6);
    grid_->setVerticalSpacing(1);
    editor_->setFixedWidth(knob.kind == KnobKind::choice && knob.unit.empty() ? em * 18 : em * 11);
    unit_->setFixedWidth(em * 9);
    unit_->setContentsMargins(6, 0, 0, 0);
    unit_->setForegroundRole(QPalette::PlaceholderText);
    note_->setObjectName(to_qt(knob.id) + QStringLiteral(".note"));
    note_->setForegroundRole(QPalette::PlaceholderText);
    note_->setAlignment(Qt::AlignRight);
    note_->hide();
    idle_->setObjectName(to_qt(knob.id) + QStringLiteral(".idle"));
    idle_->setForegroundRole(QPalette::PlaceholderText);
    idle_->setMinimumHeight(editor_->sizeHint().height());  // a row keeps its height
    idle_->hide();
    setFocusPolicy(Qt::ClickFocus);  // for an input that is not used: its editor is hidden then
    place(false);
    unit_->setParent(this);  // it has none yet where a wide editor took its place
}

void KnobRow::build_editor() {
    if (knob_.kind == KnobKind::choice) {
        auto* box = new QComboBox;
        for (const std::string& name : knob_.choices) box->addItem(to_qt(name));
        WheelGuard::install(box);
        connect(box, &QComboBox::activated, this, [this](int i) { propose(i); });
        show_value_ = [box](double v) { box->setCurrentIndex(static_cast<int>(v)); };
        editor_ = box;
    } else if (knob_.kind == KnobKind::flag) {
        auto* box = new QCheckBox;
        connect(box, &QCheckBox::clicked, this, [this](bool on) { propose(on); });
        show_value_ = [box](double v) { box->setChecked(v != 0); };
        editor_ = box;
    } else {
        auto* box =
            new ValueBox(knob_, [this] { return stops(); }, [this](std::string_view text) { return read(text); });
        connect(box, &ValueBox::entered, this, &KnobRow::propose);
        connect(box, &ValueBox::rejected, this, [this](const QString& why) {
            text_error_ = why.toHtmlEscaped();
            set_message(text_error_);
        });
        show_value_ = [box](double v) { box->show_value(v); };
        editor_ = box;
    }
}

void KnobRow::build_slider() {
    const bool number = knob_.kind == KnobKind::integer || knob_.kind == KnobKind::real;
    const bool plan = knob_.group == KnobGroup::layout || knob_.group == KnobGroup::recipe;
    if (!number || !plan) return;
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setObjectName(to_qt(knob_.id) + QStringLiteral(".slider"));
    slider_->setAccessibleName(tr("%1, slider").arg(to_qt(label_in_words(knob_))));
    slider_->setMinimumWidth(44);
    WheelGuard::install(slider_);
    connect(slider_, &QSlider::valueChanged, this, [this](int i) {
        if (i >= 0 && i < static_cast<int>(stops_.size())) propose(stops_[i]);
    });
}

// One line: label, slider, editor, unit. Two: the label above the rest.
void KnobRow::place(bool narrow) {
    narrow_ = narrow;
    while (QLayoutItem* item = grid_->takeAt(0)) delete item;  // the widgets stay
    const int em = fontMetrics().horizontalAdvance(u'0'), row = narrow ? 1 : 0, first = narrow ? 0 : 1;
    label_->setMinimumWidth(!narrow && slider_ ? em * 13 : 1);
    label_->setMaximumWidth(!narrow && slider_ ? em * 13 : QWIDGETSIZE_MAX);
    if (narrow) grid_->addWidget(label_, 0, 0, 1, 4);
    else grid_->addWidget(label_, 0, 0);
    if (slider_) grid_->addWidget(slider_, row, first, 1, 2 - first);
    const bool wide_editor = knob_.kind == KnobKind::choice && knob_.unit.empty();
    grid_->addWidget(editor_, row, 2, 1, wide_editor ? 2 : 1);
    if (!wide_editor) grid_->addWidget(unit_, row, 3);
    unit_->setHidden(wide_editor || !idle_reason_.isEmpty());
    grid_->addWidget(idle_, row, slider_ || narrow ? first : 2, 1, slider_ || narrow ? 4 - first : 2);
    grid_->addWidget(note_, row + 1, 0, 1, 4);
    grid_->addWidget(message_, row + 2, 0, 1, 4);
    for (int column = 0; column < 4; ++column) grid_->setColumnStretch(column, 0);
    grid_->setColumnStretch(slider_ && !narrow ? 1 : 0, 1);
}

int KnobRow::width_of_one_line() const {
    const int em = fontMetrics().horizontalAdvance(u'0');
    const int right = knob_.kind == KnobKind::choice && knob_.unit.empty() ? em * 18 : em * 20 + 6;
    return 10 + (slider_ ? em * 13 + 6 + slider_->minimumWidth() : em * 10) + 6 + right;
}

// On two lines: whatever the panel's width, the row does not ask for more.
QSize KnobRow::minimumSizeHint() const {
    const int em = fontMetrics().horizontalAdvance(u'0');
    const int slider = slider_ ? slider_->minimumWidth() + 6 : 0;
    return {16 + em * 20 + slider, QWidget::minimumSizeHint().height()};
}

void KnobRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool narrow = width() < width_of_one_line();
    if (narrow != narrow_) place(narrow);
}

std::vector<double> KnobRow::stops() const {
    const std::vector<double> valid = valid_values(workspace_.scenario(), knob_, 64);
    if (!valid.empty() || knob_.kind != KnobKind::real) return valid;
    return {};
}

// A batch given in tokens is rarely a whole number of micro-batches for every replica: the nearest that is, is meant.
Expected<double, std::string> KnobRow::read(std::string_view text) const {
    if (const auto plain = parse_value(knob_, text)) return plain;
    const auto value = parse_value(workspace_.scenario(), knob_, text);
    if (!value) return value;
    const auto there = with(workspace_.scenario(), knob_, *value);
    if (!there) return value;
    const std::vector<double> valid = valid_values(*there, knob_, 2);
    const auto closer = [&value](double a, double b) { return std::abs(a - *value) < std::abs(b - *value); };
    return valid.empty() ? *value : *std::min_element(valid.begin(), valid.end(), closer);
}

void KnobRow::refresh_stops() {
    if (!slider_ || slider_->isSliderDown()) return;
    stops_ = stops();
    if (stops_.empty() && knob_.kind == KnobKind::real) {
        // Two decades around the value, in steps of about 5 %.
        const double here = std::max(knob_.get(workspace_.scenario()), 1e-9);
        for (int i = -48; i <= 48; ++i) {
            const double raw = here * std::pow(10.0, i / 48.0);
            const double digit = std::pow(10.0, std::floor(std::log10(raw)) - 1);
            const double v = i == 0 ? here : std::round(raw / digit) * digit;
            if (v >= knob_.low && v <= knob_.high) stops_.push_back(v);
        }
    }
    slider_->setEnabled(stops_.size() > 1);
    place_slider(knob_.get(workspace_.scenario()));
}

void KnobRow::place_slider(double value) {
    if (!slider_ || slider_->isSliderDown() || stops_.empty()) return;
    std::size_t best = 0;
    for (std::size_t i = 1; i < stops_.size(); ++i)
        if (std::abs(stops_[i] - value) < std::abs(stops_[best] - value)) best = i;
    const QSignalBlocker quiet(slider_);
    slider_->setRange(0, static_cast<int>(stops_.size()) - 1);
    slider_->setValue(static_cast<int>(best));
}

void KnobRow::propose(double value) {
    const auto next = with(workspace_.scenario(), knob_, value);
    if (!next) {  // out of range: the plan stays as it is
        text_error_ = to_qt(say(next.error())).toHtmlEscaped();
        set_message(text_error_);
        return;
    }
    text_error_.clear();
    set_message({});
    show_value_(value);  // "300e9" becomes "300B" even where the plan stays the same
    shown_once_ = false; // what comes next may be another plan
    workspace_.propose(*next, edit_name(knob_, value), knob_.id);
}

void KnobRow::present(const Snapshot& s) {
    const double value = knob_.get(s.scenario);
    if (!shown_once_ || value != shown_) {
        text_error_.clear();
        show_value_(value);
        place_slider(value);
        shown_ = value;
        shown_once_ = true;
    }
    if (text_error_.isEmpty()) show_obstacle(s);
    show_idle(s);
    show_note(s.scenario);
    show_name(s.scenario);
}

// The name of a number that was measured on this machine leads to the points it comes from. Levels of a network are
// called what the machine calls them.
void KnobRow::show_name(const Scenario& s) {
    if (s.machine.calibration.get() == calibration_ && !level_of(knob_)) return;
    calibration_ = s.machine.calibration.get();
    const bool measured = calibration_ && !evidence_for(s.machine, knob_.id).empty();
    const QString name = to_qt(label_in_words(knob_, s));
    const QString text = measured ? QStringLiteral("<a href=\"points\">%1</a>").arg(name.toHtmlEscaped()) : name;
    if (text == label_->text()) return;
    label_->setText(text);
    setAccessibleName(name);
    editor_->setAccessibleName(name);
}

void KnobRow::show_points() { show_evidence(this, evidence_for(workspace_.scenario().machine, knob_.id)); }

// A value that stands in the way can be edited whether it matters or not.
void KnobRow::show_idle(const Snapshot& s) {
    const std::string_view why = message_->isHidden() ? idle_reason(knob_, s.scenario) : std::string_view{};
    const QString reason = worded(why);
    if (reason == idle_reason_) return;
    idle_reason_ = reason;
    setAccessibleDescription(reason);
    const bool idle = !reason.isEmpty();
    idle_->setText(reason);
    idle_->setVisible(idle);
    editor_->setVisible(!idle);
    unit_->setVisible(!idle && grid_->indexOf(unit_) >= 0);
    if (slider_) slider_->setVisible(!idle);
    label_->setForegroundRole(idle ? QPalette::PlaceholderText : QPalette::NoRole);
}

void KnobRow::show_note(const Scenario& s) {
    const QString note = idle_reason_.isEmpty() ? note_of(knob_, s) : QString();
    if (note == note_->text()) return;
    note_->setText(note);
    note_->setHidden(note.isEmpty());
}

void KnobRow::show_obstacle(const Snapshot& s) {
    QString html;
    if (s.stale())
        for (const Obstacle& o : s.outcome.error()) {
            if (o.knob != knob_.id) continue;
            html += (html.isEmpty() ? QString() : QStringLiteral("<br>")) + with_links(to_qt(say(o)), knob_);
        }
    set_message(html);
}

void KnobRow::set_message(const QString& html) {
    if (html == message_->text() && message_->isHidden() == html.isEmpty()) return;
    message_->setText(html);
    set_text_colour(*message_, alert_colour(palette()));
    message_->setHidden(html.isEmpty());
    editor_->setAccessibleDescription(html.isEmpty() ? to_qt(help_in_words(knob_)) : message_->text());
    update();
}

void KnobRow::say_what_it_is() {
    QWhatsThis::showText(editor_->mapToGlobal(editor_->rect().bottomLeft()), tooltip(knob_, workspace_.scenario()),
                         this);
}

bool KnobRow::event(QEvent* event) {
    if (event->type() == QEvent::QueryWhatsThis) return event->accept(), true;
    if (event->type() == QEvent::WhatsThis) return say_what_it_is(), true;
    if (event->type() == QEvent::ToolTip) {  // built on demand: sources are long
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tooltip(knob_, workspace_.scenario()), this);
        return true;
    }
    return QWidget::event(event);
}

void KnobRow::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    emit shown();
}

void KnobRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    if (message_->isHidden()) return;
    painter.setPen(QPen(alert_colour(palette()), 2));
    painter.drawRect(editor_->geometry().adjusted(-1, -1, 1, 1));
    painter.fillRect(QRect(0, 2, 3, height() - 4), alert_colour(palette()));
}

void KnobRow::contextMenuEvent(QContextMenuEvent* event) {
    const Library& library = workspace_.library();
    Scenario preset = workspace_.scenario();
    const auto take = [](auto& part, const auto& presets) {
        const auto found = presets.find(part.id);
        if (found != presets.end()) part = found->second;
    };
    take(preset.model, library.models);
    take(preset.machine, library.machines);
    take(preset.stack, library.stacks);
    const double original = knob_.get(preset);
    QMenu menu(this);
    QAction* reset = menu.addAction(tr("Reset to preset: %1").arg(value_with_unit(knob_, original)), this,
                                    [this, original] { propose(original); });
    reset->setEnabled(original != knob_.get(workspace_.scenario()));
    if (!evidence_for(workspace_.scenario().machine, knob_.id).empty())
        menu.addAction(tr("Show the points it was measured by"), this, &KnobRow::show_points);
    menu.exec(event->globalPos());
}

Findable findable(const Knob& k) {
    const QString id = to_qt(k.id);
    return {to_qt(label_in_words(k)), other_names(id), id + u' ' + worded(k.section) + u' ' + to_qt(help_in_words(k))};
}

QString value_with_unit(const Knob& k, double value) {
    const QString text = to_qt(format_value(k, value));
    return k.unit.empty() ? text : text + QStringLiteral(" ") + worded(k.unit);
}

QString note_of(const Knob& k, const Scenario& s) {
    if (level_of(k) && k.id == id_of_level(widest_level(s), "bandwidth_GBps"))
        return QObject::tr("In use: the widest level that this plan's devices talk over");
    if (k.id != "recipe.global_batch_sequences") return {};
    const auto number = [](long long n) { return QLocale(QLocale::English).toString(n); };
    const long long sequences = s.recipe.global_batch_sequences, length = s.recipe.sequence_length;
    return QObject::tr("%1 x %2 = %3 tokens").arg(number(sequences), number(length), number(sequences * length));
}

QString edit_name(const Knob& k, double value) {
    return to_qt(label_in_words(k)) + QStringLiteral(" ") + to_qt(format_value(k, value));
}

QString name_of(SourceKind kind) {
    switch (kind) {
        case SourceKind::measured:
            return QObject::tr("measured");
        case SourceKind::vendor:
            return QObject::tr("vendor");
        case SourceKind::derived:
            return QObject::tr("derived");
        case SourceKind::estimated:
            return QObject::tr("estimated");
        case SourceKind::user:
            return QObject::tr("user");
    }
    return {};
}

namespace {

QString range_text(const Knob& k) {
    if (k.kind == KnobKind::flag) return QObject::tr("on or off");
    if (k.kind == KnobKind::choice) {
        QStringList names;
        for (const std::string& c : k.choices) names.append(to_qt(c));
        return names.join(QStringLiteral(", "));
    }
    return QObject::tr("%1 to %2").arg(to_qt(format_value(k, k.low)), value_with_unit(k, k.high));
}

QString link(const QString& text, double value) {
    return QStringLiteral("<a href=\"%1\">%2</a>").arg(QString::number(value, 'g', 17), text.toHtmlEscaped());
}

}  // namespace

QString with_links(const QString& sentence, const Knob& knob) {
    const int colon = static_cast<int>(sentence.lastIndexOf(QStringLiteral(": ")));
    QStringList links;
    QString list = colon < 0 ? QString() : sentence.mid(colon + 2);
    if (list.endsWith(u'.') || list.endsWith(u'。')) list.chop(1);
    for (const QString& value : list.split(QStringLiteral(", "), Qt::SkipEmptyParts)) {
        const auto parsed = parse_value(knob, value.toStdString());
        if (!parsed) return sentence.toHtmlEscaped();
        links.append(link(value, *parsed));
    }
    return links.isEmpty() ? sentence.toHtmlEscaped()
                           : sentence.left(colon + 2).toHtmlEscaped() + links.join(QStringLiteral(", "));
}

QString tooltip(const Knob& k, const Scenario& s) {
    QString text = QStringLiteral("<b>%1</b>: %2<br>%3<br><i>%4</i>: %5")
                       .arg(to_qt(label_in_words(k)).toHtmlEscaped(), value_with_unit(k, k.get(s)).toHtmlEscaped(),
                            to_qt(help_in_words(k)).toHtmlEscaped(), QObject::tr("Range"),
                            range_text(k).toHtmlEscaped());
    if (!pointer_of(k).empty()) {
        const Source source = source_of(k, s);
        text += QStringLiteral("<br><i>%1</i> (%2): %3")
                    .arg(QObject::tr("Source"), name_of(source.kind),
                         (is_own(source) ? worded_kept(source.text) : to_qt(source.text)).toHtmlEscaped());
    }
    for (const ConstantEvidence& e : evidence_for(s.machine, k.id))
        text += QStringLiteral("<br><i>%1</i>: %2").arg(QObject::tr("Measured"), to_qt(e.sentence).toHtmlEscaped());
    if (const std::string_view why = idle_reason(k, s); !why.empty())
        text += QStringLiteral("<br><i>%1</i>: %2")
                    .arg(QObject::tr("Not used in this plan"), worded(why));
    return text + QStringLiteral("<br><small>%1</small>").arg(to_qt(k.id));
}

}  // namespace plimsoll
