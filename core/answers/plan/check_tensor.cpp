#include "core/answers/plan/check_tensor.h"

#include "core/answers/plan/nearest_values.h"

#include <cmath>
#include <numeric>

namespace plimsoll {

namespace {

class TensorChecker {
public:
    TensorChecker(const Scenario& s, std::vector<Obstacle>& found) : s_(s), m_(s.model), l_(s.layout), found_(found) {}

    void run() {
        if (m_.heads % m_.kv_heads != 0)
            add(Reason::indivisible, "model.kv_heads", m_.kv_heads, "model.heads", m_.heads, nearest_divisors(m_.heads, m_.kv_heads));
        if (l_.on_grid()) grid();
        else line();
    }

private:
    void add(Reason reason, const char* knob, double found, const char* of, double of_value, std::vector<double> valid) {
        found_.push_back({reason, knob, found, of, of_value, std::move(valid)});
    }

    // ---- One dimension

    bool splits_heads(int t) const {
        const bool kv = m_.kv_heads % t == 0 || t % m_.kv_heads == 0;  // fewer key heads than ranks are replicated
        return m_.heads % t == 0 && m_.ffn % t == 0 && kv;
    }

    void line() {
        const int t = l_.tensor_parallel;
        const auto valid = [&] { return nearest_divisors(m_.heads, t, [this](int d) { return splits_heads(d); }); };
        if (m_.heads % t != 0) add(Reason::indivisible, "layout.tensor_parallel", t, "model.heads", m_.heads, valid());
        else if (m_.kv_heads % t != 0 && t % m_.kv_heads != 0)
            add(Reason::indivisible, "layout.tensor_parallel", t, "model.kv_heads", m_.kv_heads, valid());
        if (m_.ffn % t != 0) add(Reason::indivisible, "layout.tensor_parallel", t, "model.ffn", m_.ffn, valid());
        if (l_.sequence_parallel) sequence();
    }

    void sequence() {
        const int t = l_.tensor_parallel, length = s_.recipe.sequence_length;
        const double ranks = 1.0 * t * l_.context_parallel;  // that share the tokens of a sequence
        if (t == 1) add(Reason::incompatible, "layout.sequence_parallel", 1, "layout.tensor_parallel", t, {0});
        else if (std::fmod(length, ranks) != 0)
            add(Reason::indivisible, "recipe.sequence_length", length,
                l_.context_parallel > 1 ? "layout.context_parallel" : "layout.tensor_parallel", ranks, nearest_multiples(ranks, length, 1e9));
    }

    // ---- Grid

    // Sides every width of a layer can be cut by: heads whole, their batch left to the rows.
    int common_width() const { return std::gcd(std::gcd(m_.kv_heads, m_.heads), std::gcd(m_.ffn, m_.hidden)); }

    // Tensor degrees that make such a grid at the depth given.
    std::vector<double> valid_degrees() const {
        std::vector<double> values;
        for (int q : divisors(common_width()))
            if (q >= l_.grid_depth() && 1.0 * q * q * l_.grid_depth() <= 1e6) values.push_back(1.0 * q * q * l_.grid_depth());
        return nearest(std::move(values), l_.tensor_parallel);
    }

    void side() {
        const int q = l_.grid_side(), t = l_.tensor_parallel;
        if (q == 0) return add(Reason::not_a_grid, "layout.tensor_parallel", t, "layout.tensor_depth", l_.grid_depth(), valid_degrees());
        // The method is made for grids no deeper than wide.
        if (l_.grid_depth() > q)
            add(Reason::out_of_range, "layout.tensor_depth", l_.grid_depth(), "", 0, {1, std::floor(std::cbrt(t))});
        for (const auto& [of, width] : {std::pair{"model.heads", m_.heads}, {"model.kv_heads", m_.kv_heads}, {"model.ffn", m_.ffn}, {"model.hidden", m_.hidden}})
            if (width % q != 0) return add(Reason::not_a_grid, "layout.tensor_parallel", t, of, width, valid_degrees());
    }

    void grid() {
        side();
        if (const int rows = l_.grid_side() * l_.grid_depth(); rows > 0 && l_.micro_batch % rows != 0)
            add(Reason::indivisible, "layout.micro_batch", l_.micro_batch, "layout.tensor_parallel", rows, nearest_multiples(rows, l_.micro_batch, 1e6));
        const double mode = double(l_.tensor_mode), line = double(TensorMode::one_d);
        if (l_.sequence_parallel) add(Reason::incompatible, "layout.sequence_parallel", 1, "layout.tensor_mode", mode, {0});
        if (has_experts(m_)) add(Reason::incompatible, "layout.tensor_mode", mode, "model.experts.count", m_.experts.count, {line});
        if (has_latent_attention(m_)) add(Reason::incompatible, "layout.tensor_mode", mode, "model.latent.kv_rank", m_.latent.kv_rank, {line});
        if (const Optimizer o = s_.recipe.optimizer; preconditions(o) || o == Optimizer::adafactor)
            add(Reason::incompatible, "layout.tensor_mode", mode, "recipe.optimizer", double(o), {line});
    }

    const Scenario& s_;
    const Model& m_;
    const Layout& l_;
    std::vector<Obstacle>& found_;
};

}  // namespace

void check_tensor(const Scenario& s, std::vector<Obstacle>& found) { TensorChecker(s, found).run(); }

}  // namespace plimsoll
