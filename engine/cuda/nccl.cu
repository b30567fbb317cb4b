// Communication by NCCL, each communicator on a stream of its own.
//
// A verb starts after what the compute stream holds, and leaves an event; waiting
// for it holds the compute stream, not the host.
#include "device.cuh"

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

namespace plimsoll::device {

static int checked(ncclResult_t r, const char* call) {
    if (r == ncclSuccess) return plimsoll_ok;
    const std::string detail = std::string(ncclGetErrorString(r)) + ", " + ncclGetLastError(nullptr);
    return fail(plimsoll_library, call, detail.c_str());
}

namespace {

// When a verb began and ended on its stream.
struct Timed {
    cudaEvent_t begin, end;
};

struct Communicator {
    ncclComm_t nccl = nullptr;
    cudaStream_t stream = nullptr;
    int size = 1;
    std::deque<Timed> verbs{};
    double seconds = 0;  // of verbs that were over, since they were asked for
};

std::vector<Communicator*> communicators;
std::vector<cudaEvent_t> spare_events, spare_times;

bool is_over(cudaEvent_t event) {
    if (cudaEventQuery(event) == cudaSuccess) return true;
    (void)cudaGetLastError();  // "not ready" stays as the last error otherwise, and fails the next launch
    return false;
}

// Adds up verbs that are over, and has their events back.
int add_up(Communicator& c) {
    while (!c.verbs.empty() && is_over(c.verbs.front().end)) {
        const Timed verb = c.verbs.front();
        c.verbs.pop_front();
        float ms = 0;
        PLIMSOLL_TRY(cudaEventElapsedTime(&ms, verb.begin, verb.end));
        c.seconds += 1e-3 * double(ms);
        spare_times.push_back(verb.begin);
        spare_times.push_back(verb.end);
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
    constexpr std::size_t most_open = 64;
    if (c.verbs.size() >= most_open) PLIMSOLL_PASS(add_up(c));
    cudaEvent_t mark = nullptr;
    Timed timed{};
    PLIMSOLL_PASS(take_event(mark, spare_events, cudaEventDisableTiming));
    PLIMSOLL_PASS(take_event(timed.begin, spare_times, cudaEventDefault));
    PLIMSOLL_PASS(take_event(timed.end, spare_times, cudaEventDefault));
    PLIMSOLL_TRY(cudaEventRecord(mark, state().stream));
    PLIMSOLL_TRY(cudaStreamWaitEvent(c.stream, mark, 0));
    PLIMSOLL_TRY(cudaEventRecord(timed.begin, c.stream));
    PLIMSOLL_TRY(verb(c.nccl, c.stream));
    PLIMSOLL_TRY(cudaEventRecord(timed.end, c.stream));
    PLIMSOLL_TRY(cudaEventRecord(mark, c.stream));
    c.verbs.push_back(timed);
    *event = mark;
    return plimsoll_ok;
}

}  // namespace

int comm_id(void* id) {
    static_assert(sizeof(ncclUniqueId) == 128);
    ncclUniqueId fresh;
    PLIMSOLL_TRY(ncclGetUniqueId(&fresh));
    std::memcpy(id, &fresh, sizeof fresh);
    return plimsoll_ok;
}

int comm_open(void** comm, const void* id, int size, int rank) {
    *comm = nullptr;
    ncclUniqueId known;
    std::memcpy(&known, id, sizeof known);
    Communicator c;
    c.size = size;
    PLIMSOLL_TRY(cudaStreamCreateWithFlags(&c.stream, cudaStreamNonBlocking));
    PLIMSOLL_TRY(ncclCommInitRank(&c.nccl, size, known, rank));
    communicators.push_back(new Communicator(c));
    *comm = communicators.back();
    return plimsoll_ok;
}

// Waits for the peers, which close theirs: all ranks close their communicators in one order.
int comm_close(void* comm) {
    Communicator* c = static_cast<Communicator*>(comm);
    PLIMSOLL_PASS(wait_for(c->stream));
    communicators.erase(std::remove(communicators.begin(), communicators.end(), c), communicators.end());
    for (const Timed& verb : c->verbs) {
        spare_times.push_back(verb.begin);
        spare_times.push_back(verb.end);
    }
    PLIMSOLL_TRY(ncclCommDestroy(c->nccl));
    PLIMSOLL_TRY(cudaStreamDestroy(c->stream));
    delete c;
    return plimsoll_ok;
}

bool has_communicators() { return !communicators.empty(); }

int check_communicators() {
    for (const Communicator* c : communicators) {
        ncclResult_t noticed = ncclSuccess;
        PLIMSOLL_TRY(ncclCommGetAsyncError(c->nccl, &noticed));
        if (noticed == ncclSuccess || noticed == ncclInProgress) continue;
        const std::string group = "NCCL, in a group of " + std::to_string(c->size) + " ranks";
        return fail(plimsoll_library, group.c_str(), ncclGetErrorString(noticed));
    }
    return plimsoll_ok;
}

int comm_seconds(void* comm, double* seconds) {
    Communicator& c = *static_cast<Communicator*>(comm);
    PLIMSOLL_PASS(wait_for(c.stream));
    PLIMSOLL_PASS(add_up(c));
    *seconds = c.seconds;
    c.seconds = 0;
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
    if (!*done) {
        (void)cudaGetLastError();
        return check_communicators();
    }
    spare_events.push_back(e);
    PLIMSOLL_TRY(status);
    return plimsoll_ok;
}

}  // namespace plimsoll::device
