// Tables of measured operators: what is read, and what is refused with file, line and column.
#include "registered_test.h"

#include "core/files/results/operator_rows.h"
#include "shipped.h"

using namespace plimsoll;

namespace {

const std::string product_header = "machine,format,m,n,k,time_us,conversion,kernel,source\n";
const std::string attention_header =
    "machine,kernel,pass,key_dim,value_dim,heads,kv_heads,sequence,batch,time_us,source\n";
const std::string grouped_header = "machine,format,pass,experts,rows,n,k,time_us,kernel,source\n";
const std::string collective_header = "machine,operation,ranks,ranks_per_node,bytes,time_us,source\n";
const std::string stream_header = "machine,operation,bytes,time_us,source\n";
const std::string good_product = "dgx-h100,bf16,1024,2048,4096,25.5,none,cuBLAS,aic\n";

Problems problems_of(const std::string& csv) {
    const auto rows = read_operator_rows(csv, "mine.csv");
    return rows ? Problems{} : rows.error();
}

}  // namespace

class OperatorRowsTest : public QObject {
    Q_OBJECT

private slots:
    void every_kind_is_read() {
        const auto products = read_operator_rows(product_header + good_product, "p.csv");
        QVERIFY(products);
        const auto& p = std::get<MeasuredProduct>(products->at(0).work);
        QCOMPARE(p.n, 2048.0);
        QCOMPARE(products->at(0).time / microsecond, 25.5);
        QCOMPARE(products->at(0).machine, std::string("dgx-h100"));

        const auto attention =
            read_operator_rows(attention_header + "dgx-h100,flash_2,both,192,128,16,4,4096,2,900,fa\n", "a.csv");
        QVERIFY(attention);
        const auto& a = std::get<MeasuredAttention>(attention->at(0).work);
        QVERIFY(a.kernel == AttentionKernel::flash_2 && a.pass == MeasuredPass::both && a.kv_heads == 4);

        const auto grouped = read_operator_rows(
            grouped_header + "dgx-b200,bf16,weight_gradient,8,4096,2048,7168,99,TE,simumax\n", "g.csv");
        QVERIFY(grouped);
        QVERIFY(std::get<MeasuredGrouped>(grouped->at(0).work).pass == GroupedPass::weight_gradient);

        const auto collectives = read_operator_rows(collective_header + "aws-p5,all_to_all,16,8,1e6,99,aws\n", "c.csv");
        QVERIFY(collectives);
        QVERIFY(std::get<MeasuredCollective>(collectives->at(0).work).operation == MeasuredOperation::all_to_all);

        const auto streams = read_operator_rows(stream_header + "dgx-h100,triad,1e9,350,azure\n", "s.csv");
        QVERIFY(streams);
        QCOMPARE(std::get<MeasuredStream>(streams->at(0).work).bytes, 1e9);
    }

    void line_ends_marks_and_comments_of_other_programs_are_read() {
        const auto bare = [](const std::string& line) { return line.substr(0, line.size() - 1); };
        const std::string csv = "\xEF\xBB\xBF# from a spreadsheet\r\n" + bare(product_header) + "\r\n\r\n"
                              + bare(good_product) + "\r\n";
        const auto rows = read_operator_rows(csv, "p.csv");
        QVERIFY(rows);
        QCOMPARE(int(rows->size()), 1);
        QCOMPARE(rows->at(0).source, std::string("aic"));
    }

