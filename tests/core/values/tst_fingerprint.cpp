// Fingerprints of evidence: SHA-256 as published, and the older checksums that are still recognised.
#include "registered_test.h"

#include "core/values/basics/fingerprint.h"

#include <QCryptographicHash>

using namespace plimsoll;

class FingerprintTest : public QObject {
    Q_OBJECT

private slots:
    // The examples that accompany FIPS 180-4, and the lengths about which padding changes.
    void is_sha_256_as_published_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("digits");
        QTest::newRow("nothing") << QByteArray() << "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        QTest::newRow("one block") << QByteArray("abc")
                                   << "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        QTest::newRow("two blocks") << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                                    << "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        QTest::newRow("a long message of several blocks") << QByteArray(
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
            "mnopqrstnopqrstu") << "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1";
        QTest::newRow("a million letters") << QByteArray(1000000, 'a')
                                           << "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    }
    void is_sha_256_as_published() {
        QFETCH(QByteArray, text);
        QFETCH(QString, digits);
        QCOMPARE(QString::fromStdString(Sha256().add(text.toStdString()).hex()), digits);
    }

    void agrees_with_qt_at_every_length_about_a_block() {
        for (int length = 50; length < 140; ++length) {
            const QByteArray text(length, char('a' + length % 26));
            const QByteArray expected = QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex();
            QCOMPARE(QByteArray::fromStdString(Sha256().add(text.toStdString()).hex()), expected);
        }
    }

    void pieces_add_up_to_the_whole() {
        Fingerprint pieces;
        pieces.add("a line\n").add("").add("another\n");
        QCOMPARE(pieces.text(), fingerprint_of("a line\nanother\n"));
        QVERIFY(pieces.text().starts_with("sha256:"));
    }

    void recognises_what_was_recorded_data() {
        QTest::addColumn<QString>("recorded");
        QTest::addColumn<bool>("matches");
        QTest::newRow("the SHA-256 of the text") << QString::fromStdString(fingerprint_of("foobar")) << true;
        QTest::newRow("the SHA-256 of another text") << QString::fromStdString(fingerprint_of("foobaz")) << false;
        QTest::newRow("the FNV-1a of the text, from older logs") << "85944171f73967e8" << true;
        QTest::newRow("the FNV-1a of another text") << "85944171f73967e9" << false;
        QTest::newRow("digits without the name of the method")
            << QString::fromStdString(Sha256().add("foobar").hex()) << false;
        QTest::newRow("nothing") << "" << false;
    }
    void recognises_what_was_recorded() {
        QFETCH(QString, recorded);
        QFETCH(bool, matches);
        QCOMPARE(Fingerprint().add("foobar").matches(recorded.toStdString()), matches);
    }
};

PLIMSOLL_TEST(FingerprintTest)
#include "tst_fingerprint.moc"
