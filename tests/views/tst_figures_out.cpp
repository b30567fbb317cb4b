// Figures and tables taken out of the window: the dialog of the export and what it remembers, the clipboard, measured
// runs beside the curves.
#include "registered_test.h"

#include "views/session_desk.h"

#include "views/charts/export.h"
#include "views/charts/export_dialog.h"
#include "views/decide/proposal_page.h"
#include "views/parts/tables.h"
#include "views/parts/text.h"

#include <QClipboard>
#include <QMimeData>
#include <QTextBrowser>

using namespace plimsoll;

namespace {

QString file_of(const QTemporaryDir& dir, const char* name, const char* text) {
    QFile file(dir.filePath(name));
    if (!file.open(QFile::WriteOnly)) qFatal("no temporary file");
    file.write(text);
    return file.fileName();
}

constexpr const char* three_runs = "nodes,step_s,machine\n3,9.1,mine\n6,4.9,mine\n12,3.6,mine\n";

const Series* measured_on(Workspace& w, const char* id) {
    for (const Figure& f : w.told().last_good->figures)
        for (const Series& s : f.series)
            if (f.id == id && s.id == "measured") return &s;
    return nullptr;
}

struct OpenDialog {
    Desk desk;
    ExportDialog dialog;
    explicit OpenDialog(bool remember = false)
        : dialog(desk.window.exportables(), {{"csc-roihu", "CSC Roihu"}}, remember) {
        dialog.show();
        QCoreApplication::processEvents();
    }
    template <class T>
    T& part(const char* name) {
        auto* found = dialog.findChild<T*>(QString::fromLatin1(name));
        if (!found) qFatal("no %s", name);
        return *found;
    }
};

}  // namespace

class tst_figures_out : public QObject {
    Q_OBJECT
    TestHome home_;

private slots:
    void initTestCase() { home_.use("tst_figures_out"); }
    void init() { home_.clear(); }

    // ---- The dialog

