#include "core/papers/galvatron_tables.h"

#include "core/costs/pipeline/schedule.h"
#include "core/costs/pipeline/stage.h"


namespace plimsoll {

namespace {

constexpr double element = 2;             // bytes of an activation or gradient on the wire
constexpr double states_per_weight = 4;   // 16 bytes for fp32's 4
constexpr double spare = 0.003;           // of sharded states
constexpr Bytes context = gibibyte;
constexpr double sixteen_bit = 0.5;       // of the fp32 parameters, on the wire

// One strategy of one task, priced.
class Priced {
public:
    Priced(const ProfileAtLength& c, const ProfiledShape& shape, const PipelineTask& t, const LayerStrategy& s)
        : c_(c), shape_(shape), t_(t), s_(s), samples_(double(t.batch) / t.micro_batches / s.data) {}

    bool measured() const;
    Cost layer(int stage) const;
    Cost ends(int stage) const;
    // Gathered inputs of tensor ranks have a buffer of their own.
    int gathered() const { return s_.tensor > 1 && c_.splits_activations ? units_of(message_MiB() * mebibyte) : 0; }

private:
    bool first(int stage) const { return stage == 0; }
    bool last(int stage) const { return stage == t_.pipeline - 1; }
    double message_MiB() const { return samples_ * shape_.sequence_length * shape_.hidden * element / (mebibyte / byte); }
    double in_flight(int stage) const {
        return t_.pipeline == 1 ? 1 : micro_batches_in_flight(shape_.schedule, stage, t_.pipeline, 1, t_.micro_batches);
    }
    // Tensor ranks lie innermost, so theirs are the only replicas that are not neighbours.
    const ByWidth& links() const { return s_.tensor > 1 && s_.replicas() < shape_.devices ? c_.strided_GBs : c_.neighbours_GBs; }
    double ms_per_MiB() const { return s_.replicas() > 1 ? 1 / links().at(s_.replicas()) : 0; }
    double reduce_ms(double parameter_MiB) const {
        const double n = s_.replicas();
        return 2 * (n - 1) / n * parameter_MiB * sixteen_bit * ms_per_MiB();
    }
    double exchange_ms() const;
    double held() const;
    const MeasuredProfile::EndsMemory& ends_memory(int stage) const {
        return t_.pipeline == 1 ? c_.alone : first(stage) ? c_.first : c_.last;
    }

