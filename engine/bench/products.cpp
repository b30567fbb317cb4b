#include "engine/bench/buffers.h"
#include "engine/bench/suites.h"
#include "engine/train/embedding_loss.h"

#include <set>
#include <tuple>

namespace plimsoll::engine {

namespace {

enum class Form : std::uint8_t { forward, input_gradient, weight_gradient };
constexpr const char* form_names[] = {"forward", "input_gradient", "weight_gradient"};

struct Product {
    const char* name;
    int tensor, m, n, k;  // y[m,n] = x[m,k] w[n,k]^T on each of `tensor` ranks
};

// Products of a layer and of the head, which is worked on in pieces of rows, on `rows` tokens.
void add_model(std::vector<Product>& list, const Options& o, const Shape& s, int rows, std::size_t element) {
    for (const int tp : {1, 2, 4}) {
        if (tp > 2 && o.bench_own) continue;
        if (s.heads % tp || s.kv_heads % tp || s.ffn % tp) continue;
        const int padded = vocabulary_share(s, 0, tp).padded,
                  head = std::min(rows, logit_rows(o.device, std::size_t(padded) * element, rows));
        list.push_back({"qkv", tp, rows, (s.queries() + 2 * s.keys()) / tp, s.width});
        list.push_back({"out", tp, rows, s.width, s.queries() / tp});
        list.push_back({"up", tp, rows, s.up_width() / tp, s.width});
        list.push_back({"down", tp, rows, s.width, s.ffn / tp});
        list.push_back({"head", tp, head, vocabulary_share(s, 0, tp).rows, s.width});
    }
}

template <class Real, class Wide> Point product_point(const Bench<Real, Wide>& b, const Product& p, Form form) {
    const double m = p.m, n = p.n, k = p.k;
    const std::size_t mk = std::size_t(m * k), nk = std::size_t(n * k), mn = std::size_t(m * n);
    const double bytes = form == Form::weight_gradient
                           ? double(mk + mn) * sizeof(Real) + 2.0 * double(nk) * sizeof(Wide)  // read and added to
                           : double(mk + nk + mn) * sizeof(Real);
    const Field x{mk, type_of<Real>, Fill::normal}, w{nk, type_of<Real>, Fill::normal},
        y{mn, type_of<Real>, Fill::normal};
    return {"gemm",
            {{"product", p.name},
             {"form", form_names[int(form)]},
             {"tp", p.tensor},
             {"m", p.m},
             {"n", p.n},
             {"k", p.k}},
            bytes,
            2 * m * n * k,
            [&b, p, form, x, w, y] {
                auto& kernels = b.kernels;
                switch (form) {
                case Form::forward:
                    return rotating(b, {y, x, w}, [=, &kernels](const Set& s) {
                        kernels.linear(s.at<Real>(0), s.at<Real>(1), s.at<Real>(2), nullptr, p.m, p.n, p.k);
                    });
                case Form::input_gradient:
                    return rotating(b, {x, y, w}, [=, &kernels](const Set& s) {
                        kernels.linear_input_gradient(s.at<Real>(0), s.at<Real>(1), s.at<Real>(2), p.m, p.n, p.k);
                    });
                case Form::weight_gradient: break;
                }
                return rotating(b, {{w.count, type_of<Wide>}, y, x}, [=, &kernels](const Set& s) {
                    kernels.linear_weight_gradient(s.at<Wide>(0), s.at<Real>(1), s.at<Real>(2), p.m, p.n, p.k);
                });
            }};
}

}  // namespace

template <class Real, class Wide> std::vector<Point> gemm_points(const Bench<Real, Wide>& b) {
    const int rows = b.options.layout.micro_batch * b.shape.sequence;
    std::vector<Product> products;
    for (const int r : {rows, std::max(1, rows / 4)}) add_model(products, b.options, b.shape, r, sizeof(Real));
    if (!b.options.bench_own)
        for (const int side : {256, 512, 1024}) products.push_back({"cube", 1, side, side, side});
    std::vector<Point> points;
    std::set<std::tuple<int, int, int>> seen;
    for (const Product& p : products)
        if (seen.insert({p.m, p.n, p.k}).second)
            for (const Form form : {Form::forward, Form::input_gradient, Form::weight_gradient})
                points.push_back(product_point(b, p, form));
    return points;
}
PLIMSOLL_POINTS(gemm_points);

namespace {

// FLOP of one product over the causal pairs of queries and keys; forward has two, backward five (scores again, four
// gradients).
double causal_product(const AttentionShape& a) { return 2.0 * a.B * a.H * (0.5 * a.T * (a.T + 1.0)) * a.D; }

template <class Real, class Wide>
Point attention_point(const Bench<Real, Wide>& b, const AttentionShape& a, bool backward) {
    const std::size_t tokens = std::size_t(a.B) * std::size_t(a.T), one = tokens * std::size_t(a.H) * std::size_t(a.D);
    const std::size_t all = one + 2 * tokens * std::size_t(a.K) * std::size_t(a.D);  // queries, keys and values
    const Field qkv{all, type_of<Real>, Fill::normal}, out{one, type_of<Real>},
        logsum{tokens * std::size_t(a.H), type_of<Wide>};
    const Field dout{one, type_of<Real>, Fill::normal}, dqkv{all, type_of<Real>};
    Point point = attention_line("attention", a, backward);
    point.bytes = double(one + all) * sizeof(Real) * (backward ? 2 : 1);
    point.prepare = [&b, a, backward, qkv, out, logsum, dout, dqkv] {
        auto& kernels = b.kernels;
        const auto forward = [=, &kernels](const Set& s) {
            kernels.attention(s.at<Real>(1), s.at<Wide>(2), s.at<Real>(0), a);
        };
        if (!backward) return rotating(b, {qkv, out, logsum}, forward);
        return rotating(
            b, {qkv, out, logsum, dout, dqkv},
            [=, &kernels](const Set& s) {
                kernels.attention_gradient(s.at<Real>(4), s.at<Real>(3), s.at<Real>(1), s.at<Wide>(2), s.at<Real>(0),
                                           a);
            },
            forward);
    };
    return point;
}

// The model's own: a micro-batch and a single sequence, with all heads and half of them, and of twice the length.
std::vector<AttentionShape> own_shapes(const Options& o, const Shape& s) {
    std::vector<AttentionShape> shapes;
    for (const int batch : {o.layout.micro_batch, 1})
        for (const auto& [T, share] : {std::pair{s.sequence, 1}, {s.sequence, 2}, {2 * s.sequence, 1}})
            if (s.heads % share == 0 && s.kv_heads % share == 0)
                shapes.push_back({batch, T, s.heads / share, s.kv_heads / share, s.head_size});
    return shapes;
}

}  // namespace

Point attention_line(const char* kind, const AttentionShape& a, bool backward) {
    return {kind,
            {{"pass", backward ? "backward" : "forward"},
             {"batch", a.B},
             {"tokens", a.T},
             {"heads", a.H},
             {"head_size", a.D}},
            0,
            (backward ? 5 : 2) * causal_product(a),
            {}};
}

std::vector<AttentionShape> library_shapes(const Options& o) {
    const Shape s = shape_of(o.model);
    std::vector<AttentionShape> shapes = own_shapes(o, s);
    const int other = s.head_size == 128 ? 64 : 128, heads = std::max(1, s.queries() / other);
    shapes.push_back({o.layout.micro_batch, s.sequence, heads, heads, other});
    for (AttentionShape& a : shapes) a.K = a.H;
    return shapes;
}

template <class Real, class Wide> std::vector<Point> attention_points(const Bench<Real, Wide>& b) {
    std::vector<Point> points;
    if (b.options.bench_own) {
        for (const AttentionShape& a : own_shapes(b.options, b.shape))
            for (const bool backward : {false, true}) points.push_back(attention_point(b, a, backward));
        return points;
    }
    const int tokens = std::max(2048, b.options.layout.micro_batch * b.shape.sequence);
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
