#include "engine/cuda/device_comms.h"

#include "engine/cuda/backend.h"

#include <algorithm>
#include <array>

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

namespace {

using Id = std::array<char, 128>;

// Types have the same numbers on both sides of the table.
static_assert(int(Type::f64) == plimsoll_type_f64 && int(Type::f32) == plimsoll_type_f32
              && int(Type::bf16) == plimsoll_type_bf16 && int(Type::byte) == plimsoll_type_byte);

// A few bytes of the device, set to zero.
class DeviceMemory {
public:
    DeviceMemory(const PlimsollBackend& table, std::size_t bytes) : table_(table) {
        check(table_, table_.allocate(&memory_, bytes));
        check(table_, table_.zero(memory_, bytes));
    }
    ~DeviceMemory() {
        if (!is_failing()) (void)table_.release(memory_);
    }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    void* at() const { return memory_; }

private:
    const PlimsollBackend& table_;
    void* memory_ = nullptr;
};

}  // namespace

NcclComm::NcclComm(const PlimsollBackend& table, std::unique_ptr<Comm> host, Messages messages, const Opening& opening)
    : table_(table), host_(std::move(host)) {
    const std::string what = "an NCCL communicator of " + std::to_string(size()) + " ranks";
    if (opening) opening(what);
    Id id{};
    if (rank() == 0) check(table_, table_.comm_id(id.data()));
    host_->broadcast(id.data(), id.size(), Type::byte, 0);
    all_ = open(id.data(), size(), rank());
    const DeviceMemory one(table_, sizeof(float));
    all_reduce(one.at(), 1, Type::f32, Reduction::sum);
    check(table_, table_.synchronize());
    if (messages == Messages::to_neighbours && size() > 1) open_neighbours(opening);
}

NcclComm::~NcclComm() {
    if (is_failing()) return;  // the peers may never close theirs
    each_channel([this](int, std::size_t way, Side side) {
        if (void* channel = channels_[side][way % 2]) (void)table_.comm_close(channel);
    });
    (void)table_.comm_close(all_);  // a failure here was one of a verb before
}

void* NcclComm::open(const void* id, int size, int rank) {
    void* comm = nullptr;
    check(table_, table_.comm_open(&comm, id, size, rank));
    return comm;
}

// The pairs (i, i + 1) of the ring, in rounds in which no rank has two of them: opening and closing wait for the other
// side.
template <class F> void NcclComm::each_channel(F f) const {
    const int n = size(), previous = (rank() + n - 1) % n;
    const auto round = [n](int pair) { return pair == n - 1 && n % 2 ? 2 : pair % 2; };
    for (int r = 0; r < 3; ++r)
        for (const int pair : {rank(), previous})
            for (std::size_t way = 0; way < 4 && round(pair) == r; ++way) {
                const bool first = pair == rank(), up = way < 2;  // from the pair's first rank to its second
                f(pair, way, first ? (up ? to_next : from_next) : (up ? from_previous : to_previous));
            }
}

void NcclComm::open_neighbours(const Opening& opening) {
    const int n = size();
    std::vector<std::array<Id, 4>> ids(std::size_t(n), std::array<Id, 4>{});
    for (int pair = 0; pair < n; ++pair) {
        auto& four = ids[std::size_t(pair)];
        for (Id& id : four)
            if (pair == rank()) check(table_, table_.comm_id(id.data()));
        host_->broadcast(&four, sizeof four, Type::byte, pair);
    }
    each_channel([&](int pair, std::size_t way, Side side) {
        const bool sends = side == to_next || side == to_previous;
        if (opening) opening("an NCCL communicator of two neighbouring stages");
        void* const channel = open(ids[std::size_t(pair)][way].data(), 2, sends ? 0 : 1);
        channels_[side][way % 2] = channel;
        try_channel(channel, sends);
    });
}

void NcclComm::try_channel(void* channel, bool sends) {
    const DeviceMemory one(table_, 1);
    void* event = nullptr;
    check(table_, sends ? table_.comm_send(channel, one.at(), 1, int(Type::byte), 1, &event)
                        : table_.comm_receive(channel, one.at(), 1, int(Type::byte), 0, &event));
    finish(event);
    check(table_, table_.synchronize());
}

// With two ranks the other one is both neighbours: even tags go around the ring upwards, odd ones downwards.
void* NcclComm::channel(int peer, int tag, bool sending) const {
    const int n = size(), next = (rank() + 1) % n, previous = (rank() + n - 1) % n;
    const bool upwards = tag % 2 == 0;
    const bool is_next = peer == next && (next != previous || upwards == sending);
    if (!is_next && peer != previous) throw DeviceError("NCCL messages go to neighbours on the ring of ranks only");
    void* found =
        channels_[is_next ? (sending ? to_next : from_next) : (sending ? to_previous : from_previous)][tag % 2];
    if (!found) throw DeviceError("this group was opened without messages");
    return found;
}

void NcclComm::all_reduce(void* data, std::size_t count, Type type, Reduction reduction) {
    void* event = nullptr;
    check(table_, table_.comm_all_reduce(all_, data, count, int(type), reduction == Reduction::max, &event));
    finish(event);
}

void NcclComm::broadcast(void* data, std::size_t count, Type type, int root) {
    void* event = nullptr;
    check(table_, table_.comm_broadcast(all_, data, count, int(type), root, &event));
    finish(event);
}

Request NcclComm::send(const void* data, std::size_t count, Type type, int to, int tag) {
    void* event = nullptr;
    check(table_, table_.comm_send(channel(to, tag, true), data, count, int(type), 1, &event));
    return {reinterpret_cast<std::uintptr_t>(event)};
}

Request NcclComm::receive(void* data, std::size_t count, Type type, int from, int tag) {
    void* event = nullptr;
    check(table_, table_.comm_receive(channel(from, tag, false), data, count, int(type), 0, &event));
    return {reinterpret_cast<std::uintptr_t>(event), true};
}

Request NcclComm::start(Collective verb, const void* from, void* to, std::size_t count, Type type) {
    void* event = nullptr;
    switch (verb) {
    case Collective::all_reduce:
        check(table_, table_.comm_all_reduce(all_, to, count, int(type), false, &event));
        break;
    case Collective::reduce_scatter:
        check(table_, table_.comm_reduce_scatter(all_, from, to, count, int(type), &event));
        break;
    case Collective::all_gather: check(table_, table_.comm_all_gather(all_, from, to, count, int(type), &event)); break;
    }
    return {reinterpret_cast<std::uintptr_t>(event)};
}

void NcclComm::wait(Request& r) {
    if (r.handle) check(table_, table_.event_wait(reinterpret_cast<void*>(r.handle)));
    r = {};
}

bool NcclComm::test(Request& r) {
    int done = 1;
    if (r.handle) check(table_, table_.event_test(reinterpret_cast<void*>(r.handle), &done));
    if (done) r = {};
    return done != 0;
}

std::optional<double> NcclComm::device_seconds() {
    double sum = 0;
    const auto add = [&](void* comm) {
        double seconds = 0;
        if (comm) check(table_, table_.comm_seconds(comm, &seconds));
        sum += seconds;
    };
    add(all_);
    for (auto& side : channels_)
        for (void* channel : side) add(channel);
    return sum;
}

void NcclComm::barrier() {
    check(table_, table_.synchronize());
    host_->barrier();
}

}  // namespace plimsoll::engine
