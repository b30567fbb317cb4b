#include "core/evidence/published/likeness.h"

#include <Eigen/Dense>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace plimsoll {

namespace {

// Variances, in units of that of a plan's own error. Fitted to the errors of sources left out, so that one, two or
// three rows of a source predict the others best. Refitted without each source, any one row given, they take the middle
// source from 9.1 % to 8.5 % (fifty rows of each).
constexpr double scatter = 0.1;                // of a measurement
constexpr double own = 1 - scatter;
constexpr double attention_and_ends = 1.5, launches = 3.4, tensor_traffic = 22;  // of a share of the whole step

// Of the parts' errors another machine of the same device carries half, another stack nearly all, as the rows show;
// they are too few of another device, which is taken to carry as much.
constexpr double other_machine = 0.75, other_stack = 0.1;
constexpr double other_method = 0.75;          // not known: as another machine

// How far two plans are apart: what their own errors share falls by e with each unit. A thing that differs, all of the
// parts, a factor e between two sizes count so many units. Those of memory were fitted to pairs of published rows by
// the likelihood of the one given the other: devices and batch, which data parallelism changes, hardly matter there,
// tensor and pipeline degree and micro-batch do. Of times the rows tell no such difference.
struct Apart {
    double things, parts;
    std::array<double, std::tuple_size_v<decltype(Peer::sizes)>> sizes;   // in the order of peer_of()
};
constexpr Apart apart_in_time{1, 0.5, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};
constexpr Apart apart_in_memory{0.6, 0.35, {0.5, 0.4, 0.5, 0.9, 1, 0.5, 0.5, 0.5, 0.9, 0.25}};

constexpr double hardly_told = 0.05;           // of the variance: below, nothing is told

// An error is doubted beyond such a logarithm, and the more degrees of freedom the less.
constexpr double usual_error = 0.1, freedom = 3;
constexpr int passes = 4;

struct CarriedPart {
    Seconds StepTime::* part;
    int group;
};

constexpr double group_variance[] = {attention_and_ends, launches, tensor_traffic};
constexpr CarriedPart carried[] = {
    {&StepTime::attention, 0}, {&StepTime::elementwise, 0},     {&StepTime::ends, 0},
    {&StepTime::launch, 1},    {&StepTime::tensor_parallel, 2},
};

using GroupShares = std::array<double, std::size(group_variance)>;

GroupShares carried_shares(const Peer& p) {
    GroupShares shares{};
    for (const CarriedPart& c : carried)
        for (std::size_t i = 0; i < std::size(step_parts); ++i)
            if (step_parts[i].value == c.part) shares[std::size_t(c.group)] += p.time[i];
    return shares;
}

template <std::size_t N>
double sum_of_differences(const std::array<double, N>& a, const std::array<double, N>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < N; ++i) sum += std::abs(a[i] - b[i]);
    return sum;
}

bool strangers(const Peer& a, const Peer& b) { return a.kind.device != b.kind.device && a.kind.stack != b.kind.stack; }

int differences_in_method(const Peer& a, const Peer& b) {
    return (a.kind.purpose != b.kind.purpose) + (a.kind.trained != b.kind.trained);
}

// Of the parts that machine and software carry.
double carried_covariance(const Peer& a, const Peer& b, bool memory) {
    if (memory || strangers(a, b)) return 0;
    const GroupShares x = carried_shares(a), y = carried_shares(b);
    double sum = 0;
    for (std::size_t g = 0; g < x.size(); ++g) sum += group_variance[g] * x[g] * y[g];
    const double apart = other_machine * (a.machine != b.machine) + other_stack * (a.kind.stack != b.kind.stack)
                       + other_method * differences_in_method(a, b);
    return sum * std::exp(-apart);
}

// Correlation of the plans' own errors: 1 of a plan with itself.
double own_correlation(const Peer& a, const Peer& b, bool memory) {
    if (strangers(a, b)) return 0;
    const double parts = memory ? sum_of_differences(a.memory, b.memory) : sum_of_differences(a.time, b.time);
    const int things = (a.kind.device != b.kind.device) + (a.kind.stack != b.kind.stack) + (a.machine != b.machine)
                     + (a.kind.precision != b.kind.precision) + (a.kind.crosses_nodes != b.kind.crosses_nodes)
                     + std::popcount(a.kind.traits ^ b.kind.traits) + differences_in_method(a, b);
    const Apart& weights = memory ? apart_in_memory : apart_in_time;
    double apart = weights.things * things + weights.parts * parts;
    for (std::size_t i = 0; i < a.sizes.size(); ++i) apart += weights.sizes[i] * std::abs(a.sizes[i] - b.sizes[i]);
    return std::exp(-apart);
}

