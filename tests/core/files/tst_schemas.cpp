// The schemas in presets/schema are what the tables of fields say.
#include "registered_test.h"

#include "core/files/presets/preset_json.h"
#include "core/files/text/disk.h"

using namespace plimsoll;

class tst_schemas : public QObject {
    Q_OBJECT

private slots:
    void the_shipped_schema_is_what_the_field_tables_say_data() {
        QTest::addColumn<QString>("kind");
        for (const std::string_view kind : schema_kinds()) {
            const QByteArray name(kind.data(), qsizetype(kind.size()));
            QTest::newRow(name.constData()) << QString::fromUtf8(name);
        }
    }
    // To mend: plimsoll presets --schema KIND > presets/schema/KIND.schema.json
    void the_shipped_schema_is_what_the_field_tables_say() {
        QFETCH(QString, kind);
        const std::string file = PLIMSOLL_PRESETS_DIR "/schema/" + kind.toStdString() + ".schema.json";
        const auto shipped = read_text(file);
        QVERIFY(shipped);
        const QStringList has = QString::fromStdString(*shipped).split('\n');
        const QStringList wanted = QString::fromStdString(*schema_text(kind.toStdString())).split('\n');
        for (qsizetype i = 0; i < std::min(has.size(), wanted.size()); ++i) QCOMPARE(has[i], wanted[i]);
        QCOMPARE(has.size(), wanted.size());
    }

    void every_kind_of_the_folder_is_known() {
        const QStringList files = QDir(PLIMSOLL_PRESETS_DIR "/schema").entryList({"*.schema.json"}, QDir::Files);
        QCOMPARE(std::size_t(files.size()), schema_kinds().size());
    }

    void an_unknown_kind_has_no_schema() { QVERIFY(!schema_text("poem")); }
};

PLIMSOLL_TEST(tst_schemas)
#include "tst_schemas.moc"
