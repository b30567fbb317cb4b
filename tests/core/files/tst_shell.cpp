// A launch script is worked out as bash would run it. Every script here runs under bash itself, with stand-ins for the
// launchers that record what they are given; what is read of the script must be the same, word for word.
#include "registered_test.h"

#include "core/files/settings/settings.h"
#include "real_shell.h"

#include <random>

using namespace plimsoll;
using namespace plimsoll::files;
using namespace plimsoll::testing;

namespace {

// ---- Scripts by chance

class Chance {
public:
    explicit Chance(unsigned seed) : random_(seed) {}
    std::string script() {
        std::string s = "A=a; B='b c'; C=8; D=path/to/x.json; N=3; M=5; L=(p 'q r' a)\n";
        for (int i = below(5) + 2; i > 0; --i) s += statement(0) + "\n";
        return s + "train --end \"$A\" \"$B\" \"$C\" \"$D\" $N $M \"${L[@]}\"\n";
    }

private:
    int below(int n) { return int(random_() % unsigned(n)); }
    std::string one(std::initializer_list<const char*> all) { return all.begin()[below(int(all.size()))]; }
    std::string name() { return one({"A", "B", "C", "D"}); }
    std::string sum(int depth) {
        if (depth > 2 || below(3) == 0) return one({"0", "1", "7", "16", "N", "M"});
        const std::string op = one({"+", "-", "*", "<", ">=", "==", "&&", "||", "&", "|", "^"});
        return "(" + sum(depth + 1) + " " + op + " " + sum(depth + 1) + ")";
    }
    std::string parameter() {
        const std::string n = name();
        return "${"
             + (below(8) == 0 ? "#" + n
                              : n
                                    + one({"", "", ":-d e", ":-\"d e\"", ":+alt", "#*_", "##*/", "%.*", "%%.*", "//_",
                                           "/a/Z", "//[a-c]/Q", "^^", ",,", ":1", ":1:2"}))
             + "}";
    }
    std::string word() {
        switch (below(9)) {
            case 0:
                return one({"w1", "--opt", "x=y", "''", "'b c'", "\"\""});
            case 1:
                return "\"" + parameter() + "\"";
            case 2:
                return parameter();
            case 3:
                return "$((" + sum(0) + "))";
            case 4:
                return "\"" + parameter() + "-" + parameter() + "\"";
            case 5:
                return one({"\"${L[@]}\"", "${L[@]}", "${#L[@]}", "\"${L[1]}\"", "\"${L[*]}\"", "\"${L[@]:1}\""});
            case 6:
                return one({"{1..3}", "p{a,b}q"});
            case 7:
                return "$(echo " + parameter() + ")";
            default:
                return "$(basename path/to/" + one({"x", "y.z"}) + ")" + parameter();
        }
    }
    std::string assignment() {
        switch (below(5)) {
            case 0:
                return one({"N", "M"}) + "=$((" + sum(0) + "))";
            case 1:
                return "L=(" + word() + " " + word() + ")";
            case 2:
                return "L+=(" + word() + ")";
            case 3:
                return name() + "+=\"" + parameter() + "\"";
            default:
                return name() + "=\"" + parameter() + "/$((" + sum(0) + "))\"";
        }
    }
    std::string condition() {
        switch (below(5)) {
            case 0:
                return "[ \"" + parameter() + "\" = " + one({"a", "8", "''"}) + " ]";
            case 1:
                return "[[ " + parameter() + " == " + one({"a*", "*b*", "8", "?"}) + " ]]";
            case 2:
                return "[ $N -" + one({"eq", "lt", "ge"}) + " $M ]";
            case 3:
                return "(( " + sum(0) + " ))";
            default:
                return "! [ -" + one({"n", "z"}) + " \"" + parameter() + "\" ]";
        }
    }
    std::string statement(int depth) {
        const auto inside = [&] { return statement(depth + 1); };
        switch (below(depth < 2 ? 9 : 3)) {
            case 0:
                return assignment();
            case 1:
                return "train --z " + word() + " " + word();
            case 2:
                return condition() + one({" && ", " || "}) + assignment();
            case 3:
                return "if " + condition() + "; then\n" + inside() + "\nelse\n" + inside() + "\nfi";
            case 4:
                return "for " + name() + " in " + word() + " " + word() + "; do\n" + inside() + "\ndone";
            case 5:
                return "case \"" + parameter() + "\" in\na*|b) " + assignment() + ";;\n*) " + inside() + ";;\nesac";
            case 6:
                return "for ((i=0; i<2; i++)); do\n" + inside() + "\ndone";
            case 7:
                return "f() { local A=\"" + parameter() + "\"; train --f \"$@\" $# \"$A\"; }\nf " + word();
            default:
                return "( " + inside() + " )";
        }
    }
    std::mt19937 random_;
};

}  // namespace

