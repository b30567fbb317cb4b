#pragma once
// A group of one rank, where every verb is done already; and the group that only
// pretends, for a dry run that asks how much memory a layout takes.

#include "engine/comm/comm.h"

#include <cstring>

namespace plimsoll::engine {

// With size() > 1 it is a pretender: nothing is moved, so nobody may look at the data.
class SelfComm final : public Comm {
public:
    explicit SelfComm(int rank = 0, int size = 1) : rank_(rank), size_(size) {}
    int rank() const override { return rank_; }
    int size() const override { return size_; }
    void all_reduce(void*, std::size_t, Type, Reduction) override {}
    void reduce_scatter(const void* from, void* to, std::size_t count, Type type) override { copy(from, to, count, type); }
    void all_gather(const void* from, void* to, std::size_t count, Type type) override { copy(from, to, count, type); }
    void broadcast(void*, std::size_t, Type, int) override {}
    Request send(const void*, std::size_t, Type, int, int) override { return {}; }
    Request receive(void*, std::size_t, Type, int, int) override { return {}; }
    Request start(Collective c, const void* from, void* to, std::size_t count, Type type) override {
        if (c != Collective::all_reduce) copy(from, to, count, type);
        return {};
    }
    void wait(Request&) override {}
    bool test(Request&) override { return true; }
    void barrier() override {}

private:
    // Callers keep a group of one from copying device memory: one rank's shard is the whole, in place.
    void copy(const void* from, void* to, std::size_t count, Type type) const {
        if (size_ == 1 && from != to) std::memcpy(to, from, count * size_of(type));
    }
    int rank_, size_;
};

}  // namespace plimsoll::engine
