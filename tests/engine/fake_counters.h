#pragma once
// Libraries of makers that are not here, in one: NVML, ROCm SMI and the Power API,
// with counters that a test sets. Opened by its path, as the real ones by name.
//
//   FakeCounters& fake = fake_counters(PLIMSOLL_FAKE_COUNTERS);   fake.boards = 2;  fake.counter[0] += 300;
//
// For processes of their own: FAKE_COUNTERS_W sets watts that run by the clock.

#include <cstdint>
#include <dlfcn.h>

struct FakeCounters {
    unsigned boards = 1;
    char name[64] = "NVIDIA H100";
    std::uint64_t counter[4] = {};        // mJ, counts of 15.3 uJ, or J of the node, by whom is asked
    std::uint64_t counts_per_look = 0;    // added at every look: a counter that moves by itself
    double running_W = 0;                 // by the clock instead
    std::uint64_t power[4] = {300000, 300000, 300000, 300000};  // mW, or uW of ROCm; 0: not told
    unsigned limit_mW = 700000;
    unsigned processes[4] = {};           // that compute on a board
    bool has_counter = true, answers = true;
};

inline FakeCounters& fake_counters(const char* library) {
    void* opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    return **static_cast<FakeCounters**>(dlsym(opened, "fake_counters_state"));
}
