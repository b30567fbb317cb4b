#include "views/inputs/inputs_panel.h"

#include "core/values/basics/foreign_text.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QApplication>
#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

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
      nothing_(new RichLabel),
      name_(new QLineEdit),
      automatic_(new QCheckBox(tr("Automatic: the fastest that fits"))),
      layers_(new LayerStrip),
      kinds_(new KindsEditor(workspace)),
      stages_(new StagesEditor(workspace)) {
    build_search();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(6, 6, 0, 0);
    all->setSpacing(4);
    build_name(*all);
    all->addWidget(search_);
    all->addWidget(nothing_);

    auto* content = new QWidget;
    column_ = new QVBoxLayout(content);
    column_->setContentsMargins(0, 0, 4, 8);
    column_->setSpacing(6);
    for (const PresetKind kind : {PresetKind::model, PresetKind::machine, PresetKind::stack})
        presets_.push_back(new PresetBox(kind, workspace));
    presets_[2]->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);   // beside its label
    automatic_->setObjectName(QStringLiteral("automatic_layout"));
    automatic_->setMinimumWidth(1);  // with large letters it ends at the panel's edge
    automatic_->hide();
    Section* model = add_block(tr("Model"), {}, {presets_[0], layers_});
    model_more_ = add_more(*model, tr("More about the model"), {KnobGroup::model});
    build_kinds(*model_more_);
    Section* machine = add_block(tr("Machine"), {"nodes"}, {presets_[1], labelled(tr("Software"), presets_[2])});
    add_more(*machine, tr("More about the machine"), {KnobGroup::machine});
    add_more(*machine, tr("More about the software"), {KnobGroup::stack});
    Section* run = add_block(tr("Run"), {"method.purpose", "method.trained", "method.rank", "method.frozen",
                                         "recipe.tokens", "recipe.global_batch_sequences", "recipe.sequence_length",
                                         "recipe.precision"});
    add_more(*run, tr("More about the run"), {KnobGroup::recipe, KnobGroup::compression});
    Section* layout = add_block(tr("Layout"),
                                {"layout.tensor_parallel", "layout.sequence_parallel", "layout.pipeline_parallel",
                                 "layout.schedule", "layout.data_parallel", "layout.expert_parallel",
                                 "layout.micro_batch", "layout.zero_stage", "layout.recompute"},
                                {automatic_});
    layout_more_ = add_more(*layout, tr("More about the layout"), {KnobGroup::layout});
    build_stages(*layout_more_);
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
    kinds_->commit();
    stages_->line()->commit();
}

void InputsPanel::leave() {
    commit();
    for (ValueBox* box : findChildren<ValueBox*>()) box->give_up();
    kinds_->give_up();
    stages_->line()->give_up();
    nodes()->slider()->setSliderDown(false);  // its stops are those of the plan that goes
}

void InputsPanel::build_search() {
    search_->setObjectName(QStringLiteral("find_input"));
    search_->setPlaceholderText(tr("Find an input (Ctrl+F)"));
    search_->setAccessibleName(tr("Find an input"));
    search_->setClearButtonEnabled(true);
    nothing_->setObjectName(QStringLiteral("no_input_found"));
    nothing_->setWordWrap(true);
    nothing_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    nothing_->hide();
    connect(nothing_, &QLabel::linkActivated, this, &InputsPanel::follow_hint);
    connect(search_, &QLineEdit::textChanged, this, &InputsPanel::filter);
    search_->installEventFilter(this);
}

bool InputsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == search_ && event->type() == QEvent::KeyPress && !nothing_->isHidden()) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) return follow_hint(), true;
    }
    return QWidget::eventFilter(watched, event);
}

void InputsPanel::offer_automatic(QAction* action) {
    automatic_->setToolTip(action->toolTip() + QStringLiteral(" (%1)").arg(action->shortcut().toString()));
    automatic_->setChecked(action->isChecked());
    automatic_->show();
    connect(action, &QAction::toggled, automatic_, &QCheckBox::setChecked);
    connect(automatic_, &QCheckBox::clicked, action, &QAction::setChecked);
}

