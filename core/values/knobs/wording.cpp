#include "core/values/knobs/wording.h"

#include "core/values/basics/names.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/rounded.h"
#include "core/values/basics/shown_units.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/in_words.h"
#include "core/values/knobs/provenance.h"
#include "core/values/plan/share.h"
#include "core/values/plan/weights.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

std::string without_zeros(std::string text) {
    if (text.find('.') == text.npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

// 1,024 and 12,288,000
std::string grouped(double whole) {
    std::string text = fixed(whole, 0);
    for (auto i = static_cast<int>(text.size()) - 3; i > (text[0] == '-' ? 1 : 0); i -= 3)
        text.insert(static_cast<std::size_t>(i), 1, ',');
    return text;
}

std::string number(double v) {
    v = rounded(v, 3);
    const double size = std::abs(v);
    if (!std::isfinite(v)) return significant(v, 6);
    if (size >= 100) return grouped(v);
    if (size >= 10) return without_zeros(fixed(v, 1));
    if (size >= 1) return without_zeros(fixed(v, 2));
    return significant(v, 3);
}

struct ScaleStep {
    double factor;     // in the base unit
    const char* name;
    double from;       // smallest value said in it, in the base unit
};

// The largest unit the value reaches, also by rounding: 59.96 s is 1 min.
template <std::size_t N>
std::string in_steps(double v, const ScaleStep (&steps)[N], const char* zero_unit) {
    if (v == 0) return std::string("0 ") + zero_unit;
    std::size_t i = 0;
    while (i + 1 < N && std::abs(v) >= steps[i + 1].from) ++i;
    const double shown = rounded(v / steps[i].factor, 3) * steps[i].factor;
    if (i + 1 < N && std::abs(shown) >= steps[i + 1].from) v = shown, ++i;
    return number(v / steps[i].factor) + ' ' + phrase(steps[i].name);
}

// Days are the longest, as on the axes of charts and in the policies of sites.
constexpr ScaleStep time_steps[] = {{1e-6, "us", 0},       {1e-3, "ms", 1e-3},     {1, "s", 1},
                               {60, "min", 60},       {3600, "h", 3600},      {86400, "d", 2 * 86400.0}};
// For who wishes hours, or days, of all that takes an hour or more.
constexpr ScaleStep hour_steps[] = {{1e-6, "us", 0}, {1e-3, "ms", 1e-3}, {1, "s", 1}, {60, "min", 60},
                               {3600, "h", 3600}};
constexpr ScaleStep day_steps[] = {{1e-6, "us", 0}, {1e-3, "ms", 1e-3}, {1, "s", 1}, {60, "min", 60},
                              {86400, "d", 3600}};
constexpr ScaleStep decimal_steps[] = {{1, "B", 0},     {1e3, "kB", 1e3},   {1e6, "MB", 1e6},
                                  {1e9, "GB", 1e9}, {1e12, "TB", 1e12}, {1e15, "PB", 1e15}};
constexpr ScaleStep byte_steps[] = {{1, "B", 0},           {0x1p10, "KiB", 0x1p10}, {0x1p20, "MiB", 0x1p20},
                               {0x1p30, "GiB", 0x1p30}, {0x1p40, "TiB", 0x1p40}, {0x1p50, "PiB", 0x1p50}};
constexpr ScaleStep energy_steps[] = {{1, "J", 0},           {1e3, "kJ", 1e3},       {3.6e6, "kWh", 3.6e5},
                                 {3.6e9, "MWh", 3.6e9}, {3.6e12, "GWh", 3.6e12}, {3.6e15, "TWh", 3.6e15}};
constexpr ScaleStep power_steps[] = {{1, "W", 0}, {1e3, "kW", 1e3}, {1e6, "MW", 1e6}, {1e9, "GW", 1e9}};
constexpr ScaleStep rate_steps[] = {{1, "FLOP/s", 0},      {1e6, "MFLOP/s", 1e6},  {1e9, "GFLOP/s", 1e9},
                               {1e12, "TFLOP/s", 1e12}, {1e15, "PFLOP/s", 1e15}, {1e18, "EFLOP/s", 1e18}};

// ---- Obstacles

// "Attention heads" inside a sentence; "ZeRO stage" and "QKV bias" stay.
std::string lowered(std::string label) {
    const auto word = label.substr(0, label.find(' '));
    const bool name = std::any_of(word.begin() + 1, word.end(), [](unsigned char c) { return std::isupper(c); });
    if (!name) label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
    return label;
}

std::string label_of(const std::string& id) {
    if (const Knob* k = find_knob(id)) return label_in_words(*k);
    if (id.empty()) return phrase("Value");
    std::string last = id.substr(id.rfind('.') + 1);
    std::replace(last.begin(), last.end(), '_', ' ');
    last[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(last[0])));
    return last;
}

std::string value_of(const std::string& id, double v) {
    const Knob* k = find_knob(id);
    if (!k) return number(v);
    if (k->kind == KnobKind::integer) return grouped(v);
    return format_value(*k, v) + (k->kind == KnobKind::real && !k->unit.empty() ? ' ' + k->unit : "");
}

std::string subject(const Obstacle& o) { return label_of(o.knob) + ' ' + value_of(o.knob, o.found); }
std::string object(const Obstacle& o) { return lowered(label_of(o.of)) + ' ' + value_of(o.of, o.of_value); }

// The sentence, and what would work if anything would.
std::string ended(std::string sentence, const std::string& offer) {
    return offer.empty() ? phrase("{1}.", sentence) : phrase("{1}; {2}.", sentence, offer);
}

// The values that an input takes: what a rule computes may lie beyond its range.
std::vector<double> offered(const Obstacle& o) {
    std::vector<double> values = o.valid;
    if (const Knob* k = find_knob(o.knob))
        std::erase_if(values, [&](double v) { return v < k->low || v > k->high; });
    return values;
}

std::string listed(const Obstacle& o) {
    std::vector<double> values = offered(o);
    std::stable_sort(values.begin(), values.end(), [&](double a, double b) {
        return std::abs(a - o.found) < std::abs(b - o.found);
    });
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(4, values.size()); ++i)
        text += (i ? ", " : "") + value_of(o.knob, values[i]);
    return text;
}

