#include "views/inputs/kinds_editor.h"

#include "core/answers/plan/by_kind.h"
#include "core/values/basics/names.h"
#include "core/values/knobs/ranges.h"
#include "core/values/plan/kinds.h"
#include "core/values/plan/pattern.h"
#include "views/charts/look.h"
#include "views/inputs/controls.h"
#include "views/inputs/layer_strip.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QStyledItemDelegate>

#include <algorithm>
#include <functional>

namespace plimsoll {

namespace {

using TakenKind = Expected<LayerKind, QString>;   // or why it cannot be

// One line of the table: what a kind has there, and the kind with something else typed.
struct KindLine {
    QString label, tip;
    std::function<bool(const LayerKind&)> used;
    std::function<QString(const Model&, const LayerKind&)> shown;
    std::function<TakenKind(const Model&, LayerKind, const QString&)> take;
    std::function<bool(const LayerKind&)> of_model = {};   // what is shown is the model's
    QStringList choices = {};
};

QString mixer_name(Mixer m) { return m == Mixer::none ? QObject::tr("none") : to_qt(mixer_in_words(m)); }

QString feed_name(Feed f) {
    return f == Feed::dense ? QObject::tr("dense") : f == Feed::experts ? QObject::tr("experts") : QObject::tr("none");
}

template <class Choice>
QStringList names_of_choices(QString (*name)(Choice)) {
    QStringList all;
    for (std::size_t i = 0; i < names_of<Choice>().size(); ++i) all << name(Choice(i));
    return all;
}

// Sizes of a state that a kind has none of yet: those of the model's attention.
LayerKind with_sizes(const Model& m, LayerKind k) {
    if (k.recurs() && k.recurrence.heads == 0)
        k.recurrence = {.heads = m.heads, .head_dim = m.head_dim, .key_heads = m.kv_heads, .key_dim = m.head_dim};
    return k;
}

template <class Choice>
KindLine choice_line(const QString& label, const QString& tip, Choice LayerKind::*member, QString (*name)(Choice),
                     std::function<bool(const LayerKind&)> used) {
    const QStringList names = names_of_choices(name);
    return {label, tip, std::move(used),
            [=](const Model&, const LayerKind& k) { return name(k.*member); },
            [=](const Model& m, LayerKind k, const QString& typed) -> TakenKind {
                const auto at = names.indexOf(typed);
                if (at < 0) return Unexpected{QObject::tr("%1 is none of: %2.").arg(typed, names.join(u", "))};
                k.*member = Choice(at);
                return with_sizes(m, k);
            },
            {}, names};
}

// Nothing typed is 0; `instead` is shown for it where it is the model's own, and `zero` where that is a word.
KindLine number_line(const QString& label, const QString& tip, const NumberRange& range,
                     std::function<int&(LayerKind&)> value, std::function<bool(const LayerKind&)> used,
                     std::function<int(const Model&)> instead = {}, const QString& zero = {}) {
    const auto own = [value](LayerKind k) { return value(k); };
    KindLine line{label, tip, std::move(used),
                  [=](const Model& m, const LayerKind& k) {
                      if (own(k) == 0 && !zero.isEmpty()) return zero;
                      return QString::number(own(k) == 0 && instead ? instead(m) : own(k));
                  },
                  [=](const Model&, LayerKind k, const QString& typed) -> TakenKind {
                      bool whole = true;
                      const QString text = typed.trimmed().remove(u',');
                      const bool none = text.isEmpty() || text.compare(zero, Qt::CaseInsensitive) == 0;
                      const int number = none ? 0 : text.toInt(&whole);
                      if (!whole || number < range.low || number > range.high)
                          return Unexpected{QObject::tr("%1: found %2, expected a whole number from %3 to %4.")
                                                .arg(label, typed, QString::number(range.low, 'f', 0),
                                                     QString::number(range.high, 'f', 0))};
                      value(k) = number;
                      return k;
                  }};
    if (instead) line.of_model = [own](const LayerKind& k) { return own(k) == 0; };
    return line;
}

TakenKind take_letter(const Model&, LayerKind k, const QString& typed) {
    const QString text = typed.trimmed();
    const char letter = text.size() == 1 ? text.front().toLatin1() : '\0';
    if (!names_a_kind(letter))
        return Unexpected{QObject::tr("\"%1\" is no letter or sign other than ( ) | / , and digits.").arg(typed)};
    k.letter = letter;
    return k;
}

// In the language of the moment.
std::vector<KindLine> kind_lines() {
    const auto tr = [](const char* text) { return QObject::tr(text); };
    const auto always = [](const LayerKind&) { return true; };
    const auto attends = [](const LayerKind& k) { return k.attends(); };
    const auto recurs = [](const LayerKind& k) { return k.recurs(); };
    const auto mixes = [](const LayerKind& k) { return k.mixes(); };
    const auto dense = [](const LayerKind& k) { return k.feed == Feed::dense; };
    const QString models = tr("Greyed: the model's. Type a number to set it for this kind, or nothing to return.");
    std::vector<KindLine> all;
    all.push_back({tr("Letter"), tr("Its name in the pattern"), always,
                   [](const Model&, const LayerKind& k) { return QString(QLatin1Char(k.letter)); }, take_letter});
    all.push_back(choice_line(tr("Mixer"), tr("What mixes tokens; none: a feed-forward block alone"),
                              &LayerKind::mixer, mixer_name, always));
    all.push_back(choice_line(tr("Beside it"), tr("A second mixer that starts from the same norm (Falcon-H1)"),
                              &LayerKind::beside, mixer_name, mixes));
    all.push_back(choice_line(tr("Feed-forward"), tr("What stands behind it; none: a mixer alone"),
                              &LayerKind::feed, feed_name, always));
    all.push_back(number_line(tr("Window"), tr("Tokens that attention sees; 0: all"), ranges::positions,
                              [](LayerKind& k) -> int& { return k.window; }, attends, {}, tr("all")));
    all.push_back(number_line(tr("Heads"), models, ranges::heads_or_none,
                              [](LayerKind& k) -> int& { return k.heads; }, attends,
                              [](const Model& m) { return m.heads; }));
    all.push_back(number_line(tr("Key-value heads"), models, ranges::heads_or_none,
                              [](LayerKind& k) -> int& { return k.kv_heads; }, attends,
                              [](const Model& m) { return m.kv_heads; }));
    all.push_back(number_line(tr("Head width"), models, ranges::head_or_none,
                              [](LayerKind& k) -> int& { return k.head_dim; }, attends,
                              [](const Model& m) { return m.head_dim; }));
    all.push_back(number_line(tr("Feed-forward width"), models, ranges::width_or_none,
                              [](LayerKind& k) -> int& { return k.ffn; }, dense,
                              [](const Model& m) { return m.ffn; }));
    all.push_back(number_line(tr("State heads"), tr("Heads of values; Mamba-2: heads"), ranges::heads_or_none,
                              [](LayerKind& k) -> int& { return k.recurrence.heads; }, recurs));
    all.push_back(number_line(tr("State head width"), tr("Width of a value"), ranges::head_or_none,
                              [](LayerKind& k) -> int& { return k.recurrence.head_dim; }, recurs));
    all.push_back(number_line(tr("Key heads"), tr("Heads of queries and keys; Mamba-2: groups"),
                              ranges::heads_or_none,
                              [](LayerKind& k) -> int& { return k.recurrence.key_heads; }, recurs));
    all.push_back(number_line(tr("Key width"), tr("Width of a key; Mamba-2: size of the state"),
                              ranges::head_or_none,
                              [](LayerKind& k) -> int& { return k.recurrence.key_dim; }, recurs));
    all.push_back(number_line(tr("Convolution"), tr("Tokens that the short convolution sees; 0: none"),
                              ranges::convolution,
                              [](LayerKind& k) -> int& { return k.recurrence.conv; }, recurs));
    return all;
}

// Lists where a line has choices.
class KindCell : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override {
        const QStringList choices = kind_lines()[std::size_t(index.row())].choices;
        if (choices.isEmpty()) return QStyledItemDelegate::createEditor(parent, option, index);
        auto* box = new QComboBox(parent);
        box->addItems(choices);
        const auto finish = [this, box] {
            auto* self = const_cast<KindCell*>(this);
            emit self->commitData(box);
            emit self->closeEditor(box);
        };
        connect(box, &QComboBox::activated, box, finish);
        QTimer::singleShot(0, box, &QComboBox::showPopup);
        return box;
    }
    void setEditorData(QWidget* editor, const QModelIndex& index) const override {
        auto* box = qobject_cast<QComboBox*>(editor);
        if (!box) return QStyledItemDelegate::setEditorData(editor, index);
        box->setCurrentText(index.data().toString());
    }
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override {
        auto* box = qobject_cast<QComboBox*>(editor);
        if (!box) return QStyledItemDelegate::setModelData(editor, model, index);
        model->setData(index, box->currentText());
    }
};

constexpr const char* pattern_id = "model.pattern";   // of what stands in its field and is refused

}  // namespace

