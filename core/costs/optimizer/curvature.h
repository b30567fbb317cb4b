#pragma once
// K-FAC, Shampoo and SOAP: what they keep and compute for the weight matrices of one pipeline stage, and
// the time that takes.
//
// K-FAC (Martens and Grosse 2015; spread over ranks as in Osawa et al. 2019)
// keeps for a linear layer the covariance of its inputs and of its output
// gradients, d_in x d_in and d_out x d_out; with a block size k each is cut into
// diagonal blocks. Every rank adds up 2 tokens k^2 FLOP per block, the sums are
// reduced onto the rank that owns the layer, and the owner inverts (about n^3
// FLOP: Cholesky n^3/3, inverse 2n^3/3) and multiplies the gradient.
//
// Shampoo (Gupta et al. 2018; blocked and spread as in Shi et al. 2023) cuts the
// gradient G into k x k tiles and keeps G G^T and G^T G of each. The owner of a
// tile computes both from the reduced gradient, takes inverse fourth roots (about
// 11 n^3 FLOP: eigenvectors 9n^3, Golub and Van Loan, and one product 2n^3) and
// multiplies the tile.
//
// SOAP (Vyas et al. 2024, 2409.11321; Emerging-Optimizers, soap.py) runs Adam in the basis of the eigenvectors of
// G G^T and G^T G, of the whole matrix but for sides wider than a limit. The owner adds to both every step and takes
// the gradient into that basis and the update back, 2 (2 m^2 n + 2 m n^2) FLOP. Every so many steps it multiplies a
// factor by its eigenvectors (2 n^3), makes the result orthogonal (QR with the product of its reflections, 8/3 n^3,
// Golub and Van Loan), and takes the momentum from the old basis to the new one.
//
// Matrices are those a tensor rank holds: it works on its shard alone. Embedding,
// head, norms and biases stay with the first-order rule. Factors and inverses are kept in fp32 on the
// ranks that own them; K-FAC adds up its factors locally before they are reduced: all of the stage's
// where a step has several micro-batches, else one layer's at a time.

#include "core/costs/optimizer/rule.h"

namespace plimsoll {

// A side of n rows in diagonal blocks of at most `size`.
struct Blocks {
    double size = 0, whole = 0, rest = 0;  // `whole` blocks of `size` and one of `rest` rows, if any
    double squares() const { return whole * size * size + rest * rest; }
    double cubes() const { return whole * size * size * size + rest * rest * rest; }
    double count() const { return whole + (rest > 0 ? 1 : 0); }
};
Blocks blocks_of(double rows, int block_size);

// Numbers of a set of matrices. FLOP are of one update, inversion or application.
struct Curvature {
    double parameters = 0;       // of the matrices
    double elements = 0;         // of all factors; the inverses are as many
    double packed = 0;           // of their triangles, as sent
    double statistics_flop = 0;  // Shampoo, SOAP: by the owner, of a reduced gradient
    double inverse_flop = 0;
    double apply_flop = 0;       // inverses times gradient
    friend bool operator==(const Curvature&, const Curvature&) = default;
};
Curvature operator+(const Curvature&, const Curvature&);
Curvature operator*(double, const Curvature&);

int statistics_interval(const Recipe&);    // steps between two updates of the factors
int inversion_interval(const Recipe&);     // and between two inversions, roots or decompositions

// Of a d_in x d_out matrix, and of the largest piece of it that has one owner: the whole matrix under
// K-FAC and SOAP, one tile under Shampoo.
Curvature curvature_of(const Recipe&, double d_in, double d_out);
Curvature largest_piece_of(const Recipe&, double d_in, double d_out);

Curvature layer_curvature(const Work&, const LayerKind&);   // the matrices of one layer, on one tensor rank
Curvature stage_curvature(const Work&, int stage);
Curvature largest_piece(const Work&);              // of any matrix of a layer, number by number
// What the busiest owner has of it: an equal share of the stage, never less than the largest piece.
struct CurvatureShare {
    Curvature stage, largest;
    int owners;                                        // data-parallel ranks, or those that share one sharded copy
    Curvature busiest() const;
};
CurvatureShare curvature_share(const Work&, int stage);
Curvature owned_curvature(const Work&, int stage);
int curvature_owners(const Work&);
Bytes unreduced_statistics(const Work&, int stage);    // K-FAC, on every rank

// K-FAC: adding up the factors of one layer over one micro-batch.
Seconds layer_statistics_time(const Work&, const LayerKind&);
Seconds stage_statistics_time(const Work&, int stage);   // of all its layers

// Exchange of a step among the data-parallel ranks:
//   K-FAC's factors, as packed fp32 triangles, reduced onto their owners
//   (Osawa et al. 2019) every update; and, where no ZeRO stage gathers the
//   weights anyway, the multiplied gradients from their owners to everyone.
Bytes factor_payload(const Work&, int stage);     // of one update, before it is scattered
Bytes direction_payload(const Work&, int stage);  // of one step
// Achieved in fp32: by inversions, and by products of inverses and gradients.
FlopRate inverse_rate(const Work&);
FlopRate application_rate(const Work&);

}  // namespace plimsoll
