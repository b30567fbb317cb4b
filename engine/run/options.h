#pragma once
// What the engine is asked to do: one training run or one set of benches. Plain values; how they are read from a
// command line, and which of them cannot be run, is in arguments/options_parse.h.

#include "core/values/plan/layout.h"

#include <cstdint>
#include <string>

namespace plimsoll::engine {

enum class Platform : std::uint8_t { cpu, cuda, hip };
inline const char* name_of(Platform p) { return p == Platform::cpu ? "cpu" : p == Platform::cuda ? "cuda" : "hip"; }
enum class RealFormat : std::uint8_t { fp64, fp32, bf16 };   // of the products
inline const char* name_of(RealFormat f) {
    return f == RealFormat::fp64 ? "fp64" : f == RealFormat::fp32 ? "fp32" : "bf16";
}
enum class SampleSource : std::uint8_t { synthetic, text };
enum class BenchCache : std::uint8_t { as_trained, warm, cold };
enum class UpdateRule : std::uint8_t { adamw, sgd };
enum class Flavour : std::uint8_t { gpt2, llama };

struct ModelOptions {
    Flavour flavour = Flavour::gpt2;  // gpt2: LayerNorm, GELU, learned positions, tied head, biases
                                      // llama: RMSNorm, SwiGLU, rotary positions, own head, no biases
    int layers = 6, width = 384, heads = 6;
    int kv_heads = 0;                 // 0: as many as heads
    int ffn = 0;                      // 0: 4 x width; llama: 8/3 x width rounded up to 64
    int vocabulary = 8192, sequence = 256;
};

struct LayoutOptions {
    int data = 1, tensor = 1, pipeline = 1;
    int chunks = 1;                   // model chunks per stage: interleaved 1F1B when above 1
    bool sequence_parallel = false;
    int zero = 0;
    Recompute recompute = Recompute::none;
    int micro_batch = 4, accumulate = 1;  // sequences, micro-batches per rank and step
    bool overlap = false;             // start gradient reductions while the backward pass goes on
    std::string codecs;               // "data=topk:0.01,tensor=fp8": codec per communication dimension
    int ranks() const { return data * tensor * pipeline; }
    int batch() const { return data * micro_batch * accumulate; }
};

struct TrainOptions {
    UpdateRule optimizer = UpdateRule::adamw;
    double rate = 3e-4, decay = 0.1, clip = 1.0;  // clip 0: none
    int warmup = 0, cooldown = 0;     // steps over which the rate rises from zero, and falls to zero at the end
    int steps = 10;
    std::uint64_t seed = 1;
    SampleSource source = SampleSource::synthetic;
    std::string text;                 // a file instead of the bundled book
    std::string weights, tokens;      // tensor files (model/tensor_file.h) instead of drawn ones
};

struct Options {
    ModelOptions model;
    LayoutOptions layout;
    TrainOptions train;
    RealFormat precision = RealFormat::fp32;
    Platform device = Platform::cpu;
    int threads = 0;                  // per rank; 0: all cores for one rank, else 1
    double memory_limit = 0;          // bytes per rank; 0: what the device has
    std::string out, run;             // the log's file and id
    std::string dump;                 // a tensor file of step 1's gradients and the last weights
    std::string storage_directory, check, cancel_file;
    bool stdin_stops = false;         // closing stdin ends the run
    bool predict = false;             // say how much memory every rank would take, and no more
    std::string runs;                 // a file with the options of one run a line, all in this allocation
    std::string mutate;               // a seeded bug, in the build for tests
    std::string bench;                // "gemm,attention,..." (bench/suites.h); empty: train
    double bench_seconds = 0.1;       // for a point, apart from its warm-up
    double bench_bytes = 64 << 20;    // largest message; memory benches take four times as much
    int bench_visits = 1;             // of every point
    bool bench_own = false;           // the model's own shapes only: no cubes, no lengths but its own
    std::string bench_dimension;      // data, tensor or pipeline; empty: every one there is
    BenchCache bench_cache = BenchCache::as_trained;
    std::string calibrate, resume;    // a plan to follow; a log of it that was cut off
    double idle_seconds = 0;  // of rest before the first step and after the last, for the energy over idle; 0: none
    double watchdog = 30;             // seconds without progress
};

}  // namespace plimsoll::engine
