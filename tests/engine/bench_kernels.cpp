// Where the time of one training step goes, kernel by kernel: GPT of 6 layers, 384 wide, 8,192 tokens of vocabulary, as
// one rank sees it. Not a test: it prints, for people, and judges nothing.
//
//   bench_kernels [sequences of 256 tokens, 2] [threads, 1] [rounds, 15] [bf16]
//
// Every round runs every kernel once, so that a slow moment of the machine falls on all; each kernel's best round
// counts, since a loaded machine only ever adds time. The ceiling is the library's own product of 1024 x 1024
// matrices, the last column what share of it a kernel reaches.

#include "engine/kernels/blas.h"
#include "engine/kernels/cpu.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>

using namespace plimsoll::engine;

namespace {

constexpr int layers = 6, C = 384, H = 6, D = 64, T = 256, V = 8192, F = 4 * C, chunk = 128;

struct Item {
    std::string name, part;
    double calls, flop;  // calls in a step, floating-point operations in one
    std::function<void()> run;
    std::vector<double> seconds = {};
};

double seconds_of(const std::function<void()>& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
double best(const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); }

// One rank's arrays. Each kernel gets arrays of its own, as in a step, where a layer's data are long out of the cache.
struct Bench {
    std::unique_ptr<Kernels<float, float>> k;
    int R;
    AttentionShape shape;
    std::mt19937 dice{1};
    std::vector<Item> items;
    std::vector<std::int32_t> ids;

    Bench(int sequences, int threads, ProductLibrary library)
        : k(cpu_kernels<float>(threads, library)), R(sequences * T), shape{sequences, T, H, H, D} {
        for (int r = 0; r < R; ++r) ids.push_back(int(dice() % V));
    }
    float* array(std::size_t n, float deviation = 1) {
        auto* x = static_cast<float*>(k->allocate(n * sizeof(float)));
        std::normal_distribution<float> normal(0, deviation);
        for (std::size_t i = 0; i < n; ++i) x[i] = normal(dice);
        return x;
    }
    float* rows(int width) { return array(std::size_t(R) * std::size_t(width)); }

