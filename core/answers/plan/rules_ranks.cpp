#include "core/answers/plan/rules.h"

#include "core/values/basics/integers.h"
#include "core/values/knobs/ranges.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <numeric>

namespace plimsoll {

// ---- Tensor ranks

namespace {

class TensorRules : RuleSet {
public:
    using RuleSet::RuleSet;

    void run() {
        if (m_.heads % m_.kv_heads != 0)
            add(Reason::indivisible, "model.kv_heads", m_.kv_heads, "model.heads", m_.heads,
                nearest_divisors(m_.heads, m_.kv_heads));
        if (l_.on_grid()) grid();
        else line();
    }

private:
    // ---- One dimension

    // A width that tensor ranks cut.
    struct Cut {
        const char* of;
        int width;
        bool replicated = false;   // fewer key heads than ranks are
        bool into(int t) const { return width % t == 0 || (replicated && t % width == 0); }
    };

    std::vector<Cut> cuts() const {
        if (!has_pattern(m_))
            return {{"model.heads", m_.heads}, {"model.kv_heads", m_.kv_heads, true}, {"model.ffn", m_.ffn}};
        std::vector<Cut> all;
        for (const LayerKind& k : m_.kinds) {
            if (k.attends()) {
                const AttentionSizes a = attention_of(m_, k);
                all.push_back({"model.heads", a.heads});
                all.push_back({"model.kv_heads", a.kv_heads, true});
            }
            if (k.recurs()) {
                all.push_back({"model.kinds.recurrence_heads", k.recurrence.heads});
                all.push_back({"model.kinds.recurrence_key_heads", k.recurrence.key_heads});
            }
            if (k.feed == Feed::dense) all.push_back({"model.ffn", ffn_of(m_, k)});
        }
        return all;
    }

    void line() {
        const int t = l_.tensor_parallel;
        const std::vector<Cut> all = cuts();
        const auto splits = [&](int d) { return std::ranges::all_of(all, [d](const Cut& c) { return c.into(d); }); };
        bool told_heads = false;
        for (const Cut& c : all) {
            const bool heads = c.of != std::string_view("model.ffn");
            if (c.into(t) || (heads && told_heads)) continue;
            told_heads = told_heads || heads;
            add(Reason::indivisible, "layout.tensor_parallel", t, c.of, c.width,
                nearest_divisors(all.front().width, t, splits));
        }
        if (l_.sequence_parallel) sequence();
    }

    void sequence() {
        const int t = l_.tensor_parallel, length = s_.recipe.sequence_length;
        const double ranks = 1.0 * t * l_.context_parallel;  // that share the tokens of a sequence
        if (t == 1) add(Reason::incompatible, "layout.sequence_parallel", 1, "layout.tensor_parallel", t, {0});
        else if (std::fmod(length, ranks) != 0)
            add(Reason::indivisible, "recipe.sequence_length", length,
                l_.context_parallel > 1 ? "layout.context_parallel" : "layout.tensor_parallel", ranks,
                nearest_multiples(ranks, length, 1e9));
    }

    // ---- Grid

    // The largest side q of a grid that divides heads, key-value heads, feed-forward width and hidden width. Heads are
    // not split; the grid's rows share the batch.
    int common_width() const { return std::gcd(std::gcd(m_.kv_heads, m_.heads), std::gcd(m_.ffn, m_.hidden)); }

    // Tensor degrees that make such a grid at the depth given.
    std::vector<double> valid_degrees() const {
        std::vector<double> values;
        for (int q : divisors(common_width()))
            if (q >= l_.grid_depth() && 1.0 * q * q * l_.grid_depth() <= 1e6)
                values.push_back(1.0 * q * q * l_.grid_depth());
        return nearest(std::move(values), l_.tensor_parallel);
    }

    void side() {
        const int q = l_.grid_side(), t = l_.tensor_parallel;
        if (q == 0)
            return add(Reason::not_a_grid, "layout.tensor_parallel", t, "layout.tensor_depth", l_.grid_depth(),
                       valid_degrees());
        // The method is made for grids no deeper than wide.
        if (l_.grid_depth() > q)
            add(Reason::out_of_range, "layout.tensor_depth", l_.grid_depth(), "", 0, {1, std::floor(std::cbrt(t))});
        for (const auto& [of, width] : {std::pair{"model.heads", m_.heads},
                                        {"model.kv_heads", m_.kv_heads},
                                        {"model.ffn", m_.ffn},
                                        {"model.hidden", m_.hidden}})
            if (width % q != 0) return add(Reason::not_a_grid, "layout.tensor_parallel", t, of, width, valid_degrees());
    }

    void grid() {
        side();
        if (const int rows = l_.grid_side() * l_.grid_depth(); rows > 0 && l_.micro_batch % rows != 0)
            add(Reason::indivisible, "layout.micro_batch", l_.micro_batch, "layout.tensor_parallel", rows,
                nearest_multiples(rows, l_.micro_batch, 1e6));
        const double mode = double(l_.tensor_mode), line = double(TensorMode::one_d);
        if (l_.sequence_parallel)
            add(Reason::incompatible, "layout.sequence_parallel", 1, "layout.tensor_mode", mode, {0});
        if (has_experts(m_))
            add(Reason::incompatible, "layout.tensor_mode", mode, "model.experts.count", m_.experts.count, {line});
        if (has_recurrence(m_))
            add(Reason::not_modelled, "layout.tensor_mode", mode, "model.kinds.recurrence", 1, {line});
        if (has_latent_attention(m_))
            add(Reason::incompatible, "layout.tensor_mode", mode, "model.latent.kv_rank", m_.latent.kv_rank, {line});
        if (const Optimizer o = s_.recipe.optimizer; kept_by(o).by_matrix != MatrixState::none)
            add(Reason::incompatible, "layout.tensor_mode", mode, "recipe.optimizer", double(o), {line});
    }
};

}  // namespace

void check_tensor(const Scenario& s, std::vector<Obstacle>& found) { TensorRules(s, found).run(); }

// ---- Experts and latent attention

namespace {

class ExpertRules : RuleSet {
public:
    ExpertRules(const Scenario& s, std::vector<Obstacle>& found) : RuleSet(s, found), e_(s.model.experts) {}