// "nearest that work: 2, 4", of a pattern with one place; empty where nothing does.
std::string offer(const Obstacle& o, const char* pattern) {
    return offered(o).empty() ? std::string() : phrase(pattern, listed(o));
}

constexpr const char* nearest_that_work = "nearest that work: {1}";

constexpr double unbounded = 1e30;  // a bound at or above this is none

std::string out_of_range(const Obstacle& o) {
    if (!o.of.empty())
        return ended(phrase("{1} is more than {2}", subject(o), object(o)), offer(o, nearest_that_work));
    if (o.valid.size() != 2) return ended(phrase("{1} is out of range", subject(o)), offer(o, nearest_that_work));
    const std::string low = value_of(o.knob, o.valid[0]);
    if (o.valid[1] >= unbounded) return phrase("{1} is out of range; it starts at {2}.", subject(o), low);
    return phrase("{1} is out of range; it goes from {2} to {3}.", subject(o), low, value_of(o.knob, o.valid[1]));
}

// What a batch must be a multiple of is a product, which `of` names by its last factor.
std::string factors(const Obstacle& o) {
    const std::string product = grouped(o.of_value);
    if (o.of == "layout.pipeline_parallel" && o.reason == Reason::batch_too_small)
        return phrase("data parallel x micro-batch x twice the pipeline stages = {1}, as this schedule needs", product);
    if (o.of == "layout.pipeline_parallel")
        return phrase("data parallel x micro-batch x pipeline stages = {1}, as an interleaved schedule needs", product);
    if (o.of == "layout.micro_batch_group")
        return phrase("data parallel x micro-batch x micro-batches in turn = {1}", product);
    if (o.of == "layout.context_parallel") return phrase("tensor parallel x context parallel = {1}", product);
    if (o.knob == "layout.micro_batch") return phrase("the grid's side x depth = {1}", product);
    if (o.of == "layout.data_parallel") return phrase("data parallel x micro-batch = {1}", product);
    return object(o);
}

std::string indivisible(const Obstacle& o) {
    // Batches and lengths are divided, the rest divides.
    const bool multiple = o.knob.starts_with("recipe.") || o.knob == "layout.micro_batch";
    if (multiple)
        return ended(phrase("{1} is not a multiple of {2}", subject(o), factors(o)), offer(o, "nearest that are: {1}"));
    const bool sequence = o.knob == "layout.context_parallel" && o.of == "recipe.sequence_length";
    const bool heads = o.knob == "layout.context_parallel" && o.of == "model.kv_heads";
    const std::string divisor = o.knob == "layout.virtual_stages" ? phrase("{1} times the pipeline stages", subject(o))
                              : sequence ? phrase("{1}, twice that in a ring,", subject(o)) : subject(o);
    const std::string divided = heads ? phrase("{1} of a tensor rank", object(o)) : object(o);
    return ended(phrase("{1} does not divide {2}", divisor, divided), offer(o, "nearest that do: {1}"));
}

