#include "views/inputs/inputs_panel.h"

#include "views/plan/text.h"

#include <QVBoxLayout>

#include <algorithm>

namespace plimsoll {

InputsPanel::InputsPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      search_(new QLineEdit),
      name_(new QLineEdit),
      nodes_(new NodeControl(workspace)) {
    search_->setObjectName(QStringLiteral("find_input"));
    search_->setPlaceholderText(tr("Find an input (Ctrl+F)"));
    search_->setAccessibleName(tr("Find an input"));
    search_->setClearButtonEnabled(true);
    connect(search_, &QLineEdit::textChanged, this, &InputsPanel::filter);

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(6, 6, 0, 0);
    all->setSpacing(4);
    build_name(*all);
    all->addWidget(nodes_);
    all->addWidget(search_);

    auto* content = new QWidget;
    auto* groups = new QVBoxLayout(content);
    groups->setContentsMargins(0, 0, 4, 8);
    groups->setSpacing(6);
    for (const auto part : {PresetBox::Part::model, PresetBox::Part::machine, PresetBox::Part::stack})
        presets_.push_back(new PresetBox(part, workspace));
    add_group(*groups, KnobGroup::model, tr("Model"), presets_[0], tr("Shape"));
    add_group(*groups, KnobGroup::machine, tr("Machine"), presets_[1], tr("Details"));
    add_group(*groups, KnobGroup::layout, tr("Layout"), nullptr, {});
    add_group(*groups, KnobGroup::recipe, tr("Recipe"), nullptr, {});
    add_group(*groups, KnobGroup::stack, tr("Software stack"), presets_[2], tr("Constants"));
    groups->addStretch();

    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    all->addWidget(scroll, 1);

    quiet_.setSingleShot(true);
    quiet_.setInterval(150);
    connect(&quiet_, &QTimer::timeout, this, &InputsPanel::refresh_stops);
    connect(&workspace, &Workspace::changed, this, &InputsPanel::present);
}

void InputsPanel::build_name(QLayout& layout) {
    name_->setAccessibleName(tr("Name of the plan"));
    name_->setPlaceholderText(tr("Name of the plan"));
    name_->setToolTip(tr("Name of the plan; exported files start with it"));
    connect(name_, &QLineEdit::editingFinished, this, [this] {
        Scenario next = workspace_.scenario();
        next.name = name_->text().trimmed().toStdString();
        workspace_.propose(next, tr("Name"), "name");
    });
    layout.addWidget(name_);
}

void InputsPanel::add_group(QLayout& layout, KnobGroup group, const QString& title, QWidget* preset,
                            const QString& details) {
    Group g{new Section(title, Section::Level::group, true), nullptr, {}, {}};
    if (preset) g.section->add(preset);
    if (!details.isEmpty()) g.details = new Section(details, Section::Level::details, false);
    for (const Knob& knob : knobs()) {
        if (knob.group != group || knob.id == "nodes") continue;
        auto* row = new KnobRow(knob, workspace_);
        (g.details ? g.folded : g.rows).push_back(row);
        (g.details ? g.details : g.section)->add(row);
    }
    if (g.details) g.section->add(g.details);
    layout.addWidget(g.section);
    groups_.push_back(std::move(g));
}

void InputsPanel::present(const Snapshot& s) {
    const QString name = to_qt(s.scenario.name);
    if (!name_->hasFocus() && name_->text() != name) name_->setText(name);
    nodes_->present(s);
    for (PresetBox* box : presets_) box->present(s);
    for (const Group& g : groups_)
        for (const auto* rows : {&g.rows, &g.folded})
            for (KnobRow* row : *rows) row->present(s);
    quiet_.start();
}

void InputsPanel::refresh_stops() {
    nodes_->refresh_stops();
    for (const Group& g : groups_)
        for (KnobRow* row : g.rows)
            if (row->isVisible()) row->refresh_stops();
}

void InputsPanel::filter(const QString& words) {
    const QString word = words.trimmed();
    for (const Group& g : groups_) {
        bool any = false, any_folded = false;
        auto show = [&](KnobRow* row, bool& found) {
            const bool match = word.isEmpty() || row->matches(word);
            row->setVisible(match);
            found = found || match;
        };
        for (KnobRow* row : g.rows) show(row, any);
        for (KnobRow* row : g.folded) show(row, any_folded);
        if (g.details) g.details->set_filtered(!word.isEmpty(), any_folded);
        g.section->set_filtered(!word.isEmpty(), any || any_folded);
    }
    quiet_.start();
}

void InputsPanel::focus_search() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

}  // namespace plimsoll
