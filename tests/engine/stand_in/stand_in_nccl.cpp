#include "stand_in.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace stand_in {
namespace {

int variable(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

int device_in_use = 0;
std::atomic<std::ptrdiff_t> taken{0};

struct Failing {
    std::string kind;
    int rank = -1;
    long verb = 0;
    bool is(const char* which) const { return kind == which && rank == variable("OMPI_COMM_WORLD_RANK", 0); }
};
const Failing& failing() {
    static const Failing one = [] {
        Failing f;
        const char* text = std::getenv("PLIMSOLL_STAND_IN_FAILURE");
        char kind[32] = "";
        if (text && std::sscanf(text, "%31[^:]:%d:%ld", kind, &f.rank, &f.verb) >= 2) f.kind = kind;
        return f;
    }();
    return one;
}

[[noreturn]] void never_return() {
    for (;;) pause();
}

constexpr int most_ranks = 8;
constexpr std::size_t piece_B = std::size_t(64) << 10;

// What a verb is, so that ranks which meet in different ones are noticed.
struct Verb {
    char name[16];
    std::size_t count;
    int type, detail;
};

// In the file that the ranks map. All zero to begin with.
struct Shared {
    std::atomic<int> arrived, gone, at_barrier, full[most_ranks];
    std::atomic<unsigned> opened;  // barriers so far
    int bus[most_ranks], addressee[most_ranks];
    Verb verb[most_ranks];
    alignas(64) unsigned char piece[most_ranks][piece_B];
};

template <class Condition> void wait_until(Condition condition) {
    for (int turn = 0; !condition(); ++turn)
        if (turn < 100) std::this_thread::yield();
        else std::this_thread::sleep_for(std::chrono::microseconds(50));
}

std::size_t size_of(ncclDataType_t t) {
    return t == ncclFloat64 ? 8 : t == ncclFloat32 ? 4 : t == ncclBfloat16 ? 2 : 1;
}

}  // namespace

const Devices& devices() {
    static const Devices all = [] {
        Devices d;
        d.count = variable("PLIMSOLL_STAND_IN_DEVICES", 1);
        if (variable("PLIMSOLL_STAND_IN_BOUND", 0)) {
            d.first = variable("OMPI_COMM_WORLD_LOCAL_RANK", 0) % d.count;
            d.count = 1;
        }
        const int compute = variable("PLIMSOLL_STAND_IN_COMPUTE", 90);
        d.major = compute / 10;
        d.minor = compute % 10;
        if (const char* bytes = std::getenv("PLIMSOLL_STAND_IN_MEMORY")) d.memory = std::size_t(std::atoll(bytes));
        return d;
    }();
    return all;
}
void use_device(int number) { device_in_use = number; }
void take_memory(std::ptrdiff_t bytes) { taken += bytes; }
std::size_t free_memory() {
    const auto left = std::ptrdiff_t(devices().memory) - taken;
    return left > 0 ? std::size_t(left) : 0;
}

}  // namespace stand_in

using namespace stand_in;

struct StandInCommunicator {
    Shared* shared = nullptr;
    int rank = 0, size = 1;
    bool used = false;
    std::atomic<bool> peer_gone{false};

    void barrier() {
        const unsigned now = shared->opened;
        if (++shared->at_barrier == size) {
            shared->at_barrier = 0;
            ++shared->opened;
        } else {
            wait_until([&] { return shared->opened != now; });
        }
    }
    unsigned char* piece(int of) const { return shared->piece[of]; }

