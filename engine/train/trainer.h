#pragma once
// One rank's training step, under any layout.
//
//   Trainer<float, float> trainer(options, shape, grid, kernels, clock, arena);
//   trainer.initialise(...);
//   StepResult r = trainer.step(number, tokens, stop_requested);
//
// The walk: tokens arrive (`receive_batch`), the pipeline's tasks run in 1F1B order
// (`forward`, `backward`; a task is one chunk of layers on one micro-batch), gradients are
// reduced and their norm taken (`States`), the optimizer updates.

#include "engine/run/options.h"
#include "engine/train/embedding_loss.h"
#include "engine/train/layer.h"
#include "engine/train/states.h"

#include <deque>
#include <span>
#include <vector>

namespace plimsoll::engine {

// The order in which a pipeline stage runs its micro-batches: 1F1B, plain or
// interleaved (Narayanan et al. 2021, section 2.2, as Megatron-LM orders them).
//
//   for (const Task& task : schedule(stage, layout)) ...
//
// With interleaving a stage holds `chunks` pieces of the model; block number
// chunk * stages + stage follows another around the ring of stages.
struct Task {
    bool forward;
    int chunk, micro_batch;
};
std::vector<Task> schedule(int stage, const LayoutOptions&);

// Most micro-batches of a chunk between forward and backward pass at once: the activations to keep.
std::vector<int> in_flight(const std::vector<Task>&, int chunks);

struct StepResult {
    double loss = 0;       // mean over the tokens of the global batch
    double norm = 0;       // of the gradient before clipping
    bool stop = false;     // some rank was asked to stop: all ranks agree
};

template <class Real, class Wide> class Trainer {
public:
    Trainer(const Options&, const Shape&, Grid&, Kernels<Real, Wide>&, PhaseClock&, Arena&);

    States<Real, Wide>& states() { return states_; }
    const Context<Real, Wide>& context() const { return c_; }

    // batch: this rank's micro-batches one after the other, each its ids [B, T] and then its targets [B, T].
    // after_reduction: called when gradients are final and before they are clipped and used.
    StepResult step(int number, std::span<const std::int32_t> batch, bool stop,
                    const std::function<void()>& after_reduction = {});

private:
    struct Chunk {                       // one piece of the model on this stage
        std::vector<const Unit*> layers;
        bool first, last;                // of the whole model
        int previous, next;              // stages that hold its neighbours
        int output_slots, gradient_slots;
        std::vector<Real*> out;          // [slot]: output on its way to the next stage, or input of the head
        std::vector<Real*> d;            // [slot]: gradient, computed in place and on its way to the previous stage
        std::vector<std::vector<LayerActivations<Real, Wide>>> kept;  // [output slot][layer]: for the backward pass
        std::vector<Request> sent, sent_back;
    };
    std::vector<Unit> my_units() const;
    std::vector<Chunk> make_chunks();
    LayerActivations<Real, Wide> keep_activations();
    void receive_batch(std::span<const std::int32_t>);
    void forward(const Task&, const Task* next);
    void backward(const Task&, const Task* next);
    void head_backward(Chunk&, int slot, int micro_batch, Real* d, bool last);
    void embedding_backward(int micro_batch, const Real* d, bool last);
    void agree(StepResult&, bool stop);
    const Unit* unit(UnitKind) const;
    // Whose weights a task uses first; null without one.
    const Unit* first_unit(const Task*) const;
    const std::int32_t* ids(int micro_batch) const {
        return tokens_ + std::size_t(2 * micro_batch) * std::size_t(c_.rows());
    }
    const std::int32_t* targets(int micro_batch) const { return ids(micro_batch) + c_.rows(); }
    std::size_t boundary() const { return std::size_t(c_.local_rows()) * std::size_t(c_.shape.width); }
    double token_scale() const;

    std::deque<TimedComm> timed_;        // a deque: the context refers to them
    Context<Real, Wide> c_;
    Layer<Real, Wide> layer_;
    EmbeddingAndLoss<Real, Wide> embedding_and_loss_;
    States<Real, Wide> states_;
    std::vector<Task> tasks_;
    std::vector<Chunk> chunks_;
    std::int32_t* tokens_;
    double* sums_;                       // loss and squared norm, on the device
};

}  // namespace plimsoll::engine
