#pragma once
// What the engine is asked to do: one training run or one set of benches, as
// given on the command line.
//
//   Options o; CLI::App app; describe(app, o); app.parse(argc, argv);
//   for (const std::string& problem : problems(o)) ...     // empty: it can be run

#include "engine/kernels/kernels.h"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI { class App; }

namespace plimsoll::engine {

enum class Recompute : std::uint8_t { none, selective, full };
enum class Device : std::uint8_t { cpu, cuda };
enum class Precision : std::uint8_t { fp64, fp32, bf16 };
enum class Source : std::uint8_t { synthetic, text };
enum class Offload : std::uint8_t { none, host, file };
enum class Optimizer : std::uint8_t { adamw, sgd };
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
    Offload offload = Offload::none;  // where activations wait for the backward pass
    std::string codecs;               // "data=topk:0.01,tensor=fp8": codec per communication dimension
    int ranks() const { return data * tensor * pipeline; }
    int batch() const { return data * micro_batch * accumulate; }
};

struct TrainOptions {
    Optimizer optimizer = Optimizer::adamw;
    double rate = 1e-3, decay = 0.1, clip = 1.0;  // clip 0: none
    int warmup = 0, steps = 10;
    std::uint64_t seed = 1;
    Source source = Source::synthetic;
};

struct Options {
    ModelOptions model;
    LayoutOptions layout;
    TrainOptions train;
    Precision precision = Precision::fp32;
    Device device = Device::cpu;
    int threads = 0;                  // per rank; 0: all cores for one rank, else 1
    bool profile = false;             // drain the device's queue at every phase change (CUDA)
    double memory_limit = 0;          // bytes per rank; 0: what the device has
    std::string out, dump, offload_directory, check, cancel_file;
    std::string runs;                 // a file with the options of one run a line, all in this allocation
    std::string bench;                // "gemm,attention,..."; empty: train
    double watchdog = 30;             // seconds without progress
    bool stdin_stops = false;         // the end of standard input is a request to stop
};

void describe(CLI::App&, Options&);
// Everything that keeps this from being run on `ranks` ranks, each with the nearest values that would work.
std::vector<std::string> problems(const Options&, int ranks);

}  // namespace plimsoll::engine
