#include "app/commands/manual.h"

#include "app/commands/command.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/knobs.h"

#include <algorithm>
#include <sstream>

namespace plimsoll {

namespace {

using Options = std::vector<const CLI::Option*>;

// Those that --help shows; CLI11 keeps hidden ones in a group without a name.
Options shown_options(const CLI::App& app, bool positional) {
    return app.get_options([positional](const CLI::Option* o) {
        return !o->get_group().empty() && o->get_positional() == positional;
    });
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

// "--json" or "-h,--help" as separate words.
std::vector<std::string> names_of(const CLI::Option& o) {
    std::vector<std::string> names;
    for (const std::string& name : o.get_snames()) names.push_back("-" + name);
    for (const std::string& name : o.get_lnames()) names.push_back("--" + name);
    return names;
}

bool takes_value(const CLI::Option& o) { return o.get_items_expected_max() > 0; }

// CLI11 writes "TEXT:{a,b}" or "INT:INT in [1 - 9]": the kind of the value, then what it is checked by.
std::string kind_of_value(const CLI::Option& o) {
    const std::string type = o.get_type_name();
    return type.substr(0, type.find(':'));
}

// The words an option chooses from; empty where the value is free.
std::vector<std::string> choices_of(const CLI::Option& o) {
    const std::string type = o.get_type_name();
    const auto open = type.find('{'), close = type.find('}');
    if (open == type.npos || close == type.npos) return {};
    return split(type.substr(open + 1, close - open - 1), ',');
}

// ---- The manual page

// Text as roff reads it: a hyphen that is meant to be typed, a backslash, and no line that begins a macro.
std::string roff(std::string_view text) {
    std::string out;
    bool line_begins = true;
    for (const char c : text) {
        if (line_begins && (c == '.' || c == '\'')) out += "\\&";
        if (c == '-') out += "\\-";
        else if (c == '\\') out += "\\e";
        else out += c;
        line_begins = c == '\n';
    }
    return out;
}

std::string roff_bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string roff_italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

// Paragraphs are parted by empty lines; lines that begin with a space stay lines of their own.
std::string roff_paragraphs(const std::string& text) {
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) out += ".PP\n";
        else if (line.starts_with(' ')) out += ".br\n" + roff(trimmed(line)) + "\n";
        else out += roff(line) + "\n";
    }
    return out;
}

std::string roff_value(const CLI::Option& o) {
    const std::vector<std::string> choices = choices_of(o);
    if (choices.empty()) return roff_italic(kind_of_value(o));
    std::vector<std::string> words;
    for (const std::string& choice : choices) words.push_back(roff_bold(choice));
    return joined(words, " | ");
}

std::string roff_option(const CLI::Option& o) {
    std::vector<std::string> names;
    for (const std::string& name : names_of(o)) names.push_back(roff_bold(name));
    const std::string value = takes_value(o) ? " " + roff_value(o) : "";
    return ".TP\n" + joined(names) + value + "\n" + roff(o.get_description()) + "\n";
}

// "SCENARIO" or, where it is one of a few words, what they are called together: "kind".
std::string positional_name(const CLI::Option& o) { return choices_of(o).empty() ? kind_of_value(o) : o.get_name(); }

std::string roff_positional(const CLI::Option& o) {
    return ".TP\n" + roff_italic(positional_name(o)) + "\n" + roff(o.get_description()) + "\n";
}

// "plimsoll sweep SCENARIO --knob KNOB --values LIST [OPTION]...": what has to be given, then the rest.
std::string roff_usage(const std::string& program, const CLI::App& command) {
    std::string out = roff_bold(program);
    for (const CLI::Option* o : shown_options(command, true)) {
        const std::string several = o->get_items_expected_max() > 1 ? "..." : "";
        const std::string value = roff_italic(positional_name(*o));
        out += o->get_required() ? " " + value + several : " [" + value + "]" + several;
    }
    for (const CLI::Option* o : shown_options(command, false))
        if (o->get_required()) out += " " + roff_bold(names_of(*o).back()) + " " + roff_value(*o);
    return out + " [" + roff_italic("OPTION") + "]...";
}

std::string roff_command(const std::string& program, const CLI::App& command) {
    const std::string name = program + " " + command.get_name();
    std::string out = ".SS " + roff(name) + "\n" + roff_usage(name, command) + "\n.PP\n" +
                      roff(command.get_description()) + ".\n";
    if (!command.get_footer().empty()) out += ".PP\n" + roff_paragraphs(command.get_footer());
    for (const CLI::Option* o : shown_options(command, true)) out += roff_positional(*o);
    for (const CLI::Option* o : shown_options(command, false)) out += roff_option(*o);
    for (const CLI::App* each : commands_of(command)) out += roff_command(name, *each);
    return out;
}

std::string roff_section(const ManualSection& section) {
    std::string title = section.title;
    std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    std::string out = ".SH " + title + "\n";
    for (const ManualEntry& entry : section.entries)
        out += entry.text.empty() ? ".PP\n.EX\n" + roff(entry.term) + "\n.EE\n"
                                  : ".TP\n" + roff_bold(entry.term) + "\n" + roff(entry.text) + "\n";
    return out;
}

// ---- Completions

// What may follow one command, flat: bash and fish ask by the words before the cursor.
struct CompletedCommand {
    std::vector<std::string> words;   // {"bench", "search"}; empty for the program itself
    const CLI::App* app;
};

void collect(const CLI::App& app, const std::vector<std::string>& words, std::vector<CompletedCommand>& all) {
    all.push_back({words, &app});
    for (const CLI::App* each : commands_of(app)) {
        std::vector<std::string> longer = words;
        longer.push_back(each->get_name());
        collect(*each, longer, all);
    }
}

std::vector<CompletedCommand> completed_commands(const CLI::App& app) {
    std::vector<CompletedCommand> all;
    collect(app, {}, all);
    return all;
}

std::string knob_ids(const std::string& suffix) {
    std::vector<std::string> ids;
    for (const Knob& knob : knobs()) ids.push_back(knob.id + suffix);
    for (const char* preset : {"model", "machine", "stack"})
        if (!suffix.empty()) ids.push_back(preset + suffix);
    return joined(ids, " ");
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* o : shown_options(app, false))
        for (const std::string& name : names_of(*o)) names.push_back(name);
    return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* each : commands_of(app)) names.push_back(each->get_name());
    return names;
}

