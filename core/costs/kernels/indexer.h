#pragma once
// Sparse attention that sees the keys an indexer chose, on one rank and micro-batch: what the indexer takes besides its
// projections, and what ranks exchange for it.
//
// With T queries of a rank and a sequence of s tokens, an indexer of n heads of width d chooses k keys for each:
//   scores      2 n d T s / 2           every key before the query; one number a pair is written and read to select
//   target      2 N_t w T c             the main attention's scores of the c keys chosen, which the indexer learns from
//   gradients   3 products of 2 n d T c its scores again, queries and keys; nothing passes on to the stream
// c = s/2 (1 - (1 - k/s)^2) is the mean number of keys chosen, N_t the rank's heads, w the width of their scores.
//
// Source: Megatron-Core, experimental_attention_variant/dsa.py and ops/attention/dsa/reference.py. Scores are products
// in 16 bit there, and run here at the rate of fused attention, whose heads are as narrow and whose scores stay on the
// chip. Every tensor rank scores all tokens: it gathers the stream and the queries' latent, and adds up the target over
// the heads of all ranks. Context ranks gather keys and the indexer's keys, for queries in the zigzag order.

#include "core/costs/kernels/context.h"

namespace plimsoll {

double scored_pairs(const Work&);                            // queries of this rank with every key of their document
double chosen_pairs(const Work&, const LayerKind&);          // with the keys they see
Bytes chosen_key_bytes(const Work&, const LayerKind&);       // each query reads its own keys, in either pass

struct IndexTime {
    Seconds forward, backward;
};
IndexTime index_time(const Work&, const LayerKind&, const Rates&);
Seconds index_tensor_time(const Work&);   // forward

// Keys of a whole sequence, and the indexer's.
Bytes gathered_keys(const Work&, const LayerKind&);
ContextTime chosen_context_time(const Work&, const LayerKind&);

}  // namespace plimsoll
