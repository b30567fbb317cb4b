#pragma once
// The buffers of a bench, several sets of them: calls walk around the sets, twice
// as much as the last-level cache holds, so that no call finds what the last one
// left there. Values are normal-random: zeros draw less power, and clocks rise.
//
//   return rotating(bench, {{m * k, type_of<Real>, Fill::normal}, ...}, [=](const Set& s) { ... s.at<Real>(0) ... });

#include "engine/bench/suites.h"

#include <algorithm>
#include <memory>

namespace plimsoll::engine {

enum class Fill : std::uint8_t { none, normal, square };  // square: of a normal, as second moments are
struct Field {
    std::size_t count;
    Type type;
    Fill fill = Fill::none;
};

struct Set {
    char* base;
    const std::size_t* offsets;
    template <class T> T* at(std::size_t field) const { return reinterpret_cast<T*>(base + offsets[field]); }
};

// `bytes` of a long sequence of normals in the form asked for, from element `first` on.
void write_normals(char* to, std::size_t bytes, const Field&, std::size_t first);

template <class Real, class Wide> class BufferRing {
public:
    // Null when a single set does not fit. `spread` bytes are walked through; 0: one set.
    static std::shared_ptr<BufferRing> make(const Bench<Real, Wide>& b, const std::vector<Field>& fields,
                                            double spread) {
        auto ring = std::make_shared<BufferRing>(b.kernels);
        for (const Field& f : fields) {
            ring->offsets_.push_back(ring->bytes_);
            ring->bytes_ += (f.count * size_of(f.type) + 255) / 256 * 256;
        }
        const double set = double(ring->bytes_), room = std::max(1.0, std::floor(b.memory / set));
        ring->sets_ = std::size_t(std::min(room, std::ceil(spread / set) + 1));
        ring->short_ = double(ring->sets_) * set < spread;
        ring->memory_ = set > b.memory ? nullptr : static_cast<char*>(b.kernels.allocate(ring->sets_ * ring->bytes_));
        if (!ring->memory_) return nullptr;
        ring->fill(fields);
        return ring;
    }
    explicit BufferRing(Kernels<Real, Wide>& kernels) : kernels_(kernels) {}
    ~BufferRing() { if (memory_) kernels_.release(memory_); }
    BufferRing(const BufferRing&) = delete;
    BufferRing& operator=(const BufferRing&) = delete;

    Set operator[](std::size_t call) const { return {memory_ + call % sets_ * bytes_, offsets_.data()}; }
    std::size_t sets() const { return sets_; }
    bool is_short() const { return short_; }

private:
    void fill(const std::vector<Field>& fields) {
        std::vector<char> piece(std::size_t(4) << 20);
        for (std::size_t s = 0, first = 0; s < sets_; ++s)
            for (std::size_t f = 0; f < fields.size(); ++f) {
                const std::size_t all = fields[f].fill == Fill::none ? 0 : fields[f].count * size_of(fields[f].type);
                for (std::size_t done = 0; done < all; done += piece.size()) {
                    const std::size_t part = std::min(piece.size(), all - done);
                    write_normals(piece.data(), part, fields[f], first += 12345);
                    kernels_.copy_in((*this)[s].template at<char>(f) + done, piece.data(), part);
                }
            }
    }

    Kernels<Real, Wide>& kernels_;
    char* memory_ = nullptr;
    std::size_t bytes_ = 0, sets_ = 1;
    std::vector<std::size_t> offsets_;
    bool short_ = false;
};

inline std::string no_room(double bytes) {
    return "there is no room for buffers of " + std::to_string(std::size_t(bytes)) + " bytes";
}

// Work on one set after another. first(set): once for each, before anything is timed.
template <class Real, class Wide, class Run, class First>
Expected<Work, std::string> rotating(const Bench<Real, Wide>& b, const std::vector<Field>& fields, Run run,
                                     First first) {
    const auto ring = BufferRing<Real, Wide>::make(b, fields, 2 * b.last_cache);
    if (!ring) return Unexpected{no_room(b.memory)};
    for (std::size_t s = 0; s < ring->sets(); ++s) first((*ring)[s]);
    return Work{.run = [ring, run](std::size_t i) { run((*ring)[i]); }, .cached = ring->is_short()};
}
template <class Real, class Wide, class Run>
Expected<Work, std::string> rotating(const Bench<Real, Wide>& b, const std::vector<Field>& fields, Run run) {
    return rotating(b, fields, run, [](const Set&) {});
}

}  // namespace plimsoll::engine
