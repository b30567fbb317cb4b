#pragma once
// Where the activations of a layer wait for their backward pass: in the arena, or
// in host memory or a file, in which case the arena holds two layers at a time.
//
//   Kept& k = stash.forward(chunk, slot, layer);  layer.forward(k, ...);  stash.store(chunk, slot, layer);
//   Kept& k = stash.backward(chunk, slot, layer); layer.backward(k, ...);

#include "engine/train/layer.h"

#include <cstdio>
#include <memory>

namespace plimsoll::engine {

template <class Real, class Wide> class Stash {
public:
    // layers[c] layers of chunk c, slots[c] micro-batches of it alive at once.
    Stash(const Context<Real, Wide>&, const Layer<Real, Wide>&, const std::vector<int>& layers, const std::vector<int>& slots);

    Kept<Real, Wide>& forward(int chunk, int slot, int layer);
    void store(int chunk, int slot, int layer);
    Kept<Real, Wide>& backward(int chunk, int slot, int layer);

    // Bytes outside the arena: in host memory or in the file.
    std::size_t elsewhere() const { return offloads() ? count_ * block_ : 0; }
    bool open(std::string& problem);  // before the first step; not in a dry run

private:
    bool offloads() const { return c_.options.layout.offload != Offload::none; }
    std::size_t number(int chunk, int slot, int layer) const;
    Kept<Real, Wide> keep_one(const Layer<Real, Wide>&);
    void write(std::size_t i, const Kept<Real, Wide>&);
    void read(std::size_t i, Kept<Real, Wide>&);
    void seek(std::size_t i);

    struct Close { void operator()(std::FILE* f) const { std::fclose(f); } };
    const Context<Real, Wide>& c_;
    std::vector<int> layers_, slots_;
    std::size_t count_ = 0;                   // layers kept at once, over chunks and slots
    std::vector<Kept<Real, Wide>> kept_;      // all of them, or the two at work
    std::size_t block_ = 0;                   // bytes of one layer's activations
    std::vector<char> host_;                  // all blocks, or one on its way to the file
    std::unique_ptr<std::FILE, Close> file_;
};

extern template class Stash<double, double>;
extern template class Stash<float, float>;
extern template class Stash<bf16, float>;

}  // namespace plimsoll::engine
