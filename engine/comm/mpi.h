#pragma once
// The nine verbs over MPI (MPI-3), for buffers in host memory. MPI counts in int: what is longer goes in pieces.
//
//   MpiComm world(MPI_COMM_WORLD);
//   std::unique_ptr<MpiComm> half = world.split(world.rank() % 2, world.rank());

#include "engine/comm/comm.h"

#include <memory>
#include <mpi.h>
#include <vector>

namespace plimsoll::engine {

class MpiComm final : public Comm {
public:
    explicit MpiComm(MPI_Comm, bool owned = false);
    ~MpiComm() override;
    MpiComm(const MpiComm&) = delete;
    MpiComm& operator=(const MpiComm&) = delete;

    // Collective over this group: those of one colour, in the order of `key`. Null for a negative colour.
    std::unique_ptr<MpiComm> split(int colour, int key) const;
    MPI_Comm handle() const { return comm_; }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
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
    using Requests = std::vector<MPI_Request>;
    Request keep(Requests, bool receiving);
    Requests start_reduce_scatter(const void* from, void* to, std::size_t count, Type);

    MPI_Comm comm_;
    bool owned_;
    int rank_ = 0, size_ = 1;
    std::vector<Requests> requests_;  // Request::handle - 1 is an index; free ones are empty
};

}  // namespace plimsoll::engine
