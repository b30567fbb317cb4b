// Plans and figures on disk, by way of the window.
#include "registered_test.h"

#include "views/charts/export.h"
#include "views/desk.h"
#include "views/parts/text.h"

using namespace plimsoll;

namespace {

QByteArray read_file(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class tst_files : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void save_and_open_round_trip();
    void a_broken_file_changes_nothing();
    void a_models_config_replaces_the_model_alone();
    void fit_first_is_one_undo_step();
    void theme_does_not_reach_exports();
    void export_twice_gives_the_same_data();
};

void tst_files::initTestCase() { use_test_settings(); }

void tst_files::save_and_open_round_trip() {
    Desk d;
    QTemporaryDir dir;
    const QString path = dir.filePath("plan.json");
    d.type("recipe.tokens.editor", "300B");
    QVERIFY(d.window.isWindowModified());
    QVERIFY(d.workspace.document().save(path).empty());
    QVERIFY(!d.window.isWindowModified());
    const Scenario saved = d.workspace.scenario();
    d.type("recipe.tokens.editor", "100B");
    QVERIFY(d.window.isWindowModified());
    QVERIFY(!has_errors(d.workspace.document().open(path)));
    QVERIFY(d.workspace.scenario() == saved);
    QVERIFY(!d.window.isWindowModified());
}

void tst_files::a_broken_file_changes_nothing() {
    Desk d;
    QTemporaryDir dir;
    QFile file(dir.filePath("broken.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"schema\": \"plimsoll/scenario\", ");
    file.close();
    const Scenario before = d.workspace.scenario();
    QVERIFY(has_errors(d.workspace.document().open(file.fileName())));
    QVERIFY(has_errors(d.workspace.document().open(dir.filePath("missing.json"))));
    QVERIFY(d.workspace.scenario() == before);
    QVERIFY(d.workspace.document().file().isEmpty());
}

void tst_files::a_models_config_replaces_the_model_alone() {
    Desk d;
    QTemporaryDir dir;
    QFile file(dir.filePath("config.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"model_type": "llama", "_name_or_path": "Small", "num_hidden_layers": 16, "hidden_size": 2048,
                   "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 8192, "vocab_size": 128256,
                   "max_position_embeddings": 131072})");
    file.close();
    const Scenario before = d.workspace.scenario();
    QVERIFY(d.window.open(file.fileName()));
    Scenario after = d.workspace.scenario();
    QCOMPARE(after.model.name, std::string("Small"));
    QCOMPARE(after.model.layers, 16);
    after.model = before.model;
    QVERIFY(after == before);
    QVERIFY(d.workspace.document().file().isEmpty());
    d.workspace.document().history().undo();
    QVERIFY(d.workspace.scenario() == before);
}

void tst_files::fit_first_is_one_undo_step() {
    Desk d;
    const Scenario before = d.workspace.scenario();
    d.window.record_loader().wait();
    const Splits found = splits(before, d.workspace.headroom());
    QVERIFY(found.rule && found.fastest);
    d.find<QAction>("plan.fit_first")->trigger();
    QVERIFY(d.workspace.scenario().layout == found.rule->scenario.layout);
    const Splits again = splits(d.workspace.scenario(), d.workspace.headroom());
    d.find<QAction>("plan.fastest_split")->trigger();
    QVERIFY(d.workspace.scenario().layout == again.fastest->scenario.layout);
    while (d.workspace.document().history().canUndo()) d.workspace.document().history().undo();
    QVERIFY(d.workspace.scenario() == before);
}

void tst_files::theme_does_not_reach_exports() {
    Desk d;
    QTemporaryDir dir;
    d.window.set_theme(Theme::dark);
    QVERIFY(d.chart("time-vs-nodes")->grab().toImage().pixelColor(3, 3).lightness() < 80);
    QVERIFY(write_files(*d.window.export_files(dir.path())).empty());
    const QString stem = dir.filePath(file_stem(d.workspace.scenario()));
    const QImage png(stem + "-time-vs-nodes.png");
    QCOMPARE(png.pixelColor(2, 2), QColor(Qt::white));
    d.window.set_theme(Theme::light);
}

void tst_files::export_twice_gives_the_same_data() {
    Desk d;
    QTemporaryDir one, two;
    QVERIFY(write_files(*d.window.export_files(one.path())).empty());
    QVERIFY(write_files(*d.window.export_files(two.path() + "/new/folder")).empty());
    const QString stem = file_stem(d.workspace.scenario());
    for (const Figure& f : d.workspace.told().last_good->figures)
        for (const std::string& format : export_formats()) {
            const QString name = stem + '-' + to_qt(f.id) + '.' + to_qt(format);
            QVERIFY2(!read_file(one.filePath(name)).isEmpty(), qPrintable(name));
            if (format == "csv") QCOMPARE(read_file(one.filePath(name)), read_file(two.path() + "/new/folder/" + name));
        }
    QVERIFY(!read_file(one.filePath(stem + "-captions.txt")).isEmpty());
}

PLIMSOLL_TEST(tst_files)
#include "tst_files.moc"
