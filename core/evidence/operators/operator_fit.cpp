#include "core/evidence/operators/operator_fit.h"

#include "core/evidence/fitting/least_squares.h"
#include "core/evidence/operators/operator_price.h"
#include "core/values/basics/names.h"
#include "core/values/basics/rounded.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace plimsoll {

namespace {

constexpr std::size_t fewest_rows = 8;
constexpr double determined_share = 0.5;   // of the prior's variance, removed
constexpr double both_sides = 2 * 1.96;    // of a 95 % interval, in standard deviations

// ---- What can be fitted, and to which rows

OperatorParameter of_device(const std::string& field, double prior, double width) {
    const Knob* knob = find_knob("machine.device.efficiency." + field);
    return {"device.efficiency." + field,
            knob->unit,
            prior,
            width,
            knob->low,
            knob->high,
            [knob](const Machine& m) { return value_in(*knob, m); },
            [knob](Machine& m, double value) {
                Scenario s;
                s.machine = std::move(m);
                knob->set(s, value);
                m = std::move(s.machine);
            }};
}

// The level that spans a node, and those inside it that are the same network: trays of an NVLink domain.
std::vector<std::size_t> node_levels(const Machine& m) {
    std::vector<std::size_t> inside;
    for (std::size_t i = 0; i < m.levels.size(); ++i)
        if (m.levels[i].devices <= m.devices_per_node) inside.push_back(i);
    const ByteRate rate = inside.empty() ? ByteRate{} : m.levels[inside.back()].bandwidth;
    std::erase_if(inside, [&](std::size_t i) { return m.levels[i].bandwidth != rate; });
    return inside;
}

template <class Get>
OperatorParameter of_node_level(const std::string& field, const char* unit, double prior, double width, double high,
                                Get at) {
    return {"levels.node." + field,
            unit,
            prior,
            width,
            0,
            high,
            [at](const Machine& m) {
                const std::vector<std::size_t> levels = node_levels(m);
                Level copy = levels.empty() ? Level{} : m.levels[levels.back()];
                return at(copy, nullptr);
            },
            [at](Machine& m, double value) {
                for (const std::size_t i : node_levels(m)) at(m.levels[i], &value);
            }};
}

// Reads a member in this unit, and sets it where there is a value.
template <auto Member, auto& Unit>
double level_member(Level& level, const double* value) {
    if (value) level.*Member = *value * Unit;
    return level.*Member / Unit;
}
template <auto Member>
double level_share(Level& level, const double* value) {
    if (value) level.*Member = *value;
    return level.*Member;
}

template <class Work, class Condition>
std::function<bool(const OperatorRow&)> rows_of(Condition condition) {
    return [condition](const OperatorRow& row) {
        const Work* work = std::get_if<Work>(&row.work);
        return work && condition(*work);
    };
}

bool in_16_bit(Precision p) { return p == Precision::bf16 || p == Precision::fp16; }

std::vector<OperatorParameter> attention_parameters(const std::string& kernel) {
    return {of_device("attention." + kernel + ".forward", 0.5, 0.5),
            of_device("attention." + kernel + ".backward", 0.45, 0.5),
            of_device("attention." + kernel + ".half_forward", 700, 0.8),
            of_device("attention." + kernel + ".half_backward", 900, 0.8)};
}

// A product below 1,024 in some dimension picks another kernel than those that training spends its time in, and such
// products are as many: they say what the large ones leave open.
constexpr double weight_of_narrow = 0.1;

OperatorGroup fp8_products(const char* name, Fp8Recipe scales, const std::string& fields) {
    const auto takes = [scales](const MeasuredProduct& p) {
        return p.format == Precision::fp8 && scales_of(p.conversion) == scales;
    };
    return {name,
            rows_of<MeasuredProduct>(takes),
            {of_device(fields + "ceiling", 0.7, 0.2), of_device(fields + "half_depth", 250, 0.8),
             of_device(fields + "half_area", 6e5, 1.2)},
            weight_of_narrow, true, true};
}

// Priors: what the published surfaces of devices have in common, each in the middle of what they show.
std::vector<OperatorGroup> all_operator_groups() {
    std::vector<OperatorGroup> groups{
        {"16-bit products",
         rows_of<MeasuredProduct>([](const MeasuredProduct& p) { return in_16_bit(p.format); }),
         {of_device("gemm_ceiling", 0.75, 0.2), of_device("gemm_half_depth", 100, 0.8),
          of_device("gemm_half_area", 3e5, 1.2), of_device("kernel_floor_us", 3, 0.5)},
         weight_of_narrow, true, true},
        fp8_products("fp8 products", Fp8Recipe::tensorwise, "fp8_"),
        fp8_products("fp8 products, scale a row", Fp8Recipe::rowwise, "fp8_scaled.rowwise."),
        fp8_products("fp8 products, scale a block", Fp8Recipe::blockwise, "fp8_scaled.blockwise."),
        {"16-bit grouped products",
         rows_of<MeasuredGrouped>([](const MeasuredGrouped& g) { return in_16_bit(g.format); }),
         {of_device("grouped_gemm", 0.8, 0.3), of_device("grouped_half_rows", 200, 0.7),
          of_device("grouped_half_width", 300, 0.8), of_device("grouped_weight_gradient", 0.8, 0.2)},
         1, true},
        {"fp8 grouped products",
         rows_of<MeasuredGrouped>([](const MeasuredGrouped& g) { return g.format == Precision::fp8; }),
         {of_device("grouped_gemm_fp8", 0.8, 0.3), of_device("grouped_half_rows", 200, 0.7),
          of_device("grouped_half_width", 300, 0.8)},
         1, true},
        {"collectives of a node",
         rows_of<MeasuredCollective>([](const MeasuredCollective& c) { return c.ranks <= c.ranks_per_node; }),
         {of_node_level("efficiency", "", 0.8, 0.2, 1, level_share<&Level::efficiency>),
          of_node_level("latency_us", "us", 1, 0.8, 1000, level_member<&Level::latency, microsecond>),
          of_node_level("start_us", "us", 5, 0.6, 1000, level_member<&Level::start, microsecond>),
          of_node_level("half_size_MB", "MB", 5, 0.8, 1000, level_member<&Level::half_size, megabyte>),
          of_node_level("gather_factor", "", 1, 0.1, 10, level_share<&Level::gather_factor>),
          of_node_level("scatter_factor", "", 1, 0.1, 10, level_share<&Level::scatter_factor>),
          of_node_level("exchange_factor", "", 1, 0.1, 10, level_share<&Level::exchange_factor>)}},
        {"memory streams",
         rows_of<MeasuredStream>([](const MeasuredStream&) { return true; }),
         {of_device("stream_fraction", 0.85, 0.1)}},
    };
    const auto kernels = names_of<AttentionKernel>();
    for (std::size_t kernel = 1; kernel < kernels.size(); ++kernel) {
        const std::string name(kernels[kernel]);
        groups.push_back({"attention " + name,
                          rows_of<MeasuredAttention>([kernel](const MeasuredAttention& a) {
                              return a.kernel == AttentionKernel(kernel);
                          }),
                          attention_parameters(name)});
    }
    return groups;
}

// ---- One fit

// Whether whole runs set the ceiling, rather than judgement.
bool measured_ceiling(const Machine& m) {
    for (const char* pointer : {"/device/efficiency/gemm_ceiling", "/device/efficiency"})
        if (const auto source = m.sources.find(pointer); source != m.sources.end())
            return source->second.kind != SourceKind::estimated;
    return true;
}

// Share of peak of a product as training is full of them.
double common_rate(const ProductSurface& s) {
    constexpr double side = 4096;
    return s.ceiling / (1 + s.half_depth / side) / (1 + s.half_area / (side * side));
}
ProductSurface surface_of_16_bit(const Efficiency& e) { return {e.gemm_ceiling, e.gemm_half_depth, e.gemm_half_area}; }
ProductSurface surface_of_fp8(const Efficiency& e) { return {e.fp8_ceiling, e.fp8_half_depth, e.fp8_half_area}; }

// What a long run keeps of such a product is then known from whole runs: a surface that operators move leaves that
// alone.
void keep_long_runs(const Efficiency& before, Efficiency& after) {
    const auto share = [](double now, const ProductSurface& was, const ProductSurface& is) {
        return was == is ? now : std::min(1.0, now * common_rate(was) / common_rate(is));
    };
    after.sustained = share(before.sustained, surface_of_16_bit(before), surface_of_16_bit(after));
    after.sustained_fp8 = share(before.sustained_fp8, surface_of_fp8(before), surface_of_fp8(after));
}

Machine with_values(const Machine& machine, const std::vector<OperatorParameter>& parameters,
                    std::span<const double> values) {
    Machine m = machine;
    for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].set(m, values[i]);
    if (measured_ceiling(machine)) keep_long_runs(machine.device.efficiency, m.device.efficiency);
    return m;
}

