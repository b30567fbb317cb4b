#include "engine/bench/ring.h"
#include "engine/bench/suites.h"

namespace plimsoll::engine {
namespace {

// FLOP of one product over the causal pairs of queries and keys; forward has two, backward five (scores again, four gradients).
double causal_product(const AttentionShape& a) { return 2.0 * a.B * a.H * (0.5 * a.T * (a.T + 1.0)) * a.D; }

template <class Real, class Wide> Point attention_point(const Bench<Real, Wide>& b, const AttentionShape& a, bool backward) {
    const std::size_t tokens = std::size_t(a.B) * std::size_t(a.T), one = tokens * std::size_t(a.H) * std::size_t(a.D);
    const Field qkv{3 * one, type_of<Real>, Fill::normal}, out{one, type_of<Real>}, logsum{tokens * std::size_t(a.H), type_of<Wide>};
    const Field dout{one, type_of<Real>, Fill::normal}, dqkv{3 * one, type_of<Real>};
    return {"attention", {{"pass", backward ? "backward" : "forward"}, {"batch", a.B}, {"tokens", a.T}, {"heads", a.H}, {"head_size", a.D}},
            double(one) * sizeof(Real) * (backward ? 8 : 4), (backward ? 5 : 2) * causal_product(a), [&b, a, backward, qkv, out, logsum, dout, dqkv] {
                auto& kernels = b.kernels;
                const auto forward = [=, &kernels](const Set& s) { kernels.attention(s.at<Real>(1), s.at<Wide>(2), s.at<Real>(0), a); };
                if (!backward) return rotating(b, {qkv, out, logsum}, forward);
                return rotating(b, {qkv, out, logsum, dout, dqkv}, [=, &kernels](const Set& s) {
                    kernels.attention_gradient(s.at<Real>(4), s.at<Real>(3), s.at<Real>(1), s.at<Wide>(2), s.at<Real>(0), a);
                }, forward);
            }};
}

}  // namespace

template <class Real, class Wide> std::vector<Point> attention_points(const Bench<Real, Wide>& b) {
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
