#include "core/evidence/calibration/proof/evidence.h"

#include "core/evidence/calibration/plan/experiments.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace plimsoll {

namespace {

constexpr std::string_view node_network = "machine.network.node_", system_network = "machine.network.system_";

// "/levels/1/latency_us" of a level that the knob turns.
bool of_network(const Machine& m, std::string_view knob, const std::string& pointer) {
    const bool inside = knob.starts_with(node_network);
    if (!inside && !knob.starts_with(system_network)) return false;
    const std::string_view word = knob.substr(inside ? node_network.size() : system_network.size());
    const std::string key = word == "GBps" ? "bandwidth_GBps" : std::string(word);
    for (std::size_t i = 0; i < m.levels.size(); ++i)
        if ((m.levels[i].devices <= m.devices_per_node) == inside &&
            pointer == std::string("/levels/").append(std::to_string(i)).append("/").append(key))
            return true;
    return false;
}

// "machine.device.memory_GiB" is "/device/memory_GiB", "stack.gemm_factor" is "stack/gemm_factor".
std::string pointer_of(std::string_view name) {
    std::string pointer(name);
    if (!name.starts_with("machine.") && !name.starts_with("stack.")) return pointer;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    return name.starts_with("machine.") ? pointer.substr(std::string_view("machine").size()) : pointer;
}

ConstantEvidence evidence_of(const Calibration& c, const MeasuredConstant& m) {
    ConstantEvidence e{m, {}, {}, {}};
    const auto at = std::find_if(c.experiments.begin(), c.experiments.end(),
                                 [&](const Experiment& x) { return x.id == m.experiment; });
    e.sentence = significant(m.value, 3)
                     .append(", from ")
                     .append(significant(m.low, 3))
                     .append(" to ")
                     .append(significant(m.high, 3))
                     .append(" (95 %), measured on ")
                     .append(c.date)
                     .append("; it was ")
                     .append(significant(m.before, 3))
                     .append(".");
    if (at == c.experiments.end()) return e;
    e.experiment = *at;
    e.figure = points_figure(*at);
    const auto left_out =
        std::count_if(at->points.begin(), at->points.end(), [](const MeasuredPoint& p) { return p.contended; });
    e.sentence.append(" ").append(at->label).append(": ").append(std::to_string(std::ssize(at->points) - left_out))
        .append(" points, fitted within ").append(significant(100 * at->mean_error, 3)).append(" % on average");
    if (left_out) e.sentence.append("; ").append(std::to_string(left_out)).append(" more were disturbed and left out");
    e.sentence.append(".");
    return e;
}

Series points(const char* id, const char* label) { return {id, label, Mark::point, {}, {}, {}}; }

void add(Series& s, const std::string& name, double x, Seconds y) {
    s.x.push_back(x);
    s.y.push_back(y / millisecond);
    s.names.push_back(name);
}

// An interval that is not told, or does not hold the median, is drawn as none: both ends are the point.
void add_measured(Series& s, const MeasuredPoint& p) {
    const bool told = p.low > Seconds{} && p.low <= p.measured && p.measured <= p.high;
    add(s, p.label, p.size, p.measured);
    s.low.push_back((told ? p.low : p.measured) / millisecond);
    s.high.push_back((told ? p.high : p.measured) / millisecond);
}

void keep(Figure& f, Series s) {
    if (!s.x.empty()) f.series.push_back(std::move(s));
}

}  // namespace

double error(const MeasuredPoint& p) { return p.fitted / p.measured - 1; }

std::vector<ConstantEvidence> evidence_for(const Machine& machine, std::string_view knob_or_pointer) {
    std::vector<ConstantEvidence> all;
    const Calibration* c = machine.calibration.get();
    if (!c) return all;
    const std::string pointer = pointer_of(knob_or_pointer);
    for (const MeasuredConstant& m : c->constants)
        if (m.pointer == pointer || of_network(machine, knob_or_pointer, m.pointer)) all.push_back(evidence_of(*c, m));
    return all;
}

Figure points_figure(const Experiment& e) {
    Figure f;
    f.id = std::string("calibration-").append(e.id);
    f.title = e.label;
    f.x = {e.size_label, "", true};
    f.y = {"Time", "ms", true};
    Series measured = points("measured", "Measured"), fitted = points("fitted", "Fitted"),
           disturbed = points("contended", "Disturbed, left out");
    for (const MeasuredPoint& p : e.points) {
        if (!(p.size > 0) || !(p.measured > Seconds{})) continue;   // has no place on a logarithmic axis
        add_measured(p.contended ? disturbed : measured, p);
        if (p.fitted > Seconds{}) add(fitted, p.label, p.size, p.fitted);
    }
    keep(f, std::move(measured));
    keep(f, std::move(fitted));
    keep(f, std::move(disturbed));
    f.caption =
        std::string(
            "Median times as measured with their 95 % intervals, and what the fitted constants say of the same calls: ")
            .append(significant(100 * e.mean_error, 3))
            .append(" % apart on average. ");
    return f;
}

