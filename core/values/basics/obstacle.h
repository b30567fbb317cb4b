#pragma once
// Why a plan has no numbers: a reason, the knob to turn, what was found and the
// nearest values that would work. No prose: wording.h makes the sentence.

#include <string>
#include <vector>

namespace plimsoll {

enum class Reason {
    out_of_range,            // found lies outside the knob's range; valid = the bounds
    indivisible,             // found does not divide (or is not divided by) `of`
    not_a_grid,              // found is no q x q x depth whose side q divides `of`
    device_count_mismatch,   // tensor x context x data x pipeline != devices
    exceeds_devices,         // the machine has fewer devices
    batch_too_small,         // fewer sequences than data-parallel ranks x micro-batch
    unsupported_precision,   // the device has no such matrix format
    incompatible,            // two settings exclude each other; `of` names the other knob
    missing_hardware,        // the machine lacks what `of` counts
    not_modelled,            // a setting this version has no model for
};

struct Obstacle {
    Reason reason = Reason::out_of_range;
    std::string knob;            // id of the knob to change
    double found = 0;
    std::string of;              // what `found` must divide, or the other knob, by id
    double of_value = 0;         // and its value
    std::vector<double> valid;   // nearest values that remove this obstacle, ascending; may be empty
    friend bool operator==(const Obstacle&, const Obstacle&) = default;
};

}  // namespace plimsoll
