#pragma once
// Groups whose buffers lie on devices: carried by a group of the host, or by NCCL.

#include "engine/comm/comm.h"
#include "engine/cuda/abi.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace plimsoll::engine {

// How bytes travel between a device and the host. Copies start after what was queued on the device and are over on
// return.
class Staging {
public:
    virtual ~Staging() = default;
    virtual void* allocate(std::size_t bytes) = 0;  // host memory; throws when there is none
    virtual void release(void*) = 0;
    virtual void to_host(void* host, const void* device, std::size_t bytes) = 0;
    virtual void to_device(void* device, const void* host, std::size_t bytes) = 0;
    virtual void on_device(void* to, const void* from, std::size_t bytes) = 0;
};

// A group that is carried by one of the host: bytes are copied out, sent, and
// copied back. Slower than NCCL, but it takes any number of ranks on one device,
// which NCCL does not, and so runs every layout on one.
//
//   StagedComm group(std::move(mpi_group), staging);   // staging must outlive it; the group may encode (coded.h)
//
// A group of one copies on the device alone. What is under way holds host memory of
// its size, page-locked by CUDA's staging; it is kept for the next transfer.
class StagedComm final : public Comm {
public:
    StagedComm(std::unique_ptr<Comm> host, Staging& staging) : host_(std::move(host)), staging_(staging) {}
    ~StagedComm() override;

    int rank() const override { return host_->rank(); }
    int size() const override { return host_->size(); }
    void all_reduce(void*, std::size_t, Type, Reduction = Reduction::sum) override;
    void broadcast(void*, std::size_t, Type, int root) override;
    Request send(const void*, std::size_t, Type, int to, int tag) override;
    Request receive(void*, std::size_t, Type, int from, int tag) override;
    Request start(Collective, const void* from, void* to, std::size_t count, Type) override;
    void wait(Request&) override;
    bool test(Request&) override;
    void barrier() override { host_->barrier(); }
    void arrive(Request&) override;  // in host memory; wait() has it on the device
    void begin_step() override { host_->begin_step(); }
    double saved_bytes() const override { return host_->saved_bytes(); }

private:
    struct Buffer {
        void* memory = nullptr;
        std::size_t bytes = 0;
    };
    // A transfer of the host under way. `back` bytes of `result` go to the device when it is over.
    struct Transfer {
        Request host;
        Buffer source, result;
        void* device = nullptr;
        std::size_t back = 0;
        bool used = false;
    };
    Buffer take(std::size_t bytes);
    Buffer taken_from(const void* device, std::size_t bytes);  // with a copy of the device's memory
    void give(Buffer);
    Request keep(Transfer);
    void finish(Request&);

    std::unique_ptr<Comm> host_;
    Staging& staging_;
    std::vector<Buffer> spare_;
    std::vector<Transfer> transfers_;  // Request::handle - 1 is an index
};

// The nine verbs over NCCL, for ranks that have a device each.
//
//   NcclComm group(table, std::move(mpi_group), NcclComm::Messages::to_neighbours, alive);   // collective
//
// Opening and closing wait for the peers. Both go through the communicators in one
// order on all ranks, so that nobody waits in a circle. Each is used once when it is
// opened: what NCCL takes for a connection is then taken before memory is counted.
//
// The host's group carries the ids that NCCL wants known before it talks, and
// barriers. Verbs are queued on streams of their own: wait() holds the device's
// later work, not the host, so that a phase's time is seen only when it is drained.
//
// NCCL matches messages by order and runs a communicator's operations one after
// another, so a send could wait for a receive posted before it. Messages therefore
// have a communicator for each pair of neighbours on the ring of ranks and for each
// of even and odd tags: the pipeline's activations and gradients, each of which a
// pair sends in the order in which it is received. Other ranks get no messages.
class NcclComm final : public Comm {
public:
    enum class Messages : bool { none, to_neighbours };
    // opening(what): called before each communicator is opened.
    using Opening = std::function<void(const std::string&)>;
    NcclComm(const PlimsollBackend&, std::unique_ptr<Comm> host, Messages, const Opening& opening = {});
    ~NcclComm() override;

    int rank() const override { return host_->rank(); }
    int size() const override { return host_->size(); }
    void all_reduce(void*, std::size_t, Type, Reduction = Reduction::sum) override;
    void broadcast(void*, std::size_t, Type, int root) override;
    Request send(const void*, std::size_t, Type, int to, int tag) override;
    Request receive(void*, std::size_t, Type, int from, int tag) override;
    Request start(Collective, const void* from, void* to, std::size_t count, Type) override;
    void wait(Request&) override;
    bool test(Request&) override;
    void barrier() override;
    std::optional<double> device_seconds() override;

private:
    enum Side { to_next, from_next, to_previous, from_previous };
    void* open(const void* id, int size, int rank);
    void open_neighbours(const Opening&);
    void try_channel(void* channel, bool sends);
    // f(pair, way, side): the channels of this rank's pairs, in an order that is the same on all ranks.
    template <class F> void each_channel(F f) const;
    void* channel(int peer, int tag, bool sending) const;
    void finish(void* event) {
        Request r{reinterpret_cast<std::uintptr_t>(event)};
        wait(r);
    }

    const PlimsollBackend& table_;
    std::unique_ptr<Comm> host_;
    void* all_ = nullptr;
    void* channels_[4][2] = {};  // [Side][tag % 2]; each has two ranks, the sender first
};

}  // namespace plimsoll::engine
