// The validation page as a user meets it, the badge, and the ranges on the tiles.
#include "registered_test.h"

#include "core/evidence/published/score.h"
#include "core/values/knobs/wording.h"
#include "views/charts/export.h"
#include "near.h"
#include "views/desk.h"
#include "views/parts/text.h"
#include "views/evidence/anchor_dialog.h"
#include "views/evidence/run_table.h"

#include <QFile>

using namespace plimsoll;

namespace {

// With the published runs priced and the page in view.
struct ValidationBench : Desk {
    ValidationBench() {
        window.record_loader().wait();
        window.show_page("validation");
        settle();
    }
    ValidationPage& page() { return *window.validation(); }
    QAbstractItemModel* rows() { return page().table()->model(); }
    QString cell(int row, int column) { return rows()->index(row, column).data().toString(); }
    bool greyed(int row) { return rows()->index(row, 0).data(Qt::ForegroundRole).isValid(); }
    const TrackRecord& record() { return *workspace.record(); }
    QString first_counted() {
        for (const ScoredRow& r : record().score.rows)
            if (r.excluded.empty()) return to_qt(r.id);
        return {};
    }
};

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

constexpr const char* own_runs =
    R"([{"id": "our-cluster/run-7", "model": {"name": "GPT-NeoX-20B", "layers": 44, "hidden": 6144,
  "heads": 64, "vocab": 50432, "seq": 2048, "arch": "gpt"}, "machine": {"device": "NVIDIA A100 SXM 40GB", )"
    R"("preset": "selene"},
  "layout": {"devices": 96, "tp": 2, "pp": 4, "dp": 12, "micro_batch": 4, "global_batch": 1536, "precision": "fp16",
  "framework": "Megatron-LM 2021"}, "measured": {"iteration_s": 40.0}}])";

}  // namespace

class tst_validation_page : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { use_test_settings(); }
    void the_badge_tells_what_the_rows_give();
    void every_row_is_listed();
    void a_row_that_does_not_count_says_why();
    void the_filter_keeps_rows_with_every_word();
    void errors_sort_by_size();
    void summaries_have_a_line_for_each_group();
    void a_click_on_a_point_selects_its_row();
    void a_point_is_named_by_its_place();
    void a_crowd_of_points_is_drawn_whole();
    void a_selected_row_is_shown_in_details();
    void a_run_opens_as_one_undo_step();
    void own_runs_stand_beside_the_shipped_ones();
    void an_unreadable_file_is_refused();
    void the_page_exports_table_and_charts();
    void export_all_has_timeline_and_validation();
    void tiles_carry_a_range_around_their_value();
    void errors_by_what_is_known_are_those_of_validate();
    void choosing_layouts_has_a_line_for_each_source();
    void choosing_layouts_says_what_standing_still_by_chance_costs();
    void a_measured_run_moves_every_number_of_the_plan();
    void a_measured_run_is_a_step_that_can_be_undone();
    void a_value_that_is_hard_to_believe_is_asked_about_data();
    void a_value_that_is_hard_to_believe_is_asked_about();
    void a_plan_outside_is_told_in_the_verdict();
    void a_plan_inside_is_not_warned_of();
    void an_edit_prices_no_published_run();
};

void tst_validation_page::the_badge_tells_what_the_rows_give() {
    ValidationBench b;
    const ErrorSummary all = summary_of("all", b.record().score.rows);
    QVERIFY(all.counted() > 100);
    QVERIFY2(b.window.badge()->text().startsWith(grouped(all.counted())), qPrintable(b.window.badge()->text()));
    QVERIFY(b.window.badge()->text().contains(share_text(*b.record().headline.dense.left_out)));
    b.window.show_page("overview");
    QVERIFY(!b.page().isVisible());
    QTest::mouseClick(b.window.badge(), Qt::LeftButton);
    QVERIFY(b.page().isVisible());
}

void tst_validation_page::every_row_is_listed() {
    ValidationBench b;
    QCOMPARE(b.rows()->rowCount(), int(b.record().score.rows.size()));
    QVERIFY2(b.page().headline().contains("median"), qPrintable(b.page().headline()));
}

