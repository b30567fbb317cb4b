#pragma once
// What a script is worked out from, and each way that it can go. Internal to core/files.

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::files {

struct ShellWord {
    std::string text;  // what is not known stands in it as the script writes it: "$DATA/tokens"
    bool known = true;
    int line = 0;  // where it was written
    friend bool operator==(const ShellWord&, const ShellWord&) = default;
};
struct ShellCommand {
    std::vector<ShellWord> words;
    int line = 0;
    friend bool operator==(const ShellCommand&, const ShellCommand&) = default;
};
struct ShellDecision {
    int line = 0;
    std::string about;  // the condition, with what is not known in it
    bool holds = false;
};

// One way that the script can go.
struct ShellRun {
    std::vector<ShellCommand> commands;  // programs that it starts, in order; launchers in front of them
    std::map<std::string, std::vector<ShellWord>> variables;  // of a list all its items
    std::map<std::string, std::string> files;  // that it writes
    std::vector<ShellDecision> decisions;
    bool failed = false;  // it ends with an error of its own
};
struct ShellNote {
    std::string name, says;  // a sentence about a variable or a file
    int line = 0;
};
struct ShellRuns {
    std::vector<ShellRun> runs;  // the first: no undecided condition holds; never empty
    std::vector<ShellNote> notes;
};

struct ShellInput {
    std::string_view script;
    std::vector<std::pair<std::string, std::string_view>> files = {};  // given beside it: name and text
    std::map<std::string, std::string> environment = {};               // what the batch system sets
    std::string hosts = {}, host_file = {};                            // the nodes of the job, and the file of them
};

// "train.sh" of "jobs/train.sh".
inline std::string last_part_of(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

}  // namespace plimsoll::files
