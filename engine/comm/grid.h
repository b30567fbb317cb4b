#pragma once
// The groups of a layout: which rank is where, and whom it talks to.
//
//   rank = (pipeline * DP + data) * TP + tensor
//
// Tensor ranks lie next to each other, so they share a node where they can.
//
//   Grid grid = grid_of(run, layout);           grid.tensor->all_reduce(...)
//   Grid pretended = pretended_grid(0, layout);  // a dry run: any layout in one process

#include "engine/comm/mpi.h"
#include "engine/run/options.h"

#include <memory>

namespace plimsoll::engine {

struct Place {
    int data = 0, tensor = 0, pipeline = 0;
};
Place place_of(int rank, const LayoutOptions&);

struct Grid {
    Place at;
    std::unique_ptr<Comm> world;     // all ranks of the run
    std::unique_ptr<Comm> tensor, data, pipeline;
    std::unique_ptr<Comm> ends;      // first and last stage, which share a tied embedding; a rank alone elsewhere
};

// Collective over `run`, which must have layout.ranks() ranks.
Grid grid_of(const MpiComm& run, const LayoutOptions&);
Grid pretended_grid(int rank, const LayoutOptions&);

}  // namespace plimsoll::engine
