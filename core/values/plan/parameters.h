#pragma once
// Parameters counted by what optimizers and sharding tell apart, and of them those that are trained.
//
//   Parameters p;
//   p.add(ParameterGroup::matrices, 12e9);
//   p.of_one_rank(8, 1).trained.common() == 1.5e9      // of one of eight tensor ranks

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>

namespace plimsoll {

enum class ParameterGroup {
    matrices,         // all tokens pass
    router,
    vectors,          // norms and biases
    tables,           // embedding, head, positions
    packed,           // matrices of several in one that Muon leaves to Adam: what Mamba-2 projects its inputs by
    routed,           // matrices of the routed experts
    routed_vectors,   // their biases
};
constexpr int parameter_groups = 7;

// Routed experts are spread over ranks of their own and have other replicas.
constexpr bool of_routed_experts(ParameterGroup g) { return g >= ParameterGroup::routed; }
// Two-dimensional weights that multiply tokens, one in each.
constexpr bool of_matrices(ParameterGroup g) { return g == ParameterGroup::matrices || g == ParameterGroup::routed; }

// A number for each group.
struct ByGroup {
    std::array<double, parameter_groups> of{};
    double operator[](ParameterGroup g) const { return of[std::size_t(g)]; }
    double& operator[](ParameterGroup g) { return of[std::size_t(g)]; }
};

class ParameterCounts {
public:
    void add(ParameterGroup g, double n) { whole_[g] += n; }
    void add(double times, const ParameterCounts& o) {   // neither of them shared out
        for (int g = 0; g < parameter_groups; ++g) whole_.of[g] += times * o.whole_.of[g];
    }
    ParameterCounts without(const ParameterCounts& o) const {   // shared out alike
        ParameterCounts rest = *this;
        for (int g = 0; g < parameter_groups; ++g) rest.whole_.of[g] -= o.whole_.of[g];
        return rest;
    }
    ParameterCounts only(std::initializer_list<ParameterGroup> groups) const {   // shared out alike
        ParameterCounts some = *this;
        for (int g = 0; g < parameter_groups; ++g)
            if (std::find(groups.begin(), groups.end(), ParameterGroup(g)) == groups.end()) some.whole_.of[g] = 0;
        return some;
    }
    // What each of so many ranks has, and of the routed experts each of so many others.
    ParameterCounts of_one_rank(double ranks, double expert_ranks) const {
        ParameterCounts one = *this;
        one.ranks_ *= ranks;
        one.expert_ranks_ *= expert_ranks;
        return one;
    }

    double operator[](ParameterGroup g) const { return whole_[g] / (of_routed_experts(g) ? expert_ranks_ : ranks_); }
    double common() const {   // all but the routed experts
        using enum ParameterGroup;
        return (whole_[matrices] + whole_[router] + whole_[vectors] + whole_[tables] + whole_[packed]) / ranks_;
    }
    double routed() const {
        using enum ParameterGroup;
        return (whole_[ParameterGroup::routed] + whole_[routed_vectors]) / expert_ranks_;
    }
    double total() const { return common() + routed(); }

    // visit(value, counts) for the groups that have the same value, together.
    template <class Visit>
    void by_value(const ByGroup& values, Visit visit) const {
        const auto& all = values.of;
        if (std::count(all.begin(), all.end(), all[0]) == parameter_groups) return visit(all[0], *this);
        for (int g = 0; g < parameter_groups; ++g) {
            if (std::find(all.begin(), all.begin() + g, all[g]) != all.begin() + g) continue;   // visited before
            ParameterCounts alike = *this;
            for (int o = 0; o < parameter_groups; ++o)
                if (all[o] != all[g]) alike.whole_.of[o] = 0;
            visit(all[g], alike);
        }
    }

private:
    ByGroup whole_;   // of all ranks
    double ranks_ = 1, expert_ranks_ = 1;
};

// Weights and what gathers them read all; gradients, optimizer states and the traffic of gradients and of new weights
// read those that are trained. Recipes with fewer than 16 bits convert the matrices of layers that do not keep them.
struct Parameters {
    ParameterCounts all, trained, converted;
    // Everything is trained, unless said otherwise; adapters stay in 16 bits.
    void add(ParameterGroup g, double n, bool is_trained = true, bool is_adapter = false) {
        all.add(g, n);
        if (is_trained) trained.add(g, n);
        if (of_matrices(g) && !is_adapter) converted.add(g, n);
    }
    void add(double times, const Parameters& o) {
        all.add(times, o.all);
        trained.add(times, o.trained);
        converted.add(times, o.converted);
    }
    Parameters of_one_rank(double ranks, double expert_ranks) const {
        return {all.of_one_rank(ranks, expert_ranks), trained.of_one_rank(ranks, expert_ranks),
                converted.of_one_rank(ranks, expert_ranks)};
    }
};

}  // namespace plimsoll