    void ranges() {
        if (has_latent_attention(m_))
            within("model.latent.value_dim", m_.latent.value_dim, {1, ranges::latent_width.high});
        if (e_.count == 0) return;
        within("model.experts.top_k", e_.top_k, {1, double(e_.count)});
        within("model.experts.dense_layers", e_.dense_layers, {0, double(m_.layers - 1)});
        if (e_.shared > 0) within("model.experts.shared_ffn", e_.shared_ffn, ranges::width);
    }

    void rules() {
        latent_agreement();
        if (has_experts(m_) || has_latent_attention(m_)) on_a_line();
        if (!has_experts(m_)) return no_experts();
        ranks();
        optimizer();
        if (e_.ffn % l_.expert_tensor_parallel != 0)
            add(Reason::indivisible, "layout.expert_tensor_parallel", l_.expert_tensor_parallel,
                "model.experts.expert_ffn", e_.ffn, nearest_divisors(e_.ffn, l_.expert_tensor_parallel));
        // Every tensor rank sends its own tokens: without sequence parallelism all would send the same ones.
        if (l_.tensor_parallel > 1 && !l_.sequence_parallel)
            add(Reason::incompatible, "layout.sequence_parallel", 0, "layout.tensor_parallel", l_.tensor_parallel, {1});
        const long long replicas = l_.weight_replicas();
        if (l_.shard_group > 0) whole_sets("layout.shard_group", l_.shard_group, replicas);
        if (l_.secondary_shard > 1)
            whole_sets("layout.secondary_shard", l_.secondary_shard, l_.shard_group > 0 ? l_.shard_group : replicas);
    }

private:
    void latent_agreement() {
        if (!has_latent_attention(m_)) return;
        const double head = double(m_.latent.nope_dim) + m_.latent.rope_dim;
        if (m_.head_dim != head)
            add(Reason::incompatible, "model.head_dim", m_.head_dim, "model.latent.nope_dim", m_.latent.nope_dim,
                {head});
        if (m_.kv_heads != m_.heads)
            add(Reason::incompatible, "model.kv_heads", m_.kv_heads, "model.latent.kv_rank", m_.latent.kv_rank,
                {double(m_.heads)});
    }

    // Neither has a plan of its blocks on a q x q grid.
    void on_a_line() {
        if (!l_.on_grid()) return;
        add(Reason::incompatible, "layout.tensor_mode", double(l_.tensor_mode),
            has_experts(m_) ? "model.experts.count" : "model.latent.kv_rank",
            has_experts(m_) ? e_.count : m_.latent.kv_rank, {double(TensorMode::one_d)});
    }

    void no_experts() {
        if (l_.expert_parallel > 1)
            add(Reason::incompatible, "layout.expert_parallel", l_.expert_parallel, "model.experts.count", 0, {1});
        if (l_.expert_tensor_parallel > 1)
            add(Reason::incompatible, "layout.expert_tensor_parallel", l_.expert_tensor_parallel, "model.experts.count",
                0, {1});
    }

    // Ranks that share one copy of the weights hold every expert as often: FSDP shards experts over their replicas in
    // the group.
    void whole_sets(const char* knob, int group, long long of) {
        const long long set = 1LL * l_.expert_parallel * l_.expert_tensor_parallel;
        const auto holds = [&](int ranks) { return 1LL * ranks * l_.tensor_parallel % set == 0; };
        if (holds(group)) return;
        add(Reason::indivisible, knob, group, "layout.expert_parallel", double(set),
            nearest_divisors(int(std::min<long long>(of, INT_MAX)), group, holds));
    }

    // Their factors follow the matrices of a dense layer.
    void optimizer() {
        const Optimizer o = s_.recipe.optimizer;
        if (kept_by(o).by_matrix == MatrixState::none) return;
        add(Reason::incompatible, "recipe.optimizer", double(o), "model.experts.count", e_.count,
            {double(Optimizer::adam), double(Optimizer::sgd)});
    }

    // The ranks of a stage are cut into expert-parallel groups, each rank holding whole experts or a slice of each.
    void ranks() {
        const long long stage = 1LL * l_.tensor_parallel * l_.context_parallel * l_.data_parallel;
        const int e = l_.expert_parallel, slices = l_.expert_tensor_parallel;
        const int groups = int(std::gcd<long long>(stage / slices, e_.count));
        const auto valid = [&] { return groups > 0 ? nearest_divisors(groups, e) : std::vector<double>{1}; };
        if (e_.count % e != 0)
            add(Reason::indivisible, "layout.expert_parallel", e, "model.experts.count", e_.count, valid());
        else if (stage % slices != 0)
            add(Reason::indivisible, "layout.expert_tensor_parallel", slices, "layout.data_parallel", double(stage),
                {1, double(l_.tensor_parallel)});
        else if (stage / slices % e != 0)
            add(Reason::indivisible, "layout.expert_parallel", e, "layout.data_parallel", double(stage / slices),
                valid());
    }

    const Experts& e_;
};

}  // namespace

void check_expert_ranges(const Scenario& s, std::vector<Obstacle>& found) { ExpertRules(s, found).ranges(); }

void check_experts(const Scenario& s, std::vector<Obstacle>& found) { ExpertRules(s, found).rules(); }

}  // namespace plimsoll
