#pragma once
// The same work by several threads, this one among them.
//
//   parallel_for(threads, [&](int i) { price_with(rankings[i]); });
//
// What one of them throws, as where memory runs out, is thrown here once all have ended, as if there were one thread.

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace plimsoll {

template <class Work>
void parallel_for(int threads, const Work& work) {
    std::mutex mutex;
    std::exception_ptr thrown;  // the first
    const auto guarded = [&](int i) {
        try {
            work(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!thrown) thrown = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (int i = 1; i < threads; ++i) others.emplace_back(guarded, i);
        guarded(0);
    }
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace plimsoll
