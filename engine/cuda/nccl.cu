// Communication by NCCL, each communicator on a stream of its own.
//
// A verb starts after what the compute stream holds, and leaves an event; waiting
// for it holds the compute stream, not the host.
#include "device.cuh"

#include <cstring>
#include <vector>

namespace plimsoll::device {

namespace {

struct Communicator {
    ncclComm_t nccl = nullptr;
    cudaStream_t stream = nullptr;
};

std::vector<cudaEvent_t> spare_events;

int checked(ncclResult_t r, const char* call) {
    return r == ncclSuccess ? int(plimsoll_ok) : fail(plimsoll_library, call, ncclGetErrorString(r));
}
#define PLIMSOLL_NCCL(call)                                        \
    do {                                                           \
        if (const int code_ = checked((call), #call)) return code_; \
    } while (false)

int take_event(cudaEvent_t& event) {
    if (spare_events.empty()) {
        PLIMSOLL_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    } else {
        event = spare_events.back();
        spare_events.pop_back();
    }
    return plimsoll_ok;
}

// The type, and for those that NCCL does not reduce by name, bytes.
ncclDataType_t type_of(int type) {
    return type == plimsoll_type_f64 ? ncclFloat64 : type == plimsoll_type_f32 ? ncclFloat32
           : type == plimsoll_type_bf16 ? ncclBfloat16 : ncclUint8;
}

// Runs `verb` on the communicator's stream after the compute stream's present end.
template <class Verb> int run(void* comm, void** event, Verb verb) {
    Communicator& c = *static_cast<Communicator*>(comm);
    cudaEvent_t mark = nullptr;
    PLIMSOLL_PASS(take_event(mark));
    PLIMSOLL_TRY(cudaEventRecord(mark, state().stream));
    PLIMSOLL_TRY(cudaStreamWaitEvent(c.stream, mark, 0));
    PLIMSOLL_NCCL(verb(c.nccl, c.stream));
    PLIMSOLL_TRY(cudaEventRecord(mark, c.stream));
    *event = mark;
    return plimsoll_ok;
}

}  // namespace

int comm_id(void* id) {
    static_assert(sizeof(ncclUniqueId) == 128);
    ncclUniqueId fresh;
    PLIMSOLL_NCCL(ncclGetUniqueId(&fresh));
    std::memcpy(id, &fresh, sizeof fresh);
    return plimsoll_ok;
}

int comm_open(void** comm, const void* id, int size, int rank) {
    *comm = nullptr;
    ncclUniqueId known;
    std::memcpy(&known, id, sizeof known);
    Communicator c;
    PLIMSOLL_TRY(cudaStreamCreateWithFlags(&c.stream, cudaStreamNonBlocking));
    PLIMSOLL_NCCL(ncclCommInitRank(&c.nccl, size, known, rank));
    *comm = new Communicator(c);
    return plimsoll_ok;
}

int comm_close(void* comm) {
    Communicator* c = static_cast<Communicator*>(comm);
    PLIMSOLL_TRY(cudaStreamSynchronize(c->stream));
    PLIMSOLL_NCCL(ncclCommDestroy(c->nccl));
    PLIMSOLL_TRY(cudaStreamDestroy(c->stream));
    delete c;
    return plimsoll_ok;
}

int comm_all_reduce(void* comm, void* data, std::size_t count, int type, int maximum, void** event) {
    return run(comm, event, [&](ncclComm_t c, cudaStream_t s) {
        return ncclAllReduce(data, data, count, type_of(type), maximum ? ncclMax : ncclSum, c, s);
    });
}

int comm_reduce_scatter(void* comm, const void* from, void* to, std::size_t count, int type, void** event) {
    return run(comm, event, [&](ncclComm_t c, cudaStream_t s) {
        return ncclReduceScatter(from, to, count, type_of(type), ncclSum, c, s);
    });
}

int comm_all_gather(void* comm, const void* from, void* to, std::size_t count, int type, void** event) {
    return run(comm, event,
               [&](ncclComm_t c, cudaStream_t s) { return ncclAllGather(from, to, count, type_of(type), c, s); });
}

int comm_broadcast(void* comm, void* data, std::size_t count, int type, int root, void** event) {
    return run(comm, event, [&](ncclComm_t c, cudaStream_t s) {
        return ncclBroadcast(data, data, count, type_of(type), root, c, s);
    });
}

int comm_send(void* comm, const void* data, std::size_t count, int type, int to, void** event) {
    return run(comm, event,
               [&](ncclComm_t c, cudaStream_t s) { return ncclSend(data, count, type_of(type), to, c, s); });
}

int comm_receive(void* comm, void* data, std::size_t count, int type, int from, void** event) {
    return run(comm, event,
               [&](ncclComm_t c, cudaStream_t s) { return ncclRecv(data, count, type_of(type), from, c, s); });
}

int event_wait(void* event) {
    const auto e = static_cast<cudaEvent_t>(event);
    PLIMSOLL_TRY(cudaStreamWaitEvent(state().stream, e, 0));  // refers to the event as it is now: it may be used again
    spare_events.push_back(e);
    return plimsoll_ok;
}

int event_test(void* event, int* done) {
    const auto e = static_cast<cudaEvent_t>(event);
    const cudaError_t status = cudaEventQuery(e);
    *done = status != cudaErrorNotReady;
    if (!*done) return plimsoll_ok;
    spare_events.push_back(e);
    PLIMSOLL_TRY(status);
    return plimsoll_ok;
}

}  // namespace plimsoll::device
