#!/bin/bash
#SBATCH --job-name=plimsoll-calibrate
#SBATCH --nodes=2
#SBATCH --time=00:20:00
#SBATCH --account=PROJ
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --signal=TERM@60
# Calibration of JUWELS Booster: 2 nodes, 4 ranks on each, at most 20 minutes.
# Submit it inside its folder: sbatch job.sh
set -eu
RUN="${SLURM_SUBMIT_DIR:-$PWD}"
ENGINE='plimsoll-engine'
cd "$RUN"
rm -f stop
srun --nodes=2 --ntasks=8 --gpu-bind=none --cpu-bind=none "$ENGINE" @"$RUN/args"
