#include "core/values/plan/split_in_order.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace plimsoll {

namespace {

// The best split of so many first layers over so many first stages.
struct BestSplit {
    double longest = std::numeric_limits<double>::infinity(), squares = 0;
    int before_last = -1;   // layers before its last stage
    bool better_than(const BestSplit& o) const {
        return longest != o.longest ? longest < o.longest : squares < o.squares;
    }
};

class Balancing {
public:
    Balancing(std::span<const double> layers, std::span<const StageRoom> stages, std::span<const char> may_begin)
        : stages_(stages), may_begin_(may_begin), n_(int(layers.size())), p_(int(stages.size())), sums_(n_ + 1, 0.0),
          best_(std::size_t(p_ + 1) * (n_ + 1)) {
        for (int i = 0; i < n_; ++i) sums_[i + 1] = sums_[i] + layers[i];
        for (const StageRoom& room : stages_) rates_ += room.rate;
        enough_ = longest_by_shares();
        best(0, 0).longest = 0;
        for (int stages_filled = 1; stages_filled <= p_; ++stages_filled) fill(stages_filled);
    }

    bool possible() const { return best_.back().before_last >= 0; }
    std::vector<int> layers() {
        std::vector<int> taken(p_);
        for (int stages = p_, end = n_; stages > 0; --stages) {
            const int begin = best(stages, end).before_last;
            taken[stages - 1] = end - begin;
            end = begin;
        }
        return taken;
    }

private:
    BestSplit& best(int stages, int layers) { return best_[std::size_t(stages) * (n_ + 1) + layers]; }
    bool may_end_before(int layer) const { return layer == n_ || may_begin_.empty() || may_begin_[layer]; }

    // The longest stage of a split that lets every stage end where the layers so far come to its share of them.
    double longest_by_shares() const {
        double rates = 0, longest = 0;
        int begin = 0;
        for (int i = 0; i < p_; ++i) {
            rates += stages_[i].rate;
            const auto share = std::lower_bound(sums_.begin(), sums_.end(), sums_.back() * rates / rates_);
            int end = i == p_ - 1 ? n_ : std::clamp(int(share - sums_.begin()), begin + 1, n_ - (p_ - 1 - i));
            while (end < n_ - (p_ - 1 - i) && !may_end_before(end)) ++end;
            if (!may_end_before(end)) return std::numeric_limits<double>::infinity();
            longest = std::max(longest, (sums_[end] - sums_[begin] + stages_[i].extra) / stages_[i].rate);
            begin = end;
        }
        return longest;
    }

    // Leaves one layer at least for every stage behind, and neither to the stages so far nor to those behind more than
    // they can do in as long as that split takes.
    void fill(int stages) {
        double rates = 0;
        for (int i = 0; i < stages; ++i) rates += stages_[i].rate;
        constexpr double rounding = 1 + 1e-12;
        const double most = rounding * enough_ * rates, least = sums_.back() - rounding * enough_ * (rates_ - rates);
        if (stages == p_) best(p_, n_) = best_of(p_, n_);
        for (int end = stages; end <= n_ - (p_ - stages) && stages < p_; ++end)
            if (sums_[end] >= least && sums_[end] <= most && may_end_before(end))
                best(stages, end) = best_of(stages, end);
    }
    // From the shortest last stage to longer ones, until that alone is longer than what was found.
    BestSplit best_of(int stages, int end) {
        const StageRoom& room = stages_[stages - 1];
        BestSplit found;
        for (int begin = end - 1; begin >= stages - 1; --begin) {
            const double time = (sums_[end] - sums_[begin] + room.extra) / room.rate;
            if (time > found.longest) break;
            const BestSplit& before = best(stages - 1, begin);
            if (begin > 0 && before.before_last < 0) continue;
            const BestSplit here{std::max(before.longest, time), before.squares + time * time, begin};
            if (here.better_than(found)) found = here;
        }
        return found;
    }

    const std::span<const StageRoom> stages_;
    const std::span<const char> may_begin_;
    const int n_, p_;
    std::vector<double> sums_;   // of the first so many layers
    std::vector<BestSplit> best_;
    double rates_ = 0, enough_ = 0;
};

}  // namespace

std::vector<int> balanced_split(std::span<const double> layers, std::span<const StageRoom> stages,
                                std::span<const char> may_begin) {
    const int n = int(layers.size()), p = int(stages.size());
    std::vector<int> one_each(p, 0);
    std::fill_n(one_each.begin(), std::min(n, p), 1);
    if (p >= n) return one_each;
    Balancing all(layers, stages, may_begin);
    if (all.possible()) return all.layers();
    return may_begin.empty() ? one_each : balanced_split(layers, stages);
}

WalkedSplit walked_split(std::span<const double> layers, double head, int stages) {
    WalkedSplit w{std::vector<int>(stages, 0)};
    const double all = std::accumulate(layers.begin(), layers.end(), 0.0) + head;
    double so_far = 0;
    int stage = 0;
    // Where a block goes, after which the walk goes on if the stages so far hold more than their share.
    const auto put = [&](double cost) {
        const int here = stage;
        so_far += cost;
        if (so_far > all * (stage + 1) / stages && stage < stages - 1) ++stage;
        return here;
    };
    put(0);   // the embedding
    for (const double cost : layers) ++w.layers[put(cost)];
    put(0);   // the norm
    w.head_stage = put(head);
    put(0);   // the cast
    w.loss_stage = put(0);
    return w;
}

}  // namespace plimsoll
