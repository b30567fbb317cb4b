#include "views/inputs/stages_editor.h"

#include "core/answers/plan/rules.h"
#include "core/values/knobs/wording.h"
#include "views/parts/arrange.h"
#include "views/parts/text.h"

#include <QStringList>

#include <algorithm>

namespace plimsoll {

namespace {

Scenario with_stages(Scenario s, const StageList& list) {
    s.layout.stages = list;
    return s;
}

// What stands between the plan and its list. Obstacles that have nothing to do with it are said elsewhere.
QStringList clashes_of_list(const Scenario& s) {
    QStringList said;
    const Scenario without = with_stages(s, {});
    const std::vector<Obstacle> others = check(without);
    for (const Obstacle& o : check(s))
        if (std::ranges::find(others, o) == others.end()) said << to_qt(say(o, s));
    return said;
}

QString sum_of(const StageList& list) {
    const QString stage = QString::number(list.modules_at() + 1);
    const QString modules = list.modules() == 0   ? QString()
                          : list.modules() == 1   ? QObject::tr(", 1 module on stage %1").arg(stage)
                                                  : QObject::tr(", %1 modules on stage %2")
                                                        .arg(QString::number(list.modules()), stage);
    return QObject::tr("%1 layers on %2 stages, %3 at most")
               .arg(list.layers())
               .arg(list.stages())
               .arg(list.most_layers())
         + modules;
}

}  // namespace

StagesEditor::StagesEditor(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), message_(new PlainLabel), strip_(new StageStrip) {
    setObjectName(QStringLiteral("stages_editor"));
    const auto wrong = [](const QString& text) {
        if (text.trimmed().isEmpty()) return QString();
        const auto list = read_stage_list(text.toStdString());
        if (list) return QString();
        QStringList reasons;
        for (const std::string& reason : list.error()) reasons << to_qt(reason);
        return tr("This is no list of stages: %1.").arg(reasons.join(QStringLiteral("; ")));
    };
    const auto take = [this](const QString& text) {
        const StageList list = read(text);
        workspace_.propose(with_stages(workspace_.scenario(), list),
                           list.empty() ? tr("No list of stages") : tr("List of %1 stages").arg(list.stages()));
    };
    line_ = new CheckedLine(workspace, "layout.stages",
                            {.wrong = wrong,
                             .take = take,
                             .of_plan = [this] { return to_qt(text_of(shown_.layout.stages)); },
                             .same = [this, wrong](const QString& text) {
                                 return wrong(text).isEmpty() && read(text) == shown_.layout.stages;
                             }});
    line_->setAccessibleName(tr("Layers of the stages, as a list"));
    line_->setPlaceholderText(tr("split by rule"));
    line_->setToolTip(tr("In Megatron's words: E the embedding, t a layer, m a module that predicts a further token, L "
                         "the loss, | between stages, those of all chunks in turn: Ettt|(tt|)*29m|L. Empty: stages "
                         "are split by the rule above."));
    line_->setClearButtonEnabled(true);
    connect(line_, &CheckedLine::checked, this, [this](const QString& why) {
        if (why.isEmpty()) say_of(read(line_->text()));
        else say(why, true);
    });
    message_->setWordWrap(true);
    message_->setObjectName(QStringLiteral("stages_message"));
    message_->hide();
    setLayout(below({labelled(tr("&List"), line_), message_, strip_}, {6, 0, 4, 4}, 4));
    auto* seen = new WhenSeen(*this, [this] { strip_->present(workspace_.snapshot()); });
    connect(&workspace, &Workspace::changed, seen, &WhenSeen::due);
}

StageList StagesEditor::read(const QString& text) const {
    if (text.trimmed().isEmpty()) return {};
    const auto list = read_stage_list(text.toStdString());
    return list ? *list : StageList();
}

void StagesEditor::present(const Snapshot& s) {
    const bool same = shown_once_ && s.scenario.layout.stages == shown_.layout.stages;
    shown_ = s.scenario;
    shown_once_ = true;
    if (!same) line_->plan_changed();
    else if (!line_->isModified()) say_of(shown_.layout.stages);
}

void StagesEditor::say_of(const StageList& list) {
    if (list.empty()) return say({}, false);
    const QStringList clashes = clashes_of_list(with_stages(workspace_.scenario(), list));
    say(clashes.isEmpty() ? sum_of(list) : clashes.join(u'\n'), !clashes.isEmpty());
}

void StagesEditor::say(const QString& what, bool wrong) {
    wrong_ = wrong;
    set_text_colour(*message_, wrong ? alert_colour(palette()) : faint_colour(palette()));
    message_->setText(what);
    message_->setVisible(!what.isEmpty());
    line_->setAccessibleDescription(what);
}

// Another theme.
void StagesEditor::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) say(message_->text(), wrong_);
}

}  // namespace plimsoll
