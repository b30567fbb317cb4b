#pragma once
// What a run does with a model: it trains the model from nothing, tunes all of it, or trains adapters beside weights
// that stay as they are.
//
//   s.method = {.purpose = Purpose::finetune, .trained = Trained::adapters, .rank = 16};
//   trains_adapters(s.method);                     // true: everything else is frozen
//
// An adapter of rank r stands beside a matrix of n inputs and m outputs: products n to r and r to m, whose result is
// added to the matrix's own (LoRA, Hu et al. 2021, 2106.09685). Frozen weights need no gradient, no optimizer state and
// no reduction; their products still have the gradient of their input in the backward pass, 4 N FLOP of a token instead
// of 6 N. Weights that are frozen may be kept in fewer bits and are decoded to 16 bits in every pass (QLoRA, Dettmers
// et al. 2023, 2305.14314).
//
// With magnitudes (DoRA, Liu et al. 2024, 2402.09353) every output of an adapted matrix is scaled to a norm of its own,
// which is trained: the norms of the matrix and its adapter together are taken anew in every forward pass, for which
// frameworks multiply the adapter out.

#include "core/values/plan/parameters.h"

#include <array>
#include <string>
#include <string_view>

namespace plimsoll {

enum class Purpose { pretrain, finetune, preference };
enum class Trained { all, adapters };
// Formats of frozen matrices of layers. NF4 has a scale for every 64 values: in fp32, or in 8 bits with an fp32 scale
// for every 256 of these (double quantisation). Int8 has a scale a row.
enum class FrozenFormat { as_products, int8, nf4, nf4_double };

// Preference training (DPO, Rafailov et al. 2023, 2305.18290) compares two answers to a prompt, each a sequence, with
// what a reference model says of them: a copy of the model that stays as it is, the model without its adapters, or
// probabilities that were computed before the run.
enum class Reference { resident, adapters_off, precomputed };

// Matrices that adapters stand beside, as the frameworks name them. Those of routed experts only where `experts` says
// so besides; a mixer other than attention has its own.
struct AdaptedMatrices {
    bool query = true, key = true, value = true, output = true;   // of attention
    bool gate = true, up = true, down = true;                     // of feed-forward blocks
    bool experts = true, mixer = true;
    friend bool operator==(const AdaptedMatrices&, const AdaptedMatrices&) = default;
};

struct Method {
    Purpose purpose = Purpose::pretrain;
    Trained trained = Trained::all;      // idle in pre-training, as all that follows is where everything is trained
    int rank = 16;
    AdaptedMatrices adapted{};
    bool fused_adapters = false;         // one for matrices that are multiplied as one (Megatron: linear_qkv)
    bool magnitudes = false;             // DoRA: a trained norm of every adapted output
    bool adapter_dropout = false;        // before every adapter; the fraction changes no cost
    bool trains_tables = false;          // embedding and head besides
    FrozenFormat frozen = FrozenFormat::as_products;
    Reference reference = Reference::resident;   // idle without preferences
    friend bool operator==(const Method&, const Method&) = default;
};

constexpr bool tunes(const Method& m) { return m.purpose != Purpose::pretrain; }
constexpr bool trains_adapters(const Method& m) { return tunes(m) && m.trained == Trained::adapters; }
constexpr bool trains_magnitudes(const Method& m) { return trains_adapters(m) && m.magnitudes; }
constexpr bool drops_inputs(const Method& m) { return trains_adapters(m) && m.adapter_dropout; }
// Every micro-batch passes the reference model, forward alone.
constexpr bool runs_reference(const Method& m) {
    return m.purpose == Purpose::preference && m.reference != Reference::precomputed;
}
// Of a micro-batch, through the model and its reference.
constexpr int forward_passes(const Method& m) { return runs_reference(m) ? 2 : 1; }
// FLOP of a token for each parameter that it passes, besides attention: products with frozen weights lack the gradient
// of these, and a reference model adds its forward pass.
constexpr int flop_of_parameter(const Method& m) { return (trains_adapters(m) ? 4 : 6) + (runs_reference(m) ? 2 : 0); }
constexpr bool keeps_reference(const Method& m) {
    return m.purpose == Purpose::preference && m.reference == Reference::resident;
}
constexpr bool trains_tables(const Method& m) { return !trains_adapters(m) || m.trains_tables; }
constexpr bool quantises_frozen(const Method& m) {
    return trains_adapters(m) && m.frozen != FrozenFormat::as_products;
}
// Bytes of a value of a frozen matrix in such a format; of `as_products` 0, since the recipe says.
constexpr double frozen_bytes(FrozenFormat f) {
    constexpr double block = 64, blocks = 256;
    switch (f) {
        case FrozenFormat::as_products: break;
        case FrozenFormat::int8: return 1;
        case FrozenFormat::nf4: return (4 + 32 / block) / 8;
        case FrozenFormat::nf4_double: return (4 + 8 / block + 32 / (block * blocks)) / 8;
    }
    return 0;
}

// Of these, what is kept in the frozen format: matrices of layers that are not trained. Tables, norms and routers keep
// the recipe's.
ParameterCounts quantised(const Method&, const Parameters&);
ParameterCounts all_but_adapters(const Method&, const Parameters&);

// ---- Which matrices

// The adapter of a product of this name: names of its own two, the module both are computed with, and which of the
// parts that stand beside each other in the matrix are adapted. No name where there is none.
struct AdapterOf {
    const char *down = nullptr, *up = nullptr, *down_label = nullptr, *up_label = nullptr;
    std::array<bool, 3> parts{};
    explicit operator bool() const { return down != nullptr; }
    int count() const { return parts[0] + parts[1] + parts[2]; }
};
AdapterOf adapter_of(const Method&, std::string_view product);
// The product that such an adapter stands beside; the name itself where it is no adapter's.
std::string_view product_of_adapter(std::string_view product);
inline bool is_adapter(std::string_view product) { return product_of_adapter(product) != product; }
inline bool is_adapter_down(std::string_view product) { return product.starts_with("adapter_down/"); }

std::string names_of_adapted(const AdaptedMatrices&, std::string_view between = ", ");   // "q_proj, v_proj"

}  // namespace plimsoll
