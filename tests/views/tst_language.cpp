// The window in another language: what it says, what stays English, and that files do not depend on it.
#include "registered_test.h"

#include "views/session_desk.h"

#include "core/answers/explain/explain.h"
#include "core/answers/campaign/cautions.h"
#include "core/answers/plan/rules.h"
#include "core/files/launch/launch.h"
#include "core/files/presets/scenario_json.h"
#include "core/values/knobs/in_words.h"
#include "core/values/knobs/wording.h"
#include "core/files/presets/programme_json.h"
#include "views/charts/export.h"
#include "views/parts/background.h"
#include "views/parts/language.h"
#include "views/parts/text.h"
#include "views/start/start_page.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QStatusBar>
#include <QTextDocumentFragment>

using namespace plimsoll;

namespace {

const QString japanese = QStringLiteral("ja");
const QRegularExpression letters(QStringLiteral("[\\x{3040}-\\x{30ff}\\x{4e00}-\\x{9fff}]"));

// ---- What a user reads

void add_text(QStringList& all, const QString& text) {
    if (!text.trimmed().isEmpty()) all << text;
}

void add_model(QStringList& all, const QAbstractItemModel* model) {
    if (!model) return;
    for (int column = 0; column < model->columnCount(); ++column) {
        add_text(all, model->headerData(column, Qt::Horizontal).toString());
        for (int row = 0; row < std::min(model->rowCount(), 40); ++row)
            add_text(all, model->index(row, column).data().toString());
    }
}

void add_chart(QStringList& all, QCustomPlot& plot) {
    for (const QCPAxisRect* rect : plot.axisRects())
        for (const QCPAxis* axis : rect->axes())
            if (axis->visible()) add_text(all, axis->label());
    for (const QCPTextElement* text : plot.findChildren<QCPTextElement*>()) add_text(all, text->text());
}

void add_menu(QStringList& all, const QMenu& menu) {
    for (const QAction* action : menu.actions()) {
        add_text(all, action->text());
        if (action->menu()) add_menu(all, *action->menu());
    }
}

// What a widget shows by itself, its help, and what a screen reader calls it.
void add_widget(QStringList& all, QWidget& w) {
    if (const auto* label = qobject_cast<QLabel*>(&w)) add_text(all, label->text());
    if (const auto* button = qobject_cast<QAbstractButton*>(&w)) add_text(all, button->text());
    if (const auto* box = qobject_cast<QGroupBox*>(&w)) add_text(all, box->title());
    if (const auto* dock = qobject_cast<QDockWidget*>(&w)) add_text(all, dock->windowTitle());
    if (const auto* edit = qobject_cast<QLineEdit*>(&w)) add_text(all, edit->placeholderText());
    if (const auto* edit = qobject_cast<QPlainTextEdit*>(&w)) add_text(all, edit->placeholderText());
    if (const auto* tabs = qobject_cast<QTabBar*>(&w))
        for (int i = 0; i < tabs->count(); ++i) add_text(all, tabs->tabText(i));
    if (const auto* box = qobject_cast<QComboBox*>(&w))
        for (int i = 0; i < box->count(); ++i) add_text(all, box->itemText(i));
    if (const auto* view = qobject_cast<QAbstractItemView*>(&w)) add_model(all, view->model());
    if (auto* plot = qobject_cast<QCustomPlot*>(&w)) add_chart(all, *plot);
    if (const auto* chart = qobject_cast<Chart*>(&w); chart && chart->figure()) {
        for (const Series& s : chart->figure()->series) add_text(all, worded_name(s.label));   // the legend
        for (const std::string& name : chart->figure()->categories) add_text(all, worded(name));
    }
    if (const auto* tile = qobject_cast<Tile*>(&w)) {
        const TileText& t = tile->content();
        for (const QString& text : {t.value, t.detail, t.range, t.judged, t.brief, t.delta, t.spoken})
            add_text(all, text);
    }
    add_text(all, w.toolTip());
    add_text(all, w.accessibleName());
    add_text(all, w.accessibleDescription());
}

QStringList read_in(QWidget& window) {
    QStringList all;
    for (QWidget* w : window.findChildren<QWidget*>())
        if (w->isVisibleTo(&window) && !qobject_cast<QMenu*>(w)) add_widget(all, *w);
    all.removeDuplicates();
    return all;
}

// ---- What stays English in every language

// Names of models, machines, devices, software, programmes and plans, and what presets say of themselves.
QStringList names_of_presets() {
    QStringList all;
    const auto add = [&](const std::string& name) { add_text(all, to_qt(name)); };
    for (const auto& [id, m] : library().models)
        for (const std::string& name : {id, m.name, m.family, m.note}) add(name);
    for (const auto& [id, m] : library().machines) {
        for (const std::string& name : {id, m.name, m.site, m.note, m.device.name, m.device.package, m.accounting.unit})
            add(name);
        for (const Level& level : m.levels) add(level.name);
        for (const auto& [pointer, source] : m.sources) add(source.text);
    }
    for (const auto& [id, path] : library().programmes)
        if (const auto read = load_programme(id, library())) add(read->programme.name);
    for (const auto& [id, s] : library().stacks)
        for (const std::string& name : {id, s.name, s.family, s.note}) add(name);
    for (const std::string_view id : framework_names()) add(std::string(title_of(*framework_from(id))));
    for (const auto& [id, path] : library().scenarios)
        if (const auto plan = read_scenario(*read_text(path), library())) add(plan->scenario.name);
    std::ranges::sort(all, std::greater<>(), &QString::size);
    return all;
}

// Commands that a calibration starts, why a published row does not count, as its source says it, and the parts of a
// proposal, which are in the language of its programme.
const QRegularExpression& of_files() {
    static const QRegularExpression sentences(
        QStringLiteral("(^/\\S*/mpirun .*|: [A-Z][^。]* (is|does|needs)[^。]*$|^[TF]\\d\\d  .*|[A-Z][^。]*, profile of .*|"
                       " et al\\.)"));
    return sentences;
}

// What is left of English prose where names, flags of other software and markup are taken away: two words in a row of
// which the second is small, or a text of Latin letters alone that is a word of ours.
QString english_of(const QString& shown, const QStringList& names) {
    QString text = Qt::mightBeRichText(shown) ? QTextDocumentFragment::fromHtml(shown).toPlainText() : shown;
    for (const QString& name : names) text.remove(name);
    static const QRegularExpression flags(
        QStringLiteral("(Megatron|DeepSpeed[\\w-]*|PyTorch( FSDP)?|Hugging Face|Launcher|Colossal-AI|"
                       "Transformer Engine|TorchTitan|kfac-pytorch|Distributed Shampoo|NVTE_\\w+): ?[^。]*"));
    static const QRegularExpression authors(QStringLiteral("[A-Z][a-z]+ et al\\."));
    text.remove(flags).remove(of_files()).remove(authors);
    static const QRegularExpression prose(QStringLiteral("\\b[A-Za-z][a-z]+ [a-z]{2,}( [a-z]{2,})*\\b"));
    if (const auto found = prose.match(text); found.hasMatch()) return found.captured();
    // "Layer GEMMs", "Optimum (Young)": names that a table of core has and the language lacks.
    static const QRegularExpression latin(QStringLiteral("^[\\x{20}-\\x{7e}]*$"));
    static const QRegularExpression word(QStringLiteral("^[A-Z][a-z]{3,}( |$|[,:-])"));
    static const QStringList terms{QStringLiteral("Plimsoll"), QStringLiteral("Trainium"), QStringLiteral("Gaudi"),
                                   QStringLiteral("Ascend"),   QStringLiteral("Slurm"),    QStringLiteral("English"),
                                   QStringLiteral("Flux"),     QStringLiteral("Intel"),    QStringLiteral("Ctrl")};
    const auto found = word.match(text.trimmed());
    const bool ours = found.hasMatch() && latin.match(text).hasMatch() && !terms.contains(found.captured().trimmed());
    return ours ? found.captured() : QString();
}

}  // namespace

