#include "core/answers/plan/check_experts.h"

#include "core/answers/plan/nearest_values.h"

#include <numeric>

namespace plimsoll {

namespace {

class ExpertChecker {
public:
    ExpertChecker(const Scenario& s, std::vector<Obstacle>& found) : s_(s), m_(s.model), e_(s.model.experts), l_(s.layout), found_(found) {}

    void ranges() {
        within("model.experts.count", e_.count, 0, 1 << 16);
        within("model.experts.top_k", e_.top_k, 1, e_.count > 0 ? e_.count : 1 << 16);
        within("model.experts.expert_ffn", e_.ffn, 1, 1e8);
        within("model.experts.shared", e_.shared, 0, 1 << 16);
        within("model.experts.shared_ffn", e_.shared_ffn, e_.count > 0 && e_.shared > 0 ? 1 : 0, 1e8);
        within("model.experts.dense_layers", e_.dense_layers, 0, e_.count > 0 ? m_.layers - 1 : 10000);
        within("model.experts.every", e_.every, 1, 10000);
        within("model.experts.node_limit", e_.node_limit, 0, 1 << 16);
        within("model.experts.capacity", e_.capacity, 0, 1000);
        within("model.experts.imbalance", e_.imbalance, 1, 1000);
        within("model.experts.ratio", e_.ratio, 1e-3, 1);
        latent_ranges();
    }

    void rules() {
        latent_agreement();
        if (has_experts(m_) || has_latent_attention(m_)) on_a_line();
        if (!has_experts(m_)) return no_experts();
        ranks();
        optimizer();
        if (e_.ffn % l_.expert_tensor_parallel != 0)
            add(Reason::indivisible, "layout.expert_tensor_parallel", l_.expert_tensor_parallel, "model.experts.expert_ffn", e_.ffn,
                nearest_divisors(e_.ffn, l_.expert_tensor_parallel));
        // Every tensor rank sends its own tokens: without sequence parallelism all would send the same ones.
        if (l_.tensor_parallel > 1 && !l_.sequence_parallel)
            add(Reason::incompatible, "layout.sequence_parallel", 0, "layout.tensor_parallel", l_.tensor_parallel, {1});
        // What goes to other tiers, and when, is known of equal layers whose states all ranks share alike.
        if (l_.offload.states())
            add(Reason::incompatible, "layout.offload.optimizer_state", double(l_.offload.optimizer), "model.experts.count", e_.count, {double(Tier::device)});
        if (l_.offload.swaps())
            add(Reason::incompatible, "layout.offload.activations", double(l_.offload.activations), "model.experts.count", e_.count, {double(Tier::device)});
        // Experts have other replicas than the rest: groups of one size cannot share both.
        if (l_.shard_group > 0)
            add(Reason::incompatible, "layout.shard_group", l_.shard_group, "model.experts.count", e_.count, {0});
    }

private:
    void add(Reason reason, const char* knob, double found, const char* of, double of_value, std::vector<double> valid) {
        found_.push_back({reason, knob, found, of, of_value, std::move(valid)});
    }
    void within(const char* knob, double value, double low, double high) {
        if (!(value >= low && value <= high)) add(Reason::out_of_range, knob, value, "", 0, {low, high});
    }

    void latent_ranges() {
        const LatentAttention& a = m_.latent;
        const double widest = 1 << 16;
        within("model.latent.kv_rank", a.kv_rank, 0, widest);
        within("model.latent.q_rank", a.q_rank, 0, widest);
        within("model.latent.rope_dim", a.rope_dim, 0, widest);
        within("model.latent.nope_dim", a.nope_dim, 0, widest);
        within("model.latent.value_dim", a.value_dim, has_latent_attention(m_) ? 1 : 0, widest);
    }

    void latent_agreement() {
        if (!has_latent_attention(m_)) return;
        const double head = double(m_.latent.nope_dim) + m_.latent.rope_dim;
        if (m_.head_dim != head) add(Reason::incompatible, "model.head_dim", m_.head_dim, "model.latent.nope_dim", m_.latent.nope_dim, {head});
        if (m_.kv_heads != m_.heads)
            add(Reason::incompatible, "model.kv_heads", m_.kv_heads, "model.latent.kv_rank", m_.latent.kv_rank, {double(m_.heads)});
    }

    // Neither has a plan of its blocks on a q x q grid.
    void on_a_line() {
        if (!l_.on_grid()) return;
        add(Reason::incompatible, "layout.tensor_mode", double(l_.tensor_mode), has_experts(m_) ? "model.experts.count" : "model.latent.kv_rank",
            has_experts(m_) ? e_.count : m_.latent.kv_rank, {double(TensorMode::one_d)});
    }

    void no_experts() {
        if (l_.expert_parallel > 1)
            add(Reason::incompatible, "layout.expert_parallel", l_.expert_parallel, "model.experts.count", 0, {1});
        if (l_.expert_tensor_parallel > 1)
            add(Reason::incompatible, "layout.expert_tensor_parallel", l_.expert_tensor_parallel, "model.experts.count", 0, {1});
    }

    // Their factors follow the matrices of a dense layer.
    void optimizer() {
        const Optimizer o = s_.recipe.optimizer;
        if (!preconditions(o) && o != Optimizer::adafactor) return;
        add(Reason::incompatible, "recipe.optimizer", double(o), "model.experts.count", e_.count, {double(Optimizer::adam), double(Optimizer::sgd)});
    }

    // The ranks of a stage are cut into expert-parallel groups, each rank holding whole experts or a slice of each.
    void ranks() {
        const long long stage = 1LL * l_.tensor_parallel * l_.context_parallel * l_.data_parallel;
        const int e = l_.expert_parallel, slices = l_.expert_tensor_parallel;
        const int groups = int(std::gcd<long long>(stage / slices, e_.count));
        const auto valid = [&] { return groups > 0 ? nearest_divisors(groups, e) : std::vector<double>{1}; };
        if (e_.count % e != 0) add(Reason::indivisible, "layout.expert_parallel", e, "model.experts.count", e_.count, valid());
        else if (stage % slices != 0)
            add(Reason::indivisible, "layout.expert_tensor_parallel", slices, "layout.data_parallel", double(stage), {1, double(l_.tensor_parallel)});
        else if (stage / slices % e != 0)
            add(Reason::indivisible, "layout.expert_parallel", e, "layout.data_parallel", double(stage / slices), valid());
    }

    const Scenario& s_;
    const Model& m_;
    const Experts& e_;
    const Layout& l_;
    std::vector<Obstacle>& found_;
};

}  // namespace

void check_expert_ranges(const Scenario& s, std::vector<Obstacle>& found) { ExpertChecker(s, found).ranges(); }

void check_experts(const Scenario& s, std::vector<Obstacle>& found) { ExpertChecker(s, found).rules(); }

}  // namespace plimsoll
