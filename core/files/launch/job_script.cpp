// What stands around a program on each site's scheduler.
#include "core/files/launch/framework_flags.h"

#include "core/answers/campaign/job_chain.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace plimsoll::files {

namespace {

enum class Batch { slurm, lsf, pbs, flux, pjm, grid_engine, none };

Batch batch_of(const Scheduler& s) {
    constexpr std::pair<const char*, Batch> kinds[] = {{"Slurm", Batch::slurm}, {"LSF", Batch::lsf}, {"PBS", Batch::pbs},
                                                       {"Flux", Batch::flux},   {"PJM", Batch::pjm}, {"Grid Engine", Batch::grid_engine}};
    for (const auto& [name, kind] : kinds)
        if (s.kind.find(name) != std::string::npos) return kind;
    return Batch::none;
}

struct Job {
    int nodes, per_node, devices;
    std::string name;
    std::string walltime;  // hh:mm; empty where the site publishes no limits
    double jobs;
};

std::string hours_and_minutes(Seconds t) {
    const int minutes = int(std::ceil(t / minute - 1e-9));
    char text[32];
    std::snprintf(text, sizeof text, "%02d:%02d", minutes / 60, minutes % 60);
    return text;
}

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

std::string lines(std::initializer_list<std::string> all) {
    std::string text;
    for (const std::string& line : all)
        if (!line.empty()) text += line + "\n";
    return text;
}

// On devices that are processors there is nothing to ask for but nodes.
bool has_accelerators(const Scenario& s) { return s.machine.host.link > ByteRate{}; }

}  // namespace

std::string job_header(const Scenario& s) {
    const Job j = job_of(s);
    const std::string n = std::to_string(j.nodes), per = std::to_string(j.per_node), timed = j.walltime;
    std::string text;
    switch (batch_of(s.machine.scheduler)) {
        case Batch::slurm:
            text = lines({"#SBATCH --job-name=" + j.name, "#SBATCH --nodes=" + n, "#SBATCH --ntasks-per-node=" + per,
                          has_accelerators(s) ? "#SBATCH --gpus-per-node=" + per : "", timed.empty() ? "" : "#SBATCH --time=" + timed + ":00"});
            break;
        case Batch::lsf:
            text = lines({"#BSUB -J " + j.name, "#BSUB -nnodes " + n, timed.empty() ? "" : "#BSUB -W " + timed});
            break;
        case Batch::pbs:
            text = lines({"#PBS -N " + j.name.substr(0, 15), "#PBS -l select=" + n, timed.empty() ? "" : "#PBS -l walltime=" + timed + ":00"});
            break;
        case Batch::flux: text = lines({"#flux: --nodes=" + n, "#flux: --job-name=" + j.name}); break;
        case Batch::pjm: text = lines({"#PJM -N " + j.name, "#PJM -L node=" + n, timed.empty() ? "" : "#PJM -L elapse=" + timed + ":00"}); break;
        case Batch::grid_engine: text = lines({"#$ -N " + j.name, "#$ -l rt_F=" + n, timed.empty() ? "" : "#$ -l h_rt=" + timed + ":00"}); break;
        case Batch::none: break;
    }
    if (j.jobs > 1) text += "# One of " + std::to_string((long long)j.jobs) + " jobs that follow each other.\n";
    return text;
}

std::string rendezvous(const Scenario& s) {
    const char* first = "localhost";
    switch (batch_of(s.machine.scheduler)) {
        case Batch::slurm: first = "$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)"; break;
        case Batch::lsf: first = "$(sort -u \"$LSB_DJOB_HOSTFILE\" | grep -v batch | head -n 1)"; break;
        case Batch::pbs: first = "$(head -n 1 \"$PBS_NODEFILE\")"; break;
        case Batch::flux: first = "$(flux hostlist -n 0 local)"; break;
        case Batch::pjm: first = "$(head -n 1 \"$PJM_O_NODEINF\")"; break;
        case Batch::grid_engine: first = "$(head -n 1 \"$SGE_JOB_HOSTLIST\")"; break;
        case Batch::none: break;
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
    const bool pmi = batch_of(s.machine.scheduler) == Batch::pbs;  // MPICH and Cray's PALS; Open MPI elsewhere
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
