#include "views/inputs/kinds_editor.h"

#include "core/answers/plan/by_kind.h"
#include "core/values/basics/names.h"
#include "core/values/knobs/ranges.h"
#include "core/values/plan/kinds.h"
#include "core/values/plan/pattern.h"
#include "views/charts/look.h"
#include "views/inputs/layer_cells.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QComboBox>
#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTimer>

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

KindLine flag_line(const QString& label, const QString& tip, std::function<bool&(LayerKind&)> value,
                   std::function<bool(const LayerKind&)> used) {
    const QStringList names{QObject::tr("no"), QObject::tr("yes")};
    return {label, tip, std::move(used),
            [=](const Model&, LayerKind k) { return names[value(k)]; },
            [=](const Model&, LayerKind k, const QString& typed) -> TakenKind {
                const auto at = names.indexOf(typed);
                if (at < 0) return Unexpected{QObject::tr("%1 is none of: %2.").arg(typed, names.join(u", "))};
                value(k) = at == 1;
                return k;
            },
            {}, names};
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
    all.push_back(flag_line(tr("In chunks"), tr("Tokens see those before them in their own chunk of that length "
                                                "(Llama 4), not the last so many"),
                            [](LayerKind& k) -> bool& { return k.chunks; },
                            [](const LayerKind& k) { return k.attends() && k.window > 0; }));
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
    all.push_back(flag_line(tr("Gated norm"), tr("A norm behind the gate of Mamba-2 (Falcon-H1 has none)"),
                            [](LayerKind& k) -> bool& { return k.recurrence.gated_norm; },
                            [](const LayerKind& k) { return k.has(Mixer::mamba2); }));
    all.push_back(flag_line(tr("Full gate"), tr("The output gate is one matrix in place of two of low rank (Kimi K3)"),
                            [](LayerKind& k) -> bool& { return k.recurrence.full_gate; },
                            [](const LayerKind& k) { return k.has(Mixer::kimi_delta); }));
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

// What is wrong with a pattern of the model's kinds.
QString fault_of_pattern(const Model& m, const QString& text) {
    const auto read = read_pattern(m, text.toStdString());
    return read ? QString() : to_qt(read.error());
}

// Whether two texts are the same letters.
bool same_letters(const Model& m, const QString& text, const std::string& letters) {
    const auto read = read_pattern(m, text.toStdString());
    return read && *read == letters;
}

}  // namespace

KindsEditor::KindsEditor(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      length_(new QLabel),
      message_(new PlainLabel),
      table_(new QTableWidget) {
    setObjectName(QStringLiteral("kinds_editor"));
    build_patterns();
    build_table();
    add_ = button(tr("Add a kind"), "add_kind", tr("A kind like the chosen one, with a letter of its own"), this,
                  &KindsEditor::add_kind);
    remove_ = button(tr("Remove it"), "remove_kind", {}, this, &KindsEditor::remove_kind);
    message_->setWordWrap(true);
    message_->setObjectName(QStringLiteral("kinds_message"));
    message_->hide();
    stated_ = piece(below({labelled(tr("&Pattern"), pattern_), further_row_, message_, length_, table_,
                           flow({add_, remove_})},
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

void KindsEditor::build_patterns() {
    const auto wrong = [this](const QString& text) { return fault_of_pattern(shown_, text); };
    const auto letters = [this](const QString& text) {
        const auto read = read_pattern(shown_, text.toStdString());
        return read ? *read : std::string();   // asked for what is not wrong
    };
    pattern_ = new CheckedLine(
        workspace_, "model.pattern",
        {.wrong = wrong,
         .take = [=, this](const QString& text) {
             propose(with_pattern(shown_, letters(text)), tr("Pattern %1").arg(to_qt(folded(letters(text)))));
         },
         .of_plan = [this] { return to_qt(folded(letters_of(shown_))); },
         .same = [this](const QString& text) { return same_letters(shown_, text, letters_of(shown_)); }});
    pattern_->setAccessibleName(tr("Pattern of the layers"));
    pattern_->setToolTip(tr("A letter a layer; (GGGA)x12 stands for 48 of them, and so does GGGA twelve times"));
    // Nothing stands for the kind of the last layer.
    const auto none = [](const QString& text) { return text.trimmed().isEmpty(); };
    further_ = new CheckedLine(
        workspace_, "model.further_tokens.pattern",
        {.wrong = [=](const QString& text) { return none(text) ? QString() : wrong(text); },
         .take = [=, this](const QString& text) {
             Model next = shown_;
             next.further.pattern = none(text) ? std::string() : letters(text);
             propose(next, tr("Further tokens: %1").arg(to_qt(folded(next.further.pattern))));
         },
         .of_plan = [this] { return to_qt(folded(shown_.further.pattern)); },
         .same = [=, this](const QString& text) {
             return none(text) ? shown_.further.pattern.empty() : same_letters(shown_, text, shown_.further.pattern);
         }});
    further_->setAccessibleName(tr("Pattern of a module that predicts a further token"));
    further_->setToolTip(tr("Layers of one depth, a letter each; empty: one of the kind of the last layer"));
    further_->setPlaceholderText(tr("as the last layer"));
    further_row_ = labelled(tr("&Further tokens"), further_);
    for (CheckedLine* each : {pattern_, further_}) connect(each, &CheckedLine::checked, this, &KindsEditor::say);
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
                   && m.ffn == shown_.ffn && m.further == shown_.further;
    shown_ = m;
    shown_once_ = true;
    if (same) return;
    say({});
    if (!stated) return give_up();   // no field may stand in the way that nobody sees
    for (CheckedLine* each : {pattern_, further_}) each->plan_changed();
    length_->setText(tr("%1 layers").arg(m.layers));
    further_row_->setVisible(m.further.depths > 0);
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
            item->setTextAlignment(Qt::AlignCenter);
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
    for (int r = 0; r < table_->rowCount(); ++r)
        table_->setRowHidden(r, std::ranges::none_of(m.kinds, lines[std::size_t(r)].used));
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
        if (taken->window == 0) next.kinds[std::size_t(column)].chunks = false;
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
    for (CheckedLine* each : {pattern_, further_}) each->commit();
}

void KindsEditor::give_up() {
    for (CheckedLine* each : {pattern_, further_}) each->give_up();
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