std::string not_a_grid(const Obstacle& o) {
    const bool square = o.of != "layout.tensor_depth";  // then its side is what does not fit
    const std::string why = square ? phrase("{1} makes a grid whose side does not divide {2}", subject(o), object(o))
                                   : phrase("{1} is no square grid times depth {2}", subject(o), grouped(o.of_value));
    return ended(why, offer(o, nearest_that_work));
}

std::string incompatible(const Obstacle& o) {
    return ended(phrase("{1} does not go with {2}", subject(o), object(o)), offer(o, "what does: {1}"));
}

std::string unsupported(const Obstacle& o) {
    return ended(phrase("This device has no {1} matrix products", value_of(o.knob, o.found)), offer(o, "it has {1}"));
}

}  // namespace

std::string say(const Obstacle& o) {
    switch (o.reason) {
    case Reason::out_of_range: return out_of_range(o);
    case Reason::indivisible: return indivisible(o);
    case Reason::not_a_grid: return not_a_grid(o);
    case Reason::device_count_mismatch:
        return ended(phrase("{1} is not tensor x context x data x pipeline = {2}", subject(o), grouped(o.of_value)),
                     offer(o, "nearest that can be: {1}"));
    case Reason::exceeds_devices:
        return ended(phrase("{1} is more than the machine's {2}", subject(o), grouped(o.of_value)),
                     offer(o, "nearest that fit: {1}"));
    case Reason::batch_too_small:
        return ended(phrase("{1} is less than {2}", subject(o), factors(o)), offer(o, nearest_that_work));
    case Reason::unsupported_precision: return unsupported(o);
    case Reason::incompatible: return incompatible(o);
    case Reason::missing_hardware:
        return ended(phrase("{1} needs what this machine has none of: {2}", subject(o), object(o)),
                     offer(o, "what works: {1}"));
    case Reason::not_modelled:
        return ended(phrase("{1} is not modelled in this version", subject(o)), offer(o, "what is: {1}"));
    }
    return subject(o) + '.';
}

std::string id_of(Reason r) {
    switch (r) {
    case Reason::out_of_range: return "out_of_range";
    case Reason::indivisible: return "indivisible";
    case Reason::not_a_grid: return "not_a_grid";
    case Reason::device_count_mismatch: return "device_count_mismatch";
    case Reason::exceeds_devices: return "exceeds_devices";
    case Reason::batch_too_small: return "batch_too_small";
    case Reason::unsupported_precision: return "unsupported_precision";
    case Reason::incompatible: return "incompatible";
    case Reason::missing_hardware: return "missing_hardware";
    case Reason::not_modelled: return "not_modelled";
    }
    return "unknown";
}

std::string say(Seconds t) {
    switch (shown_units().durations) {
        case DurationUnit::automatic: break;
        case DurationUnit::hours: return in_steps(t / second, hour_steps, "s");
        case DurationUnit::days: return in_steps(t / second, day_steps, "s");
    }
    return in_steps(t / second, time_steps, "s");
}

std::string say(Bytes b) {
    return shown_units().memory == ByteUnit::decimal ? in_steps(b / byte, decimal_steps, "B")
                                                       : in_steps(b / byte, byte_steps, "B");
}

std::string say(Joules e) { return in_steps(e / joule, energy_steps, "kWh"); }
std::string say(Watts p) { return in_steps(p / watt, power_steps, "W"); }
std::string say(FlopRate r) { return in_steps(r / (flop / second), rate_steps, "FLOP/s"); }

std::string say_count(double n) {
    const ScaleStep letters[] = {{1e6, "M", 1e6}, {1e9, "B", 1e9}, {1e12, "T", 1e12}, {1e15, "P", 1e15}};
    const ScaleStep* best = nullptr;
    for (const ScaleStep& s : letters)
        if (std::abs(n) >= 0.99995 * s.from) best = &s;
    if (!best) return n == std::round(n) || std::abs(n) >= 1000 ? grouped(std::round(n)) : number(n);
    const double scaled = n / best->factor;
    return without_zeros(fixed(scaled, std::abs(scaled) < 10 ? 2 : 1)) + best->name;
}