    void product(const char* name, int n, int kk, int m, double calls) {
        const double flop = 2.0 * m * n * kk;
        float *x = rows(kk), *w = array(std::size_t(n) * std::size_t(kk), 0.02f), *y = rows(n),
              *b = array(std::size_t(n));
        const std::string base = name;
        items.push_back({base + " forward", "gemm", calls, flop, [=, this] { k->linear(y, x, w, b, m, n, kk); }});
        items.push_back(
            {base + " dx", "gemm", calls, flop, [=, this] { k->linear_input_gradient(x, y, w, m, n, kk); }});
        items.push_back(
            {base + " dw", "gemm", calls, flop, [=, this] { k->linear_weight_gradient(w, y, x, m, n, kk); }});
        if (n != V)
            items.push_back({base + " db", "elementwise", calls, 0, [=, this] { k->bias_gradient(b, y, m, n); }});
    }
    void products() {
        product("qkv", 3 * C, C, R, layers);
        product("proj", C, C, R, layers);
        product("up", F, C, R, layers);
        product("down", C, F, R, layers);
        product("head", V, C, chunk, double(R) / chunk);
    }
    void attention() {
        float *qkv = rows(3 * C), *out = rows(C), *dqkv = rows(3 * C), *dout = rows(C);
        float* logsum = array(std::size_t(R) * H);
        const double pairs = 0.5 * shape.B * H * T * (T + 1.0), one = 2.0 * pairs * D;  // a product over causal pairs
        items.push_back(
            {"attention", "attention", layers, 2 * one, [=, this] { k->attention(out, logsum, qkv, shape); }});
        items.push_back({"attention gradient", "attention", layers, 5 * one,
                         [=, this] { k->attention_gradient(dqkv, dout, out, logsum, qkv, shape); }});
    }
    void elementwise() {
        float *x = rows(C), *y = rows(C), *z = rows(C), *stats = array(std::size_t(R) * 2), *gain = array(C),
              *bias = array(C);
        float *u = rows(F), *v = rows(F);
        items.push_back({"norm", "elementwise", 2 * layers + 1, 0,
                         [=, this] { k->norm(y, stats, x, gain, bias, R, C, Norm::layer); }});
        items.push_back({"norm gradient", "elementwise", 2 * layers + 1, 0,
                         [=, this] { k->norm_gradient(z, gain, bias, y, x, gain, stats, R, C, Norm::layer); }});
        items.push_back(
            {"residual", "elementwise", 2 * layers, 0, [=, this] { k->add_residual(z, x, y, bias, R, C); }});
        items.push_back({"gelu", "elementwise", layers, 0, [=, this] { k->activate(u, v, R, F, Activation::gelu); }});
        items.push_back({"gelu gradient", "elementwise", layers, 0,
                         [=, this] { k->activate_gradient(u, u, v, R, F, Activation::gelu); }});
    }
    void ends() {
        float *table = array(std::size_t(V) * C), *x = rows(C), *logits = array(std::size_t(chunk) * V);
        items.push_back({"embed", "ends", 1, 0, [=, this] { k->embed(x, table, ids.data(), R, C, 0, V); }});
        items.push_back(
            {"embed gradient", "ends", 1, 0, [=, this] { k->embed_gradient(table, x, ids.data(), R, C, 0, V); }});
        items.push_back({"cross-entropy", "ends", double(R) / chunk, 0, [=, this] {
                             static double loss = 0;
                             k->cross_entropy_whole(&loss, logits, ids.data(), chunk, V, 1);
                         }});
    }
    void update() {
        const std::size_t n = std::size_t(V + T) * C + std::size_t(layers) * (12 * C + 13) * C;
        float *w = array(n), *g = array(n), *m = array(n), *v = array(n);
        std::for_each(v, v + n, [](float& x) { x = x * x; });
        items.push_back({"adamw", "optimizer", 1, 0, [=, this] {
                             k->adamw(w, w, g, m, v, n,
                                      {.rate = 1e-6, .correction1 = 0.5, .correction2 = 0.5, .gradient_scale = 1});
                         }});
        items.push_back({"sum of squares", "optimizer", 1, 0, [=, this] {
                             static double sum = 0;
                             k->sum_squares(&sum, g, n);
                         }});
    }
    void ceiling() {
        float *a = array(1 << 20), *b = array(1 << 20), *c = array(1 << 20);
        items.push_back({"1024^3", "ceiling", 0, 2.0 * (1 << 30), [=] {
                             gemm(preferred_library(), Flip::no, Flip::yes, {1024, 1024, 1024}, 1.f, a, 1024, b, 1024,
                                  0.f, c, 1024);
                         }});
    }
};

void print(const std::vector<Item>& items, int R) {
    const Item& top = items.back();
    const double rate = top.flop / best(top.seconds);
    double step = 0, flop = 0;
    for (const Item& i : items) {
        step += i.calls * best(i.seconds);
        flop += i.calls * i.flop;
    }
    std::printf("%-22s %9s %7s %8s %8s\n", "kernel", "us", "step %", "GF/s", "ceiling");
    for (const Item& i : items)
        std::printf("%-22s %9.1f %7.2f %8.1f %8.2f\n", i.name.c_str(), best(i.seconds) * 1e6,
                    100 * i.calls * best(i.seconds) / step, i.flop / best(i.seconds) / 1e9,
                    i.flop / best(i.seconds) / rate);
    for (const char* part : {"gemm", "attention", "elementwise", "ends", "optimizer"}) {
        double sum = 0;
        for (const Item& i : items)
            if (i.part == part) sum += i.calls * best(i.seconds);
        std::printf("%-22s %9.1f %7.2f\n", part, sum * 1e6, 100 * sum / step);
    }
    std::printf("step %.1f ms, %.0f tokens/s, %.1f GF/s of %.1f: %.3f of the ceiling\n", step * 1e3, R / step,
                flop / step / 1e9, rate / 1e9, flop / step / rate);
}

}  // namespace

int main(int argc, char** argv) {
    const auto argument = [&](int i, int otherwise) { return argc > i ? std::max(1, std::atoi(argv[i])) : otherwise; };
    const bool bf16 = argc > 4 && std::string(argv[4]) == "bf16";
    if (bf16 && !has_bf16_products()) return std::puts("this processor has no AVX512_BF16"), 1;
    const ProductLibrary library = bf16 ? ProductLibrary::bf16 : preferred_library();
    Bench bench(argument(1, 2), argument(2, 1), library);
    std::printf("%s\n", describe(library).c_str());
    bench.products();
    bench.attention();
    bench.elementwise();
    bench.ends();
    bench.update();
    bench.ceiling();
    for (Item& i : bench.items) i.run();
    for (int round = 0; round < argument(3, 15); ++round)
        for (Item& i : bench.items) i.seconds.push_back(seconds_of(i.run));
    print(bench.items, bench.R);
}
