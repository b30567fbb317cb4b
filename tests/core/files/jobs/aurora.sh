#!/bin/bash
#PBS -N plimsoll-calibr
#PBS -l select=2
#PBS -l walltime=00:20:00
#PBS -A PROJ
#PBS -q debug
#PBS -l place=scatter
#PBS -l filesystems=home:flare
# Calibration of Aurora: 2 nodes, 12 ranks on each, at most 20 minutes.
# Submit it inside its folder: qsub job.sh
set -eu
RUN="${PBS_O_WORKDIR:-$PWD}"
ENGINE='plimsoll-engine'
cd "$RUN"
rm -f stop
export OMP_NUM_THREADS=8
# A minute before the limit the engine is asked to stop, so that its log is whole.
( sleep 1140 & trap 'kill $!' TERM; wait $! && : > stop ) > /dev/null 2>&1 &
clock=$!
trap 'kill "$clock" 2> /dev/null || :' EXIT
mpiexec -n 24 -ppn 12 --cpu-bind list:1-8:9-16:17-24:25-32:33-40:41-48:53-60:61-68:69-76:77-84:85-92:93-100 gpu_tile_compact.sh "$ENGINE" @"$RUN/args"
