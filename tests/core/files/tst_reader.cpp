// Preset files: what they may say, and what is said about those that may not.
#include "registered_test.h"

#include "core/files/text/disk.h"
#include "core/files/presets/library.h"
#include "core/files/presets/preset_json.h"
#include "scenarios.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace plimsoll;
using namespace plimsoll::testing;

namespace {

QString read_any(const std::string& text, const std::string& file = "x.json") {
    const auto schema = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object()["schema"].toString();
    const auto said = [](const auto& result) {
        return QString::fromStdString(result ? say(result->warnings) : say(result.error()));
    };
    if (schema == "plimsoll/machine") return said(read_machine(text, file));
    if (schema == "plimsoll/stack") return said(read_stack(text, file));
    return said(read_model(text, file));
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const auto at = text.find(what);
    return at == text.npos ? "" : text.replace(at, what.size(), with);
}

// Every value of `part` stands in `whole` too: nothing a file says is lost in writing.
bool contained(const QJsonValue& part, const QJsonValue& whole, const QString& path, QString& lost) {
    if (part.isNull() || part == whole || part == QJsonValue(QString())) return true;
    if (part.isObject() && whole.isObject()) {
        const auto inner = part.toObject(), outer = whole.toObject();
        for (auto i = inner.begin(); i != inner.end(); ++i)
            if (!contained(i.value(), outer[i.key()], path + '/' + i.key(), lost)) return false;
        return true;
    }
    if (part.isArray() && whole.isArray() && part.toArray().size() == whole.toArray().size()) {
        for (int i = 0; i < part.toArray().size(); ++i)
            if (!contained(part.toArray()[i], whole.toArray()[i], path + '/' + QString::number(i), lost)) return false;
        return true;
    }
    lost = path;
    return false;
}

template <class Read, class Write>
void check_kept(const std::string& text, Read read, Write write) {
    const auto first = read(text, "");
    QVERIFY2(first.has_value(), first ? "" : say(first.error()).c_str());
    const std::string written = write(*first);
    const auto second = read(written, "");
    QVERIFY2(second.has_value(), second ? "" : say(second.error()).c_str());
    QCOMPARE(write(*second), written);
    QString lost;
    const auto object = [](const std::string& t) {
        return QJsonDocument::fromJson(QByteArray::fromStdString(t)).object();
    };
    QVERIFY2(contained(object(text), object(written), "", lost), qPrintable("lost: " + lost));
}

void check_kept(const QString& kind, const std::string& text) {
    if (kind == "machines")
        check_kept(text, read_machine, [](const MachineFile& f) { return write_machine(f.machine); });
    if (kind == "models") check_kept(text, read_model, [](const ModelFile& f) { return write_model(f.model); });
    if (kind == "stacks") check_kept(text, read_stack, [](const StackFile& f) { return write_stack(f.stack); });
}

}  // namespace

class tst_reader : public QObject {
    Q_OBJECT

private slots:
    void what_is_written_reads_the_same() {
        const auto machine = read_machine(write_machine(selene()));
        QVERIFY2(machine.has_value(), machine ? "" : say(machine.error()).c_str());
        QVERIFY(machine->machine == selene());
        QVERIFY(machine->warnings.empty());
        for (const Model& m : {gpt3_175b(), small_gated()}) {
            const auto model = read_model(write_model(m));
            QVERIFY(model.has_value());
            QVERIFY(model->model == m);
        }
        const auto stack = read_stack(write_stack(megatron()));
        QVERIFY(stack.has_value());
        QVERIFY(stack->stack == megatron());
    }

    // 6.4 us is not 6.4000000000000004 us after a round trip through seconds.
    void numbers_keep_their_digits() {
        const std::string text = write_machine(selene());
        QVERIFY(text.find("\"latency_us\": 6.4,") != text.npos);
        QVERIFY(text.find("\"bandwidth_GBps\": 2039,") != text.npos);
        QVERIFY(text.find("\"fp32\": 19.5,") != text.npos);
        QVERIFY(text.find("\"fp8\": 0") == text.npos);
        for (int i = 1; i < drawn(2000); ++i) {
            Stack s = megatron();
            s.host.layer = i / 997.0 * millisecond;
            QVERIFY(read_stack(write_stack(s))->stack == s);
        }
    }

