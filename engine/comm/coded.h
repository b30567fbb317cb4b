#pragma once
// A group whose messages are encoded on the way (`codec.h`).
//
//   verb                what is done
//   all_reduce (sum)    each rank gets everyone's encoded part of the vector, decodes and adds in the
//                       order of ranks, encodes the sum and sends it to all: every value is encoded twice,
//                       whatever the number of ranks (Tang et al. 2021), and all decode the same bytes,
//                       so that all hold the same bits
//   reduce_scatter      the first half of that
//   all_gather          everyone's encoded part; a rank whose part lies in place keeps its own values,
//                       which may be the only whole copy (ZeRO). topk leaves it alone: what is gathered
//                       are weights and activations, and most would become zero
//   send, receive       encoded; start does its collective at once
//
// Maxima, exact sums, broadcasts, bf16 and messages below 1 KiB go as they are.
//
// With feedback, what a codec left out of a sum is added to what the same call has to
// sum in the next step (Stich et al. 2018, Lin et al. 2018; at both encodings, as Tang et al.).
// Calls are told apart by their order in a step, because buffers are not: several
// gradients go through one piece of scratch memory. A call of another size starts anew.
// For gradients: of activations the next step has others. And for SGD: AdamW divides by a
// scale that knows nothing of what is still to come, and losses spike (as Tang et al. found
// of Adam). Residuals lie outside the arena.
//
//   Grid grid = coded(grid_of(run, layout), *codecs_of("data=topk:0.01"));

#include "engine/comm/codec.h"
#include "engine/comm/grid.h"

#include <vector>

namespace plimsoll::engine {

class CodedComm final : public Comm {
public:
    static constexpr std::size_t least_bytes = 1024;
    CodedComm(std::unique_ptr<Comm> inner, MessageCodec codec, bool feedback)
        : inner_(std::move(inner)), codec_(codec), feedback_(feedback) {}

    int rank() const override { return inner_->rank(); }
    int size() const override { return inner_->size(); }
    void all_reduce(void*, std::size_t, Type, Reduction = Reduction::sum) override;
    void reduce_scatter(const void* from, void* to, std::size_t count, Type) override;
    void all_gather(const void* from, void* to, std::size_t count, Type) override;
    void broadcast(void* data, std::size_t n, Type t, int root) override { inner_->broadcast(data, n, t, root); }
    Request send(const void*, std::size_t, Type, int to, int tag) override;
    Request receive(void*, std::size_t, Type, int from, int tag) override;
    Request start(Collective, const void* from, void* to, std::size_t count, Type) override;
    void arrive(Request&) override;
    void wait(Request&) override;
    bool test(Request&) override;
    void barrier() override { inner_->barrier(); }
    void begin_step() override { calls_ = 0; }
    double saved_bytes() const override { return saved_; }

private:
    using Bytes = std::vector<std::byte>;
    struct Transfer {
        Request inner;
        Bytes bytes;               // encoded, on their way
        void* to = nullptr;        // where they are decoded
        std::size_t count = 0;
        Type type = Type::byte;
        bool used = false;
    };
    bool encodes(std::size_t count, Type) const;
    bool gathers_encoded(std::size_t count, Type t) const {
        return codec_.kind != MessageCodec::Kind::topk && encodes(count, t);
    }
    template <class T> void sum_over_ranks(T* x, std::size_t count);
    template <class T> const T* sum_of_parts(const T* x, std::size_t count, std::size_t part);
    void exchange(std::size_t bytes);
    template <class T>
    void gather(const T* own, T* residual, T* to, std::size_t count, std::size_t part, bool keep_own);
    template <class T> T* residual(std::size_t count);
    template <class T> void encode_sum(const T* x, std::size_t count, T* residual, std::byte* out);
    template <class T> void note(std::size_t count, std::size_t part);
    Transfer& claim(Request& request, bool receiving);
    void finish(Request&);

    std::unique_ptr<Comm> inner_;
    MessageCodec codec_;
    bool feedback_;
    double saved_ = 0;
    Bytes out_, in_, sum_, decoded_;    // room that verbs use for a moment
    std::vector<Bytes> residuals_;      // by order of calls in a step
    std::size_t calls_ = 0;
    std::vector<Transfer> transfers_;   // Request::handle - 1 is an index
};

// Each group of more than one rank with its dimension's codec. First and last stage add up a gradient: data's.
Grid coded(Grid, const Codecs&);

}  // namespace plimsoll::engine
