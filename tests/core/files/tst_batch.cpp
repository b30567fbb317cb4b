// Which scheduler is here, what it is told, and what its words mean. Outputs are as the tools print them.
#include "registered_test.h"

#include "core/files/launch/batch.h"

#include <map>
#include <set>

using namespace plimsoll;

Q_DECLARE_METATYPE(plimsoll::BatchKind)
Q_DECLARE_METATYPE(plimsoll::JobState)

namespace {

constexpr const char* pjstat_header =
    "JOB_ID     JOB_NAME   MD ST  USER     GROUP    START_DATE      ELAPSE_TIM ELAPSE_LIM            NODE_REQUIRE    "
    "VNODE  CORE V_MEM        V_POL E_POL RANK      LST EC  PC  SN PRI ACCEPT         RSC_GRP  REASON          \n";

QByteArray pjstat(const QByteArray& id, const QByteArray& state, const QByteArray& code, const QByteArray& reason) {
    return pjstat_header + id.leftJustified(11) + "test       NM " + state
         + " u0001    group    03/06 13:55:02  0000:00:02 0000:01:00            1               -      -    -          "
           "  -     -     bychip    RNO "
         + code.leftJustified(4) + "0   0  127 03/06 13:54:59 small    " + reason + "\n";
}

std::set<BatchKind> found(std::set<std::string> tools) {
    const auto all = schedulers_among([&](const char* name) { return tools.contains(name); });
    return {all.begin(), all.end()};
}

}  // namespace

class BatchTest : public QObject {
    Q_OBJECT

private slots:
    void tools_tell_the_scheduler() {
        QCOMPARE(found({}), std::set<BatchKind>{});
        QCOMPARE(found({"sbatch", "squeue"}), std::set{BatchKind::slurm});
        QCOMPARE(found({"sbatch", "flux"}), (std::set{BatchKind::flux, BatchKind::slurm}));
        QCOMPARE(found({"pjsub"}), std::set{BatchKind::pjm});
        QCOMPARE(found({"bsub"}), std::set<BatchKind>{});           // without jsrun our script could not start ranks
        QCOMPARE(found({"bsub", "jsrun"}), std::set{BatchKind::lsf});
        QCOMPARE(found({"qsub"}), std::set<BatchKind>{});           // Grid Engine
        QCOMPARE(found({"qsub", "pbsnodes"}), std::set{BatchKind::pbs});
    }

    void no_shell_reads_the_folder() {
        for (const BatchKind kind : not_empty(batch_kinds())) {
            const Command c = submit_command(kind, "/a b/$(touch x)", "job.sh");
            QCOMPARE(c.size(), std::size_t(6));
            QVERIFY(c[2].find("touch") == c[2].npos);
            QCOMPARE(c[4], std::string("/a b/$(touch x)"));
            QVERIFY(!poll_commands(kind, "7").empty());
            QCOMPARE(cancel_command(kind, "7").back(), std::string("7"));
        }
    }

    void submissions_say_the_id_data() {
        QTest::addColumn<BatchKind>("kind");
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<QByteArray>("id");
        const auto row = [](const char* name, BatchKind k, QByteArray printed, QByteArray id) {
            QTest::newRow(name) << k << printed << id;
        };
        row("sbatch --parsable", BatchKind::slurm, "1234\n", "1234");
        row("sbatch --parsable on a federation", BatchKind::slurm, "1234;frontier\n", "1234");
        row("sbatch", BatchKind::slurm, "Submitted batch job 65541\n", "65541");
        row("sbatch after a notice of the site", BatchKind::slurm, "sbatch: Using default project\n88\n", "88");
        row("sbatch refused", BatchKind::slurm,
            "sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified\n",
            "");
        row("bsub", BatchKind::lsf, "Job <19490> is submitted to default queue <batch>.\n", "19490");
        row("bsub refused", BatchKind::lsf, "Group <X>: is not a valid project. Job not submitted.\n", "");
        row("pjsub", BatchKind::pjm, "[INFO] PJM 0000 pjsub Job 7280061 submitted.\n", "7280061");
        row("pjsub refused", BatchKind::pjm, "[ERR.] PJM 0057 pjsub node=32 is greater than the upper limit (24).\n",
            "");
        row("qsub of PBS", BatchKind::pbs, "6174.polaris-pbs-01.hsn.cm.polaris.alcf.anl.gov\n",
            "6174.polaris-pbs-01.hsn.cm.polaris.alcf.anl.gov");
        row("qsub refused", BatchKind::pbs, "qsub: Invalid account\n", "");
        row("flux batch", BatchKind::flux, "ƒ2oLkTLb\n", "ƒ2oLkTLb");
        row("flux batch without the florin", BatchKind::flux, "f2oLkTLb\n", "f2oLkTLb");
        row("flux batch refused", BatchKind::flux, "flux-batch: ERROR: [Errno 22] Invalid argument\n", "");
    }
    void submissions_say_the_id() {
        QFETCH(BatchKind, kind);
        QFETCH(QByteArray, printed);
        QFETCH(QByteArray, id);
        const auto got = job_id(kind, printed.toStdString());
        QCOMPARE(QByteArray::fromStdString(got.value_or("")), id);
        if (got) QVERIFY(is_job_id(kind, *got));
    }

