// Job scripts of every batch system, and what starts the program: real bash with stand-ins for the launchers agrees on
// the words, and nodes and devices follow from them.
#include "registered_test.h"

#include "core/files/import/launchers.h"
#include "core/files/settings/settings.h"
#include "real_shell.h"

using namespace plimsoll;
using namespace plimsoll::files;
using namespace plimsoll::testing;

namespace {

using Beside = std::vector<std::pair<std::string, std::string>>;

const std::string program = " train --num-layers 4\n";

}  // namespace

class JobScriptsTest : public QObject {
    Q_OBJECT

private slots:
    void nodes_and_devices_follow_data() {
        QTest::addColumn<std::string>("script");
        QTest::addColumn<Beside>("beside");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("devices");
        const auto row = [](const char* name, const std::string& script, int nodes, int devices,
                            const Beside& beside = {}) {
            QTest::newRow(name) << "#!/bin/bash\n" + script << beside << nodes << devices;
        };
        // Slurm
        row("srun by nodes and tasks", "#SBATCH -N 4\n#SBATCH --ntasks-per-node=8\nsrun" + program, 4, 32);
        row("srun says its own number", "#SBATCH -N 4\n#SBATCH --ntasks-per-node=8\nsrun -N2 -n 16" + program, 2, 16);
        row("nodes that follow from tasks",
            "#SBATCH -n 32\n#SBATCH --ntasks-per-node=8\nsrun --n $SLURM_NNODES" + program, 4, 32);
        row("a task a node starts a process a device",
            "#SBATCH --nodes=3\n#SBATCH --ntasks-per-node=1\n#SBATCH --gres=gpu:4\n"
            "srun torchrun --nnodes $SLURM_NNODES --nproc-per-node $SLURM_GPUS_ON_NODE"
                + program,
            3, 12);
        row("devices of a task", "#SBATCH -N 2\n#SBATCH --ntasks-per-node=1\n#SBATCH --gpus-per-task=4\nsrun" + program,
            2, 8);
        row("Slurm's count of tasks on each node",
            "#SBATCH -N 4\n#SBATCH --ntasks-per-node=8\nEACH=${SLURM_TASKS_PER_NODE%%(*}\n"
            "mpirun -np $((SLURM_NNODES * EACH))"
                + program,
            4, 32);
        // PBS
        row("PBS by its list of nodes",
            "#PBS -l select=4:ncpus=32:ngpus=8:mpiprocs=8\nN=$(sort -u $PBS_NODEFILE | wc -l)\n"
            "mpiexec -n $((N * 8)) -ppn 8"
                + program,
            4, 32);
        row("PBS of nodes and processes", "#PBS -l nodes=3:ppn=4:gpus=4\nmpirun -np $(wc -l < $PBS_NODEFILE)" + program,
            3, 12);
        row("PBS in two chunks", "#PBS -l select=1:ngpus=8:mpiprocs=8+3:ngpus=8:mpiprocs=8\nmpiexec" + program, 4, 32);
        // PJM
        row("PJM",
            "#PJM -L rscgrp=regular-a\n#PJM -L node=4\n#PJM --mpi proc=32\n"
            "mpirun -machinefile ${PJM_O_NODEINF##*/} -np ${PJM_MPI_PROC} -map-by ppr:8:node"
                + program,
            4, 32);
        row("PJM in one line",
            "#PJM -L \"rscgrp=large,node=2x3x2,elapse=01:00:00\"\n#PJM --mpi max-proc-per-node=4\n"
            "H=$(head -n 1 $PJM_O_NODEINF)\nmpiexec --host $H"
                + program,
            12, 48);
        // LSF
        row("LSF by slots of a node",
            "#BSUB -n 32\n#BSUB -R \"span[ptile=8]\"\n#BSUB -gpu \"num=8:mode=exclusive_process\"\n"
            "mpirun -np $LSB_DJOB_NUMPROC --n $(uniq $LSB_DJOB_HOSTFILE | wc -l)"
                + program,
            4, 32);
        row("resource sets", "#BSUB -nnodes 4\njsrun -n 24 -r 6 -a 1 -g 1 -c 7" + program, 4, 24);
        row("resource sets in short",
            "#BSUB -nnodes 2\njsrun -n12 -r6 -a1 -g1 -c7 -l GPU-CPU -d packed -b rs" + program, 2, 12);
        row("resource sets of a node",
            "#BSUB -nnodes 3\njsrun --rs_per_host 1 --tasks_per_rs 6 --gpu_per_rs 6" + program, 3, 18);
        row("one task that has a node's devices",
            "#BSUB -nnodes 3\njsrun -n 3 -r1 -g 6 -a 1 --smpiargs=\"-gpu\"" + program, 3, 18);
        // Flux
        row("Flux", "#flux: -N 2\n#flux: -q pbatch\nflux run -N 2 -n 8 -g 1" + program, 2, 8);
        row("Flux in short", "#FLUX: --nodes=4\n#FLUX: -t=60\nflux run -N4 -n16 -g1 -o spindle.level=high" + program, 4,
            16);
        row("Flux by tasks of a node", "# flux: -N 4\nflux run --exclusive --nodes=4 --tasks-per-node=4" + program, 4,
            16);
        // Grid Engine
        row("Grid Engine of full nodes",
            "#$ -l rt_AF=4\n#$ -cwd\n[ $SGE_RESOURCE_TYPE = rt_AF ] && G=8 || G=4\n"
            "mpirun -np $((NHOSTS * G)) -npernode $G -hostfile x"
                + program,
            4, 32);
        row("Grid Engine's slots", "#$ -pe mpi 16\nmpirun -np $NSLOTS -npernode 8" + program, 2, 16);
        // Launchers by themselves
        row("mpirun", "mpirun --mca pml ob1 -x PATH -np 16 --map-by ppr:4:node" + program, 4, 16);
        row("deepspeed on some devices", "deepspeed --include localhost:0,1,2 --master_port 1" + program, 0, 3);
        row("deepspeed on two hosts", "deepspeed --include=\"a:0,1@b:0,1\"" + program, 0, 4);
        row("accelerate", "accelerate launch --num_machines 2 --num-processes 16 --use_deepspeed" + program, 2, 16);
        row("as many nodes as the site says", "torchrun --nnodes $SITE --nproc-per-node 8" + program, 0, 0);
        // Files beside
        row("a file that is sourced sets the counts",
            "source site.sh\ncheck\nsrun -N $NODES -n $((NODES * EACH))" + program, 3, 12,
            {{"site.sh", "NODES=3\nEACH=4\ncheck() { export EACH; }\n"}});
        row("a script that another one starts",
            "#SBATCH -N 2\n#SBATCH --ntasks-per-node=4\nexport L=4\nsrun bash inner.sh x\n", 2, 8,
            {{"inner.sh", "train --num-layers $L --name $1\n"}});
    }
    void nodes_and_devices_follow() {
        QFETCH(std::string, script);
        QFETCH(Beside, beside);
        const Settings read = read_script(script, FilesBeside(beside.begin(), beside.end()));
        QCOMPARE(read.script.runs.size(), std::size_t(1));
        const ScriptReading launches = read_launches(read, "job.sh");
        QTEST(launches.shape.nodes, "nodes");
        QTEST(launches.shape.devices, "devices");
        // Stand-ins start nothing, and bash knows no variable of the site.
        if (!RealShell::is_here() || script.find("inner.sh") != script.npos || script.find("$SITE") != script.npos)
            return;
        RealShell real;
        const auto wanted = real.run(script, read.batch, beside);
        QVERIFY(wanted.has_value());
        QCOMPARE(shown(words_of(read.script.runs[0])), shown(*wanted));
    }

