#include "engine/train/trainer.h"

#include "engine/run/mutation.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::engine {

namespace {

std::deque<TimedComm> timed(Grid& grid, PhaseClock& clock) {
    std::deque<TimedComm> comms;
    comms.emplace_back(*grid.tensor, clock, Phase::tensor_parallel);
    comms.emplace_back(*grid.data, clock, Phase::data_parallel);
    comms.emplace_back(*grid.data, clock, Phase::shard_gather);
    comms.emplace_back(*grid.pipeline, clock, Phase::pipeline_transfer);
    comms.emplace_back(*grid.ends, clock, Phase::data_parallel);
    return comms;
}

int dropped(int accumulate) { return seeded(Mutation::last_micro_batch) ? accumulate - 1 : accumulate; }

std::vector<Task> tasks_of(int stage, LayoutOptions layout) {
    layout.accumulate = dropped(layout.accumulate);
    return schedule(stage, layout);
}

// The k-th pass of a stage: groups of one micro-batch per stage go through chunk after chunk.
Task pass(int k, bool forward, const LayoutOptions& l) {
    const int group = l.pipeline * l.chunks;
    const int chunk = k % group / l.pipeline;
    return {forward, forward ? chunk : l.chunks - 1 - chunk, k / group * l.pipeline + k % l.pipeline};
}

}  // namespace

template <class Real, class Wide>
Trainer<Real, Wide>::Trainer(const Options& o, const Shape& shape, Grid& grid, Kernels<Real, Wide>& kernels,
                             PhaseClock& clock, Arena& arena)
    : timed_(timed(grid, clock)),
      c_{kernels, clock, arena, grid.at, timed_[0], timed_[1], timed_[2], timed_[3], timed_[4], *grid.world, o, shape},
      layer_(c_),
      embedding_and_loss_(c_),
      states_(c_, my_units()),
      tasks_(tasks_of(grid.at.pipeline, o.layout)),
      chunks_(make_chunks()) {
    if (o.layout.zero == 3 && o.layout.data > 1) c_.between = [this] { states_.progress(); };
    tokens_ = arena.keep<std::int32_t>(std::size_t(2 * o.layout.accumulate) * std::size_t(c_.rows()), Use::buffers);
    sums_ = arena.keep<double>(2, Use::buffers);
}

template <class Real, class Wide> std::vector<Unit> Trainer<Real, Wide>::my_units() const {
    const LayoutOptions& l = c_.options.layout;
    Stage stage{c_.shape, c_.at.tensor, l.tensor, l.data, {}, c_.at.pipeline == 0, c_.at.pipeline == l.pipeline - 1};
    for (int chunk = 0; chunk < l.chunks; ++chunk)
        for (const int i : layers_of_block(c_.shape.layers, l.pipeline * l.chunks, chunk * l.pipeline + c_.at.pipeline))
            stage.layers.push_back(i);
    return units_of(stage);
}