class tst_language : public QObject {
    Q_OBJECT
    TestHome home_;

private slots:
    void initTestCase();
    void init() { home_.clear(); }
    void phrases_are_english_unless_their_thread_speaks();
    void work_beside_the_window_speaks_its_language();
    void a_sentence_without_translation_stays_english();
    void the_language_is_chosen_for_the_next_start();
    void obstacles_and_cautions_are_translated();
    void files_are_the_same_in_every_language();
    void every_page_is_in_the_language_data();
    void every_page_is_in_the_language();
    void the_explanation_is_in_the_language();
    void the_start_page_is_in_the_language();
    void menus_are_in_the_language();
    void help_pages_are_in_the_language();
    void what_files_keep_in_english_is_shown_in_the_language_data();
    void what_files_keep_in_english_is_shown_in_the_language();
    void what_is_wrong_in_a_file_is_said_in_the_language_data();
    void what_is_wrong_in_a_file_is_said_in_the_language();
    void help_of_an_input_is_found_in_the_language();
    void every_input_is_in_the_language();
};

void tst_language::initTestCase() { home_.use("tst_language"); }

void tst_language::phrases_are_english_unless_their_thread_speaks() {
    const auto said = [] { return to_qt(phrase("{1} is more than {2}", "A", 3)); };
    QCOMPARE(said(), QStringLiteral("A is more than 3"));
    const WindowLanguage language(japanese);
    QCOMPARE(said(), QStringLiteral("A は 3 を超えています"));
    QString elsewhere;
    std::thread([&] { elsewhere = said(); }).join();
    QCOMPARE(elsewhere, QStringLiteral("A is more than 3"));
    const Speaking english(nullptr);
    QCOMPARE(said(), QStringLiteral("A is more than 3"));
}

