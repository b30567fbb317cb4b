#pragma once
// Breakdowns: a struct of quantities plus one table that names its fields.
// Totals, charts, CSV columns and explanations all iterate the table, so a
// parent is the sum of its children by construction.

#include <cstddef>
#include <span>
#include <string_view>

namespace plimsoll {

template <class Owner, class Q>
struct Part {
    std::string_view id;     // stable: JSON key, CSV column
    std::string_view label;  // for people
    Q Owner::*value;
};

template <class Owner, class Q, std::size_t N>
constexpr Q total_of(const Owner& o, const Part<Owner, Q> (&table)[N]) {
    Q sum{};
    for (const auto& part : table) sum += o.*part.value;
    return sum;
}

}  // namespace plimsoll
