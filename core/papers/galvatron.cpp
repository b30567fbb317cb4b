#include "core/papers/galvatron.h"

#include "core/costs/pipeline/schedule.h"
#include "core/costs/step/stage.h"
#include "core/values/basics/text.h"

#include <Eigen/Dense>
#include <algorithm>
#include <set>
#include <utility>

namespace plimsoll {

namespace {

using MeasuredPoints = std::vector<std::pair<double, double>>;
using Timings = std::vector<MeasuredProfile::Timing>;

constexpr std::size_t enough_batches = 8;   // what Galvatron asks of a line over the batch

// Least squares; coefficients from the constant up, of x over the largest x so that powers stay comparable.
double fitted_at(const MeasuredPoints& points, int degree, double x) {
    double scale = 1;
    for (const auto& p : points) scale = std::max(scale, p.first);
    Eigen::MatrixXd powers(points.size(), degree + 1);
    Eigen::VectorXd y(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        double power = 1;
        for (int k = 0; k <= degree; ++k, power *= points[i].first / scale) powers(Eigen::Index(i), k) = power;
        y(Eigen::Index(i)) = points[i].second;
    }
    const Eigen::VectorXd c = powers.colPivHouseholderQr().solve(y);
    double value = 0, power = 1;
    for (int k = 0; k <= degree; ++k, power *= x / scale) value += c(k) * power;
    return value;
}

Line line_through(const MeasuredPoints& points) {
    const double at_0 = fitted_at(points, 1, 0);
    return {fitted_at(points, 1, 1) - at_0, at_0};
}

std::string at_length(int sequence) { return " at sequence length " + std::to_string(sequence); }

Expected<Line, std::string> time_line(const Timings& timings, int sequence, int degree, const std::string& what) {
    MeasuredPoints over_batch, over_sequence;
    std::set<int> lengths;
    double alone = 0;
    for (const auto& t : timings) {
        if (t.sequence == sequence) {
            over_batch.emplace_back(t.batch, t.ms_per_sample * t.batch);
            alone = t.ms_per_sample;
        }
        if (t.batch == 1) {
            over_sequence.emplace_back(t.sequence, t.ms_per_sample);
            lengths.insert(t.sequence);
        }
    }
    if (over_batch.size() >= enough_batches) return line_through(over_batch);
    if (lengths.size() > std::size_t(degree)) return Line{fitted_at(over_sequence, degree, sequence), 0};
    if (over_batch.size() == 1) return Line{alone, 0};
    return Unexpected{"the profile has no forward time of " + what + at_length(sequence) + ": it needs that one, "
                      + std::to_string(enough_batches) + " batch sizes there, or batch 1 at "
                      + std::to_string(degree + 1) + " lengths"};
}

ByWidth scaled(ByWidth all, double k) {
    for (auto& [width, value] : all) value *= k;
    return all;
}

MessageTimes message_times(const ByWidth& measured, double k) {
    MessageTimes m{scaled(measured, k), {}};
    m.line = line_through(MeasuredPoints(m.measured.begin(), m.measured.end()));
    return m;
}

}  // namespace

double MessageTimes::at(double MiB) const {
    for (const auto& [size, ms] : measured)
        if (size == MiB) return ms;
    return std::max(0.0, line.at(MiB));   // short messages may lie below the line of long ones
}

Expected<ProfileAtLength, std::string> at_length(const MeasuredProfile& p, int sequence) {
    const auto layer = time_line(p.layer, sequence, 2, "a layer");
    if (!layer) return Unexpected{layer.error()};
    const auto ends = time_line(p.ends, sequence, 1, "embedding and head");
    if (!ends) return Unexpected{ends.error()};
    // A pipeline of passes that end before they begin has no order.
    for (const auto& [what, line] : {std::pair{"a layer", &*layer}, {"embedding and head", &*ends}})
        if (!(line->at(1) > 0))
            return Unexpected{std::string("the forward times of ").append(what).append(" in the profile give ")
                                  .append(fixed(line->at(1), 2)).append(" ms").append(at_length(sequence))
                              + ": one of them is far from the curve through the others"};
    if (p.layer_memory.empty() || (p.layer_memory.size() == 1 && !p.layer_memory.contains(sequence)))
        return Unexpected{"the profile has no memory of a layer" + at_length(sequence) + ", nor of several lengths"};
    const int longest = p.layer_memory.rbegin()->first;
    if (!p.alone.contains(longest) || !p.first.contains(longest) || !p.last.contains(longest))
        return Unexpected{"the profile has memory of a layer but none of embedding and head" + at_length(longest)};

    const double k = double(sequence) / longest;
    ProfileAtLength c;
    c.layer_ms = *layer;
    c.ends_ms = *ends;
    c.layer = p.layer_memory.at(longest);
    c.layer.parameter_MiB = p.layer_memory.begin()->second.parameter_MiB;
    c.layer.activation_MiB = scaled(c.layer.activation_MiB, k);
    c.layer.checkpointed_MiB *= k;
    for (const auto& [from, to] : {std::pair{&p.alone, &c.alone}, {&p.first, &c.first}, {&p.last, &c.last}})
        *to = {from->at(longest).states_MiB, scaled(from->at(longest).activation_MiB, k)};
    c.splits_activations = p.splits_activations;
    c.neighbours_GBs = p.neighbours_GBs;
    c.strided_GBs = p.strided_GBs;
    c.message_GBs = p.message_GBs;
    c.overlap = p.overlap;
    // A ring all-reduce is a reduce-scatter and an all-gather of equal time.
    for (const auto& [ranks, times] : p.all_reduce_ms) c.gather[ranks] = message_times(times, 0.5);
    for (const auto& [ranks, times] : p.all_to_all_ms) c.all_to_all[ranks] = message_times(times, 1);
    return c;
}

namespace {

constexpr double element = 2;             // bytes of an activation or gradient on the wire
constexpr double states_per_weight = 4;   // 16 bytes for fp32's 4
constexpr double spare = 0.003;           // of sharded states
constexpr Bytes context = gibibyte;
constexpr double sixteen_bit = 0.5;       // of the fp32 parameters, on the wire

// One strategy of one task, priced.
class PricedStrategy {
public:
    PricedStrategy(const ProfileAtLength& c, const ProfiledShape& shape, const PipelineTask& t, const LayerStrategy& s)
        : c_(c), shape_(shape), t_(t), s_(s), samples_(double(t.batch) / t.micro_batches / s.data) {}