namespace {

// What a fit may tell that no plan promises.
constexpr struct {
    std::string_view pointer, name;
} others[] = {
    {"/device/efficiency/flash_half_head", "Attention: head size at half the rate"},
    {"/device/efficiency/flash_half_sequence", "Attention: sequence at half the rate"},
    {"/device/bandwidth_GBps", "Memory: bandwidth"},
    {"stack/context_GiB", "Memory: libraries and the program itself"},
    {"/levels/0/bandwidth_GBps", "Network: bandwidth"},
    {"/levels/0/large_from_MB", "Network: size of large messages"},
    {"/levels/0/large_bandwidth_GBps", "Network: bandwidth of large messages"},
    {"/storage/read_GBps", "File system: reading"},
    {"/power/host_W", "Power of a host"},
    {"/power/device_max_W", "Power of a device at most"},
};

constexpr std::string_view levels = "/levels/", codecs = "/device/codecs/",
                           kernels = "/device/efficiency/attention/";

std::string name_or_nothing(std::string_view pointer) {
    for (const auto& other : others)
        if (other.pointer == pointer) return std::string(other.name);
    return std::string(planned_name(pointer));
}

// "/levels/1/latency_us": the name it has at the innermost level, and which one it is.
std::string name_at_level(std::string_view pointer) {
    const std::string_view rest = pointer.substr(levels.size());
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view number = rest.substr(0, slash);
    if (number.empty() || number.size() > 3 || number.find_first_not_of("0123456789") != number.npos) return {};
    const std::string name = name_or_nothing(std::string(levels).append("0").append(rest.substr(slash)));
    return name.empty() ? name : name + " (level " + std::to_string(std::stoi(std::string(number)) + 1) + ")";
}

// "/device/codecs/fp8/encode" is "Codec fp8: encoding".
std::string name_of_codec(std::string_view pointer) {
    const std::string_view rest = pointer.substr(codecs.size());
    const std::string_view kind = rest.substr(0, rest.find('/'));
    if (rest.ends_with("/encode")) return std::string("Codec ").append(kind).append(": encoding");
    if (rest.ends_with("/decode")) return std::string("Codec ").append(kind).append(": decoding");
    return {};
}

// "/device/efficiency/attention/flash_2/forward" is "Attention forward: share of the peak (flash_2)".
std::string name_of_kernel(std::string_view pointer) {
    const std::string_view rest = pointer.substr(kernels.size());
    const std::string_view kernel = rest.substr(0, rest.find('/')), number = rest.substr(kernel.size());
    std::string name, pass;
    if (number == "/forward") name = name_or_nothing("/device/efficiency/flash_forward");
    if (number == "/backward") name = name_or_nothing("/device/efficiency/flash_backward");
    if (number == "/half_forward") pass = ", forward";
    if (number == "/half_backward") pass = ", backward";
    if (!pass.empty()) name = name_or_nothing("/device/efficiency/flash_half_sequence");
    return name.empty() ? name : name.append(" (").append(kernel).append(pass).append(")");
}

}  // namespace

std::string constant_name(const std::string& pointer) {
    std::string name = name_or_nothing(pointer);
    if (name.empty() && pointer.starts_with(levels)) name = name_at_level(pointer);
    if (name.empty() && pointer.starts_with(codecs)) name = name_of_codec(pointer);
    if (name.empty() && pointer.starts_with(kernels)) name = name_of_kernel(pointer);
    return name.empty() ? pointer : name;
}

namespace {

// "4.1 %", "4 %"
std::string tenths_of_percent(double share) {
    std::string text = fixed(100 * share, 1);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text + " %";
}

}  // namespace

ProofScores scores_of(const Calibration& c) {
    ProofScores scores{{}, score_of(c), 0};
    ProofScore& all = scores.all;
    for (const ProofRow& row : c.proof) {
        if (!row.held_out || !row.fair || !row.has_run()) continue;
        ++all.rows;
        all.time += std::abs(row.error());
        if (row.memory_measured > Bytes{}) all.memory += std::abs(row.memory_error());
        scores.inside += row.measured >= row.predicted_low && row.measured <= row.predicted_high;
    }
    if (all.rows) all.time /= all.rows, all.memory /= all.rows;
    return scores;
}

std::string proof_sentence(const Calibration& c) {
    const ProofScores s = scores_of(c);
    if (!s.all.rows) return phrase("No run was held back to test the prediction.");
    const std::string runs = numbered(s.all.rows, "run", "runs"), time = tenths_of_percent(s.all.time);
    std::string text =
        s.all.memory > 0
            ? phrase("{1} held back on this machine: mean error of the step time {2}, of memory {3}.", runs, time,
                     tenths_of_percent(s.all.memory))
            : phrase("{1} held back on this machine: mean error of the step time {2}.", runs, time);
    const int disturbed = s.all.rows - s.undisturbed.rows;
    if (disturbed > 0 && s.undisturbed.rows > 0)
        text.append(" ").append(phrase("Without the {1} that something disturbed it is {2}.", disturbed,
                                       tenths_of_percent(s.undisturbed.time)));
    if (disturbed > 0 && s.undisturbed.rows == 0) text.append(" ").append(phrase("Something disturbed all of them."));
    return text.append(" ").append(
        phrase("{1} of {2} lie inside their intervals of 90 %.", s.inside, s.all.rows));
}

std::string calibration_note(const Machine& machine) {
    if (const Calibration* c = machine.calibration.get())
        return phrase("Calibrated on {1}. {2}", c->date, proof_sentence(*c));
    return phrase("Uncalibrated: the prediction takes rates from \"{1}\", not from measurements of this computer.",
                  machine.name);
}

}  // namespace plimsoll
