#include "engine/comm/codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

namespace plimsoll::engine {
namespace {

constexpr std::size_t fp8_block = 128, fixed_block = 64;
constexpr float fp8_most = 448;

template <class T> using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
// Magnitudes as whole numbers: in the order of the values, and not-a-number above them all.
template <class T> BitsOf<T> magnitude(T x) { return std::bit_cast<BitsOf<T>>(x) & (~BitsOf<T>(0) >> 1); }

template <class T> void put(std::byte*& out, T x) {
    std::memcpy(out, &x, sizeof x);
    out += sizeof x;
}
template <class T> T get(const std::byte*& in) {
    T x;
    std::memcpy(&x, in, sizeof x);
    in += sizeof x;
    return x;
}

// The step that makes the block's largest value `most` steps; 0 where a step or its inverse could not be told.
template <class T> T step_of(const T* x, std::size_t n, T most) {
    BitsOf<T> largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, magnitude(x[i]));
    const T a = std::bit_cast<T>(largest);
    return a < std::numeric_limits<T>::min() * 65536 ? T(0) : a / most;
}

// f(first, count) for every block.
template <class F> void in_blocks(std::size_t count, std::size_t block, F f) {
    for (std::size_t at = 0; at < count; at += block) f(at, std::min(block, count - at));
}

// E4M3: sign, four bits of exponent (bias 7), three of mantissa. To nearest, ties to even; past 448: 448.
std::uint8_t e4m3(float x) {
    const auto sign = std::uint8_t(std::bit_cast<std::uint32_t>(x) >> 24 & 0x80);
    const float a = std::min(std::abs(x), fp8_most);
    std::uint32_t normal = std::bit_cast<std::uint32_t>(a);
    normal = ((normal + 0x7ffff + (normal >> 20 & 1)) >> 20) - (120 << 3);
    // Below 2^-6 steps are 2^-9, those of a float at 2^14: adding that rounds.
    const std::uint32_t small = std::bit_cast<std::uint32_t>(a + 0x1p14f) - std::bit_cast<std::uint32_t>(0x1p14f);
    return std::uint8_t(sign | (a < 0x1p-6f ? small : normal));
}
std::array<float, 256> e4m3_values() {
    std::array<float, 256> values{};
    for (int code = 0; code < 256; ++code) {
        const int exponent = code >> 3 & 15, mantissa = code & 7;
        const float a = exponent ? std::ldexp(float(8 + mantissa), exponent - 10) : std::ldexp(float(mantissa), -9);
        values[std::size_t(code)] = code & 0x80 ? -a : a;
    }
    return values;
}

template <class T> void encode_fp8(const T* x, std::size_t count, std::byte* out) {
    in_blocks(count, fp8_block, [&](std::size_t at, std::size_t n) {
        const T step = step_of(x + at, n, T(fp8_most)), inverse = step == 0 ? T(0) : 1 / step;
        std::array<std::uint8_t, fp8_block>
            codes;  // not `out` itself, which might lie anywhere, so that the loop is vectorised
        for (std::size_t i = 0; i < n; ++i) codes[i] = e4m3(float(x[at + i] * inverse));
        put(out, step);
        std::memcpy(out, codes.data(), n);
        out += n;
    });
}
template <class T> void decode_fp8(const std::byte* in, std::size_t count, T* x) {
    static const auto values = e4m3_values();
    in_blocks(count, fp8_block, [&](std::size_t at, std::size_t n) {
        const T step = get<T>(in);
        for (std::size_t i = 0; i < n; ++i) x[at + i] = T(values[std::size_t(in[i])]) * step;
        in += n;
    });
}

std::size_t packed_bytes(std::size_t n, int bits) { return (n * std::size_t(bits) + 7) / 8; }

template <class T> void encode_fixed(const T* x, std::size_t count, int bits, std::byte* out) {
    const int most = (1 << (bits - 1)) - 1;
    constexpr T rounder = T(3) * (T(1) / std::numeric_limits<T>::epsilon() / 2);  // 1.5 2^(digits - 1): its unit is 1
    in_blocks(count, fixed_block, [&](std::size_t at, std::size_t n) {
        const T step = step_of(x + at, n, T(most)), inverse = step == 0 ? T(0) : 1 / step;
        put(out, step);
        std::array<std::int32_t, fixed_block> steps;
        for (std::size_t i = 0; i < n; ++i) {
            const T s = x[at + i] * inverse + rounder - rounder;
            steps[i] = s >= T(-most) ? std::int32_t(std::min(s, T(most))) : -most;  // not a number: any, its step tells
        }
        std::uint64_t held = 0;
        int filled = 0;
        for (std::size_t i = 0; i < n; ++i) {
            held |= std::uint64_t(steps[i] + most) << filled;
            if ((filled += bits) >= 32) {
                put(out, std::uint32_t(held));
                held >>= 32;
                filled -= 32;
            }
        }
        for (; filled > 0; filled -= 8, held >>= 8) *out++ = std::byte(held);
    });
}
template <class T> void decode_fixed(const std::byte* in, std::size_t count, int bits, T* x) {
    const int most = (1 << (bits - 1)) - 1;
    const std::uint32_t mask = (1u << bits) - 1;
    in_blocks(count, fixed_block, [&](std::size_t at, std::size_t n) {
        const T step = get<T>(in);
        std::array<std::byte, 2 * fixed_block + 4> packed;  // so that four bytes can be read anywhere
        std::memcpy(packed.data(), in, packed_bytes(n, bits));
        in += packed_bytes(n, bits);
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t bit = i * std::size_t(bits);
            std::uint32_t held;
            std::memcpy(&held, packed.data() + bit / 8, sizeof held);
            x[at + i] = T(int(held >> bit % 8 & mask) - most) * step;
        }
    });
}

