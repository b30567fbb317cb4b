#include "views/parts/background.h"

#include "core/values/basics/phrase.h"
#include "views/parts/text.h"

#ifdef __linux__
#include <sys/resource.h>
#endif

#include <algorithm>
#include <new>
#include <utility>

namespace plimsoll {

namespace {

int busy_jobs = 0;   // of the window's thread alone

// The calling thread and those it starts run where the window's leaves room: with a search on every core an edit would
// wait for its charts.
void give_way() {
#ifdef __linux__
    setpriority(PRIO_PROCESS, 0, 10);   // of a thread, there
#endif
}

}  // namespace

bool LatestJob::any_busy() { return busy_jobs > 0; }

LatestJob::~LatestJob() {
    busy_jobs -= busy_;
    {
        const std::lock_guard lock(mutex_);
        leaving_ = true;
        stop_.request_stop();
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void LatestJob::start(Work work) {
    {
        const std::lock_guard lock(mutex_);
        stop_.request_stop();
        stop_ = std::stop_source();
        waiting_ = std::move(work);
        arrived_ = nullptr;
        ++number_;
    }
    // What it words is read in the window.
    if (!thread_.joinable())
        thread_ = std::thread([this, book = Speaking::now()] {
            const Speaking words(book);
            give_way();
            run();
        });
    wake_.notify_one();
    set_busy(true);
}

void LatestJob::stop() {
    const std::lock_guard lock(mutex_);
    stop_.request_stop();
}

void LatestJob::forget() {
    {
        const std::lock_guard lock(mutex_);
        stop_.request_stop();
        waiting_ = nullptr;
        arrived_ = nullptr;
        ++number_;
    }
    set_busy(false);
}

QString LatestJob::why_it_failed(const std::exception& e) {
    if (dynamic_cast<const std::bad_alloc*>(&e)) return tr("There is not enough memory for it.");
    return tr("It failed: %1.").arg(QString::fromUtf8(e.what()));
}

void LatestJob::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [this] { return leaving_ || waiting_; });
        if (leaving_) return;
        const Work work = std::exchange(waiting_, nullptr);
        const std::stop_token stop = stop_.get_token();
        const int number = number_;
        lock.unlock();
        Deliver deliver;
        try {
            deliver = work(stop);
        } catch (const std::exception& e) {
            deliver = [this, why = why_it_failed(e)] { emit failed(why); };
        }
        lock.lock();
        if (number != number_) continue;  // overtaken by another start, or forgotten
        arrived_ = std::move(deliver);
        QMetaObject::invokeMethod(this, &LatestJob::hand_over, Qt::QueuedConnection);
    }
}

void LatestJob::hand_over() {
    Deliver deliver;
    {
        const std::lock_guard lock(mutex_);
        deliver = std::exchange(arrived_, nullptr);
    }
    if (!deliver) return;  // overtaken or forgotten on its way
    set_busy(false);
    deliver();
}

void LatestJob::set_busy(bool busy) {
    if (busy == busy_) return;
    busy_ = busy;
    busy_jobs += busy ? 1 : -1;
    emit busy_changed(busy);
}

namespace {

std::atomic<int> threads_taken = 0;

}  // namespace

ThreadShare::ThreadShare(int most) {
    int taken = threads_taken;
    do count_ = std::max(1, most - taken);
    while (!threads_taken.compare_exchange_weak(taken, taken + count_));
}

ThreadShare::~ThreadShare() { threads_taken -= count_; }

BackgroundSearch::BackgroundSearch(const Tips& tips, QObject* parent)
    : QObject(parent), tips_(tips), button_(new QPushButton), bar_(new QProgressBar) {
    bar_->setAccessibleName(tr("Progress of the search"));
    bar_->setMaximumWidth(180);
    watch_.setInterval(80);
    connect(&watch_, &QTimer::timeout, this, &BackgroundSearch::show_progress);
    connect(&job_, &LatestJob::busy_changed, this, &BackgroundSearch::show_busy);
    connect(&job_, &LatestJob::failed, this, [this](const QString& why) { emit failed(tr("Search: %1").arg(why)); });
    show_busy(false);
}

void BackgroundSearch::start(const Work& work) {
    count_ = std::make_shared<Count>();
    job_.start([work, count = count_](std::stop_token stop) {
        return work(std::move(stop), [count](long long done, long long all) {
            count->done = done;
            count->all = all;
        });
    });
}

void BackgroundSearch::show_busy(bool busy) {
    button_->setText(busy ? tr("Cancel") : tr("Search"));
    button_->setToolTip(busy ? tips_.cancel : tips_.start);
    bar_->setRange(0, 0);
    bar_->setVisible(busy);
    if (busy) {
        watch_.start();
    } else {
        watch_.stop();
    }
    emit busy_changed(busy);
}

void BackgroundSearch::show_progress() {
    const long long all = count_->all;
    if (all <= 0) return;
    bar_->setRange(0, 1000);
    bar_->setValue(int(1000 * count_->done / all));
    bar_->setFormat(tr("%p % of %1").arg(grouped(double(all))));
}

}  // namespace plimsoll