    const ProfileAtLength& c_;
    const ProfiledShape& shape_;
    const PipelineTask& t_;
    const LayerStrategy& s_;
    double samples_;
};

bool Priced::measured() const {
    const int w = s_.width();
    if (s_.replicas() > 1 && !links().contains(s_.replicas())) return false;
    if (w > 1 && !(s_.tensor > 1 ? c_.gather : c_.all_to_all).contains(w)) return false;
    if (!c_.layer.activation_MiB.contains(w)) return false;
    if (t_.pipeline > 1 && !c_.message_GBs.contains(t_.pipeline)) return false;
    const auto has = [&](const MeasuredProfile::EndsMemory& m) { return m.states_MiB.contains(s_.tensor) && m.activation_MiB.contains(w); };
    return has(ends_memory(0)) && has(ends_memory(t_.pipeline - 1));
}

// Tensor parallel: an all-gather and a reduce-scatter forward and an all-gather backward, for either half of the layer;
// Ulysses: two all-to-alls each way. Checkpointing repeats the forward ones.
double Priced::exchange_ms() const {
    if (s_.width() == 1) return 0;
    const MessageTimes& times = s_.tensor > 1 ? c_.gather.at(s_.tensor) : c_.all_to_all.at(s_.sequence);
    return (s_.tensor > 1 ? 6 : 4) * (s_.checkpoint ? 1.5 : 1) * times.at(message_MiB());
}

// Of the states, the share that sharding leaves here: weights, gradients, master weights and moments.
double Priced::held() const {
    if (s_.sharding == Sharding::none) return 1;
    const double own = 1.0 / s_.replicas() + spare;
    const bool zero2 = s_.sharding == Sharding::zero2;
    if (t_.micro_batches == 1) return zero2 ? 7 / 8.0 * own + 1 / 8.0 : own;
    if (shape_.late_gradients) return zero2 ? 6 / 8.0 * own + 2 / 8.0 : 7 / 8.0 * own + 1 / 8.0;
    return (zero2 ? 7 / 8.0 * own + 1 / 8.0 : own) * 5 / 4;   // an fp32 sum besides
}

Cost Priced::layer(int stage) const {
    const double forward = c_.layer_ms.at(samples_ / s_.width());
    const double backward = (s_.checkpoint ? 3 : 2) * forward;
    const double reduce = reduce_ms(c_.layer.parameter_MiB / s_.tensor);
    const Seconds with_reduction = overlapped(backward * millisecond, reduce * millisecond, c_.overlap - 1);
    double rest = exchange_ms();
    if (s_.sharding == Sharding::zero3) rest += 0.5 * reduce;
    if (t_.pipeline > 1)
        rest += t_.pipeline * 2 * message_MiB() / c_.message_GBs.at(t_.pipeline) / t_.layers;
    const double splits = s_.sequence > 1 || (s_.tensor > 1 && c_.splits_activations) ? s_.width() : 1;
    const double activation = s_.checkpoint ? c_.layer.checkpointed_MiB / splits : c_.layer.activation_MiB.at(s_.width());
    const Seconds micro = (forward + backward + rest) * millisecond;
    return {micro / 3, 2 * micro / 3, with_reduction - backward * millisecond,
            units_of((states_per_weight * c_.layer.parameter_MiB / s_.tensor * held() + activation * in_flight(stage) * samples_) * mebibyte)};
}

Cost Priced::ends(int stage) const {
    if (!first(stage) && !last(stage)) return {{}, {}, {}, units_of(context)};
    const double both = t_.pipeline == 1 ? 1 : 0.5;
    const double forward = both * c_.ends_ms.at(samples_ / s_.width()), backward = 2 * forward;
    const MeasuredProfile::EndsMemory& memory = ends_memory(stage);
    const double states = memory.states_MiB.at(s_.tensor), n = s_.replicas();
    // ZeRO-3 fetches the weights for either pass, behind computation that this slows down.
    const double fetch = s_.sharding == Sharding::zero3 ? 0.5 * states / states_per_weight * sixteen_bit * ms_per_MiB() * (n - 1) / n : 0;
    const auto beside = [&](double computing) { return std::max(fetch, computing + fetch * (1 - 1 / c_.overlap)); };
    const double gathers = s_.tensor > 1 ? 2 * both * c_.gather.at(s_.tensor).at(message_MiB()) : 0;
    const Seconds micro = (beside(forward) + beside(backward) + gathers) * millisecond;
    const Seconds reduce = shape_.as_galvatron ? Seconds{} : reduce_ms(states / states_per_weight) * millisecond;
    const Seconds after = overlapped(backward * millisecond, reduce, c_.overlap - 1) - backward * millisecond;
    return {micro / 3, 2 * micro / 3, after,
            units_of((states * held() + memory.activation_MiB.at(s_.width()) * in_flight(stage) * samples_) * mebibyte + context)};
}

// Ranks of the wider strategy hand each other what the narrower keeps whole.
Seconds reshard_time(const ProfileAtLength& c, const ProfiledShape& shape, const PipelineTask& t, const LayerStrategy& from, const LayerStrategy& to) {
    if (!c.splits_activations || from.width() == to.width()) return {};
    const int wide = std::max(from.width(), to.width());
    const double samples = double(t.batch) / t.micro_batches / (shape.devices / t.pipeline / wide);
    const double bytes = (wide - 1.0) / wide * samples * shape.sequence_length * shape.hidden * element;
    return (shape.as_galvatron ? 100 : 1) * bytes * byte / (c.neighbours_GBs.at(wide) * gigabyte / second);
}

// A stage's reduction may go on while the stages before it finish their last backward passes.
Seconds simulated_step(std::span<const StageSum> stages, Schedule schedule, int micro_batches) {
    std::vector<ChunkTime> chunks;
    Seconds sticks_out, before;
    for (const StageSum& s : stages) {
        chunks.push_back({s.forward, s.backward});
        sticks_out = max(sticks_out, s.after - before);
        before += s.backward;
    }
    return makespan(schedule, chunks, int(stages.size()), micro_batches) + sticks_out;
}

}  // namespace

Seconds galvatron_step(std::span<const StageSum> stages, int m) {
    const int p = int(stages.size());
    Seconds all, behind_first;
    for (int i = 0; i < p; ++i) (i == 0 ? all : behind_first) += stages[i].micro();
    all += behind_first;
    const Seconds first = stages.front().micro();
    const double warm = std::min(p - 1, m - 1);
    const Seconds by_last = all + (m - 1.0) * stages.back().micro();
    const Seconds by_first = max(warm * first, behind_first) + std::max(0, m + 1 - p) * first;   // a third forward, two thirds backward
    Seconds sticks_out, before;
    for (const StageSum& s : stages) {
        sticks_out = max(sticks_out, s.after - s.ends - before);
        before += s.micro();
    }
    return max(by_last, by_first) + sticks_out;
}

Bytes searched_memory(Bytes device) {
    return device < 21 * gibibyte ? device : device - std::floor(0.2 * (device / memory_unit)) * memory_unit;
}

PriceList profiled_prices(ProfileAtLength calibration, ProfiledShape shape) {
    return [c = std::move(calibration), shape](const PipelineTask& t) {
        Tables tables;
        tables.layer.resize(t.pipeline);
        tables.ends.resize(t.pipeline);
        for (const LayerStrategy& s : t.strategies) {
            const Priced priced(c, shape, t, s);
            if (!priced.measured()) continue;
            tables.strategies.push_back(s);
            tables.transient.push_back(priced.gathered());
            for (int i = 0; i < t.pipeline; ++i) {
                tables.layer[i].push_back(priced.layer(i));
                tables.ends[i].push_back(priced.ends(i));
            }
        }
        for (const LayerStrategy& from : tables.strategies) {
            tables.reshard.emplace_back();
            for (const LayerStrategy& to : tables.strategies) tables.reshard.back().push_back(reshard_time(c, shape, t, from, to));
        }
        tables.step = [shape, m = t.micro_batches](std::span<const StageSum> stages) {
            return shape.as_galvatron ? galvatron_step(stages, m) : simulated_step(stages, shape.schedule, m);
        };
        return tables;
    };
}

}  // namespace plimsoll