void tst_validation_page::a_row_that_does_not_count_says_why() {
    ValidationBench b;
    int excluded = 0;
    for (int i = 0; i < b.rows()->rowCount(); ++i) {
        if (!b.greyed(i)) continue;
        ++excluded;
        QVERIFY(!b.cell(i, RunTable::remark).isEmpty());
    }
    QCOMPARE(excluded, b.record().time.excluded);
    for (auto* box : b.page().findChildren<QCheckBox*>()) box->click();
    QCOMPARE(b.rows()->rowCount(), b.record().time.counted());
}

void tst_validation_page::the_filter_keeps_rows_with_every_word() {
    ValidationBench b;
    auto* words = b.find<QLineEdit>("filter_runs");
    QTest::keyClicks(words, "a100 zero");
    const int some = b.rows()->rowCount();
    QVERIFY(some > 0 && some < int(b.record().score.rows.size()));
    QTest::keyClicks(words, " nonsense");
    QCOMPARE(b.rows()->rowCount(), 0);
    words->clear();
    QCOMPARE(b.rows()->rowCount(), int(b.record().score.rows.size()));
}

void tst_validation_page::errors_sort_by_size() {
    ValidationBench b;
    b.page().table()->sortByColumn(RunTable::error, Qt::DescendingOrder);
    int first = 0;
    while (b.greyed(first)) ++first;
    QCOMPARE(b.cell(first, RunTable::run), to_qt(b.record().time.worst_id));
}

void tst_validation_page::summaries_have_a_line_for_each_group() {
    ValidationBench b;
    const auto tables = b.page().findChildren<SummaryTable*>();
    QCOMPARE(tables.size(), 2);
    QCOMPARE(tables[0]->rowCount() + tables[1]->rowCount(),
             int(b.record().score.sources.size() + b.record().score.families.size()));
}

void tst_validation_page::a_click_on_a_point_selects_its_row() {
    ValidationBench b;
    ScatterChart* chart = b.page().charts().front();
    b.find<QLineEdit>("filter_runs")->setText("nothing is called this");
    const QPointF at = chart->place_of(b.first_counted());
    QVERIFY(chart->rect().contains(at.toPoint()));
    QTest::mouseClick(chart, Qt::LeftButton, {}, at.toPoint());
    QVERIFY(!b.page().selected().isEmpty());  // a hidden row comes back
    const QPointF chosen = chart->place_of(b.page().selected());
    QVERIFY((chosen - at).manhattanLength() < 17);  // it, or one that lies on it
}

void tst_validation_page::a_point_is_named_by_its_place() {
    ValidationBench b;
    for (ScatterChart* chart : b.page().charts()) {
        int points = 0;
        for (const Series& s : chart->figure().series)
            for (std::size_t i = 0; s.mark == Mark::point && i < s.names.size(); ++i) ++points;
        QVERIFY2(points >= b.record().time.counted(), chart->figure().id.c_str());
        QVERIFY(chart->point_at({-100, -100}).isEmpty());
    }
}

// Hundreds of runs of one device stand on one line; every one has to be drawn.
void tst_validation_page::a_crowd_of_points_is_drawn_whole() {
    std::vector<ScoredRow> crowd;
    for (int i = 0; i < 500; ++i) {
        ScoredRow r;
        r.id = "crowd/" + std::to_string(i);
        r.source = r.family = "crowd";
        r.quantity = "iteration_s";
        r.published = r.measured = 1;
        r.error = i % 2 ? 0.001 * i : -0.001 * i;
        crowd.push_back(r);
    }
    ScatterChart chart;
    chart.resize(900, 300);
    chart.present(residual_figures(crowd, {})[1]);
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    const QImage picture = chart.grab().toImage();
    for (const ScoredRow& r : crowd) {
        const QPoint at = chart.place_of(to_qt(r.id)).toPoint();
        QVERIFY2(picture.pixelColor(at) != light_chart().background, r.id.c_str());
    }
}

void tst_validation_page::a_selected_row_is_shown_in_details() {
    ValidationBench b;
    b.page().table()->sortByColumn(RunTable::run, Qt::AscendingOrder);
    for (int row : {0, 40, 200}) {
        b.page().table()->selectRow(row);
        QCOMPARE(b.page().selected(), b.cell(row, RunTable::run));
        QVERIFY2(b.page().details().contains(b.page().selected()), qPrintable(b.page().details()));
    }
}

