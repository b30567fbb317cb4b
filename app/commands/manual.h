#pragma once
// The manual page and the shells' completions, written from the command line's own description: whatever
// --help knows they know too.
//
//   plimsoll --man > plimsoll.1
//   plimsoll --completions bash > plimsoll

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace plimsoll {

struct ManualEntry {
    std::string term, text;
};

// What --help of the program says below its commands.
struct ManualSection {
    std::string title;
    std::vector<ManualEntry> entries;   // of examples: a command line each, without a text
};

struct Manual {
    std::string purpose;                // after the program's name
    std::string description;            // paragraphs, parted by empty lines
    std::string version;
    std::vector<ManualSection> sections;
};

// The description and the sections as --help prints them.
std::string help_of(const Manual&);

// In the man macros of roff.
std::string manual_page(const CLI::App&, const Manual&);

enum class Shell { bash, zsh, fish };
std::string completions(const CLI::App&, Shell);

}  // namespace plimsoll