std::size_t kept(double share, std::size_t count) {
    return std::min(count, std::size_t(std::ceil(share * double(count))));
}

template <class T> void encode_topk(const T* x, std::size_t count, double share, std::byte* out) {
    const std::size_t k = kept(share, count);
    if (k == 0) return;
    std::vector<BitsOf<T>> order(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = magnitude(x[i]);
    std::nth_element(order.begin(), order.begin() + std::ptrdiff_t(k - 1), order.end(), std::greater<>());
    const auto least = order[k - 1];
    auto equals = k - std::size_t(std::count_if(order.begin(), order.begin() + std::ptrdiff_t(k), [&](auto m) {
                      return m > least;
                  }));
    for (std::size_t i = 0; i < count; ++i) {
        const auto m = magnitude(x[i]);
        if (m < least || (m == least && equals == 0)) continue;
        if (m == least) --equals;
        put(out, std::uint32_t(i));
        put(out, x[i]);
    }
}
template <class T> void decode_topk(const std::byte* in, std::size_t count, double share, T* x) {
    std::fill_n(x, count, T(0));
    for (std::size_t k = kept(share, count); k > 0; --k) {
        const auto i = get<std::uint32_t>(in);
        x[i] = get<T>(in);
    }
}

// "fixed:8" or the message what would work.
Expected<MessageCodec, std::string> codec_of(const std::string& text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string name = text.substr(0, colon), number = text.substr(std::min(colon + 1, text.size()));
    char* end = nullptr;
    const double value = std::strtod(number.c_str(), &end);
    const bool numeric = !number.empty() && *end == '\0';
    if (text == "none") return MessageCodec{};
    if (text == "fp8") return MessageCodec{.kind = MessageCodec::Kind::fp8};
    if (name == "fixed") {
        if (!numeric || value != std::floor(value) || value < 2 || value > 16)
            return Unexpected{text + " is no codec: fixed:BITS takes 2 to 16 bits a value, as fixed:8"};
        return MessageCodec{.kind = MessageCodec::Kind::fixed, .bits = int(value)};
    }
    if (name == "topk") {
        if (!numeric || !(value > 0 && value <= 0.5))
            return Unexpected{text + " is no codec: topk:SHARE takes a share above 0 and at most 0.5, past which "
                                     "indices cost more than is left out, as topk:0.01"};
        return MessageCodec{.kind = MessageCodec::Kind::topk, .share = value};
    }
    return Unexpected{text + " is no codec: there are fp8, fixed:BITS, topk:SHARE and none"};
}

}  // namespace

