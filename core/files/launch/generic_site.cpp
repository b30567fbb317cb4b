#include "core/files/launch/generic_site.h"

namespace plimsoll::files {

namespace {

// Every rank sees all GPUs of its node and takes one by its place there.
SiteJob slurm(bool accelerators) {
    SiteJob site;
    site.directives = {"--account={account}", "--partition={queue}", "--ntasks-per-node={ranks_per_node}"};
    if (accelerators) site.directives.push_back("--gpus-per-node={ranks_per_node}");
    site.launch = accelerators ? "srun --nodes={nodes} --ntasks={ranks} --gpu-bind=none {engine}" : "srun --nodes={nodes} --ntasks={ranks} {engine}";
    return site;
}

// One resource set for each node, with all that it has.
SiteJob lsf(bool accelerators) {
    SiteJob site;
    site.directives = {"-P {account}", "-q {queue}"};
    site.launch = "jsrun --nrs {nodes} --rs_per_host 1 --tasks_per_rs {ranks_per_node} --cpu_per_rs ALL_CPUS ";
    if (accelerators) site.launch += "--gpu_per_rs {ranks_per_node} ";
    site.launch += "{engine}";
    return site;
}

// The launcher writes a file for each rank: named, and none for those that print nothing.
SiteJob pjm() {
    SiteJob site;
    site.directives = {"-g {account}", "-L rscgrp={queue}", "--mpi \"proc={ranks},max-proc-per-node={ranks_per_node}\"", "-s"};
    site.environment = {"export PLE_MPI_STD_EMPTYFILE=off"};
    site.launch = "mpiexec -std-proc \"$RUN/rank\" {engine}";
    return site;
}

SiteJob pbs() {
    SiteJob site;
    site.directives = {"-A {account}", "-q {queue}", "-l place=scatter"};
    site.launch = "mpiexec -n {ranks} -ppn {ranks_per_node} {engine}";
    return site;
}

SiteJob flux(bool accelerators) {
    SiteJob site;
    site.directives = {"--bank={account}", "--queue={queue}", "--nslots={ranks}", "--exclusive"};
    site.launch = accelerators ? "flux run -N {nodes} -n {ranks} --gpus-per-task=1 {engine}" : "flux run -N {nodes} -n {ranks} {engine}";
    return site;
}

}  // namespace

SiteJob generic_site(BatchKind kind, bool accelerators) {
    switch (kind) {
        case BatchKind::slurm: return slurm(accelerators);
        case BatchKind::lsf: return lsf(accelerators);
        case BatchKind::pjm: return pjm();
        case BatchKind::pbs: return pbs();
        case BatchKind::flux: return flux(accelerators);
        case BatchKind::grid_engine: break;
    }
    return {};
}

}  // namespace plimsoll::files
