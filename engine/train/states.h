#pragma once
// Weights, gradients and optimizer states of one rank under ZeRO 0 to 3
// (Rajbhandari et al. 2020): who holds what, and what is sent when.
//
//   stage   weights   gradients              optimizer   sent per step
//   0       whole     whole                  whole       all-reduce of gradients
//   1       whole     whole                  shard       reduce-scatter; all-gather of weights
//   2       whole     shard (a unit's whole  shard       reduce-scatter per micro-batch and unit;
//                     one for a moment)                  all-gather of weights
//   3       shard     shard                  shard       the same, and weights gathered before use
//
// Shards are per unit: rank d of the data ranks owns part d of every unit. With stage 3 the weights of a layer or table
// are gathered into one of two rooms, so that those of the next one travel (`prefetch`) while this one's are used.
//
//   Borrowed<const Real> w = states.weights(unit);  Borrowed<Wide> g = states.gradient(unit);
//   ... g.data += ...;  states.finish(unit, g.data, last_micro_batch);
//   states.reduce();  states.update(step, states.squared_norm(), ...)

#include "engine/model/parameters.h"
#include "engine/train/context.h"

#include <functional>

namespace plimsoll::engine {

// Memory of a frame and what lies in it; gone when this goes.
template <class P> struct Borrowed {
    Frame frame;
    P* data;
};

// Part of a unit, in elements from its beginning.
struct Range {
    std::size_t first, last;
    std::size_t count() const { return last > first ? last - first : 0; }
    Range within(Range o) const { return {std::max(first, o.first), std::min(last, o.last)}; }
};

// Where a rank's first weights come from.
struct InitialWeights {
    std::function<void(const Parameter&, int row, std::span<double>)> row_of;  // the columns this rank holds of a row
    int threads = 1;                // that ask for rows at once
    // Asked `questions` times on every rank whatever it holds, so that ranks can agree in it; false: the rest is left
    // out.
    std::function<bool()> go_on{};
    int questions = 64;
};

template <class Real, class Wide> class States {
public:
    States(const Context<Real, Wide>&, std::vector<Unit>);

    const std::vector<Unit>& units() const { return units_; }

    // Weights of a unit, gathered where this rank has a shard alone. Those of a layer or table stay until the next but
    // one of them is asked for or prefetched.
    Borrowed<const Real> weights(const Unit&);
    // Begins to gather what is used next, beside what is used now. Null, and what is no layer or table: nothing to do.
    void prefetch(const Unit*);
    // MPI moves data only while somebody calls it.
    void progress() { if (ahead_) c_.shards.test(arriving_); }
    // Where a micro-batch's gradient of the unit is added up.
    Borrowed<Wide> gradient(const Unit&) const;
    // To be called when a micro-batch has added all it has: shards are reduced now, and with overlap what is final too.
    void finish(const Unit&, const Wide* gradient, bool last_micro_batch);

    void begin_step();
    void reduce();                       // what finish() left to do, then tensor ranks and the ends of the pipeline
    // This rank's share of the squared gradient norm: summed over all ranks every element counts once. Device memory.
    void add_squared_norm(double* sum) const;
    void update(int step, double gradient_scale);

    // Part of a unit this rank owns, and whether it is this rank that speaks for it among equal holders.
    Range owned(const Unit&) const;
    bool speaks_for(const Unit&, bool replicated) const;
    // False: `go_on` did not want to.
    bool initialise(const InitialWeights&);
    // Owned elements as doubles: for dumps.
    std::vector<double> owned_gradient(const Unit&) const;
    std::vector<double> owned_weights(const Unit&) const;

private:
    bool shards(int stage) const { return zero_ >= stage && ranks_ > 1; }
    static bool has_room(const Unit& u) { return u.kind != UnitKind::positions && u.kind != UnitKind::last_norm; }
    std::size_t shard(const Unit& u) const { return u.count / std::size_t(ranks_); }
    Real* owned_weight(const Unit&) const;
    Wide* owned_master(const Unit&) const;
    Wide* owned_gradient_data(const Unit&) const;
    Wide* moment(Wide* m, const Unit&) const;
    void reduce_over_data();
    void update_unit(const Unit&, int step, double gradient_scale);

    const Context<Real, Wide>& c_;
    std::vector<Unit> units_;
    int zero_, ranks_;
    std::size_t total_ = 0;
    Real* weights_ = nullptr;         // [total] or a shard of it
    Wide* master_ = nullptr;          // null: the weights themselves
    Wide* gradients_ = nullptr;       // [total]; stages 2 and 3: null
    Wide* shard_gradients_ = nullptr; // [total / ranks] from stage 1
    Wide *m_ = nullptr, *v_ = nullptr;
    std::vector<Request> pending_;    // per unit
    std::vector<bool> added_to_;      // per unit: its shard has a gradient of this step
    Real* rooms_[2] = {};             // stage 3: for the weights of a layer or table each
    int in_use_ = 0;                  // the room whose weights were asked for last
    const Unit* ahead_ = nullptr;     // whose weights come into the other one
    Request arriving_;
};

}  // namespace plimsoll::engine
