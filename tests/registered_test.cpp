// The main function of every test program: finds the class by name and runs it.
#include "registered_test.h"

#ifdef QT_WIDGETS_LIB
#include <QApplication>
#else
#include <QCoreApplication>
#endif

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace plimsoll {
namespace {

std::map<std::string, RegisteredTest::Make>& registered_tests() {
    static std::map<std::string, RegisteredTest::Make> tests;
    return tests;
}

}  // namespace

RegisteredTest::RegisteredTest(const char* file, Make make) {
    registered_tests()[std::filesystem::path(file).stem().string()] = make;
}

}  // namespace plimsoll

int main(int argc, char** argv) {
    const auto& tests = plimsoll::registered_tests();
    const auto found = argc > 1 ? tests.find(argv[1]) : tests.end();
    if (found == tests.end()) {
        for (const auto& [name, make] : tests) std::puts(name.c_str());
        if (argc == 1) return 0;
        std::fprintf(stderr, "no test class is called %s; these are the names\n", argv[1]);
        return 2;
    }
    argv[1] = argv[0];  // Qt Test and Qt read the arguments behind the class
    ++argv;
    --argc;
#ifdef QT_WIDGETS_LIB
    QApplication application(argc, argv);
    application.setAttribute(Qt::AA_Use96Dpi, true);  // as QTEST_MAIN does
#else
    QCoreApplication application(argc, argv);
#endif
    const std::unique_ptr<QObject> test(found->second());
    return QTest::qExec(test.get(), argc, argv);
}
