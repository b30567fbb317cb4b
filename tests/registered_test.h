#pragma once
// Many test classes in one program: each file ends with PLIMSOLL_TEST(its class) instead of a main
// function, and `tests_core tst_search [Qt Test's arguments]` runs the class of tst_search.cpp.
// Without arguments a program lists its classes. Each CTest entry runs one class in a process of its own.
#include <QtTest>

#include <utility>

namespace plimsoll {

// Enters a class into the program's list under the name of its file without folder and suffix.
class RegisteredTest {
public:
    using Make = QObject* (*)();
    RegisteredTest(const char* file, Make make);
};

// What a loop looks at, which has to be something: where every check of a test stands inside of a loop over what the
// code gave, nothing would pass. `for (const Remedy& r : not_empty(remedies(plan, 8)))`
template <class Found>
Found not_empty(Found&& found, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (found.empty()) QTest::qFail("there is nothing to look at", file, line);
    return std::forward<Found>(found);
}

namespace testing {

// Of many cases alike a test takes one in so many: the sanitizers look at the code that runs, not at the numbers, and
// make it ten times as slow. A class that says so is run in release, too (tests/CMakeLists.txt).
#if defined(__SANITIZE_ADDRESS__)
constexpr int one_in = 5;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr int one_in = 5;
#else
constexpr int one_in = 1;
#endif
#else
constexpr int one_in = 1;
#endif
constexpr int drawn(int count) { return count / one_in; }

}  // namespace testing
}  // namespace plimsoll

#define PLIMSOLL_TEST(Class)                                                                       \
    static const plimsoll::RegisteredTest registered_##Class(__FILE__, []() -> QObject* { return new Class; });
