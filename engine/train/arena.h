#pragma once
// The one piece of device memory of a rank: what stays grows from the bottom, what
// is needed for a moment from the top, in frames that end in reverse order.
//
// A dry run of a step on an arena without limit tells how large the real one must
// be, to the byte, and what for; then it is allocated once and touched once.
//
//   Real* weights = arena.keep<Real>(n, Use::weights);
//   { Frame frame(arena); Real* t = frame.take<Real>(n); ... }

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>

namespace plimsoll::engine {

// The cost model's names for memory (core/values/plan/breakdown.h).
enum class Use : std::uint8_t { weights, gradients, optimizer, activations, buffers };
inline constexpr const char* use_names[] = {"weights", "gradients", "optimizer", "activations", "buffers"};
inline constexpr std::size_t use_count = std::size(use_names);

class Arena {
public:
    static constexpr std::size_t alignment = 256;
    Arena(void* base, std::size_t capacity) : base_(static_cast<char*>(base)), capacity_(capacity) {}
    // Hands out addresses that nobody may look behind.
    static Arena pretended() { return {reinterpret_cast<void*>(alignment), std::size_t(1) << 60}; }

    template <class T> T* keep(std::size_t n, Use use) {
        const std::size_t bytes = rounded(n * sizeof(T));
        char* const at = base_ + kept_;
        kept_ += bytes;
        uses_[std::size_t(use)] += bytes;
        note();
        return reinterpret_cast<T*>(at);
    }
    std::size_t kept() const { return kept_; }
    std::size_t peak() const { return peak_; }                  // most ever in use at once
    std::size_t scratch_peak() const { return scratch_peak_; }
    // Kept for this use. Scratch (gathered units, logits, what a layer needs for a moment) is none of them.
    std::size_t kept_for(Use use) const { return uses_[std::size_t(use)]; }

private:
    friend class Frame;
    static std::size_t rounded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }
    char* push(std::size_t bytes) {
        scratch_ += rounded(bytes);
        note();
        return base_ + (capacity_ - scratch_);
    }
    void note() {
        if (kept_ + scratch_ > capacity_) throw std::logic_error("the arena is smaller than the dry run asked for");
        if (kept_ + scratch_ > peak_) peak_ = kept_ + scratch_;
        if (scratch_ > scratch_peak_) scratch_peak_ = scratch_;
    }
    char* base_;
    std::size_t capacity_, kept_ = 0, scratch_ = 0, peak_ = 0, scratch_peak_ = 0;
    std::array<std::size_t, use_count> uses_{};
};

// Memory until the end of a scope. Frames end in the reverse order of their beginning.
class Frame {
public:
    explicit Frame(Arena& arena) : arena_(&arena), before_(arena.scratch_) {}
    Frame(Frame&& o) noexcept : arena_(o.arena_), before_(o.before_) { o.arena_ = nullptr; }
    ~Frame() { if (arena_) arena_->scratch_ = before_; }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
    Frame& operator=(Frame&&) = delete;
    template <class T> T* take(std::size_t n) { return reinterpret_cast<T*>(arena_->push(n * sizeof(T))); }

private:
    Arena* arena_;
    std::size_t before_;
};

}  // namespace plimsoll::engine
