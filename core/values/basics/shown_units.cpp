#include "core/values/basics/shown_units.h"

#include <atomic>

namespace plimsoll {

namespace {

std::atomic<ByteUnit> wished_memory{ByteUnit::binary};
std::atomic<DurationUnit> wished_durations{DurationUnit::automatic};
thread_local bool usual = false;

}  // namespace

void show_units(const ShownUnits& units) {
    wished_memory = units.memory;
    wished_durations = units.durations;
}

ShownUnits shown_units() { return usual ? ShownUnits{} : ShownUnits{wished_memory, wished_durations}; }

UsualUnits::UsualUnits() : before_(usual) { usual = true; }
UsualUnits::~UsualUnits() { usual = before_; }

MemoryScale shown_memory() {
    return shown_units().memory == ByteUnit::decimal ? MemoryScale{"GB", gigabyte} : MemoryScale{"GiB", gibibyte};
}

}  // namespace plimsoll
