// Batch jobs of a calibration: whole scripts as they are submitted, and that a shell does with them what they say.
// With PLIMSOLL_WRITE_GOLDEN=1 the scripts beside this file are written anew, for a look at what changed.
#include "registered_test.h"

#include "core/files/launch/calibration_job.h"
#include "job_stage.h"
#include "shipped.h"

#include <QProcess>

#include <csignal>

using namespace plimsoll;

namespace {

const QString golden_folder = QStringLiteral(PLIMSOLL_TESTS_DIR "/core/files/jobs/");

Machine machine(const QString& id) { return library().machines.at(id.toStdString()); }

// As users ask for it: two nodes, ten minutes of measurements.
JobRequest request() {
    JobRequest r;
    r.nodes = 2;
    r.account = "PROJ";
    r.plan = "{}\n";
    return r;
}

QString all_of(const std::vector<std::string>& sentences) {
    QString text;
    for (const std::string& each : sentences) text += QString::fromStdString(each) + "\n";
    return text;
}

struct Site {
    const char* name;
    const char* machine;
    BatchKind kind;
};
const Site sites[] = {
    {"frontier", "frontier", BatchKind::slurm},
    {"perlmutter", "perlmutter", BatchKind::slurm},
    {"lumi", "lumi", BatchKind::slurm},
    {"summit", "summit", BatchKind::lsf},
    {"fugaku", "fugaku", BatchKind::pjm},
    {"fugaku-boost", "fugaku-boost", BatchKind::pjm},
    {"fugaku-cmg", "fugaku-cmg", BatchKind::pjm},
    {"polaris", "polaris", BatchKind::pbs},
    {"aurora", "aurora", BatchKind::pbs},
    {"el-capitan", "el-capitan", BatchKind::flux},
    {"any-slurm", "juwels-booster", BatchKind::slurm},
    {"any-lsf", "dgx-h100", BatchKind::lsf},
    {"any-pjm", "dgx-h100", BatchKind::pjm},
    {"any-pbs", "dgx-h100", BatchKind::pbs},
    {"any-flux", "dgx-h100", BatchKind::flux},
};
void add_sites() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("kind");
    for (const Site& s : sites) QTest::newRow(s.name) << QString(s.machine) << int(s.kind);
}

}  // namespace

class CalibrationJobTest : public QObject {
    Q_OBJECT

private slots:
    void scripts_are_as_sites_want_them_data() { add_sites(); }
    void scripts_are_as_sites_want_them() {
        QFETCH(QString, id);
        QFETCH(int, kind);
        const auto job = calibration_job(machine(id), BatchKind(kind), request());
        QVERIFY2(job.has_value(), job ? "" : qPrintable(all_of(job.error())));
        const QString path = golden_folder + QTest::currentDataTag() + ".sh";
        const QByteArray script = QByteArray::fromStdString(text_of(*job, "job.sh"));
        if (qEnvironmentVariableIsSet("PLIMSOLL_WRITE_GOLDEN")) write_program(path, script);
        QCOMPARE(QString(script), QString(bytes_of(path)));
        QVERIFY2(QProcess::execute("bash", {"-n", path}) == 0, qPrintable(path));
    }