std::vector<double> seconds_of(const OperatorRows& rows, const Machine& machine) {
    OperatorPrices price(machine);
    std::vector<double> all;
    for (const OperatorRow& row : rows) all.push_back(price(row) / second);
    return all;
}

double median_where_it_counts(const OperatorRows& rows, const Machine& machine) {
    const std::vector<double> seconds = seconds_of(rows, machine);
    std::vector<double> counted, all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        all.push_back(seconds[i] / (rows[i].time / second) - 1);
        if (counts(rows[i])) counted.push_back(all.back());
    }
    return median_of_errors(counted.empty() ? all : counted).absolute;
}

CurveFit fit_surface(const OperatorRows& rows, const Machine& machine, const OperatorGroup& group) {
    const std::vector<OperatorParameter>& free = group.parameters;
    std::vector<double> measured, weight;
    for (const OperatorRow& row : rows) {
        measured.push_back(row.time / second);
        weight.push_back(counts(row) ? 1 : group.weight_beside);
    }
    std::vector<CurveParameter> parameters;
    for (const OperatorParameter& p : free) parameters.push_back({p.prior, p.width, p.low, p.high});
    const auto curve = [&](std::span<const double> values) {
        return seconds_of(rows, with_values(machine, free, values));
    };
    return fit_curve(measured, parameters, curve, weight);
}

