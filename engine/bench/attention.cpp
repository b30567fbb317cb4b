#include "engine/bench/ring.h"
#include "engine/bench/suites.h"

namespace plimsoll::engine {
namespace {

// FLOP of one product over the causal pairs of queries and keys; forward has two, backward five (scores again, four gradients).
double causal_product(const AttentionShape& a) { return 2.0 * a.B * a.H * (0.5 * a.T * (a.T + 1.0)) * a.D; }

template <class Real, class Wide> Point attention_point(const Bench<Real, Wide>& b, const AttentionShape& a, bool backward) {
    const std::size_t tokens = std::size_t(a.B) * std::size_t(a.T), one = tokens * std::size_t(a.H) * std::size_t(a.D);
    const std::size_t all = one + 2 * tokens * std::size_t(a.K) * std::size_t(a.D);  // queries, keys and values
    const Field qkv{all, type_of<Real>, Fill::normal}, out{one, type_of<Real>}, logsum{tokens * std::size_t(a.H), type_of<Wide>};
    const Field dout{one, type_of<Real>, Fill::normal}, dqkv{all, type_of<Real>};
    return {"attention", {{"pass", backward ? "backward" : "forward"}, {"batch", a.B}, {"tokens", a.T}, {"heads", a.H}, {"head_size", a.D}},
            double(one + all) * sizeof(Real) * (backward ? 2 : 1), (backward ? 5 : 2) * causal_product(a), [&b, a, backward, qkv, out, logsum, dout, dqkv] {
                auto& kernels = b.kernels;
                const auto forward = [=, &kernels](const Set& s) { kernels.attention(s.at<Real>(1), s.at<Wide>(2), s.at<Real>(0), a); };
                if (!backward) return rotating(b, {qkv, out, logsum}, forward);
                return rotating(b, {qkv, out, logsum, dout, dqkv}, [=, &kernels](const Set& s) {
                    kernels.attention_gradient(s.at<Real>(4), s.at<Real>(3), s.at<Real>(1), s.at<Wide>(2), s.at<Real>(0), a);
                }, forward);
            }};
}

}  // namespace

// The model's own: a micro-batch and a single sequence, with all heads and half of them, and of twice the length.
template <class Real, class Wide> std::vector<Point> own_attention(const Bench<Real, Wide>& b) {
    const Shape& s = b.shape;
    std::vector<Point> points;
    for (const int batch : {b.options.layout.micro_batch, 1})
        for (const auto& [T, share] : {std::pair{s.sequence, 1}, {s.sequence, 2}, {2 * s.sequence, 1}})
            for (const bool backward : {false, true})
                if (s.heads % share == 0 && s.kv_heads % share == 0)
                    points.push_back(attention_point(b, {batch, T, s.heads / share, s.kv_heads / share, s.head_size}, backward));
    return points;
}

template <class Real, class Wide> std::vector<Point> attention_points(const Bench<Real, Wide>& b) {
    if (b.options.bench_own) return own_attention(b);
    const int tokens = std::max(2048, b.options.layout.micro_batch * b.shape.sequence);
    std::vector<Point> points;
    for (const int T : {256, 1024, 2048})
        for (const int D : {64, 128})
            for (const bool backward : {false, true}) {
                const int heads = std::max(1, b.shape.width / D);
                points.push_back(attention_point(b, {tokens / T, T, heads, heads, D}, backward));
            }
    return points;
}
PLIMSOLL_POINTS(attention_points);

}  // namespace plimsoll::engine