void tst_validation_page::a_run_opens_as_one_undo_step() {
    ValidationBench b;
    const Scenario before = b.workspace.scenario();
    const QString run = b.first_counted();
    b.page().select(run);
    QVERIFY(b.page().open_button()->isEnabled());
    QTest::mouseClick(b.page().open_button(), Qt::LeftButton);
    QCOMPARE(b.workspace.document().history().count(), 1);
    QCOMPARE(to_qt(b.workspace.scenario().name), run);
    const ScoredRow& row = *std::find_if(b.record().score.rows.begin(), b.record().score.rows.end(),
                                         [&](const ScoredRow& r) { return to_qt(r.id) == run; });
    const double predicted = b.workspace.told().outcome->step.total() / second;
    QVERIFY(std::abs(predicted / (row.measured * (1 + row.error)) - 1) < 1e-9);  // the plan that was scored
    b.workspace.document().history().undo();
    QVERIFY(b.workspace.scenario() == before);
}

void tst_validation_page::own_runs_stand_beside_the_shipped_ones() {
    ValidationBench b;
    QTemporaryDir dir;
    const QString path = dir.filePath("our-cluster.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(own_runs);
    file.close();
    const int shipped = b.rows()->rowCount();
    for (int times = 0; times < 2; ++times) {  // the same file again replaces its rows
        QVERIFY(b.page().add_runs(path).empty());
        QCOMPARE(b.rows()->rowCount(), shipped + 1);
    }
    QCOMPARE(b.page().selected(), QString("our-cluster/run-7"));
    QVERIFY(!b.page().charts().front()->place_of("our-cluster/run-7").isNull());
    QVERIFY(b.window.badge()->text().startsWith(grouped(b.record().time.counted())));  // the badge is the build's
    QVERIFY(b.page().add_runs(QStringLiteral(PLIMSOLL_PRESETS_DIR "/published_runs/fugaku-1p3b.json")).empty());
    QVERIFY(b.rows()->rowCount() > shipped + 1);
}

void tst_validation_page::an_unreadable_file_is_refused() {
    ValidationBench b;
    QTemporaryDir dir;
    const QString path = dir.filePath("broken.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[{\"model\": 1}]");
    file.close();
    const int shipped = b.rows()->rowCount();
    QVERIFY(has_errors(b.page().add_runs(path)));
    QVERIFY(has_errors(b.page().add_runs(dir.filePath("missing.json"))));
    QCOMPARE(b.rows()->rowCount(), shipped);
}

void tst_validation_page::the_page_exports_table_and_charts() {
    ValidationBench b;
    QTemporaryDir dir;
    ExportOptions table_and_vectors;
    table_and_vectors.formats = {"csv", "svg"};
    QVERIFY(write_files(b.page().export_files(dir.filePath("study"), table_and_vectors)).empty());
    const QByteArray table = read(dir.filePath("study-published-runs.csv"));
    QVERIFY(table.count('\n') > int(b.record().score.rows.size()));
    for (ScatterChart* chart : b.page().charts()) {
        const QString stem = dir.filePath("study-") + to_qt(chart->figure().id);
        QVERIFY(read(stem + ".svg").contains("DejaVu Sans"));
        QVERIFY(read(stem + ".csv").count('\n') > b.record().time.counted());
        QVERIFY(read(dir.filePath("study-published-runs.txt")).contains(chart->figure().id.c_str()));
        for (const std::string& name : chart->figure().categories)  // none is left out, however many
            QVERIFY2(read(stem + ".svg").contains(name.c_str()), name.c_str());
    }
}

void tst_validation_page::export_all_has_timeline_and_validation() {
    ValidationBench b;
    QTemporaryDir dir;
    QVERIFY(write_files(*b.window.export_files(dir.path())).empty());
    const QString stem = dir.filePath(file_stem(b.workspace.scenario()));
    for (const char* name : {"-pipeline-timeline.json", "-pipeline-timeline.csv", "-pipeline-timeline.pdf",
                             "-pipeline-timeline.svg", "-pipeline-timeline.png", "-published-runs.csv",
                             "-predicted-vs-published.pdf", "-error-by-source.png", "-error-by-device.svg"})
        QVERIFY2(!read(stem + name).isEmpty(), name);
}

void tst_validation_page::tiles_carry_a_range_around_their_value() {
    ValidationBench b;
    for (Tile* tile : b.window.tiles()->tiles()) {
        QVERIFY2(!tile->content().range.isEmpty(), tile->explains().c_str());
        QVERIFY2(tile->toolTip().contains("published run"), qPrintable(tile->toolTip()));
    }
    const Answer& answer = *b.workspace.told().last_good;
    const Figure* time = find_figure(&answer, "time-vs-nodes");
    const auto shading =
        std::find_if(time->series.begin(), time->series.end(), [](const Series& s) { return s.mark == Mark::band; });
    QVERIFY(shading != time->series.end());
    for (std::size_t i = 0; i < shading->x.size(); ++i) {
        const double middle = time->series.front().y[i];
        QVERIFY(shading->y[i] < middle && middle < shading->high[i]);
        QVERIFY(std::abs(shading->high[i] / middle - 1 - answer.band->time) < 1e-9);
    }
    QVERIFY(QString::fromStdString(time->caption).contains("Shaded"));
}

void tst_validation_page::choosing_layouts_has_a_line_for_each_source() {
    ValidationBench b;
    QCOMPARE(b.page().regrets()->rowCount(), int(regrets_by_source(sweeps_of(b.record().score.rows)).size()));
    QVERIFY(b.page().regrets()->rowCount() > 2);
}

void tst_validation_page::choosing_layouts_says_what_standing_still_by_chance_costs() {
    ValidationBench b;
    const RegretTable& table = *b.page().regrets();
    const RegretSummary all = regrets_by_source(sweeps_of(b.record().score.rows)).back();
    const int last = table.rowCount() - 1;
    QVERIFY(all.mean_by_chance > all.mean);
    const auto shown = [&](const QString& heading) {
        for (int c = 0; c < table.columnCount(); ++c)
            if (table.horizontalHeaderItem(c)->text() == heading) return table.item(last, c)->text();
        return QString();
    };
    QCOMPARE(shown("Mean"), to_qt(percent(all.mean)));
    QCOMPARE(shown("Mean with standstills"), to_qt(percent(all.mean_by_chance)));
}

// They come after the page: opening it does not wait for them.
void tst_validation_page::errors_by_what_is_known_are_those_of_validate() {
    ValidationBench b;
    const std::vector<KnowledgeSummary> known = coverage_of(b.record().score, b.record().left_out).known;
    KnownTable& table = *b.page().known();
    QTRY_COMPARE(table.rowCount(), int(known.size()));
    int told = 0;
    for (std::size_t i = 0; i < known.size(); ++i) {
        QCOMPARE(table.item(int(i), 0)->text(), to_qt(say_known(known[i])));
        QCOMPARE(table.item(int(i), 2)->text(), to_qt(percent(known[i].error, 1)));
        QCOMPARE(table.item(int(i), 3)->text(), to_qt(percent(known[i].band, 0)));
        if (known[i].experts || !known[i].knowledge) continue;
        ++told;
        QVERIFY2(b.page().headline().contains(to_qt(say_known(known[i]) + " (" + percent(known[i].error, 1))),
                 qPrintable(b.page().headline()));
    }
    QCOMPARE(told, 3);
}

void tst_validation_page::a_measured_run_moves_every_number_of_the_plan() {
    ValidationBench b;
    const Scenario plan = b.workspace.scenario();
    const Headline model = b.workspace.told().last_good->headline;
    const Totals alone = b.workspace.told().last_good->totals;
    AnchorDialog dialog(plan);
    QVERIFY(!dialog.run());
    dialog.value_field()->setText("ten");
    QVERIFY(!dialog.run());
    dialog.value_field()->setText(QString::number(2 * model.step / second));
    QVERIFY(dialog.run());
    QVERIFY2(dialog.said().contains("50.0 % shorter than measured"), qPrintable(dialog.said()));
    b.workspace.measure(*dialog.run());
    b.settle();
    const Answer& answer = *b.workspace.told().last_good;
    const double factor = answer.anchoring->time_factor;
    QVERIFY(factor > 1.5 && factor < 2);
    QVERIFY(near(answer.headline.step / model.step, factor));
    QVERIFY(near(answer.headline.mfu * factor, model.mfu));
    QCOMPARE(answer.model->totals.time, alone.time);
    const Figure* time = find_figure(&answer, "time-vs-nodes");
    const Series& line = time->series.front();
    const auto here = std::find(line.x.begin(), line.x.end(), time->here_x) - line.x.begin();
    QVERIFY(near(line.y[std::size_t(here)], answer.totals.time / day));
    for (const int tile : {0, 1, 2, 3, 4}) {
        const TileText& text = b.window.tiles()->tiles()[std::size_t(tile)]->content();
        QVERIFY2(text.detail.startsWith("model alone: "), qPrintable(text.detail));
        QVERIFY(!text.range.isEmpty());
    }
    QVERIFY2(b.window.tiles()->tiles()[0]->content().value == to_qt(say(answer.totals.time)),
             qPrintable(b.window.tiles()->tiles()[0]->content().value));
}

void tst_validation_page::a_measured_run_is_a_step_that_can_be_undone() {
    ValidationBench b;
    const Seconds model = b.workspace.told().last_good->headline.step;
    const bool saved = !b.workspace.document().modified();
    QUndoStack& history = b.workspace.document().history();
    b.workspace.measure({"June", b.workspace.scenario(), 20 * second, {}});
    b.settle();
    QCOMPARE(history.undoText(), QString("Measured: 20 s"));
    QCOMPARE(!b.workspace.document().modified(), saved);   // no part of the plan's file
    const Seconds measured = b.workspace.told().last_good->headline.step;
    QVERIFY(measured != model);
    history.undo();
    b.settle();
    QCOMPARE(b.workspace.told().last_good->headline.step, model);
    QVERIFY(b.workspace.anchors().empty());
    history.redo();
    b.settle();
    QCOMPARE(b.workspace.told().last_good->headline.step, measured);
    b.workspace.forget_measured();
    b.settle();
    QCOMPARE(b.workspace.told().last_good->headline.step, model);
    history.undo();
    b.settle();
    QCOMPARE(b.workspace.told().last_good->headline.step, measured);
}

void tst_validation_page::a_value_that_is_hard_to_believe_is_asked_about_data() {
    QTest::addColumn<QString>("seconds");
    QTest::addColumn<QString>("asked");
    QTest::newRow("a millisecond is beyond the peak of the devices") << "0.001" << "peak rate";
    QTest::newRow("a day is ten times what is predicted, and more") << "86400" << "times longer";
}

void tst_validation_page::a_value_that_is_hard_to_believe_is_asked_about() {
    QFETCH(QString, seconds);
    QFETCH(QString, asked);
    ValidationBench b;
    AnchorDialog dialog(b.workspace.scenario());
    QVERIFY(dialog.all_the_same()->isHidden());
    dialog.value_field()->setText(seconds);
    QVERIFY2(dialog.said().contains(asked), qPrintable(dialog.said()));
    QVERIFY(!dialog.keep()->isEnabled() && !dialog.all_the_same()->isHidden());
    dialog.all_the_same()->setChecked(true);
    QVERIFY(dialog.keep()->isEnabled());
    dialog.value_field()->setText(seconds + "1");   // another value is asked about anew
    QVERIFY(!dialog.keep()->isEnabled());
}

void tst_validation_page::a_plan_outside_is_told_in_the_verdict() {
    ValidationBench b;
    Scenario s = b.workspace.scenario();
    s.machine.device.name = "Device of the year 2031";
    b.workspace.propose(s, "A new device");
    QTRY_VERIFY2(b.window.verdict()->notes().join(u' ').contains("Extrapolated: no published run on"),
                 qPrintable(b.window.verdict()->sentence()));
}

void tst_validation_page::a_plan_inside_is_not_warned_of() {
    ValidationBench b;
    b.page().select(b.first_counted());
    QTest::mouseClick(b.page().open_button(), Qt::LeftButton);
    b.settle();
    QVERIFY(b.workspace.told().last_good->band->beyond.empty());
    QVERIFY(!b.window.verdict()->notes().join(u' ').contains("Extrapolated"));
}

// The rows are priced once; an edit only looks its kind up among them.
void tst_validation_page::an_edit_prices_no_published_run() {
    ValidationBench b;
    int priced = 0;
    connect(&b.workspace, &Workspace::record_changed, this, [&] { ++priced; });
    const auto record = b.workspace.record();
    drag(b.nodes(), b.nodes()->value() > 0 ? 0 : b.nodes()->maximum());
    b.settle();
    QCOMPARE(priced, 0);
    QCOMPARE(b.workspace.record(), record);
}

// The runs are priced in a thread of their own, with the presets that there were when it began.
PLIMSOLL_TEST(tst_validation_page)
#include "tst_validation_page.moc"
