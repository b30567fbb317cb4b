#pragma once
// Many test classes in one program: each file ends with PLIMSOLL_TEST(its class) instead of a main
// function, and `tests_answers tst_search [Qt Test's arguments]` runs the class of tst_search.cpp.
// Without arguments a program lists its classes. Each CTest entry runs one class in a process of its own.
//
// To be included first: moc loses track of <compare> where that is the first header it meets.
#include <QtTest>

namespace plimsoll {

// Enters a class into the program's list under the name of its file without folder and suffix.
class RegisteredTest {
public:
    using Make = QObject* (*)();
    RegisteredTest(const char* file, Make make);
};

}  // namespace plimsoll

#define PLIMSOLL_TEST(Class)                                                                       \
    static const plimsoll::RegisteredTest registered_##Class(__FILE__, []() -> QObject* { return new Class; });
