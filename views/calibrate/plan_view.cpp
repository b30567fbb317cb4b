#include "views/calibrate/plan_view.h"

#include "views/calibrate/calibration_text.h"
#include "views/parts/kept_sentences.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/parts/widgets.h"

#include <QFontDatabase>
#include <QSplitter>
#include <QVBoxLayout>

namespace plimsoll {

namespace {

QComboBox* choice(const QString& name, const QString& help) {
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    box->setToolTip(help);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    WheelGuard::install(box);
    return box;
}

}  // namespace

PlanView::PlanView(QWidget* parent) : QWidget(parent) {
    runs_ = new TextTable(tr("What will run"), planned_run_headings(), {2, 3});
    runs_->stretch(4);
    constants_ = new TextTable(tr("What will be measured"), planned_constant_headings(), {});
    constants_->stretch(2);
    auto* tables = new QSplitter(Qt::Vertical);
    tables->addWidget(runs_);
    tables->addWidget(constants_);
    tables->setStretchFactor(0, 1);
    tables->setStretchFactor(1, 1);
    tables->setChildrenCollapsible(false);
    command_ = paragraph(tr("The command that Start runs"));
    command_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 6, 4, 4);
    column->addWidget(build_head());
    column->addWidget(tables, 1);
    column->addWidget(command_);
}

QWidget* PlanView::build_head() {
    subject_ = choice(tr("What to calibrate for"),
                      tr("The model is scaled down to what trains here in seconds; its kind of layer stays"));
    subject_->setObjectName(QStringLiteral("calibrate.subject"));
    subject_->addItem(tr("The current plan"));
    for (const TrialModel& m : trial_models()) subject_->addItem(worded(m.label));
    budget_ = choice(tr("Time"), tr("More time means more repetitions, never other layouts"));
    budget_->setObjectName(QStringLiteral("calibrate.budget"));
    for (const auto& [text, seconds] : {std::pair{tr("As usual"), 0},
                                        {tr("At most 1 min"), 60},
                                        {tr("At most 2 min"), 120},
                                        {tr("At most 5 min"), 300},
                                        {tr("At most 10 min"), 600}})
        budget_->addItem(text, seconds);
    start_ = new QPushButton(tr("Start"));
    start_->setObjectName(QStringLiteral("calibrate.start"));
    import_ = new QPushButton(tr("Import result..."));
    import_->setToolTip(tr("Open the log of a calibration that ran elsewhere; it can also be dropped onto the window"));
    connect(subject_, &QComboBox::currentIndexChanged, this, &PlanView::changed);
    connect(budget_, &QComboBox::currentIndexChanged, this, &PlanView::changed);
    connect(start_, &QPushButton::clicked, this, &PlanView::start);
    connect(import_, &QPushButton::clicked, this, &PlanView::import_asked);
    machine_ = paragraph(tr("How the plan's machine is calibrated"));
    summary_ = paragraph(tr("What a calibration would do"));
    failed_ = paragraph(tr("Why the last attempt failed"));
    failed_->hide();
    auto* head = new QWidget;
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    auto* line = new FlowLayout;
    for (QWidget* each : {labelled(tr("&For"), subject_), labelled(tr("T&ime"), budget_), static_cast<QWidget*>(start_),
                          static_cast<QWidget*>(import_)})
        line->addWidget(each);
    column->addLayout(line);
    column->addWidget(failed_);
    column->addWidget(machine_);
    column->addWidget(summary_);
    return head;
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