// A shell statement that offers what the value may be; the three kinds of a shell's own are its arguments.
std::string bash_value(const CLI::Option& o) {
    const std::vector<std::string> choices = choices_of(o);
    if (!choices.empty()) return "_plimsoll_words " + shell_word(joined(choices, " "));
    const std::string kind = kind_of_value(o);
    if (kind == scenario_value) return "_plimsoll_scenarios";
    if (kind == file_value) return "_plimsoll_files";
    if (kind == folder_value) return "_plimsoll_folders";
    if (kind == knob_value) return "_plimsoll_words \"$_plimsoll_knobs\"";
    if (kind == setting_value) return "_plimsoll_settings";
    return ":";   // a number or a name: nothing to offer
}

std::string bash_command(const CompletedCommand& command) {
    std::string out = "        " + shell_word(joined(command.words, " ")) + ")\n            case $previous in\n";
    for (const CLI::Option* o : shown_options(*command.app, false))
        if (takes_value(*o))
            out += "                " + joined(names_of(*o), "|") + ") " + bash_value(*o) + "; return ;;\n";
    out += "            esac\n            if [[ $current == -* ]]; then\n                _plimsoll_words " +
           shell_word(joined(option_names(*command.app), " ")) + "\n                return\n            fi\n";
    if (const auto names = command_names(*command.app); !names.empty())
        out += "            _plimsoll_words " + shell_word(joined(names, " ")) + "\n";
    for (const CLI::Option* o : shown_options(*command.app, true)) out += "            " + bash_value(*o) + "\n";
    return out + "            ;;\n";
}

