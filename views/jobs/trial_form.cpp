#include "views/jobs/trial_form.h"

#include "views/parts/arrange.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

namespace plimsoll {

TrialForm::TrialForm(QWidget* parent) : QWidget(parent), flow_(new FlowLayout(this)) {
    QStringList models;
    for (const TrialModel& m : trial_models()) models << worded(m.label);
    model_ = choice("trial.model", tr("&Model"),
                    tr("The larger it is, the closer it comes to a real one, and the longer a step takes"), models);
    data_ = number("trial.data", tr("&Data"),
                   tr("Data-parallel ranks: each trains on sequences of its own"), 64);
    tensor_ =
        number("trial.tensor", tr("Te&nsor"), tr("Tensor-parallel ranks: they share every layer"), 64);
    pipeline_ = number("trial.pipeline", tr("&Pipeline"),
                       tr("Pipeline stages: each has some of the layers"), 64);
    zero_ = choice("trial.zero", tr("&ZeRO"), tr("What data ranks share instead of keeping it all"),
                   {tr("0: nothing"), tr("1: optimizer"), tr("2: gradients"), tr("3: weights")});
    recompute_ = choice("trial.recompute", tr("&Recompute"),
                        tr("What the backward pass computes again instead of keeping it"),
                        {tr("None"), tr("Selective"), tr("Full")});
    sequence_ = new QCheckBox(tr("Se&quence parallel"));
    sequence_->setObjectName(QStringLiteral("trial.sequence"));
    sequence_->setToolTip(tr("Tensor ranks share the tokens where they do not share the weights"));
    connect(sequence_, &QCheckBox::toggled, this, &TrialForm::changed);
    flow_->addWidget(sequence_);
    micro_ =
        number("trial.micro_batch", tr("M&icro-batch"), tr("Sequences a rank takes at a time"), 256);
    accumulate_ =
        number("trial.accumulate", tr("&Accumulate"), tr("Micro-batches of a rank in a step"), 256);
    steps_ = number("trial.steps", tr("Step&s"),
                    tr("Optimizer steps of the run; the first one warms up"), 100000);
    set_trial({});
}

void TrialForm::add(QWidget* field, const char* name, const QString& label, const QString& help) {
    as_input(field, name, help)->setAccessibleDescription(help);
    flow_->addWidget(labelled(label, field));
}

QSpinBox* TrialForm::number(const char* name, const QString& label, const QString& help, int most) {
    auto* box = new QSpinBox;
    box->setRange(1, most);
    connect(box, &QSpinBox::valueChanged, this, &TrialForm::changed);
    add(box, name, label, help);
    return box;
}

QComboBox* TrialForm::choice(const char* name, const QString& label, const QString& help, const QStringList& items) {
    auto* box = new QComboBox;
    box->addItems(items);
    connect(box, &QComboBox::currentIndexChanged, this, &TrialForm::changed);
    add(box, name, label, help);
    return box;
}

TrialRun TrialForm::trial() const {
    TrialRun t;
    t.model = model_->currentIndex();
    t.data = data_->value();
    t.tensor = tensor_->value();
    t.pipeline = pipeline_->value();
    t.zero_stage = zero_->currentIndex();
    t.recompute = Recompute(recompute_->currentIndex());
    t.sequence_parallel = sequence_->isChecked();
    t.micro_batch = micro_->value();
    t.accumulate = accumulate_->value();
    t.steps = steps_->value();
    return t;
}

void TrialForm::set_trial(const TrialRun& t) {
    const QSignalBlocker quiet(this);
    model_->setCurrentIndex(t.model);
    data_->setValue(t.data);
    tensor_->setValue(t.tensor);
    pipeline_->setValue(t.pipeline);
    zero_->setCurrentIndex(t.zero_stage);
    recompute_->setCurrentIndex(int(t.recompute));
    sequence_->setChecked(t.sequence_parallel);
    micro_->setValue(t.micro_batch);
    accumulate_->setValue(t.accumulate);
    steps_->setValue(t.steps);
}

}  // namespace plimsoll
