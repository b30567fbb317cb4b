#!/bin/bash
#SBATCH --job-name=plimsoll-calibrate
#SBATCH --nodes=2
#SBATCH --time=00:20:00
#SBATCH --account=PROJ
#SBATCH --qos=regular
#SBATCH --constraint=gpu
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=32
#SBATCH --gpus-per-node=4
#SBATCH --signal=TERM@60
# Calibration of Perlmutter GPU: 2 nodes, 4 ranks on each, at most 20 minutes.
# Submit it inside its folder: sbatch job.sh
set -eu
RUN="${SLURM_SUBMIT_DIR:-$PWD}"
ENGINE='plimsoll-engine'
cd "$RUN"
rm -f stop
export MPICH_GPU_SUPPORT_ENABLED=0
srun --cpus-per-task=32 --gpu-bind=none --cpu-bind=cores "$ENGINE" @"$RUN/args"