namespace {

std::string degrees(const Layout& l) {
    std::string text = "tensor " + grouped(l.tensor_parallel) + " x pipeline " + grouped(l.pipeline_parallel);
    if (l.context_parallel > 1) text += " x context " + grouped(l.context_parallel);
    return text + " x data " + grouped(l.data_parallel);
}

std::string named(const Scenario& s, const char* knob) {
    const Knob& k = *find_knob(knob);
    return format_value(k, k.get(s));
}

std::string counted_things(double n, const char* one, const char* several) {
    return grouped(n) + ' ' + (n == 1 ? one : several);
}

std::string memory_choices(const Scenario& s) {
    const Layout& l = s.layout;
    std::string text = l.recompute == Recompute::none ? "no recompute" : named(s, "layout.recompute") + " recompute";
    if (recomputes_by_module(s)) text += " of " + names_of_modules(l.recompute_modules);
    if (l.recomputes_some())
        text += " in the first " + counted_things(l.recompute_layers, "layer", "layers") + " of each chunk";
    if (l.zero_stage > 0) text += ", ZeRO-" + grouped(l.zero_stage);
    if (l.sequence_parallel) text += ", sequence parallel";
    if (l.virtual_stages > 1) text += ", " + grouped(l.virtual_stages) + " virtual stages";
    return text;
}

}  // namespace

namespace {

// Without those that the model has no matrices of.
AdaptedMatrices adapted_in(const Scenario& s) {
    AdaptedMatrices a = s.method.adapted;
    a.experts = a.experts && has_experts(s.model);
    a.mixer = a.mixer && has_recurrence(s.model);
    return a;
}

}  // namespace

std::string say_method(const Scenario& s) {
    const Method& m = s.method;
    if (!tunes(m)) return {};
    std::string text = m.purpose == Purpose::preference ? "preference training of " : "fine-tuning of ";
    if (trains_adapters(m))
        text += "adapters of rank " + std::to_string(m.rank) + " (" + names_of_adapted(adapted_in(s))
              + "): " + say_count(trained_parameters(s.model, m)) + " trained parameters beside frozen weights"
              + (quantises_frozen(m) ? " in " + std::string(name_of(m.frozen)) : std::string());
    else text += "all weights";
    if (m.purpose == Purpose::preference)
        text += m.reference == Reference::resident       ? ", with a copy of the model as reference"
              : m.reference == Reference::adapters_off ? ", with the model without its adapters as reference"
                                                       : ", with no reference model in the step";
    return text;
}

std::string say_flop_count(const Method& m) {
    return tunes(m) ? std::to_string(flop_of_parameter(m)) + " N FLOP a token" : std::string();
}

std::string say_plan(const Scenario& s) {
    const Recipe& r = s.recipe;
    std::string changed = own_values_of_machine(s);
    if (!changed.empty()) changed = " (hypothetical machine: " + changed + ")";
    const std::string method = say_method(s);
    return s.model.name + " on " + s.machine.name + changed + ": " +
           (method.empty() ? method : method + ", " + say_flop_count(s.method) + ", ") +
           counted_things(nodes_used(s), "node", "nodes") + " (" +
           counted_things(s.layout.devices, "device", "devices") + "), " + degrees(s.layout) + ", micro-batch " +
           grouped(s.layout.micro_batch) + ", global batch " + grouped(r.global_batch_sequences) + " x " +
           grouped(r.sequence_length) + " tokens, " + say_count(tokens_of_run(r)) + " tokens in all, " +
           named(s, "recipe.precision") + ", " + memory_choices(s) + ", software " + s.stack.name;
}

std::string word_for_zero(const Knob& k) {
    for (const char* found :
         {"recipe.checkpoint_interval_s", "recipe.checkpoint_s", "machine.host.adam_Gparameters_per_s"})
        if (k.id == found) return phrase("automatic");
    return k.id == "layout.recompute_layers" || k.id == "layout.shard_group" ? phrase("all") : std::string();
}

std::string value_with_unit(const Knob& k, double value) {
    if (std::string word = word_for_zero(k); value == 0 && !word.empty()) return word;
    const std::string text = format_value(k, value);
    return k.unit.empty() ? text : text + ' ' + phrase(k.unit);
}

std::string say_edit(const Knob& k, double value) {
    const std::string text = value_of(k.id, value);
    if (k.id == "nodes") return value == 1 ? phrase("{1} node", text) : phrase("{1} nodes", text);
    const std::string label = label_in_words(k);
    if (k.kind == KnobKind::flag) return value != 0 ? label : phrase("No {1}", lowered(label));
    if (k.id != "layout.recompute") return label + ' ' + text;
    if (text == "none") return phrase("No recompute");
    if (text == "full") return phrase("Full recompute");
    if (text == "selective") return phrase("Selective recompute");
    return phrase("{1} recompute", text);
}

}  // namespace plimsoll