bool is_determined(const OperatorParameter& p, double low, double high) {
    const double deviation = std::log(high / low) / both_sides;
    return deviation * deviation < (1 - determined_share) * p.width * p.width;
}

// Copied often: without the rest of its sources.
Machine only_the_ceilings_source(const Machine& preset) {
    Machine m = preset;
    m.sources = {};
    for (const auto& [pointer, source] : preset.sources)
        if (pointer == "/device/efficiency" || pointer == "/device/efficiency/gemm_ceiling")
            m.sources[pointer] = source;
    return m;
}

OperatorFit fit_group(const OperatorGroup& group, const OperatorRows& rows, const Machine& preset) {
    const Machine machine = only_the_ceilings_source(preset);
    const CurveFit all = fit_surface(rows, machine, group);
    OperatorFit fit;
    fit.machine = preset.id;
    fit.group = group.name;
    fit.rows = int(rows.size());
    std::set<std::string> sources;
    for (const OperatorRow& row : rows) sources.insert(row.source);
    fit.sources.assign(sources.begin(), sources.end());
    fit.before = median_where_it_counts(rows, machine);
    fit.fitted = median_where_it_counts(rows, with_values(machine, group.parameters, all.values));
    OperatorRows even, odd;
    for (std::size_t i = 0; i < rows.size(); ++i) (i % 2 == 0 ? even : odd).push_back(rows[i]);
    const CurveFit half = fit_surface(even, machine, group);
    fit.held_out = median_where_it_counts(odd, with_values(machine, group.parameters, half.values));
    for (std::size_t i = 0; i < group.parameters.size(); ++i) {
        const OperatorParameter& p = group.parameters[i];
        fit.constants.push_back({p.id, p.unit, p.get(preset), all.values[i], all.low[i], all.high[i],
                                 is_determined(p, all.low[i], all.high[i])});
    }
    return fit;
}

bool of_network(const OperatorConstant& c) { return c.id.starts_with("levels."); }

const OperatorGroup& group_named(const std::string& name) {
    const std::vector<OperatorGroup>& all = operator_groups();
    const auto found = std::find_if(all.begin(), all.end(), [&](const OperatorGroup& g) { return g.name == name; });
    return found == all.end() ? all.front() : *found;
}

const OperatorParameter& parameter_named(const std::string& group, const std::string& id) {
    const std::vector<OperatorParameter>& all = group_named(group).parameters;
    const auto found = std::find_if(all.begin(), all.end(), [&](const OperatorParameter& p) { return p.id == id; });
    return found == all.end() ? all.front() : *found;
}

bool same_peaks(const Device& a, const Device& b) {
    return a.fp32 == b.fp32 && a.fp16 == b.fp16 && a.bf16 == b.bf16 && a.fp8 == b.fp8;
}

// The same chip under another name: a preset whose constants of this group were those of the measured machine's.
bool follows(const Machine& machine, const Machine& measured, const OperatorFit& fit) {
    const OperatorGroup& group = group_named(fit.group);
    return group.of_the_chip && same_peaks(machine.device, measured.device)
        && std::all_of(group.parameters.begin(), group.parameters.end(), [&](const OperatorParameter& p) {
               return p.get(machine) == p.get(measured);
           });
}