    // Everybody's `bytes` from `mine` are there for take(rank, piece); null: this rank has nothing to give.
    template <class Take> void exchange(const void* mine, std::size_t bytes, Take take) {
        if (mine) std::memcpy(piece(rank), mine, bytes);
        barrier();
        take();
        barrier();
    }
    void agree_on(const Verb& verb) {
        shared->verb[rank] = verb;
        barrier();
        for (int r = 0; r < size; ++r)
            if (std::memcmp(&shared->verb[r], &verb, sizeof verb) != 0)
                complain("ranks of one communicator meet in different verbs");
        barrier();
    }
    void add(void* to, std::size_t count, ncclDataType_t t, bool maximum) const {
        if (t == ncclFloat64) add_as<double>(static_cast<double*>(to), count, maximum);
        else if (t == ncclFloat32) add_as<float>(static_cast<float*>(to), count, maximum);
        else if (t == ncclBfloat16) add_as<__nv_bfloat16>(static_cast<__nv_bfloat16*>(to), count, maximum);
        else complain("bytes are not added");
    }

private:
    static double value(double v) { return v; }
    static double value(float v) { return double(v); }
    static double value(__nv_bfloat16 v) { return double(__bfloat162float(v)); }
    static void store(double& to, double v) { to = v; }
    static void store(float& to, double v) { to = float(v); }
    static void store(__nv_bfloat16& to, double v) { to = __float2bfloat16(float(v)); }
    template <class T> void add_as(T* to, std::size_t count, bool maximum) const {
        for (std::size_t i = 0; i < count; ++i) {
            double sum = 0;
            for (int r = 0; r < size; ++r) {
                const double one = value(reinterpret_cast<const T*>(piece(r))[i]);
                sum = r == 0 ? one : maximum ? std::max(sum, one) : sum + one;
            }
            store(to[i], sum);
        }
    }
};

namespace {

// f(first element, how many) for pieces that fit the file.
template <class F> void in_pieces(std::size_t count, std::size_t element, F f) {
    for (std::size_t at = 0, most = piece_B / element; at < count; at += most) f(at, std::min(most, count - at));
}

Verb verb_of(const char* name, std::size_t count, ncclDataType_t t, int detail = 0) {
    Verb v;
    std::memset(&v, 0, sizeof v);
    std::snprintf(v.name, sizeof v.name, "%s", name);
    v.count = count;
    v.type = int(t);
    v.detail = detail;
    return v;
}

const char* bytes_at(const void* p, std::size_t offset) { return static_cast<const char*>(p) + offset; }
char* bytes_at(void* p, std::size_t offset) { return static_cast<char*>(p) + offset; }

// Buffers of a connection are taken when it is used first.
void connect(ncclComm_t c) {
    if (!std::exchange(c->used, true)) take_memory(std::ptrdiff_t(1) << 20);
}

template <class Work> ncclResult_t queue(ncclComm_t c, StandInStream stream, Work work) {
    connect(c);
    static std::atomic<long> verbs{0};
    const long number = ++verbs;
    if (failing().is("remote_error") && number == failing().verb)
        stream->put([c] {
            c->peer_gone = true;
            never_return();
        });
    if (failing().is("dies") && number == failing().verb) stream->put([] { kill(getpid(), SIGKILL); });
    stream->put(work);
    return ncclSuccess;
}

std::string folder() {
    const char* chosen = std::getenv("PLIMSOLL_STAND_IN_FOLDER");
    return chosen ? chosen : "/dev/shm";
}

}  // namespace

const char* ncclGetErrorString(ncclResult_t r) {
    constexpr const char* words[] = {"no error",      "unhandled system error", "invalid argument",
                                     "invalid usage", "remote process exited or there was a network error",
                                     "in progress"};
    return words[int(r)];
}
const char* ncclGetLastError(ncclComm_t) { return "stand-in"; }

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    static int number = 0;
    std::memset(id, 0, sizeof *id);
    std::snprintf(id->internal, sizeof id->internal, "stand_in_nccl.%d.%d", int(getpid()), ++number);
    return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int size, ncclUniqueId id, int rank) {
    if (failing().is("init_hangs")) never_return();
    if (failing().is("init_fails")) return ncclSystemError;
    if (size > most_ranks) return ncclInvalidArgument;
    const std::string file = folder() + "/" + id.internal;
    const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof(Shared)) != 0) return ncclSystemError;
    void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (memory == MAP_FAILED) return ncclSystemError;
    auto* const c = new StandInCommunicator;
    c->shared = static_cast<Shared*>(memory);
    c->rank = rank;
    c->size = size;
    c->shared->bus[rank] = devices().first + device_in_use;
    ++c->shared->arrived;
    wait_until([&] { return c->shared->arrived == size; });
    c->barrier();
    if (rank == 0) unlink(file.c_str());
    for (int a = 0; a < size; ++a)
        for (int b = 0; b < a; ++b)
            if (c->shared->bus[a] == c->shared->bus[b]) return ncclInvalidUsage;
    take_memory(std::ptrdiff_t(4) << 20);
    *comm = c;
    return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t c) {
    ++c->shared->gone;
    wait_until([&] { return c->shared->gone == c->size; });
    munmap(c->shared, sizeof(Shared));
    take_memory(-(std::ptrdiff_t(4) << 20) - (c->used ? std::ptrdiff_t(1) << 20 : 0));
    delete c;
    return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t c, ncclResult_t* error) {
    *error = c->peer_gone ? ncclRemoteError : ncclSuccess;
    return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t n, ncclDataType_t t, ncclRedOp_t op, ncclComm_t c,
                           StandInStream stream) {
    return queue(c, stream, [=] {
        c->agree_on(verb_of("all_reduce", n, t, int(op)));
        in_pieces(n, size_of(t), [&](std::size_t at, std::size_t count) {
            c->exchange(bytes_at(from, at * size_of(t)), count * size_of(t),
                        [&] { c->add(bytes_at(to, at * size_of(t)), count, t, op == ncclMax); });
        });
    });
}

