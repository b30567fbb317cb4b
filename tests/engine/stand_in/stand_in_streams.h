#pragma once
// Queues of the stand-in device: work on a stream is done in order by a thread of its
// own, whatever the host does meanwhile, and events order streams among each other.
//
//   stand_in::Stream* s = stand_in::new_stream();   s->put([] { ... });   s->wait();
//   stand_in::record(event, *a);   stand_in::hold(*b, event);   // what b does next starts after what a has done

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace stand_in {

class Stream {
public:
    void put(std::function<void()> work);
    void wait();
    bool is_idle();

private:
    friend Stream* new_stream();
    void live();

    std::mutex mutex_;
    std::condition_variable more_, idle_;
    std::deque<std::function<void()>> work_;
    bool busy_ = false;
};

// Streams are never deleted: their threads end with the process.
Stream* new_stream();
void wait_for_all_streams();

// Recordings are counted: an event that is recorded anew does not hold back those who wait for its earlier recording.
struct Event {
    std::mutex mutex;
    std::condition_variable changed;
    std::uint64_t recorded = 0, reached = 0;
    std::chrono::steady_clock::time_point at;
    bool timed = true;
};
void record(const std::shared_ptr<Event>&, Stream&);
void hold(Stream&, const std::shared_ptr<Event>&);
bool is_reached(Event&);
void wait_for(Event&);

}  // namespace stand_in
