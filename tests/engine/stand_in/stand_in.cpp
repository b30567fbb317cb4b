#include "stand_in.h"

#include "fiber.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#if !defined(PLIMSOLL_STAND_IN_WAVE)
#define PLIMSOLL_STAND_IN_WAVE 32
#endif

namespace stand_in {
namespace {

// Lanes of a warp, which all take part in what a warp does (CUDA), or of a wave, whose lanes do it in step and without
// those that have ended or wait elsewhere (HIP).
constexpr unsigned wave = PLIMSOLL_STAND_IN_WAVE;
constexpr bool in_step = wave == 64;

// Threads that have come to a barrier, and how often it has opened.
struct Barrier {
    unsigned size = 0, arrived = 0, opened = 0;
};
struct Warp {
    Barrier barrier;
    // What lanes offer each other; two, so that a second exchange may begin while the first is read.
    std::uint64_t value[2][wave];
    std::uint64_t there[2];  // lanes that have offered something, as bits
};
void live();

struct Copy {
    void* to;
    const void* from;
    bool there;
};

struct Thread {
    Fiber fiber{live};
    std::vector<std::vector<Copy>> copies{};  // groups under way, and behind them one that has not ended
    dim3 index;
    bool done = false;
    const Barrier* waits = nullptr;
    unsigned until = 0;  // has opened this often
};

std::vector<Thread> threads;
std::vector<Warp> warps;
Barrier block;
bool flags[2];  // any_of_block: one collects while the other is read
unsigned current = 0;
Order order = Order::ascending;
const std::function<void()>* body = nullptr;

void wait(Barrier& b) {
    Thread& me = threads[current];
    me.waits = &b;
    me.until = b.opened + 1;
    if (++b.arrived == b.size) {
        b.arrived = 0;
        ++b.opened;
    }
    if (b.opened != me.until) me.fiber.leave();
}

// A fiber's life: one thread of each block that has one of its number.
void live() {
    for (;;) {
        (*body)();
        threads[current].done = true;
        threads[current].fiber.leave();
    }
}

// The order of one round. Shuffling repeats: the same program does the same thing every time.
std::vector<unsigned> round_of(unsigned count) {
    static std::uint64_t seed = 1;
    std::vector<unsigned> round(count);
    for (unsigned i = 0; i < count; ++i) round[i] = order == Order::descending ? count - 1 - i : i;
    if (order == Order::shuffled)
        for (unsigned i = count; i > 1; --i) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            std::swap(round[i - 1], round[(seed >> 33) % i]);
        }
    return round;
}

// Runs a thread until it waits or ends; false: it cannot go on yet.
bool advance(unsigned i) {
    Thread& t = threads[i];
    if (t.done || (t.waits && t.waits->opened < t.until)) return false;
    current = i;
    threadIdx = t.index;
    t.fiber.resume();
    return true;
}

// In step: when no lane can go on by itself, those that wait for their wave do.
bool open_wave(Warp& w) {
    if (!in_step || w.barrier.arrived == 0) return false;
    w.barrier.arrived = 0;
    ++w.barrier.opened;
    w.there[w.barrier.opened % 2] = 0;
    return true;
}

// A warp goes on as long as it can before the next one starts: as far apart as they can be on a device.
void run_block(unsigned count) {
    for (bool moved = true; moved;) {
        moved = false;
        for (const unsigned w : round_of(count / wave))
            for (bool warp_moved = true; warp_moved; moved |= warp_moved) {
                warp_moved = false;
                for (const unsigned lane : round_of(wave)) warp_moved |= advance(w * wave + lane);
                warp_moved = warp_moved || open_wave(warps[w]);
            }
    }
    for (unsigned i = 0; i < count; ++i)
        if (!threads[i].done) complain("threads wait for others that have ended or wait elsewhere");
}

}  // namespace

void complain(const char* what) {
    std::fprintf(stderr, "stand-in device: %s\n", what);
    std::abort();
}

void run(dim3 grid, dim3 size, std::size_t shared, const std::function<void()>& thread) {
    const unsigned count = size.x * size.y * size.z;
    if (count % wave || count > 1024) complain("blocks must be of whole warps, 1,024 threads at most");
    if (grid.y > 65535 || grid.z > 65535) complain("a grid has at most 65,535 blocks in y and z");
    if (threads.size() < count) threads = std::vector<Thread>(count);
    warps.resize(count / wave);
    const std::unique_ptr<unsigned char, decltype(&std::free)> memory(
        static_cast<unsigned char*>(std::aligned_alloc(128, (shared + 127) / 128 * 128 + 128)), &std::free);
    shared_memory = memory.get();
    blockDim = size;
    gridDim = grid;
    body = &thread;
    const unsigned blocks = grid.x * grid.y * grid.z;
    for (unsigned n = 0; n < blocks; ++n) {
        const unsigned b = order == Order::descending ? blocks - 1 - n : n;
        blockIdx = dim3(b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y);
        std::memset(shared_memory, 0xff, shared);  // NaN
        block = {count, 0, 0};
        for (Warp& w : warps) {
            w.barrier = {in_step ? wave + 1 : wave, 0, 0};  // a wave is opened by those who run it
            w.there[0] = w.there[1] = 0;
        }
        flags[0] = flags[1] = false;
        for (unsigned i = 0; i < count; ++i) {
            threads[i].index = dim3(i % size.x, i / size.x % size.y, i / size.x / size.y);
            threads[i].done = false;
            threads[i].waits = nullptr;
            threads[i].copies.assign(1, {});
        }
        run_block(count);
    }
}

int lane() { return int(current % wave); }
void wait_for_block() { wait(block); }
void wait_for_warp() { wait(warps[current / wave].barrier); }

bool any_of_block(bool mine) {
    bool& flag = flags[block.opened / 2 % 2];
    flag = flag || mine;
    wait(block);
    const bool any = flag;
    wait(block);
    flag = false;
    return any;
}

namespace {

// What the lanes of this thread's warp offered together with it.
struct Exchange {
    const std::uint64_t* value;
    const std::uint64_t* there;
};
Exchange exchange(std::uint64_t mine) {
    Warp& w = warps[current / wave];
    const unsigned which = w.barrier.opened % 2;
    w.value[which][lane()] = mine;
    w.there[which] |= std::uint64_t(1) << lane();
    wait(w.barrier);
    return {w.value[which], &w.there[which]};
}

}  // namespace

std::uint64_t from_lane(std::uint64_t mine, int from) {
    const Exchange e = exchange(mine);
    constexpr std::uint64_t garbage = ~std::uint64_t(0);  // NaN, of either size
    return *e.there >> from & 1 ? e.value[from] : garbage;
}

const std::uint64_t* of_warp(std::uint64_t mine) { return exchange(mine).value; }

void copy_later(void* to, const void* from, bool there) {
    if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % 16)
        complain("a copy of 16 bytes is not between multiples of 16 bytes");
    threads[current].copies.back().push_back({to, from, there});
}
void end_group() { threads[current].copies.emplace_back(); }
void wait_for_groups(int open) {
    auto& groups = threads[current].copies;
    while (int(groups.size()) - 1 > open) {
        for (const Copy& c : groups.front())
            if (c.there) std::memcpy(c.to, c.from, 16);
            else std::memset(c.to, 0, 16);
        groups.erase(groups.begin());
    }
}

std::uint64_t ballot(bool mine) {
    const Exchange e = exchange(mine);
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < wave; ++i)
        if (*e.there >> i & 1) bits |= e.value[i] << i;
    return bits;
}

}  // namespace stand_in

void plimsoll_stand_in_order(stand_in::Order which) { stand_in::order = which; }
