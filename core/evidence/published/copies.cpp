#include "core/evidence/published/copies.h"

#include "core/values/basics/phrase.h"
#include "core/values/knobs/in_words.h"
#include "core/values/knobs/knobs.h"
#include "core/values/plan/schedules.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {

namespace {

// The constants below were chosen with published sweeps: 33,000 pairs of copies in 30 sources, which weigh alike.

// An error y is the run's own as far as it is small: y^3 / (y^2 + w^2) of it is handed on. The width w grows by so much
// for each factor e in devices, in micro-batches and in layers.
constexpr double own_width = 0.02, width_by_factor = 0.015;

// Of that, what a copy with other pipeline stages hands on. With as many layers in a stage it is all: over published
// pairs of equal software, the errors of such copies regress on each other with 0.91 (between 0.89 and 0.98 nine times
// in ten, drawing sources; 3 of them, 30 pairs). Where the layers of a stage differ it is 0.22 (-0.09 to 0.41; 7
// sources, 500 pairs), and 0.3 leaves least.
constexpr double share_of[] = {0, 0.3, 1, 1};         // by kin

// Copies on more devices are slower than predicted by so much for each factor e.
constexpr double slower_by_factor = 0.01;

// Two depths: an error of the whole step, and one that is the same time at every depth, of ends, optimizer and start.
// The latter is counted in the time of 8 layers of a stage. Standard deviations of the two before anything is measured,
// and of a run whose own scatter is not known.
constexpr double of_layers = 0.2, of_the_rest = 0.1, usual_layers = 8, usual_scatter = 0.02;
constexpr double width_by_depth = 0.0075;              // what of width_by_factor is left when layers are continued
constexpr double apart_in_depth = 1.2;                 // a factor: nearer depths are one
constexpr double least_ratio = 0.05;                   // of measured to predicted: a line may reach below zero

// Two thirds and nine tenths of the plans lie within these of what copies say, and each such factor adds: half of the
// errors are below 2.4 %, but a tenth is above 10 %, because networks stall and are shared.
struct Range {
    double band, wide;
};
constexpr Range range_of[] = {{0, 0}, {0.08, 0.18}, {0.04, 0.10}, {0.029, 0.085}};   // by kin
constexpr Range range_by_factor{0.009, 0.025};
constexpr double deviations_of_nine_tenths = 1.645;

constexpr std::string_view kin_names[] = {"other", "other_stages", "stages_kept", "copy"};

bool may_be_cut(const std::string& id) {
    for (const char* name :
         {"model.layers", "model.window.layers", "model.experts.dense_layers", "model.sequence_length",
          "model.position_rows", "nodes", "layout.devices", "layout.data_parallel", "layout.shard_group",
          "layout.pipeline_parallel", "layout.virtual_stages", "layout.schedule", "layout.stage_split",
          "recipe.global_batch_sequences", "recipe.tokens", "recipe.examples", "recipe.epochs"})
        if (id == name) return true;
    return id.starts_with("recipe.checkpoint") || id.starts_with("recipe.optimizer_options");
}

const std::vector<const Knob*>& shared_knobs() {
    static const std::vector<const Knob*> all = [] {
        std::vector<const Knob*> list;
        for (const Knob& k : knobs())
            if (k.group != KnobGroup::machine && !may_be_cut(k.id)) list.push_back(&k);
        return list;
    }();
    return all;
}

// A knob that changes nothing in one of the two plans keeps nobody from being a copy.
bool agree(double a, double b) { return a == b || std::isnan(a) || std::isnan(b); }

// As many of the layers have a window, as nearly as whole layers allow.
bool same_windows(const CopyShape& a, const CopyShape& b) {
    return std::abs(a.windowed / a.layers - b.windowed / b.layers) <= 1 / std::min(a.layers, b.layers);
}

double factors(double a, double b) { return std::log(a / b); }

// How far a run is from the plan: factors e in devices and in micro-batches.
double apart(const CopyShape& plan, const CopyShape& run) {
    return std::abs(factors(plan.devices, run.devices)) + std::abs(factors(plan.micro_batches, run.micro_batches));
}

double apart_in_layers(const CopyShape& plan, const CopyShape& run) {
    return std::abs(factors(plan.layers_per_stage, run.layers_per_stage));
}

double width(const CopyShape& plan, const CopyShape& run) {
    return own_width + width_by_factor * (apart(plan, run) + apart_in_layers(plan, run));
}

double slower(const CopyShape& plan, const CopyShape& run) {
    return -slower_by_factor * factors(plan.devices, run.devices);   // of the logarithm of predicted / measured
}

bool are_of_two_depths(const std::vector<CopyError>& given, const std::vector<std::size_t>& by) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const std::size_t i : by) {
        least = std::min(least, given[i].run->layers_per_stage);
        most = std::max(most, given[i].run->layers_per_stage);
    }
    return most > apart_in_depth * least;
}

