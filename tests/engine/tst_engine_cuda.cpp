// Without a device the engine is told why in words, whatever is missing; with one, its kernels compute what the
// processor's do.
#include "registered_test.h"

#include "engine/cuda/backend.h"
#include "tests/engine/device_suite.h"

#include <QFile>
#include <QTemporaryDir>

using namespace plimsoll::engine;

namespace {

QString message_for(const QString& folder) {
    return QString::fromStdString(open_backend({folder.toStdString()}).message);
}

const PlimsollBackend* real_device() {
    static const Backend b = use_device(0);
    return b.table;
}

}  // namespace

class TestEngineCuda : public QObject {
    Q_OBJECT

private slots:
    void a_back_end_that_is_not_there_is_looked_for_in_two_places() {
        QTemporaryDir folder;
        const QString text = QString::fromStdString(open_backend({folder.path().toStdString(), "/nowhere"}).message);
        QCOMPARE(text, "CUDA is not used: there is no backend_cuda.so in " + folder.path()
                           + " nor /nowhere (this build has no CUDA)");
    }

    void a_library_that_cannot_be_opened_is_named() {
        QTemporaryDir folder;
        QFile file(folder.filePath("backend_cuda.so"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("not a library") > 0);
        file.close();
        QVERIFY(message_for(folder.path()).contains("backend_cuda.so: file too short"));
    }

    void a_library_of_something_else_is_refused() {
        QTemporaryDir folder;
        QVERIFY(QFile::link(PLIMSOLL_NO_BACKEND, folder.filePath("backend_cuda.so")));
        QCOMPARE(
            message_for(folder.path()),
            QString(
                "CUDA is not used: backend_cuda.so is not a back end of this engine (it has no plimsoll_backend_v1)"));
    }

    void another_version_is_refused() {
        QTemporaryDir folder;
        QVERIFY(QFile::link(PLIMSOLL_OTHER_BACKEND, folder.filePath("backend_cuda.so")));
        QCOMPARE(message_for(folder.path()), QString("CUDA is not used: backend_cuda.so speaks version %1, this engine "
                                                     "version %2: install both from one build")
                                                 .arg(PLIMSOLL_ABI + 1)
                                                 .arg(PLIMSOLL_ABI));
    }

    // Loaded on first use, a kernel waits for an idle device, and NCCL's may be waiting for this rank.
    void kernels_are_loaded_before_the_first_step() {
        qunsetenv("CUDA_MODULE_LOADING");
        (void)open_backend({"/nowhere"});
        QCOMPARE(qgetenv("CUDA_MODULE_LOADING"), QByteArray("EAGER"));
        qputenv("CUDA_MODULE_LOADING", "LAZY");   // somebody wants it so
        (void)open_backend({"/nowhere"});
        QCOMPARE(qgetenv("CUDA_MODULE_LOADING"), QByteArray("LAZY"));
        qunsetenv("CUDA_MODULE_LOADING");
    }

    // The library of this build: it opens where there is no driver, and says so.
    void this_build_s_back_end_opens_without_a_driver() {
        const Backend b = open_backend();
        if (QString::fromStdString(b.message).contains("this build has no CUDA"))
            QSKIP("the CUDA back end was not built");
        if (b.table) QSKIP("there is a device");
        QVERIFY2(QString::fromStdString(b.message).startsWith("CUDA is not used: "), b.message.c_str());
        if (!QFile::exists("/dev/nvidiactl"))
            QCOMPARE(QString::fromStdString(b.message), QString("CUDA is not used: devices: no driver is installed"));
        QVERIFY(!use_device(3).table);
    }

    void each_kernel_computes_on_a_device_what_the_processor_does_data() {
        if (!real_device()) QSKIP("no device");
        rows();
    }
    void each_kernel_computes_on_a_device_what_the_processor_does() {
        QFETCH(int, operation);
        compare(device_operations[operation], *real_device(), 40);
    }

    void a_device_repeats_every_bit_data() {
        if (!real_device()) QSKIP("no device");
        rows();
    }
    void a_device_repeats_every_bit() {
        QFETCH(int, operation);
        std::vector<unsigned char> first;
        for (int i = 0; i < 3; ++i) {
            dice.seed(11);
            const auto bits = worst_of<bf16>(device_operations[operation].bf16_storage, *real_device(), 10).bits;
            if (first.empty()) first = bits;
            QVERIFY(!bits.empty() && bits == first);
        }
    }

    void memory_that_is_not_there_is_refused() {
        if (!real_device()) QSKIP("no device");
        CudaKernels<float, float> kernels(*real_device());
        QVERIFY(kernels.allocate(std::size_t(1) << 50) == nullptr);
        void* some = kernels.allocate(1000);  // the device goes on
        QVERIFY(some);
        kernels.release(some);
    }
};

PLIMSOLL_TEST(TestEngineCuda)
#include "tst_engine_cuda.moc"
