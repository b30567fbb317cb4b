#include "engine/train/states.h"

#include "engine/kernels/loops.h"
#include "engine/run/mutation.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::engine {

template <class Real, class Wide>
States<Real, Wide>::States(const Context<Real, Wide>& c, std::vector<Unit> units)
    : c_(c),
      units_(std::move(units)),
      zero_(c.options.layout.zero),
      ranks_(c.options.layout.data),
      pending_(units_.size()),
      added_to_(units_.size()) {
    total_ = units_.empty() ? 0 : units_.back().offset + units_.back().count;
    const std::size_t part = total_ / std::size_t(ranks_);
    weights_ = c.arena.template keep<Real>(shards(3) ? part : total_, Use::weights);
    if constexpr (!std::is_same_v<Real, Wide>)
        master_ = c.arena.template keep<Wide>(shards(1) ? part : total_, Use::optimizer);
    if (!shards(2)) gradients_ = c.arena.template keep<Wide>(total_, Use::gradients);
    if (shards(1)) shard_gradients_ = c.arena.template keep<Wide>(part, Use::gradients);
    if (shards(3)) {
        std::size_t largest = 0;
        for (const Unit& u : units_) largest = std::max(largest, has_room(u) ? u.count : 0);
        for (Real*& room : rooms_) room = c_.arena.template keep<Real>(largest, Use::buffers);
    }
    if (c.options.train.optimizer == UpdateRule::adamw) {
        m_ = c.arena.template keep<Wide>(shards(1) ? part : total_, Use::optimizer);
        v_ = c.arena.template keep<Wide>(shards(1) ? part : total_, Use::optimizer);
        c.kernels.zero(m_, (shards(1) ? part : total_) * sizeof(Wide));
        c.kernels.zero(v_, (shards(1) ? part : total_) * sizeof(Wide));
    }
}

template <class Real, class Wide> Borrowed<const Real> States<Real, Wide>::weights(const Unit& u) {
    Frame frame(c_.arena);
    if (!shards(3)) return {std::move(frame), weights_ + u.offset};
    if (!has_room(u)) {
        Real* whole = frame.template take<Real>(u.count);
        c_.shards.all_gather(owned_weight(u), whole, shard(u), type_of<Real>);
        return {std::move(frame), whole};
    }
    const bool expected = ahead_ == &u;
    if (ahead_) c_.shards.wait(arriving_);
    ahead_ = nullptr;
    in_use_ = 1 - in_use_;
    if (!expected) c_.shards.all_gather(owned_weight(u), rooms_[in_use_], shard(u), type_of<Real>);
    return {std::move(frame), rooms_[in_use_]};
}

template <class Real, class Wide> void States<Real, Wide>::prefetch(const Unit* u) {
    if (!u || !shards(3) || !has_room(*u) || ahead_) return;
    ahead_ = u;
    arriving_ =
        c_.shards.start(Collective::all_gather, owned_weight(*u), rooms_[1 - in_use_], shard(*u), type_of<Real>);
}

template <class Real, class Wide> Borrowed<Wide> States<Real, Wide>::gradient(const Unit& u) const {
    Frame frame(c_.arena);
    if (!shards(2)) return {std::move(frame), gradients_ + u.offset};
    Wide* whole = frame.template take<Wide>(u.count);
    c_.in(Phase::data_parallel, [&] { c_.kernels.zero(whole, u.count * sizeof(Wide)); });
    return {std::move(frame), whole};
}

template <class Real, class Wide> void States<Real, Wide>::finish(const Unit& u, const Wide* gradient, bool last) {
    if (shards(2)) {
        Frame frame(c_.arena);
        // The first of a step goes where the sum is kept; a frame of the same size in any case, so that every
        // micro-batch takes as much memory as the first.
        Wide* part = frame.template take<Wide>(shard(u));
        Comm& group = zero_ == 3 ? c_.shards : c_.data;
        const auto at = std::size_t(&u - units_.data());
        const bool first = !added_to_[at];
        added_to_[at] = true;
        group.reduce_scatter(gradient, first ? owned_gradient_data(u) : part, shard(u), type_of<Wide>);
        if (!first) c_.in(Phase::data_parallel, [&] { c_.kernels.add(owned_gradient_data(u), part, shard(u)); });
        return;
    }
    if (!c_.options.layout.overlap || ranks_ == 1) return;
    for (Request& r : pending_) c_.data.test(r);  // MPI moves data only while somebody calls it
    if (!last) return;
    Request& request = pending_[std::size_t(&u - units_.data())];
    request = shards(1) ? c_.data.start(Collective::reduce_scatter, gradients_ + u.offset, owned_gradient_data(u),
                                        shard(u), type_of<Wide>)
                        : c_.data.start(Collective::all_reduce, nullptr, gradients_ + u.offset, u.count, type_of<Wide>);
}