    bool measured() const;
    LayerCost layer(int stage) const;
    LayerCost ends(int stage) const;
    // Gathered inputs of tensor ranks have a buffer of their own.
    int gathered() const { return s_.tensor > 1 && c_.splits_activations ? units_of(message_MiB() * mebibyte) : 0; }

private:
    bool first(int stage) const { return stage == 0; }
    bool last(int stage) const { return stage == t_.pipeline - 1; }
    double message_MiB() const {
        return samples_ * shape_.sequence_length * shape_.hidden * element / (mebibyte / byte);
    }
    double in_flight(int stage) const {
        const PipelineShape pipeline{t_.pipeline, 1, t_.micro_batches};
        return t_.pipeline == 1 ? 1 : micro_batches_in_flight(shape_.schedule, pipeline, stage);
    }
    // Tensor ranks lie innermost, so theirs are the only replicas that are not neighbours.
    const ByWidth& links() const {
        return s_.tensor > 1 && s_.replicas() < shape_.devices ? c_.strided_GBs : c_.neighbours_GBs;
    }
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

bool PricedStrategy::measured() const {
    const int w = s_.width();
    const double sequences = samples_ / w;   // a line over the batch may begin below zero
    if (!(c_.layer_ms.at(sequences) > 0 && c_.ends_ms.at(sequences) > 0)) return false;
    if (s_.replicas() > 1 && !links().contains(s_.replicas())) return false;
    if (w > 1 && c_.splits_activations && !c_.neighbours_GBs.contains(w)) return false;   // reshard_time() needs it
    if (w > 1 && !(s_.tensor > 1 ? c_.gather : c_.all_to_all).contains(w)) return false;
    if (!c_.layer.activation_MiB.contains(w)) return false;
    if (t_.pipeline > 1 && !c_.message_GBs.contains(t_.pipeline)) return false;
    const auto has = [&](const MeasuredProfile::EndsMemory& m) {
        return m.states_MiB.contains(s_.tensor) && m.activation_MiB.contains(w);
    };
    return has(ends_memory(0)) && has(ends_memory(t_.pipeline - 1));
}

// Tensor parallel: an all-gather and a reduce-scatter forward and an all-gather backward, for either half of the layer;
// Ulysses: two all-to-alls each way. Checkpointing repeats the forward ones.
double PricedStrategy::exchange_ms() const {
    if (s_.width() == 1) return 0;
    const MessageTimes& times = s_.tensor > 1 ? c_.gather.at(s_.tensor) : c_.all_to_all.at(s_.sequence);
    return (s_.tensor > 1 ? 6 : 4) * (s_.checkpoint ? 1.5 : 1) * times.at(message_MiB());
}

// Of the states, the share that sharding leaves here: weights, gradients, master weights and moments.
double PricedStrategy::held() const {
    if (s_.sharding == Sharding::none) return 1;
    const double own = 1.0 / s_.replicas() + spare;
    const bool zero2 = s_.sharding == Sharding::zero2;
    if (t_.micro_batches == 1) return zero2 ? 7 / 8.0 * own + 1 / 8.0 : own;
    if (shape_.late_gradients) return zero2 ? 6 / 8.0 * own + 2 / 8.0 : 7 / 8.0 * own + 1 / 8.0;
    return (zero2 ? 7 / 8.0 * own + 1 / 8.0 : own) * 5 / 4;   // an fp32 sum besides
}

LayerCost PricedStrategy::layer(int stage) const {
    const double forward = c_.layer_ms.at(samples_ / s_.width());
    const double backward = (s_.checkpoint ? 3 : 2) * forward;
    const double reduce = reduce_ms(c_.layer.parameter_MiB / s_.tensor);
    const Seconds with_reduction = overlapped(backward * millisecond, reduce * millisecond, c_.overlap - 1);
    double rest = exchange_ms();
    if (s_.sharding == Sharding::zero3) rest += 0.5 * reduce;
    if (t_.pipeline > 1)
        rest += t_.pipeline * 2 * message_MiB() / c_.message_GBs.at(t_.pipeline) / t_.layers;
    const double splits = s_.sequence > 1 || (s_.tensor > 1 && c_.splits_activations) ? s_.width() : 1;
    const double activation =
        s_.checkpoint ? c_.layer.checkpointed_MiB / splits : c_.layer.activation_MiB.at(s_.width());
    const Seconds micro = (forward + backward + rest) * millisecond;
    return {micro / 3, 2 * micro / 3, with_reduction - backward * millisecond,
            units_of((states_per_weight * c_.layer.parameter_MiB / s_.tensor * held()
                      + activation * in_flight(stage) * samples_)
                     * mebibyte)};
}

LayerCost PricedStrategy::ends(int stage) const {
    if (!first(stage) && !last(stage)) return {{}, {}, {}, units_of(context)};
    const double both = t_.pipeline == 1 ? 1 : 0.5;
    const double forward = both * c_.ends_ms.at(samples_ / s_.width()), backward = 2 * forward;
    const MeasuredProfile::EndsMemory& memory = ends_memory(stage);
    const double states = memory.states_MiB.at(s_.tensor), n = s_.replicas();
    // ZeRO-3 fetches the weights for either pass, behind computation that this slows down.
    const double fetch = s_.sharding == Sharding::zero3
                           ? 0.5 * states / states_per_weight * sixteen_bit * ms_per_MiB() * (n - 1) / n
                           : 0;
    const auto beside = [&](double computing) { return std::max(fetch, computing + fetch * (1 - 1 / c_.overlap)); };
    const double gathers = s_.tensor > 1 ? 2 * both * c_.gather.at(s_.tensor).at(message_MiB()) : 0;
    const Seconds micro = (beside(forward) + beside(backward) + gathers) * millisecond;
    const Seconds reduce = shape_.as_galvatron ? Seconds{} : reduce_ms(states / states_per_weight) * millisecond;
    const Seconds after = overlapped(backward * millisecond, reduce, c_.overlap - 1) - backward * millisecond;
    return {micro / 3, 2 * micro / 3, after,
            units_of((states * held() + memory.activation_MiB.at(s_.width()) * in_flight(stage) * samples_) * mebibyte
                     + context)};
}

// Ranks of the wider strategy hand each other what the narrower keeps whole.
Seconds reshard_time(const ProfileAtLength& c, const ProfiledShape& shape, const PipelineTask& t,
                     const LayerStrategy& from, const LayerStrategy& to) {
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
    const Seconds by_first =
        max(warm * first, behind_first) + std::max(0, m + 1 - p) * first;  // a third forward, two thirds backward
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
        StrategyTables tables;
        tables.layer.resize(t.pipeline);
        tables.ends.resize(t.pipeline);
        for (const LayerStrategy& s : t.strategies) {
            const PricedStrategy priced(c, shape, t, s);
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
            for (const LayerStrategy& to : tables.strategies)
                tables.reshard.back().push_back(reshard_time(c, shape, t, from, to));
        }
        tables.step = [shape, m = t.micro_batches](std::span<const StageSum> stages) {
            return shape.as_galvatron ? galvatron_step(stages, m) : simulated_step(stages, shape.schedule, m);
        };
        return tables;
    };
}

}  // namespace plimsoll