KnobRow* InputsPanel::make_row(const Knob& knob, Fold& fold) {
    fold.rows.push_back(new KnobRow(knob, workspace_));
    connect(fold.rows.back(), &KnobRow::shown, &quiet_, qOverload<>(&QTimer::start));
    return fold.rows.back();
}

Section* InputsPanel::add_block(const QString& title, const std::vector<const char*>& in_view,
                                const std::vector<QWidget*>& above) {
    auto* block = new Section(title, Section::Level::group, true);
    for (QWidget* each : above) block->add(each);
    Fold fold{block, nullptr, nullptr, {}};
    for (const char* id : in_view) block->add(make_row(*find_knob(id), fold));
    folds_.push_back(std::move(fold));
    blocks_.push_back(block);
    column_->addWidget(block);
    return block;
}

// All that is not in view, as the table orders it. Devices are the nodes in another unit.
Section* InputsPanel::add_more(Section& block, const QString& title, const std::vector<KnobGroup>& groups) {
    auto* more = new Section(title, Section::Level::details, false);
    block.add(more);
    std::vector<Fold> folds{{&block, more, nullptr, {}}};
    for (const Knob& knob : knobs()) {
        if (std::ranges::find(groups, knob.group) == groups.end()) continue;
        if (knob.id == "layout.devices" || row(to_qt(knob.id))) continue;
        const QString heading = worded(knob.section);
        auto fold = std::ranges::find_if(folds, [&](const Fold& f) {
            return heading.isEmpty() ? !f.section : f.section && f.section->title() == heading;
        });
        if (fold == folds.end()) {
            auto* section = new Section(heading, Section::Level::details, false);
            more->add(section);
            folds.push_back({&block, more, section, {}});
            fold = folds.end() - 1;
        }
        (fold->section ? fold->section : more)->add(make_row(knob, *fold));
    }
    std::ranges::move(folds, std::back_inserter(folds_));
    return more;
}

void InputsPanel::build_kinds(Section& more) {
    kinds_section_ = new Section(tr("Kinds of layers"), Section::Level::details, false);
    kinds_section_->add(kinds_);
    more.add(kinds_section_);
    connect(layers_, &LayerStrip::asked_to_edit, this, &InputsPanel::show_kinds);
}

void InputsPanel::show_kinds() {
    search_->clear();
    for (Section* section : {blocks_.front(), model_more_, kinds_section_}) section->unfold();
    QTimer::singleShot(0, kinds_, [this] { scroll_->ensureWidgetVisible(kinds_, 0, 0); });
    kinds_->focus_pattern();
}

void InputsPanel::build_stages(Section& more) {
    stages_section_ = new Section(tr("Layers of the stages"), Section::Level::details, false);
    stages_section_->add(stages_);
    more.add(stages_section_);
    connect(stages_->line(), &CheckedLine::checked, this, [this] {
        if (!stages_->line()->hasFocus()) return;   // what is said of the list comes and goes below it
        QTimer::singleShot(0, stages_, [this] { scroll_->ensureWidgetVisible(stages_->message_label(), 0, 4); });
    });
}

void InputsPanel::show_stages() {
    search_->clear();
    for (Section* section : {blocks_.back(), layout_more_, stages_section_}) section->unfold();
    // The stages are drawn when they are seen first, and get their height with the turn after.
    const auto scroll = [this] {
        scroll_->ensureWidgetVisible(stages_, 0, 0);
        scroll_->ensureWidgetVisible(stages_->line());
    };
    QTimer::singleShot(0, stages_, [this, scroll] { QTimer::singleShot(0, stages_, scroll); });
    stages_->line()->setFocus(Qt::ShortcutFocusReason);
}