class ShellTest : public QObject {
    Q_OBJECT

private slots:
    void bash_starts_the_same_data() {
        QTest::addColumn<std::string>("script");
        const auto row = [](const char* name, const char* script) { QTest::newRow(name) << std::string(script); };
        row("a variable", "T=8\ntrain --t $T \"${T}\"\n");
        row("a quoted variable is one word", "A='x y'\ntrain --a \"$A\" --b $A\n");
        row("an empty variable is no word", "A=\ntrain --a $A \"$A\" ''\n");
        row("a default", "train --t ${T:-4} ${U-5} ${V:=6} $V\n");
        row("a default with a blank", "train --z ${T:-a b} \"${T:-a b}\" ${T:-\"a b\"}\n");
        row("another value where one is set", "A=1\ntrain ${A:+yes} ${B:+no} --z\n");
        row("the length of a text", "A=hello\ntrain --n ${#A}\n");
        row("beginnings and ends cut off", "P=/a/b/c.tar.gz\ntrain --p ${P##*/} ${P#*/} ${P%.*} ${P%%.*}\n");
        row("signs replaced", "N=60_000_000\ntrain --n ${N//_} ${N/_/x} ${N/#60/7} ${N/%0/1}\n");
        row("large and small letters", "A=aBc\ntrain --a ${A^^} ${A,,} ${A^}\n");
        row("a part of a text", "A=abcdef\ntrain --a ${A:2} ${A:1:3} ${A: -2} ${A:1:-1}\n");
        row("the variable that a variable names", "B=7\nA=B\ntrain --a ${!A}\n");
        row("sums",
            "N=4\ntrain --n $((N * 8 + 2)) $(( (N - 1) % 3 )) $((2 ** 10)) $((N > 3 ? 1 : 0)) $((0x10)) $((7 / 2))\n");
        row("sums that set", "N=4\n(( N += 2 ))\nlet N*=3\n((N++))\ntrain --n $N $((N--)) $N\n");
        row("lines that go on", "train \\\n  --t 2 \\\n  --u 3\n");
        row("comments", "# first\ntrain --t 2 # why\n");
        row("a list over lines with comments", "A=(\n  --t 2  # why\n  # --s 1\n  --u 3\n)\ntrain \"${A[@]}\"\n");
        row("lists",
            "A=(a 'b c')\nA+=(d)\ntrain --a \"${A[@]}\" ${#A[@]} ${A[1]} \"${A[*]}\" ${A[-1]} \"${A[@]:1:1}\"\n");
        row("an empty list is no word", "A=()\ntrain --a \"${A[@]}\" --b\n");
        row("a list by names", "declare -A A=([x]=1 [y]=2)\nA[z]=3\ntrain --a ${A[y]} ${A[z]} ${#A[@]}\n");
        row("options in one text", "A=\"--t 2 \\\n --u 3\"\ntrain $A\n");
        row("a branch that is entered",
            "S=3b\nif [ \"$S\" = 3b ]; then L=28; elif [ $S = 9b ]; then L=36; else L=1; fi\ntrain --l $L\n");
        row("a branch that is not", "R=0\nA=(--x)\nif [[ $R -eq 1 ]]; then A+=(--r full); fi\ntrain \"${A[@]}\"\n");
        row("tests put together",
            "A=1\n[[ -n $A && ( $A == 2 || ! $A > 3 ) ]] && train --yes\n[ -z \"$A\" -o \"$A\" = 1 ] && train "
            "--also\n");
        row("a pattern in a test",
            "M=llama3_8b\n[[ $M == llama* ]] && train --llama\n[[ $M == \"llama*\" ]] || train --not\n");
        row("a regular expression in a test", "N=128\n[[ $N =~ ^[0-9]+$ ]] && train --number\n");
        row("case", "M=13B\ncase $M in\n  7B) L=32 ;;\n  13B|14B) L=40 ;;\n  *) L=1 ;;\nesac\ntrain --l $L\n");
        row("for over words", "for m in 1 2 4; do train --m $m; done\n");
        row("for over numbers",
            "for i in {1..3}; do A+=\"$i,\"; done\nfor ((i = 0; i < 2; i++)); do A+=$i; done\ntrain --a $A\n");
        row("while", "i=0\nwhile [ $i -lt 3 ]; do i=$((i + 1)); [ $i = 2 ] && continue; train --i $i; done\n");
        row("a function",
            "go() { local n=$1; shift; train --n $n \"$@\" $#; return 0; }\nn=9\ngo 4 a 'b c'\ntrain --n $n\n");
        row("arguments set", "set -- a 'b c'\ntrain --x \"$@\" $# $2\n");
        row("a here-document", "N=4\ncat > ds.json <<EOF\n{\"n\": $N}\nEOF\ntrain --json \"$(cat ds.json)\"\n");
        row("a here-document as it stands", "cat <<'EOF' > a.txt\n$N\nEOF\ntrain --a \"$(cat a.txt)\"\n");
        row("a here-string", "read -r A B <<< \"1 2 3\"\nIFS=, read -ra C <<< \"x,y\"\ntrain --a $A \"$B\" ${C[1]}\n");
        row("output of commands",
            "train --a $(echo 1 2) \"$(dirname /a/b/c)\" `basename /a/b.py .py` $(expr 3 + 4) $(seq 2 4) $(printf "
            "'%03d' 7)\n");
        row("bc", "train --a $(echo \"4 * 8\" | bc) $(echo \"scale=2; 7 / 2\" | bc)\n");
        row("pipes",
            "train --n $(printf 'b\\na\\nb\\n' | sort -u | wc -l) $(echo a,b,c | cut -d, -f2) $(echo abc | tr a-c "
            "A-C)\n");
        row("words that sed replaces",
            "cat > t.json <<'EOF'\n{\"a\": BATCH, \"b\": STAGE, \"c\": STAGE}\nEOF\nsed \"s/BATCH/8/\" t.json | sed -e "
            "'s/STAGE/1/g' -e 's|{||' > ds.json\nsed -i 's/8/16/; s/a/d/' ds.json\ntrain --json \"$(cat ds.json)\"\n");
        row("lines from here on",
            "printf '1\\n2\\n3\\n' > n\n"
            "train --l $(head -n 1 n) $(tail -n +2 n) $(tail -1 n) $(sed -n 2p n)\n");
        row("eval", "C=\"train --a '1 2' --b\"\neval $C\neval \"$C\"\n");
        row("a shell inside", "export N=3\nM=4\nbash -c \"train --n \\$N --m $M\"\n");
        row("a subshell keeps its variables", "N=1\n( N=2; train --n $N )\ntrain --n $N\n");
        row("an exit", "train --a\nexit 0\ntrain --b\n");
        row("both ways of and, or", "true && A=1 || A=2\nfalse && B=1 || B=2\ntrain --a $A $B\n");
        row("variables before a command", "N=4\nN=5 train --n \"$N\"\nCUDA_DEVICE_MAX_CONNECTIONS=1 train --m\n");
        row("a command in a variable", "RUN=\"srun -N 2\"\n$RUN train --x 1 > log 2>&1\n");
        row("braces", "train --{a,b}={1..2} x{y,}z\n");
        row("ANSI quotes", "train --a $'b\\tc' \"d\"'e'f\n");
        row("Slurm's variables",
            "#!/bin/bash\n#SBATCH -N 6\n#SBATCH --ntasks-per-node=4\n#SBATCH --gpus-per-node=4\n"
            "W=${SLURM_NTASKS:-$(( ${SLURM_GPUS_PER_NODE:-1} * ${SLURM_NNODES:-2} ))}\n"
            "srun train --w $W --b $((SLURM_JOB_NUM_NODES * 16))\n");
    }
    void bash_starts_the_same() {
        if (!RealShell::is_here()) QSKIP("bash is not here");
        QFETCH(std::string, script);
        RealShell real;
        const auto wanted = real.run(script, read_directives(script));
        QVERIFY(wanted.has_value());
        const ShellRuns read = read_script(script).script;
        QCOMPARE(read.runs.size(), std::size_t(1));
        QCOMPARE(shown(words_of(read.runs[0])), shown(*wanted));
    }

