#pragma once
// How many members an aggregate has, counted by how many initialisers it takes: static_assert(members_of<Host> == 5).
// Internal to core/files.

#include <cstddef>
#include <optional>
#include <utility>

namespace plimsoll::files {

namespace detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

struct Anything {
    template <class T>
        requires(!is_optional<T>)  // an optional takes Anything itself: two ways would be ambiguous
    operator T() const;
};

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) { return requires { T{(void(I), Anything{})...}; }; }

// By halves: for each number that is tried the compiler makes an initialiser of so many values, and there are presets
// of dozens of members.
template <class T, std::size_t taken = 0, std::size_t too_many = 97>
constexpr std::size_t count_members() {
    constexpr std::size_t middle = (taken + too_many) / 2;
    if constexpr (middle == taken) return taken;
    else if constexpr (takes<T>(std::make_index_sequence<middle>{})) return count_members<T, middle, too_many>();
    else return count_members<T, taken, middle>();
}

}  // namespace detail

template <class T>
inline constexpr std::size_t members_of = detail::count_members<T>();

}  // namespace plimsoll::files
