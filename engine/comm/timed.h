#pragma once
// A Comm whose time and bytes are counted for one dimension of the layout.
//
// Blocking verbs are exposed altogether. A verb that was started counts from its
// start to the moment it was seen done, and as exposed only inside start(),
// test() and wait(): 1 - exposed / total is the overlap that was reached.
//
//   TimedComm data(inner, clock, Phase::data_parallel);  ...  data.traffic().bytes

#include "engine/comm/comm.h"
#include "engine/report/phases.h"

#include <unordered_map>

namespace plimsoll::engine {

struct Traffic {
    double total = 0, exposed = 0;  // seconds
    double raw = 0;                 // bytes handed to the verbs by this rank
    double bytes = 0;               // the same as a codec leaves them
};

class TimedComm final : public Comm {
public:
    TimedComm(Comm& inner, PhaseClock& clock, Phase phase) : inner_(inner), clock_(clock), phase_(phase) {}
    const Traffic& traffic() const { return traffic_; }
    void begin_step() override {
        traffic_ = {};
        inner_.begin_step();
    }
    double saved_bytes() const override { return inner_.saved_bytes(); }

    int rank() const override { return inner_.rank(); }
    int size() const override { return inner_.size(); }
    void all_reduce(void* data, std::size_t n, Type t, Reduction r = Reduction::sum) override {
        blocking(n, t, [&] { inner_.all_reduce(data, n, t, r); });
    }
    void reduce_scatter(const void* from, void* to, std::size_t n, Type t) override {
        blocking(n * std::size_t(size()), t, [&] { inner_.reduce_scatter(from, to, n, t); });
    }
    void all_gather(const void* from, void* to, std::size_t n, Type t) override {
        blocking(n * std::size_t(size()), t, [&] { inner_.all_gather(from, to, n, t); });
    }
    void broadcast(void* data, std::size_t n, Type t, int root) override {
        blocking(n, t, [&] { inner_.broadcast(data, n, t, root); });
    }
    Request send(const void* data, std::size_t n, Type t, int to, int tag) override {
        return starting(n, t, [&] { return inner_.send(data, n, t, to, tag); });
    }
    Request receive(void* data, std::size_t n, Type t, int from, int tag) override {
        return starting(n, t, [&] { return inner_.receive(data, n, t, from, tag); });
    }
    Request start(Collective c, const void* from, void* to, std::size_t n, Type t) override {
        const std::size_t whole = c == Collective::all_reduce ? n : n * std::size_t(size());
        return starting(whole, t, [&] { return inner_.start(c, from, to, n, t); });
    }
    void wait(Request& r) override {
        const auto handle = r.handle;
        if (!handle) return;
        if (r.receiving) exposed(Phase::bubble, [&] { inner_.arrive(r); });
        exposed(phase_, [&] { inner_.wait(r); });
        done(handle);
    }
    bool test(Request& r) override {
        const auto handle = r.handle;
        if (!handle) return true;
        bool finished = false;
        exposed(phase_, [&] { finished = inner_.test(r); });
        if (finished) done(handle);
        return finished;
    }
    void barrier() override { exposed(phase_, [&] { inner_.barrier(); }); }

private:
    using Clock = std::chrono::steady_clock;
    static double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

    template <class F> double exposed(Phase phase, F f) {
        if (size() == 1) {
            f();
            return 0;
        }
        Scope scope(clock_, phase);
        const auto began = Clock::now();
        f();
        const double seconds = since(began);
        traffic_.exposed += seconds;
        return seconds;
    }
    // f, exposed, and what it hands on.
    template <class F> double counted(std::size_t n, Type t, F f) {
        const double saved = inner_.saved_bytes();
        const double seconds = exposed(phase_, f);
        if (size() == 1) return seconds;
        const double raw = double(n) * double(size_of(t));
        traffic_.raw += raw;
        traffic_.bytes += raw - (inner_.saved_bytes() - saved);
        return seconds;
    }
    template <class F> void blocking(std::size_t n, Type t, F f) { traffic_.total += counted(n, t, f); }
    template <class F> Request starting(std::size_t n, Type t, F f) {
        Request request;
        const auto began = Clock::now();
        const double seconds = counted(n, t, [&] { request = f(); });
        if (request.handle) began_[request.handle] = began;
        else traffic_.total += seconds;  // done at once
        return request;
    }
    void done(std::uintptr_t handle) {
        if (const auto i = began_.find(handle); i != began_.end()) {
            traffic_.total += since(i->second);
            began_.erase(i);
        }
    }

    Comm& inner_;
    PhaseClock& clock_;
    Phase phase_;
    Traffic traffic_;
    std::unordered_map<std::uintptr_t, Clock::time_point> began_;
};

}  // namespace plimsoll::engine
