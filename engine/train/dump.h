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
    void add_row(const std::string& name, std::vector<double> values) {
        const auto n = std::int64_t(values.size());
        if (world_.rank() == 0) tensors_.push_back({name, 1, n, std::move(values)});
    }
    // Rank 0 writes; the message says why not.
    std::string write(const std::string& path) const {
        if (world_.rank() != 0) return {};
        const auto written = write_tensors(path, tensors_, Stored::f64);
        return written ? std::string() : written.error();
    }

private:
    static std::vector<Unit> whole_model(const Shape& shape) {
        return units_of({shape, 0, 1, 1, layers_of_block(shape.layers, 1, 0), true, true});
    }
    // Elements of `part` that lie in `owned`, put where they belong; rows that only pad the vocabulary belong nowhere.
    static void place(Tensor& whole, const Parameter& part, Range owned, const std::vector<double>& values) {
        const Range mine = owned.within({part.offset, part.offset + part.count()});
        for (std::size_t i = mine.first; i < mine.last; ++i) {
            const auto local = i - part.offset, columns = std::size_t(part.local_columns);
            const auto row = std::size_t(part.first_row) + local / columns,
                       column = std::size_t(part.first_column) + local % columns;
            if (row < std::size_t(part.rows))
                whole.values[row * std::size_t(part.columns) + column] = values[i - owned.first];
        }
    }

    Comm& world_;
    std::vector<Tensor> tensors_;
};

}  // namespace plimsoll::engine
