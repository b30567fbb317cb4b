#pragma once
// A shell script as a tree: what its commands are, before any variable is put in. The rules are bash's.
//
//   ShellScript s = parse_shell("if [ $N = 1 ]; then run --t 1; fi\n");
//   s.body.parts[0].kind     // ShellNode::Kind::if_
//
// Words stand in the tree as they were written, with quotes and dollars; shell_machine.h says what becomes of them.
// Internal to core/files/settings.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::files {

struct RawWord {
    std::string text;
    int line = 0;
};

struct ShellRedirect {
    enum class Kind { read, write, append, document, text, duplicate } kind = Kind::read;
    int descriptor = -1;  // -1: the usual one; 12: output and errors
    RawWord target;
    std::shared_ptr<RawWord> document;  // the lines of a here-document
    bool expands = true;                // whether variables are put into a here-document
};

struct ShellNode {
    enum class Kind {
        list,
        simple,
        pipeline,
        chain,
        negation,
        background,
        group,
        subshell,
        if_,
        while_,
        until_,
        for_words,
        for_sums,
        case_,
        function,
        sums,
        condition
    } kind = Kind::list;
    int line = 0;
    std::vector<RawWord> words;  // of a command; the list of a loop; what `case` looks at
    std::vector<ShellRedirect> redirects;
    std::vector<ShellNode> parts;                // conditions and bodies in turn
    std::vector<std::vector<RawWord>> patterns;  // of `case`, one list for each part
    std::string operators;                       // of a chain: '&' or '|' before each part but the first
};

struct ShellScript {
    ShellNode body;
    int broken_at = 0;  // the line from which on it cannot be parsed; 0: it was read whole
};
ShellScript parse_shell(std::string_view text, int first_line = 1);

inline constexpr int deepest_shell = 48;  // commands in commands

// Ends of what begins at `at` (shell_scan.cpp): a word; what stands between quotes; "${..}", "$(..)", "$((..))" or
// "$name".
std::size_t shell_word_end(std::string_view, std::size_t at);
std::size_t shell_dollar_end(std::string_view, std::size_t at, int depth = 0);
std::size_t shell_quote_end(std::string_view, std::size_t at, int depth = 0);
std::size_t shell_sums_end(std::string_view, std::size_t at);  // after "))"; npos where the brackets do not balance
bool is_shell_blank(char), is_shell_name_char(char), ends_shell_word(char);
// The words of "( a b )", without the brackets.
std::vector<RawWord> shell_list_words(std::string_view inside, int line);
bool is_shell_name(std::string_view);
// Where the name of "NAME=", "NAME+=" or "NAME[1]=" ends; npos where the word is no assignment.
std::size_t shell_assigned_name_end(std::string_view word);

}  // namespace plimsoll::files