KindsEditor::KindsEditor(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      pattern_(new QLineEdit),
      length_(new QLabel),
      message_(new PlainLabel),
      table_(new QTableWidget) {
    setObjectName(QStringLiteral("kinds_editor"));
    build_pattern();
    build_table();
    add_ = button(tr("Add a kind"), "add_kind", tr("A kind like the chosen one, with a letter of its own"), this,
                  &KindsEditor::add_kind);
    remove_ = button(tr("Remove it"), "remove_kind", {}, this, &KindsEditor::remove_kind);
    message_->setWordWrap(true);
    message_->setObjectName(QStringLiteral("kinds_message"));
    message_->hide();
    stated_ = piece(below({labelled(tr("&Pattern"), pattern_), message_, length_, table_, flow({add_, remove_})},
                          no_margins, 4));
    auto* why = new PlainLabel(tr("Which layers have experts or a window follows from numbers. As a table and a "
                                  "pattern, layers may be of any kind: Mamba-2 beside attention, for example."));
    why->setWordWrap(true);
    offer_ = piece(below({why, flow({button(tr("State the kinds of layers"), "state_kinds",
                                            tr("The same layers as a table and a pattern"), this,
                                            &KindsEditor::state_kinds)})},
                         no_margins, 4));
    setLayout(below({stated_, offer_}, {6, 0, 4, 4}));
}

void KindsEditor::build_pattern() {
    pattern_->setObjectName(QStringLiteral("model.pattern"));
    pattern_->setAccessibleName(tr("Pattern of the layers"));
    pattern_->setToolTip(tr("A letter a layer; (GGGA)x12 stands for 48 of them, and so does GGGA twelve times"));
    pattern_->setMinimumWidth(60);
    pattern_->installEventFilter(this);
    pause_.setSingleShot(true);
    pause_.setInterval(600);
    connect(&pause_, &QTimer::timeout, this, &KindsEditor::commit);
    connect(pattern_, &QLineEdit::textEdited, this, [this](const QString& text) {
        const auto read = read_pattern(shown_, text.toStdString());
        refuse_pattern(read ? QString() : to_qt(read.error()));
        pause_.start();
    });
    connect(pattern_, &QLineEdit::editingFinished, this, &KindsEditor::commit);
}

// Another theme.
void KindsEditor::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && has_pattern(shown_)) fill(shown_);
}

