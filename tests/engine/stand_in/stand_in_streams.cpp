#include "stand_in_streams.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace stand_in {
namespace {

std::mutex streams_mutex;
std::vector<Stream*> streams;

}  // namespace

void Stream::put(std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
    more_.notify_one();
}

void Stream::wait() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return work_.empty() && !busy_; });
}

bool Stream::is_idle() {
    const std::lock_guard lock(mutex_);
    return work_.empty() && !busy_;
}

void Stream::live() {
    for (;;) {
        std::unique_lock lock(mutex_);
        busy_ = false;
        if (work_.empty()) idle_.notify_all();
        more_.wait(lock, [this] { return !work_.empty(); });
        const auto work = std::move(work_.front());
        work_.pop_front();
        busy_ = true;
        lock.unlock();
        work();
    }
}

Stream* new_stream() {
    auto* const stream = new Stream;
    std::thread([stream] { stream->live(); }).detach();
    const std::lock_guard lock(streams_mutex);
    streams.push_back(stream);
    return stream;
}

void wait_for_all_streams() {
    std::vector<Stream*> all;
    {
        const std::lock_guard lock(streams_mutex);
        all = streams;
    }
    for (Stream* stream : all) stream->wait();
}

void record(const std::shared_ptr<Event>& event, Stream& stream) {
    std::uint64_t number;
    {
        const std::lock_guard lock(event->mutex);
        number = ++event->recorded;
    }
    stream.put([event, number] {
        const std::lock_guard lock(event->mutex);
        event->reached = std::max(event->reached, number);
        event->at = std::chrono::steady_clock::now();
        event->changed.notify_all();
    });
}

void hold(Stream& stream, const std::shared_ptr<Event>& event) {
    std::uint64_t number;
    {
        const std::lock_guard lock(event->mutex);
        number = event->recorded;
    }
    stream.put([event, number] {
        std::unique_lock lock(event->mutex);
        event->changed.wait(lock, [&] { return event->reached >= number; });
    });
}

bool is_reached(Event& event) {
    const std::lock_guard lock(event.mutex);
    return event.reached >= event.recorded;
}

void wait_for(Event& event) {
    std::unique_lock lock(event.mutex);
    event.changed.wait(lock, [&] { return event.reached >= event.recorded; });
}

}  // namespace stand_in