std::string bash_completions(const CLI::App& app) {
    const std::vector<CompletedCommand> all = completed_commands(app);
    std::string nested, cases;
    for (const CompletedCommand& each : all) {
        if (!each.words.empty()) nested += (nested.empty() ? "" : "|") + shell_word(joined(each.words, " "));
        cases += bash_command(each);
    }
    return R"sh(# bash completion for plimsoll, written by plimsoll --completions bash
_plimsoll_knobs=)sh" + shell_word(knob_ids("")) + R"sh(

_plimsoll_words() { mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$1" -- "$current"); }
_plimsoll_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
}
_plimsoll_folders() {
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current")
}
_plimsoll_scenarios() {
    _plimsoll_words "$("${COMP_WORDS[0]}" presets scenarios 2>/dev/null | tail -n +2)"
    _plimsoll_files
}
_plimsoll_settings() {
    compopt -o nospace 2>/dev/null
    _plimsoll_words )sh" + shell_word(knob_ids("=")) + R"sh(
}

_plimsoll() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' word
    COMPREPLY=()
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "${command:+$command }$word" in
            )sh" + nested + R"sh() command="${command:+$command }$word" ;;
        esac
    done
    case $command in
)sh" + cases + R"sh(    esac
}
complete -F _plimsoll plimsoll
)sh";
}

// In single quotes of zsh, where brackets and colons part the fields of a description.
std::string zsh_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'') out += "'\\''";
        else if (c == '[' || c == ']' || c == ':' || c == '\\') (out += '\\') += c;
        else out += c;
    }
    return out;
}

std::string zsh_value(const CLI::Option& o) {
    const std::vector<std::string> choices = choices_of(o);
    if (!choices.empty()) return "(" + joined(choices, " ") + ")";
    const std::string kind = kind_of_value(o);
    if (kind == scenario_value) return "_plimsoll_scenarios";
    if (kind == file_value) return "_files";
    if (kind == folder_value) return "_files -/";
    if (kind == knob_value) return "(" + knob_ids("") + ")";
    if (kind == setting_value) return "(" + knob_ids("=") + ")";
    return " ";
}

std::string zsh_arguments(const CLI::App& app) {
    std::string out;
    for (const CLI::Option* o : shown_options(app, false))
        for (const std::string& name : names_of(*o)) {
            const bool repeats = o->get_items_expected_max() > 1;
            out += " \\\n            '" + std::string(repeats ? "*" : "") + name + "[" + zsh_text(o->get_description())
                   + "]";
            if (takes_value(*o)) out += ":" + zsh_text(kind_of_value(*o)) + ":" + zsh_value(*o);
            out += "'";
        }
    for (const CLI::Option* o : shown_options(app, true))
        out += " \\\n            '" + std::string(o->get_items_expected_max() > 1 ? "*" : "") + ":"
               + zsh_text(o->get_name()) + ":" + zsh_value(*o) + "'";
    return out;
}

std::string zsh_commands(const CLI::App& app) {
    std::string out;
    for (const CLI::App* each : commands_of(app))
        out += "        '" + each->get_name() + ":" + zsh_text(each->get_description()) + "'\n";
    return out;
}

std::string zsh_completions(const CLI::App& app) {
    std::string cases;
    for (const CLI::App* each : commands_of(app)) {
        cases += "        " + each->get_name() + ")\n            _arguments" + zsh_arguments(*each);
        if (const auto names = command_names(*each); !names.empty())
            cases += " \\\n            ':command:(" + joined(names, " ") + ")'";
        cases += "\n            ;;\n";
        for (const CLI::App* inner : commands_of(*each))
            cases += "        '" + each->get_name() + " " + inner->get_name() + "')\n            _arguments" +
                     zsh_arguments(*inner) + "\n            ;;\n";
    }
    return R"sh(#compdef plimsoll
# zsh completion for plimsoll, written by plimsoll --completions zsh

_plimsoll_scenarios() {
    local -a ids
    ids=(${(f)"$(_call_program scenarios plimsoll presets scenarios 2>/dev/null | tail -n +2)"})
    _describe 'shipped scenario' ids
    _files
}

_plimsoll() {
    local -a commands
    commands=(
)sh" + zsh_commands(app) + R"sh(    )
    if (( CURRENT == 2 )); then
        _describe 'command' commands
        _arguments)sh" + zsh_arguments(app) + R"sh(
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    if [[ $command == bench && $words[2] == search ]] && (( CURRENT > 2 )); then
        command='bench search'
        shift words
        (( CURRENT-- ))
    fi
    case $command in
)sh" + cases + R"sh(    esac
}

_plimsoll "$@"
)sh";
}