ncclResult_t ncclReduceScatter(const void* from, void* to, std::size_t n, ncclDataType_t t, ncclRedOp_t op,
                               ncclComm_t c, StandInStream stream) {
    return queue(c, stream, [=] {
        c->agree_on(verb_of("reduce_scatter", n, t, int(op)));
        for (int r = 0; r < c->size; ++r)
            in_pieces(n, size_of(t), [&](std::size_t at, std::size_t count) {
                c->exchange(bytes_at(from, (std::size_t(r) * n + at) * size_of(t)), count * size_of(t), [&] {
                    if (r == c->rank) c->add(bytes_at(to, at * size_of(t)), count, t, op == ncclMax);
                });
            });
    });
}

ncclResult_t ncclAllGather(const void* from, void* to, std::size_t n, ncclDataType_t t, ncclComm_t c,
                           StandInStream stream) {
    return queue(c, stream, [=] {
        c->agree_on(verb_of("all_gather", n, t));
        in_pieces(n, size_of(t), [&](std::size_t at, std::size_t count) {
            c->exchange(bytes_at(from, at * size_of(t)), count * size_of(t), [&] {
                for (int r = 0; r < c->size; ++r)
                    std::memcpy(bytes_at(to, (std::size_t(r) * n + at) * size_of(t)), c->piece(r), count * size_of(t));
            });
        });
    });
}

ncclResult_t ncclBroadcast(const void* from, void* to, std::size_t n, ncclDataType_t t, int root, ncclComm_t c,
                           StandInStream stream) {
    return queue(c, stream, [=] {
        c->agree_on(verb_of("broadcast", n, t, root));
        in_pieces(n, size_of(t), [&](std::size_t at, std::size_t count) {
            c->exchange(c->rank == root ? bytes_at(from, at * size_of(t)) : nullptr, count * size_of(t),
                        [&] { std::memcpy(bytes_at(to, at * size_of(t)), c->piece(root), count * size_of(t)); });
        });
    });
}

// A message is over on either side when its last piece was taken.
ncclResult_t ncclSend(const void* from, std::size_t n, ncclDataType_t t, int to, ncclComm_t c, StandInStream stream) {
    return queue(c, stream, [=] {
        auto& full = c->shared->full[c->rank];
        in_pieces(n, size_of(t), [&](std::size_t at, std::size_t count) {
            std::memcpy(c->piece(c->rank), bytes_at(from, at * size_of(t)), count * size_of(t));
            c->shared->addressee[c->rank] = to;
            full = 1;
            wait_until([&] { return full == 0; });
        });
    });
}

ncclResult_t ncclRecv(void* to, std::size_t n, ncclDataType_t t, int from, ncclComm_t c, StandInStream stream) {
    return queue(c, stream, [=] {
        auto& full = c->shared->full[from];
        in_pieces(n, size_of(t), [&](std::size_t at, std::size_t count) {
            wait_until([&] { return full == 1 && c->shared->addressee[from] == c->rank; });
            std::memcpy(bytes_at(to, at * size_of(t)), c->piece(from), count * size_of(t));
            full = 0;
        });
    });
}