    void absent_values_follow_from_the_rest() {
        const auto m = read_model(R"({"schema": "plimsoll/model", "version": 1, "id": "a", "name": "A", "layers": 2,
            "hidden": 1024, "heads": 16, "ffn": 4096, "vocabulary": 1000})");
        QVERIFY(m.has_value());
        QCOMPARE(m->model.kv_heads, 16);
        QCOMPARE(m->model.head_dim, 64);
    }

    void a_wrong_file_says_what_and_where_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QString>("said");
        const std::string model = write_model(gpt3_175b()), machine = write_machine(selene()),
                          stack = write_stack(megatron());
        const auto row = [](const char* name, const std::string& text, const char* said) {
            QTest::newRow(name) << text << QString(said);
        };
        row("a newer version names both", replaced(model, "\"version\": 1", "\"version\": 7"),
            "x.json: /version: version 7 is newer than 2");
        row("another schema names both", replaced(model, "plimsoll/model", "plimsoll/mode"),
            "x.json: /schema: found \"plimsoll/mode\", expected \"plimsoll/model\"");
        row("no schema at all", "{}", "/schema: missing, expected \"plimsoll/model\"");
        row("a list instead of an object", "[]", "found a list, expected an object");
        row("nothing at all", "", "line 1, column 1: not JSON");
        row("a missing comma gives line and column", "{\n  \"schema\": 1\n  \"x\": 2}", "line 3, column 5: not JSON");
        row("a number beyond doubles", "{\"a\":\n 1e999}", "line 2, column 2: number 1e999 is too large");
        row("what is not a number", "{\"a\": NaN}", "line 1, column 7: not JSON");
        row("bytes that are not UTF-8", "{\"\xff\xfe\": 1}", "not JSON");
        row("a missing field", replaced(model, "\"layers\": 96,", ""),
            "/layers: missing, expected a whole number from 1 to 10000");
        row("a zero where a count belongs", replaced(model, "\"layers\": 96", "\"layers\": 0"),
            "/layers: found 0, expected a whole number from 1 to 10000");
        row("half a layer", replaced(model, "\"layers\": 96", "\"layers\": 1.5"), "/layers: found 1.5");
        row("a number as text", replaced(model, "\"layers\": 96", "\"layers\": \"96\""), "/layers: found \"96\"");
        row("more layers than an int holds", replaced(model, "\"layers\": 96", "\"layers\": 1e300"),
            "/layers: found 1e+300");
        row("key heads that do not divide", replaced(model, "\"kv_heads\": 96", "\"kv_heads\": 7"),
            "/kv_heads: found 7, expected a divisor of heads 96");
        row("a misspelt choice names the nearest", replaced(model, "\"gelu\"", "\"swigglu\""),
            "/activation: found \"swigglu\", expected one of \"gelu\", \"relu\", \"squared_relu\", \"swiglu\", "
            "\"geglu\"; nearest: \"swiglu\"");
        row("an unknown key names the nearest",
            replaced(model, "\"vocabulary\"", "\"vocabulary_size\": 1, \"vocabulary\""),
            "/vocabulary_size: warning: unknown key, ignored; nearest: \"vocabulary\"");
        row("a wrong unit in a key", replaced(machine, "memory_GiB", "memory_GB"),
            "/device/memory_GB: warning: unknown key, ignored; nearest: \"memory_GiB\"");
        row("and the field it should have been", replaced(machine, "memory_GiB", "memory_GB"),
            "/device/memory_GiB: missing");
        row("a negative rate", replaced(machine, "\"bandwidth_GBps\": 2039", "\"bandwidth_GBps\": -1"),
            "/device/bandwidth_GBps: found -1, expected a number above 0");
        row("more than the whole", replaced(machine, "\"gemm_ceiling\": 0.79", "\"gemm_ceiling\": 79"),
            "/device/efficiency/gemm_ceiling: found 79, expected a number above 0, at most 1");
        row("a level of part nodes", replaced(machine, "\"devices\": 4480", "\"devices\": 4481"),
            "/levels/1/devices: found 4481, expected nodes x devices_per_node = 4480");
        row("no level is a node", replaced(machine, "\"devices\": 8", "\"devices\": 4"),
            "/levels: expected a level of 8 devices");
        row("more devices than can be counted", replaced(machine, "\"nodes\": 560", "\"nodes\": 1000000000"),
            "/nodes: found 1000000000");
        row("a machine without peaks", replaced(replaced(machine, "\"fp32\": 19.5,", ""), "\"tf32\"", "\"bf32\""),
            "/device/peak_TFLOPS/bf32: warning");
        row("an id nobody can refer to", replaced(stack, "megatron-2021", "a/b"),
            "/id: found \"a/b\", expected letters");
        row("an id that leads elsewhere", replaced(stack, "megatron-2021", ".."),
            "/id: found \"..\", expected letters");
        row("a line break in a name", replaced(machine, "\"Selene\"", "\"Sel\\nene\""),
            "/name: found \"Sel ene\", expected a text on one line without control characters");
        row("a terminal's escape in a name", replaced(machine, "\"Selene\"", "\"\\u001b[2J\""), "/name: found");
        row("a turn of the direction in a name", replaced(machine, "\"Selene\"", "\"\\u202eenel\""), "/name: found");
        row("a name of twenty thousand characters",
            replaced(machine, "\"Selene\"", "\"" + std::string(20000, 'W') + "\""), "of at most 200 characters");
        row("a source with an escape",
            replaced(stack, "\"attention\"",
                     R"("sources": {"": {"kind": "user", "text": "\u009b2J"}}, "attention")"),
            "/sources//text: found");
        row("a source of nothing",
            replaced(stack, "\"attention\"", "\"sources\": {\"/gem\": {\"kind\": \"user\"}}, \"attention\""),
            "/sources/~1gem: warning: no value of this file has this pointer");
        row("a source of an unknown kind",
            replaced(stack, "\"attention\"", "\"sources\": {\"\": {\"kind\": \"guess\"}}, \"attention\""),
            "/sources//kind: found \"guess\", expected one of \"measured\"");
    }
    void a_wrong_file_says_what_and_where() {
        QFETCH(std::string, text);
        QFETCH(QString, said);
        const QString all = read_any(text);
        QVERIFY2(all.contains(said), qPrintable("said: " + all));
        QVERIFY(all.startsWith("x.json: "));
    }

    void a_key_given_twice_counts_once() {
        const auto m = read_model(replaced(write_model(gpt3_175b()), "\"layers\": 96", "\"layers\": 1, \"layers\": 2"));
        QVERIFY(m.has_value());
        QCOMPARE(m->model.layers, 2);
    }

    void every_problem_is_said_at_once() {
        const auto text =
            replaced(replaced(write_model(gpt3_175b()), "\"layers\": 96", "\"layers\": 0"), "\"gelu\"", "3");
        const auto m = read_model(text);
        QVERIFY(!m.has_value());
        QCOMPARE(m.error().size(), std::size_t(2));
    }

    void deep_nesting_is_refused() {
        for (const char* opening : {"[", "{\"a\":"}) {
            std::string text;
            for (int i = 0; i < 1000000; ++i) text += opening;
            QVERIFY(read_any(text).contains("nested deeper than 64 levels"));
        }
        QVERIFY(!read_any("{\"a\": \"" + std::string(200, '[') + "\"}").contains("nested"));
    }

    void more_values_than_memory_holds_are_refused() {
        std::string text = "[[]";
        for (int i = 0; i < 3'000'000; ++i) text += ",[]";
        QVERIFY(read_any(text + "]").contains("more than 3000000 values"));
    }

    void a_flood_of_problems_is_cut() {
        std::string text = write_model(gpt3_175b());
        std::string flood = "{";
        for (int i = 0; i < 100000; ++i) flood += "\"key" + std::to_string(i) + "\": 1,";
        text.replace(0, 1, flood);
        const auto m = read_model(text);
        QVERIFY(m.has_value());
        QCOMPARE(m->warnings.size(), std::size_t(100));
    }

    void a_file_cut_anywhere_is_refused_data() {
        QTest::addColumn<std::string>("text");
        QTest::newRow("model") << write_model(gpt3_175b());
        QTest::newRow("machine") << write_machine(selene());
        QTest::newRow("stack") << write_stack(megatron());
    }
    void a_file_cut_anywhere_is_refused() {
        QFETCH(std::string, text);
        for (std::size_t n = 0; n + 2 < text.size(); ++n) {  // the last two bytes are the brace and the newline
            const std::string cut = text.substr(0, n);
            QVERIFY(!read_model(cut).has_value() && !read_machine(cut).has_value() && !read_stack(cut).has_value());
        }
    }

    void a_flipped_byte_never_crashes() {
        const std::string text = write_machine(selene());
        for (std::size_t n = 0; n < text.size(); ++n)
            for (const int flip : {1, 2, 16, 128}) {
                std::string bad = text;
                bad[n] = static_cast<char>(bad[n] ^ flip);
                if (const auto m = read_machine(bad)) QVERIFY(read_machine(write_machine(m->machine)).has_value());
            }
    }

    void shipped_presets_are_clean_and_kept_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("path");
        for (const QString kind : {"machines", "models", "stacks"})
            for (const QFileInfo& f : QDir(PLIMSOLL_PRESETS_DIR "/" + kind).entryInfoList({"*.json"}))
                QTest::newRow(qPrintable(kind + '/' + f.fileName())) << kind << f.filePath();
        QTest::newRow("(there are presets)") << "" << "";
    }
    void shipped_presets_are_clean_and_kept() {
        QFETCH(QString, kind);
        QFETCH(QString, path);
        if (kind.isEmpty()) return;
        const auto text = read_text(path.toStdString());
        QVERIFY(text.has_value());
        QCOMPARE(read_any(*text), QString());
        check_kept(kind, *text);
    }
};

PLIMSOLL_TEST(tst_reader)
#include "tst_reader.moc"
