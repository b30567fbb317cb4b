// What the command palette finds: menu entries, pages, help, examples, inputs, presets and numbers.
#include "core/values/knobs/wording.h"
#include "views/evidence/run_table.h"
#include "views/inputs/other_names.h"
#include "views/inputs/presets.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/window/main_window.h"

#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>

#include <array>
#include <set>

namespace plimsoll {

namespace {

// "&Find an input..." is command.find.an.input in the table of other names.
QString command_id(const QString& text) {
    return QStringLiteral("command.") + folded(text).replace(u' ', u'.');
}

QString plain_menu_text(const QAction& action) {
    return action.text().remove(u'&').remove(QStringLiteral("...")).section(u'\t', 0, 0);
}

QString keys_of(const QAction& action) {
    const QString letter = action.text().section(u'\t', 1);
    return letter.isEmpty() ? action.shortcut().toString(QKeySequence::NativeText) : letter;
}

// Pages, help pages and examples are entries of menus too: their actions are named after what they show.
QString group_of_action(const QAction& action) {
    const QString name = action.objectName();
    return name.startsWith(QStringLiteral("page."))      ? QObject::tr("Page")
         : name.startsWith(QStringLiteral("help."))    ? QObject::tr("Help")
         : name.startsWith(QStringLiteral("example.")) ? QObject::tr("Example")
         : name.startsWith(QStringLiteral("question.")) ? QObject::tr("Question")
                                                       : QObject::tr("Command");
}

void add_actions(std::vector<PaletteEntry>& all, const QMenu& menu) {
    for (QAction* action : menu.actions()) {
        if (action->menu()) add_actions(all, *action->menu());
        if (action->menu() || action->isSeparator() || action->text().isEmpty()) continue;
        const QString label = plain_menu_text(*action);
        QStringList names = other_names(command_id(label)) + other_names(action->objectName());
        QString detail = keys_of(*action);
        if (!action->isEnabled()) detail = QObject::tr("not now");
        const QString group = group_of_action(*action);
        all.push_back({{.group = group,
                        .found_by = {label, names, plain_text(action->statusTip()) + u' ' + group},
                        .detail = detail,
                        .usable = action->isEnabled()},
                       [action] { action->trigger(); }});
    }
}

// What people look for and is not there, each with what to say of it.
void add_not_modelled(std::vector<PaletteEntry>& all) {
    const auto add = [&all](const QString& label, const QString& names, const QString& sentence) {
        all.push_back({{.group = QObject::tr("Not modelled"),
                        .found_by = {.label = label, .names = names.split(QStringLiteral("; ")), .unlikely = true},
                        .detail = sentence,
                        .usable = false},
                       {}});
    };
    add(QObject::tr("Reinforcement learning"), QStringLiteral("RLHF; PPO; GRPO; reward model; rollouts"),
        QObject::tr("plans train on answers that are given; rewards and generated answers are not modelled"));
    add(QObject::tr("Inference"), QStringLiteral("serving; generation; decoding; KV cache; vLLM; time to first token"),
        QObject::tr("plans are of training; serving a model is another subject"));
    add(QObject::tr("Waiting in the queue"), QStringLiteral("queue time; queue wait; scheduler queue; backfill"),
        QObject::tr("time counts from the start of a job; how long it waits is the site's to say"));
    add(QObject::tr("Loading data"), QStringLiteral("dataloader; data loader; tokenization; preprocessing"),
        QObject::tr("data are taken to arrive in time"));
}

}  // namespace

Palette* MainWindow::palette_of_commands() {
    if (!palette_) palette_ = new Palette(this);
    return palette_;
}

std::vector<PaletteEntry> MainWindow::command_index() {
    std::vector<PaletteEntry> all;
    for (const QAction* action : menuBar()->actions())
        if (action->menu()) add_actions(all, *action->menu());
    const Scenario& plan = workspace_.scenario();
    for (const Knob& knob : knobs()) {
        const QString why = worded(idle_reason(knob, plan));
        const QString value = to_qt(value_with_unit(knob, knob.get(plan)));
        Findable found_by = findable(knob, plan);
        found_by.unlikely = !why.isEmpty();
        all.push_back({{.group = tr("Input"),
                        .found_by = std::move(found_by),
                        .detail = why.isEmpty() ? value : tr("not used: %1").arg(why)},
                       [this, id = to_qt(knob.id)] {
                           inputs_dock_->show();
                           inputs_->show_input(id);
                       }});
    }
    for (const PresetKind kind : {PresetKind::model, PresetKind::machine, PresetKind::stack})
        for (const PresetName& p : presets_of(kind, workspace_.library()))
            all.push_back({{.group = name_of(kind), .found_by = findable(p), .detail = p.detail}, [this, kind, p] {
                               if (const auto next = with_preset(workspace_.scenario(), kind, p.id,
                                                                 workspace_.library()))
                                   workspace_.propose(*next, p.name);
                           }});
    // After the presets, which the names of plans are made of.
    Plans& plans = workspace_.plans();
    const QStringList names = plans.names();
    for (int i = 0; i < plans.count() && plans.count() > 1; ++i)
        all.push_back({{.group = tr("Plan"), .found_by = {names[i], {}, plans.at(i).title()}, .detail = tr("tab")},
                       [this, id = plans.at(i).id()] { workspace_.plans().show(workspace_.plans().place_of_id(id)); }});
    add_published_runs(all);
    add_not_modelled(all);
    for (const auto& [id, name] : explain_->numbers())
        all.push_back({{.group = tr("Number"),
                        .found_by = {name, other_names(QStringLiteral("number.") + id), id},
                        .detail = tr("explain")},
                       [this, id = id] { explain_number(id); }});
    return all;
}

// One run of each model, machine and source, to be opened as a plan: "GLM-130B on DGX-A100" is typed, not the run's id.
void MainWindow::add_published_runs(std::vector<PaletteEntry>& all) {
    const auto record = workspace_.record();
    if (!record) return;
    std::set<std::array<std::string, 3>> listed;
    for (const ScoredRow& row : record->score.rows) {
        if (row.plan.model.name.empty() || !row.excluded.empty()) continue;
        if (!listed.insert({row.source, row.plan.model.name, row.plan.machine.name}).second) continue;
        all.push_back({{.group = tr("Published run"),
                        .found_by = {.label = tr("%1 on %2").arg(to_qt(row.plan.model.name),
                                                                 to_qt(row.plan.machine.name)),
                                     .about = to_qt(row.source + ' ' + row.id),
                                     .unlikely = true},
                        .detail = published_value(row.quantity, row.published)},
                       [this, id = to_qt(row.id)] {
                           show_page(QStringLiteral("validation"));
                           validation_->select(id);
                           validation_->open_button()->click();
                       }});
    }
}

}  // namespace plimsoll
