#pragma once
// RCCL has NCCL's names: the stand-in's own.
#include <hip/hip_runtime.h>
