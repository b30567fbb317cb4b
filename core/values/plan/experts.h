#pragma once
// The mixture of experts in place of a layer's feed-forward block, as the model
// card states it. Off while `count` is zero.
//
//   Experts e;  e.count = 64;  e.top_k = 8;  e.ffn = 512;   // DeepSeekMoE style
//   e.order = ExpertOrder::dcca;  e.ratio = 0.25;           // the same, BigMac's order
//
// A router sends every token to `top_k` of `count` experts of width `ffn`;
// shared experts see every token. The first `dense_layers` layers keep the
// model's own feed-forward block, and after them every layer whose number
// (from 0) `every` does not divide (Megatron's --moe-layer-freq).

namespace plimsoll {

// Which feed-forward block a layer has.
enum class Block { dense, experts };

// Where the widths change. CDAC: tokens travel at the width of the residual
// stream and every expert projects down and up (DeepSeekMoE, Dai et al. 2024).
// DCCA: two projections all experts share stand before and after the exchange,
// so that tokens travel at `ratio` of that width (BigMac, 2502.16927); experts
// then work on the narrow tokens with an inner width of ffn / ratio, so they
// hold and compute as much as before.
enum class ExpertOrder { cdac, dcca };

struct Experts {
    int count = 0;           // routed experts of one layer, E; 0: a dense model
    int top_k = 1;           // of which a token visits k
    int ffn = 1;             // inner width of one (of each branch when gated)
    int shared = 0;          // shared experts
    int shared_ffn = 0;      // inner width of one of them
    int dense_layers = 0;    // first layers without experts
    int every = 1;           // of the rest, every n-th layer has experts
    int node_limit = 0;      // outer network domains a token may visit; 0: no limit
    double capacity = 0;     // tokens an expert takes, over the mean, padded (Switch); 0: as many as come
    double imbalance = 1;    // tokens of the busiest rank over the mean, where no capacity caps them
    double ratio = 0.25;     // DCCA: width of an exchanged token over that of the residual stream
    bool router_bias = false;
    ExpertOrder order = ExpertOrder::cdac;
    friend bool operator==(const Experts&, const Experts&) = default;
};

// Tokens the slowest expert works on, over the mean.
inline double expert_load(const Experts& e) { return e.capacity > 0 ? e.capacity : e.imbalance; }

}  // namespace plimsoll