void tst_language::work_beside_the_window_speaks_its_language() {
    const WindowLanguage language(japanese);
    LatestJob job;
    QString said;
    job.start([&](std::stop_token) -> LatestJob::Deliver {
        const QString words = to_qt(phrase("No recompute"));
        return [&said, words] { said = words; };
    });
    QTRY_COMPARE(said, QStringLiteral("再計算なし"));
}

void tst_language::a_sentence_without_translation_stays_english() {
    const WindowLanguage language(japanese);
    QCOMPARE(to_qt(phrase("A sentence that nobody has translated, {1}.", 1)),
             QStringLiteral("A sentence that nobody has translated, 1."));
    QCOMPARE(worded("A name that nobody has translated"), QStringLiteral("A name that nobody has translated"));
    QCOMPARE(worded("Micro-batch"), QStringLiteral("マイクロバッチ"));
}

void tst_language::the_language_is_chosen_for_the_next_start() {
    QCOMPARE(languages(), (QStringList{"en", "ja"}));
    QCOMPARE(chosen_language(), QStringLiteral("system"));
    QCOMPARE(language_to_use("ja"), QStringLiteral("ja"));
    QCOMPARE(language_to_use("xx"), language_to_use("system"));
    Desk d;
    QAction* action = d.window.findChild<QAction*>("language.ja");
    QVERIFY(action);
    QCOMPARE(action->text(), QStringLiteral("日本語"));
    action->trigger();
    QCOMPARE(chosen_language(), QStringLiteral("ja"));
    QVERIFY(d.window.statusBar()->currentMessage().contains("next start"));
}

void tst_language::obstacles_and_cautions_are_translated() {
    const Scenario plan = first_scenario(library());
    const Obstacle o{Reason::indivisible, "layout.tensor_parallel", 7, "model.heads", 52, {4, 13}};
    const QString english = to_qt(say(o));
    const WindowLanguage language(japanese);
    QCOMPARE(to_qt(say(o)), QStringLiteral("アテンションヘッド 52 は テンソル並列 7 で割り切れません。"
                                           "割り切れる最も近い値: 4, 13。"));
    QCOMPARE(links_in(to_qt(say(o)), *find_knob(o.knob)).size(), 2);
    QVERIFY(english.startsWith("Tensor parallel 7 does not divide attention heads 52"));
    Scenario half = plan;
    half.recipe.precision = Precision::fp16;
    for (const Caution& c : cautions(half)) QVERIFY2(english_of(to_qt(say(c)), {}).isEmpty(), say(c).c_str());
}

