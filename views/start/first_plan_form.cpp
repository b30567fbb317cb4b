#include "views/start/first_plan_form.h"

#include "core/values/basics/phrase.h"
#include "core/values/knobs/wording.h"
#include "views/parts/text.h"
#include "views/start/gallery.h"

#include <QDate>
#include <QHBoxLayout>

namespace plimsoll {

namespace {

// What both jobs read: the library may grow meanwhile.
struct FirstInputs {
    Library library;
    std::string model, machine;
    FirstPresets presets() const { return {library.models, library.machines, library.stacks}; }
};

std::optional<double> positive_number(const QString& text) {
    const auto value = parse_value(*find_knob("recipe.tokens"), text.trimmed().toStdString());
    return value && *value > 0 ? std::optional(*value) : std::nullopt;
}

}  // namespace

FirstPlanForm::FirstPlanForm(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      model_(new PresetPicker(PresetKind::model, workspace.library())),
      machine_(new PresetPicker(PresetKind::machine, workspace.library())),
      what_(new QComboBox),
      which_(new QComboBox),
      amount_(new QLineEdit),
      tokens_(new QLineEdit),
      examples_(new QLineEdit(QStringLiteral("50k"))),
      length_(new QLineEdit(QStringLiteral("500"))),
      plan_(new QPushButton(tr("&Plan it"))),
      answer_(new QLabel),
      offers_(new QVBoxLayout) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    what_->setObjectName(QStringLiteral("start.method"));
    what_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);   // the longest may be cut short
    what_->setMinimumContentsLength(12);
    what_->addItems({tr("Pre-train"), tr("Fine-tune all weights"), tr("Fine-tune adapters (LoRA)"),
                     tr("Fine-tune adapters over 4-bit weights (QLoRA)")});
    connect(what_, &QComboBox::currentIndexChanged, this, [this] {
        clear_answer();
        propose();
    });
    column->addWidget(row(tr("&What for"), what_));
    column->addWidget(row(tr("&Model"), model_));
    column->addWidget(row(tr("M&achine"), machine_));
    for (const auto& [picker, id] : {std::pair{model_, usual_model}, std::pair{machine_, usual_machine}}) {
        picker->show_preset(id);
        connect(picker, &PresetPicker::picked, this, [this, picker = picker](const QString& picked) {
            picker->show_preset(picked.toStdString());
            clear_answer();
            propose();
        });
    }
    which_->setObjectName(QStringLiteral("start.known"));
    which_->setAccessibleName(tr("What is known of the run"));
    which_->setAccessibleDescription(tr("Choose the one that you know; the planner finds the others"));
    which_->addItems({tr("Nodes"), tr("Finished by"), tr("Days"), tr("Node-hours")});
    connect(which_, &QComboBox::currentIndexChanged, this, &FirstPlanForm::say_what_is_known);
    amount_->setObjectName(QStringLiteral("start.amount"));
    tokens_->setObjectName(QStringLiteral("start.tokens"));
    auto* known = new QHBoxLayout;
    known->addWidget(which_);
    known->addWidget(amount_, 1);
    column->addLayout(known);
    tokens_row_ = row(tr("Training t&okens"), tokens_);
    column->addWidget(tokens_row_);
    examples_->setObjectName(QStringLiteral("start.examples"));
    length_->setObjectName(QStringLiteral("start.example_length"));
    length_->setToolTip(tr("The mean; 0 fills every sequence with one example"));
    examples_row_ = new QWidget;
    auto* data = new QHBoxLayout(examples_row_);
    data->setContentsMargins(0, 0, 0, 0);
    data->addWidget(row(tr("E&xamples"), examples_), 1);
    data->addWidget(row(tr("Tokens o&f one"), length_), 1);
    column->addWidget(examples_row_);
    plan_->setObjectName(QStringLiteral("start.plan"));
    column->addWidget(plan_);
    answer_->setObjectName(QStringLiteral("start.answer"));
    answer_->setWordWrap(true);
    column->addWidget(answer_);
    column->addLayout(offers_);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    connect(plan_, &QPushButton::clicked, this, &FirstPlanForm::plan);
    for (QLineEdit* field : {amount_, tokens_, examples_, length_}) {
        connect(field, &QLineEdit::textEdited, this, &FirstPlanForm::clear_answer);
        connect(field, &QLineEdit::returnPressed, this, &FirstPlanForm::plan);
    }
    for (LatestJob* job : {&job_, &near_}) {
        connect(job, &LatestJob::busy_changed, this, [this] { plan_->setEnabled(!job_.busy()); });
        connect(job, &LatestJob::failed, answer_, &QLabel::setText);
    }
    clear_answer();
    propose();
    say_what_is_known();
}

QWidget* FirstPlanForm::row(const QString& text, QWidget* field) {
    auto* box = new QWidget;
    box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* label = new QLabel(text);
    label->setBuddy(field);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(label);
    column->addWidget(field);
    return box;
}

Method FirstPlanForm::chosen_method() const {
    Method m;
    const int what = what_->currentIndex();
    if (what > 0) m.purpose = Purpose::finetune;
    if (what > 1) m.trained = Trained::adapters;
    if (what > 2) m.frozen = FrozenFormat::nf4_double;
    return m;
}

