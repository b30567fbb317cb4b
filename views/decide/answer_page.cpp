#include "views/decide/answer_page.h"

#include "views/parts/arrange.h"

namespace plimsoll {

AnswerPage::AnswerPage(Workspace& workspace, const std::string& id, const BackgroundSearch::Tips& tips,
                       const std::string& figure)
    : id_(id),
      workspace_(workspace),
      search_(tips),
      apply_(button(tr("&Use this plan"), (id + ".apply").c_str(),
                    tr("Puts the selected row into the plan, as one step that can be undone"), this,
                    &AnswerPage::apply)),
      state_(paragraph(tr("The answer"))),
      stale_(paragraph(tr("What to know of the answer"))),
      curve_(new Chart(figure)) {
    search_.button()->setObjectName(QString::fromStdString(id + ".search"));
    stale_->setText(tr("The plan has changed since: this is the answer for the plan before."));
    connect(search_.button(), &QPushButton::clicked, this, [this] { busy() ? cancel() : begin(); });
    connect(&search_, &BackgroundSearch::busy_changed, this, [this](bool busy) {
        follow();
        emit busy_changed(busy);
    });
    connect(&search_, &BackgroundSearch::failed, state_, &QLabel::setText);
    connect(&workspace_, &Workspace::changed, this, [this] {
        if (isVisible()) follow();
    });
}

QDoubleSpinBox* AnswerPage::number(const char* name, int decimals, const QString& none, const QString& unit) {
    QDoubleSpinBox* box = as_input(number_box(0, 1e12, decimals, unit, none), (id_ + '.' + name).c_str());
    box->setGroupSeparatorShown(true);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    return box;
}

void AnswerPage::take_rows_of(TextTable& table) {
    connect(&table, &QTableWidget::currentCellChanged, this, &AnswerPage::show_selection);
    connect(&table, &QTableWidget::cellActivated, this, &AnswerPage::apply);
}

void AnswerPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow();
}

void AnswerPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) curve_->set_theme(is_dark(palette()) ? dark_chart() : light_chart());
}

void AnswerPage::show_stale(bool answered) {
    stale_->setVisible(answered && !busy() && !(of_ == workspace_.scenario()));
}

void AnswerPage::show_selection() {
    const auto offer = selected();
    apply_->setEnabled(offer && !(offer->plan == workspace_.scenario()));
}

void AnswerPage::apply() {
    const auto offer = selected();
    if (!offer || offer->plan == workspace_.scenario()) return;
    workspace_.propose(offer->plan, offer->name);
    emit applied(offer->name);
}

}  // namespace plimsoll