    void figures_of_the_page_are_chosen_first() {
        OpenDialog d;
        QStringList chosen;
        for (const std::string& id : d.dialog.options().figures) chosen << to_qt(id);
        QCOMPARE(chosen, (QStringList{"time-vs-nodes", "memory-per-stage", "step-breakdown", "energy-vs-nodes"}));
        QTest::mouseClick(&d.part<QPushButton>("export.all"), Qt::LeftButton);
        QVERIFY(d.dialog.options().figures.size() > 9);
        QVERIFY(wants(d.dialog.options(), "pipeline-timeline"));
    }
    void the_picture_follows_every_choice_data() {
        QTest::addColumn<QString>("what");
        for (const char* what : {"width", "height", "points", "title", "legend", "grey", "language", "font"})
            QTest::newRow(what) << what;
    }
    void the_picture_follows_every_choice() {
        QFETCH(QString, what);
        OpenDialog d;
        QTRY_VERIFY(!d.dialog.shown().isNull());
        const QImage before = d.dialog.shown().toImage();
        if (what == "width") d.part<QDoubleSpinBox>("export.width").setValue(column_mm);
        if (what == "height") d.part<QDoubleSpinBox>("export.height").setValue(60);
        if (what == "points") d.part<QDoubleSpinBox>("export.points").setValue(14);
        if (what == "font") d.part<QFontComboBox>("export.font").setCurrentFont(QFont("DejaVu Sans Mono"));
        for (const char* box : {"title", "legend", "grey"})
            if (what == box) d.part<QCheckBox>((QByteArray("export.") + box).constData()).toggle();
        if (what == "language") {
            auto& language = d.part<QComboBox>("export.language");
            language.setCurrentIndex(language.findData("ja"));
        }
        QTRY_VERIFY(d.dialog.shown().toImage() != before);
    }
    void a_column_of_a_journal_is_one_choice() {
        OpenDialog d;
        auto& columns = d.part<QComboBox>("export.columns");
        columns.setCurrentIndex(0);
        emit columns.activated(0);
        QCOMPARE(d.dialog.options().figure.width_mm, column_mm);
        QTRY_VERIFY2(d.dialog.said().contains("85 x 60 mm; as PNG 1,004") || d.dialog.said().contains("PNG 1004"),
                     qPrintable(d.dialog.said()));
        d.part<QDoubleSpinBox>("export.width").setValue(123);
        QCOMPARE(columns.currentIndex(), columns.count() - 1);   // another width
    }
    void what_cannot_be_drawn_says_why_and_writes_nothing() {
        OpenDialog d;
        d.part<QDoubleSpinBox>("export.width").setValue(40);
        d.part<QDoubleSpinBox>("export.points").setValue(40);
        QTRY_VERIFY(!d.part<QPushButton>("export.files").isEnabled());
        QVERIFY2(d.dialog.said().contains("too narrow"), qPrintable(d.dialog.said()));
    }
    void choices_are_remembered_for_the_programme() {
        {
            OpenDialog d(true);
            auto& programme = d.part<QComboBox>("export.programme");
            programme.setCurrentIndex(programme.findData("csc-roihu"));
            d.part<QDoubleSpinBox>("export.width").setValue(column_mm);
            d.part<QCheckBox>("export.grey").setChecked(true);
            QTest::mouseClick(&d.part<QPushButton>("export.files"), Qt::LeftButton);
            QVERIFY(d.dialog.result() == QDialog::Accepted);
        }
        QVERIFY(stored_choice("csc-roihu").figure.grey);
        QCOMPARE(stored_choice("csc-roihu").figure.width_mm, column_mm);
        QCOMPARE(stored_choice("incite"), ExportOptions{});   // nothing was chosen for it, nor in general
        OpenDialog again(true);
        QCOMPARE(again.part<QComboBox>("export.programme").currentData().toString(), QString("csc-roihu"));
        QVERIFY(again.dialog.options().figure.grey);
        // A pack for that programme is drawn the same way.
        Started s;
        s.window.show_page("proposal");
        auto* page = s.window.findChild<ProposalPage*>("contents.proposal");
        store_choice("generic", stored_choice("csc-roihu"));
        page->choose("generic");
        page->wait();
        QTemporaryDir dir;
        QVERIFY2(page->pack(), qPrintable(page->state()));
        const auto files = page->pack_files(dir.path());
        QVERIFY(files && write_files(*files).empty());
        QVERIFY(QImage(dir.filePath("figures/F03.png")).isGrayscale());
    }
    void a_damaged_choice_is_as_if_there_was_none() {
        ExportOptions o;
        o.figure.width_mm = column_mm;
        store_choice({}, o);
        QCOMPARE(stored_choice({}).figure.width_mm, column_mm);
        QSettings().setValue("export/general/width_mm", "nan");
        QCOMPARE(stored_choice({}), ExportOptions{});
    }
    void figures_of_a_page_of_its_own_can_be_exported_as_well() {
        Desk d;
        QTemporaryDir dir;
        d.window.show_page("tornado");
        QTRY_VERIFY(!d.window.exportables().empty() && d.window.exportables().front().in_view);
        ExportOptions o;
        o.formats = {"svg", "csv"};
        o.sheet = true;
        for (const Exportable& e : d.window.exportables())
            if (e.in_view) o.figures.push_back(e.id.toStdString());
        const auto files = d.window.export_files(dir.path(), o);
        QVERIFY(files && write_files(*files).empty());
        const QStringList names = QDir(dir.path()).entryList(QDir::Files);
        QCOMPARE(names.filter(".svg").size(), int(o.figures.size()));
        QCOMPARE(names.filter("-sheet.pdf").size(), 1);
    }

    // ---- The clipboard

    void a_table_is_copied_as_numbers_and_as_a_picture() {
        Desk d;
        d.window.show_page("paper");
        auto* table = d.window.findChild<QWidget*>("contents.paper")->findChild<TextTable*>();
        QVERIFY(table && table->rowCount() > 3);
        const CellTable cells = cells_of(*table);
        QCOMPARE(int(cells.rows.size()), table->rowCount());
        table->setFocus();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        const QMimeData* data = QApplication::clipboard()->mimeData();
        QVERIFY(data->text().startsWith("Quantity\t"));
        QVERIFY(data->hasHtml() && data->hasFormat("text/csv"));
        copy_image(cells);
        const QImage picture = QApplication::clipboard()->image();
        QVERIFY(picture.height() > 20 * table->rowCount());
        QCOMPARE(picture.pixelColor(1, 1), QColor(Qt::white));
    }
    void a_chart_is_copied_as_a_picture_or_as_numbers() {
        Desk d;
        Chart* chart = d.chart("time-vs-nodes");
        chart->setFocus();
        QTest::keyClick(chart, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->mimeData()->hasImage());
        QVERIFY(QApplication::clipboard()->mimeData()->hasFormat("image/svg+xml"));
        menu_action(d.window, "Copy the numbers")->trigger();
        QVERIFY(!QApplication::clipboard()->mimeData()->hasImage());
        const QString text = QApplication::clipboard()->text();
        QVERIFY2(text.startsWith("Nodes\t"), qPrintable(text));
    }
    void a_table_of_the_window_is_one_of_a_spreadsheet() {
        const CellTable t{"T", {"Part", "Days", "Note"}, {{"a", "1,234.5", "=1+1"}, {"b", "", "x"}, {"c", "7", "9"}}};
        const Sheet s = as_sheet(t);
        QVERIFY(!s.columns[0].number && s.columns[1].number && !s.columns[2].number);
        QCOMPARE(with_tabs(t), QString("Part\tDays\tNote\na\t1,234.5\t=1+1\nb\t\tx\nc\t7\t9"));
    }

