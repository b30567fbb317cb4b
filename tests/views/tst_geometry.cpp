// Nothing moves that was not touched: whatever an edit makes of the plan, every part of the window stays where it is.
#include "registered_test.h"

#include "views/desk.h"

#include "core/values/knobs/knobs.h"
#include "views/inputs/knob_row.h"
#include "views/inputs/presets.h"
#include "views/parts/text.h"
#include "views/window/page_tabs.h"
#include "views/window/pages.h"

#include <QDockWidget>
#include <QStatusBar>

#include <map>

using namespace plimsoll;

namespace {

struct Edit {
    const char* knob;
    double value;
};

// Plans that run, do not fit, and cannot be computed, of every kind that the window tells apart.
constexpr Edit edits[] = {
    {"layout.tensor_parallel", 1},     {"layout.tensor_parallel", 2},       {"layout.tensor_parallel", 3},
    {"layout.tensor_parallel", 7},     {"layout.tensor_parallel", 8},       {"layout.tensor_parallel", 64},
    {"layout.pipeline_parallel", 1},   {"layout.pipeline_parallel", 2},     {"layout.pipeline_parallel", 5},
    {"layout.pipeline_parallel", 16},  {"layout.pipeline_parallel", 1000},  {"layout.data_parallel", 1},
    {"layout.data_parallel", 3},       {"layout.data_parallel", 64},        {"layout.devices", 1},
    {"layout.devices", 7},             {"layout.devices", 4096},            {"layout.devices", 1e6},
    {"layout.context_parallel", 2},    {"layout.context_parallel", 16},     {"layout.micro_batch", 1},
    {"layout.micro_batch", 3},         {"layout.micro_batch", 512},         {"layout.virtual_stages", 2},
    {"layout.virtual_stages", 9},      {"layout.schedule", 0},              {"layout.schedule", 2},
    {"layout.schedule", 3},            {"layout.schedule", 4},              {"layout.zero_stage", 0},
    {"layout.zero_stage", 1},          {"layout.zero_stage", 2},            {"layout.zero_stage", 3},
    {"layout.recompute", 0},           {"layout.recompute", 1},             {"layout.recompute", 2},
    {"layout.sequence_parallel", 0},   {"layout.sequence_parallel", 1},     {"layout.offload.optimizer_state", 1},
    {"recipe.precision", 0},           {"recipe.precision", 1},             {"recipe.precision", 3},
    {"recipe.tokens", 1e6},            {"recipe.tokens", 1e11},             {"recipe.tokens", 1e15},
    {"recipe.global_batch_sequences", 1},      {"recipe.global_batch_sequences", 7},
    {"recipe.global_batch_sequences", 100000}, {"recipe.sequence_length", 128},
    {"recipe.sequence_length", 131072},        {"recipe.checkpoint_interval_s", 60},
    {"recipe.optimizer", 1},                   {"recipe.optimizer", 4},
    {"machine.device.memory_GiB", 1},          {"machine.device.memory_GiB", 16},
    {"machine.device.memory_GiB", 1000},       {"machine.power.pue", 2},
    {"machine.reliability.job_mtbf_h", 0.1},   {"machine.network.system_GBps", 1},
    {"model.layers", 1},
};
static_assert(std::size(edits) >= 60);

using Places = std::map<QObject*, QRect>;

// Where everything is in the window, and where the plots are in the charts. Left out are the buttons of remedies, which
// are what an edit is answered with, what stands inside the row of an input, whose message takes the place of its
// slider, and the status bar, which tells of what runs.
Places places_in(Desk& d) {
    Places all;
    const auto in_a_row = [](const QWidget* w) {
        while ((w = w->parentWidget()) && !qobject_cast<const KnobRow*>(w)) {}
        return w != nullptr;
    };
    for (QWidget* w : d.window.findChildren<QWidget*>()) {
        if (!w->isVisible() || w->window() != &d.window || d.window.statusBar()->isAncestorOf(w)) continue;
        if (in_a_row(w) || qobject_cast<ActionRow*>(w->parentWidget())) continue;
        all[w] = QRect(w->mapTo(&d.window, QPoint()), w->size());
    }
    for (Chart* chart : d.window.visible_charts()) all[chart->axisRect()] = chart->axisRect()->rect();
    return all;
}

QString text_of(const QRect& r) {
    return QStringLiteral("%1,%2 %3x%4").arg(r.x()).arg(r.y()).arg(r.width()).arg(r.height());
}

QStringList moved(const Places& before, const Places& after) {
    QStringList all;
    for (const auto& [object, place] : before) {
        const auto now = after.find(object);
        if (now != after.end() && now->second == place) continue;
        const QObject* named = object;
        while (named->objectName().isEmpty() && named->parent()) named = named->parent();
        all << QStringLiteral("%1 of %2: %3 -> %4")
                   .arg(object->metaObject()->className(), named->objectName(), text_of(place),
                        now == after.end() ? QStringLiteral("gone") : text_of(now->second));
    }
    return all;
}

void come_to_rest(Desk& d) {
    d.settle();
    for (Chart* chart : d.window.visible_charts()) chart->replot(QCustomPlot::rpImmediateRefresh);
    QCoreApplication::processEvents();
}

}  // namespace

