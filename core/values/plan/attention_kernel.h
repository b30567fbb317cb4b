#pragma once
// Fused attention by implementation: a kernel and its generation decide more of its speed than the device does.
//
//   stack.kernels.attention_kernel = AttentionKernel::flash_2;   // what the software calls
//   efficiency.attention[int(AttentionKernel::flash_2)] = {0.355, 0.332, 402, 580};   // what it reaches on a device
//
// A device that has no numbers of a kernel prices it by its own flash_forward and flash_backward with the scale of the
// stack, as it does `generic`, a kernel that is not named.

#include <array>
#include <cstddef>

namespace plimsoll {

// triton: FlashAttention as written in Triton in 2022 and 2023. cudnn_torch: cuDNN behind PyTorch's
// scaled_dot_product_attention. cudnn_9: cuDNN 9 as Transformer Engine calls it. aiter: AMD's. splash: JAX on TPU.
enum class AttentionKernel { generic, triton, flash_2, flash_3, cudnn_torch, cudnn_9, aiter, splash };
inline constexpr std::size_t attention_kernels = 8;

// Rate of one pass over an endless causal sequence with heads of 128, as a share of the 16-bit peak, and the length at
// which a causal pass reaches half of it. Forward and backward differ by kernel. Zero rates: not measured.
struct FusedAttention {
    double forward = 0, backward = 0;
    double half_forward = 0, half_backward = 0;   // tokens
    bool known() const { return forward > 0 && backward > 0; }
    friend bool operator==(const FusedAttention&, const FusedAttention&) = default;
};
using AttentionTable = std::array<FusedAttention, attention_kernels>;

}  // namespace plimsoll
