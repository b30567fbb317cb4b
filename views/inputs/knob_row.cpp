#include "views/inputs/knob_row.h"

#include "core/answers/plan/valid_values.h"
#include "core/evidence/calibration/proof/evidence.h"
#include "core/values/knobs/in_words.h"
#include "core/values/knobs/network_levels.h"
#include "core/values/knobs/wording.h"
#include "views/evidence/evidence_view.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QCheckBox>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QObject>
#include <QPainter>
#include <QRegularExpression>
#include <QToolTip>
#include <QWhatsThis>

#include <cmath>

namespace plimsoll {

namespace {

constexpr int gap = 6, left = 6, right = 4, above = 1;   // in and around a row, in pixels
constexpr int long_slider = 24;                          // height of one on a line of its own

// One line that ends in dots where the row has no room for all of it.
class Beside : public QLabel {
public:
    using QLabel::QLabel;

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(palette().color(foregroundRole()));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(text(), Qt::ElideRight, width()));
    }
};

// Where the answer is looked for by sliding; other numbers are typed, or stepped through with the arrows.
bool slides(const Knob& k) { return k.id == "nodes" || k.id == "layout.micro_batch" || k.id == "recipe.tokens"; }

QString unit_text(const Knob& k) { return worded(k.unit == "bytes per parameter" ? "B/param" : k.unit); }

}  // namespace