void KindsEditor::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_table();
}

// As high as its lines, and a scroll bar where the kinds need one.
void KindsEditor::fit_table() {
    const int around = 2 * table_->frameWidth();
    const int room = stated_->width() - table_->verticalHeader()->sizeHint().width() - around;
    const bool scrolls = table_->horizontalHeader()->length() > room;
    const int bar = scrolls ? table_->style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0;
    table_->setFixedHeight(table_->verticalHeader()->length() + around + bar);
}

// Back to the plan's pattern.
bool KindsEditor::eventFilter(QObject* watched, QEvent* event) {
    if (watched == pattern_ && event->type() == QEvent::KeyPress && pattern_->isModified()
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
        return give_up(), true;
    return QWidget::eventFilter(watched, event);
}

void KindsEditor::build_table() {
    table_->setObjectName(QStringLiteral("kinds_table"));
    table_->setAccessibleName(tr("Kinds of layers"));
    table_->setTabKeyNavigation(false);
    table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
                            | QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setItemDelegate(new KindCell(table_));
    const std::vector<KindLine> lines = kind_lines();
    table_->setRowCount(int(lines.size()));
    table_->horizontalHeader()->hide();
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 6);
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    QStringList labels;
    for (const KindLine& line : lines) labels << line.label;
    table_->setVerticalHeaderLabels(labels);
    for (int row = 0; row < table_->rowCount(); ++row)
        table_->verticalHeaderItem(row)->setToolTip(plain_text(lines[std::size_t(row)].tip));
    table_->verticalHeader()->setHighlightSections(false);
    connect(table_, &QTableWidget::cellChanged, this, &KindsEditor::take_cell);
    connect(table_, &QTableWidget::currentCellChanged, this, &KindsEditor::note_column);
}

