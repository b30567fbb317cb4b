#pragma once
// Rows that no fit sees, chosen by a rule that was written down before the first one.
//
//   HoldBack rule{10, 7, {"nanotron-playbook"}, {"tpu-recipes"}, "a tenth of the new rows, one new source of five"};
//   rule.holds("nanotron-playbook/1B-n1-dp8-tp1-pp1-mbs1-z0-39273", "nanotron-playbook");
//
// The rule looks at names only: CRC-32 of a row's id for rows, a list for whole sources.

#include "core/values/basics/fingerprint.h"

#include <algorithm>
#include <string>
#include <vector>

namespace plimsoll {

struct HoldBack {
    int modulus = 0, remainder = 0;        // rows of `rows_of` with crc32(id) mod modulus = remainder; 0: none
    std::vector<std::string> rows_of;      // sources that rows are drawn from
    std::vector<std::string> sources;      // held back whole
    std::string rule;                      // in words: how the sources and the rows were chosen

    bool holds(const std::string& id, const std::string& source) const {
        const auto in = [&](const std::vector<std::string>& list) {
            return std::find(list.begin(), list.end(), source) != list.end();
        };
        if (in(sources)) return true;
        return modulus > 0 && in(rows_of) && crc32(id) % std::uint32_t(modulus) == std::uint32_t(remainder);
    }
    friend bool operator==(const HoldBack&, const HoldBack&) = default;
};

}  // namespace plimsoll
