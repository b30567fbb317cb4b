#!/bin/bash
#flux: --nodes=2
#flux: --job-name=plimsoll-calibrate
#flux: --time-limit=20m
#flux: --bank=PROJ
#flux: --nslots=16
#flux: --exclusive
# Calibration of Generic DGX H100 SuperPOD: 2 nodes, 8 ranks on each, at most 20 minutes.
# Submit it inside its folder: flux batch job.sh
set -eu
RUN="$PWD"
ENGINE='plimsoll-engine'
cd "$RUN"
rm -f stop
# A minute before the limit the engine is asked to stop, so that its log is whole.
( sleep 1140 & trap 'kill $!' TERM; wait $! && : > stop ) > /dev/null 2>&1 &
clock=$!
trap 'kill "$clock" 2> /dev/null || :' EXIT
flux run -N 2 -n 16 --gpus-per-task=1 "$ENGINE" @"$RUN/args"
