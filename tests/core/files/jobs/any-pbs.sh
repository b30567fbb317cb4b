#!/bin/bash
#PBS -N plimsoll-calibr
#PBS -l select=2
#PBS -l walltime=00:20:00
#PBS -A PROJ
#PBS -l place=scatter
# Calibration of Generic DGX H100 SuperPOD: 2 nodes, 8 ranks on each, at most 20 minutes.
# Submit it inside its folder: qsub job.sh
set -eu
RUN="${PBS_O_WORKDIR:-$PWD}"
ENGINE='plimsoll-engine'
cd "$RUN"
rm -f stop
# A minute before the limit the engine is asked to stop, so that its log is whole.
( sleep 1140 & trap 'kill $!' TERM; wait $! && : > stop ) > /dev/null 2>&1 &
clock=$!
trap 'kill "$clock" 2> /dev/null || :' EXIT
mpiexec -n 16 -ppn 8 "$ENGINE" @"$RUN/args"
