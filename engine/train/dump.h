#pragma once
// Gradients and weights as logical tensors, whatever layout holds them, for
// comparison between layouts; for small models: every tensor is gathered whole.
//
//   Dump dump(world_in_host_memory);
//   dump.add("gradient:", states, c, &States::owned_gradient);  ...  dump.write(path)

#include "engine/model/tensor_file.h"
#include "engine/train/states.h"

namespace plimsoll::engine {

class Dump {
public:
    explicit Dump(Comm& world) : world_(world) {}

    // Collective. values(unit): what this rank owns of a unit.
    template <class Real, class Wide, class Values>
    void add(const std::string& prefix, const States<Real, Wide>& states, const Shape& shape, Values values) {
        for (const Unit& unit : whole_model(shape))
            for (const Parameter& p : unit.parameters) {
                Tensor whole{prefix + p.name, p.rows, p.columns,
                             std::vector<double>(std::size_t(p.rows) * std::size_t(p.columns))};
                for (const Unit& mine : states.units()) {
                    const Parameter* part = mine.find(p.name);
                    if (!part || part->name != p.name || !states.speaks_for(mine, part->split == Split::none)) continue;
                    place(whole, *part, states.owned(mine), values(mine));
                }
                world_.all_reduce(whole.values.data(), whole.values.size(), Type::f64);
                if (world_.rank() == 0) tensors_.push_back(std::move(whole));
            }
    }
    void add_row(const std::string& name, std::vector<double> values);
    // Rank 0 writes; the message says why not.
    std::string write(const std::string& path) const;

private:
    static std::vector<Unit> whole_model(const Shape&);
    static void place(Tensor& whole, const Parameter& part, Range owned, const std::vector<double>& values);

    Comm& world_;
    std::vector<Tensor> tensors_;
};

}  // namespace plimsoll::engine
