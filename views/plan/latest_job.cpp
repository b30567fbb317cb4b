#include "views/plan/latest_job.h"

#include <utility>

namespace plimsoll {

LatestJob::~LatestJob() {
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
        ++number_;
    }
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
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
        ++number_;
    }
    set_busy(false);
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
        const Deliver deliver = work(stop);
        QMetaObject::invokeMethod(this, [this, number, deliver] { hand_over(number, deliver); }, Qt::QueuedConnection);
        lock.lock();
    }
}

void LatestJob::hand_over(int number, const Deliver& deliver) {
    {
        const std::lock_guard lock(mutex_);
        if (number != number_) return;
    }
    set_busy(false);
    deliver();
}

void LatestJob::set_busy(bool busy) {
    if (busy == busy_) return;
    busy_ = busy;
    emit busy_changed(busy);
}

}  // namespace plimsoll
