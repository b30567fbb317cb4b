// A calibration as a batch job: the script of the form, saved whole, submitted to a stand-in of Slurm, cancelled.
#include "registered_test.h"

#include "views/desk.h"

#include "views/jobs/job_page.h"
#include "views/replies.h"

using namespace plimsoll;

namespace {

// Commands of Slurm that know one job: it waits until scancel is called.
struct Slurm {
    QTemporaryDir dir;
    QByteArray path = qgetenv("PATH");

    explicit Slurm(bool takes_jobs = true) {
        program("sbatch", takes_jobs ? "echo 4711" : "echo 'sbatch: error: Invalid account' >&2; exit 1");
        program("squeue", "[ -e " + dir.filePath("cancelled") + " ] || echo 'PENDING|Priority'");
        program("scontrol", "echo 'JobId=4711 JobState=CANCELLED Reason=None ExitCode=0:15'");
        program("sacct", "true");
        program("scancel", "touch " + dir.filePath("cancelled"));
        program("srun", "true");
        qputenv("PATH", dir.path().toUtf8() + ":" + path);
    }
    ~Slurm() { qputenv("PATH", path); }
    void program(const char* name, const QString& body) {
        QFile file(dir.filePath(name));
        if (!file.open(QFile::WriteOnly)) qFatal("cannot write");
        file.write("#!/bin/sh\n" + body.toUtf8() + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
};

struct JobBench {
    Workspace workspace{library()};
    JobPage page{workspace};
    JobBench() {
        page.resize(1000, 700);
        page.show();
    }
    void choose(BatchKind kind) { page.kind_box()->setCurrentIndex(page.kind_box()->findData(int(kind))); }
};

}  // namespace

class JobPageTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { use_test_settings(); }

    void the_form_opens_with_the_machines_own_batch_system() {
        JobBench b;
        Scenario next = b.workspace.scenario();
        next.machine = b.workspace.library().machines.at("summit");
        b.workspace.propose(next, "Summit");
        b.workspace.told();
        QCOMPARE(b.page.kind(), BatchKind::lsf);
    }

    // Not with that of the machine before, and not as if the first of the list were its own.
    void a_machine_whose_jobs_no_script_starts_says_whose_lines_it_shows() {
        JobBench b;
        for (const char* id : {"polaris", "tsubame4"}) {
            Scenario next = b.workspace.scenario();
            next.machine = b.workspace.library().machines.at(id);
            b.workspace.propose(next, id);
            b.workspace.told();
        }
        QCOMPARE(b.page.kind(), BatchKind::slurm);
        QVERIFY2(b.page.notes().contains("Altair Grid Engine, not by Slurm"), qPrintable(b.page.notes()));
    }

    void every_batch_system_gets_a_script_and_says_whether_it_ever_ran_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("directive");
        for (const BatchKind kind : batch_kinds())
            QTest::newRow(std::string(title_of(kind)).c_str())
                << int(kind) << QString::fromStdString(std::string(directive_prefix(kind))).trimmed();
    }
    void every_batch_system_gets_a_script_and_says_whether_it_ever_ran() {
        QFETCH(int, kind);
        QFETCH(QString, directive);
        JobBench b;
        b.page.account()->setText("proj12");
        b.choose(BatchKind(kind));
        QVERIFY2(b.page.script().contains(directive), qPrintable(b.page.notes() + b.page.script()));
        QVERIFY2(b.page.script().contains("proj12"), qPrintable(b.page.script()));
        QVERIFY(b.page.notes().contains(QString::fromStdString(say_run_for_real(BatchKind(kind)))));
        QVERIFY(b.page.save_button()->isEnabled());
    }

    void more_nodes_are_asked_for() {
        JobBench b;
        b.choose(BatchKind::slurm);
        b.page.nodes()->setValue(3);
        QVERIFY2(b.page.script().contains("--nodes=3"), qPrintable(b.page.script()));
    }

    void without_the_batch_system_it_can_be_saved_alone() {
        JobBench b;
        b.choose(BatchKind::pjm);
        QVERIFY(!b.page.submit_button()->isEnabled());
        QVERIFY2(b.page.notes().contains("is not on this computer"), qPrintable(b.page.notes()));
        QTemporaryDir out;
        QVERIFY(b.page.save_to(out.filePath("job")).empty());
        const QStringList files = QDir(out.filePath("job")).entryList(QDir::Files);
        QVERIFY2(files.contains("job.sh") && files.size() >= 2, qPrintable(files.join(u' ')));
    }

    void devices_that_the_engine_cannot_reach_are_refused() {
        Slurm slurm;
        JobBench b;
        b.page.account()->setText("proj12");
        b.choose(BatchKind::slurm);
        QVERIFY(b.page.submit_button()->isEnabled());
        Scenario next = b.workspace.scenario();
        next.machine = b.workspace.library().machines.at("lumi-module");
        b.workspace.propose(next, "LUMI-G");
        b.workspace.told();
        QCOMPARE(b.page.kind(), BatchKind::slurm);
        QVERIFY2(b.page.notes().contains("AMD MI250X") && b.page.notes().contains("counts GCDs works")
                     && b.page.notes().contains("--trial"),
                 qPrintable(b.page.notes()));
        QVERIFY(b.page.script().isEmpty());
        QVERIFY(!b.page.save_button()->isEnabled() && !b.page.submit_button()->isEnabled());
        QTemporaryDir out;
        QVERIFY(!b.page.save_to(out.filePath("job")).empty());
        QVERIFY(!QDir(out.filePath("job")).exists());
    }

