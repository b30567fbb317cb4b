// What the program prints is shown and not obeyed, and an answer that has not arrived is an error.
#include "registered_test.h"

#include "app/commands/command_line.h"
#include "app/commands/tables.h"
#include "app/commands/terminal.h"

#include <fstream>
#include <iostream>
#include <sstream>

using namespace plimsoll;

namespace {

// What std::cout and std::cerr hold at its end, without a terminal.
struct Captured {
    std::ostringstream out, err;
    std::streambuf* const out_before = std::cout.rdbuf(out.rdbuf());
    std::streambuf* const err_before = std::cerr.rdbuf(err.rdbuf());
    ~Captured() {
        std::cout.rdbuf(out_before);
        std::cerr.rdbuf(err_before);
    }
};

int run_words(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    return run(int(arguments.size()), arguments.data());
}

}  // namespace

class TerminalTest : public QObject {
    Q_OBJECT
private slots:
    void controls_are_shown_data() {
        QTest::addColumn<std::string>("printed");
        QTest::addColumn<std::string>("shown");
        QTest::newRow("text") << std::string("48 days\n") << std::string("48 days\n");
        QTest::newRow("a cursor that moves") << std::string("\x1b[2J") << std::string("\\x1b[2J");
        QTest::newRow("text of other letters") << std::string("日本語") << std::string("日本語");
        QTest::newRow("half a character") << std::string("\xe6\x97") << std::string("\\xe6\\x97");
    }
    void controls_are_shown() {
        QFETCH(std::string, printed);
        QFETCH(std::string, shown);
        std::ostringstream to;
        VisibleBuffer buffer(*to.rdbuf());
        std::ostream(&buffer) << printed << std::flush;
        QCOMPARE(to.str(), shown);
        QCOMPARE(buffer.failure(), 0);
    }

    // Handed over in pieces of 64 KiB: none of them ends within a character.
    void a_long_answer_arrives_whole() {
        std::string text;
        while (text.size() < 200000) text += "日本語";
        std::ostringstream to;
        VisibleBuffer buffer(*to.rdbuf());
        std::ostream stream(&buffer);
        for (std::size_t i = 0; i < text.size(); i += 1000) stream << text.substr(i, 1000);
        stream << std::flush;
        QVERIFY(to.str() == text);
    }

    void an_answer_that_cannot_be_written_is_a_failure() {
        if (!std::ofstream("/dev/full")) QSKIP("no /dev/full here");
        const Captured captured;
        std::filebuf full;
        full.open("/dev/full", std::ios::out);
        std::streambuf* const before = std::cout.rdbuf(&full);
        {
            Terminal terminal;
            std::cout << "an answer";
            QCOMPARE(terminal.exit_code(exit_ok), int(exit_failure));
            QCOMPARE(terminal.exit_code(exit_infeasible), int(exit_infeasible));   // the code of a refusal stays
        }
        std::cout.rdbuf(before);
        QVERIFY(captured.err.str().starts_with("plimsoll: the answer could not be written: "));
    }

    void every_way_to_end_has_its_code_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        const auto row = [](const char* words, int code) {
            QTest::newRow(words) << QString(words).split(' ') << code;
        };
        row("estimate gpt-neox-20b-a100", exit_ok);
        row("--version", exit_ok);
        row("estimate --help", exit_ok);
        row("guess gpt-neox-20b-a100", exit_usage);
        row("estimate gpt-neox-20b-a100 --colour", exit_usage);
        row("estimate", exit_usage);
        row("explain gpt-neox-20b-a100 step.nothing", exit_usage);
        row("sweep gpt-neox-20b-a100 --knob nodes --values some", exit_usage);
        row("estimate gpt-neox-20b-a100 --set tensor_parallel=7", exit_infeasible);
        row("estimate nowhere.json", exit_invalid_file);
        row("gpt-neox-20b-a100", exit_usage);   // a window, which is not here
    }
    void every_way_to_end_has_its_code() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        std::vector<std::string> arguments{"plimsoll"};
        for (const QString& word : words) arguments.push_back(word.toStdString());
        const Captured captured;
        QCOMPARE(run_words(arguments), code);
        const bool answered = !captured.out.str().empty(), complained = !captured.err.str().empty();
        QVERIFY2(code == exit_ok ? answered && !complained : answered || complained, captured.err.str().c_str());
    }

    void numbers_are_on_the_right_and_words_on_the_left() {
        QCOMPARE(table({{"part", "s", "what"}, {"gemm", "1.5", "products"}, {"all", "12.25", "-"}}),
                 std::string("part      s  what\ngemm    1.5  products\nall   12.25  -\n"));
        QCOMPARE(table({{"name", "n"}, {"日本", "1"}}), std::string("name  n\n日本    1\n"));   // characters, not bytes
    }
};

PLIMSOLL_TEST(TerminalTest)
#include "tst_terminal.moc"