    void scripts_by_chance_start_the_same() {
        if (!RealShell::is_here()) QSKIP("bash is not here");
        RealShell real;
        int compared = 0;
        for (unsigned seed = 0; seed < 60; ++seed) {
            const std::string script = Chance(seed).script();
            const auto wanted = real.run(script);
            QVERIFY(wanted.has_value());
            if (!real.clean()) continue;
            ++compared;
            const ShellRuns read = read_script(script).script;
            QVERIFY2(read.runs.size() == 1, script.c_str());
            QVERIFY2(words_of(read.runs[0]) == *wanted,
                     qPrintable(QString::fromStdString(script) + shown(words_of(read.runs[0])) + "bash:\n"
                                + shown(*wanted)));
        }
        QVERIFY(compared > 30);
    }

    void what_is_not_known_makes_two_of_a_script() {
        const auto ways = [](const char* script) { return read_script(script).script.runs.size(); };
        QCOMPARE(ways("if [ -n \"$SITE\" ]; then A=1; else A=2; fi\ntrain --a $A\n"), std::size_t(2));
        QCOMPARE(ways("if [ -n \"$SITE\" ]; then A=1; else A=2; fi\ntrain --b 3\n"), std::size_t(1));
        QCOMPARE(ways("if [ -z \"$SITE\" ]; then echo usage; exit 1; fi\ntrain --b 3\n"), std::size_t(1));
        QCOMPARE(ways("[ -d data ] || exit 1\ntrain --b 3\n"), std::size_t(1));
        const ShellRuns unknown = read_script("train --data $DATA/tokens --n 4 $(date)\n").script;
        QCOMPARE(unknown.runs[0].commands[0].words[2].text, std::string("$DATA/tokens"));
        QVERIFY(!unknown.runs[0].commands[0].words[2].known && unknown.runs[0].commands[0].words[4].known);
    }

    void a_script_without_end_is_left() {
        for (const char* script : {"while true; do A+=x; done\ntrain --a\n", "f() { f; f; }\nf\ntrain --a\n",
                                   "case $X in a|b", "a=b; b=a; train --a $((a))\n", "$($($($(", "train '\"`${"})
            QVERIFY(!read_script(script).script.runs.empty());
    }
    void braces_that_make_a_hundred_million_words_make_some() {
        std::string word;
        for (int i = 0; i < 8; ++i) word += "{a,b,c,d,e,f,g,h,i,j}";
        const ShellRuns runs = read_script("train --n 4 " + word + "\n").script;
        QVERIFY(!runs.runs.empty() && !runs.runs[0].commands.empty());
        QVERIFY(runs.runs[0].commands[0].words.size() > 1000);
        QVERIFY(runs.runs[0].commands[0].words.size() < 1000000);
    }
};

PLIMSOLL_TEST(ShellTest)
#include "tst_shell.moc"
