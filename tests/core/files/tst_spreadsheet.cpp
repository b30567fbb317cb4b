// Tables as spreadsheets: what is a number, what is not, and the same bytes for the same tables. What a spreadsheet
// program reads in them is checked from outside (tests/checks/command_line.py).
#include "registered_test.h"

#include "core/files/results/spreadsheet.h"

using namespace plimsoll;

class tst_spreadsheet : public QObject {
    Q_OBJECT
private slots:
    void a_cell_is_a_number_or_a_text_data() {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<bool>("number");
        QTest::addColumn<double>("value");
        const auto is = [](const char* cell, double value) { QTest::newRow(cell) << cell << true << value; };
        const auto is_not = [](const char* name, const char* cell) { QTest::newRow(name) << cell << false << 0.0; };
        is("12", 12);
        is("0", 0);
        is("0.25", 0.25);
        is("-3.5", -3.5);
        is("\xE2\x88\x92" "3.5", -3.5);
        is("1.5e-05", 1.5e-5);
        is("4,096", 4096);
        is("1,234,567.5", 1234567.5);
        is("12.5 %", 0.125);
        is_not("nothing", "");
        is_not("words", "never");
        is_not("a unit", "12 days");
        is_not("a formula", "=1+1");
        is_not("a formula by its sign", "+1");
        is_not("another one", "-1+2");
        is_not("an old one", "@SUM(A1)");
        is_not("the number of a job with zeros before it", "0012");
        is_not("a list", "1,2");
        is_not("a comma too many", "1,,234");
        is_not("a comma at the end", "1,");
        is_not("a date", "2027-01-01");
        is_not("no end", "inf");
        is_not("no number", "nan");
        is_not("too large for a number", "1e999");
        is_not("hexadecimal", "0x10");
    }
    void a_cell_is_a_number_or_a_text() {
        QFETCH(QString, cell);
        QFETCH(bool, number);
        QFETCH(double, value);
        const auto read = number_of_cell(cell.toStdString());
        QCOMPARE(read.has_value(), number);
        if (read) QVERIFY2(std::abs(read->value - value) <= 1e-12 * std::abs(value), qPrintable(cell));
    }

    void sheets_have_names_that_spreadsheets_take() {
        const auto named = [](const char* id, const char* slug) {
            Sheet s;
            s.id = id;
            s.slug = slug;
            return s;
        };
        const std::vector<std::string> names =
            sheet_names({named("T01", "request"), named("T01", "REQUEST"), named("a/b[c]:*?\\'", ""), named("", ""),
                         named("表", "とても長い名前をもつ表ですから最後まで書くことはできませんけれども続きます")});
        QCOMPARE(names[0], std::string("T01 request"));
        QCOMPARE(names[1], std::string("T01 REQUEST 2"));
        QCOMPARE(names[2], std::string("abc"));
        QCOMPARE(names[3], std::string("Table"));
        QCOMPARE(QString::fromStdString(names[4]).size(), 31);
        QVERIFY(!QString::fromStdString(names[4]).contains(QChar::ReplacementCharacter));
    }

    void the_same_tables_give_the_same_bytes() {
        if (!spreadsheets_are_here()) QSKIP("this build has no libxlsxwriter");
        const Sheet s{"T01", "request", "A", {{"name"}, {"hours", "h", true}}, {{"=1+1", "12"}, {"b", "3.5 %"}},
                      {"Note."}, {"nothing was measured"}, "INCITE"};
        const auto one = to_xlsx({s, s}), two = to_xlsx({s, s});
        QVERIFY(one && two);
        QVERIFY(one->starts_with("PK"));
        QVERIFY(*one == *two);
        QVERIFY(*one != *to_xlsx({s}));
    }
    void a_cell_of_any_length_is_written() {
        if (!spreadsheets_are_here()) QSKIP("this build has no libxlsxwriter");
        Sheet s{"T", "", "A", {{"name"}}, {{std::string(100000, 'x')}, {"\xE8\xA1\xA8"}}};
        s.rows.push_back({});   // a row that is short
        QVERIFY(to_xlsx({s}));
        QVERIFY(!to_xlsx({}));
    }
};

PLIMSOLL_TEST(tst_spreadsheet)
#include "tst_spreadsheet.moc"
