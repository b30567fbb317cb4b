#!/bin/bash
#SBATCH --job-name=plimsoll-calibrate
#SBATCH --nodes=2
#SBATCH --time=00:20:00
#SBATCH --account=PROJ
#SBATCH --partition=batch
#SBATCH -S 8
#SBATCH --network=disable_rdzv_get
#SBATCH --signal=TERM@60
# Calibration of Frontier: 2 nodes, 8 ranks on each, at most 20 minutes.
# Submit it inside its folder: sbatch job.sh
set -eu
RUN="${SLURM_SUBMIT_DIR:-$PWD}"
ENGINE='plimsoll-engine'
cd "$RUN"
rm -f stop
export MPICH_GPU_SUPPORT_ENABLED=0 NCCL_SOCKET_IFNAME=hsn OMP_NUM_THREADS=7
if command -v module > /dev/null; then set +u; module load rccl-net-plugin || echo "Without rccl-net-plugin RCCL goes over TCP between nodes." >&2; set -u; fi
srun -N 2 -n 16 -c 7 --gpus-per-task=1 --gpu-bind=closest "$ENGINE" @"$RUN/args"
