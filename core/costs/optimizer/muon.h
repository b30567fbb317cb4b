#pragma once
// Muon: what it computes and sends to make the momentum of every weight matrix orthogonal, and how that is spread over
// the ranks that hold the matrix.
//
//   muon_share(work, stage).busiest()      // seconds of one step on the rank that has most to do
//
// Newton-Schulz iterations (Jordan et al. 2024; coefficients in Emerging-Optimizers, muon_utils.py) on the m x n
// momentum, m <= n, each three products: X X^T, its square, and that times X: 4 m^2 n + 2 m^3 FLOP; kernels that use
// the symmetry of the first two need 3 m^2 n + m^3. Embedding, head, router, norms and biases stay with Adam, and so
// does what Mamba-2 projects its inputs by.
// Queries, keys, values and both branches of a gated block are matrices of their own; experts are a batch of as many
// as the rank holds.
//
// Spread over data-parallel ranks:
//   layer-wise   every matrix on one rank (Megatron-Core dist_muon, layer_wise_optimizer.py); new weights are gathered
//                as under ZeRO-1
//   gathered     ranks that own a slice gather the whole matrix in bf16 (Moonlight, Liu et al. 2025, 2502.16982)
//   all-to-all   slices go to one rank for each matrix and come back, in bf16 (Microsoft's dion, VeOmni)
//   redundant    every rank gathers and computes all of them (plain FSDP)
// Over tensor ranks:
//   blockwise    each its own shard
//   duplicated   the matrix is gathered, and each computes the whole of it
//   distributed  each its own part; the m x m Gram matrix is added up in every iteration

#include "core/costs/optimizer/rule.h"

namespace plimsoll {

// The matrices of a set on one tensor rank, one step.
struct Orthogonalised {
    double parameters = 0;     // that the rank holds of them
    Seconds time, longest;     // of all, one after the other; of any one
    double largest = 0;        // parameters of any one
    Seconds tensor_exchange;   // of all, among the tensor ranks
};

struct MuonShare {
    Orthogonalised common, experts;   // matrices of the stage that all data ranks hold, and of its routed experts
    int owners = 1, expert_owners = 1;   // ranks that share the work on either
    bool whole = false;               // ranks own slices and compute every matrix that they own a slice of
    Seconds each() const { return common.time / owners + experts.time / expert_owners; }
    Seconds longest() const { return max(common.longest, experts.longest); }
    Seconds busiest() const { return whole ? each() + longest() : max(each(), longest()); }
};
MuonShare muon_share(const Work&, int stage);

// Of matrices of m x n on one rank, of which the m x m Gram matrices are taken.
Seconds orthogonalisation_time(const Work&, double m, double n, double copies);

// Beside the traffic of plain data parallelism: of the common matrices and of the experts.
struct MuonTraffic {
    Seconds common, experts;
};
MuonTraffic muon_traffic(const Work&, const MuonShare&, int stage);

}  // namespace plimsoll