std::string MessageCodec::text() const {
    char number[32];
    std::snprintf(number, sizeof number, "%g", share);
    switch (kind) {
    case Kind::none: break;
    case Kind::fp8: return "fp8";
    case Kind::fixed: return "fixed:" + std::to_string(bits);
    case Kind::topk: return std::string("topk:").append(number);
    }
    return "none";
}

Expected<Codecs, std::string> codecs_of(const std::string& text) {
    Codecs codecs;
    const std::pair<const char*, MessageCodec*> dimensions[] = {
        {"data", &codecs.data}, {"tensor", &codecs.tensor}, {"pipeline", &codecs.pipeline}};
    std::string seen;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string entry = text.substr(at, end - at), name = entry.substr(0, entry.find('='));
        const auto* d =
            std::find_if(std::begin(dimensions), std::end(dimensions), [&](const auto& x) { return name == x.first; });
        if (d == std::end(dimensions) || name.size() == entry.size())
            return Unexpected{
                "--codec " + entry
                + ": what is wanted is DIMENSION=CODEC, and there are data, tensor and pipeline, as data=fp8"};
        if (seen.find(name) != std::string::npos) return Unexpected{"--codec names " + name + " twice"};
        const auto codec = codec_of(entry.substr(name.size() + 1));
        if (!codec) return Unexpected{"--codec " + name + "=" + codec.error()};
        *d->second = *codec;
        seen += name;
        at = end + 1;
    }
    return codecs;
}

template <class T> std::size_t encoded_bytes(const MessageCodec& c, std::size_t n) {
    const auto blocks = [&](std::size_t block) { return (n + block - 1) / block; };
    switch (c.kind) {
    case MessageCodec::Kind::none: break;
    case MessageCodec::Kind::fp8: return blocks(fp8_block) * sizeof(T) + n;
    case MessageCodec::Kind::fixed:
        return blocks(fixed_block) * sizeof(T) + packed_bytes(n, c.bits);  // whole blocks end at a byte
    case MessageCodec::Kind::topk: return kept(c.share, n) * (sizeof(T) + sizeof(std::uint32_t));
    }
    return n * sizeof(T);
}
template <class T> void encode(const MessageCodec& c, const T* x, std::size_t n, std::byte* out) {
    switch (c.kind) {
    case MessageCodec::Kind::none: std::memcpy(out, x, n * sizeof(T)); break;
    case MessageCodec::Kind::fp8: encode_fp8(x, n, out); break;
    case MessageCodec::Kind::fixed: encode_fixed(x, n, c.bits, out); break;
    case MessageCodec::Kind::topk: encode_topk(x, n, c.share, out); break;
    }
}
template <class T> void decode(const MessageCodec& c, const std::byte* in, std::size_t n, T* x) {
    switch (c.kind) {
    case MessageCodec::Kind::none: std::memcpy(x, in, n * sizeof(T)); break;
    case MessageCodec::Kind::fp8: decode_fp8(in, n, x); break;
    case MessageCodec::Kind::fixed: decode_fixed(in, n, c.bits, x); break;
    case MessageCodec::Kind::topk: decode_topk(in, n, c.share, x); break;
    }
}

template std::size_t encoded_bytes<float>(const MessageCodec&, std::size_t);
template std::size_t encoded_bytes<double>(const MessageCodec&, std::size_t);
template void encode(const MessageCodec&, const float*, std::size_t, std::byte*);
template void encode(const MessageCodec&, const double*, std::size_t, std::byte*);
template void decode(const MessageCodec&, const std::byte*, std::size_t, float*);
template void decode(const MessageCodec&, const std::byte*, std::size_t, double*);

}  // namespace plimsoll::engine
