// Numbers and words as text, and rows of comma-separated values.
#include "registered_test.h"

#include "core/values/basics/csv.h"
#include "core/values/basics/text.h"

#include <cstdio>
#include <limits>

using namespace plimsoll;

Q_DECLARE_METATYPE(CsvRow)

class TextTest : public QObject {
    Q_OBJECT

private slots:
    void writes_numbers_as_printf_does_data() {
        QTest::addColumn<double>("value");
        QTest::newRow("zero") << 0.0;
        QTest::newRow("negative zero") << -0.0;
        QTest::newRow("an integer") << 12.0;
        QTest::newRow("rounding up into another digit") << 999.96;
        QTest::newRow("a tenth") << 0.1;
        QTest::newRow("smaller than one in ten thousand") << 1.2345678e-7;
        QTest::newRow("large") << -6.02214076e23;
        QTest::newRow("the largest") << std::numeric_limits<double>::max();
        QTest::newRow("infinite") << std::numeric_limits<double>::infinity();
        QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN();
    }
    void writes_numbers_as_printf_does() {
        QFETCH(double, value);
        for (const int digits : {0, 1, 3, 8}) {
            char general[400], decimals[400];
            std::snprintf(general, sizeof general, "%.*g", digits, value);
            std::snprintf(decimals, sizeof decimals, "%.*f", digits, value);
            QCOMPARE(significant(value, digits), std::string(general));
            QCOMPARE(fixed(value, digits), std::string(decimals));
        }
    }

    void the_shortest_text_reads_back_as_the_same_number() {
        for (const double v : {0.1, 1.0 / 3, 1e22, 5e-324, 123456789.125})
            QCOMPARE(std::strtod(shortest(v).c_str(), nullptr), v);
        QCOMPARE(shortest(0.1), std::string("0.1"));
    }

    void shares_are_per_cent() {
        QCOMPARE(percent(0.034), std::string("3.4 %"));
        QCOMPARE(percent(0.5, 0), std::string("50 %"));
        QCOMPARE(signed_percent(0.034), std::string("+3.4 %"));
        QCOMPARE(signed_percent(-0.034, 2), std::string("-3.40 %"));
        QCOMPARE(signed_percent(0), std::string("+0.0 %"));
    }

    void digits_stand_in_threes() {
        for (const char* text : {"0", "999", "1,000", "999,999", "3,225,103", "-999", "-1,000", "-123,456"}) {
            std::string digits = text;
            std::erase(digits, ',');
            QCOMPARE(in_thousands(digits), std::string(text));
        }
    }

    void counts_in_the_singular_and_the_plural() {
        QCOMPARE(counted(1, "node", "nodes"), std::string("1 node"));
        QCOMPARE(counted(0, "node", "nodes"), std::string("0 nodes"));
        QCOMPARE(counted(1200, "node", "nodes"), std::string("1200 nodes"));
    }

    void joins_and_splits() {
        QCOMPARE(joined({}), std::string());
        QCOMPARE(joined({"", "a"}), std::string(", a"));
        QCOMPARE(joined({"a", "b", "c"}, "; "), std::string("a; b; c"));
        QCOMPARE(split("a+bc", '+'), (std::vector<std::string>{"a", "bc"}));
        QCOMPARE(split("+a++b+", '+'), (std::vector<std::string>{"a", "b"}));
        QCOMPARE(split("", '+'), std::vector<std::string>{});
    }

    void trims_and_lowers() {
        QCOMPARE(trimmed(" \t a b\r\n"), std::string_view("a b"));
        QCOMPARE(trimmed(" \n"), std::string_view());
        QCOMPARE(lower_case("DeepSpeed"), std::string("deepspeed"));
        QCOMPARE(one_line("a\nb\r\nc"), std::string("a b  c"));
    }

    void a_shell_takes_a_word_as_it_is() {
        QCOMPARE(shell_word(""), std::string("''"));
        QCOMPARE(shell_word("it's $HOME"), std::string("'it'\\''s $HOME'"));
    }

    void a_row_of_comma_separated_values_data() {
        QTest::addColumn<CsvRow>("row");
        QTest::addColumn<QString>("line");
        QTest::newRow("no cell") << CsvRow() << "\n";
        QTest::newRow("plain texts stay") << CsvRow().text("id").text("two words") << "id,two words\n";
        QTest::newRow("a comma is quoted") << CsvRow().text("a,b").text("c") << "\"a,b\",c\n";
        QTest::newRow("a quote is doubled") << CsvRow().text("say \"yes\"") << "\"say \"\"yes\"\"\"\n";
        QTest::newRow("a line end stays inside its cell") << CsvRow().text("a\nb") << "\"a\nb\"\n";
        QTest::newRow("so does a carriage return") << CsvRow().text("a\rb") << "\"a\rb\"\n";
        QTest::newRow("a formula becomes a text") << CsvRow().text("=1+1") << "'=1+1\n";
        QTest::newRow("a formula in quotes becomes a text") << CsvRow().quoted("=A1,2") << "\"'=A1,2\"\n";
        QTest::newRow("a call of another program becomes a text") << CsvRow().text("@SUM(A1)") << "'@SUM(A1)\n";
        QTest::newRow("a dash stays a dash") << CsvRow().text("-") << "-\n";
        QTest::newRow("free text is quoted always") << CsvRow().quoted("").quoted("a\"b") << "\"\",\"a\"\"b\"\n";
        QTest::newRow("empty cells keep their commas") << CsvRow().empty().text("").empty(2) << ",,,\n";
        QTest::newRow("numbers") << CsvRow().number(0.1).number(2.0 / 3, 3).whole(-7).truth(true).truth(false)
                                 << "0.1,0.667,-7,true,false\n";
    }
    void a_row_of_comma_separated_values() {
        QFETCH(CsvRow, row);
        QFETCH(QString, line);
        QCOMPARE(QString::fromStdString(row.line()), line);
    }

    void a_comment_cannot_begin_a_row_of_its_own() {
        QCOMPARE(csv_comment("plan of\n1,2,3"), std::string("# plan of 1,2,3\n"));
    }
};

PLIMSOLL_TEST(TextTest)
#include "tst_text.moc"