template <class Real, class Wide> void States<Real, Wide>::begin_step() {
    added_to_.assign(units_.size(), false);
    if (gradients_) c_.kernels.zero(gradients_, total_ * sizeof(Wide));
    if (shard_gradients_ && !shards(2)) c_.kernels.zero(shard_gradients_, total_ / std::size_t(ranks_) * sizeof(Wide));
}

template <class Real, class Wide> void States<Real, Wide>::reduce() {
    if (ranks_ > 1 && !shards(2)) reduce_over_data();
    for (const Unit& u : units_) {
        const Range mine = owned(u), whole = mine.within({0, u.replicated});
        if (c_.shards_rows() && whole.count() && !seeded(Mutation::norm_not_reduced))
            c_.tensor.all_reduce(owned_gradient_data(u), whole.count(), type_of<Wide>);
        // A codec of the data ranks sees what is replicated beside what is not, and takes it differently on each
        // tensor rank.
        else if (!c_.options.layout.codecs.empty() && c_.tensor.size() > 1 && whole.count())
            c_.tensor.broadcast(owned_gradient_data(u), whole.count(), type_of<Wide>, 0);
        if (u.kind == UnitKind::tokens && c_.shape.tied && c_.ends.size() > 1
            && !seeded(Mutation::tied_head_not_reduced))
            c_.ends.all_reduce(owned_gradient_data(u), mine.count(), type_of<Wide>);
    }
}

template <class Real, class Wide> void States<Real, Wide>::reduce_over_data() {
    if (c_.options.layout.overlap) {
        for (Request& r : pending_) c_.data.wait(r);
    } else if (!shards(1)) {
        c_.data.all_reduce(gradients_, total_, type_of<Wide>);
    } else {
        for (const Unit& u : units_)
            c_.data.reduce_scatter(gradients_ + u.offset, owned_gradient_data(u), shard(u), type_of<Wide>);
    }
}

template <class Real, class Wide> void States<Real, Wide>::add_squared_norm(double* sum) const {
    for (const Unit& u : units_) {
        const Range mine = owned(u);
        const auto add = [&](Range part, bool replicated) {
            if (part.count() && speaks_for(u, replicated))
                c_.kernels.sum_squares(sum, owned_gradient_data(u) + (part.first - mine.first), part.count());
        };
        add(mine.within({0, u.replicated}), true);
        add(mine.within({u.replicated, u.count}), false);
    }
}

template <class Real, class Wide> void States<Real, Wide>::update(int step, double gradient_scale) {
    for (const Unit& u : units_) update_unit(u, step, gradient_scale);
    if (!shards(1) || shards(3)) return;
    for (std::size_t i = 0; i < units_.size(); ++i) {
        const Unit& u = units_[i];
        if (seeded(Mutation::stale_shard) && i == 1) continue;
        c_.data.all_gather(owned_weight(u), weights_ + u.offset, shard(u), type_of<Real>);
    }
}

namespace {

double rate_of(int step, const TrainOptions& o) {
    const double up = o.warmup > 0 ? double(step + 1) / o.warmup : 1,
                 down = o.cooldown > 0 ? double(o.steps - step) / o.cooldown : 1;
    return o.rate * std::min({1.0, up, down});
}

}  // namespace

template <class Real, class Wide> void States<Real, Wide>::update_unit(const Unit& u, int step, double scale) {
    const TrainOptions& o = c_.options.train;
    const double rate = rate_of(step, o);
    const Range mine = owned(u);
    const auto apply = [&](Range part, double decay) {
        if (!part.count()) return;
        const std::size_t at = part.first - mine.first;
        Real* w = owned_weight(u) + at;
        Wide *master = owned_master(u) + at, *g = owned_gradient_data(u) + at;
        if (o.optimizer == UpdateRule::sgd) return c_.kernels.sgd(w, master, g, part.count(), rate, scale);
        AdamW a{.rate = rate, .decay = decay, .correction1 = 0, .correction2 = 0, .gradient_scale = scale};
        a.correction1 = 1 - std::pow(a.beta1, step + 1);
        a.correction2 = 1 - std::pow(a.beta2, step + 1);
        c_.kernels.adamw(w, master, g, moment(m_, u) + at, moment(v_, u) + at, part.count(), a);
    };
    c_.in(Phase::optimizer, [&] {
        apply(mine.within({0, u.decays}), 0);
        apply(mine.within({u.decays, u.count}), o.decay);
    });
}

template <class Real, class Wide> Range States<Real, Wide>::owned(const Unit& u) const {
    if (!shards(1)) return {0, u.count};
    const std::size_t first = std::size_t(c_.at.data) * shard(u);
    return {first, first + shard(u)};
}
template <class Real, class Wide> bool States<Real, Wide>::speaks_for(const Unit& u, bool replicated) const {
    return !u.copy && (!replicated || c_.at.tensor == 0) && (shards(1) || c_.at.data == 0);
}