KnobRow* InputsPanel::row(const QString& id) const {
    for (const Fold& fold : folds_)
        for (KnobRow* each : fold.rows)
            if (each->objectName() == id) return each;
    return nullptr;
}

void InputsPanel::present(const Snapshot& s) {
    const QString name = to_qt(s.scenario.name);
    const bool same = name_->hasFocus() ? name_->text().trimmed() == name : name_->text() == name;
    if (!name_->isModified() && !same) name_->setText(name);
    for (PresetBox* box : presets_) box->present(s);
    layers_->present(s);
    kinds_->present(s);
    stages_->present(s);
    for (const Fold& fold : folds_) present_fold(fold, s);
    if (search_->text().isEmpty())
        for (const Fold& fold : folds_)
            for (KnobRow* row : fold.rows)
                if (of_method(*row)) row->setVisible(!is_absent(fold, *row));
    note_what_is_set(s);
    quiet_.start();
}

// What is tuned of a model is no question where it is pre-trained: these rows are absent rather than grey.
bool InputsPanel::of_method(const KnobRow& row) { return row.knob().id.starts_with("method."); }
bool InputsPanel::is_absent(const Fold& fold, const KnobRow& row) {
    return !fold.more && of_method(row) && !row.idle().isEmpty();
}

// A heading under which nothing matters says why, so that nobody opens it in vain.
void InputsPanel::present_fold(const Fold& fold, const Snapshot& s) {
    for (KnobRow* row : fold.rows) row->present(s);
    if (!fold.section) return;
    const QString reason = fold.rows.front()->idle();
    const bool all = std::all_of(fold.rows.begin(), fold.rows.end(), [&](auto* row) { return row->idle() == reason; });
    fold.section->set_idle(all ? reason : QString());
}

// What is out of sight and set all the same stands in the heading: "More about the layout: Context parallel 2".
void InputsPanel::note_what_is_set(const Snapshot& s) {
    static const Scenario usual;
    std::map<Section*, QStringList> set;
    for (const Fold& fold : folds_)
        for (const KnobRow* row : fold.rows) {
            const Knob& knob = row->knob();
            const bool plan = knob.group == KnobGroup::layout || knob.group == KnobGroup::recipe;
            if (!fold.more || !plan) continue;
            const double value = knob.get(s.scenario);
            if (value != knob.get(usual) && row->idle().isEmpty()) set[fold.more] << edit_name(knob, value);
        }
    if (const int listed = s.scenario.layout.stages.stages(); listed > 0)
        set[layout_more_] << tr("%1 stages listed").arg(listed);
    for (const Fold& fold : folds_)
        if (fold.more) fold.more->set_note(set[fold.more].join(QStringLiteral(", ")));
}

void InputsPanel::refresh_stops() {
    nodes()->refresh_stops();
    for (const Fold& fold : folds_)
        for (KnobRow* row : fold.rows)
            if (row->isVisible()) row->refresh_stops();
}

// Where an input has the words in one of its names, those that only mention them stay hidden. One that is not used in
// this plan counts less.
void InputsPanel::filter(const QString& words) {
    const Typed typed(words);
    int best = 0;
    for (const Fold& fold : folds_)
        for (const KnobRow* row : fold.rows) best = std::max(best, row->score(typed));
    const QString also = tr("pattern, hybrid, Mamba-2, letters");
    const int kinds = typed.score({.label = kinds_section_->title(), .names = {also}});
    const QString listed = tr("list of stages, pipeline layout");
    const int stages = typed.score({.label = stages_section_->title(), .names = {listed}});
    best = std::max({best, kinds, stages});
    const int least = !typed.empty() && best >= Typed::by_name ? Typed::by_name : 1;
    std::map<Section*, int> scores;
    for (const Fold& fold : folds_)
        for (KnobRow* row : fold.rows) {
            const int score = row->score(typed);
            row->setVisible(score >= least && !(typed.empty() && is_absent(fold, *row)));
            for (Section* section : {fold.block, fold.more, fold.section})
                if (section && score >= least)
                    scores[section] = std::max(scores[section], row->idle().isEmpty() ? score : score / 4);
        }
    if (kinds >= least)
        for (Section* section : {blocks_.front(), model_more_}) scores[section] = std::max(scores[section], kinds);
    if (stages >= least)
        for (Section* section : {blocks_.back(), layout_more_}) scores[section] = std::max(scores[section], stages);
    for (const Fold& fold : folds_)
        for (Section* section : {fold.block, fold.more, fold.section})
            if (section) section->set_filtered(!typed.empty(), scores.contains(section));
    kinds_section_->set_filtered(!typed.empty(), kinds >= least);
    stages_section_->set_filtered(!typed.empty(), stages >= least);
    layers_->setVisible(typed.empty());
    order_blocks(typed.empty() ? std::map<Section*, int>{} : scores);
    nothing_->setVisible(!typed.empty() && best < Typed::by_name);
    if (!nothing_->isHidden()) say_where_else(words.trimmed());
    quiet_.start();
}

