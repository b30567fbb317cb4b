#pragma once
// A published time of one operator alone: a product, fused attention, a grouped product of experts, a collective, a
// stream through device memory. Such rows pin the constants of a device or a network without a training run.
//
//   OperatorRow row{.machine = "dgx-h100", .time = 190 * microsecond, .source = "aic", .work = MeasuredProduct{...}};
//
// Shapes are of one device. `machine` is the preset whose device and levels were measured.

#include "core/values/plan/attention_kernel.h"
#include "core/values/plan/recipe.h"

#include <string>
#include <variant>
#include <vector>

namespace plimsoll {

// What an fp8 row does to its 16-bit input within the measured time: nothing, or one scale for a tensor, a row of it
// or a block of it, made from the data. block_packed: and brought into the order that Blackwell's products read.
// block_given: nothing, both inputs having come with scales of their blocks.
enum class Conversion { none, tensor, row, block, block_packed, block_given };
Fp8Recipe scales_of(Conversion);     // of the products, `tensorwise` where nothing is said

struct MeasuredProduct {
    Precision format = Precision::bf16;
    double m = 1, n = 1, k = 1;          // rows (tokens), columns, inner dimension
    Conversion conversion = Conversion::none;
    std::string kernel{};                // library, as the source names it
};

// Causal.
enum class MeasuredPass { forward, backward, both };
struct MeasuredAttention {
    AttentionKernel kernel = AttentionKernel::generic;
    MeasuredPass pass = MeasuredPass::forward;
    int key_dim = 128, value_dim = 128, heads = 1, kv_heads = 1;
    int sequence = 1, batch = 1;
};

// One product for all experts of a device: `rows` of all of them together, n x k the weight of one.
enum class GroupedPass { forward, data_gradient, weight_gradient };
struct MeasuredGrouped {
    Precision format = Precision::bf16;
    GroupedPass pass = GroupedPass::forward;
    int experts = 1, rows = 1, n = 1, k = 1;
    std::string kernel{};
};

// Bytes of the whole vector, as nccl-tests counts them: of a gather what is there after it.
enum class MeasuredOperation { all_reduce, all_gather, reduce_scatter, all_to_all, p2p };
struct MeasuredCollective {
    MeasuredOperation operation = MeasuredOperation::all_reduce;
    int ranks = 2, ranks_per_node = 2;
    double bytes = 1;
};

// Least traffic of the operator.
struct MeasuredStream {
    std::string operation;
    double bytes = 1;
};

using MeasuredWork =
    std::variant<MeasuredProduct, MeasuredAttention, MeasuredGrouped, MeasuredCollective, MeasuredStream>;

struct OperatorRow {
    std::string machine;
    Seconds time;
    std::string source;
    MeasuredWork work;
};
using OperatorRows = std::vector<OperatorRow>;

// In the order of MeasuredWork.
enum class OperatorKind { product, attention, grouped, collective, stream };
inline constexpr int operator_kinds = 5;
inline OperatorKind kind_of(const OperatorRow& row) { return OperatorKind(row.work.index()); }
const char* name_of_kind(OperatorKind);   // "products", "attention", ...

// What rows of one kind have in common beside the machine: "bf16", "flash_2 forward", "all_reduce, 8 ranks".
std::string variety_of(const OperatorRow&);
// Small, middle and large of a kind, in words: "m, n, k >= 1,024", "1 to 64 MiB".
std::string size_class_of(const OperatorRow&);
// Whether the bar of its kind speaks of it: products of at least 1,024 in every dimension, collectives of 1 MiB and
// more, all attention and grouped products.
bool counts(const OperatorRow&);

}  // namespace plimsoll
