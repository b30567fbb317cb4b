#pragma once
// The communication of one group of ranks: nine verbs, whatever carries them.
//
// Four back ends implement it: one rank alone (`self.h`), MPI (`mpi.h`), NCCL and
// MPI staged through host memory (`cuda/`). `timed.h` and `coded.h` wrap another
// Comm. Buffers are device memory of the back end in use. Reductions sum in a
// fixed order, so that a repeated run gives the same bits.
//
//   comm.all_reduce(gradient, count, Type::f32);
//   Request r = comm.receive(x, rows * width, Type::f32, previous, tag); ... comm.wait(r);

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace plimsoll::engine {

// bf16 on the host: the upper half of a float. Kernels compute; this converts.
struct bf16 {
    std::uint16_t bits;
};
inline float widened(bf16 x) { return std::bit_cast<float>(std::uint32_t(x.bits) << 16); }
inline bf16 narrowed(float f) {  // to nearest, ties to even; not for NaN
    const auto bits = std::bit_cast<std::uint32_t>(f);
    return {std::uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16)};
}

// A double stored as T, and back.
template <class T> T stored(double x) { return T(x); }
template <> inline bf16 stored<bf16>(double x) { return narrowed(float(x)); }
template <class T> double value(T x) { return double(x); }
template <> inline double value(bf16 x) { return widened(x); }

enum class Type : std::uint8_t { f64, f32, bf16, byte };
inline constexpr std::size_t size_of(Type t) {
    return t == Type::f64 ? 8 : t == Type::f32 ? 4 : t == Type::bf16 ? 2 : 1;
}

template <class T> inline constexpr Type type_of = Type::byte;
template <> inline constexpr Type type_of<double> = Type::f64;
template <> inline constexpr Type type_of<float> = Type::f32;
template <> inline constexpr Type type_of<bf16> = Type::bf16;

enum class Reduction : std::uint8_t { sum, max, exact_sum };  // exact_sum: one that no codec may touch
enum class Collective : std::uint8_t { all_reduce, reduce_scatter, all_gather };

// A transfer under way; its buffers belong to it until wait() or a true test().
struct Request {
    std::uintptr_t handle = 0;  // 0: nothing to wait for
    bool receiving = false;     // waiting means that a peer is late
};

class Comm {
public:
    virtual ~Comm() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;

    // In place, `count` elements on every rank.
    virtual void all_reduce(void* data, std::size_t count, Type, Reduction = Reduction::sum) = 0;
    // from: size() * count elements; to: `count`, the sum of everyone's part number rank().
    virtual void reduce_scatter(const void* from, void* to, std::size_t count, Type type) {
        Request request = start(Collective::reduce_scatter, from, to, count, type);
        wait(request);
    }
    // from: `count` elements, which may lie in place at to + rank() * count; to: size() * count.
    virtual void all_gather(const void* from, void* to, std::size_t count, Type type) {
        Request request = start(Collective::all_gather, from, to, count, type);
        wait(request);
    }
    virtual void broadcast(void* data, std::size_t count, Type, int root) = 0;

    // Point to point; messages of one pair and tag arrive in the order sent.
    virtual Request send(const void* data, std::size_t count, Type, int to, int tag) = 0;
    virtual Request receive(void* data, std::size_t count, Type, int from, int tag) = 0;

    // A collective that may go on while the caller computes; all_reduce is in place (`from` unused).
    // All ranks start the same ones in the same order.
    virtual Request start(Collective, const void* from, void* to, std::size_t count, Type) = 0;
    virtual void wait(Request&) = 0;
    virtual bool test(Request&) = 0;  // also what gives an MPI library the chance to move data

    virtual void barrier() = 0;

    // For groups that encode (`coded.h`).
    virtual void arrive(Request& r) { wait(r); }  // the message is there; wait() has it decoded
    virtual void begin_step() {}  // what is remembered of a call is used in the same call of the next step
    virtual double saved_bytes() const { return 0; }  // so far, of what this rank handed to the verbs

    // Seconds that the verbs took on a device since this was asked last; nothing where the host carries them.
    virtual std::optional<double> device_seconds() { return std::nullopt; }
};

// A group of one rank, where every verb is done already; and the group that only
// pretends, for a dry run that asks how much memory a layout takes.
//
// With size() > 1 it is a pretender: nothing is moved, so nobody may look at the data.
class SelfComm final : public Comm {
public:
    explicit SelfComm(int rank = 0, int size = 1) : rank_(rank), size_(size) {}
    int rank() const override { return rank_; }
    int size() const override { return size_; }
    void all_reduce(void*, std::size_t, Type, Reduction) override {}
    void broadcast(void*, std::size_t, Type, int) override {}
    Request send(const void*, std::size_t, Type, int, int) override { return {}; }
    Request receive(void*, std::size_t, Type, int, int) override { return {}; }
    Request start(Collective c, const void* from, void* to, std::size_t count, Type type) override {
        if (c != Collective::all_reduce) copy(from, to, count, type);
        return {};
    }
    void wait(Request&) override {}
    bool test(Request&) override { return true; }
    void barrier() override {}

private:
    // Callers keep a group of one from copying device memory: one rank's shard is the whole, in place.
    void copy(const void* from, void* to, std::size_t count, Type type) const {
        if (size_ == 1 && from != to) std::memcpy(to, from, count * size_of(type));
    }
    int rank_, size_;
};

}  // namespace plimsoll::engine
