#include "views/layouts/layouts_page.h"

#include "core/answers/search/layout_figure.h"
#include "core/answers/search/wording.h"
#include "views/layouts/layout_text.h"
#include "views/plan/text.h"

#include <chrono>

namespace plimsoll {

namespace {

constexpr int ranked = 200;

}  // namespace

LayoutsPage::LayoutsPage(Workspace& workspace, AutoLayout& automatic, QWidget* parent)
    : QWidget(parent), workspace_(workspace), automatic_(automatic) {
    build();
    watch_.setInterval(80);
    connect(&watch_, &QTimer::timeout, this, &LayoutsPage::show_progress);
    connect(&job_, &LatestJob::busy_changed, this, &LayoutsPage::show_busy);
    connect(&workspace_, &Workspace::changed, this, [this] {
        if (isVisible()) follow_plan();
    });
    show_busy(false);
    show_selection();
}

void LayoutsPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow_plan();
}

bool LayoutsPage::outdated() const { return study_ && !answers(*study_, workspace_.scenario()); }

void LayoutsPage::follow_plan() {
    const bool quick = space_->currentIndex() == 0;
    if (!study_ ? !job_.busy() : quick && outdated()) search();
    show_plan();
}

void LayoutsPage::search() {
    const Scenario plan = workspace_.scenario();
    const Space space = space_->currentIndex() == 0 ? common_space() : full_space();
    const SearchOptions options{objectives()[std::size_t(objective_->currentIndex())], ranked, int(std::max(1u, std::thread::hardware_concurrency()))};
    progress_ = std::make_shared<Progress>();
    job_.start([this, plan, space, options, progress = progress_](std::stop_token stop) -> LatestJob::Deliver {
        const auto began = std::chrono::steady_clock::now();
        const auto note = [&](long long done, long long count) {
            progress->done = done;
            progress->count = count;
        };
        const auto found = std::make_shared<const Study>(plimsoll::study(plan, space, options, stop, note));
        const Seconds took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() * second;
        return [this, found, took] { adopt(found, took); };
    });
}

void LayoutsPage::cancel() { job_.stop(); }

void LayoutsPage::adopt(std::shared_ptr<const Study> found, Seconds took) {
    const bool fitted = !study_ || !study_->rows.empty();
    study_ = std::move(found);
    found_ = summary_of(*study_, took);
    map_->present(study_);
    fill_misses();
    fill_exclusions();
    show_plan();
    if (study_->rows.empty()) lists_->setCurrentWidget(misses_);
    else if (!fitted && lists_->currentWidget() == misses_) lists_->setCurrentIndex(0);
}

void LayoutsPage::show_busy(bool busy) {
    search_->setText(busy ? tr("Cancel") : tr("Search"));
    search_->setToolTip(busy ? tr("Stop and show what was found up to now") : tr("Price every layout of the space, beside the window"));
    bar_->setRange(0, 0);
    bar_->setVisible(busy);
    if (busy) watch_.start();
    else watch_.stop();
}

void LayoutsPage::show_progress() {
    const long long count = progress_->count;
    if (count <= 0) return;
    bar_->setRange(0, 1000);
    bar_->setValue(int(1000 * progress_->done / count));
    bar_->setFormat(tr("%p % of %1").arg(grouped(double(count))));
}

void LayoutsPage::show_plan() {
    if (!study_) return;
    const Candidate* before = selected();
    const Scenario& plan = workspace_.scenario();
    const QString kept = before ? to_qt(say_layout(before->layout)) : QString();
    const bool old = outdated();
    summary_->setText(old && !job_.busy() ? tr("<b>The plan has changed since this search.</b> ") + found_ : found_);
    model_.set_study(study_, old ? std::nullopt : candidate_of(plan), old ? Layout{} : plan.layout);
    for (int c = 0; c < LayoutTable::columns; ++c) view_->setColumnHidden(c, model_.is_dull(c));
    scatter_->present(layout_figure(*study_, old ? study_->plan : plan));
    select(model_.row_of(kept) >= 0 ? kept : study_->rows.empty() ? QString() : to_qt(say_layout(study_->rows.front().layout)));
    show_selection();
}

const Candidate* LayoutsPage::selected() const {
    const QModelIndex at = filter_.mapToSource(view_->currentIndex());
    return at.isValid() ? &model_.candidate(at.row()) : nullptr;
}

void LayoutsPage::select(const QString& layout) {
    const int row = model_.row_of(layout);
    if (row < 0) return;
    if (!filter_.mapFromSource(model_.index(row, 0)).isValid()) words_->clear();   // hidden by the filter
    view_->setCurrentIndex(filter_.mapFromSource(model_.index(row, 0)));
    view_->scrollTo(view_->currentIndex());
}

void LayoutsPage::show_selection() {
    const Candidate* c = study_ ? selected() : nullptr;
    const Scenario& plan = workspace_.scenario();
    const bool usable = c && !outdated();
    apply_->setEnabled(usable && !(c->layout == plan.layout));
    pin_->setEnabled(usable || pinned_);
    scatter_->select(c ? to_qt(say_layout(c->layout)) : QString());
    map_->mark(plan.layout, c ? &c->layout : nullptr);
    comparison_->clear();
    if (!usable) return;
    const bool pinned = pinned_ && pinned_->devices == plan.layout.devices;
    const QString versus = pinned ? tr("the pinned layout") : tr("the present plan");
    comparison_->setHtml(difference_html(without_sources(plan), c->layout, pinned ? *pinned_ : plan.layout, versus));
}

void LayoutsPage::pin(bool on) {
    const Candidate* c = selected();
    pinned_ = on && c ? std::optional(c->layout) : std::nullopt;
    show_selection();
    if (on) pictures_->setCurrentWidget(comparison_);
}

void LayoutsPage::apply() {
    if (const Candidate* c = selected()) propose(c->layout);
}

void LayoutsPage::propose(const Layout& layout) {
    if (outdated()) return;
    const QString name = to_qt(say_degrees(layout));
    workspace_.propose(with_layout(workspace_.scenario(), layout), tr("Layout %1").arg(name));
    emit applied(name);
}

}  // namespace plimsoll
