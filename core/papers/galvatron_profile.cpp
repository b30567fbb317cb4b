#include "core/papers/galvatron_profile.h"

#include <Eigen/Dense>

#include <set>
#include <utility>

namespace plimsoll {

namespace {

using Points = std::vector<std::pair<double, double>>;
using Timings = std::vector<MeasuredProfile::Timing>;

constexpr std::size_t enough_batches = 8;   // what Galvatron asks of a line over the batch

// Least squares; coefficients from the constant up, of x over the largest x so that powers stay comparable.
double fitted_at(const Points& points, int degree, double x) {
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

Line line_through(const Points& points) {
    const double at_0 = fitted_at(points, 1, 0);
    return {fitted_at(points, 1, 1) - at_0, at_0};
}

std::string at_length(int sequence) { return " at sequence length " + std::to_string(sequence); }

Expected<Line, std::string> time_line(const Timings& timings, int sequence, int degree, const std::string& what) {
    Points over_batch, over_sequence;
    std::set<int> lengths;
    double alone = 0;
    for (const auto& t : timings) {
        if (t.sequence == sequence) over_batch.emplace_back(t.batch, t.ms_per_sample * t.batch), alone = t.ms_per_sample;
        if (t.batch == 1) over_sequence.emplace_back(t.sequence, t.ms_per_sample), lengths.insert(t.sequence);
    }
    if (over_batch.size() >= enough_batches) return line_through(over_batch);
    if (lengths.size() > std::size_t(degree)) return Line{fitted_at(over_sequence, degree, sequence), 0};
    if (over_batch.size() == 1) return Line{alone, 0};
    return Unexpected{"the profile has no forward time of " + what + at_length(sequence) + ": it needs that one, " +
                      std::to_string(enough_batches) + " batch sizes there, or batch 1 at " + std::to_string(degree + 1) + " lengths"};
}

ByWidth scaled(ByWidth all, double k) {
    for (auto& [width, value] : all) value *= k;
    return all;
}

MessageTimes message_times(const ByWidth& measured, double k) {
    MessageTimes m{scaled(measured, k), {}};
    m.line = line_through(Points(m.measured.begin(), m.measured.end()));
    return m;
}

}  // namespace

double MessageTimes::at(double MiB) const {
    for (const auto& [size, ms] : measured)
        if (size == MiB) return ms;
    return line.at(MiB);
}

Expected<ProfileAtLength, std::string> at_length(const MeasuredProfile& p, int sequence) {
    const auto layer = time_line(p.layer, sequence, 2, "a layer");
    if (!layer) return Unexpected{layer.error()};
    const auto ends = time_line(p.ends, sequence, 1, "embedding and head");
    if (!ends) return Unexpected{ends.error()};
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

}  // namespace plimsoll