void KindsEditor::present(const Snapshot& s) {
    const Model& m = s.scenario.model;
    const bool stated = has_pattern(m);
    if (stated_->isVisibleTo(this) != stated || !shown_once_) {
        stated_->setVisible(stated);
        offer_->setVisible(!stated);
    }
    const bool same = shown_once_ && m.kinds == shown_.kinds && letters_of(m) == letters_of(shown_)
                   && m.heads == shown_.heads && m.kv_heads == shown_.kv_heads && m.head_dim == shown_.head_dim
                   && m.ffn == shown_.ffn;
    shown_ = m;
    shown_once_ = true;
    if (same || !stated) return;
    say({});
    if (!pause_.isActive()) give_up();
    fill(m);
}

// A kind a column.
void KindsEditor::fill(const Model& m) {
    filling_ = true;
    const int column = std::max(0, table_->currentColumn()), row = std::max(0, table_->currentRow());
    table_->setColumnCount(int(m.kinds.size()));
    const std::vector<KindLine> lines = kind_lines();
    for (int c = 0; c < table_->columnCount(); ++c) {
        const LayerKind& kind = m.kinds[std::size_t(c)];
        for (int r = 0; r < table_->rowCount(); ++r) {
            const KindLine& line = lines[std::size_t(r)];
            const bool used = line.used(kind), models = used && line.of_model && line.of_model(kind);
            QTableWidgetItem* item = table_->item(r, c);   // which may be telling of its own change
            if (!item) table_->setItem(r, c, item = new QTableWidgetItem);
            item->setText(used ? line.shown(m, kind) : QStringLiteral("–"));
            item->setFlags(used ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable : Qt::ItemIsSelectable);
            item->setToolTip(plain_text(line.tip));
            if (line.choices.isEmpty()) item->setTextAlignment(Qt::AlignCenter);
            item->setData(Qt::ForegroundRole,
                          models ? QVariant(palette().brush(QPalette::PlaceholderText)) : QVariant());
            if (r == 0) {
                const QColor ground = colour_of_kind(c, palette());
                item->setBackground(ground);
                item->setForeground(ink_on(ground));
            }
            item->setData(Qt::AccessibleTextRole,
                          QStringLiteral("%1: %2").arg(line.label, item->text()));
        }
    }
    table_->setCurrentCell(std::min(row, table_->rowCount() - 1), std::min(column, table_->columnCount() - 1));
    filling_ = false;
    fit_table();
    add_->setEnabled(int(m.kinds.size()) < most_kinds);
    note_column();
}

void KindsEditor::note_column() {
    const int column = table_->currentColumn();
    const bool any = column >= 0 && column < int(shown_.kinds.size());
    const char letter = any ? shown_.kinds[std::size_t(column)].letter : '\0';
    const bool in_use = any && (letters_of(shown_).find(letter) != std::string::npos
                                || shown_.further.pattern.find(letter) != std::string::npos);
    remove_->setEnabled(any && !in_use);
    remove_->setToolTip(in_use ? tr("The pattern names it") : tr("The chosen kind goes"));
}

