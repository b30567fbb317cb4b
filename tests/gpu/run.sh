#!/usr/bin/env bash
# Everything that needs a GPU, on a machine with one or more, NVIDIA A100 or newer. Not part of the test suite: CI has
# no GPU. With --amd the stages build, kernels and bench on AMD MI200 or MI300, with ROCm 6.0 or newer.
#
#   tests/gpu/run.sh [--amd] [--build FOLDER] [--no-build] [--peak TFLOP] [--torch PYTHON] [--only STAGE]
#
# Stages: build     the engine, the back end and the tests, in FOLDER (build/gpu)
#         kernels   every kernel against the processor's in fp64, and three times with the same bits
#         layouts   the layouts of tests/engine/tst_engine_cuda_runs.cpp on real devices: all ranks on one, then NCCL
#                   where there are several
#         speed     GPT-2 of 124 M and 1.5 B parameters, bf16, 1,024 tokens: tokens/s, MFU, joule a token, in turns with
#                   PyTorch (compile, SDPA, fused AdamW) where PYTHON has it
#         bench     the engine's own benches of products, attention, memory and links
# MFU = tokens/s x flop a token / peak; flop a token = 6 N + 6 L C T (causal attention), and with 12 L C T beside it; N
# is the matrices' parameters. The peak is dense bf16 of the device's name, or --peak; unknown: no MFU.
# Energy is NVML's counter from the second step to the last, all devices of the run; below 2 s it is not to be trusted.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/gpu python=python3 peak= only= compile=yes device=cuda
while [ $# -gt 0 ]; do
    case $1 in
    --amd) device=hip ;;
    --build) build=$2; shift ;;
    --no-build) compile=no ;;
    --peak) peak=$2; shift ;;
    --torch) python=$2; shift ;;
    --only) only=$2; shift ;;
    *) sed -n '2,19s/^# \{0,1\}//p' "$0"; exit 2 ;;
    esac
    shift
done
engine=$build/bin/plimsoll-engine
stage() { [ -z "$only" ] || [ "$only" = "$1" ]; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

if [ $compile = yes ] && stage build; then
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPLIMSOLL_GUI=OFF \
        $([ $device = hip ] && echo -DPLIMSOLL_HIP=ON -DPLIMSOLL_CUDA=OFF || echo -DPLIMSOLL_CUDA=ON)
    ninja -C "$build" plimsoll-engine backend_$device tests_engine
fi
if [ $device = hip ]; then
    rocm-smi || echo "no rocm-smi"
else
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,power.limit --format=csv || echo "no nvidia-smi"
fi

if stage kernels; then
    if [ $device = hip ]; then PLIMSOLL_REAL_DEVICE=1 "$build/bin/tests_engine" tst_engine_hip_kernels
    else "$build/bin/tests_engine" tst_engine_cuda; fi
fi
if [ $device = cuda ] && stage layouts; then
    PLIMSOLL_BACKEND_FOLDER=$build/bin PLIMSOLL_REAL_DEVICE=1 "$build/bin/tests_engine" tst_engine_cuda_runs
fi
if [ $device = cuda ] && stage speed; then
    "$python" "$here/speed.py" --engine "$engine" --python "$python" ${peak:+--peak "$peak"}
fi
if stage bench; then
    "$engine" --device $device --precision bf16 \
        --layers 12 --width 768 --heads 12 --vocabulary 50304 --sequence 1024 --micro-batch 32 \
        --bench gemm,attention,stream,adamw,hostlink --out "$build/bench.jsonl" >/dev/null
    "$python" "$here/bench_table.py" "$build/bench.jsonl"
fi
