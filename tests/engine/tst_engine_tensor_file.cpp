// Tensor files: what is written is read back, and what is damaged is refused with its place.
#include "registered_test.h"

#include "engine/model/tensor_file.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace plimsoll::engine;

class TestEngineTensorFile : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    const std::string path_ = folder_.filePath("t.bin").toStdString();

    std::string written(Stored stored) {
        const std::vector<Tensor> two{{"wte", 2, 3, {1, 2, 3, 4, 5, 0.1}}, {"lnf.gain", 1, 2, {-7, 1e-30}}};
        if (!write_tensors(path_, two, stored)) return "";
        std::ifstream in(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::string refusal(const std::string& bytes) {
        std::ofstream(path_, std::ios::binary) << bytes;
        const auto file = TensorFile::open(path_);
        return file ? "" : file.error();
    }

private slots:
    void elements_come_back() {
        QVERIFY(!written(Stored::f64).empty());
        const auto file = TensorFile::open(path_);
        QVERIFY2(file, file ? "" : file.error().c_str());
        QCOMPARE(*file->read("wte"), (std::vector<double>{1, 2, 3, 4, 5, 0.1}));
        QCOMPARE(*file->read("lnf.gain", 1, 2), (std::vector<double>{-7, 1e-30}));
    }

    void floats_come_back_rounded() {
        QVERIFY(!written(Stored::f32).empty());
        const auto file = TensorFile::open(path_);
        QCOMPARE((*file->read("wte")).back(), double(0.1f));
    }

    void a_missing_name_and_a_wrong_shape_are_told() {
        QVERIFY(!written(Stored::f64).empty());
        const auto file = TensorFile::open(path_);
        QVERIFY(file->read("wpe").error().ends_with("holds no tensor named wpe"));
        QVERIFY(file->read("wte", 3, 2).error().ends_with("tensor wte is 2 x 3, expected 3 x 2"));
    }

    void every_cut_is_refused() {
        const std::string whole = written(Stored::f64);
        for (std::size_t n = 0; n < whole.size(); ++n)
            QVERIFY2(!refusal(whole.substr(0, n)).empty(), qPrintable(QString::number(n)));
        QCOMPARE(refusal(whole), "");
    }

    void damage_is_named_data() {
        QTest::addColumn<int>("at");
        QTest::addColumn<char>("value");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("another kind of file") << 0 << 'X' << QByteArray("is not a tensor file");
        QTest::newRow("a later version") << 8 << char(2) << QByteArray("has version 2; this program reads 1");
        QTest::newRow("an element size nobody has")
            << 23 << char(3) << QByteArray("tensor wte: elements of 3 bytes; only 4 and 8 are known");
        QTest::newRow("rows below none") << 34 << char(0x80) << QByteArray("impossible shape");
        QTest::newRow("more elements than bytes") << 30 << char(1) << QByteArray("tensor wte: the file ends inside it");
        QTest::newRow("a name of a gigabyte") << 19 << char(0x40) << QByteArray("has no readable tensor 0 of 2");
    }
    void damage_is_named() {
        QFETCH(int, at);
        QFETCH(char, value);
        QFETCH(QByteArray, message);
        std::string bytes = written(Stored::f64);
        bytes[std::size_t(at)] = value;
        const std::string found = refusal(bytes);
        QVERIFY2(found.find(message.toStdString()) != std::string::npos, found.c_str());
    }

    void a_name_may_stand_only_once() {
        const std::vector<Tensor> twice{{"wte", 1, 1, {1}}, {"wte", 1, 1, {2}}};
        QVERIFY(write_tensors(path_, twice, Stored::f64));
        QVERIFY(TensorFile::open(path_).error().ends_with("names wte twice"));
    }
};

PLIMSOLL_TEST(TestEngineTensorFile)
#include "tst_engine_tensor_file.moc"