// "/device/efficiency/gemm_ceiling", "/levels/0/efficiency"
std::vector<std::string> pointers_of(const OperatorConstant& c, const Machine& m) {
    std::string path = "/" + c.id;
    std::replace(path.begin(), path.end(), '.', '/');
    if (!of_network(c)) return {path};
    std::vector<std::string> all;
    for (const std::size_t i : node_levels(m))
        all.push_back("/levels/" + std::to_string(i) + path.substr(std::string_view("/levels/node").size()));
    return all;
}

// A kernel that the preset has no numbers of needs all of them.
bool lacks_kernel(const Machine& machine, const OperatorFit& fit) {
    return fit.group.starts_with("attention ")
        && std::any_of(fit.constants.begin(), fit.constants.end(), [&](const OperatorConstant& c) {
               return parameter_named(fit.group, c.id).get(machine) == 0;
           });
}

void set_fitted(Machine& machine, const Machine& preset, const OperatorFit& fit, const OperatorConstant& c) {
    const Efficiency before = machine.device.efficiency;
    parameter_named(fit.group, c.id).set(machine, rounded(c.value, 3));
    Efficiency& after = machine.device.efficiency;
    if (measured_ceiling(preset)) keep_long_runs(before, after);
    const Source kept{SourceKind::derived, "what whole runs keep, over the ceiling that operators show"};
    if (after.sustained != before.sustained) {
        after.sustained = rounded(after.sustained, 3);
        machine.sources["/device/efficiency/sustained"] = kept;
    }
    if (after.sustained_fp8 != before.sustained_fp8) {
        after.sustained_fp8 = rounded(after.sustained_fp8, 3);
        machine.sources["/device/efficiency/sustained_fp8"] = kept;
    }
    const Source fitted{
        SourceKind::measured,
        "Fitted to " + std::to_string(fit.rows) + " published operators of " + joined(fit.sources)};
    const Source middle{SourceKind::estimated, "not measured here: about what this kernel does on other devices"};
    const bool known = c.determined || group_named(fit.group).one_surface;
    for (const std::string& pointer : pointers_of(c, machine)) machine.sources[pointer] = known ? fitted : middle;
}

}  // namespace

const std::vector<OperatorGroup>& operator_groups() {
    static const std::vector<OperatorGroup> groups = all_operator_groups();
    return groups;
}

std::vector<OperatorFit> fit_operators(const OperatorRows& rows, const Machines& machines) {
    std::map<std::string, OperatorRows> of_machine;
    for (const OperatorRow& row : rows)
        if (const auto m = machines.find(row.machine); m != machines.end() && unpriced(row, m->second).empty())
            of_machine[row.machine].push_back(row);
    std::vector<OperatorFit> fits;
    for (const auto& [id, all] : of_machine)
        for (const OperatorGroup& group : operator_groups()) {
            OperatorRows taken;
            for (const OperatorRow& row : all)
                if (group.takes(row)) taken.push_back(row);
            if (taken.size() >= fewest_rows) fits.push_back(fit_group(group, taken, machines.at(id)));
        }
    return fits;
}

Machines machines_with(const std::vector<OperatorFit>& fits, const Machines& machines) {
    Machines changed;
    std::set<std::pair<std::string, std::string>> has_rows, done;   // device, group
    for (const OperatorFit& fit : fits) has_rows.emplace(machines.at(fit.machine).device.name, fit.group);
    for (const OperatorFit& fit : fits) {
        if (fit.held_out >= fit.before) continue;
        const Machine& measured = machines.at(fit.machine);
        for (const auto& [id, machine] : machines) {
            const bool same_device = machine.device.name == measured.device.name;
            const bool other_board = !has_rows.contains({machine.device.name, fit.group})
                                  && follows(machine, measured, fit) && done.emplace(id, fit.group).second;
            const bool whole = lacks_kernel(machine, fit) || group_named(fit.group).one_surface;
            for (const OperatorConstant& c : fit.constants) {
                const bool its_own = id == fit.machine || ((same_device || other_board) && !of_network(c));
                if (its_own && (c.determined || whole))
                    set_fitted(changed.try_emplace(id, machine).first->second, machine, fit, c);
            }
        }
    }
    return changed;
}

}  // namespace plimsoll
