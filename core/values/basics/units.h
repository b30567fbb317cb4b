#pragma once
// Quantities with a unit that the compiler checks.
//
// A Quantity is built from a named unit and leaves only by dividing by one, so
// the unit stands in the text at both ends. Products and quotients derive their
// dimension; equal dimensions divide to a plain double. Costs nothing at run time.
//
//   Seconds t = 80 * gigabyte / (2039 * gigabyte / second);
//   double  ms = t / millisecond;
//   t + 3 * byte;   // does not compile

#include <compare>
#include <optional>
#include <string_view>

namespace plimsoll {

// The integers are the powers of byte, flop, second, joule and token.
template <int B, int F, int S, int J, int T>
class Quantity;

namespace detail {
template <int B, int F, int S, int J, int T>
struct Pick {
    using type = Quantity<B, F, S, J, T>;
    static constexpr type make(double v) { return type::raw(v); }
};
template <>
struct Pick<0, 0, 0, 0, 0> {
    using type = double;
    static constexpr double make(double v) { return v; }
};
}  // namespace detail

template <int B, int F, int S, int J, int T>
class Quantity {
public:
    constexpr Quantity() = default;  // zero
    // For unit definitions below; everything else multiplies a named unit.
    static constexpr Quantity raw(double v) { Quantity q; q.v_ = v; return q; }

    constexpr Quantity operator-() const { return raw(-v_); }
    constexpr Quantity& operator+=(Quantity o) { v_ += o.v_; return *this; }
    constexpr Quantity& operator-=(Quantity o) { v_ -= o.v_; return *this; }
    constexpr Quantity& operator*=(double k) { v_ *= k; return *this; }
    constexpr Quantity& operator/=(double k) { v_ /= k; return *this; }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return raw(a.v_ + b.v_); }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return raw(a.v_ - b.v_); }
    friend constexpr Quantity operator*(Quantity a, double k) { return raw(a.v_ * k); }
    friend constexpr Quantity operator*(double k, Quantity a) { return raw(k * a.v_); }
    friend constexpr Quantity operator/(Quantity a, double k) { return raw(a.v_ / k); }
    friend constexpr auto operator/(double k, Quantity a) { return detail::Pick<-B, -F, -S, -J, -T>::make(k / a.v_); }
    friend constexpr auto operator<=>(Quantity, Quantity) = default;

    template <int B2, int F2, int S2, int J2, int T2>
    constexpr auto operator*(Quantity<B2, F2, S2, J2, T2> o) const {
        return detail::Pick<B + B2, F + F2, S + S2, J + J2, T + T2>::make(v_ * o.v_);
    }
    template <int B2, int F2, int S2, int J2, int T2>
    constexpr auto operator/(Quantity<B2, F2, S2, J2, T2> o) const {
        return detail::Pick<B - B2, F - F2, S - S2, J - J2, T - T2>::make(v_ / o.v_);
    }

private:
    template <int, int, int, int, int>
    friend class Quantity;
    double v_ = 0;
};

using Bytes = Quantity<1, 0, 0, 0, 0>;
using Flop = Quantity<0, 1, 0, 0, 0>;
using Seconds = Quantity<0, 0, 1, 0, 0>;
using Joules = Quantity<0, 0, 0, 1, 0>;
using Tokens = Quantity<0, 0, 0, 0, 1>;
using Watts = Quantity<0, 0, -1, 1, 0>;
using ByteRate = Quantity<1, 0, -1, 0, 0>;
using FlopRate = Quantity<0, 1, -1, 0, 0>;
using TokenRate = Quantity<0, 0, -1, 0, 1>;

inline constexpr Bytes byte = Bytes::raw(1), kilobyte = 1e3 * byte, megabyte = 1e6 * byte, gigabyte = 1e9 * byte,
                       terabyte = 1e12 * byte, mebibyte = 1048576.0 * byte, gibibyte = 1073741824.0 * byte;
inline constexpr Flop flop = Flop::raw(1), gigaflop = 1e9 * flop, teraflop = 1e12 * flop, petaflop = 1e15 * flop;
inline constexpr Seconds second = Seconds::raw(1), millisecond = 1e-3 * second, microsecond = 1e-6 * second,
                         minute = 60.0 * second, hour = 3600.0 * second, day = 86400.0 * second;
inline constexpr Joules joule = Joules::raw(1), kilowatt_hour = 3.6e6 * joule, megawatt_hour = 3.6e9 * joule;
inline constexpr Watts watt = Watts::raw(1), kilowatt = 1e3 * watt, megawatt = 1e6 * watt;
inline constexpr Tokens token = Tokens::raw(1);

template <int B, int F, int S, int J, int T>
constexpr Quantity<B, F, S, J, T> max(Quantity<B, F, S, J, T> a, Quantity<B, F, S, J, T> b) { return a < b ? b : a; }
template <int B, int F, int S, int J, int T>
constexpr Quantity<B, F, S, J, T> min(Quantity<B, F, S, J, T> a, Quantity<B, F, S, J, T> b) { return b < a ? b : a; }

// ---- Units by the names people type: "GiB", "TB/s", "kW", "ms", "TFLOPS".

struct NamedUnit {
    char dimension;  // 'B' bytes, 'R' bytes per second, 'F' FLOP per second, 's' seconds, 'W' watts
    double factor;   // in the dimension's base unit
};

// Case counts first (Mb/s is bits, MB/s bytes), then "gib" is taken for GiB.
// "B" alone is a byte; where a count is meant the caller reads it as billion.
std::optional<NamedUnit> find_unit(std::string_view name);

}  // namespace plimsoll
