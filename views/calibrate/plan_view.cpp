#include "views/calibrate/plan_view.h"

#include "views/calibrate/calibration_text.h"
#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QFontDatabase>

namespace plimsoll {

namespace {

QComboBox* choice(const char* name, const QString& label, const QString& help) {
    QComboBox* box = as_input(new QComboBox, name, help);
    box->setAccessibleName(label);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return box;
}

}  // namespace

PlanView::PlanView(QWidget* parent) : QWidget(parent) {
    runs_ = new TextTable(tr("What will run"),
                          {tr("Run"), tr("Role"), tr("Ranks"), tr("Expected"), tr("Remark")}, {2, 3});
    runs_->stretch(4);
    constants_ = new TextTable(
        tr("What will be measured"),
        {tr("Number"), tr("Measured by"), tr("What it decides, or why it stays assumed")});
    constants_->stretch(2);
    command_ = paragraph(tr("The command that Start runs"));
    command_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setLayout(below({build_head(), {split(Qt::Vertical, {{runs_, 1}, {constants_, 1}}), 1}, command_}, page_margins));
}

QWidget* PlanView::build_head() {
    subject_ = choice("calibrate.subject", tr("What to calibrate for"),
                      tr("The model is scaled down to what trains here in seconds; its kind of layer stays"));
    subject_->addItem(tr("The current plan"));
    for (const TrialModel& m : trial_models()) subject_->addItem(worded(m.label));
    budget_ = choice("calibrate.budget", tr("Time"), tr("More time means more repetitions, never other layouts"));
    for (const auto& [text, seconds] : {std::pair{tr("As usual"), 0},
                                        {tr("At most 1 min"), 60},
                                        {tr("At most 2 min"), 120},
                                        {tr("At most 5 min"), 300},
                                        {tr("At most 10 min"), 600}})
        budget_->addItem(text, seconds);
    start_ = button(tr("Start"), "calibrate.start", {}, this, &PlanView::start);
    QPushButton* import = button(
        tr("Import result..."), "calibrate.import",
        tr("Open the log of a calibration that ran elsewhere; it can also be dropped onto the window"), this,
        &PlanView::import_asked);
    for (QComboBox* each : {subject_, budget_})
        connect(each, &QComboBox::currentIndexChanged, this, &PlanView::changed);

    machine_ = paragraph(tr("How the plan's machine is calibrated"));
    summary_ = paragraph(tr("What a calibration would do"));
    failed_ = paragraph(tr("Why the last attempt failed"));
    failed_->hide();
    return piece(below({flow({labelled(tr("&For"), subject_), labelled(tr("T&ime"), budget_), start_, import}),
                        failed_, machine_, summary_},
                       no_margins));
}

Seconds PlanView::budget() const { return budget_->currentData().toInt() * second; }

void PlanView::name_plan(const QString& name) {
    const QString text = name.isEmpty() ? tr("The current plan") : tr("The current plan: %1").arg(name);
    if (subject_->itemText(0) != text) subject_->setItemText(0, text);
}

void PlanView::show_machine(const QString& sentences) { machine_->setText(sentences); }

void PlanView::show_failure(const QString& why) {
    set_text_colour(*failed_, alert_colour(palette()));
    failed_->setText(why);
    failed_->setVisible(!why.isEmpty());
}

void PlanView::present(const Planned& plan, const QString& command, const QString& obstacle) {
    start_->setEnabled(plan && obstacle.isEmpty());
    runs_->show_rows(plan ? planned_run_rows(*plan) : TextRows{});
    constants_->show_rows(plan ? planned_constant_rows(*plan) : TextRows{});
    command_->setText(command);
    command_->setVisible(!command.isEmpty());
    QStringList lines;
    if (plan) lines << say_planned(*plan) + u' ' + worded_kept(say_subject(*plan));
    else lines << tr("Nothing can be calibrated for this plan:");
    if (!plan)
        for (const std::string& why : plan.error()) lines << worded_kept(why);
    if (!obstacle.isEmpty()) lines << obstacle;
    summary_->setText(lines.join(u'\n'));
}

}  // namespace plimsoll
