#pragma once
// Ranks that are threads of one process, and what each of them sent: a Comm for tests of what wraps one.
//
//   on_ranks(3, [&](std::unique_ptr<ThreadComm> comm) { ... comm->all_gather(...) ... });   // returns when all have

#include "engine/comm/comm.h"

#include <algorithm>
#include <barrier>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

namespace plimsoll::engine {

struct Meeting {
    explicit Meeting(int ranks) : ranks(ranks), all(ranks), given(std::size_t(ranks)) {}
    const int ranks;
    std::barrier<> all;
    std::vector<const void*> given;  // by rank: what it brings to a collective
    std::mutex mutex;
    std::map<std::tuple<int, int, int>, std::deque<std::vector<char>>> messages;  // by sender, receiver and tag
};

class ThreadComm final : public Comm {
public:
    ThreadComm(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
    double sent = 0;  // bytes that left this rank, to itself apart

    int rank() const override { return rank_; }
    int size() const override { return meeting_.ranks; }
    void all_reduce(void* data, std::size_t n, Type t, Reduction r) override {
        t == Type::f64 ? reduce(static_cast<double*>(data), n, r) : reduce(static_cast<float*>(data), n, r);
    }
    void reduce_scatter(const void* from, void* to, std::size_t n, Type t) override {
        std::vector<char> all(n * std::size_t(size()) * size_of(t));
        std::memcpy(all.data(), from, all.size());
        all_reduce(all.data(), n * std::size_t(size()), t, Reduction::sum);
        std::memcpy(to, all.data() + std::size_t(rank_) * n * size_of(t), n * size_of(t));
    }
    void all_gather(const void* from, void* to, std::size_t n, Type t) override {
        const std::size_t bytes = n * size_of(t);
        sent += double(bytes) * (size() - 1);
        together(from, [&](int other, const void* theirs) {
            char* const at = static_cast<char*>(to) + std::size_t(other) * bytes;
            if (at != theirs) std::memcpy(at, theirs, bytes);
        });
    }
    void broadcast(void* data, std::size_t n, Type t, int root) override {
        together(data, [&](int other, const void* theirs) {
            if (other == root && data != theirs) std::memcpy(data, theirs, n * size_of(t));
        });
    }
    Request send(const void* data, std::size_t n, Type t, int to, int tag) override {
        const char* const bytes = static_cast<const char*>(data);
        const std::lock_guard lock(meeting_.mutex);
        meeting_.messages[{rank_, to, tag}].emplace_back(bytes, bytes + n * size_of(t));
        sent += double(n * size_of(t));
        return {};
    }
    Request receive(void* data, std::size_t n, Type t, int from, int tag) override {
        wanted_.push_back({data, n * size_of(t), {from, rank_, tag}});
        return {wanted_.size(), true};
    }
    Request start(Collective c, const void* from, void* to, std::size_t n, Type t) override {
        if (c == Collective::all_reduce) all_reduce(to, n, t, Reduction::sum);
        else c == Collective::reduce_scatter ? reduce_scatter(from, to, n, t) : all_gather(from, to, n, t);
        return {};
    }
    void wait(Request& r) override { while (!test(r)) std::this_thread::yield(); }
    bool test(Request& r) override {
        if (!r.handle) return true;
        const Wanted& w = wanted_[r.handle - 1];
        const std::lock_guard lock(meeting_.mutex);
        auto& queue = meeting_.messages[w.key];
        if (queue.empty()) return false;
        std::memcpy(w.to, queue.front().data(), std::min(w.bytes, queue.front().size()));
        queue.pop_front();
        r.handle = 0;
        return true;
    }
    void barrier() override { meeting_.all.arrive_and_wait(); }

private:
    struct Wanted {
        void* to;
        std::size_t bytes;
        std::tuple<int, int, int> key;
    };
    template <class F> void together(const void* mine, F f) {
        meeting_.given[std::size_t(rank_)] = mine;
        barrier();
        for (int other = 0; other < size(); ++other) f(other, meeting_.given[std::size_t(other)]);
        barrier();
    }
    template <class T> void reduce(T* data, std::size_t n, Reduction r) {
        std::vector<T> result;
        together(data, [&](int, const void* theirs) {
            const T* const x = static_cast<const T*>(theirs);
            if (result.empty()) return result.assign(x, x + n);
            for (std::size_t i = 0; i < n; ++i)
                result[i] = r == Reduction::max ? std::max(result[i], x[i]) : result[i] + x[i];
        });
        std::copy(result.begin(), result.end(), data);
        barrier();
    }

    Meeting& meeting_;
    int rank_;
    std::vector<Wanted> wanted_;
};

template <class F> void on_ranks(int ranks, F f) {
    Meeting meeting(ranks);
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank)
        threads.emplace_back([&, rank] {
            f(std::make_unique<ThreadComm>(meeting, rank));
        });
}

}  // namespace plimsoll::engine
