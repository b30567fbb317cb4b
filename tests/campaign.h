#pragma once
// How many cases a campaign tries: few in CTest, and as many as PLIMSOLL_CAMPAIGN says in the long form.
//
//   PLIMSOLL_CAMPAIGN=200000 build/release/bin/tests_core tst_plans_at_random
//   PLIMSOLL_CAMPAIGN=20000 build/release/bin/tests_core tst_mutated_files

#include <QtGlobal>

namespace plimsoll::testing {

// drawn() is in registered_test.h, which every test has precompiled.
// Qt ends a function after five minutes.
inline const bool takes_its_time =
    !qEnvironmentVariableIsSet("PLIMSOLL_CAMPAIGN") || qputenv("QTEST_FUNCTION_TIMEOUT", "86400000");

inline int campaign(int brief) {
    const int asked = qEnvironmentVariableIntValue("PLIMSOLL_CAMPAIGN");
    return asked > 0 ? asked : drawn(brief);
}

}  // namespace plimsoll::testing