struct Line {
    double at_plan = 0, deviation = 0;
};

// The predicted time of so many layers, as a share of the predicted step.
double usual_layers_of(const CopyShape& c) { return usual_layers * c.in_layers / c.layers_per_stage; }

// measured / predicted = 1 + a + b x the share above, at the plan's layers: the best linear prediction with the prior.
// A run's own error grows with how far it is from the plan, in layers too, so that a deep probe tells more.
Line continued(const CopyShape& plan, const std::vector<CopyError>& given, const std::vector<std::size_t>& by) {
    const auto n = Eigen::Index(by.size());
    Eigen::MatrixXd at(n, 2);
    Eigen::VectorXd errors(n);
    Eigen::MatrixXd noise = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const CopyError& c = given[by[std::size_t(i)]];
        at.row(i) << 1, usual_layers_of(*c.run);
        errors[i] = std::expm1(-c.log_error - slower(plan, *c.run));
        const double scatter = c.scatter > 0 ? c.scatter : usual_scatter;
        const double far = width_by_factor * apart(plan, *c.run) + width_by_depth * apart_in_layers(plan, *c.run);
        noise(i, i) = scatter * scatter + far * far;
    }
    const Eigen::Matrix2d prior = Eigen::Vector2d(of_layers * of_layers, of_the_rest * of_the_rest).asDiagonal();
    const Eigen::LDLT<Eigen::MatrixXd> seen(at * prior * at.transpose() + noise);
    const Eigen::Vector2d here(1, usual_layers_of(plan));
    const Eigen::VectorXd near = at * prior * here;
    const double variance = here.dot(prior * here) - near.dot(seen.solve(near));
    const double slower_than_predicted = std::max(least_ratio, 1 + near.dot(seen.solve(errors)));
    return {-std::log(slower_than_predicted), std::sqrt(std::max(0.0, variance))};
}

}  // namespace

template <> std::span<const std::string_view> names_of<Kin>() { return kin_names; }

namespace {

// Embedding, head and loss are the same in a run of fewer layers, as is the work on the tables' parameters.
double share_in_layers(const Scenario& s, const StepTime& step) {
    const double tables = embedding_parameters(s.model, s.model.vocabulary) * (s.model.tied_embeddings ? 1 : 2);
    const Seconds rest = step.ends + tables / parameters(s.model) * (step.optimizer + step.data_parallel);
    return step.total() > Seconds{} ? std::clamp(1 - rest / step.total(), 0.0, 1.0) : 1;
}

}  // namespace