template <class Real, class Wide> auto Trainer<Real, Wide>::make_chunks() -> std::vector<Chunk> {
    const LayoutOptions& l = c_.options.layout;
    const int stage = c_.at.pipeline, stages = l.pipeline, blocks = stages * l.chunks;
    const auto own = in_flight(tasks_, l.chunks);
    const auto before = in_flight(tasks_of((stage + stages - 1) % stages, l), l.chunks);
    std::vector<Chunk> chunks(std::size_t(l.chunks));
    auto next_layer = std::find_if(states_.units().begin(), states_.units().end(),
                                   [](const Unit& u) { return u.kind == UnitKind::layer; });
    for (int i = 0; i < l.chunks; ++i) {
        Chunk& c = chunks[std::size_t(i)];
        const int block = i * stages + stage;
        for (std::size_t n = layers_of_block(c_.shape.layers, blocks, block).size(); n > 0; --n)
            c.layers.push_back(&*next_layer++);
        c.first = block == 0;
        c.last = block == blocks - 1;
        c.previous = (stage + stages - 1) % stages;
        c.next = (stage + 1) % stages;
        // A buffer is free again when the neighbour has what it held: it cannot have asked for more micro-batches
        // than it keeps alive, so waiting for an old message never waits for a new one.
        c.output_slots = own[std::size_t(i)];
        c.gradient_slots = c.first ? 1 : before[std::size_t(stage == 0 ? i - 1 : i)];
        for (int s = 0; s < c.output_slots; ++s) {
            c.out.push_back(c_.arena.template keep<Real>(boundary(), Use::activations));
            auto& layers = c.kept.emplace_back();
            for (std::size_t n = 0; n < c.layers.size(); ++n) layers.push_back(keep_activations());
        }
        for (int s = 0; s < c.gradient_slots; ++s)
            c.d.push_back(c_.arena.template keep<Real>(boundary(), Use::buffers));
        c.sent.resize(std::size_t(c.output_slots));
        c.sent_back.resize(std::size_t(c.gradient_slots));
    }
    return chunks;
}

template <class Real, class Wide> LayerActivations<Real, Wide> Trainer<Real, Wide>::keep_activations() {
    LayerActivations<Real, Wide> kept;
    layer_.keep(kept, c_.options.layout.recompute, [&](auto*& pointer, std::size_t n) {
        using P = std::remove_reference_t<decltype(*pointer)>;
        pointer = c_.arena.template keep<P>(n, Use::activations);
    });
    return kept;
}

template <class Real, class Wide> const Unit* Trainer<Real, Wide>::unit(UnitKind kind) const {
    for (const Unit& u : states_.units()) if (u.kind == kind) return &u;
    return nullptr;
}

// Of every token's gradient: gradients are summed over micro-batches and data ranks, the loss is a mean over tokens.
template <class Real, class Wide> double Trainer<Real, Wide>::token_scale() const {
    const LayoutOptions& l = c_.options.layout;
    double tokens = double(l.batch()) * c_.shape.sequence;
    if (seeded(Mutation::sum_for_mean)) tokens /= l.data;
    if (seeded(Mutation::micro_batch_scale)) tokens /= l.accumulate;
    return 1 / tokens;
}

template <class Real, class Wide>
StepResult Trainer<Real, Wide>::step(int number, std::span<const std::int32_t> batch, bool stop,
                                     const std::function<void()>& after_reduction) {
    for (TimedComm& comm : timed_) comm.begin_step();
    c_.clock.enter(Pass::data);
    receive_batch(batch);
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        const Task& task = tasks_[i];
        const Task* const next = i + 1 < tasks_.size() ? &tasks_[i + 1] : nullptr;
        c_.clock.enter(task.forward ? Pass::forward : Pass::backward);
        task.forward ? forward(task, next) : backward(task, next);
    }
    c_.clock.enter(Pass::update);
    states_.reduce();
    StepResult result;
    agree(result, stop);
    if (after_reduction) after_reduction();
    const double clip = c_.options.train.clip;
    states_.update(number, clip > 0 && result.norm > clip ? clip / (result.norm + 1e-6) : 1);
    for (Chunk& c : chunks_) {
        for (Request& r : c.sent) c_.pipeline.wait(r);
        for (Request& r : c.sent_back) c_.pipeline.wait(r);
    }
    c_.kernels.synchronize();
    c_.clock.enter(Pass::data);
    return result;
}

template <class Real, class Wide> void Trainer<Real, Wide>::receive_batch(std::span<const std::int32_t> batch) {
    c_.kernels.copy_in(tokens_, batch.data(), batch.size_bytes());
    c_.kernels.zero(sums_, 2 * sizeof(double));
    states_.begin_step();
}