    void a_launcher_whose_script_is_not_there_still_says_the_devices() {
        const Settings read = read_script("#PBS -l select=2:mpiprocs=4\nmpirun -np 8 --npernode 4 bash elsewhere.sh\n");
        const ScriptReading launches = read_launches(read, "job.sh");
        QCOMPARE(launches.shape.devices, 8);
        QVERIFY(std::ranges::any_of(launches.remarks, [](const ImportRemark& r) { return r.key == "-np"; }));
    }

    void a_file_of_options_alone_is_read() {
        const Settings read = read_script("P=()\nP+=(\n  --num-layers 4\n  --lr 1e-4\n)\nP+=(--bf16)\n");
        const ScriptReading launches = read_launches(read, "params.sh");
        QCOMPARE(launches.settings.size(), std::size_t(3));
        QCOMPARE(launches.settings[0].line, 3);
    }

    void ways_that_are_not_worked_out_are_said() {
        std::string script;
        for (int i = 0; i < 12; ++i) {
            const std::string n = std::to_string(i);
            script += "[ \"$S" + n + "\" = x ] && A" + n + "=1\n";
        }
        script += "train";
        for (int i = 0; i < 12; ++i) script += " --a" + std::to_string(i) + " $A" + std::to_string(i);
        const Settings read = read_script(script + "\n");
        QVERIFY(std::ranges::any_of(read.remarks, [](const Problem& p) {
            return p.message.find("leave more ways open than are worked out: 96 were") != std::string::npos;
        }));
        QVERIFY(read_script("[ \"$S\" = x ] && A=1\ntrain --a $A\n").remarks.empty());
    }
};

PLIMSOLL_TEST(JobScriptsTest)
#include "tst_job_scripts.moc"