void tst_language::files_are_the_same_in_every_language() {
    const auto written = [](const QString& folder) {
        Desk d;
        ExportOptions csv;
        csv.formats = {"csv"};
        QVERIFY(export_figures(d.workspace.scenario(), d.workspace.told().last_good->figures, folder, csv)
                    .empty());
        QVERIFY(d.window.findChildren<Chart*>().size() > 0);
    };
    QTemporaryDir one, two;
    written(one.path());
    {
        const WindowLanguage language(japanese);
        written(two.path());
    }
    const QStringList files = QDir(one.path()).entryList(QDir::Files);
    QVERIFY(files.size() > 5);
    for (const QString& file : files)
        QCOMPARE(bytes_of(QDir(two.path()).filePath(file)), bytes_of(QDir(one.path()).filePath(file)));
}

void tst_language::every_page_is_in_the_language_data() {
    QTest::addColumn<QString>("page");
    for (const char* page : {"overview", "time", "step", "memory", "energy", "resilience", "layouts", "timeline",
                             "validation", "calibrate", "probes", "paper", "compare", "goal", "questions", "tornado",
                             "proposal"})
        QTest::newRow(page) << QString::fromLatin1(page);
}

void tst_language::every_page_is_in_the_language() {
    QFETCH(QString, page);
    const WindowLanguage language(japanese);
    Desk d;
    QVERIFY(d.window.show_page(page));
    d.window.record_loader().wait();
    d.settle();
    QStringList names = names_of_presets();
    if (d.workspace.record())   // rows of published runs
        for (const ScoredRow& row : d.workspace.record()->score.rows)
            for (const std::string& name : {row.id, row.source, row.family}) names << to_qt(name);
    QStringList english;
    for (const QString& text : read_in(d.window))
        if (const QString left = english_of(text, names); !left.isEmpty()) english << left + "   <<< " + text.left(160);
    QVERIFY2(english.isEmpty(), qPrintable('\n' + english.join('\n')));
}

// Every number and its parts, two levels deep.
void tst_language::the_explanation_is_in_the_language() {
    const WindowLanguage language(japanese);
    const Scenario plan = first_scenario(library());
    const QStringList names = names_of_presets();
    QStringList english;
    const std::function<void(const Term&)> read = [&](const Term& t) {
        for (const std::string& text : {t.label, t.formula, t.op == Operator::given ? std::string() : t.unit})
            if (const QString left = english_of(worded(text), names); !left.isEmpty()) english << left;
        for (const Term& child : t.children) read(child);
    };
    for (const std::string& id : explainable())
        if (const auto term = explain(plan, id)) read(*term);
    english.removeDuplicates();
    QVERIFY2(english.isEmpty(), qPrintable('\n' + english.join('\n')));
}

void tst_language::the_start_page_is_in_the_language() {
    const WindowLanguage language(japanese);
    Desk d;
    d.window.show_start();
    auto* page = d.window.findChild<StartPage*>();
    QVERIFY(page);
    const QStringList names = names_of_presets();
    QStringList english;
    for (const QString& text : read_in(*page))
        if (const QString left = english_of(text, names); !left.isEmpty()) english << left + "   <<< " + text.left(160);
    QVERIFY2(english.isEmpty(), qPrintable('\n' + english.join('\n')));
}

void tst_language::menus_are_in_the_language() {
    const WindowLanguage language(japanese);
    Desk d;
    QStringList shown, english;
    for (const QAction* action : d.window.menuBar()->actions()) {
        shown << action->text();
        if (action->menu()) add_menu(shown, *action->menu());
    }
    const QStringList names = names_of_presets();
    for (QString& text : shown)
        if (const QString left = english_of(text.remove('&'), names); !left.isEmpty()) english << left;
    QVERIFY2(english.isEmpty(), qPrintable(english.join('\n')));
    QVERIFY(shown.size() > 60);
}

// Links lead from page to page of the language; what is not in it says so.
void tst_language::help_pages_are_in_the_language() {
    QStringList english;
    for (const HelpPage& page : help_pages()) english << page.title;
    const WindowLanguage language(japanese);
    HelpWindow help;
    const auto* note = help.findChild<QLabel*>("help.english");
    for (const HelpPage& page : help_pages()) {
        QVERIFY2(page.title.contains(letters) && !english.contains(page.title), qPrintable(page.name));
        help.show_page(page.name);
        QCOMPARE(help.browser()->page(), page.name);
        QVERIFY(help.browser()->toPlainText().startsWith(page.title));
        QVERIFY2(!note->isVisibleTo(&help), qPrintable(page.name));
    }
    help.show_page("index");
    help.browser()->setSource(help.browser()->source().resolved(QUrl("search.md")));
    QVERIFY(help.browser()->toPlainText().startsWith(QStringLiteral("探索")));
    QVERIFY(!help.browser()->toPlainText().contains(QStringLiteral("。 ")));   // new lines are no spaces
    help.show_news();
    QVERIFY(note->isVisibleTo(&help));
}

