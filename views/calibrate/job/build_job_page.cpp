// Widgets of the job's page and where they stand.
#include "views/calibrate/job/job_page.h"
#include "views/parts/flow_layout.h"
#include "views/parts/labelled.h"
#include "views/parts/wheel_guard.h"

#include <QFontDatabase>
#include <QVBoxLayout>

namespace plimsoll {

JobPage::JobPage(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), kind_(new QComboBox), nodes_(new QSpinBox), minutes_(new QSpinBox), account_(new QLineEdit), queue_(new QLineEdit),
      engine_(new QLineEdit), preview_(new QPlainTextEdit), notes_(new QLabel), state_(new QLabel), save_(new QPushButton(tr("Save..."))),
      submit_(new QPushButton(tr("Submit..."))), cancel_(new QPushButton(tr("Cancel job"))) {
    preview_->setReadOnly(true);
    preview_->setTabChangesFocus(true);
    preview_->setLineWrapMode(QPlainTextEdit::NoWrap);
    preview_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    preview_->setAccessibleName(tr("The job's script"));
    preview_->setPlaceholderText(tr("No script: the reason stands above."));
    for (QLabel* label : {notes_, state_}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    notes_->setAccessibleName(tr("What to know before it is submitted"));
    state_->setAccessibleName(tr("State of the job"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 6, 4, 4);
    column->addWidget(build_form());
    column->addWidget(notes_);
    column->addWidget(state_);
    column->addWidget(preview_, 1);
    connect(save_, &QPushButton::clicked, this, &JobPage::ask_save);
    connect(submit_, &QPushButton::clicked, this, &JobPage::ask_submit);
    connect(cancel_, &QPushButton::clicked, &job_, &BatchJob::cancel);
    connect(&job_, &BatchJob::changed, this, &JobPage::refresh);
    connect(&workspace_, &Workspace::changed, this, [this] {
        if (!isVisible()) return;
        follow_machine();
        refresh();
    });
}

QWidget* JobPage::build_form() {
    auto* form = new QWidget;
    auto* line = new FlowLayout(form);
    for (const BatchKind each : batch_kinds()) kind_->addItem(QString::fromUtf8(title_of(each).data(), qsizetype(title_of(each).size())), int(each));
    nodes_->setMinimum(1);
    minutes_->setRange(0, 24 * 60);
    minutes_->setSpecialValueText(tr("as needed"));
    minutes_->setSuffix(tr(" min"));
    account_->setPlaceholderText(tr("project"));
    queue_->setPlaceholderText(tr("the site's"));
    engine_->setPlaceholderText(QStringLiteral("plimsoll-engine"));
    const auto add = [&](const QString& label, QWidget* input, const QString& help) {
        input->setAccessibleName(QString(label).remove(u'&'));
        input->setToolTip(help);
        WheelGuard::install(input);
        line->addWidget(labelled(label, input));
    };
    add(tr("&Batch system"), kind_, tr("Opens with the one of the plan's machine"));
    add(tr("&Nodes"), nodes_, tr("Two show the network between nodes; more show little more"));
    add(tr("&Account"), account_, tr("The project that pays"));
    add(tr("&Queue"), queue_, tr("Queue or partition; the site's for short jobs where it is empty"));
    add(tr("T&ime limit"), minutes_, tr("As needed: half as much again as the runs are expected to take, and 5 minutes"));
    add(tr("&Engine"), engine_, tr("plimsoll-engine on that machine: an absolute path, or a name in its PATH"));
    for (QPushButton* b : {save_, submit_, cancel_}) line->addWidget(b);
    connect(kind_, &QComboBox::currentIndexChanged, this, &JobPage::refresh);
    for (QSpinBox* box : {nodes_, minutes_}) connect(box, &QSpinBox::valueChanged, this, &JobPage::refresh);
    for (QLineEdit* edit : {account_, queue_, engine_}) connect(edit, &QLineEdit::textChanged, this, &JobPage::refresh);
    return form;
}

}  // namespace plimsoll
