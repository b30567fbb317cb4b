#pragma once
// The shell that run_shell() works a script out with: its variables, and what each kind of command does to them.
//
// Text that is not known is carried inside the values, between two marks, as the script writes it: so a list of options
// with one unknown path in it is still a list. Internal to core/files/settings.

#include "core/files/settings/shell_runs.h"
#include "core/files/settings/shell_syntax.h"

#include <deque>
#include <optional>
#include <set>

namespace plimsoll::files {

inline constexpr char unknown_begins = '\x01', unknown_ends = '\x02';
inline bool is_known(std::string_view text) { return text.find(unknown_begins) == text.npos; }
std::string unknown_text(std::string_view as_written);
std::string without_marks(std::string_view);

// Whether the whole of a text is as the pattern says; a backslash takes a sign for itself.
bool matches_pattern(std::string_view pattern, std::string_view text);
// Whether a regular expression is found in it; nothing: it has groups, which are not read.
std::optional<bool> regex_found(std::string_view regex, std::string_view text);
// "x{1..3}" as three words.
std::vector<std::string> unfolded_braces(const std::string& word);

struct ShellStatus {
    int code = 0;
    bool known = true;
    std::string about = {};  // of what is not known: the condition
    static ShellStatus of(bool holds) { return {holds ? 0 : 1}; }
    static ShellStatus open(std::string about) { return {0, false, std::move(about)}; }
};

struct ShellVariable {
    std::map<long long, ShellWord> items;   // a plain value is the first
    std::map<std::string, long long> keys;  // of an associative one
    bool list = false, associative = false, exported = false, whole = false;
    std::size_t bytes() const;
};

// What one run may cost, all nested ones together, and what all runs share.
struct ShellBudget {
    long long left = 0;
    bool spend(long long cost) { return (left -= cost) > 0; }
};

class ShellMachine {
public:
    ShellMachine(const ShellInput&, std::vector<bool> decided, ShellBudget&, std::map<std::string, ShellNote>& notes);
    ShellRun run();

private:
    using Words = std::vector<ShellWord>;
    using Variables = std::map<std::string, ShellVariable>;
    enum class Flow { none, break_, continue_, return_, exit_ };
    struct Input {
        std::string text;
        std::size_t at = 0;
    };
    class Expansion;
    class Sums;
    friend class Expansion;
    friend class Sums;

    // shell.cpp: commands
    ShellStatus execute(const ShellNode&);
    ShellStatus executed(const ShellNode&);
    ShellStatus list(const ShellNode&);
    ShellStatus simple(const ShellNode&);
    ShellStatus pipeline(const ShellNode&);
    ShellStatus chain(const ShellNode&);
    ShellStatus if_(const ShellNode&);
    ShellStatus loop(const ShellNode&);
    ShellStatus for_words(const ShellNode&);
    ShellStatus for_sums(const ShellNode&);
    ShellStatus case_(const ShellNode&);
    bool goes_on(int& rounds);  // after the body of a loop
    ShellStatus redirected(const ShellNode&);
    ShellStatus apart(const ShellNode&);  // in a shell of its own
    ShellStatus call(const ShellNode& body, const Words&);
    ShellStatus words_run(const Words&, int line);
    ShellStatus script_text(std::string_view text, int line, const Words* arguments, bool apart);
    bool holds(const ShellStatus&, int line);  // decides what is open
    bool stopped() const { return flow_ != Flow::none || budget_.left <= 0; }
    void note(const std::string& name, std::string says, int line);

    // shell_expansion.cpp: words
    Words fields(const std::vector<RawWord>&, std::size_t from = 0);
    std::string text_of(std::string_view raw, int line);     // no splitting
    std::string pattern_of(std::string_view raw, int line);  // with quoted signs escaped
    std::string document_of(std::string_view raw, int line);
    std::string output_of(std::string_view script, int line, std::string_view as_written);
    std::optional<long long> sum_of(std::string_view expression, int line);

    // shell_variables.cpp
    std::optional<std::string> value_of(const std::string& name) const;  // nothing: the script does not set it
    long long index_of(ShellVariable&, std::string_view subscript, int line, bool make);
    ShellVariable& variable(const std::string& name, bool local);
    void assign(std::string_view word, int line, bool exported, bool local);
    void assign_list(ShellVariable&, std::string_view inside, int line);
    ShellStatus declare(const std::vector<RawWord>&, int line);

    // shell_tests.cpp: conditions
    ShellStatus test(const Words&);
    ShellStatus condition(const ShellNode&);
    std::optional<bool> compared(const std::string& a, const std::string& op, const std::string& b);
    std::optional<bool> single_test(const std::string& op, const std::string& a);

    // shell_commands.cpp: the shell's own commands, and any other program
    std::optional<ShellStatus> command(const Words&, int line);
    ShellStatus outside(const Words&, int line);  // any other program
    bool nested(const Words&, int line);
    ShellStatus printf(const Words&, int line);
    ShellStatus tee(const Words&);
    ShellStatus expr(const Words&, int line);
    ShellStatus host_names(const Words&, int line);
    ShellStatus shift(const Words&);
    ShellStatus leave(const Words&);
    ShellStatus in_front(const Words&, int line);
    ShellStatus read_line(const Words&, int line);
    ShellStatus read_lines(const Words&, int line);
    ShellStatus set(const Words&);
    ShellStatus source(const Words&, int line);
    void print(std::string_view);
    void write(const std::string& name, std::string text);
    const std::string* file_named(const std::string& name) const;
    std::string input_of(const std::vector<std::string>& files);

    const ShellInput& in_;
    std::vector<bool> decided_;
    ShellBudget& budget_;
    std::map<std::string, ShellNote>& notes_;
    ShellRun run_;
    Variables variables_;
    Words arguments_;
    bool called_ = false;  // whether the arguments are known: of a function
    std::map<std::string, const ShellNode*> functions_;
    std::deque<ShellScript> scripts_;
    std::vector<std::map<std::string, std::optional<ShellVariable>>> local_;
    std::map<std::string, bool> known_decisions_;
    std::string* out_ = nullptr;
    Input* input_ = nullptr;
    Words prefix_;  // the launcher before a script inside
    ShellStatus last_;
    Flow flow_ = Flow::none;
    int levels_ = 0, depth_ = 0, loops_ = 0;
};

}  // namespace plimsoll::files