    // ---- Measured runs

    void measured_runs_become_points_and_leave_again() {
        Desk d;
        QTemporaryDir dir;
        QVERIFY(!measured_on(d.workspace, "time-vs-nodes"));
        QVERIFY(d.window.open(file_of(dir, "runs.csv", three_runs)));
        d.settle();
        for (const char* id : {"time-vs-nodes", "node-hours-vs-nodes", "efficiency-vs-nodes"})
            QVERIFY2(measured_on(d.workspace, id), id);
        QTRY_VERIFY(d.painted());
        const Figure& shown = *d.chart("time-vs-nodes")->figure();
        QVERIFY(reading(shown, nearest_stop(shown, 6, true)).join('\n').contains("Measured: "));
        QVERIFY(figure_svg(shown).contains("Measured"));
        menu_action(d.window, "Remove the scaling runs")->trigger();
        d.settle();
        QVERIFY(!measured_on(d.workspace, "time-vs-nodes"));
    }
    void the_same_file_twice_counts_once() {
        Desk d;
        QTemporaryDir dir;
        const QString file = file_of(dir, "runs.csv", three_runs);
        QVERIFY(d.window.open(file) && d.window.open(file));
        QCOMPARE(int(d.workspace.scaling().runs.size()), 3);
        auto* page = d.window.findChild<ProposalPage*>("contents.proposal");
        d.window.show_page("proposal");
        page->choose("csc-roihu");
        QCOMPARE(d.workspace.scaling().floor, 0.75);
        d.settle();
        bool floor = false;
        for (const Figure& f : d.workspace.told().last_good->figures)
            for (const Series& s : f.series) floor = floor || (f.id == "efficiency-vs-nodes" && s.id == "floor");
        QVERIFY(floor);
    }
    void runs_belong_to_their_plan_at_the_next_start() {
        QTemporaryDir dir;
        const QString plan = dir.filePath("mine.json");
        QVERIFY(QFile::copy(neox, plan));
        {
            Started first(plan);
            QVERIFY(first.window.open(file_of(dir, "runs.csv", three_runs)));
            QVERIFY(measured_on(first.workspace, "time-vs-nodes"));
        }
        Started again(plan);
        QTRY_COMPARE(int(again.workspace.scaling().runs.size()), 3);
        QVERIFY(again.window.open(QString(neox)));
        QTRY_VERIFY(again.workspace.scaling().runs.empty());   // of another plan nothing was measured
        QVERIFY(again.window.open(plan));
        QTRY_COMPARE(int(again.workspace.scaling().runs.size()), 3);
    }

    // ---- The proposal's list of parts

    void long_titles_of_tables_are_not_cut() {
        Desk d;
        auto* page = d.window.findChild<ProposalPage*>("contents.proposal");
        d.window.show_page("proposal");
        page->choose("generic");
        page->wait();
        QListWidget& list = *page->list();
        QVERIFY(list.count() > 20);
        for (const int width : {150, 240}) {
            list.setMaximumWidth(width);
            QCoreApplication::processEvents();
            for (int i = 0; i < list.count(); ++i) {
                list.scrollToItem(list.item(i));
                const QRect cell = list.visualItemRect(list.item(i));
                const QRect needed = list.fontMetrics().boundingRect(
                    QRect(0, 0, cell.width() - 4, 1000), Qt::TextWordWrap, list.item(i)->text());
                QVERIFY2(cell.width() <= list.viewport()->width() && needed.height() <= cell.height() + 1,
                         qPrintable(list.item(i)->text()));
            }
        }
    }
};

PLIMSOLL_TEST(tst_figures_out)
#include "tst_figures_out.moc"