// Two thirds of errors of sources that no fit has seen lie within it, where no copy was measured.
constexpr double usual_range = 0.149;

// Of the variance that errors have where no copy is known.
double share_told(double band) {
    const double left = std::log1p(band) / std::log1p(usual_range);
    return std::max(0.0, 1 - left * left);
}

// ---- Memory of copies

// What a run used is what was predicted, a reserve that libraries and the allocator hold, and activations that a
// framework keeps more or less of. Standard deviations before anything is measured, and of a measurement. Two thirds
// and nine tenths of published copies lie within the ranges.
constexpr Bytes reserve = 2 * gibibyte;
constexpr double activations = 0.08, memory_scatter = 0.01;

// A copy with another pipeline shows little of either: over published pairs, of all that it shows 0.2 to 0.5 leave
// least (4 sources, 166 pairs; all of it leaves more than nothing does).
constexpr double memory_share[] = {0, 0.4, 0.4, 1};   // by kin
constexpr double memory_band[] = {0, 0.11, 0.11, 0.025}, memory_wide[] = {0, 0.22, 0.22, 0.12};   // by kin

// Where several kinds of figures were measured: what the allocator took is what a plan's own figure means.
constexpr MemoryKind kinds_in_order[] = {MemoryKind::reserved, MemoryKind::used, MemoryKind::allocated};

// Those that tell most, of one kind of figure.
std::vector<std::size_t> copies_of(const Peer& p, const std::vector<KnownError>& given, MemoryKind kind, Kin& nearest) {
    std::vector<std::size_t> copies;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Kin kin = given[i].memory == kind ? kin_of(p.shape, given[i].plan->shape) : Kin::other;
        if (kin == Kin::other || kin < nearest) continue;
        if (kin > nearest) copies.clear();
        nearest = kin;
        copies.push_back(i);
    }
    return copies;
}

std::optional<ToldError> memory_by_copies(const Peer& p, const std::vector<KnownError>& given) {
    ToldError told;
    for (const MemoryKind kind : kinds_in_order)
        if (told.by = copies_of(p, given, kind, told.kin); !told.by.empty()) break;
    const auto n = Eigen::Index(told.by.size());
    const Bytes predicted = p.fullest.total();
    if (n == 0 || !(predicted > Bytes{})) return std::nullopt;
    Eigen::MatrixXd holds(n, 2), noise = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd missed(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const KnownError& g = given[told.by[std::size_t(i)]];
        const MemoryUse& use = g.plan->fullest;
        const double figure = figure_of(use, g.memory, g.plan->devices) / gibibyte;
        const double measured = figure * std::exp(-g.log_error);
        holds.row(i) << 1, use.activations / gibibyte;
        missed[i] = measured - figure;
        noise(i, i) = std::pow(memory_scatter * measured, 2);
    }
    const double held = reserve / gibibyte;
    const Eigen::Matrix2d prior = Eigen::Vector2d(held * held, activations * activations).asDiagonal();
    const Eigen::LDLT<Eigen::MatrixXd> seen(holds * prior * holds.transpose() + noise);
    const Eigen::Vector2d here(1, p.fullest.activations / gibibyte);
    const double shown = (holds * prior * here).dot(seen.solve(missed)) / (predicted / gibibyte);
    const double more = memory_share[std::size_t(told.kin)] * shown;
    told.log_error = -std::log(std::max(0.1, 1 + more));
    told.band = memory_band[std::size_t(told.kin)];
    told.wide = memory_wide[std::size_t(told.kin)];
    told.share = share_told(told.band);
    return told;
}

}  // namespace

Peer peer_of(const Scenario& s) {
    if (s.measured) return peer_of(model_alone(s));
    const Outcome e = estimate(s);
    return e ? peer_of(s, e->step, e->worst()) : peer_of(s, {}, {});
}

Peer peer_of(const Scenario& s, const StepTime& step, const MemoryUse& fullest) {
    const Layout& l = s.layout;
    Peer p{kind_of(s), s.machine.id};
    p.shape = copy_shape_of(s, step);
    p.fullest = fullest;
    p.devices = l.devices;
    const double sizes[] = {p.kind.parameters,        double(l.devices),         double(s.recipe.sequence_length),
                            double(l.tensor_parallel), double(l.pipeline_parallel), double(l.context_parallel),
                            double(l.expert_parallel), double(l.virtual_stages),    double(l.micro_batch),
                            double(s.recipe.global_batch_sequences)};
    static_assert(std::size(sizes) == std::tuple_size_v<decltype(p.sizes)>);
    for (std::size_t i = 0; i < std::size(sizes); ++i) p.sizes[i] = std::log(std::max(sizes[i], 1.0));
    if (!(step.total() > Seconds{})) return p;
    for (std::size_t i = 0; i < p.time.size(); ++i) p.time[i] = step.*step_parts[i].value / step.total();
    for (std::size_t i = 0; i < p.memory.size(); ++i) p.memory[i] = fullest.*memory_parts[i].value / fullest.total();
    return p;
}

