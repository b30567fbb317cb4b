#pragma once
// What is trained, for how long, in which number formats.

#include "core/values/plan/documents.h"
#include "core/values/plan/machine.h"
#include "core/values/plan/parameters.h"
#include "core/values/basics/units.h"

namespace plimsoll {

enum class Precision { fp32, fp16, bf16, fp8 };  // of the matrix products
enum class Optimizer { adam, sgd, adam_8bit, adafactor, kfac, shampoo, muon };  // sgd with momentum
// How Muon's work is spread over data-parallel and over tensor ranks (costs/optimizer/muon.h).
enum class MuonSpread { layer_wise, gathered, all_to_all, redundant };
enum class MuonTensor { blockwise, duplicated, distributed };

// What an optimizer keeps of whole matrices.
enum class MatrixState {
    none,
    sums,      // of rows and columns, shared out as other states are
    factors,   // and their inverses, by which gradients are multiplied: one rank owns those of a matrix
};
// What it keeps; costs/optimizer has the work. A row for each in recipe.cpp.
struct OptimizerState {
    double matrices, others;       // bytes of the moments in fp32, of a parameter of a weight matrix or another
    MatrixState by_matrix = MatrixState::none;   // besides
    bool narrow = false;           // moments have 8 bits whatever the state format says
    bool on_cpus = false;          // software runs the update on the CPUs of a node, too
};
const OptimizerState& kept_by(Optimizer);

// What K-FAC, Shampoo and Muon leave open. Sizes follow Shi et al. 2023 (blocks of
// 1,024), intervals Pauloski et al. 2021; the rate share is estimated.
struct OptimizerOptions {
    int block_size = 1024;           // widest factor; wider sides are cut into diagonal blocks. 0 cuts nothing
    int update_interval = 10;        // steps between two updates of the factors
    int inverse_interval = 100;      // steps between two inversions
    double inverse_rate_share = 0.05;  // of the fp32 product rate that inversions and roots reach
    int muon_iterations = 5;         // of Newton-Schulz, each update
    MuonSpread muon_spread = MuonSpread::layer_wise;
    MuonTensor muon_tensor = MuonTensor::blockwise;
    bool muon_symmetric = false;     // kernels that compute half of a symmetric product
    double muon_fraction = 1;        // of a matrix that is made orthogonal and exchanged (Dion, Ahn et al. 2025)
    // Steps a first-order optimizer takes over the steps this one takes to the
    // same loss. Nobody can predict it: 1 unless the user has measured it.
    double iteration_reduction = 1;
    friend bool operator==(const OptimizerOptions&, const OptimizerOptions&) = default;
};

// What 16-bit training keeps beside its weights, in which formats. Files and people name it by the bytes of a parameter
// with Adam: of 16-bit weights (2), gradients, fp32 master weights and moments. Other optimizers have other moments, in
// the same width.
enum class StateFormat {
    eight_bit_moments,          //  6   2 + 2 + 0 + 2     moments in 8 bits, no master weights
    all_16bit,                  //  8   2 + 2 + 0 + 4
    all_16bit_fp32_sums,        // 10   2 + 4 + 0 + 4     the same, gradients added up in fp32
    master_weights,             // 12   2 + 2 + 4 + 4     master weights, moments in 16 bits
    master_weights_fp32_sums,   // 14   2 + 4 + 4 + 4     the same, gradients added up in fp32 (DeepSeek-V3)
    fp32_moments,               // 16   2 + 2 + 4 + 8
    fp32_moments_fp32_sums,     // 18   2 + 4 + 4 + 8     the same, gradients added up in fp32
    fp32_moments_both_sums,     // 20   2 + 2 + 4 + 8 + 4 16-bit gradients and an fp32 copy (ZeRO-Infinity)
};
constexpr int bytes_per_parameter(StateFormat f) { return 6 + 2 * int(f); }

struct Recipe {
    int global_batch_sequences = 1;
    int sequence_length = 2048;
    // Documents that share a sequence, where attention does not look from one into another: mean length in tokens, and
    // standard deviation over mean. 0: attention sees the whole sequence.
    double document_length = 0, document_variation = 0;
    double tokens = 1e9;             // of the whole run
    Precision precision = Precision::bf16;
    bool tf32 = false;               // fp32 products on the tensor cores; everything is kept in fp32
    Fp8Recipe fp8_recipe = Fp8Recipe::delayed;  // idle in other precisions
    StateFormat state_format = StateFormat::fp32_moments;   // idle in fp32, which keeps 4 + 4 + 8
    Optimizer optimizer = Optimizer::adam;
    OptimizerOptions optimizer_options{};
    Seconds checkpoint_interval{};  // of training between two checkpoints; zero = the optimum
    Seconds checkpoint_time{};      // of one checkpoint, where it was measured; zero = size / bandwidth
    friend bool operator==(const Recipe&, const Recipe&) = default;
};

inline Sequence sequence_of(const Recipe& r) {
    return {r.sequence_length, {r.document_length, r.document_variation}};
}

// Tokens the run really reads: fewer than `tokens` where the optimizer needs fewer steps.
inline double tokens_read(const Recipe& r) { return r.tokens / r.optimizer_options.iteration_reduction; }

// Bytes one parameter occupies as weight, gradient and optimizer state. What an
// optimizer keeps by matrix is in costs/optimizer.
struct StateBytes {
    double weights, gradients;
    ByGroup optimizer;
    double total(ParameterGroup g) const { return weights + gradients + optimizer[g]; }
};
StateBytes state_bytes(const Recipe&);
double moment_bytes(const Recipe&);         // of one moment of a parameter; 0 where the optimizer keeps sums alone
bool keeps_master_weights(const Recipe&);   // in fp32, beside others or as the only ones
// Bytes per parameter that a restart needs: weights, master weights, moments. No gradients.
ByGroup checkpoint_bytes_per_parameter(const Recipe&);

// Bytes of an activation element, and of what crosses the wire.
double activation_bytes(Precision);
// The format the matrix units run in: of a precision by itself, and as the recipe asks.
NumberFormat matrix_format(Precision);
NumberFormat matrix_format(const Recipe&);

}  // namespace plimsoll