KnobRow::KnobRow(const Knob& knob, Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      knob_(knob),
      shown_as_(&knob),
      unit_(unit_text(knob)),
      workspace_(workspace),
      label_(new QLabel(to_qt(label_in_words(knob)), this)),
      message_(new RichLabel(this)),
      beside_(new Beside(this)) {
    found_by_.emplace_back(findable(knob));
    setObjectName(to_qt(knob.id));
    setAccessibleName(to_qt(label_in_words(knob)));
    build_editor();
    editor_->setParent(this);
    editor_->setObjectName(to_qt(knob.id) + QStringLiteral(".editor"));
    editor_->setAccessibleName(to_qt(label_in_words(knob)));
    editor_->setAccessibleDescription(to_qt(help_in_words(knob)));
    build_other();
    build_slider();   // last: Tab comes to them as they are read
    label_->setBuddy(editor_);
    label_->setTextInteractionFlags(Qt::LinksAccessibleByMouse);   // by keyboard the context menu leads there
    connect(label_, &QLabel::linkActivated, this, &KnobRow::show_points);
    message_->setObjectName(to_qt(knob.id) + QStringLiteral(".message"));
    message_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    setTabOrder(editor_, message_);
    message_->hide();
    connect(message_, &QLabel::linkActivated, this, [this](const QString& v) { propose(knob_, v.toDouble()); });
    beside_->setObjectName(to_qt(knob.id) + QStringLiteral(".beside"));
    beside_->setForegroundRole(QPalette::PlaceholderText);
    beside_->setText(unit_);
    beside_->setVisible(shows_beside());
    if (knob.id == "nodes") {
        QFont bold = label_->font();
        bold.setBold(true);
        label_->setFont(bold);
    }
    setFocusPolicy(Qt::ClickFocus);  // for an input that is not used: its editor takes no keys then
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    place();
}

void KnobRow::build_editor() {
    if (knob_.kind == KnobKind::choice) {
        auto* box = new QComboBox;
        for (const std::string& name : knob_.choices) box->addItem(to_qt(name));
        WheelGuard::install(box);
        connect(box, &QComboBox::activated, this, [this](int i) { propose(knob_, i); });
        show_value_ = [box](double v) { box->setCurrentIndex(static_cast<int>(v)); };
        editor_ = box;
    } else if (knob_.kind == KnobKind::flag) {
        auto* box = new QCheckBox;
        connect(box, &QCheckBox::clicked, this, [this](bool on) { propose(knob_, on); });
        show_value_ = [box](double v) { box->setChecked(v != 0); };
        editor_ = box;
    } else {
        number_ =
            new ValueBox(knob_, [this] { return valid(); }, [this](std::string_view text) { return read(text); });
        number_->set_word_for_zero(to_qt(word_for_zero(knob_)));
        connect(number_, &ValueBox::entered, this, [this](double v) { propose(*shown_as_, v); });
        connect(number_, &ValueBox::rejected, this, &KnobRow::refuse);
        show_value_ = [this](double v) { number_->show_value(v); };
        editor_ = number_;
    }
}

void KnobRow::build_other() {
    const Knob* unit = other_unit(knob_);
    if (!unit) return;
    found_by_.emplace_back(findable(*unit));
    other_ = new QToolButton(this);
    other_->setObjectName(to_qt(knob_.id) + QStringLiteral(".other"));
    connect(other_, &QToolButton::clicked, this,
            [this] { show_as(shown_as_ == &knob_ ? *other_unit(knob_) : knob_); });
    show_as(knob_);
}

void KnobRow::show_as(const Knob& knob) {
    const Knob& next = &knob == &knob_ ? *other_unit(knob_) : knob_;
    number_->give_up();
    number_->set_knob(knob);
    shown_as_ = &knob;
    label_->setText(to_qt(label_in_words(knob)));
    editor_->setAccessibleName(label_->text());
    other_->setToolTip(tr("Edit it in %1").arg(unit_text(next)));
    other_->setAccessibleName(tr("%1: edit it in %2").arg(label_->text(), unit_text(next)));
    shown_once_ = false;
    if (isVisible()) present(workspace_.snapshot());
}

void KnobRow::build_slider() {
    if (!slides(knob_)) return;
    slider_ = new QSlider(Qt::Horizontal, this);
    slider_->setObjectName(to_qt(knob_.id) + QStringLiteral(".slider"));
    slider_->setAccessibleName(tr("%1, slider").arg(to_qt(label_in_words(knob_))));
    slider_->setAccessibleDescription(to_qt(help_in_words(knob_)));
    WheelGuard::install(slider_);
    connect(slider_, &QSlider::valueChanged, this, [this](int i) {
        if (i >= 0 && i < static_cast<int>(stops_.size())) propose(knob_, stops_[i]);
    });
    connect(slider_, &QSlider::sliderPressed, this, [this] { held_ = workspace_.scenario().layout; });
    connect(slider_, &QSlider::sliderReleased, this, &KnobRow::refresh_stops);
}

int KnobRow::width_of_editor() const {
    const int em = fontMetrics().horizontalAdvance(u'0');
    if (knob_.kind == KnobKind::choice) return em * 14;
    return knob_.kind == KnobKind::flag ? editor_->sizeHint().width() : em * 11;
}

// One line: label, editor, what stands beside it. Two: the label above the rest. Nodes have their slider below, where
// it is long enough to aim with.
void KnobRow::place() {
    const int em = fontMetrics().horizontalAdvance(u'0'), line = fontMetrics().height() + 10;
    const int room = width() - left - right, label = em * 17;
    narrow_ = room < label + em * 24 || label_->fontMetrics().horizontalAdvance(to_qt(label_in_words(knob_))) > label;
    label_->setGeometry(left, above, narrow_ ? room : label, line);
    const int y = narrow_ ? above + line : above;
    int x = narrow_ ? left : left + label + gap;
    editor_->setGeometry(x, y, width_of_editor(), line);
    x += width_of_editor() + gap;
    const QRect rest(x, y, std::max(0, width() - right - x), line);
    message_->setGeometry(rest);
    if (other_) other_->setGeometry(rest.adjusted(0, 1, 0, -1));
    const bool below = knob_.id == "nodes";
    const int size = below ? em * 9 : 0;   // of the machine
    if (slider_) slider_->setGeometry(below ? QRect(left, y + line, room - size, long_slider) : rest);
    beside_->setGeometry(below ? QRect(left + room - size + gap, y + line, size - gap, long_slider) : rest);
    setFixedHeight(y + line + above + (below ? long_slider : 0));
    write_message();
}

// On two lines: whatever the panel's width, the row does not ask for more.
QSize KnobRow::minimumSizeHint() const {
    const int em = fontMetrics().horizontalAdvance(u'0');
    return {left + width_of_editor() + gap + em * 9 + right, height()};
}

void KnobRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

int KnobRow::score(const Typed& typed) const {
    if (level_of(knob_)) return typed.score(findable(knob_, workspace_.scenario()));   // its names depend on the plan
    int best = 0;
    for (const Prepared& each : found_by_) best = std::max(best, typed.score(each));
    return best;
}

std::vector<double> KnobRow::valid() const {
    const Scenario& plan = workspace_.scenario();
    if (shown_as_ == &knob_ || knob_.id == "nodes") return valid_values(plan, *shown_as_, 64);
    std::vector<double> tokens = valid_values(plan, knob_, 64);
    for (double& v : tokens) v *= counted_sequence(plan.recipe).tokens;
    return tokens;
}

// A batch given in tokens is rarely a whole number of micro-batches for every replica: the nearest that is, is meant.
Expected<double, std::string> KnobRow::read(std::string_view text) const {
    const Scenario& plan = workspace_.scenario();
    const bool in_tokens = shown_as_ != &knob_ && knob_.id != "nodes";
    const auto plain = parse_value(*shown_as_, text);
    const auto value = plain ? plain : parse_value(plan, knob_, text);
    if (!value) return value;
    const auto there = with(plan, plain ? *shown_as_ : knob_, *value);
    if (!there) return Unexpected{say(there.error())};
    if (plain && !in_tokens) return value;
    const double meant = knob_.get(*there), unit = in_tokens ? counted_sequence(plan.recipe).tokens : 1;
    const std::vector<double> works = valid_values(*there, knob_, 2);
    const auto closer = [meant](double a, double b) { return std::abs(a - meant) < std::abs(b - meant); };
    return unit * (works.empty() ? meant : *std::min_element(works.begin(), works.end(), closer));
}

// Fixed while the handle is held: the stops depend on the plan, and a scale that shifts under the hand cannot be aimed
// at.
void KnobRow::refresh_stops() {
    if (!slider_ || slider_->isSliderDown()) return;
    const Scenario& plan = workspace_.scenario();
    const double here = knob_.get(plan);
    std::vector<double> stops = knob_.id == "nodes" ? node_counts(plan, 40) : valid_values(plan, knob_, 64);
    if (stops.empty() && knob_.kind == KnobKind::real) {
        // Two decades around the value, in steps of about 5 %.
        for (int i = -48; i <= 48; ++i) {
            const double raw = std::max(here, 1e-9) * std::pow(10.0, i / 48.0);
            const double digit = std::pow(10.0, std::floor(std::log10(raw)) - 1);
            const double v = i == 0 ? here : std::round(raw / digit) * digit;
            if (v >= knob_.low && v <= knob_.high) stops.push_back(v);
        }
    }
    if (stops.size() > 1 || stops_.empty()) stops_ = std::move(stops);
    slider_->setEnabled(stops_.size() > 1 && idle_reason_.isEmpty());
    place_slider(here);
}

void KnobRow::place_slider(double value) {
    if (!slider_ || slider_->isSliderDown() || stops_.empty()) return;
    const auto nearer = [value](double a, double b) { return std::abs(a - value) < std::abs(b - value); };
    const auto at = std::min_element(stops_.begin(), stops_.end(), nearer);
    const QSignalBlocker quiet(slider_);
    slider_->setRange(0, static_cast<int>(stops_.size()) - 1);
    slider_->setPageStep(std::max(1, static_cast<int>(stops_.size()) / 8));
    slider_->setValue(static_cast<int>(at - stops_.begin()));
}

// What was typed and cannot be part of the plan: the field keeps it, and the whole answer is marked until it is gone.
void KnobRow::refuse(const QString& why) {
    text_error_ = why;
    set_message(why);
    workspace_.refuse(knob_.id, why.toStdString());
    if (!why.isEmpty() && editor_->hasFocus())
        QToolTip::showText(editor_->mapToGlobal(editor_->rect().bottomLeft()), plain_text(why), this);
}

void KnobRow::propose(const Knob& knob, double value) {
    Scenario from = workspace_.scenario();
    // The stops are those of the layout where the handle was taken, whatever was found since.
    if (slider_ && slider_->isSliderDown()) from.layout = held_;
    const auto next = with(from, knob, value);
    if (!next) return refuse(to_qt(say(next.error())));
    refuse({});
    if (&knob == shown_as_) show_value_(value);  // "300e9" becomes "300B" even where the plan stays the same
    shown_once_ = false;                         // what comes next may be another plan
    workspace_.propose(*next, edit_name(knob, value), knob.id);
}

void KnobRow::present(const Snapshot& s) {
    const double value = shown_as_->get(s.scenario);
    if (!shown_once_ || value != shown_) {
        if (number_ && !text_error_.isEmpty()) number_->give_up();  // another value has come from elsewhere
        show_value_(value);
        place_slider(knob_.get(s.scenario));
        shown_ = value;
        shown_once_ = true;
    }
    if (text_error_.isEmpty()) show_obstacle(s);
    show_idle(s);
    show_beside(s);
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
    const QString reason = worded(message_text_.isEmpty() ? idle_reason(knob_, s.scenario) : std::string_view{});
    if (reason == idle_reason_) return;
    idle_reason_ = reason;
    setAccessibleDescription(reason);
    editor_->setEnabled(reason.isEmpty());
    if (slider_) slider_->setEnabled(reason.isEmpty() && stops_.size() > 1);
    label_->setForegroundRole(reason.isEmpty() ? QPalette::NoRole : QPalette::PlaceholderText);
}

// The unit, what the value comes to, or why it does not matter; a message stands in its place.
void KnobRow::show_beside(const Snapshot& s) {
    const QString note = note_of(*shown_as_, s);
    if (other_ && note != other_->text()) other_->setText(note);
    const QString text = knob_.id == "nodes" ? tr("of %1").arg(grouped(s.scenario.machine.nodes))
                       : !idle_reason_.isEmpty() ? idle_reason_
                       : note.isEmpty()          ? unit_
                                                 : note;
    if (text != beside_->text()) beside_->setText(text);
}

void KnobRow::show_obstacle(const Snapshot& s) {
    QStringList said;
    if (s.stale())
        for (const Obstacle& o : s.outcome.error())
            if (o.knob == knob_.id) said << to_qt(say(o));
    set_message(said.join(u'\n'));
}

void KnobRow::set_message(const QString& text) {
    if (text == message_text_) return;
    message_text_ = text;
    write_message();
    const bool wrong = !text.isEmpty();
    set_text_colour(*message_, alert_colour(palette()));
    message_->setVisible(wrong);
    beside_->setVisible(shows_beside());
    if (other_) other_->setVisible(!wrong);
    if (slider_ && knob_.id != "nodes") slider_->setVisible(!wrong);
    editor_->setAccessibleDescription(wrong ? text : to_qt(help_in_words(knob_)));
    update();
}

// The size of the machine has a place of its own, below; elsewhere a slider, another unit or a message may stand there.
bool KnobRow::shows_beside() const {
    return knob_.id == "nodes" || (!slider_ && !other_ && message_text_.isEmpty());
}

// The values that work, as many as there is room for; else as much of the sentence.
void KnobRow::write_message() {
    QStringList shown, plain;
    for (const QString& sentence : message_text_.split(u'\n'))
        for (const QString& each : links_in(sentence, knob_)) {
            const QString value = QString(each).remove(QRegularExpression(QStringLiteral("<[^>]*>")));
            if (plain.contains(value)) continue;
            plain << value;
            const int wide = fontMetrics().horizontalAdvance(tr("try %1").arg(plain.join(QStringLiteral(", "))));
            if (shown.isEmpty() || wide <= message_->width()) shown << each;
        }
    message_->setText(shown.isEmpty()
                          ? fontMetrics().elidedText(message_text_, Qt::ElideRight, message_->width()).toHtmlEscaped()
                          : tr("try %1").arg(shown.join(QStringLiteral(", "))));
}

void KnobRow::say_what_it_is() {
    QWhatsThis::showText(editor_->mapToGlobal(editor_->rect().bottomLeft()), tooltip(knob_, workspace_.scenario()),
                         this);
}

bool KnobRow::event(QEvent* event) {
    if (event->type() == QEvent::QueryWhatsThis) return event->accept(), true;
    if (event->type() == QEvent::WhatsThis) return say_what_it_is(), true;
    if (event->type() == QEvent::ToolTip) {  // built on demand: sources are long
        QString text = tooltip(*shown_as_, workspace_.scenario());
        if (!message_text_.isEmpty())
            text.prepend(message_text_.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"))
                         + QStringLiteral("<br>"));
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text, this);
        return true;
    }
    if (event->type() == QEvent::FontChange) place();
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
    if (message_text_.isEmpty()) return;
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
    QAction* reset = menu.addAction(tr("Reset to preset: %1").arg(to_qt(value_with_unit(knob_, original))), this,
                                    [this, original] { propose(knob_, original); });
    reset->setEnabled(original != knob_.get(workspace_.scenario()));
    if (!evidence_for(workspace_.scenario().machine, knob_.id).empty())
        menu.addAction(tr("Show the points it was measured by"), this, &KnobRow::show_points);
    menu.exec(event->globalPos());
}

}  // namespace plimsoll
