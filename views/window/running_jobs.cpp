#include "views/window/running_jobs.h"

#include "views/parts/background.h"

#include <algorithm>
#include <utility>

namespace plimsoll {

RunningJobs::RunningJobs(QWidget* parent) : QToolButton(parent) {
    setObjectName(QStringLiteral("running_jobs"));
    setAccessibleName(tr("What runs beside the window"));
    setToolTip(tr("What runs beside the window. Click to cancel it"));
    setAutoRaise(true);
    setPopupMode(QToolButton::InstantPopup);
    setMenu(&menu_);
    connect(&menu_, &QMenu::aboutToShow, this, &RunningJobs::fill);
    cancel_all_.setParent(this);   // so that it is found among the window's commands
    cancel_all_.setText(tr("Ca&ncel what runs"));
    cancel_all_.setObjectName(QStringLiteral("plan.cancel_all"));
    cancel_all_.setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Period));
    cancel_all_.setStatusTip(tr("Searches, trials and calibrations that run beside the window"));
    cancel_all_.setEnabled(false);
    connect(&cancel_all_, &QAction::triggered, this, [this] {
        for (const Job& job : jobs_)
            if (job.cancel && job.busy()) job.cancel();
    });
    ring_once(moment_, 300, this, &RunningJobs::refresh);
    hide();
}

void RunningJobs::add(const QString& name, std::function<bool()> busy, std::function<void()> cancel) {
    jobs_.push_back({name, std::move(busy), std::move(cancel)});
    look();
}

QStringList RunningJobs::running() const {
    QStringList names;
    for (const Job& job : jobs_)
        if (job.busy()) names << job.name;
    return names;
}

void RunningJobs::look() {
    cancel_all_.setEnabled(std::ranges::any_of(jobs_, [](const Job& job) { return job.cancel && job.busy(); }));
    if (!isHidden() || running().isEmpty()) refresh();
    else if (!moment_.isActive()) moment_.start();
}

void RunningJobs::refresh() {
    const QStringList names = running();
    const QString text = names.size() == 1 ? tr("Runs: %1").arg(names.front()) : tr("%1 jobs run").arg(names.size());
    setText(text + QStringLiteral("  "));   // the mark of the menu lies over the end
    setVisible(!names.isEmpty());
    if (names.isEmpty()) moment_.stop();
}

void RunningJobs::fill() {
    menu_.clear();
    for (const Job& job : jobs_) {
        if (!job.busy()) continue;
        if (job.cancel) menu_.addAction(tr("Cancel: %1").arg(job.name), this, [cancel = job.cancel] { cancel(); });
        else menu_.addAction(tr("%1: ends by itself").arg(job.name))->setEnabled(false);
    }
    if (menu_.isEmpty()) menu_.addAction(tr("Nothing runs any more"))->setEnabled(false);
}

}  // namespace plimsoll
