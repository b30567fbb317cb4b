#include "core/evidence/calibration/fit/certainty.h"

#include "core/answers/replan/replan.h"
#include "core/values/basics/normal.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <map>

namespace plimsoll {

namespace {

struct EfficiencyName {
    const char* name;
    double Efficiency::*field;
};
constexpr EfficiencyName efficiencies[] = {
    {"gemm_ceiling", &Efficiency::gemm_ceiling},
    {"gemm_half_depth", &Efficiency::gemm_half_depth},
    {"gemm_half_area", &Efficiency::gemm_half_area},
    {"gemm_half_rows", &Efficiency::gemm_half_rows},
    {"flash_half_sequence", &Efficiency::flash_half_sequence},
    {"flash_half_head", &Efficiency::flash_half_head},
    {"stream_fraction", &Efficiency::stream_fraction},
};
struct StackName {
    const char* name;
    double& (*of)(Stack&);
};
constexpr StackName stack_numbers[] = {
    {"stack/flash_forward_scale", [](Stack& s) -> double& { return s.kernels.flash_forward_scale; }},
    {"stack/flash_backward_scale", [](Stack& s) -> double& { return s.kernels.flash_backward_scale; }},
    {"stack/elementwise_factor", [](Stack& s) -> double& { return s.kernels.elementwise_factor; }},
    {"stack/optimizer_bytes", [](Stack& s) -> double& { return s.updates.optimizer_bytes; }},
    {"stack/tensor_exposed", [](Stack& s) -> double& { return s.tensor.exposed; }},
};

void turn_level(Level& level, const std::string& key, double factor) {
    if (key == "latency_us") level.latency *= factor;
    else if (key == "bandwidth_GBps") level.bandwidth *= factor;
    else if (key == "gather_factor") level.gather_factor *= factor;
    else if (key == "scatter_factor") level.scatter_factor *= factor;
    else if (key == "message_factor") level.message_factor *= factor;
    else if (key == "large_from_MB") level.large_from *= factor;
    else if (key == "large_bandwidth_GBps") level.large_bandwidth *= factor;
}

void turn(Machine& machine, Stack& stack, const std::string& pointer, double factor) {
    constexpr std::string_view levels = "/levels/", efficiency = "/device/efficiency/";
    StepFactors k;
    if (pointer == "steps/compute") k.compute = factor;
    if (pointer == "steps/network") k.network = factor;
    if (pointer == "steps/rest") k.rest = factor;
    if (pointer.starts_with("steps/")) return scale(machine, stack, k);
    if (pointer.starts_with(levels)) {
        const std::size_t slash = pointer.find('/', levels.size());
        const auto at = std::size_t(std::stoi(pointer.substr(levels.size(), slash - levels.size())));
        if (at < machine.levels.size()) turn_level(machine.levels[at], pointer.substr(slash + 1), factor);
        return;
    }
    for (const StackName& each : stack_numbers)
        if (pointer == each.name) each.of(stack) *= factor;
    for (const EfficiencyName& each : efficiencies)
        if (pointer.starts_with(efficiency) && pointer.substr(efficiency.size()) == each.name)
            machine.device.efficiency.*each.field *= factor;
    if (pointer == "/device/efficiency/kernel_floor_us") machine.device.efficiency.kernel_floor *= factor;
    if (pointer == "/device/bandwidth_GBps") machine.device.bandwidth *= factor;
}

}  // namespace

void turn(Machine& machine, Stack& stack, const Direction& d) {
    for (const auto& [pointer, change] : d.moves) turn(machine, stack, pointer, std::exp(change));
}

double student(double share, double degrees) {
    const double z = deviations_within(share), z2 = z * z, n = degrees;
    return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n)
                + (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n));
}

namespace fitting {

Informed informed(const std::vector<Direction>& before, const Slopes& slopes, const std::vector<double>& variances) {
    const auto n = Eigen::Index(before.size()), rows = Eigen::Index(slopes.size());
    Eigen::MatrixXd x(rows, n);
    for (Eigen::Index f = 0; f < rows; ++f)
        for (Eigen::Index d = 0; d < n; ++d)
            x(f, d) = slopes[std::size_t(f)][std::size_t(d)] / std::sqrt(variances[std::size_t(f)]);
    const Eigen::MatrixXd precision = Eigen::MatrixXd::Identity(n, n) + x.transpose() * x;
    const Eigen::MatrixXd covariance = precision.ldlt().solve(Eigen::MatrixXd::Identity(n, n));
    const Eigen::MatrixXd root = covariance.llt().matrixL();
    Informed all;
    all.used = (x * covariance * x.transpose()).trace();
    for (Eigen::Index column = 0; column < n; ++column) {
        std::map<std::string, double> moves;
        for (Eigen::Index d = column; d < n; ++d)   // the root is zero above its diagonal
            for (const auto& [pointer, change] : before[std::size_t(d)].moves)
                moves[pointer] += root(d, column) * change;
        all.directions.push_back({{moves.begin(), moves.end()}});
    }
    return all;
}

Variance pooled(double prior, double prior_degrees, double squares, double degrees) {
    const double all = prior_degrees + degrees;
    return {(prior_degrees * prior + squares) / all, all};
}

}  // namespace fitting

}  // namespace plimsoll
