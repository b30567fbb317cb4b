// What stands around a program on each site's scheduler.
#include "core/files/launch/framework_flags.h"

#include "core/answers/campaign/job_chain.h"
#include "core/files/launch/job_header.h"

#include <algorithm>
#include <cctype>

namespace plimsoll::files {

namespace {

struct Job {
    int nodes, per_node, devices;
    std::string name;
    std::string walltime;  // hh:mm; empty where the site publishes no limits
    double jobs;
};

Job job_of(const Scenario& s) {
    Job j{nodes_used(s), s.machine.devices_per_node, s.layout.devices, {}, {}, 0};
    for (const unsigned char c : s.model.id.empty() ? s.model.name : s.model.id) j.name += std::isalnum(c) ? char(c) : '-';
    j.per_node = std::min(j.per_node, j.devices);
    if (const Outcome o = estimate(s)) {
        const JobChain chain = job_chain(s, headline(s, *o));
        if (chain.kind == ChainKind::jobs) j.walltime = hours_and_minutes(chain.walltime), j.jobs = chain.jobs;
    }
    return j;
}

// On devices that are processors there is nothing to ask for but nodes.
bool has_accelerators(const Scenario& s) { return s.machine.host.link > ByteRate{}; }

}  // namespace

std::string job_header(const Scenario& s) {
    const Job j = job_of(s);
    const auto kind = batch_kind(s.machine.scheduler);
    if (!kind) return {};
    std::string text = header_lines(*kind, {j.name, j.nodes, j.per_node, has_accelerators(s) ? j.per_node : 0, j.walltime});
    if (j.jobs > 1) text += "# One of " + std::to_string((long long)j.jobs) + " jobs that follow each other.\n";
    return text;
}

std::string rendezvous(const Scenario& s) {
    const char* first = "localhost";
    if (const auto kind = batch_kind(s.machine.scheduler)) switch (*kind) {
        case BatchKind::slurm: first = "$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)"; break;
        case BatchKind::lsf: first = "$(sort -u \"$LSB_DJOB_HOSTFILE\" | grep -v batch | head -n 1)"; break;
        case BatchKind::pbs: first = "$(head -n 1 \"$PBS_NODEFILE\")"; break;
        case BatchKind::flux: first = "$(flux hostlist -n 0 local)"; break;
        case BatchKind::pjm: first = "$(head -n 1 \"$PJM_O_NODEINF\")"; break;
        case BatchKind::grid_engine: first = "$(head -n 1 \"$SGE_JOB_HOSTLIST\")"; break;
    }
    return "export MASTER_ADDR=" + std::string(first) + " MASTER_PORT=29500 WORLD_SIZE=" + std::to_string(s.layout.devices) + "\n";
}

namespace {

// PyTorch's ranks from those the launcher sets.
std::string ranked(const std::string& launcher, const char* rank, const char* local, const std::string& program) {
    return launcher + " bash -c 'export RANK=$" + rank + " LOCAL_RANK=$" + local + "; exec \"$@\"' sh python -u " + program;
}

}  // namespace

std::string launcher_line(const Scenario& s, const std::string& program) {
    const Job j = job_of(s);
    const std::string n = std::to_string(j.nodes), per = std::to_string(j.per_node), all = std::to_string(j.devices);
    const std::string& launcher = s.machine.scheduler.launcher;
    const bool pmi = batch_kind(s.machine.scheduler) == BatchKind::pbs;  // MPICH and Cray's PALS; Open MPI elsewhere
    const char* rank = pmi ? "PMI_RANK" : "OMPI_COMM_WORLD_RANK";
    const char* local = pmi ? "PMI_LOCAL_RANK" : "OMPI_COMM_WORLD_LOCAL_RANK";
    if (launcher.starts_with("srun"))
        return ranked("srun --nodes=" + n + " --ntasks-per-node=" + per, "SLURM_PROCID", "SLURM_LOCALID", program);
    if (launcher.find("jsrun") != launcher.npos)  // one resource set a node, with all its devices
        return ranked("jsrun --nrs " + n + " --rs_per_host 1 --tasks_per_rs " + per + " --gpu_per_rs " + per + " --cpu_per_rs ALL_CPUS",
                      rank, local, program);
    if (launcher.find("flux") != launcher.npos)
        return ranked("flux run --nodes=" + n + " --ntasks=" + all + " --gpus-per-task=1", "FLUX_TASK_RANK", "FLUX_TASK_LOCAL_ID", program);
    if (launcher.find("mpiexec") != launcher.npos)
        return ranked("mpiexec -n " + all + (pmi ? " --ppn " + per : ""), rank, local, program);
    if (launcher.find("mpirun") != launcher.npos) return ranked("mpirun -np " + all + " -npernode " + per, rank, local, program);
    return "torchrun --nnodes=" + n + " --nproc-per-node=" + per + " --rdzv-backend=c10d --rdzv-endpoint=$MASTER_ADDR:$MASTER_PORT " + program;
}

}  // namespace plimsoll::files
