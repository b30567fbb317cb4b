#pragma once
// A level of a network in one line, with one rate for all operations.

#include "core/values/plan/machine.h"

namespace plimsoll::testing {

inline Level level(const char* name, int devices, ByteRate bandwidth, double efficiency, Seconds latency,
                   const char* topology) {
    Level l;
    l.name = name, l.devices = devices, l.bandwidth = bandwidth, l.efficiency = efficiency, l.latency = latency,
    l.topology = topology;
    return l;
}

}  // namespace plimsoll::testing
