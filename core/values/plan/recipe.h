#pragma once
// What is trained, for how long, in which number formats.

#include "core/values/plan/documents.h"
#include "core/values/plan/machine.h"
#include "core/values/plan/parameters.h"
#include "core/values/basics/units.h"

namespace plimsoll {

enum class Precision { fp32, fp16, bf16, fp8 };  // of the matrix products
enum class Optimizer { adam, sgd, adam_8bit, adafactor, kfac, shampoo, muon, soap };  // sgd with momentum
// How Muon's work is spread over data-parallel and over tensor ranks (costs/optimizer/muon.h).
enum class MuonSpread { layer_wise, gathered, all_to_all, redundant };
enum class MuonTensor { blockwise, duplicated, distributed };

// What an optimizer keeps of whole matrices.
enum class MatrixState {
    none,
    sums,      // of rows and columns, shared out as other states are
    factors,   // and their inverses or eigenvectors, by which gradients are multiplied: one rank owns those of a matrix
};
// What it keeps; costs/optimizer has the work. A row for each in recipe.cpp.
struct OptimizerState {
    int matrices, others;          // moments of a parameter of a weight matrix, or another: none, the first, or both
    MatrixState by_matrix = MatrixState::none;   // besides
    bool narrow = false;           // moments have 8 bits whatever the formats say
    bool on_cpus = false;          // software runs the update on the CPUs of a node, too
};
const OptimizerState& kept_by(Optimizer);

// What K-FAC, Shampoo, Muon and SOAP leave open. Sizes follow Shi et al. 2023 (blocks of
// 1,024), intervals Pauloski et al. 2021; the rate share is estimated. SOAP's are those of its authors
// (Vyas et al. 2024, 2409.11321).
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
    int soap_interval = 10;          // steps between two decompositions of its factors
    int soap_widest = 10'000;        // a wider side of a matrix is left alone; 0 leaves none alone
    // Steps a first-order optimizer takes over the steps this one takes to the
    // same loss. Nobody can predict it: 1 unless the user has measured it.
    double iteration_reduction = 1;
    friend bool operator==(const OptimizerOptions&, const OptimizerOptions&) = default;
};

// What 16-bit training keeps of a parameter, and in which formats: its weight, the gradient, a master weight that small
// updates do not vanish in, and the optimizer's moments. Memory, the traffic of gradients, checkpoints and the bytes
// that the update touches follow from these.
enum class WeightFormat { as_products, fp32 };      // 16 bits; fp32, converted to 16 bits for the products (autocast)
enum class GradientFormat { half, fp32, both };     // 16 bits; added up in fp32; 16 bits and an fp32 copy
// Remainders are the 16 bits that a bf16 weight lacks of the fp32 one (Transformer Engine's FusedAdam).
enum class MasterFormat { none, fp32, fp16, remainders };
enum class MomentFormat { fp32, bf16, fp16, fp8, scaled_8bit };   // the last with an fp32 scale for every 2,048

struct StateFormat {
    WeightFormat weights = WeightFormat::as_products;
    GradientFormat gradients = GradientFormat::half;
    MasterFormat master = MasterFormat::fp32;
    MomentFormat first_moment = MomentFormat::fp32, second_moment = MomentFormat::fp32;
    bool one_by_one = false;   // chosen so, whether they have a name together or not
    friend bool operator==(const StateFormat&, const StateFormat&) = default;
    bool same_formats(StateFormat o) const { return o.one_by_one = one_by_one, *this == o; }

    // By name, with their bytes of a parameter: weight + gradient + master + moments.
    static const StateFormat eight_bit_moments;          //  6   2 + 2 + 0 + 2     moments in 8 bits, no master weights
    static const StateFormat all_16bit;                  //  8   2 + 2 + 0 + 4
    static const StateFormat all_16bit_fp32_sums;        // 10   2 + 4 + 0 + 4     the same, gradients added up in fp32
    static const StateFormat master_weights;             // 12   2 + 2 + 4 + 4     master weights, moments in 16 bits
    static const StateFormat master_weights_fp32_sums;   // 14   2 + 4 + 4 + 4     DeepSeek-V3
    static const StateFormat fp32_moments;               // 16   2 + 2 + 4 + 8
    static const StateFormat fp32_moments_fp32_sums;     // 18   2 + 4 + 4 + 8
    static const StateFormat fp32_moments_both_sums;     // 20   2 + 2 + 4 + 8 + 4 ZeRO-Infinity
};

namespace detail {
constexpr StateFormat states(GradientFormat g, MasterFormat master, MomentFormat moments) {
    return {WeightFormat::as_products, g, master, moments, moments};
}
}  // namespace detail
inline constexpr StateFormat StateFormat::eight_bit_moments =
    detail::states(GradientFormat::half, MasterFormat::none, MomentFormat::fp8);
inline constexpr StateFormat StateFormat::all_16bit =
    detail::states(GradientFormat::half, MasterFormat::none, MomentFormat::bf16);
inline constexpr StateFormat StateFormat::all_16bit_fp32_sums =
    detail::states(GradientFormat::fp32, MasterFormat::none, MomentFormat::bf16);
inline constexpr StateFormat StateFormat::master_weights =
    detail::states(GradientFormat::half, MasterFormat::fp32, MomentFormat::bf16);
