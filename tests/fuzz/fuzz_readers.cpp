// Any bytes at all: the first byte chooses a reader (readers.h), which gets the others.
#include "tests/fuzz/readers.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto readers = plimsoll::testing::readers_of_files();
    try {
        readers[(data[0] + readers.size() - 'a' % readers.size()) % readers.size()].try_text(
            {reinterpret_cast<const char*>(data) + 1, size - 1});
    } catch (const plimsoll::testing::BrokenPromise& broken) {
        std::fprintf(stderr, "broken promise: %s\n", broken.what());
        std::abort();
    }
    return 0;
}