template <class Real, class Wide> const Unit* Trainer<Real, Wide>::first_unit(const Task* task) const {
    if (!task) return nullptr;
    const Chunk& chunk = chunks_[std::size_t(task->chunk)];
    if (task->forward) return chunk.first ? unit(UnitKind::tokens) : chunk.layers.front();
    if (chunk.last) return unit(c_.shape.tied ? UnitKind::tokens : UnitKind::head);
    return chunk.layers.back();
}

template <class Real, class Wide> void Trainer<Real, Wide>::forward(const Task& task, const Task* next) {
    Chunk& chunk = chunks_[std::size_t(task.chunk)];
    const int slot = task.micro_batch % chunk.output_slots;
    const auto& kept = chunk.kept[std::size_t(slot)];
    Real* x = kept.front().x;
    if (chunk.first) {
        const Unit *tokens = unit(UnitKind::tokens), *positions = unit(UnitKind::positions);
        const auto table = states_.weights(*tokens);
        states_.prefetch(chunk.layers.front());
        if (positions)
            embedding_and_loss_.embed(x, table.data, states_.weights(*positions).data, ids(task.micro_batch));
        else embedding_and_loss_.embed(x, table.data, nullptr, ids(task.micro_batch));
    } else {
        Request r = c_.pipeline.receive(x, boundary(), type_of<Real>, chunk.previous, 2 * task.chunk);
        c_.pipeline.wait(r);
    }
    Real* const out = chunk.out[std::size_t(slot)];
    Request& sent = chunk.sent[std::size_t(slot)];
    c_.pipeline.wait(sent);
    for (std::size_t i = 0, n = chunk.layers.size(); i < n; ++i) {
        const auto w = states_.weights(*chunk.layers[i]);
        states_.prefetch(i + 1 < n ? chunk.layers[i + 1] : first_unit(next));
        layer_.forward(kept[i], layer_tensors(*chunk.layers[i], w.data), i + 1 < n ? kept[i + 1].x : out);
    }
    const int next_chunk = task.chunk + (c_.at.pipeline + 1 == c_.options.layout.pipeline);
    if (!chunk.last) sent = c_.pipeline.send(out, boundary(), type_of<Real>, chunk.next, 2 * next_chunk);
}

template <class Real, class Wide> void Trainer<Real, Wide>::backward(const Task& task, const Task* next) {
    Chunk& chunk = chunks_[std::size_t(task.chunk)];
    const int slot = task.micro_batch % chunk.output_slots, back = task.micro_batch % chunk.gradient_slots;
    const bool last = task.micro_batch + 1 == dropped(c_.options.layout.accumulate);
    Real* const d = chunk.d[std::size_t(back)];
    Request& sent = chunk.sent_back[std::size_t(back)];
    c_.pipeline.wait(sent);
    if (chunk.last) {
        head_backward(chunk, slot, task.micro_batch, d, last);
    } else {
        Request r = c_.pipeline.receive(d, boundary(), type_of<Real>, chunk.next, 2 * task.chunk + 1);
        c_.pipeline.wait(r);
    }
    for (int i = int(chunk.layers.size()) - 1; i >= 0; --i) {
        const Unit& u = *chunk.layers[std::size_t(i)];
        const auto w = states_.weights(u);
        states_.prefetch(i > 0 ? chunk.layers[std::size_t(i - 1)] : first_unit(next));
        const auto g = states_.gradient(u);
        layer_.backward(chunk.kept[std::size_t(slot)][std::size_t(i)], layer_tensors(u, w.data),
                        layer_tensors(u, g.data), d);
        states_.finish(u, g.data, last);
    }
    const int previous_chunk = task.chunk - (c_.at.pipeline == 0);
    if (chunk.first) embedding_backward(task.micro_batch, d, last);
    else sent = c_.pipeline.send(d, boundary(), type_of<Real>, chunk.previous, 2 * previous_chunk + 1);
}

