#pragma once
// A group whose buffers lie on devices, carried by a group of the host: bytes are
// copied out, sent, and copied back. Slower than NCCL, but it takes any number of
// ranks on one device, which NCCL does not, and so runs every layout on one.
//
//   StagedComm group(std::move(mpi_group), staging);   // staging must outlive it; the group may encode (coded.h)
//
// A group of one copies on the device alone. What is under way holds host memory of
// its size, page-locked by CUDA's staging; it is kept for the next transfer.

#include "engine/comm/comm.h"

#include <memory>
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

class StagedComm final : public Comm {
public:
    StagedComm(std::unique_ptr<Comm> host, Staging& staging) : host_(std::move(host)), staging_(staging) {}
    ~StagedComm() override;
    StagedComm(const StagedComm&) = delete;
    StagedComm& operator=(const StagedComm&) = delete;

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

}  // namespace plimsoll::engine