    void wrong_values_are_refused_with_line_and_column_data() {
        QTest::addColumn<QString>("csv");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const std::string& csv, const char* pointer, const char* words) {
            QTest::newRow(name) << QString::fromStdString(csv) << pointer << words;
        };
        const std::string rows = product_header + good_product;
        row("no text", "", "", "empty");
        row("only comments", "# nothing\n", "", "empty");
        row("columns of no kind", "a,b,c\n1,2,3\n", "line 1", "those of no kind");
        row("a column twice", "machine,machine\n", "line 1", "twice");
        row("a column without a name", "machine,,n\n", "line 1", "has no name");
        row("too few values", rows + "dgx-h100,bf16,1024\n", "line 3", "3 values, expected 9");
        row("too many values", product_header + good_product.substr(0, good_product.size() - 1) + ",more\n", "line 2",
            "10 values, expected 9");
        row("no machine", rows + ",bf16,1024,2048,4096,25,none,cuBLAS,aic\n", "line 3, machine", "empty");
        row("no source", rows + "x,bf16,1024,2048,4096,25,none,cuBLAS,\n", "line 3, source", "empty");
        row("a format nobody knows", rows + "x,int8,1024,2048,4096,25,none,cuBLAS,aic\n", "line 3, format",
            "expected one of fp32, fp16, bf16, fp8");
        row("a time of zero", rows + "x,bf16,1024,2048,4096,0,none,cuBLAS,aic\n", "line 3, time_us", "found \"0\"");
        row("a negative time", rows + "x,bf16,1024,2048,4096,-3,none,cuBLAS,aic\n", "line 3, time_us", "expected");
        row("not a number", rows + "x,bf16,1024,2048,4096,nan,none,cuBLAS,aic\n", "line 3, time_us", "found \"nan\"");
        row("infinite", rows + "x,bf16,inf,2048,4096,25,none,cuBLAS,aic\n", "line 3, m", "found \"inf\"");
        row("words after a number", rows + "x,bf16,1024 rows,2048,4096,25,none,cuBLAS,aic\n", "line 3, m", "found");
        row("half a row", rows + "x,bf16,1024.5,2048,4096,25,none,cuBLAS,aic\n", "line 3, m", "whole number");
        row("beyond any device", rows + "x,bf16,1e12,2048,4096,25,none,cuBLAS,aic\n", "line 3, m", "expected a number");
        row("a 16-bit product that converts", rows + "x,bf16,1024,2048,4096,25,block,cuBLAS,aic\n",
            "line 3, conversion", "only fp8");
        row("quotes", rows + "\"x\",bf16,1024,2048,4096,25,none,cuBLAS,aic\n", "line 3", "quotes");
        row("a zero byte", rows + std::string("x\0y", 3) + ",bf16,1024,2048,4096,25,none,cuBLAS,aic\n", "line 3",
            "control character");
        row("a line without end", rows + std::string(5000, 'x') + "\n", "line 3", "longer than 4096");
        row("heads that key heads do not divide", attention_header + "x,flash_2,forward,128,128,16,3,4096,1,9,fa\n",
            "line 2, kv_heads", "does not divide 16");
        row("an unknown pass", attention_header + "x,flash_2,fwd,128,128,16,4,4096,1,9,fa\n", "line 2, pass",
            "forward, backward, both");
        row("a message among three", collective_header + "x,p2p,3,8,1024,9,aws\n", "line 2, ranks", "2 ranks");
        row("ranks that fill no node", collective_header + "x,all_reduce,12,8,1024,9,aws\n", "line 2, ranks_per_node",
            "does not divide 12");
        row("one rank alone", collective_header + "x,all_reduce,1,1,1024,9,aws\n", "line 2, ranks", "from 2");
        row("a stream of nothing", stream_header + "x,,1024,9,aws\n", "line 2, operation", "empty");
    }
    void wrong_values_are_refused_with_line_and_column() {
        QFETCH(QString, csv);
        QFETCH(QString, pointer);
        QFETCH(QString, words);
        const Problems found = problems_of(csv.toStdString());
        QVERIFY(!found.empty());
        QCOMPARE(found[0].file, std::string("mine.csv"));
        QCOMPARE(QString::fromStdString(found[0].pointer), pointer);
        QVERIFY2(QString::fromStdString(found[0].message).contains(words), found[0].message.c_str());
    }

    void a_file_of_errors_says_a_few_of_them() {
        std::string csv = product_header;
        for (int i = 0; i < 1000; ++i) csv += "x,bf16,0,0,0,0,none,cuBLAS,aic\n";
        const Problems found = problems_of(csv);
        QVERIFY(!found.empty() && found.size() < 100);
    }

    void a_file_cut_off_anywhere_is_read_or_refused() {
        const std::string whole = product_header + good_product + good_product;
        for (std::size_t length = 0; length <= whole.size(); ++length) {
            const auto rows = read_operator_rows(whole.substr(0, length), "cut.csv");
            QVERIFY(rows ? rows->size() <= 2 : !rows.error().empty());
        }
    }

    void every_shipped_table_is_read() {
        QVERIFY(library().operators.size() >= 5);
        for (const auto& [id, path] : library().operators) {
            const auto rows = read_operator_rows(*read_text(path), id);
            QVERIFY2(rows, rows ? "" : say(rows.error()).c_str());
            for (const OperatorRow& row : *rows)
                QVERIFY2(library().machines.contains(row.machine), row.machine.c_str());
        }
    }
};

PLIMSOLL_TEST(OperatorRowsTest)
#include "tst_operator_rows.moc"
