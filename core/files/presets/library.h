#pragma once
// The presets: machines, models, stacks and example scenarios, read from the
// shipped directory and then from the user's, whose ids win.

#include "core/files/text/problem.h"
#include "core/values/plan/scenario.h"

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

struct Library {
    std::map<std::string, Model> models;
    std::map<std::string, Machine> machines;
    std::map<std::string, Stack> stacks;
    std::map<std::string, std::filesystem::path> scenarios;  // id (file stem) -> file
    std::map<std::string, std::filesystem::path> published_runs;  // tables of measured runs, likewise
    std::map<std::string, std::filesystem::path> fits;       // recipes of fit_recipe.h, likewise
    std::map<std::string, std::filesystem::path> operators;  // tables of measured operators (operator_rows.h), likewise
    std::map<std::string, std::filesystem::path> programmes; // profiles of allocation programmes (programme_json.h)
    std::filesystem::path left_out;   // errors of sources left out of the fits (left_out_json.h); empty: none ships
    Problems problems;   // of files that could not be read; the rest is usable
};

// Directories hold machines/, models/, stacks/, scenarios/, published_runs/, fits/, operators/, programmes/. Later ones
// win.
Library load_library(std::span<const std::filesystem::path> directories);
// $PLIMSOLL_PRESETS (colon separated) if set, else the shipped presets (beside the
// binary, its install prefix, or the source tree) and then $XDG_DATA_HOME/plimsoll/presets.
std::vector<std::filesystem::path> preset_directories();
// Where own presets go, whether it exists yet or not: the last of $PLIMSOLL_PRESETS if set, else the user's directory.
std::filesystem::path users_presets();

}  // namespace plimsoll
