#!/bin/bash
#BSUB -J plimsoll-calibrate
#BSUB -nnodes 2
#BSUB -W 00:20
#BSUB -P PROJ
#BSUB -q batch
#BSUB -alloc_flags smt1
# Calibration of Summit: 2 nodes, 6 ranks on each, at most 20 minutes.
# Submit it inside its folder: bsub < job.sh
set -eu
RUN="${LS_SUBCWD:-$PWD}"
ENGINE='plimsoll-engine'
cd "$RUN"
rm -f stop
export OMP_NUM_THREADS=7
# A minute before the limit the engine is asked to stop, so that its log is whole.
( sleep 1140 & trap 'kill $!' TERM; wait $! && : > stop ) > /dev/null 2>&1 &
clock=$!
trap 'kill "$clock" 2> /dev/null || :' EXIT
jsrun -n 12 -r 6 -a 1 -c 7 -g 1 -d packed -b packed:7 -l gpu-cpu "$ENGINE" @"$RUN/args"
