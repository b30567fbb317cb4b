#pragma once
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

#include "engine/comm/comm.h"
#include "engine/cuda/abi.h"

#include <functional>
#include <memory>
#include <string>

namespace plimsoll::engine {

class NcclComm final : public Comm {
public:
    enum class Messages : bool { none, to_neighbours };
    // opening(what): called before each communicator is opened.
    using Opening = std::function<void(const std::string&)>;
    NcclComm(const PlimsollBackend&, std::unique_ptr<Comm> host, Messages, const Opening& opening = {});
    ~NcclComm() override;
    NcclComm(const NcclComm&) = delete;
    NcclComm& operator=(const NcclComm&) = delete;

    int rank() const override { return host_->rank(); }
    int size() const override { return host_->size(); }
    void all_reduce(void*, std::size_t, Type, Reduction = Reduction::sum) override;
    void reduce_scatter(const void* from, void* to, std::size_t count, Type) override;
    void all_gather(const void* from, void* to, std::size_t count, Type) override;
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
