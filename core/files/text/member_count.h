#pragma once
// How many members an aggregate has, to compare with the rows of its table.
//
//   static_assert(members_of<Host> == 3);
//
// Counts how many initialisers the struct takes. Internal to core/files.

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

template <class T, std::size_t N = 64>
constexpr std::size_t count_members() {
    if constexpr (takes<T>(std::make_index_sequence<N>{})) return N;
    else return count_members<T, N - 1>();
}

}  // namespace detail

template <class T>
inline constexpr std::size_t members_of = detail::count_members<T>();

}  // namespace plimsoll::files
