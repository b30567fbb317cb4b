#pragma once
// A value, or the reason there is none. Member names are std::expected's, so an
// alias can replace this once the compiler baseline has C++23.
//
//   Expected<Model, Problems> m = read_model(text);
//   if (!m) return show(m.error());
//   use(*m);

#include <cassert>
#include <utility>
#include <variant>

namespace plimsoll {

template <class E>
struct Unexpected { E error; };
template <class E>
Unexpected(E) -> Unexpected<E>;

template <class T, class E>
class Expected {
public:
    Expected(T value) : v_(std::in_place_index<0>, std::move(value)) {}
    Expected(Unexpected<E> e) : v_(std::in_place_index<1>, std::move(e.error)) {}

    bool has_value() const { return v_.index() == 0; }
    explicit operator bool() const { return has_value(); }
    const T& value() const { assert(has_value()); return *std::get_if<0>(&v_); }
    T& value() { assert(has_value()); return *std::get_if<0>(&v_); }
    const T& operator*() const { return value(); }
    T& operator*() { return value(); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }
    const E& error() const { assert(!has_value()); return *std::get_if<1>(&v_); }
    friend bool operator==(const Expected&, const Expected&) = default;

private:
    std::variant<T, E> v_;
};

}  // namespace plimsoll