template <class Real, class Wide>
void Trainer<Real, Wide>::head_backward(Chunk& chunk, int slot, int micro_batch, Real* d, bool last) {
    const Unit& norm = *unit(UnitKind::last_norm);
    const Unit& head = *unit(c_.shape.tied ? UnitKind::tokens : UnitKind::head);
    const auto wn = states_.weights(norm), wh = states_.weights(head);
    states_.prefetch(chunk.layers.back());
    const auto gn = states_.gradient(norm), gh = states_.gradient(head);
    const auto at = [&](const char* name, auto* base) {
        const Parameter* p = norm.find(name);
        return p ? base + p->offset : nullptr;
    };
    embedding_and_loss_.loss_and_gradient(sums_, d, chunk.out[std::size_t(slot)],
                            {at("gain", wn.data), at("bias", wn.data), at("gain", gn.data), at("bias", gn.data)},
                            wh.data, gh.data, targets(micro_batch), token_scale());
    const bool more = c_.shape.tied && c_.at.pipeline == 0;  // the embedding adds to the same table
    states_.finish(head, gh.data, last && !more);
    states_.finish(norm, gn.data, last);
}

template <class Real, class Wide>
void Trainer<Real, Wide>::embedding_backward(int micro_batch, const Real* d, bool last) {
    const Unit& tokens = *unit(UnitKind::tokens);
    {
        const auto g = states_.gradient(tokens);
        embedding_and_loss_.embed_tokens_backward(g.data, d, ids(micro_batch));
        states_.finish(tokens, g.data, last);
    }
    if (const Unit* positions = unit(UnitKind::positions)) {
        const auto g = states_.gradient(*positions);
        embedding_and_loss_.embed_positions_backward(g.data, d);
        states_.finish(*positions, g.data, last);
    }
}

// Loss, gradient norm and the wish to stop, summed over all ranks at once. A stage that is done first waits here.
template <class Real, class Wide> void Trainer<Real, Wide>::agree(StepResult& result, bool stop) {
    double sums[3] = {0, 0, double(stop)};
    c_.in(Phase::optimizer, [&] {
        states_.add_squared_norm(sums_ + 1);
        c_.kernels.copy_out(sums, sums_, 2 * sizeof(double));
    });
    if (c_.at.tensor != 0) sums[0] = 0;  // every tensor rank of the last stage has the whole loss
    c_.in(c_.pipeline.size() > 1 ? Phase::bubble : Phase::data_parallel,
          [&] { c_.world.all_reduce(sums, 3, Type::f64); });
    result.loss = sums[0] / (double(c_.options.layout.batch()) * c_.shape.sequence);
    result.norm = std::sqrt(sums[1]);
    result.stop = sums[2] > 0;
}

template class Trainer<double, double>;
template class Trainer<float, float>;
template class Trainer<bf16, float>;

std::vector<Task> schedule(int stage, const LayoutOptions& l) {
    const int total = l.accumulate * l.chunks;
    int warmup = l.pipeline - stage - 1;
    if (l.chunks > 1) warmup = l.accumulate == l.pipeline ? total : 2 * warmup + (l.chunks - 1) * l.pipeline;
    warmup = std::min(warmup, total);
    const auto task = [&](int k, bool forward) { return l.chunks > 1 ? pass(k, forward, l) : Task{forward, 0, k}; };
    std::vector<Task> tasks;
    for (int k = 0; k < warmup; ++k) tasks.push_back(task(k, true));
    for (int k = warmup; k < total; ++k) {
        tasks.push_back(task(k, true));
        tasks.push_back(task(k - warmup, false));
    }
    for (int k = total - warmup; k < total; ++k) tasks.push_back(task(k, false));
    return tasks;
}

std::vector<int> in_flight(const std::vector<Task>& tasks, int chunks) {
    std::vector<int> now(std::size_t(chunks), 0), most(std::size_t(chunks), 0);
    for (const Task& t : tasks) {
        const auto c = std::size_t(t.chunk);
        now[c] += t.forward ? 1 : -1;
        most[c] = std::max(most[c], now[c]);
    }
    return most;
}

}  // namespace plimsoll::engine