    void an_account_that_a_shell_would_take_apart_is_refused() {
        JobBench b;
        b.choose(BatchKind::slurm);
        b.page.account()->setText("a; rm -rf x");
        QVERIFY(b.page.script().isEmpty());
        QVERIFY(!b.page.save_button()->isEnabled());
    }

    void a_job_is_submitted_followed_and_cancelled() {
        Slurm slurm;
        JobBench b;
        b.choose(BatchKind::slurm);
        QVERIFY(b.page.submit_button()->isEnabled());
        b.page.submit_from(slurm.dir.filePath("job"));
        QTRY_COMPARE(b.page.job().id(), std::string("4711"));
        QVERIFY2(b.page.state().startsWith("Job 4711: queued"), qPrintable(b.page.state()));
        QVERIFY(!b.page.submit_button()->isEnabled());
        b.page.job().cancel();
        QTRY_VERIFY(!b.page.job().active());
        QVERIFY2(b.page.state().startsWith("Job 4711: cancelled"), qPrintable(b.page.state()));
        QVERIFY(b.page.submit_button()->isEnabled());
    }

    void a_job_is_cancelled_while_it_is_asked_after() {
        Slurm slurm;
        slurm.program("squeue", "touch " + slurm.dir.filePath("asked") + "; exec sleep 100");
        JobBench b;
        b.page.job().follow({BatchKind::slurm, "4711", slurm.dir.filePath("job"), "Frontier"});
        QTRY_VERIFY(QFile::exists(slurm.dir.filePath("asked")));
        QVERIFY(b.page.job().asking());
        slurm.program("squeue", "true");
        b.page.job().cancel();
        QTRY_VERIFY(QFile::exists(slurm.dir.filePath("cancelled")));
        QTRY_VERIFY(!b.page.job().active());
        QVERIFY2(b.page.state().startsWith("Job 4711: cancelled"), qPrintable(b.page.state()));
    }

    void only_what_is_a_job_id_is_followed_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("followed");
        QTest::newRow("an id") << "4711" << true;
        QTest::newRow("an option") << "--help" << false;
        QTest::newRow("nothing") << "" << false;
    }
    void only_what_is_a_job_id_is_followed() {
        QFETCH(QString, id);
        Slurm slurm;
        JobBench b;
        b.page.job().follow({BatchKind::slurm, id.toStdString(), {}, {}});
        QTEST(b.page.job().active(), "followed");
        b.page.job().forget();
    }

    void a_job_that_nobody_knows_can_be_forgotten() {
        Slurm slurm;
        for (const char* tool : {"squeue", "scontrol", "sacct"}) slurm.program(tool, "true");
        JobBench b;
        b.choose(BatchKind::slurm);
        b.page.job().follow({BatchKind::slurm, "4711", "/scratch/job", "Frontier"});
        QTRY_VERIFY(b.page.job().lost() && b.page.forget_button()->isVisible());
        QTRY_VERIFY(!b.page.job().asking());
        QVERIFY(!b.page.submit_button()->isEnabled());
        b.page.forget_button()->click();
        QVERIFY(!b.page.job().active() && !b.page.forget_button()->isVisible());
        QVERIFY(b.page.submit_button()->isEnabled());
    }

    void files_of_another_job_are_replaced_only_when_they_may_be_data() {
        QTest::addColumn<QString>("answer");
        QTest::addColumn<bool>("replaced");
        QTest::newRow("cancel leaves them") << "Cancel" << false;
        QTest::newRow("replace writes over them") << "Replace" << true;
    }
    void files_of_another_job_are_replaced_only_when_they_may_be() {
        QFETCH(QString, answer);
        QFETCH(bool, replaced);
        QTemporaryDir out;
        QFile script(out.filePath("job.sh"));
        QVERIFY(script.open(QFile::WriteOnly));
        script.write("# mine\n");
        script.close();
        JobBench b;
        b.choose(BatchKind::pjm);
        {
            Replies replies({choose_file(out.path()), press(answer)});
            b.page.save_button()->click();
            QCOMPARE(replies.titles(), QStringList({"A folder for the job", "Replace files"}));
        }
        QVERIFY(script.open(QFile::ReadOnly));
        QCOMPARE(script.readAll() != "# mine\n", replaced);
        if (!replaced) return;
        Replies again({choose_file(out.path())});  // the same files once more: nothing to ask
        b.page.save_button()->click();
        QCOMPARE(again.titles(), QStringList{"A folder for the job"});
    }

    void a_submission_says_what_it_asks_for() {
        Slurm slurm;
        QTemporaryDir out;
        JobBench b;
        b.choose(BatchKind::slurm);
        Replies replies({choose_file(out.path()), press("Cancel")});
        b.page.submit_button()->click();
        QCOMPARE(replies.titles(), QStringList({"A folder for the job that all its nodes can see", "Submit the job"}));
        QVERIFY(QDir(out.path()).isEmpty() && !b.page.job().active());
    }

    void a_submission_that_is_refused_says_why() {
        Slurm slurm(false);
        JobBench b;
        b.choose(BatchKind::slurm);
        b.page.submit_from(slurm.dir.filePath("job"));
        QTRY_VERIFY2(b.page.state().contains("Slurm took no job: sbatch: error: Invalid account"),
                     qPrintable(b.page.state()));
        QVERIFY(!b.page.job().active());
    }
};

PLIMSOLL_TEST(JobPageTest)
#include "tst_job_page.moc"
