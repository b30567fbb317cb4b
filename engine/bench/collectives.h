#pragma once
// Collectives over one group, with results that are known in closed form: element
// i of rank r is one number of a counted random sequence, so every rank knows what
// all others sent and what comes of it.
//
//   Point p = collective_point<float>(kernels, *grid.data, "data", Verb::all_reduce, 65536);
//   p.prepare()->check()                       // after run(0): empty, or which element is wrong
//
// Sizes and rates are those of nccl-tests: S is the whole array (of the gathered or
// scattered one), algbw = S / t, busbw = algbw x bus_factor: what a link carries.

#include "engine/bench/suites.h"
#include "engine/model/random.h"

#include <cmath>
#include <memory>

namespace plimsoll::engine {

enum class Verb : std::uint8_t { all_reduce, reduce_scatter, all_gather, broadcast };
inline constexpr const char* verb_names[] = {"all_reduce", "reduce_scatter", "all_gather", "broadcast"};

// nccl-tests, doc/PERFORMANCE.md: all-reduce 2(n-1)/n, reduce-scatter and all-gather (n-1)/n, broadcast 1.
constexpr double bus_factor(Verb verb, int ranks) {
    if (verb == Verb::broadcast) return 1;
    return (verb == Verb::all_reduce ? 2.0 : 1.0) * (ranks - 1) / ranks;
}

// What ranks send, as T holds it.
template <class T> class Pattern {
public:
    explicit Pattern(int ranks) : sums_(period), sizes_(period) {
        for (int r = 0; r < ranks; ++r)
            for (std::size_t i = 0; i < period; ++i) {
                const double v = value(sent(r, i));
                sums_[i] += v;
                sizes_[i] += std::abs(v);
            }
        tolerance_ = ranks
                   * (sizeof(T) == 2
                          ? 0x1p-8
                          : double(std::numeric_limits<std::conditional_t<sizeof(T) == 8, double, float>>::epsilon()));
    }
    static T sent(int rank, std::size_t i) { return stored<T>(normal(1, std::uint64_t(rank), i % period)); }
    static std::vector<T> message(int rank, std::size_t count) {
        std::vector<T> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = i < period ? sent(rank, i) : values[i - period];
        return values;
    }
    // got[0..count) is element `first` on of everyone's sum.
    std::string wrong_sum(const std::vector<T>& got, std::size_t first) const {
        for (std::size_t i = 0; i < got.size(); ++i) {
            const std::size_t p = (first + i) % period;
            if (!(std::abs(value(got[i]) - sums_[p]) <= tolerance_ * sizes_[p]))
                return text(i, value(got[i]), sums_[p]);
        }
        return {};
    }
    // got[first..first + count) is what `rank` sent, bit for bit.
    static std::string wrong_copy(const std::vector<T>& got, std::size_t first, std::size_t count, int rank) {
        const std::vector<T> sent_there = message(rank, count);
        for (std::size_t i = 0; i < count; ++i)
            if (value(got[first + i]) != value(sent_there[i]))
                return text(first + i, value(got[first + i]), value(sent_there[i]));
        return {};
    }

private:
    static std::string text(std::size_t i, double found, double expected) {
        return "element " + std::to_string(i) + " is " + std::to_string(found) + " instead of "
             + std::to_string(expected);
    }
    static constexpr std::size_t period = 4099;  // a prime: no piece of an array equals another
    std::vector<double> sums_, sizes_;           // over ranks: of values, of their sizes
    double tolerance_;
};

// Device memory for the length of a point.
template <class Real, class Wide> struct Block {
    Kernels<Real, Wide>& kernels;
    void* memory;
    Block(Kernels<Real, Wide>& k, std::size_t bytes) : kernels(k), memory(k.allocate(bytes)) {}
    ~Block() { kernels.release(memory); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    template <class T> T* as() const { return static_cast<T*>(memory); }
    template <class T> std::vector<T> read(std::size_t count) const {
        std::vector<T> host(count);
        kernels.synchronize();
        kernels.copy_out(host.data(), memory, count * sizeof(T));
        return host;
    }
};

// Arrays to send and to receive, one pair or as many as `spread` bytes take.
template <class T, class Real, class Wide> class Buffers {
public:
    Buffers(Kernels<Real, Wide>& kernels, std::size_t count, double spread)
        : kernels_(kernels), count_(count), pitch_((count * sizeof(T) + 255) / 256 * 256),
          sets_(spread > 0 ? std::size_t(spread / double(2 * pitch_)) + 2 : 1), memory_(kernels, 2 * sets_ * pitch_) {}
    bool there() const { return memory_.memory; }
    T* from(std::size_t call) const { return at(call, 0); }
    T* to(std::size_t call) { return at(last_ = call, 1); }
    void fill(const std::vector<T>& values) {
        for (std::size_t s = 0; s < sets_; ++s)
            for (const int which : {0, 1}) kernels_.copy_in(at(s, which), values.data(), count_ * sizeof(T));
    }
    // Writes what call number `call`, or the one half a round later, sends in place.
    void renew(std::size_t call) {
        const std::size_t which = call + sets_ / 2;
        kernels_.copy(at(which, 1), at(which, 0), count_ * sizeof(T));
    }
    std::vector<T> received(std::size_t count) const {
        std::vector<T> host(count);
        kernels_.synchronize();
        kernels_.copy_out(host.data(), at(last_, 1), count * sizeof(T));
        return host;
    }

private:
    T* at(std::size_t call, int which) const {
        return reinterpret_cast<T*>(memory_.template as<char>() + (2 * (call % sets_) + std::size_t(which)) * pitch_);
    }
    Kernels<Real, Wide>& kernels_;
    std::size_t count_, pitch_, sets_;
    Block<Real, Wide> memory_;
    std::size_t last_ = 0;
};

// `bytes` is S; rounded down to a whole number of elements a rank. `spread`: bytes of buffers that calls walk around,
// so that none finds its own in a cache; 0: always the same ones, which are in the cache where they fit.
template <class T, class Real, class Wide>
Point collective_point(Kernels<Real, Wide>& kernels, Comm& group, const char* dimension, Verb verb, double bytes,
                       double spread = 0) {
    const std::size_t n = std::size_t(group.size()),
                      share = std::max<std::size_t>(1, std::size_t(bytes) / sizeof(T) / n), count = share * n;
    const double whole = double(count * sizeof(T));
    nlohmann::ordered_json parameters{{"collective", verb_names[int(verb)]},
                                      {"dimension", dimension},
                                      {"ranks", group.size()},
                                      {"cache", spread > 0 ? "cold" : "warm"}};
    return {"collective", std::move(parameters), whole, 0,
            [&kernels, &group, verb, share, count, whole, spread]() -> Expected<Work, std::string> {
                const int me = group.rank(), ranks = group.size();
                const auto sets = std::make_shared<Buffers<T, Real, Wide>>(kernels, count, spread);
                if (!sets->there())
                    return Unexpected{"there is no room for arrays of " + std::to_string(count * sizeof(T)) + " bytes"};
                sets->fill(Pattern<T>::message(me, count));
                Work work{.run =
                              [&group, verb, share, count, sets](std::size_t call) {
                                  T *from = sets->from(call), *to = sets->to(call);
                                  switch (verb) {
                                  case Verb::all_reduce: return group.all_reduce(to, count, type_of<T>);
                                  case Verb::reduce_scatter: return group.reduce_scatter(from, to, share, type_of<T>);
                                  case Verb::all_gather: return group.all_gather(from, to, share, type_of<T>);
                                  case Verb::broadcast: return group.broadcast(to, count, type_of<T>, 0);
                                  }
                              },
                          .together = true};
                // What is sent in place is written before: warm just now, as by a product; cold half a round ago, as by
                // a backward pass.
                if (verb == Verb::all_reduce || verb == Verb::broadcast)
                    work.before = [sets](std::size_t call) { sets->renew(call); };
                work.check = [verb, share, count, me, ranks, sets]() -> std::string {
                    const auto got = sets->received(verb == Verb::reduce_scatter ? share : count);
                    if (verb == Verb::all_reduce) return Pattern<T>(ranks).wrong_sum(got, 0);
                    if (verb == Verb::reduce_scatter) return Pattern<T>(ranks).wrong_sum(got, std::size_t(me) * share);
                    if (verb == Verb::broadcast) return Pattern<T>::wrong_copy(got, 0, count, 0);
                    for (int r = 0; r < ranks; ++r)
                        if (const auto wrong = Pattern<T>::wrong_copy(got, std::size_t(r) * share, share, r);
                            !wrong.empty())
                            return wrong;
                    return {};
                };
                work.finish = [verb, ranks, whole](nlohmann::ordered_json& line, const Timing&) {
                    const double rate = whole / line["median_s"].get<double>();
                    line["algbw_B_per_s"] = rate;
                    line["busbw_B_per_s"] = rate * bus_factor(verb, ranks);
                };
                return work;
            }};
}

}  // namespace plimsoll::engine
