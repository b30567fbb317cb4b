#!/bin/bash
#BSUB -J plimsoll-calibrate
#BSUB -nnodes 2
#BSUB -W 00:20
#BSUB -P PROJ
# Calibration of Generic DGX H100 SuperPOD: 2 nodes, 8 ranks on each, at most 20 minutes.
# Submit it inside its folder: bsub < job.sh
set -eu
RUN="${LS_SUBCWD:-$PWD}"
ENGINE='plimsoll-engine'
cd "$RUN"
rm -f stop
# A minute before the limit the engine is asked to stop, so that its log is whole.
( sleep 1140 & trap 'kill $!' TERM; wait $! && : > stop ) > /dev/null 2>&1 &
clock=$!
trap 'kill "$clock" 2> /dev/null || :' EXIT
jsrun --nrs 2 --rs_per_host 1 --tasks_per_rs 8 --cpu_per_rs ALL_CPUS --gpu_per_rs 8 --bind rs "$ENGINE" @"$RUN/args"