inline constexpr StateFormat StateFormat::master_weights_fp32_sums =
    detail::states(GradientFormat::fp32, MasterFormat::fp32, MomentFormat::bf16);
inline constexpr StateFormat StateFormat::fp32_moments =
    detail::states(GradientFormat::half, MasterFormat::fp32, MomentFormat::fp32);
inline constexpr StateFormat StateFormat::fp32_moments_fp32_sums =
    detail::states(GradientFormat::fp32, MasterFormat::fp32, MomentFormat::fp32);
inline constexpr StateFormat StateFormat::fp32_moments_both_sums =
    detail::states(GradientFormat::both, MasterFormat::fp32, MomentFormat::fp32);

// Files and people call these by their bytes with Adam.
inline constexpr StateFormat named_states[] = {
    StateFormat::eight_bit_moments,        StateFormat::all_16bit,
    StateFormat::all_16bit_fp32_sums,      StateFormat::master_weights,
    StateFormat::master_weights_fp32_sums, StateFormat::fp32_moments,
    StateFormat::fp32_moments_fp32_sums,   StateFormat::fp32_moments_both_sums};
inline constexpr int named_state_count = 8;
constexpr int bytes_of_named(int i) { return 6 + 2 * i; }
int named_state(const StateFormat&);              // its number among them; named_state_count where it is none of them
inline bool goes_by_name(const StateFormat& f) { return !f.one_by_one && named_state(f) < named_state_count; }
double bytes_per_parameter(const StateFormat&);   // with Adam

struct Recipe {
    int global_batch_sequences = 1;
    int sequence_length = 2048;
    // Documents, where attention does not look from one into another: mean length in tokens, and standard deviation
    // over mean. 0: attention sees the whole sequence. Packed they share a sequence; in other rows a sequence is one of
    // them, cut off at its length.
    double document_length = 0, document_variation = 0;
    RowKind rows = RowKind::packed;
    double tokens = 1e9;             // of the whole run that count: of documents, not of what pads them
    double examples = 0, epochs = 1; // documents of the data set and how often each is read; 0: `tokens` says it
    Precision precision = Precision::bf16;
    bool tf32 = false;               // fp32 products on the tensor cores; everything is kept in fp32
    Fp8Recipe fp8_recipe = Fp8Recipe::delayed;  // idle in other precisions
    // Weights of products are kept and gathered in the recipe's format alone: the 16-bit copy is gone. Off: 16-bit
    // weights are converted once a step, and the copies stay beside them for its micro-batches (number_formats.h).
    bool converted_weights_alone = false;
    // MXFP8 then: what is gathered in 16 bits lands where the gradients are added up; off: in a buffer of its own.
    bool gathers_into_gradients = true;
    StateFormat state_format{};     // idle in fp32, which keeps 4 + 4 + 8
    Optimizer optimizer = Optimizer::adam;
    OptimizerOptions optimizer_options{};
    // A parameter is updated as soon as the backward pass has its gradient, which is freed then.
    bool updates_in_backward = false;
    Seconds checkpoint_interval{};  // of training between two checkpoints; zero = the optimum
    Seconds checkpoint_time{};      // of one checkpoint, where it was measured; zero = size / bandwidth
    friend bool operator==(const Recipe&, const Recipe&) = default;
};

inline Filling filling_of(const Recipe& r) {
    return {r.rows, r.sequence_length, {r.document_length, r.document_variation}};
}

// Tokens that count: of one sequence of the batch, of a step, and of the whole run.
inline Sequence counted_sequence(const Recipe& r) { return counted_rows(filling_of(r)); }
inline double tokens_of_step(const Recipe& r) { return 1.0 * r.global_batch_sequences * counted_sequence(r).tokens; }
double tokens_of_run(const Recipe&);
double documents_of_data(const Recipe&);   // that differ
inline void set_tokens(Recipe& r, double tokens) { r.tokens = tokens, r.examples = 0; }

// Tokens the run really reads: fewer than those where the optimizer needs fewer steps.
inline double tokens_read(const Recipe& r) { return tokens_of_run(r) / r.optimizer_options.iteration_reduction; }
double steps_of_run(const Recipe&);   // rounded up

// Bytes one parameter occupies as weight, gradient and optimizer state. What an
// optimizer keeps by matrix is in costs/optimizer.
struct StateBytes {
    double weights, gradients;
    ByGroup optimizer;
    double fetched;    // a weight that products ask for, in their format
    double total(ParameterGroup g) const { return weights + gradients + optimizer[g]; }
};
StateBytes state_bytes(const Recipe&);
double moment_bytes(const Recipe&);         // of the last moment's values; 0 where the optimizer keeps sums alone
double master_bytes(const Recipe&);         // of a parameter's master weight beside another; 0 without
bool keeps_master_weights(const Recipe&);   // beside others, or as the only ones in fp32
// Bytes per parameter that a restart needs: weights, master weights, moments. No gradients.
ByGroup checkpoint_bytes_per_parameter(const Recipe&);

// Bytes of an activation element, and of what crosses the wire.
double activation_bytes(Precision);
// The format the matrix units run in: of a precision by itself, and as the recipe asks.
NumberFormat matrix_format(Precision);
NumberFormat matrix_format(const Recipe&);

}  // namespace plimsoll
