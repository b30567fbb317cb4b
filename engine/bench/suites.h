#pragma once
// The benches there are, and the points of each on a given layout and model.
//
//   for (const Suite& suite : suites) ... suite.name, suite.about
//   std::vector<Point> points = gemm_points(bench);

#include "engine/bench/point.h"

namespace plimsoll::engine {

struct Suite {
    const char *name, *about;
};
inline constexpr Suite suites[] = {
    {"gemm", "products of the model's own shapes (QKV, out, up, down, head; tensor shares 1, 2, 4; two token counts) and cubes, in the three forms training uses"},
    {"attention", "forward and backward, 256 to 2048 tokens, heads of 64 and 128"},
    {"elementwise", "norm, activation and residual, forward and backward, three token counts"},
    {"stream", "y = x + z over working sets from a quarter of the second-level cache to eight times the last"},
    {"adamw", "the optimizer at three sizes"},
    {"collectives", "all-reduce, reduce-scatter, all-gather and broadcast over each dimension of the layout, 1 KiB to --bench-size; results are checked"},
    {"p2p", "messages between pipeline stages: ping-pong of pairs, and all stages at once; results are checked"},
    {"hostlink", "copies between host and device memory"},
    {"storage", "writing with fsync and reading back in --offload-directory, by all ranks and by one"},
    {"launch", "a layer's share of a step of 16 tokens, from two depths"},
    {"overlap", "a product, a collective, and both at once"},
    {"power", "watts at rest, streaming, multiplying and adding up messages, five seconds each; at once over where no counter can be read"},  // last: no points
};

// One definition a file, for the three pairs of Real and Wide kernels know.
template <class Real, class Wide> std::vector<Point> gemm_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> attention_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> elementwise_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> stream_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> adamw_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> collective_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> message_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> host_link_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> storage_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> launch_points(const Bench<Real, Wide>&);
template <class Real, class Wide> std::vector<Point> overlap_points(const Bench<Real, Wide>&);

#define PLIMSOLL_POINTS(function)                                                     \
    template std::vector<Point> function(const Bench<double, double>&);               \
    template std::vector<Point> function(const Bench<float, float>&);                 \
    template std::vector<Point> function(const Bench<bf16, float>&)

// 1 KiB, 4 KiB ... up to `most` bytes.
inline std::vector<double> message_sizes(double most) {
    std::vector<double> sizes;
    for (double s = 1024; s <= most; s *= 4) sizes.push_back(s);
    return sizes;
}

}  // namespace plimsoll::engine
