#!/bin/bash
#flux: --nodes=2
#flux: --job-name=plimsoll-calibrate
#flux: --time-limit=20m
#flux: --bank=PROJ
#flux: --queue=pdebug
#flux: --nslots=8
#flux: --exclusive
# Calibration of El Capitan: 2 nodes, 4 ranks on each, at most 20 minutes.
# Submit it inside its folder: flux batch job.sh
set -eu
RUN="$PWD"
ENGINE='plimsoll-engine'
cd "$RUN"
rm -f stop
export MPICH_GPU_SUPPORT_ENABLED=0 OMP_NUM_THREADS=24
# A minute before the limit the engine is asked to stop, so that its log is whole.
( sleep 1140 & trap 'kill $!' TERM; wait $! && : > stop ) > /dev/null 2>&1 &
clock=$!
trap 'kill "$clock" 2> /dev/null || :' EXIT
flux run -N 2 -n 8 -c 24 --gpus-per-task=1 -o cpu-affinity=per-task -o gpu-affinity=per-task bash "$RUN/amd_gpus.sh" "$ENGINE" @"$RUN/args"
