// Text that others wrote: what may become a path or a word of a shell, and what a terminal is shown of it.
#include "registered_test.h"

#include "core/values/basics/foreign_text.h"

using namespace plimsoll;

class ForeignTextTest : public QObject {
    Q_OBJECT

private slots:
    void names_of_files_are_plain_data() {
        QTest::addColumn<std::string>("name");
        QTest::addColumn<bool>("plain");
        QTest::newRow("letters, digits, dots and dashes") << std::string("dgx-a100_80.1") << true;
        QTest::newRow("nothing") << std::string() << false;
        QTest::newRow("the folder above") << std::string("..") << false;
        QTest::newRow("a path") << std::string("a/b") << false;
        QTest::newRow("a hidden file") << std::string(".bashrc") << false;
        QTest::newRow("an option") << std::string("-rf") << false;
        QTest::newRow("a line break") << std::string("a\nb") << false;
        QTest::newRow("an end of the text inside") << std::string("a\0b", 3) << false;
        QTest::newRow("a letter of another alphabet") << std::string("\xc3\xa9") << false;
    }
    void names_of_files_are_plain() {
        QFETCH(std::string, name);
        QTEST(is_plain_name(name), "plain");
    }

    void control_characters_are_shown_and_not_obeyed_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("shown");
        const auto row = [](const char* name, std::string text, const char* shown) {
            QTest::newRow(name) << std::move(text) << std::string(shown);
        };
        row("text stays", "GPT-3, \xc3\xa9\xe4\xba\xac\xf0\x9f\x99\x82\n\tx",
            "GPT-3, \xc3\xa9\xe4\xba\xac\xf0\x9f\x99\x82\n\tx");
        row("an escape", "\x1b[2J", "\\x1b[2J");
        row("a byte of zero", std::string("a\0b", 3), "a\\x00b");
        row("a return to the line's begin", "a\rb", "a\\x0db");
        row("a control of eight bits", "\xc2\x9b" "2J", "\\x9b2J");
        row("a turn of the direction", "\xe2\x80\xae" "abc", "\\u202eabc");
        row("a byte that is not UTF-8", "a\xff", "a\\xff");
        row("an overlong slash", "\xc0\xaf", "\\xc0\\xaf");
        row("half of a surrogate pair", "\xed\xa0\x80", "\\xed\\xa0\\x80");
        row("a character that is cut off", "\xe4\xba", "\\xe4\\xba");
    }
    void control_characters_are_shown_and_not_obeyed() {
        QFETCH(std::string, text);
        QFETCH(std::string, shown);
        QCOMPARE(visible(text), shown);
        QCOMPARE(is_text(text), text == shown);
        QVERIFY(is_text(visible(text)));
    }

    void a_character_cut_anywhere_is_waited_for() {
        const std::string text = "x\xf0\x9f\x99\x82";
        for (std::size_t cut = 1; cut <= text.size(); ++cut)
            QCOMPARE(incomplete_end(text.substr(0, cut)), cut == 1 || cut == text.size() ? std::size_t(0) : cut - 1);
    }
};

PLIMSOLL_TEST(ForeignTextTest)
#include "tst_foreign_text.moc"
