#pragma once
// What this computer has, as the operating system states it to this process.
//
//   const Computer here = this_computer();     here.cores, here.memory, here.gpus
//
// Kernel and drivers are asked through files alone: no library of a vendor is loaded.

#include "core/evidence/calibration/plan/trial.h"

#include <filesystem>

namespace plimsoll {

// `root`: "/", or a copy of such a tree.
Computer this_computer(const std::filesystem::path& root = "/");

}  // namespace plimsoll