void KindsEditor::take_cell(int row, int column) {
    if (filling_ || column >= int(shown_.kinds.size())) return;
    const KindLine line = kind_lines()[std::size_t(row)];
    const LayerKind before = shown_.kinds[std::size_t(column)];
    const QString typed = table_->item(row, column)->text();
    if (typed == line.shown(shown_, before)) return;
    const TakenKind taken = line.take(shown_, before, typed);
    Model next = shown_;
    QString wrong;
    if (!taken) wrong = taken.error();
    else {
        next.kinds[std::size_t(column)] = *taken;
        for (std::string* pattern : {&next.pattern, &next.further.pattern})
            std::ranges::replace(*pattern, before.letter, taken->letter);
        for (const KindFault& fault : faults_of_kinds(next))
            if ((fault.kind == column || fault.key == "letter") && wrong.isEmpty())
                wrong = tr("%1, %2: %3.").arg(QString(QLatin1Char(before.letter)), line.label, to_qt(fault.text));
    }
    if (!wrong.isEmpty()) {
        fill(shown_);
        return say(wrong);
    }
    propose(next, tr("%1 of kind %2: %3")
                      .arg(line.label, QString(QLatin1Char(taken->letter)), line.shown(next, *taken)));
    say({});
    fill(next);   // "1,024" becomes "1024" even where the plan stays the same
}

void KindsEditor::propose(const Model& m, const QString& name) {
    Scenario next = workspace_.scenario();
    next.model = m;
    workspace_.propose(next, name);
}

void KindsEditor::commit() {
    pause_.stop();
    if (!pattern_->isModified()) return;
    const auto read = read_pattern(shown_, pattern_->text().toStdString());
    if (!read) return refuse_pattern(to_qt(read.error()));
    refuse_pattern({});
    pattern_->setModified(false);
    forget_typing(*pattern_);
    if (*read == letters_of(shown_)) return;
    propose(with_pattern(shown_, *read), tr("Pattern %1").arg(to_qt(folded(*read))));
}

void KindsEditor::give_up() {
    pause_.stop();
    refuse_pattern({});
    if (!has_pattern(shown_)) return;
    const std::string letters = letters_of(shown_);
    const QString text = to_qt(folded(letters));
    // What was typed is left as it was while it says the same.
    const auto typed = read_pattern(shown_, pattern_->text().toStdString());
    if (!typed || *typed != letters) pattern_->setText(text);
    pattern_->setModified(false);
    length_->setText(tr("%1 layers").arg(letters.size()));
}

void KindsEditor::refuse_pattern(const QString& why) {
    say(why);
    workspace_.refuse(pattern_id, why.toStdString());
}

void KindsEditor::say(const QString& what) {
    set_text_colour(*message_, alert_colour(palette()));
    message_->setText(what);
    message_->setVisible(!what.isEmpty());
}

void KindsEditor::add_kind() {
    Model next = shown_;
    const std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const auto is_free = [&](char c) { return letter_without_kind(next, std::string(1, c)) != 0; };
    const auto free = std::ranges::find_if(letters, is_free);
    LayerKind kind = next.kinds[std::size_t(std::max(0, table_->currentColumn()))];
    kind.letter = free == letters.end() ? '+' : *free;
    next.kinds.push_back(kind);
    propose(next, tr("Another kind of layer"));
    fill(next);
    table_->setCurrentCell(0, table_->columnCount() - 1);
}

void KindsEditor::remove_kind() {
    Model next = shown_;
    next.kinds.erase(next.kinds.begin() + table_->currentColumn());
    propose(next, tr("A kind of layer less"));
}

void KindsEditor::state_kinds() { propose(with_kinds_stated(shown_), tr("Kinds of layers")); }

void KindsEditor::focus_pattern() {
    (has_pattern(shown_) ? static_cast<QWidget*>(pattern_) : findChild<QPushButton*>(QStringLiteral("state_kinds")))
        ->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace plimsoll