CopyShape copy_shape_of(const Scenario& s, const StepTime& predicted) {
    const auto& knobs = shared_knobs();
    CopyShape c;
    c.machine = s.machine.id;
    c.stack = s.stack.id;
    c.shared.reserve(knobs.size());
    for (const Knob* k : knobs)
        c.shared.push_back(idle_reason(*k, s).empty() ? k->get(s) : std::numeric_limits<double>::quiet_NaN());
    const Layout& l = s.layout;
    c.shared.push_back(schedule_kind(l.schedule).pairs);   // what is hidden in pairs of passes is more than stages
    const int stages = std::max(1, l.pipeline_parallel);
    if (stages > 1) c.stages = {double(stages), double(l.virtual_stages), double(l.schedule)};
    c.layers = std::max(1, s.model.layers);
    c.windowed = s.model.window.tokens > 0 ? s.model.window.layers : 0;
    c.layers_per_stage = double(std::max(1, s.model.layers)) / stages;
    c.devices = std::max(1, l.devices);
    c.micro_batches = std::max(1, micro_batches(s));
    c.in_layers = share_in_layers(s, predicted);
    return c;
}

Kin kin_of(const CopyShape& plan, const CopyShape& run) {
    if (plan.machine != run.machine || plan.stack != run.stack) return Kin::other;
    if (!std::equal(plan.shared.begin(), plan.shared.end(), run.shared.begin(), run.shared.end(), agree))
        return Kin::other;
    if (!same_windows(plan, run)) return Kin::other;
    if (plan.stages == run.stages) return Kin::copy;
    return plan.layers_per_stage == run.layers_per_stage ? Kin::stages_kept : Kin::other_stages;
}

std::vector<std::string> copy_differences(const Scenario& plan, const Scenario& run) {
    std::vector<std::string> labels;
    if (plan.machine.id != run.machine.id) labels.push_back(phrase("Machine"));
    if (plan.stack.id != run.stack.id) labels.push_back(phrase("Software"));
    for (const Knob* k : shared_knobs())
        if (k->get(plan) != k->get(run) && idle_reason(*k, plan).empty() && idle_reason(*k, run).empty())
            labels.push_back(label_in_words(*k));
    if (schedule_kind(plan.layout.schedule).pairs != schedule_kind(run.layout.schedule).pairs)
        labels.push_back(label_in_words(*find_knob("layout.schedule")));
    if (!same_windows(copy_shape_of(plan, {}), copy_shape_of(run, {})))
        labels.push_back(label_in_words(*find_knob("model.window.layers")));
    return labels;
}

std::optional<HandedOn> handed_on(const CopyShape& plan, const std::vector<CopyError>& given) {
    HandedOn h;
    bool as_many = false;   // micro-batches: such copies are preferred
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Kin kin = kin_of(plan, *given[i].run);
        const bool same = given[i].run->micro_batches == plan.micro_batches;
        if (kin == Kin::other || kin < h.kin || (kin == h.kin && as_many && !same)) continue;
        if (kin > h.kin || (same && !as_many)) h.by.clear();
        h.kin = kin;
        as_many = same;
        h.by.push_back(i);
    }
    if (h.by.empty()) return std::nullopt;
    h.two_depths = h.kin == Kin::copy && are_of_two_depths(given, h.by);
    double nearest = std::numeric_limits<double>::infinity(), deviation = 0;
    std::vector<double> each, scatters;
    for (const std::size_t i : h.by) {
        const CopyShape& run = *given[i].run;
        const double y = given[i].log_error, w = width(plan, run), share = share_of[std::size_t(h.kin)];
        each.push_back(share * y * y * y / (y * y + w * w) + slower(plan, run));
        scatters.push_back(given[i].scatter);
        nearest = std::min(nearest, apart(plan, run) + (h.two_depths ? 0 : apart_in_layers(plan, run)));
    }
    h.log_error = median(each);
    deviation = median(scatters);
    if (h.two_depths) {
        const Line line = continued(plan, given, h.by);
        h.log_error = line.at_plan;
        deviation = line.deviation;
    }
    const Range& range = range_of[std::size_t(h.kin)];
    h.band = std::hypot(range.band + range_by_factor.band * nearest, deviation);
    h.wide = std::hypot(range.wide + range_by_factor.wide * nearest, deviations_of_nine_tenths * deviation);
    return h;
}

}  // namespace plimsoll
