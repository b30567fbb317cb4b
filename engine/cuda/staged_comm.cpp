#include "engine/cuda/staged_comm.h"

#include <algorithm>

namespace plimsoll::engine {

StagedComm::~StagedComm() {
    for (const Buffer& b : spare_) staging_.release(b.memory);
}

// The smallest spare buffer that is large enough, or a new one.
StagedComm::Buffer StagedComm::take(std::size_t bytes) {
    auto best = spare_.end();
    for (auto b = spare_.begin(); b != spare_.end(); ++b)
        if (b->bytes >= bytes && (best == spare_.end() || b->bytes < best->bytes)) best = b;
    if (best == spare_.end()) return {staging_.allocate(bytes), bytes};
    const Buffer found = *best;
    spare_.erase(best);
    return found;
}

StagedComm::Buffer StagedComm::taken_from(const void* device, std::size_t bytes) {
    const Buffer b = take(bytes);
    staging_.to_host(b.memory, device, bytes);
    return b;
}

void StagedComm::give(Buffer b) {
    if (b.memory) spare_.push_back(b);
}

Request StagedComm::keep(Transfer t) {
    t.used = true;
    auto free = std::find_if(transfers_.begin(), transfers_.end(), [](const Transfer& other) { return !other.used; });
    if (free == transfers_.end()) free = transfers_.insert(free, Transfer{});
    *free = t;
    return {std::uintptr_t(free - transfers_.begin()) + 1, t.host.receiving};
}

void StagedComm::finish(Request& request) {
    Transfer& t = transfers_[request.handle - 1];
    if (t.back) staging_.to_device(t.device, t.result.memory, t.back);
    give(t.source);
    give(t.result);
    t = {};
    request = {};
}

void StagedComm::all_reduce(void* data, std::size_t count, Type type, Reduction reduction) {
    if (size() == 1) return;
    const std::size_t bytes = count * size_of(type);
    const Buffer b = taken_from(data, bytes);
    host_->all_reduce(b.memory, count, type, reduction);
    staging_.to_device(data, b.memory, bytes);
    give(b);
}

void StagedComm::reduce_scatter(const void* from, void* to, std::size_t count, Type type) {
    Request r = start(Collective::reduce_scatter, from, to, count, type);
    wait(r);
}

void StagedComm::all_gather(const void* from, void* to, std::size_t count, Type type) {
    Request r = start(Collective::all_gather, from, to, count, type);
    wait(r);
}

void StagedComm::broadcast(void* data, std::size_t count, Type type, int root) {
    if (size() == 1) return;
    const std::size_t bytes = count * size_of(type);
    const Buffer b = rank() == root ? taken_from(data, bytes) : take(bytes);
    host_->broadcast(b.memory, count, type, root);
    if (rank() != root) staging_.to_device(data, b.memory, bytes);
    give(b);
}

Request StagedComm::send(const void* data, std::size_t count, Type type, int to, int tag) {
    Transfer t;
    t.source = taken_from(data, count * size_of(type));
    t.host = host_->send(t.source.memory, count, type, to, tag);
    return keep(t);
}

Request StagedComm::receive(void* data, std::size_t count, Type type, int from, int tag) {
    Transfer t;
    t.device = data;
    t.back = count * size_of(type);
    t.result = take(t.back);
    t.host = host_->receive(t.result.memory, count, type, from, tag);
    return keep(t);
}

Request StagedComm::start(Collective verb, const void* from, void* to, std::size_t count, Type type) {
    const std::size_t share = count * size_of(type), whole = share * std::size_t(size());
    if (size() == 1) {
        if (verb != Collective::all_reduce && from != to) staging_.on_device(to, from, share);
        return {};
    }
    Transfer t;
    t.device = to;
    if (verb == Collective::all_reduce) {
        t.result = taken_from(to, t.back = share);
    } else {
        const bool scatter = verb == Collective::reduce_scatter;
        t.source = taken_from(from, scatter ? whole : share);
        t.result = take(t.back = scatter ? share : whole);
    }
    t.host = host_->start(verb, t.source.memory, t.result.memory, count, type);
    return keep(t);
}

void StagedComm::wait(Request& request) {
    if (!request.handle) return;
    Request& host = transfers_[request.handle - 1].host;
    if (host.handle) host_->wait(host);
    finish(request);
}

void StagedComm::arrive(Request& request) {
    if (request.handle) host_->arrive(transfers_[request.handle - 1].host);
}

bool StagedComm::test(Request& request) {
    if (!request.handle) return true;
    Request& host = transfers_[request.handle - 1].host;
    if (host.handle && !host_->test(host)) return false;
    finish(request);
    return true;
}

}  // namespace plimsoll::engine
