#pragma once
// How answers are judged, as its user wishes: nothing of it belongs to a plan or changes a price.
//
//   workspace.set_preferences({.headroom = 0.1});    // tight from 90 % of the memory on

#include "core/answers/campaign/totals.h"
#include "core/answers/plan/headroom.h"

namespace plimsoll {

struct Preferences {
    double headroom = usual_headroom;           // share of a device's memory that should stay free
    Counting counting = Counting::automatic;    // of failures and ends of jobs
    friend bool operator==(const Preferences&, const Preferences&) = default;
};

// Kept in QSettings between starts; what cannot be read there is as it comes.
Preferences stored_preferences();
void store(const Preferences&);

}  // namespace plimsoll