    void an_id_is_nothing_else() {
        for (const BatchKind kind : not_empty(batch_kinds()))
            for (const char* no : {"", "-u", "1; rm", "--all", "$(x)", "1 2"}) QVERIFY2(!is_job_id(kind, no), no);
    }

    void replies_tell_the_state_data() {
        QTest::addColumn<BatchKind>("kind");
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<JobState>("state");
        QTest::addColumn<QByteArray>("reason");
        const auto row = [](const char* name, BatchKind k, QByteArray printed, JobState s, QByteArray reason = {}) {
            QTest::newRow(name) << k << printed << s << reason;
        };
        using enum JobState;
        row("squeue, waiting", BatchKind::slurm, "PENDING|Priority\n", queued, "Priority");
        row("squeue, on nodes", BatchKind::slurm, "RUNNING|None\n", running);
        row("squeue, ending", BatchKind::slurm, "COMPLETING|None\n", running);
        row("squeue, forgotten", BatchKind::slurm, "", unknown);
        const QByteArray scontrol =
            "JobId=42 JobName=plimsoll-calibrate UserId=root(0) GroupId=root(0) MCS_label=N/A Priority=4294901758 "
            "Nice=0 ";
        row("scontrol, done", BatchKind::slurm,
            scontrol + "JobState=COMPLETED Reason=None Dependency=(null) Requeue=1 ExitCode=0:0 RunTime=00:00:01\n",
            done);
        row("scontrol, failed", BatchKind::slurm,
            scontrol + "JobState=FAILED Reason=NonZeroExitCode Dependency=(null) ExitCode=75:0\n", failed,
            "NonZeroExitCode, exit code 75");
        row("scontrol, out of time", BatchKind::slurm,
            scontrol + "JobState=TIMEOUT Reason=TimeLimit Dependency=(null) ExitCode=0:15\n", failed, "TimeLimit");
        row("scontrol, cancelled", BatchKind::slurm,
            scontrol + "JobState=CANCELLED Reason=None Dependency=(null) ExitCode=0:15\n", cancelled);
        row("scontrol, unknown to it", BatchKind::slurm, "slurm_load_jobs error: Invalid job id specified\n", unknown);
        row("sacct, cancelled by somebody", BatchKind::slurm, "CANCELLED by 1000|0:0\n", cancelled);
        row("sacct, failed", BatchKind::slurm, "FAILED|2:0\n", failed, "exit code 2");
        row("bjobs, waiting", BatchKind::lsf, "PEND|-|-|New job is waiting for scheduling;\n", queued,
            "New job is waiting for scheduling;");
        row("bjobs, running", BatchKind::lsf, "RUN|-|-|-\n", running);
        row("bjobs, done", BatchKind::lsf, "DONE|-|-|-\n", done);
        row("bjobs, failed", BatchKind::lsf, "EXIT|75|-|-\n", failed, "exit code 75");
        row("bjobs, out of time", BatchKind::lsf,
            "EXIT|140|TERM_RUNLIMIT: job killed after reaching LSF run time limit|-\n", failed,
            "TERM_RUNLIMIT: job killed after reaching LSF run time limit");
        row("bjobs, killed by its owner", BatchKind::lsf, "EXIT|130|TERM_OWNER: job killed by owner|-\n", cancelled,
            "TERM_OWNER: job killed by owner");
        row("bjobs, forgotten", BatchKind::lsf, "Job <5> is not found\n", unknown);
        row("pjstat, accepted", BatchKind::pjm, pjstat("42", "ACC", "0", "-"), queued);
        row("pjstat, running", BatchKind::pjm, pjstat("42", "RUN", "0", "-"), running);
        row("pjstat, done", BatchKind::pjm, pjstat("42", "EXT", "0", "-"), done);
        row("pjstat, ended with a code", BatchKind::pjm, pjstat("42", "EXT", "75", "-"), failed, "exit code 75");
        row("pjstat, interrupted", BatchKind::pjm, pjstat("42", "CCL", "127", "-"), cancelled);
        row("pjstat, rejected", BatchKind::pjm, pjstat("42", "RJT", "0", "GATE CHECK"), failed, "GATE CHECK");
        row("pjstat, another job's row", BatchKind::pjm, pjstat("41", "RUN", "0", "-"), unknown);
        row("pjstat, only the header", BatchKind::pjm, pjstat_header, unknown);
        const QByteArray qstat =
            "Job Id: 42.host\n    Job_Name = plimsoll-calibr\n    Job_Owner = me@login\n    job_state = ";
        row("qstat, waiting", BatchKind::pbs, qstat
                + "Q\n    queue = debug\n    comment = Not Running: Insufficient amount of resource: at_queue (debug\n"
                  "\t != build)\n", queued,
            "Not Running: Insufficient amount of resource: at_queue (debug!= build)");
        row("qstat, running", BatchKind::pbs, qstat + "R\n    queue = debug\n", running);
        row("qstat, done", BatchKind::pbs, qstat + "F\n    Exit_status = 0\n", done);
        row("qstat, failed", BatchKind::pbs, qstat + "F\n    Exit_status = 75\n", failed, "exit code 75");
        row("qstat, deleted while it ran", BatchKind::pbs, qstat + "F\n    Exit_status = 271\n", cancelled);
        row("qstat, deleted while it waited", BatchKind::pbs, qstat + "F\n", cancelled);
        row("qstat, forgotten", BatchKind::pbs, "qstat: Unknown Job Id 42.host\n", unknown);
        row("flux jobs, waiting", BatchKind::flux, "SCHED|||\n", queued);
        row("flux jobs, running", BatchKind::flux, "RUN|||\n", running);
        row("flux jobs, done", BatchKind::flux, "COMPLETED|0||\n", done);
        row("flux jobs, failed", BatchKind::flux, "FAILED|75||\n", failed, "exit code 75");
        row("flux jobs, out of time", BatchKind::flux, "TIMEOUT|142|timeout|resource allocation expired\n", failed,
            "timeout: resource allocation expired");
        row("flux jobs, cancelled", BatchKind::flux, "CANCELED|-128|cancel|\n", cancelled, "cancel");
    }
    void replies_tell_the_state() {
        QFETCH(BatchKind, kind);
        QFETCH(QByteArray, printed);
        QFETCH(JobState, state);
        QFETCH(QByteArray, reason);
        const JobStatus status = job_status(kind, "42", printed.toStdString());
        QCOMPARE(int(status.state), int(state));
        QCOMPARE(QByteArray::fromStdString(status.reason), reason);
        QCOMPARE(status.words.empty(), state == JobState::unknown);
        QVERIFY(say(status).starts_with(name_of(state)));
    }

    void no_reply_is_too_odd() {
        for (const BatchKind kind : not_empty(batch_kinds()))
            for (const char* odd : {"", "\n\n", "|", "|||", "=", " = ", "JOB_ID", "42", "JobState=", "ƒ", "\t"}) {
                QCOMPARE(int(job_status(kind, "42", odd).state), int(JobState::unknown));
                (void)job_id(kind, odd);
            }
    }

    void polls_slow_down() {
        QCOMPARE(poll_interval(0) / second, 15.0);
        for (int i = 0; i < 40; ++i) {
            QVERIFY(poll_interval(i + 1) >= poll_interval(i));
            QVERIFY(poll_interval(i) <= 60 * second);
        }
        QCOMPARE(poll_interval(40) / second, 60.0);
        QCOMPARE(poll_interval(-1) / second, 15.0);
    }
};

PLIMSOLL_TEST(BatchTest)
#include "tst_batch.moc"
