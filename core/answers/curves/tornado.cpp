#include "core/answers/curves/tornado.h"

#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/in_words.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/network_levels.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

namespace plimsoll {

namespace {

constexpr std::string_view tornado_names[] = {"time", "node-hours", "energy", "cost"};
constexpr std::string_view tornado_units[] = {"days", "node-hours", "MWh", ""};

// Of the bars and of the curve beside them.
Axis axis_of(TornadoOf of) {
    constexpr const char* labels[] = {"Time to train", "Node-hours", "Energy of the facility", "Cost"};
    return {labels[static_cast<int>(of)], of == TornadoOf::node_hours ? "" : std::string(unit_of_tornado(of))};
}

constexpr const char* turned_knobs[] = {
    "machine.device.efficiency.gemm_ceiling", "machine.device.efficiency.stream_fraction",
    "machine.device.efficiency.flash_forward", "machine.device.efficiency.flash_backward",
    "machine.device.efficiency.sustained", "machine.reliability.failures_per_1000_node_days",
    "machine.storage.write_GBps", "machine.power.pue", "machine.power.device_max_W"};
constexpr double below = 0.8, above = 1.25;

// These, and what is reached of the widest level that the plan's devices talk over, and of the node's.
std::vector<std::string> turned_in(const Scenario& s) {
    std::vector<std::string> ids(std::begin(turned_knobs), std::end(turned_knobs));
    const int node = level_of_node(s.machine), widest = widest_level(s);
    if (node >= 0) ids.push_back(id_of_level(node, "efficiency"));
    if (widest >= 0 && widest != node) ids.push_back(id_of_level(widest, "efficiency"));
    return ids;
}

// "machine.device.efficiency.gemm_ceiling" for "/device/efficiency/gemm_ceiling".
std::string knob_of(std::string pointer) {
    std::replace(pointer.begin(), pointer.end(), '/', '.');
    return "machine" + pointer;
}

const MeasuredConstant* measured(const Machine& m, std::string_view knob) {
    if (const Calibration* c = m.calibration.get())
        for (const MeasuredConstant& each : c->constants)
            if (!each.of_stack() && knob_of(each.pointer) == knob && each.low < each.high) return &each;
    return nullptr;
}

std::optional<TornadoBar> bar_of(const Scenario& s, const std::string& id) {
    const Knob* knob = find_knob(id);
    if (!knob || !idle_reason(*knob, s).empty()) return std::nullopt;
    TornadoBar b;
    b.knob = knob->id;
    b.what = label_in_words(*knob, s);
    b.value = knob->get(s);
    const MeasuredConstant* interval = measured(s.machine, knob->id);
    b.low_value = std::clamp(interval ? interval->low : below * b.value, knob->low, knob->high);
    b.high_value = std::clamp(interval ? interval->high : above * b.value, knob->low, knob->high);
    b.ends = interval ? phrase("95 % interval of its measurement") : phrase("0.80 and 1.25 times the preset's");
    const auto low = with(s, *knob, b.low_value), high = with(s, *knob, b.high_value);
    if (!low || !high || b.low_value == b.high_value) return std::nullopt;
    b.low = *low;
    b.high = *high;
    return b;
}

std::optional<TornadoBar> price_bar(const Scenario& s) {
    const Machine& m = s.machine;
    if (m.price.amount > 0 || !m.usd_per_device_hour_low || !m.usd_per_device_hour_high) return std::nullopt;
    TornadoBar b;
    b.what = "Price of a device-hour, USD";
    b.low_value = *m.usd_per_device_hour_low;
    b.high_value = *m.usd_per_device_hour_high;
    b.value = (b.low_value + b.high_value) / 2;
    b.ends = phrase("range of the market");
    b.low = b.high = s;
    b.low.machine.usd_per_device_hour_high = b.low_value;
    b.high.machine.usd_per_device_hour_low = b.high_value;
    return b;
}

}  // namespace

std::string_view name_of_tornado(TornadoOf of) { return tornado_names[static_cast<std::size_t>(of)]; }
std::string_view unit_of_tornado(TornadoOf of) { return tornado_units[static_cast<std::size_t>(of)]; }

std::optional<TornadoOf> tornado_named(std::string_view name) {
    const auto found = std::find(std::begin(tornado_names), std::end(tornado_names), name);
    if (found == std::end(tornado_names)) return std::nullopt;
    return static_cast<TornadoOf>(found - std::begin(tornado_names));
}

std::optional<double> tornado_value(const Scenario& s, TornadoOf of) {
    const Outcome o = estimate(s);
    if (!o) return std::nullopt;
    const Totals t = totals(s, headline(s, *o), Counting::all);
    if (!t.ends()) return std::nullopt;
    switch (of) {
    case TornadoOf::time: return t.time / day;
    case TornadoOf::node_hours: return t.node_hours;
    case TornadoOf::energy: return t.facility_energy / megawatt_hour;
    case TornadoOf::cost: {
        const auto c = cost_of(s, t);
        return c ? std::optional(c->middle()) : std::nullopt;
    }
    }
    return std::nullopt;
}

std::vector<TornadoBar> tornado(const Scenario& s, TornadoOf of) {
    std::vector<TornadoBar> bars;
    const auto add = [&](std::optional<TornadoBar> b) {
        if (!b) return;
        const auto low = tornado_value(b->low, of), high = tornado_value(b->high, of);
        if (!low || !high || *low == *high) return;
        b->at_low = *low;
        b->at_high = *high;
        bars.push_back(*std::move(b));
    };
    for (const std::string& id : turned_in(s)) add(bar_of(s, id));
    if (of == TornadoOf::cost) add(price_bar(s));
    std::stable_sort(bars.begin(), bars.end(),
                     [](const TornadoBar& a, const TornadoBar& b) { return a.width() > b.width(); });
    return bars;
}

Figure tornado_figure(const Scenario& s, TornadoOf of, const std::vector<TornadoBar>& bars) {
    Figure f;
    f.id = "tornado";
    f.title = "What the answer hangs on";
    f.x = {"Input", ""};
    f.y = axis_of(of);
    // Bars from the plan's own value to the value at either end.
    const auto here = tornado_value(s, of);
    Series low{"low", "at its lower end", Mark::change, {}, {}, {}};
    Series high{"high", "at its upper end", Mark::change, {}, {}, {}};
    const auto add = [&](Series& to, double row, double y, const std::string& name) {
        to.x.push_back(row);
        to.y.push_back(y);
        to.low.push_back(std::min(y, here.value_or(y)));
        to.high.push_back(std::max(y, here.value_or(y)));
        to.names.push_back(name);
    };
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const TornadoBar& b = bars[i];
        f.categories.push_back(b.what);
        add(low, double(i), b.at_low, b.what + " " + significant(b.low_value, 4));
        add(high, double(i), b.at_high, b.what + " " + significant(b.high_value, 4));
    }
    f.series = {low, high};
    if (here) f.series.push_back({"plan", "the plan", Mark::limit, {}, {*here}, {}});
    f.caption = "One input at a time at the lower and the upper end of what it may be, all else as in the plan: of "
                "measured inputs the 95 % interval, of the others 0.80 and 1.25 times the preset's. Failures, "
                "checkpoints and ends of jobs are counted.";
    return f;
}

Figure tornado_curve(const Scenario& s, TornadoOf of, const TornadoBar& bar) {
    constexpr int points = 17;
    Figure f;
    f.id = "tornado-curve";
    f.title = bar.what;
    f.y = axis_of(of);
    const Knob* knob = find_knob(bar.knob);
    if (!knob) return f;
    f.x = {knob->label, knob->unit};
    f.here_x = bar.value;
    f.caption = "The plan with " + knob->label + " from half to twice what it has, all else as it is.";
    Series line{"curve", f.y.label, Mark::line, {}, {}, {}};
    for (int i = 0; i < points; ++i) {
        const double x = bar.value * std::exp2(2.0 * i / (points - 1) - 1);
        if (x < knob->low || x > knob->high) continue;
        const auto turned = with(s, *knob, x);
        const auto y = turned ? tornado_value(*turned, of) : std::nullopt;
        if (!y) continue;
        line.x.push_back(x);
        line.y.push_back(*y);
    }
    if (line.x.size() > 1) f.series.push_back(std::move(line));
    return f;
}

}  // namespace plimsoll