std::string fish_value(const CLI::Option& o) {
    const std::vector<std::string> choices = choices_of(o);
    if (!choices.empty()) return " -x -a " + shell_word(joined(choices, " "));
    const std::string kind = kind_of_value(o);
    if (kind == scenario_value) return " -r -a '(__plimsoll_scenarios)'";
    if (kind == file_value) return " -r -F";
    if (kind == folder_value) return " -x -a '(__fish_complete_directories)'";
    if (kind == knob_value) return " -x -a " + shell_word(knob_ids(""));
    if (kind == setting_value) return " -x -a " + shell_word(knob_ids("="));
    return " -x";
}

// In single quotes of fish, where a backslash keeps its meaning before a quote.
std::string fish_text(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

std::string fish_condition(const CompletedCommand& command) {
    return " -n " + shell_word("test (__plimsoll_command) = \"" + joined(command.words, " ") + "\"");
}

std::string fish_completions(const CLI::App& app) {
    std::string names;
    for (const CompletedCommand& each : completed_commands(app))
        if (!each.words.empty()) names += " " + shell_word(joined(each.words, " "));
    std::string out = R"sh(# fish completion for plimsoll, written by plimsoll --completions fish
function __plimsoll_scenarios
    plimsoll presets scenarios 2>/dev/null | tail -n +2
end

function __plimsoll_command
    set -l found ''
    for word in (commandline -opc)[2..-1]
        set -l longer (string trim -- "$found $word")
        switch "$longer"
            case)sh" + names + R"sh(
                set found $longer
        end
    end
    echo $found
end

)sh";
    for (const CompletedCommand& command : completed_commands(app)) {
        const std::string begin = "complete -c plimsoll" + fish_condition(command);
        for (const CLI::App* each : commands_of(*command.app))
            out += begin + " -f -a " + each->get_name() + " -d " + fish_text(each->get_description()) + "\n";
        for (const CLI::Option* o : shown_options(*command.app, true))
            if (fish_value(*o) != " -x") out += begin + fish_value(*o) + "\n";
        for (const CLI::Option* o : shown_options(*command.app, false)) {
            out += begin;
            for (const std::string& name : o->get_snames()) out += " -s " + name;
            for (const std::string& name : o->get_lnames()) out += " -l " + name;
            out += (takes_value(*o) ? fish_value(*o) : " -f") + " -d " + fish_text(o->get_description()) + "\n";
        }
    }
    return out;
}

}  // namespace

std::string help_of(const Manual& manual) {
    std::string out = wrapped(manual.description);
    for (const ManualSection& section : manual.sections) {
        out += "\n\n" + section.title + ":";
        for (const ManualEntry& entry : section.entries) {
            out += "\n  " + entry.term;
            if (!entry.text.empty()) out += "  " + entry.text;
        }
    }
    return out;
}

std::string manual_page(const CLI::App& app, const Manual& manual) {
    std::string out = ".TH PLIMSOLL 1 \"\" \"Plimsoll " + roff(manual.version) + "\" \"User commands\"\n.SH NAME\n" +
                      "plimsoll \\- " + roff(manual.purpose) + "\n.SH SYNOPSIS\n" + roff_usage("plimsoll", app) + "\n";
    for (const CLI::App* each : commands_of(app))
        out += ".br\n" + roff_usage("plimsoll " + each->get_name(), *each) + "\n";
    out += ".SH DESCRIPTION\n" + roff_paragraphs(manual.description) + ".SH OPTIONS\n";
    for (const CLI::Option* o : shown_options(app, true)) out += roff_positional(*o);
    for (const CLI::Option* o : shown_options(app, false)) out += roff_option(*o);
    out += ".SH COMMANDS\n";
    for (const CLI::App* each : commands_of(app)) out += roff_command("plimsoll", *each);
    for (const ManualSection& section : manual.sections) out += roff_section(section);
    return out;
}

std::string completions(const CLI::App& app, Shell shell) {
    switch (shell) {
        case Shell::bash: return bash_completions(app);
        case Shell::zsh: return zsh_completions(app);
        case Shell::fish: return fish_completions(app);
    }
    return {};
}

}  // namespace plimsoll
