#include "views/inputs/inputs_panel.h"

#include "core/values/basics/foreign_text.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QApplication>
#include <QVBoxLayout>

#include <algorithm>

namespace plimsoll {

std::string plan_name_of(const QString& typed) {
    QString name = typed.trimmed().left(longest_plan_name);
    const auto unseen = [](QChar c) {
        return c.category() == QChar::Other_Control || c.category() == QChar::Other_Format;
    };
    if (!is_line(name.toStdString())) name.removeIf(unseen);
    return name.toStdString();
}

InputsPanel::InputsPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      search_(new QLineEdit),
      scroll_(new QScrollArea),
      nothing_(new PlainLabel),
      name_(new QLineEdit),
      nodes_(new NodeControl(workspace)) {
    build_search();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(6, 6, 0, 0);
    all->setSpacing(4);
    build_name(*all);
    all->addWidget(nodes_);
    all->addWidget(search_);
    all->addWidget(nothing_);

    auto* content = new QWidget;
    column_ = new QVBoxLayout(content);
    column_->setContentsMargins(0, 0, 4, 8);
    column_->setSpacing(6);
    for (const PresetKind kind : {PresetKind::model, PresetKind::machine, PresetKind::stack})
        presets_.push_back(new PresetBox(kind, workspace));
    add_group(*column_, KnobGroup::model, tr("Model"), presets_[0]);
    add_group(*column_, KnobGroup::machine, tr("Machine"), presets_[1]);
    add_group(*column_, KnobGroup::layout, tr("Layout"), nullptr);
    add_group(*column_, KnobGroup::recipe, tr("Recipe"), nullptr);
    add_group(*column_, KnobGroup::stack, tr("Software stack"), presets_[2]);
    add_group(*column_, KnobGroup::compression, tr("Compression"), nullptr);
    column_->addStretch();

    scroll_->setWidget(content);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    all->addWidget(scroll_, 1);

    quiet_.setSingleShot(true);
    quiet_.setInterval(150);
    connect(&quiet_, &QTimer::timeout, this, &InputsPanel::refresh_stops);
    connect(&workspace, &Workspace::changed, this, &InputsPanel::present);
    connect(&workspace.plans(), &Plans::leaving, this, &InputsPanel::leave);
}

// The field is deleted after this panel's own part; if it has the keyboard, it says then that its editing is finished.
InputsPanel::~InputsPanel() { name_->disconnect(this); }

void InputsPanel::build_name(QLayout& layout) {
    name_->setAccessibleName(tr("Name of the plan"));
    name_->setPlaceholderText(tr("Name of the plan"));
    name_->setToolTip(tr("Name of the plan; exported files start with it"));
    name_->setMaxLength(longest_plan_name);
    naming_.setSingleShot(true);
    naming_.setInterval(600);
    connect(&naming_, &QTimer::timeout, this, &InputsPanel::commit_name);
    connect(name_, &QLineEdit::textEdited, &naming_, qOverload<>(&QTimer::start));
    connect(name_, &QLineEdit::editingFinished, this, &InputsPanel::commit_name);
    layout.addWidget(name_);
}

void InputsPanel::commit_name() {
    naming_.stop();
    if (!name_->isModified()) return;
    forget_typing(*name_);
    Scenario next = workspace_.scenario();
    next.name = plan_name_of(name_->text());
    workspace_.propose(next, tr("Name"), "name");
}

void InputsPanel::commit() {
    commit_name();
    for (ValueBox* box : findChildren<ValueBox*>()) box->commit();
}

void InputsPanel::leave() {
    commit();
    for (ValueBox* box : findChildren<ValueBox*>()) box->give_up();
    nodes_->slider()->setSliderDown(false);  // its stops are those of the plan that goes
}

void InputsPanel::build_search() {
    search_->setObjectName(QStringLiteral("find_input"));
    search_->setPlaceholderText(tr("Find an input (Ctrl+F)"));
    search_->setAccessibleName(tr("Find an input"));
    search_->setClearButtonEnabled(true);
    nothing_->setObjectName(QStringLiteral("no_input_found"));
    nothing_->setWordWrap(true);
    nothing_->setForegroundRole(QPalette::PlaceholderText);
    nothing_->hide();
    connect(search_, &QLineEdit::textChanged, this, &InputsPanel::filter);
}

// What a preset describes is folded as a whole; the plan's own inputs are in view.
void InputsPanel::add_group(QLayout& layout, KnobGroup group, const QString& title, QWidget* preset) {
    Group g{new Section(title, Section::Level::group, true), nullptr, {}};
    if (preset) {
        g.details = new Section(tr("Details"), Section::Level::details, false);
        g.section->add(preset);
        g.section->add(g.details);
    }
    Section* parent = g.details ? g.details : g.section;
    g.folds.push_back({nullptr, {}});
    for (const Knob& knob : knobs()) {
        if (knob.group != group || knob.id == "nodes") continue;
        const QString heading = worded(knob.section);
        auto fold = std::find_if(g.folds.begin(), g.folds.end(), [&](const Fold& f) {
            return heading.isEmpty() ? !f.section : f.section && f.section->title() == heading;
        });
        if (fold == g.folds.end()) {
            g.folds.push_back({new Section(heading, Section::Level::details, false), {}});
            fold = g.folds.end() - 1;
            parent->add(fold->section);
        }
        fold->rows.push_back(new KnobRow(knob, workspace_));
        connect(fold->rows.back(), &KnobRow::shown, &quiet_, qOverload<>(&QTimer::start));
        (fold->section ? fold->section : parent)->add(fold->rows.back());
    }
    layout.addWidget(g.section);
    groups_.push_back(std::move(g));
}

void InputsPanel::present(const Snapshot& s) {
    const QString name = to_qt(s.scenario.name);
    const bool same = name_->hasFocus() ? name_->text().trimmed() == name : name_->text() == name;
    if (!name_->isModified() && !same) name_->setText(name);
    nodes_->present(s);
    for (PresetBox* box : presets_) box->present(s);
    for (const Group& g : groups_)
        for (const Fold& fold : g.folds) present_fold(fold, s);
    if (note_unused()) filter(search_->text());
    quiet_.start();
}

// Whether other inputs than before change nothing.
bool InputsPanel::note_unused() {
    std::vector<bool> unused;
    for (const Group& g : groups_)
        for (const Fold& fold : g.folds)
            for (const KnobRow* row : fold.rows) unused.push_back(!row->idle().isEmpty());
    const bool other = unused != unused_;
    unused_ = std::move(unused);
    return other;
}

void InputsPanel::show_unused(bool on) {
    shows_unused_ = on;
    filter(search_->text());
}

// One that is being edited stays while it is, even if the edit made it pointless.
bool InputsPanel::is_shown(const KnobRow& row, const Typed& typed, int least) const {
    if (row.score(typed) < least) return false;
    return row.idle().isEmpty() || shows_unused_ || !typed.empty() || &row == asked_for_
        || row.isAncestorOf(QApplication::focusWidget());
}

// A heading under which nothing matters says why, so that nobody opens it in vain.
void InputsPanel::present_fold(const Fold& fold, const Snapshot& s) {
    for (KnobRow* row : fold.rows) row->present(s);
    if (!fold.section) return;
    const QString reason = fold.rows.front()->idle();
    const bool all = std::all_of(fold.rows.begin(), fold.rows.end(), [&](auto* row) { return row->idle() == reason; });
    fold.section->set_idle(all ? reason : QString());
}

void InputsPanel::refresh_stops() {
    nodes_->refresh_stops();
    for (const Group& g : groups_)
        for (const Fold& fold : g.folds)
            for (KnobRow* row : fold.rows)
                if (row->isVisible()) row->refresh_stops();
}

// Where an input has the words in one of its names, those that only mention them stay hidden.
void InputsPanel::filter(const QString& words) {
    const Typed typed(words);
    if (!typed.empty()) asked_for_ = nullptr;
    int best = 0;
    for (const Group& g : groups_)
        for (const Fold& fold : g.folds)
            for (const KnobRow* row : fold.rows) best = std::max(best, row->score(typed));
    const int least = !typed.empty() && best >= Typed::by_name ? Typed::by_name : 1;
    std::vector<int> scores;
    for (const Group& g : groups_) scores.push_back(filter_group(g, typed, least));
    order_groups(typed.empty() ? std::vector<int>(groups_.size(), 0) : scores);
    nothing_->setText(tr("No input is called \"%1\", and no help text mentions it.").arg(words.trimmed()));
    nothing_->setVisible(best == 0);
    quiet_.start();
}

// Shows what scores at least so much, and returns the best score; one that is not used in this plan counts less.
int InputsPanel::filter_group(const Group& g, const Typed& typed, int least) {
    int best = 0;
    bool in_details = false;
    for (const Fold& fold : g.folds) {
        bool in_fold = false;
        for (KnobRow* row : fold.rows) {
            const bool shown = is_shown(*row, typed, least);
            row->setVisible(shown);
            if (!shown) continue;
            in_fold = true;
            best = std::max(best, row->idle().isEmpty() ? row->score(typed) : row->score(typed) / 4);
        }
        if (fold.section) fold.section->set_filtered(!typed.empty(), in_fold);
        if (fold.section && !in_fold) fold.section->hide();
        in_details = in_details || in_fold;
    }
    if (g.details) g.details->set_filtered(!typed.empty(), in_details);
    g.section->set_filtered(!typed.empty(), in_details);
    if (!in_details && !g.details) g.section->hide();
    return best;
}

// The group of the best match comes first; of equal ones the order stays.
void InputsPanel::order_groups(const std::vector<int>& scores) {
    std::vector<std::size_t> order(groups_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    std::vector<QWidget*> in_order;
    bool moved = false;
    for (std::size_t i = 0; i < order.size(); ++i) {
        QWidget* section = groups_[order[i]].section;
        in_order.push_back(section);
        if (column_->indexOf(section) == int(i)) continue;
        column_->removeWidget(section);
        column_->insertWidget(int(i), section);
        moved = true;
    }
    if (moved) set_tab_order_of(in_order);
}

bool InputsPanel::show_input(const QString& id) {
    if (id == QStringLiteral("nodes")) return nodes_->take_focus(), true;
    for (const Group& g : groups_)
        for (const Fold& fold : g.folds)
            for (KnobRow* row : fold.rows) {
                if (row->objectName() != id) continue;
                search_->clear();
                asked_for_ = row;
                filter({});
                for (Section* section : {g.section, g.details, fold.section})
                    if (section) section->unfold();
                // Rows that were folded get their place with the next turn of the event loop.
                QTimer::singleShot(0, row, [this, row] { scroll_->ensureWidgetVisible(row, 0, row->height()); });
                (row->idle().isEmpty() ? row->editor() : static_cast<QWidget*>(row))
                    ->setFocus(Qt::ShortcutFocusReason);
                return true;
            }
    return false;
}

bool InputsPanel::say_what_has_the_keyboard() {
    for (const Group& g : groups_)
        for (const Fold& fold : g.folds)
            for (KnobRow* row : fold.rows)
                if (row->hasFocus() || row->isAncestorOf(QApplication::focusWidget()))
                    return row->say_what_it_is(), true;
    return false;
}

void InputsPanel::remember_presets() {
    for (PresetBox* box : presets_) box->remember(true);
}

void InputsPanel::focus_search() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

}  // namespace plimsoll