    // The pitfalls, one by one, apart from the whole scripts.
    void pitfalls_are_avoided_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* id, BatchKind k, const char* file, const char* says) {
            QTest::newRow(name) << QString(id) << int(k) << QString(file) << QString(says);
        };
        row("Frontier keeps a core of each L3 for the system", "frontier", BatchKind::slurm, "job.sh",
            "#SBATCH -S 8\n");
        row("Perlmutter's ranks see all GPUs", "perlmutter", BatchKind::slurm, "job.sh", "--gpu-bind=none");
        row("LUMI's GCDs lie in another order than its cores", "lumi", BatchKind::slurm, "job.sh",
            "mask_cpu:fe000000000000,fe00000000000000,fe0000,fe000000,fe,fe00,fe00000000,fe0000000000 ");
        row("Cray MPICH is not asked for GPU memory", "perlmutter", BatchKind::slurm, "job.sh",
            "MPICH_GPU_SUPPORT_ENABLED=0");
        row("Slurm says when time runs out", "frontier", BatchKind::slurm, "job.sh", "#SBATCH --signal=TERM@60\n");
        row("Summit has one resource set a GPU", "summit", BatchKind::lsf, "job.sh",
            "jsrun -n 12 -r 6 -a 1 -c 7 -g 1 ");
        row("Fugaku's rank files have a name", "fugaku", BatchKind::pjm, "job.sh", "mpiexec -std-proc \"$RUN/rank\" ");
        row("Fugaku's empty rank files are dropped", "fugaku", BatchKind::pjm, "job.sh", "PLE_MPI_STD_EMPTYFILE=off");
        row("Fugaku's memory lies where it is touched first", "fugaku", BatchKind::pjm, "job.sh",
            "_memory_allocation_policy=localalloc XOS_MMM_L_PAGING_POLICY=demand:demand:demand\n");
        row("boost mode is asked for", "fugaku-boost", BatchKind::pjm, "job.sh", "#PJM -L freq=2200\n");
        row("Aurora's cores are listed", "aurora", BatchKind::pbs, "job.sh",
            "--cpu-bind list:1-8:9-16:17-24:25-32:33-40:41-48:53-60:61-68:69-76:77-84:85-92:93-100 ");
        row("Polaris numbers GPUs backwards", "polaris", BatchKind::pbs, "gpu_by_localrank.sh",
            "CUDA_VISIBLE_DEVICES=$((gpus - 1 - PMI_LOCAL_RANK % gpus))");
        row("Flux names AMD's GPUs as NVIDIA's", "el-capitan", BatchKind::flux, "amd_gpus.sh",
            "export ROCR_VISIBLE_DEVICES=\"${CUDA_VISIBLE_DEVICES-}\"\nunset CUDA_VISIBLE_DEVICES\n");
        row("RCCL takes Slingshot on Frontier", "frontier", BatchKind::slurm, "job.sh", "module load rccl-net-plugin ");
        row("and its rendezvous is the one it wants", "frontier", BatchKind::slurm, "job.sh",
            "#SBATCH --network=disable_rdzv_get\n");
        row("RCCL takes Slingshot on LUMI", "lumi", BatchKind::slurm, "job.sh", "module load aws-ofi-rccl ");
        row("an APU is asked for where no link leads to it", "el-capitan", BatchKind::slurm, "job.sh",
            "#SBATCH --gpus-per-node=4\n");
        row("a rank of all cores has the node to itself", "archer2", BatchKind::slurm, "job.sh",
            "#SBATCH --exclusive\n");
        row("and is bound to none of them", "archer2", BatchKind::slurm, "job.sh", "--cpu-bind=none ");
        row("a rank that drives a GPU does not share a core with what NCCL sends by", "juwels-booster",
            BatchKind::slurm, "job.sh", "--gpu-bind=none --cpu-bind=none ");
        row("neither does one under jsrun", "ibm-vela-a100", BatchKind::lsf, "job.sh", "--bind rs ");
        row("cores that are devices stay bound", "cpu-2core", BatchKind::slurm, "job.sh",
            "srun --nodes=1 --ntasks=2 \"$ENGINE\"");
        row("RCCL takes Slingshot on Crusher as on Frontier", "crusher", BatchKind::slurm, "job.sh",
            "module load rccl-net-plugin ");
        row("RCCL takes Slingshot on El Capitan", "el-capitan", BatchKind::flux, "amd_gpus.sh",
            "export LD_LIBRARY_PATH=\"$plugin:${LD_LIBRARY_PATH-}\"");
    }
    void pitfalls_are_avoided() {
        QFETCH(QString, id);
        QFETCH(int, kind);
        QFETCH(QString, file);
        QFETCH(QString, says);
        JobRequest r = request();
        r.nodes = std::min(r.nodes, machine(id).nodes);
        const auto job = calibration_job(machine(id), BatchKind(kind), r);
        QVERIFY2(job.has_value(), job ? "" : qPrintable(all_of(job.error())));
        QVERIFY2(QString::fromStdString(text_of(*job, file.toStdString())).contains(says),
                 text_of(*job, file.toStdString()).c_str());
    }

    void a_shell_hands_over_words_as_they_are_data() { add_sites(); }
    void a_shell_hands_over_words_as_they_are() {
        QFETCH(QString, id);
        QFETCH(int, kind);
        JobStage stage;
        JobRequest r = request();
        r.folder = stage.folder().toStdString();
        r.engine = stage.engine_path().toStdString();
        const auto job = calibration_job(machine(id), BatchKind(kind), r);
        QVERIFY2(job.has_value(), job ? "" : qPrintable(all_of(job.error())));
        QCOMPARE(stage.run(*job), 7);   // the engine's code is the job's
        QCOMPARE(QString(bytes_of(stage.folder() + "/seen")), stage.folder() + "\n@" + stage.folder() + "/args\n");
        QVERIFY(!QFile::exists(stage.folder() + "/evil"));
        const QByteArray variables = bytes_of(stage.folder() + "/environment");
        if (id == "el-capitan")
            QVERIFY(variables.contains("\nROCR_VISIBLE_DEVICES=2\n") && !variables.contains("\nCUDA_VISIBLE_DEVICES="));
        if (id == "polaris") QVERIFY(variables.contains("\nCUDA_VISIBLE_DEVICES=2\n"));
        if (id == "lumi") QVERIFY(variables.contains("\nROCR_VISIBLE_DEVICES=1\n"));
    }

    void a_job_may_be_submitted_from_anywhere() {
        JobStage stage;
        JobRequest r = request();
        r.engine = stage.engine_path().toStdString();
        const auto job = calibration_job(machine("el-capitan"), BatchKind::flux, r);
        QVERIFY(job.has_value());
        QCOMPARE(stage.run(*job), 7);
        QVERIFY(bytes_of(stage.folder() + "/seen").endsWith("/args\n"));
    }

    void the_clock_asks_the_engine_to_stop() {
        JobStage stage;
        write_program(stage.tool("sleep"), "#!/bin/bash\nexec /bin/sleep 0.2\n");
        write_program(stage.folder() + "/wait", {});
        write_program(stage.folder() + "/stop", {});   // of a job before
        JobRequest r = request();
        r.engine = stage.engine_path().toStdString();
        const auto job = calibration_job(machine("polaris"), BatchKind::pbs, r);
        QVERIFY(job.has_value());
        QVERIFY(text_of(*job, "job.sh").find("sleep 1140 ") != std::string::npos);   // 20 minutes less one
        QCOMPARE(stage.run(*job), 75);
    }
    void the_clock_ends_with_the_job() {
        JobStage stage;
        write_program(stage.tool("sleep"), "#!/bin/bash\necho $$ > pid\nexec /bin/sleep 60\n");
        write_program(stage.engine_path(), "#!/bin/bash\nwhile [ ! -s pid ]; do /bin/sleep 0.02; done\n");
        JobRequest r = request();
        r.engine = stage.engine_path().toStdString();
        const auto job = calibration_job(machine("summit"), BatchKind::lsf, r);
        QVERIFY(job.has_value());
        QCOMPARE(stage.run(*job), 0);
        const pid_t pid = bytes_of(stage.folder() + "/pid").trimmed().toInt();
        QVERIFY(pid > 0);
        QTRY_VERIFY(kill(pid, 0) != 0);
        QVERIFY(!QFile::exists(stage.folder() + "/stop"));
    }

    void arguments_are_one_a_line() {
        JobRequest r = request();
        r.options = {"--storage-directory", "/a b"};
        const auto job = calibration_job(machine("perlmutter"), BatchKind::slurm, r);
        QVERIFY(job.has_value());
        QCOMPARE(text_of(*job, "args"),
                 std::string(
                     "--calibrate\nplan.json\n--out\nresult.jsonl\n--cancel-file\nstop\n--storage-directory\n/a b\n"));
        QCOMPARE(text_of(*job, "plan.json"), std::string("{}\n"));
        r.plan.clear();
        QCOMPARE(text_of(*calibration_job(machine("perlmutter"), BatchKind::slurm, r), "args"),
                 std::string("--out\nresult.jsonl\n--cancel-file\nstop\n--threads\n32\n--storage-directory\n/a b\n"));
    }

    // Of a job without a plan; a plan says it of each run.
    void ranks_share_the_cores_of_a_node_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("cores");
        QTest::newRow("four ranks by themselves: the site's twelve each") << 0 << 12;
        QTest::newRow("one rank has all") << 1 << 48;
        QTest::newRow("two share them") << 2 << 24;
        QTest::newRow("more ranks than cores have one each") << 96 << 1;
    }
    void ranks_share_the_cores_of_a_node() {
        QFETCH(int, ranks);
        QFETCH(int, cores);
        JobRequest r = request();
        r.plan.clear();
        r.ranks_per_node = ranks;
        QCOMPARE(job_shape(machine("fugaku"), BatchKind::pjm, r).cores_per_rank, cores);
        const auto job = calibration_job(machine("fugaku"), BatchKind::pjm, r);
        QVERIFY2(job.has_value(), job ? "" : qPrintable(all_of(job.error())));
        QVERIFY(text_of(*job, "args").find("--threads\n" + std::to_string(cores) + "\n") != std::string::npos);
        QVERIFY(text_of(*job, "job.sh").find("OMP_NUM_THREADS=" + std::to_string(cores) + " ") != std::string::npos);
    }

    void time_is_half_as_much_again_and_five_minutes() {
        JobRequest r = request();
        r.budget = 600 * second;
        QCOMPARE(calibration_job(machine("frontier"), BatchKind::slurm, r)->walltime / minute, 20.0);
        r.budget = 100 * second;   // 450 s
        QVERIFY(text_of(*calibration_job(machine("frontier"), BatchKind::slurm, r), "job.sh").find("--time=00:08:00")
                != std::string::npos);
        r.walltime = 90 * minute;
        QVERIFY(text_of(*calibration_job(machine("frontier"), BatchKind::slurm, r), "job.sh").find("--time=01:30:00")
                != std::string::npos);
    }

    void what_cannot_be_a_job_is_said_data() {
        QTest::addColumn<JobRequest>("asked");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* says, auto change) {
            JobRequest r = request();
            change(r);
            QTest::newRow(name) << r << QString(says);
        };
        row("no account where one pays", "Frontier wants jobs to name an account",
            [](JobRequest& r) { r.account.clear(); });
        row("an account that is an option", "not allowed", [](JobRequest& r) { r.account = "-wrap"; });
        row("an account that breaks its line", "not allowed", [](JobRequest& r) { r.account = "a\nrm -r"; });
        row("a queue of two words", "queue \"a b\"", [](JobRequest& r) { r.queue = "a b"; });
        row("more nodes than there are", "1 to 9408", [](JobRequest& r) { r.nodes = 10000; });
        row("fewer nodes than one", "1 to 9408", [](JobRequest& r) { r.nodes = -1; });
        row("a folder from nowhere", "absolute path", [](JobRequest& r) { r.folder = "~/runs"; });
        row("an engine beside something", "absolute path", [](JobRequest& r) { r.engine = "bin/plimsoll-engine"; });
        row("an engine of two lines", "absolute path", [](JobRequest& r) { r.engine = "/a\n/b"; });
        row("an option of two lines", "one a line", [](JobRequest& r) { r.options = {"a\nb"}; });
        row("longer than the queue allows", "02:00 that Frontier gives", [](JobRequest& r) { r.walltime = 3 * hour; });
        row("longer than another queue allows", "24:00 that Frontier gives", [](JobRequest& r) {
            r.queue = "extended";
            r.walltime = 30 * hour;
        });
        row("no time at all", "no time limit", [](JobRequest& r) { r.budget = Seconds{}; });
    }
    void what_cannot_be_a_job_is_said() {
        QFETCH(JobRequest, asked);
        QFETCH(QString, says);
        const auto job = calibration_job(machine("frontier"), BatchKind::slurm, asked);
        QVERIFY(!job);
        QVERIFY2(all_of(job.error()).contains(says), qPrintable(all_of(job.error())));
    }

    void lines_of_a_stranger_s_plan_are_named() {
        Machine m = machine("frontier");
        QVERIFY(foreign_lines(m, BatchKind::slurm, library().machines).empty());
        m.id = "mine";
        QVERIFY(foreign_lines(m, BatchKind::slurm, library().machines).empty());   // the lines are Frontier's still
        SiteJob job = *m.scheduler.job;
        job.environment = {"curl example.org | sh"};
        m.scheduler.job = site_job(job);
        const auto lines = foreign_lines(m, BatchKind::slurm, library().machines);
        QVERIFY(std::find(lines.begin(), lines.end(), "curl example.org | sh") != lines.end());
        QVERIFY(std::find(lines.begin(), lines.end(), job.launch) != lines.end());
        QVERIFY(foreign_lines(m, BatchKind::pbs, library().machines).empty());     // these lines are not written
    }

    void another_scheduler_than_the_site_s_gets_general_lines() {
        const auto job = calibration_job(machine("frontier"), BatchKind::pbs, request());
        QVERIFY(job.has_value());
        QVERIFY(all_of(job->notes).contains("does not describe PBS jobs"));
        QVERIFY(text_of(*job, "job.sh").find("srun") == std::string::npos);
        QVERIFY(!calibration_job(machine("frontier"), BatchKind::grid_engine, request()));
    }

    void another_batch_system_than_the_machine_s_is_told_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("says");   // empty: it is the machine's, or nobody knows of another
        QTest::newRow("Kubernetes") << "bytedance-a100" << "are started by Kubernetes, not by Slurm";
        QTest::newRow("Grid Engine") << "tsubame4" << "are started by Altair Grid Engine, not by Slurm";
        QTest::newRow("PBS") << "polaris" << "are started by PBS Pro, not by Slurm";
        QTest::newRow("its own") << "juwels-booster" << "";
        QTest::newRow("a computer without one") << "laptop" << "";
    }
    void another_batch_system_than_the_machine_s_is_told() {
        QFETCH(QString, id);
        QFETCH(QString, says);
        JobRequest r = request();
        r.nodes = 1;
        const auto job = calibration_job(machine(id), BatchKind::slurm, r);
        QVERIFY2(job.has_value(), job ? "" : qPrintable(all_of(job.error())));
        QCOMPARE(all_of(job->notes).contains("are started by"), !says.isEmpty());
        QVERIFY2(all_of(job->notes).contains(says), qPrintable(all_of(job->notes)));
    }

    void pbs_gives_the_gpus_that_are_asked_for() {
        const auto notes = [](const char* id) {
            return all_of(calibration_job(machine(id), BatchKind::pbs, request())->notes);
        };
        QVERIFY2(notes("derecho-gpu").contains("add :ngpus=4:mpiprocs=4 to it"), qPrintable(notes("derecho-gpu")));
        QVERIFY(!notes("polaris").contains("ngpus"));   // its site's own lines
    }

    void where_slurm_counts_joules_the_way_to_them_is_told() {
        const auto steps = [](BatchKind kind, JobRequest r) {
            return all_of(calibration_job(machine("juwels-booster"), kind, r)->steps);
        };
        QVERIFY(steps(BatchKind::slurm, request())
                    .contains("sacct -j ID --format=JobID,Elapsed,NNodes,ConsumedEnergyRaw -P > energy.txt"));
        QVERIFY(steps(BatchKind::slurm, request()).contains("--sacct energy.txt"));
        QVERIFY(!steps(BatchKind::lsf, request()).contains("sacct"));
        JobRequest trial = request();
        trial.plan.clear();
        QVERIFY(!steps(BatchKind::slurm, trial).contains("sacct"));
    }

    void what_was_never_run_says_so() {
        for (const BatchKind kind : not_empty(batch_kinds())) {
            const auto job = calibration_job(machine("juwels-booster"), kind, request());
            QVERIFY(job.has_value());
            QCOMPARE(all_of(job->notes).contains("never run by us"), kind != BatchKind::slurm);
        }
    }
};

PLIMSOLL_TEST(CalibrationJobTest)
#include "tst_calibration_job.moc"
