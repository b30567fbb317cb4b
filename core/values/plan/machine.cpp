#include "core/values/plan/machine.h"

namespace plimsoll {

FlopRate Device::peak(NumberFormat f) const {
    switch (f) {
        case NumberFormat::fp32: return fp32;
        case NumberFormat::tf32: return tf32;
        case NumberFormat::fp16: return fp16;
        case NumberFormat::bf16: return bf16;
        case NumberFormat::fp8: return fp8;
    }
    return {};
}

}  // namespace plimsoll
