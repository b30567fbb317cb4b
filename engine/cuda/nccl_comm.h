#pragma once
// The nine verbs over NCCL, for ranks that have a device each.
//
//   NcclComm group(table, std::move(mpi_group), NcclComm::Messages::to_neighbours);   // collective
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

#include <memory>

namespace plimsoll::engine {

class NcclComm final : public Comm {
public:
    enum class Messages : bool { none, to_neighbours };
    NcclComm(const PlimsollBackend&, std::unique_ptr<Comm> host, Messages);
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

private:
    enum Side { to_next, from_next, to_previous, from_previous };
    void* open(const void* id, int size, int rank);
    void open_neighbours();
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
