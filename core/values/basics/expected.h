#pragma once
// A value, or the reason there is none. Member names are std::expected's.
//
//   Expected<Model, Problems> m = read_model(text);
//   if (!m) return show(m.error());
//   use(*m);
//
// Whether there is a value is asked first. Where it was not, and there is none, taking it throws in every build: a job
// of the window then fails with a sentence, a command with an exit code, and nothing is computed from what is not
// there. tests/checks/source_rules.sh refuses what cannot have been asked, as in *estimate(plan).

#include <stdexcept>
#include <utility>
#include <variant>

namespace plimsoll {

// A fault of ours, never of the user's.
struct Unasked : std::logic_error {
    Unasked() : std::logic_error("an answer was taken that was not given") {}
};

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
    const T& value() const { return held<0>(v_); }
    T& value() { return held<0>(v_); }
    const T& operator*() const { return value(); }
    T& operator*() { return value(); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }
    const E& error() const { return held<1>(v_); }
    friend bool operator==(const Expected&, const Expected&) = default;

private:
    template <std::size_t Index>
    static auto& held(auto& either) {
        if (auto* one = std::get_if<Index>(&either)) return *one;
        throw Unasked();
    }
    std::variant<T, E> v_;
};

}  // namespace plimsoll
