#!/bin/bash
#PBS -N plimsoll-calibr
#PBS -l select=2
#PBS -l walltime=00:20:00
#PBS -A PROJ
#PBS -q debug
#PBS -l place=scatter
#PBS -l filesystems=home:eagle
# Calibration of Polaris: 2 nodes, 4 ranks on each, at most 20 minutes.
# Submit it inside its folder: qsub job.sh
set -eu
RUN="${PBS_O_WORKDIR:-$PWD}"
ENGINE='plimsoll-engine'
cd "$RUN"
rm -f stop
export MPICH_GPU_SUPPORT_ENABLED=0
# A minute before the limit the engine is asked to stop, so that its log is whole.
( sleep 1140 & trap 'kill $!' TERM; wait $! && : > stop ) > /dev/null 2>&1 &
clock=$!
trap 'kill "$clock" 2> /dev/null || :' EXIT
mpiexec -n 8 -ppn 4 --depth=8 --cpu-bind depth bash "$RUN/gpu_by_localrank.sh" "$ENGINE" @"$RUN/args"