void tst_language::what_files_keep_in_english_is_shown_in_the_language_data() {
    QTest::addColumn<QString>("kept");
    QTest::addColumn<QString>("shown");
    QTest::newRow("a name") << "One rank" << QStringLiteral("1 ランク");
    QTest::newRow("a sentence with a number") << "Width 768, two tensor ranks" << QStringLiteral("幅 768、2 テンソルランク");
    QTest::newRow("the longer of two patterns") << "Width 768" << QStringLiteral("幅 768");
    QTest::newRow("a sentence in a sentence") << "Two data ranks, ZeRO-3, measured"
                                              << QStringLiteral("2 データランク、ZeRO-3、実測");
    QTest::newRow("text of others") << "Zen 4, 96 cores" << QStringLiteral("Zen 4, 96 cores");
    QTest::newRow("nothing") << "" << "";
}

void tst_language::what_files_keep_in_english_is_shown_in_the_language() {
    QFETCH(QString, kept);
    QFETCH(QString, shown);
    QCOMPARE(worded_kept(kept.toStdString()), kept);
    const WindowLanguage language(japanese);
    QCOMPARE(worded_kept(kept.toStdString()), shown);
}

void tst_language::what_is_wrong_in_a_file_is_said_in_the_language_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("said");
    QTest::newRow("no JSON") << "{\n  ]" << "plan.json: line 2, column 3: not JSON: "
                             << QStringLiteral("plan.json: 2 行 3 文字目: JSON ではありません: ");
    QTest::newRow("another schema") << "{\"schema\": \"other\", \"version\": 1}"
                                    << "plan.json: /schema: found \"other\", expected \"plimsoll/scenario\""
                                    << QStringLiteral("plan.json: /schema: \"other\" とありますが、"
                                                      "\"plimsoll/scenario\"が必要です");
    QTest::newRow("a field is missing") << "{\"schema\": \"plimsoll/scenario\", \"version\": 1}"
                                        << "plan.json: /model: missing, expected a preset id or an object"
                                        << QStringLiteral("plan.json: /model: ありません。"
                                                          "プリセットの id またはオブジェクトが必要です");
}

void tst_language::what_is_wrong_in_a_file_is_said_in_the_language() {
    QFETCH(QString, text);
    QFETCH(QString, english);
    QFETCH(QString, said);
    const auto problems = [&] {
        const auto read = read_scenario(text.toStdString(), library(), "plan.json");
        return read ? QString() : to_qt(say(read.error()));
    };
    QVERIFY2(problems().contains(english), qPrintable(problems()));
    const WindowLanguage language(japanese);
    QVERIFY2(problems().contains(said), qPrintable(problems()));
}

void tst_language::help_of_an_input_is_found_in_the_language() {
    const WindowLanguage language(japanese);
    Desk d;
    const auto* nodes = d.window.inputs()->nodes();
    const HelpTopic topic = help_topic_of(nodes);
    HelpWindow help;
    help.show_page(topic.page, topic.word);
    QVERIFY2(help.browser()->textCursor().hasSelection(), qPrintable(topic.word));
    QCOMPARE(help.browser()->textCursor().selectedText(), topic.word);
}

void tst_language::every_input_is_in_the_language() {
    const WindowLanguage language(japanese);
    for (const Knob& k : knobs()) {
        const QString help = to_qt(help_in_words(k)), label = to_qt(label_in_words(k));
        const bool flag_alone = k.help.starts_with("Megatron: ");
        QVERIFY2(flag_alone || help.contains(letters), k.id.c_str());
        QVERIFY2(english_of(label, {}).isEmpty(), k.label.c_str());
        if (!k.section.empty()) QVERIFY2(worded(k.section) != to_qt(k.section), k.section.c_str());
    }
}

PLIMSOLL_TEST(tst_language)
#include "tst_language.moc"