class tst_geometry : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { use_test_settings(); }

    void an_edit_moves_nothing_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("page");
        QTest::newRow("1024 x 700") << QSize(1024, 700) << "overview";
        QTest::newRow("1440 x 900") << QSize(1440, 900) << "overview";
        QTest::newRow("1024 x 700, times") << QSize(1024, 700) << "time";
        QTest::newRow("1440 x 900, a step") << QSize(1440, 900) << "step";
    }
    void an_edit_moves_nothing() {
        QFETCH(QSize, size);
        QFETCH(QString, page);
        Desk d;
        d.window.resize(size);
        d.window.show_page(page);
        come_to_rest(d);
        const Scenario plan = d.workspace.scenario();
        const Places before = places_in(d);
        QStringList bad;
        for (std::size_t i = 0; i < std::size(edits); ++i) {
            const Knob* knob = find_knob(edits[i].knob);
            QVERIFY2(knob, edits[i].knob);
            const auto next = with(plan, *knob, edits[i].value);
            if (!next) continue;
            d.workspace.propose(*next, to_qt(edits[i].knob));
            come_to_rest(d);
            // Some wait for the remedies as well, which come once edits pause.
            if (i % 8 == 0) {
                QTest::qWait(100);
                QTRY_VERIFY_WITH_TIMEOUT(!d.window.verdict()->busy(), Desk::patience);
            }
            for (const QString& what : moved(before, places_in(d)))
                bad << QStringLiteral("%1 = %2: %3").arg(edits[i].knob).arg(edits[i].value).arg(what);
        }
        QVERIFY2(bad.isEmpty(), qPrintable(QString::number(bad.size()) + u'\n' + bad.mid(0, 25).join(u'\n')));
    }

    void another_model_or_machine_moves_nothing() {
        Desk d;
        d.window.resize(1024, 700);
        come_to_rest(d);
        const Places before = places_in(d);
        QStringList bad;
        const auto take = [&](PresetKind kind, const char* id) {
            d.workspace.propose(*with_preset(d.workspace.scenario(), kind, id, library()), to_qt(id));
            come_to_rest(d);
            for (const QString& what : moved(before, places_in(d))) bad << QStringLiteral("%1: %2").arg(id, what);
        };
        for (const char* model : {"gpt2-124m", "llama2-70b", "mixtral-8x7b", "qwen3-235b-a22b"})
            take(PresetKind::model, model);
        for (const char* machine : {"frontier", "lumi", "ws-rtx4090", "fugaku", "dgx-h100"})
            take(PresetKind::machine, machine);
        QVERIFY2(bad.isEmpty(), qPrintable(bad.mid(0, 25).join(u'\n')));
    }

    // A line for each kind of layer, below the model's name: what stands below them makes room, and nothing else.
    void a_model_of_several_kinds_moves_inputs_alone_data() {
        QTest::addColumn<QString>("model");
        QTest::newRow("dense layers first") << "deepseek-v3";
        QTest::newRow("windows in every other layer") << "gpt-oss-20b";
    }
    void a_model_of_several_kinds_moves_inputs_alone() {
        QFETCH(QString, model);
        Desk d;
        d.window.resize(1024, 700);
        come_to_rest(d);
        const auto places_outside = [&] {
            Places all = places_in(d);
            std::erase_if(all, [&](const auto& each) {
                const auto* widget = qobject_cast<const QWidget*>(each.first);
                return widget && d.window.inputs()->isAncestorOf(widget);
            });
            return all;
        };
        const Places before = places_outside();
        const QWidget *strip = d.find<QWidget>("layer_strip"), *row = d.find<KnobRow>("recipe.tokens");
        const int height = strip->height(), y = row->mapTo(&d.window, QPoint()).y();
        d.workspace.propose(
            *with_preset(d.workspace.scenario(), PresetKind::model, model.toStdString(), library()), model);
        come_to_rest(d);
        QTRY_VERIFY(strip->height() > height);
        QCoreApplication::processEvents();
        const QStringList bad = moved(before, places_outside());
        QVERIFY2(bad.isEmpty(), qPrintable(bad.join(u'\n')));
        QTRY_COMPARE(row->mapTo(&d.window, QPoint()).y() - y, strip->height() - height);
    }

    void no_page_moves_the_tabs_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("800 x 480") << QSize(800, 480);
        QTest::newRow("1024 x 700") << QSize(1024, 700);
    }
    void no_page_moves_the_tabs() {
        QFETCH(QSize, size);
        Desk d;
        d.window.resize(size);
        const QWidget* tabs = d.window.page_tabs();
        QSet<int> heights;
        QStringList said;
        for (const WindowPage& page : pages()) {
            d.window.show_page(page.id);
            come_to_rest(d);
            const int y = tabs->mapTo(&d.window, QPoint()).y();
            heights << y;
            said << QStringLiteral("%1 %2").arg(page.id).arg(y);
        }
        QVERIFY2(heights.size() == 1, qPrintable(said.join(u'\n')));
    }

    // Docks, a baseline and a remark of any length leave the answers where they are.
    void the_answers_keep_their_place_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1024 x 700") << QSize(1024, 700);
        QTest::newRow("1440 x 900") << QSize(1440, 900);
    }
    void the_answers_keep_their_place() {
        QFETCH(QSize, size);
        Desk d;
        d.window.resize(size);
        d.settle();
        const auto place = [&] {
            const QWidget &tiles = *d.window.tiles(), &verdict = *d.window.verdict();
            return std::pair(QRect(tiles.mapTo(&d.window, QPoint()), tiles.size()),
                             QRect(verdict.mapTo(&d.window, QPoint()), verdict.size()));
        };
        const auto before = place();
        const int taken = before.second.bottom() - before.first.top();
        QVERIFY2(taken <= 0.25 * size.height(), qPrintable(QString::number(taken)));
        emit d.window.tiles()->explain("mfu");
        d.settle();
        QVERIFY(d.window.explanation()->isVisible());
        QVERIFY(place() == before);
        d.workspace.pin_baseline();
        Scenario longer = d.workspace.scenario();
        longer.recipe.tokens *= 3;
        longer.model.name = std::string(300, 'x');
        d.workspace.propose(longer, "Tokens");
        d.settle();
        QVERIFY(!d.window.tiles()->tiles()[0]->content().delta.isEmpty());
        QVERIFY(place() == before);
        d.find<QDockWidget>("inputs")->hide();
        d.settle();
        QVERIFY(place() == before);
    }

    void no_number_of_a_tile_is_cut() {
        Desk d;
        d.window.resize(1024, 700);
        d.settle();
        for (const char* text : {"may not fit, 105 %", "does not fit, 2153 %", "node is short",
                                 "106,000 \u2013 131,000", "without end"}) {
            QFont least = d.window.font();
            least.setPixelSize(9);   // the least that a tile draws
            const int room = d.window.tiles()->tiles()[5]->width() - 44;   // beside the icon
            QVERIFY2(QFontMetrics(least).horizontalAdvance(QString::fromUtf8(text)) <= room, text);
        }
    }
};

PLIMSOLL_TEST(tst_geometry)
#include "tst_geometry.moc"