// Words that name no input may name a model, a machine or its software; all else is for the search over everything.
void InputsPanel::say_where_else(const QString& words) {
    const Typed typed(words);
    elsewhere_ = nullptr;
    int best = Typed::by_name - 1;
    for (PresetBox* box : presets_)
        for (const PresetName& preset : presets_of(box->kind(), workspace_.library()))
            if (const int score = typed.score(findable(preset)); score > best) best = score, elsewhere_ = box;
    const QString hint = elsewhere_ ? tr("Look among the presets: %1 (Enter)").arg(name_of(elsewhere_->kind()))
                                    : tr("Look everywhere (Enter)");
    nothing_->setText(tr("No input is called \"%1\".").arg(words).toHtmlEscaped()
                      + QStringLiteral(" <a href=\"else\">%1</a>").arg(hint.toHtmlEscaped()));
}

void InputsPanel::follow_hint() {
    const QString words = search_->text().trimmed();
    PresetBox* box = elsewhere_;
    search_->clear();
    if (box) box->find(words);
    else emit find_everywhere(words);
}

// The block of the best match comes first; of equal ones the order stays.
void InputsPanel::order_blocks(const std::map<Section*, int>& scores) {
    const auto score = [&](Section* s) { return scores.contains(s) ? scores.at(s) : 0; };
    std::vector<Section*> order = blocks_;
    std::stable_sort(order.begin(), order.end(), [&](Section* a, Section* b) { return score(a) > score(b); });
    bool moved = false;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (column_->indexOf(order[i]) == int(i)) continue;
        column_->removeWidget(order[i]);
        column_->insertWidget(int(i), order[i]);
        moved = true;
    }
    if (moved) set_tab_order_of({order.begin(), order.end()});
}

bool InputsPanel::show_input(const QString& id) {
    if (id == QStringLiteral("model.kinds") || id == QStringLiteral("model.pattern")) return show_kinds(), true;
    if (id == QStringLiteral("layout.stages")) return show_stages(), true;
    const bool devices = id == QStringLiteral("layout.devices");
    KnobRow* asked = devices ? nodes() : row(id);
    if (!asked) return false;
    search_->clear();
    if (asked == nodes()) asked->show_as(*find_knob(id.toStdString()));
    for (const Fold& fold : folds_)
        if (std::ranges::find(fold.rows, asked) != fold.rows.end())
            for (Section* section : {fold.block, fold.more, fold.section})
                if (section) section->unfold();
    // Rows that were folded get their place with the next turn of the event loop.
    QTimer::singleShot(0, asked, [this, asked] { scroll_->ensureWidgetVisible(asked, 0, asked->height()); });
    (asked->idle().isEmpty() ? asked->editor() : static_cast<QWidget*>(asked))->setFocus(Qt::ShortcutFocusReason);
    return true;
}

bool InputsPanel::say_what_has_the_keyboard() {
    for (const Fold& fold : folds_)
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
