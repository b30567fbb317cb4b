#pragma once
// What a library's fused attention takes on the device: PyTorch's scaled_dot_product_attention, whose kernels are
// FlashAttention, cuDNN and others, in a Python of its own. The engine's own kernel says nothing of them.
//
//   const LibraryAnswer a = ask_library({o, shapes, limit, [] { return stop_requested(); }});
//   for (const LibraryPoint& p : a.points) ... p.seconds;      a.problem   // why there are no more, in a sentence
//
// Nothing that goes wrong there is a failure of a run: what came back is kept, and what is lacking is said. The
// interpreter is the one that PLIMSOLL_PYTHON names, else python3; a plan cannot name one. What it prints is read as
// text of a stranger.

#include "engine/bench/suites.h"
#include "engine/train/run.h"

#include <chrono>

namespace plimsoll::engine {

struct LibraryQuestion {
    const Options& options;                 // device, precision, seconds of a point
    const std::vector<AttentionShape>& shapes;
    std::chrono::milliseconds limit;        // of all of it; importing PyTorch from a busy file system takes a minute
    std::function<bool()> stop;             // asked all the time: an end by somebody's wish
};

struct LibraryPoint {
    std::size_t shape;
    bool backward;
    std::string kernel;                     // flash, cudnn, efficient, math or unknown
    std::vector<double> seconds;            // a call, of every repetition
    int calls = 1;
    long warmup = 0;
    bool starved = false;                   // the device waited for Python
};

struct LibraryAnswer {
    std::string library, device;            // as PyTorch names them
    std::vector<LibraryPoint> points;
    std::string problem;                    // empty: all points are there
    bool stopped = false;
};

LibraryAnswer ask_library(const LibraryQuestion&);

// Its points as `bench` lines, and what is lacking as a `warn` line. On one rank, while the others sleep.
Outcome bench_library(const Options&, const RunPlace&);

}  // namespace plimsoll::engine
