#pragma once
// The units that whoever reads wishes for: GiB or GB, days or hours.
//
//   show_units({.memory = ByteUnit::decimal});    // the window's preferences; commands never call it
//   say(64 * gibibyte);                             // "68.7 GB"
//
// They hold for the program: for the window, the work beside it and the figures it exports. What is written the same
// for everybody, whatever their preferences, holds a UsualUnits while it is put into words.

#include "core/values/basics/units.h"

namespace plimsoll {

enum class ByteUnit { binary, decimal };              // GiB, GB
enum class DurationUnit { automatic, hours, days };     // of what takes an hour or more

struct ShownUnits {
    ByteUnit memory = ByteUnit::binary;
    DurationUnit durations = DurationUnit::automatic;
    friend bool operator==(const ShownUnits&, const ShownUnits&) = default;
};

void show_units(const ShownUnits&);
ShownUnits shown_units();    // of this thread: the usual ones while it holds a UsualUnits

class UsualUnits {
public:
    UsualUnits();
    ~UsualUnits();
    UsualUnits(const UsualUnits&) = delete;
    UsualUnits& operator=(const UsualUnits&) = delete;

private:
    bool before_;
};

struct MemoryScale {
    const char* name;   // "GiB"
    Bytes size;
};
MemoryScale shown_memory();

}  // namespace plimsoll