ErrorTeller::ErrorTeller(std::vector<KnownError> given, bool memory) : given_(std::move(given)), memory_(memory) {
    const auto n = Eigen::Index(given_.size());
    Eigen::MatrixXd parts(n, n), alike(n, n);
    Eigen::VectorXd errors(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const Peer& a = *given_[std::size_t(i)].plan;
        errors[i] = given_[std::size_t(i)].log_error;
        for (Eigen::Index j = 0; j < n; ++j) {
            const Peer& b = *given_[std::size_t(j)].plan;
            parts(i, j) = carried_covariance(a, b, memory_);
            alike(i, j) = own_correlation(a, b, memory_);
        }
    }
    Eigen::VectorXd doubts = Eigen::VectorXd::Ones(n), weights;
    Eigen::MatrixXd inverse;
    for (int pass = 0;; ++pass) {
        const Eigen::VectorXd deviation = doubts.cwiseSqrt();
        Eigen::MatrixXd all = parts + own * (deviation * deviation.transpose()).cwiseProduct(alike);
        all.diagonal() += scatter * doubts;
        const Eigen::LDLT<Eigen::MatrixXd> solver(all);
        weights = solver.solve(errors);
        if (pass == passes) {
            inverse = solver.solve(Eigen::MatrixXd::Identity(n, n));
            break;
        }
        const Eigen::VectorXd unexplained = (errors - parts * weights) / usual_error;
        doubts = ((unexplained.array().square() + freedom) / (1 + freedom)).max(1.0);
    }
    doubts_.assign(doubts.begin(), doubts.end());
    weights_.assign(weights.begin(), weights.end());
    inverse_.assign(inverse.data(), inverse.data() + inverse.size());
}

// Covariance of a plan, whose own variance is in such doubt, with one that was given.
double ErrorTeller::with(const Peer& p, std::size_t given, double doubt) const {
    const Peer& g = *given_[given].plan;
    return carried_covariance(p, g, memory_)
         + own * std::sqrt(doubt * doubts_[given]) * own_correlation(p, g, memory_);
}

ToldError ErrorTeller::of(const Peer& p) const {
    if (given_.empty()) return {};
    if (auto told = by_copies(p)) return *std::move(told);
    return by_likeness(p);
}

std::optional<ToldError> ErrorTeller::by_copies(const Peer& p) const {
    if (memory_) return memory_by_copies(p, given_);
    std::vector<CopyError> copies;
    for (const KnownError& g : given_) copies.push_back({&g.plan->shape, g.log_error, g.scatter});
    auto h = handed_on(p.shape, copies);
    if (!h) return std::nullopt;
    return ToldError{h->log_error, share_told(h->band), h->kin, h->two_depths, h->band, h->wide, std::move(h->by)};
}

ToldError ErrorTeller::by_likeness(const Peer& p) const {
    double doubt = 1;                      // of the same plan measured again as much as of that one
    for (std::size_t i = 0; i < given_.size(); ++i)
        doubt = std::max(doubt, 1 + (doubts_[i] - 1) * own_correlation(p, *given_[i].plan, memory_));
    std::vector<double> near;
    for (std::size_t i = 0; i < given_.size(); ++i) near.push_back(with(p, i, doubt));
    const std::size_t n = near.size();
    double log_error = 0, told = 0;
    for (std::size_t i = 0; i < n; ++i) {
        log_error += near[i] * weights_[i];
        for (std::size_t j = 0; j < n; ++j) told += near[i] * inverse_[i * n + j] * near[j];
    }
    const double variance = carried_covariance(p, p, memory_) + (own + scatter) * doubt;
    const double share = std::clamp(told / variance, 0.0, 1.0);
    if (share < hardly_told) return {};
    ToldError result{log_error, share};
    result.by = likest(p);
    return result;
}

std::vector<std::size_t> ErrorTeller::likest(const Peer& p) const {
    std::vector<std::size_t> order;
    std::vector<double> shared;
    for (std::size_t i = 0; i < given_.size(); ++i) {
        shared.push_back(with(p, i, 1) / (carried_covariance(*given_[i].plan, *given_[i].plan, memory_)
                                          + doubts_[i]));
        if (shared[i] > 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return shared[a] > shared[b]; });
    return order;
}

}  // namespace plimsoll
