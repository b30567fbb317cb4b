#!/bin/bash
#PJM -N plimsoll-calibrate
#PJM -L node=2
#PJM -L elapse=00:20:00
#PJM -g PROJ
#PJM -L rscgrp=small
#PJM --mpi "proc=8,max-proc-per-node=4"
#PJM -s
# Calibration of Fugaku, four ranks a node (2.0 GHz): 2 nodes, 4 ranks on each, at most 20 minutes.
# Submit it inside its folder: pjsub job.sh
set -eu
RUN="${PJM_O_WORKDIR:-$PWD}"
ENGINE='plimsoll-engine'
cd "$RUN"
rm -f stop
export OMP_NUM_THREADS=12 PLE_MPI_STD_EMPTYFILE=off
export OMPI_MCA_plm_ple_memory_allocation_policy=localalloc XOS_MMM_L_PAGING_POLICY=demand:demand:demand
# A minute before the limit the engine is asked to stop, so that its log is whole.
( sleep 1140 & trap 'kill $!' TERM; wait $! && : > stop ) > /dev/null 2>&1 &
clock=$!
trap 'kill "$clock" 2> /dev/null || :' EXIT
mpiexec -std-proc "$RUN/rank" "$ENGINE" @"$RUN/args"
