#pragma once
// Several files that are updated together, read so that all belong to one update.
//
//   const auto files = of_one_update([&] { return number(freshness); }, [&] { return read_all(); });

namespace plimsoll::engine::power {

// `freshness()` counts updates; `all()` is done again while it moved meanwhile, three times at most: updates come ten times a
// second, and a look takes a thousandth, so a third time means that something else is wrong, and the last look stands.
template <class Freshness, class All> auto of_one_update(Freshness freshness, All all) {
    for (int attempt = 1;; ++attempt) {
        const auto before = freshness();
        auto found = all();
        if (freshness() == before || attempt == 3) return found;
    }
}

}  // namespace plimsoll::engine::power
