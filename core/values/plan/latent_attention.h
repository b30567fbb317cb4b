#pragma once
// Multi-head latent attention (DeepSeek-V2, 2405.04434): queries, keys and
// values are projected down to a latent vector and up again per head; a part of
// each query and key carries the rotary positions. Off while `kv_rank` is zero.
//
// Head dimension of queries and keys: nope_dim + rope_dim (the model's head_dim).

namespace plimsoll {

struct LatentAttention {
    int kv_rank = 0;      // latent width of keys and values; 0: no latent attention
    int q_rank = 0;       // latent width of queries; 0: projected in one step
    int rope_dim = 0;     // per head, with rotary positions; the key's is shared by all heads
    int nope_dim = 0;     // per head, without
    int value_dim = 0;    // per head
    friend bool operator==(const LatentAttention&, const LatentAttention&) = default;
};

}  // namespace plimsoll
