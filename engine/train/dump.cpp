#include "engine/train/dump.h"

namespace plimsoll::engine {

std::vector<Unit> Dump::whole_model(const Shape& shape) {
    Stage all{shape, 0, 1, 1, layers_of_block(shape.layers, 1, 0), true, true};
    return units_of(all);
}

// Elements of `part` that lie in `owned`, put where they belong; rows that only pad the vocabulary belong nowhere.
void Dump::place(Tensor& whole, const Parameter& part, Range owned, const std::vector<double>& values) {
    const Range mine = owned.within({part.offset, part.offset + part.count()});
    for (std::size_t i = mine.first; i < mine.last; ++i) {
        const auto local = i - part.offset, columns = std::size_t(part.local_columns);
        const auto row = std::size_t(part.first_row) + local / columns,
                   column = std::size_t(part.first_column) + local % columns;
        if (row < std::size_t(part.rows))
            whole.values[row * std::size_t(part.columns) + column] = values[i - owned.first];
    }
}

void Dump::add_row(const std::string& name, std::vector<double> values) {
    const auto n = std::int64_t(values.size());
    if (world_.rank() == 0) tensors_.push_back({name, 1, n, std::move(values)});
}

std::string Dump::write(const std::string& path) const {
    if (world_.rank() != 0) return {};
    const auto written = write_tensors(path, tensors_, Stored::f64);
    return written ? std::string() : written.error();
}

}  // namespace plimsoll::engine
