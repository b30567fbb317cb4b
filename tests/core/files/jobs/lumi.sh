#!/bin/bash
#SBATCH --job-name=plimsoll-calibrate
#SBATCH --nodes=2
#SBATCH --time=00:20:00
#SBATCH --account=PROJ
#SBATCH --partition=standard-g
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --signal=TERM@60
# Calibration of LUMI-G: 2 nodes, 8 ranks on each, at most 20 minutes.
# Submit it inside its folder: sbatch job.sh
set -eu
RUN="${SLURM_SUBMIT_DIR:-$PWD}"
ENGINE='plimsoll-engine'
cd "$RUN"
rm -f stop
export MPICH_GPU_SUPPORT_ENABLED=0 OMP_NUM_THREADS=7
export NCCL_SOCKET_IFNAME=hsn NCCL_NET_GDR_LEVEL=3
if command -v module > /dev/null; then set +u; module load aws-ofi-rccl || echo "Without aws-ofi-rccl RCCL goes over TCP between nodes." >&2; set -u; fi
srun --cpu-bind=mask_cpu:fe000000000000,fe00000000000000,fe0000,fe000000,fe,fe00,fe00000000,fe0000000000 bash -c 'ROCR_VISIBLE_DEVICES=$SLURM_LOCALID exec "$0" "$@"' "$ENGINE" @"$RUN/args"
