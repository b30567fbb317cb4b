#include "core/values/basics/shown_units.h"

#include <atomic>

namespace plimsoll {

namespace {

std::atomic<ShownUnits> wished{ShownUnits{}};
thread_local bool usual = false;

}  // namespace

void show_units(const ShownUnits& units) { wished = units; }
ShownUnits shown_units() { return usual ? ShownUnits{} : wished.load(); }

UsualUnits::UsualUnits() : before_(usual) { usual = true; }
UsualUnits::~UsualUnits() { usual = before_; }

MemoryScale shown_memory() {
    return shown_units().memory == ByteUnit::decimal ? MemoryScale{"GB", gigabyte} : MemoryScale{"GiB", gibibyte};
}

}  // namespace plimsoll
