#include "engine/comm/grid.h"

#include "engine/comm/comm.h"

namespace plimsoll::engine {

Place place_of(int rank, const LayoutOptions& l) {
    return {.data = rank / l.tensor % l.data, .tensor = rank % l.tensor, .pipeline = rank / (l.tensor * l.data)};
}

Grid grid_of(const MpiComm& run, const LayoutOptions& l) {
    const Place at = place_of(run.rank(), l);
    const bool end = l.pipeline > 1 && (at.pipeline == 0 || at.pipeline == l.pipeline - 1);
    const int tensor_group = at.pipeline * l.data + at.data, data_group = at.pipeline * l.tensor + at.tensor,
              column = at.data * l.tensor + at.tensor;
    Grid grid{.at = at,
              .world = run.split(0, run.rank()),
              .tensor = run.split(tensor_group, at.tensor),
              .data = run.split(data_group, at.data),
              .pipeline = run.split(column, at.pipeline),
              .ends = run.split(end ? column : -1, at.pipeline)};
    if (!grid.ends) grid.ends = std::make_unique<SelfComm>();
    return grid;
}

Grid pretended_grid(int rank, const LayoutOptions& l) {
    const Place at = place_of(rank, l);
    const bool end = l.pipeline > 1 && (at.pipeline == 0 || at.pipeline == l.pipeline - 1);
    return {.at = at,
            .world = std::make_unique<SelfComm>(rank, l.ranks()),
            .tensor = std::make_unique<SelfComm>(at.tensor, l.tensor),
            .data = std::make_unique<SelfComm>(at.data, l.data),
            .pipeline = std::make_unique<SelfComm>(at.pipeline, l.pipeline),
            .ends = std::make_unique<SelfComm>(end && at.pipeline > 0 ? 1 : 0, end ? 2 : 1)};
}

}  // namespace plimsoll::engine
