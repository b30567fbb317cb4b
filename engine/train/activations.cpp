#include "engine/train/activations.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>

namespace plimsoll::engine {

template <class Real, class Wide>
ActivationStore<Real, Wide>::ActivationStore(const Context<Real, Wide>& c, const Layer<Real, Wide>& layer,
                                             const std::vector<int>& layers, const std::vector<int>& alive)
    : c_(c), layers_(layers), slots_(alive) {
    for (std::size_t chunk = 0; chunk < layers.size(); ++chunk) count_ += std::size_t(layers[chunk] * alive[chunk]);
    const std::size_t present = offloads() ? 2 : count_;
    for (std::size_t i = 0; i < present; ++i) {
        const std::size_t before = c.arena.kept();
        kept_.push_back(keep_one(layer));
        block_ = c.arena.kept() - before;
    }
}

template <class Real, class Wide>
LayerActivations<Real, Wide> ActivationStore<Real, Wide>::keep_one(const Layer<Real, Wide>& layer) {
    LayerActivations<Real, Wide> k;
    layer.keep(k, c_.options.layout.recompute, [&](auto*& pointer, std::size_t n) {
        using P = std::remove_reference_t<decltype(*pointer)>;
        pointer = c_.arena.template keep<P>(n, Use::activations);
    });
    return k;
}

template <class Real, class Wide>
std::size_t ActivationStore<Real, Wide>::number(int chunk, int slot, int layer) const {
    std::size_t i = 0;
    for (int c = 0; c < chunk; ++c) i += std::size_t(layers_[std::size_t(c)] * slots_[std::size_t(c)]);
    return i + std::size_t(slot * layers_[std::size_t(chunk)] + layer);
}

template <class Real, class Wide>
LayerActivations<Real, Wide>& ActivationStore<Real, Wide>::forward(int chunk, int slot, int layer) {
    return kept_[offloads() ? std::size_t(layer % 2) : number(chunk, slot, layer)];
}
template <class Real, class Wide> void ActivationStore<Real, Wide>::store(int chunk, int slot, int layer) {
    if (offloads()) c_.in(Phase::offload, [&] { write(number(chunk, slot, layer), forward(chunk, slot, layer)); });
}
template <class Real, class Wide>
LayerActivations<Real, Wide>& ActivationStore<Real, Wide>::backward(int chunk, int slot, int layer) {
    LayerActivations<Real, Wide>& k = forward(chunk, slot, layer);
    if (offloads()) c_.in(Phase::offload, [&] { read(number(chunk, slot, layer), k); });
    return k;
}

template <class Real, class Wide> bool ActivationStore<Real, Wide>::open(std::string& problem) {
    if (!offloads()) return true;
    const bool to_file = c_.options.layout.offload == Offload::file;
    host_.resize(to_file ? block_ : elsewhere());
    if (!to_file) return true;
    std::filesystem::path folder = c_.options.offload_directory;
    if (folder.empty()) folder = std::filesystem::temp_directory_path();
    std::string name = (folder / "plimsoll-activations-XXXXXX").string();
    const int descriptor = mkstemp(name.data());
    if (descriptor >= 0) unlink(name.c_str());  // gone with the process, whatever ends it
    if (descriptor >= 0 && ::fallocate(descriptor, 0, 0, off_t(elsewhere())) != 0 && errno == ENOSPC) {
        problem.append("no room for ").append(std::to_string(elsewhere())).append(" bytes of activations in ")
            .append(folder.string());
        ::close(descriptor);
        return false;
    }
    if (descriptor >= 0) file_.reset(fdopen(descriptor, "w+b"));
    if (!file_)
        problem.append("cannot make a file for activations in ")
            .append(folder.string())
            .append(": ")
            .append(std::strerror(errno));
    return bool(file_);
}

// A block is what keep_one took in a row, from x on.
template <class Real, class Wide>
void ActivationStore<Real, Wide>::write(std::size_t i, const LayerActivations<Real, Wide>& k) {
    if (host_.empty()) return;  // a dry run
    char* to = host_.data() + (file_ ? 0 : i * block_);
    c_.kernels.copy_out(to, k.x, block_);
    if (!file_) return;
    seek(i);
    if (std::fwrite(to, 1, block_, file_.get()) != block_)
        throw std::runtime_error(
            std::string("writing activations to their file failed: ").append(std::strerror(errno)));
}
template <class Real, class Wide>
void ActivationStore<Real, Wide>::read(std::size_t i, LayerActivations<Real, Wide>& k) {
    if (host_.empty()) return;
    char* from = host_.data() + (file_ ? 0 : i * block_);
    if (file_) seek(i);
    if (file_ && std::fread(from, 1, block_, file_.get()) != block_)
        throw std::runtime_error(
            std::string("reading activations from their file failed: ").append(std::strerror(errno)));
    c_.kernels.copy_in(k.x, from, block_);
}
template <class Real, class Wide>
void ActivationStore<Real, Wide>::seek(std::size_t i) {
    fseeko(file_.get(), off_t(i * block_), SEEK_SET);
}

template class ActivationStore<double, double>;
template class ActivationStore<float, float>;
template class ActivationStore<bf16, float>;

}  // namespace plimsoll::engine