template <class Real, class Wide> Real* States<Real, Wide>::owned_weight(const Unit& u) const {
    return shards(3) ? weights_ + u.offset / std::size_t(ranks_) : weights_ + u.offset + owned(u).first;
}
template <class Real, class Wide> Wide* States<Real, Wide>::owned_master(const Unit& u) const {
    if constexpr (std::is_same_v<Real, Wide>) return owned_weight(u);
    else return moment(master_, u);
}
template <class Real, class Wide> Wide* States<Real, Wide>::owned_gradient_data(const Unit& u) const {
    return shards(1) ? shard_gradients_ + u.offset / std::size_t(ranks_) : gradients_ + u.offset;
}
template <class Real, class Wide> Wide* States<Real, Wide>::moment(Wide* m, const Unit& u) const {
    return m + (shards(1) ? u.offset / std::size_t(ranks_) : u.offset);
}
namespace {

// Rows of a tensor that this rank holds and that are no padding.
std::size_t held_rows(const Parameter& p) {
    return std::size_t(std::max(0, std::min(p.local_rows, p.rows - p.first_row)));
}

// Asks whether to go on as often for few elements as for many.
class Rounds {
public:
    Rounds(const std::vector<Unit>& units, const InitialWeights& from)
        : go_on_(from.go_on), rounds_(std::size_t(std::max(1, from.questions))) {
        for (const Unit& u : units)
            for (const Parameter& p : u.parameters) all_ += held_rows(p) * std::size_t(p.local_columns);
    }
    std::size_t rows_at_once(const Parameter& p) const {
        return std::max<std::size_t>(1, all_ / rounds_ / std::size_t(p.local_columns));
    }
    bool passed(std::size_t elements) { return until((passed_ += elements) * rounds_ / all_); }
    bool over() { return until(rounds_); }

private:
    bool until(std::size_t round) {
        for (; go_on_ && asked_ < round; ++asked_)
            if (!go_on_()) return false;
        return true;
    }
    const std::function<bool()>& go_on_;
    const std::size_t rounds_;
    std::size_t all_ = 0, passed_ = 0, asked_ = 0;
};

}  // namespace

template <class Real, class Wide> bool States<Real, Wide>::initialise(const InitialWeights& from) {
    Rounds rounds(units_, from);
    std::vector<Real> whole;
    std::vector<Wide> wide;
    for (const Unit& u : units_) {
        whole.assign(u.count, stored<Real>(0));
        wide.assign(u.count, 0);
        for (const Parameter& p : u.parameters) {
            const std::size_t rows = held_rows(p), columns = std::size_t(p.local_columns);
            for (std::size_t first = 0; first < rows;) {
                c_.clock.enter(Pass::data);  // drawing or reading a large table may outlast the watchdog's patience
                const std::size_t now = std::min(rounds.rows_at_once(p), rows - first);
                over(from.threads, now, 1, [&](std::size_t begin, std::size_t end, int) {
                    std::vector<double> row(columns);
                    for (std::size_t r = first + begin; r < first + end; ++r) {
                        from.row_of(p, p.first_row + int(r), row);
                        const auto at = std::ptrdiff_t(p.offset + r * columns);
                        std::ranges::transform(row, whole.begin() + at, stored<Real>);
                        std::ranges::copy(row, wide.begin() + at);
                    }
                });
                first += now;
                if (!rounds.passed(now * columns)) return false;
            }
        }
        const Range mine = owned(u);
        if (shards(3)) c_.kernels.copy_in(owned_weight(u), whole.data() + mine.first, mine.count() * sizeof(Real));
        else c_.kernels.copy_in(weights_ + u.offset, whole.data(), u.count * sizeof(Real));
        if constexpr (!std::is_same_v<Real, Wide>)
            c_.kernels.copy_in(owned_master(u), wide.data() + mine.first, mine.count() * sizeof(Wide));
    }
    return rounds.over();
}

template <class Real, class Wide> std::vector<double> States<Real, Wide>::owned_gradient(const Unit& u) const {
    std::vector<Wide> host(owned(u).count());
    c_.kernels.copy_out(host.data(), owned_gradient_data(u), host.size() * sizeof(Wide));
    return {host.begin(), host.end()};
}
template <class Real, class Wide> std::vector<double> States<Real, Wide>::owned_weights(const Unit& u) const {
    std::vector<Wide> host(owned(u).count());
    c_.kernels.copy_out(host.data(), owned_master(u), host.size() * sizeof(Wide));
    return {host.begin(), host.end()};
}

template class States<double, double>;
template class States<float, float>;
template class States<bf16, float>;

}  // namespace plimsoll::engine