// Twenty for each parameter, as the first plan has them by itself; who tunes a model knows the data set.
void FirstPlanForm::propose() {
    tokens_row_->setVisible(!tunes_model());
    examples_row_->setVisible(tunes_model());
    const auto& models = workspace_.library().models;
    if (tunes_model() || !models.contains(model_->shown())) return;
    const double tokens = bare_plan(chosen_model(), {}, {}).recipe.tokens;
    const QString before = std::exchange(proposed_, to_qt(format_value(*find_knob("recipe.tokens"), tokens)));
    if (tokens_->text() == before) tokens_->setText(proposed_);
    tokens_->setToolTip(tr("20 for each parameter that a token passes: %1").arg(proposed_));
}

void FirstPlanForm::say_what_is_known() {
    clear_answer();
    amount_->clear();
    const QString examples[] = {tr("as many as two months take"),
                                QDate::currentDate().addMonths(3).toString(Qt::ISODate), QStringLiteral("30"),
                                QStringLiteral("20000")};
    amount_->setPlaceholderText(examples[which_->currentIndex()]);
    amount_->setAccessibleName(which_->currentText());
}

std::optional<FirstAsk> FirstPlanForm::refuse(QLineEdit* field, const QString& why) {
    clear_answer();
    answer_->setText(why);
    answer_->show();
    field->setFocus();
    field->selectAll();
    return std::nullopt;
}

std::optional<FirstAsk> FirstPlanForm::asked() {
    FirstAsk ask;
    ask.headroom = workspace_.headroom_of_plans();
    ask.method = chosen_method();
    if (tunes_model()) {
        ask.examples = positive_number(examples_->text());
        if (!ask.examples) return refuse(examples_, tr("Examples are a number such as 50k."));
        ask.example_length = positive_number(length_->text());
        if (!ask.example_length)
            return refuse(length_, tr("Tokens of an example are a number such as 500."));
    } else {
        ask.tokens = positive_number(tokens_->text());
        if (!ask.tokens) return refuse(tokens_, tr("Tokens are a number such as 300B or 1.4T."));
        if (tokens_->text() == proposed_) ask.tokens.reset();   // of whatever model is proposed, as many as suit it
    }
    const QString text = amount_->text().trimmed();
    if (known() == Known::date) {
        const QDate date = QDate::fromString(text, Qt::ISODate);
        const auto days = QDate::currentDate().daysTo(date);
        if (!date.isValid() || days < 1) return refuse(amount_, tr("The end is a day to come, such as %1.")
                                                                    .arg(amount_->placeholderText()));
        ask.time = double(days) * day;
        return ask;
    }
    const auto number = positive_number(text);
    if (known() == Known::nodes && text.isEmpty()) return ask;
    if (!number) return refuse(amount_, tr("This is a number above zero, such as %1.").arg(QStringLiteral("128")));
    if (known() == Known::nodes) ask.nodes = int(std::clamp(*number, 1.0, 1e9));
    if (known() == Known::days) ask.time = *number * day;
    if (known() == Known::node_hours) ask.node_hours = *number;
    return ask;
}

void FirstPlanForm::plan() {
    const Library& library = workspace_.library();
    if (job_.busy() || !library.models.contains(model_->shown())
        || !library.machines.contains(machine_->shown())) return;
    const auto ask = asked();
    if (!ask) return;
    clear_answer();
    job_.start([this, ask = *ask, model = chosen_model(), machine = chosen_machine(), stacks = library.stacks,
                most = workspace_.search_threads()](std::stop_token stop) mutable -> LatestJob::Deliver {
        const ThreadShare share(most);
        ask.threads = share.count();
        const auto found = std::make_shared<FirstPlan>(first_plan(model, machine, stacks, ask, stop));
        return [this, found, ask] { take(*found, ask); };
    });
}

// Where it does not work its reason is read while the nearest that do are looked for.
void FirstPlanForm::take(const FirstPlan& found, const FirstAsk& ask) {
    if (found.works) return emit planned(found.scenario);
    answer_->setText(tr("%1 Looking for the nearest plans that work...").arg(to_qt(found.why)));
    answer_->show();
    const auto inputs = std::make_shared<FirstInputs>(
        FirstInputs{workspace_.library(), found.scenario.model.id, found.scenario.machine.id});
    near_.start([this, inputs, ask = ask, found, most = workspace_.search_threads()](
                    std::stop_token stop) mutable -> LatestJob::Deliver {
        const ThreadShare share(most);
        ask.threads = share.count();
        const FirstPresets presets = inputs->presets();
        const auto near = std::make_shared<std::vector<NearPlan>>(nearest_plans(
            presets.models.at(inputs->model), presets.machines.at(inputs->machine), presets, ask, stop));
        return [this, near, found] {
            answer_->setText(near->empty() ? tr("%1 Nothing near it works either.").arg(to_qt(found.why))
                                           : tr("%1 What does work:").arg(to_qt(found.why)));
            for (const NearPlan& p : *near)
                offer(tr("%1: %2 on %3").arg(to_qt(p.name), to_qt(say(p.time)),
                                             to_qt(numbered(nodes_used(p.scenario), "node", "nodes"))), p.scenario);
            offer(tr("Open it as it is"), found.scenario);
        };
    });
}

void FirstPlanForm::offer(const QString& text, const Scenario& plan) {
    auto* button = new QPushButton(text);
    button->setObjectName(QStringLiteral("start.near"));
    button->setToolTip(plain_text(text));
    button->setMinimumWidth(1);
    connect(button, &QPushButton::clicked, this, [this, plan] { emit planned(plan); });
    offers_->addWidget(button);
}

void FirstPlanForm::clear_answer() {
    job_.forget();
    near_.forget();
    answer_->hide();
    while (QLayoutItem* item = offers_->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
}

}  // namespace plimsoll
