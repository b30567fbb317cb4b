#pragma once
// Where the activations of a layer wait for their backward pass: in the arena, or
// in host memory or a file, in which case the arena holds two layers at a time.
//
//   LayerActivations& k = activations.forward(chunk, slot, layer);   layer.forward(k, ...);
//   activations.store(chunk, slot, layer);
//   LayerActivations& k = activations.backward(chunk, slot, layer);  layer.backward(k, ...);

#include "engine/train/layer.h"

#include <cstdio>
#include <memory>

namespace plimsoll::engine {

template <class Real, class Wide> class ActivationStore {
public:
    // layers[c] layers of chunk c, alive[c] micro-batches of it alive at once.
    ActivationStore(const Context<Real, Wide>&, const Layer<Real, Wide>&, const std::vector<int>& layers,
          const std::vector<int>& alive);

    LayerActivations<Real, Wide>& forward(int chunk, int slot, int layer);
    void store(int chunk, int slot, int layer);
    LayerActivations<Real, Wide>& backward(int chunk, int slot, int layer);

    // Bytes outside the arena: in host memory or in the file.
    std::size_t elsewhere() const { return offloads() ? count_ * block_ : 0; }
    bool open(std::string& problem);  // before the first step; not in a dry run

private:
    bool offloads() const { return c_.options.layout.offload != Offload::none; }
    std::size_t number(int chunk, int slot, int layer) const;
    LayerActivations<Real, Wide> keep_one(const Layer<Real, Wide>&);
    void write(std::size_t i, const LayerActivations<Real, Wide>&);
    void read(std::size_t i, LayerActivations<Real, Wide>&);
    void seek(std::size_t i);

    struct Close { void operator()(std::FILE* f) const { std::fclose(f); } };
    const Context<Real, Wide>& c_;
    std::vector<int> layers_, slots_;
    std::size_t count_ = 0;                   // layers kept at once, over chunks and slots
    std::vector<LayerActivations<Real, Wide>> kept_;      // all of them, or the two at work
    std::size_t block_ = 0;                   // bytes of one layer's activations
    std::vector<char> host_;                  // all blocks, or one on its way to the file
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace plimsoll::engine
