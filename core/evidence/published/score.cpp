#include "core/evidence/published/score.h"

#include "core/values/knobs/wording.h"
#include "core/answers/campaign/cautions.h"
#include "core/answers/campaign/headline.h"
#include "core/answers/plan/headroom.h"
#include "core/evidence/published/contradicted.h"
#include "core/evidence/published/run_rules.h"
#include "core/values/basics/csv.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace plimsoll {

namespace {

std::string without_version(std::string name) {
    std::erase_if(name, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
    return name;
}

// What a configuration is, the release of its framework left out.
std::string configuration(const PublishedRow& row, const FilledRun& run) {
    const Layout& l = run.scenario.layout;
    const Recipe& p = run.scenario.recipe;
    std::ostringstream key;
    key << row.source << ' ' << without_version(row.layout.framework) << ' ' << row.model.name << ' '
        << row.machine.preset << ' ' << run.scenario.stack.id;
    for (int v :
         {l.devices, l.tensor_parallel, l.pipeline_parallel, l.context_parallel, l.data_parallel, l.virtual_stages,
          l.micro_batch, l.zero_stage, l.shard_group, l.expert_parallel, int(l.sequence_parallel), int(l.recompute),
          p.global_batch_sequences, p.sequence_length, int(p.precision)})
        key << ' ' << v;
    key << ' ' << method_key(run.scenario.method);
    return key.str();
}

void keep_newest(const PublishedRows& published, const std::vector<std::string>& configurations,
                 std::vector<ScoredRow>& rows) {
    std::map<std::string, std::string> newest;  // configuration -> release
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].excluded.empty())
            newest[configurations[i]] = std::max(newest[configurations[i]], published[i].layout.framework);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].excluded.empty() && published[i].layout.framework != newest[configurations[i]])
            rows[i].excluded = "superseded by the same configuration with '" + newest[configurations[i]] + "'";
}

ErrorSummary summary(const std::string& name, const std::vector<const ScoredRow*>& rows) {
    ErrorSummary s;
    s.name = name;
    std::vector<double> sizes;
    for (const ScoredRow* r : rows) {
        ++s.rows;
        if (s.family.find(r->family) == std::string::npos) s.family += (s.family.empty() ? "" : ", ") + r->family;
        if (!r->excluded.empty()) {
            ++s.excluded;
            continue;
        }
        sizes.push_back(std::abs(r->error));
        s.mean_absolute += std::abs(r->error);
        s.bias += r->error;
        if (s.worst_id.empty() || std::abs(r->error) > std::abs(s.worst)) {
            s.worst = r->error;
            s.worst_id = r->id;
        }
    }
    if (!sizes.empty()) {
        s.mean_absolute /= double(sizes.size());
        s.bias /= double(sizes.size());
    }
    s.median_absolute = median(sizes);
    return s;
}

using RowPointers = std::vector<const ScoredRow*>;

RowPointers pointers(const std::vector<ScoredRow>& rows) {
    RowPointers all;
    for (const ScoredRow& r : rows) all.push_back(&r);
    return all;
}

RowPointers of_kind(const std::vector<ScoredRow>& rows, const PublishedRows& published, bool experts) {
    RowPointers some;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (published[i].model.experts == experts) some.push_back(&rows[i]);
    return some;
}

std::vector<ErrorSummary> summaries(const RowPointers& rows, std::string ScoredRow::*by) {
    std::map<std::string, RowPointers> groups;
    for (const ScoredRow* r : rows) groups[r->*by].push_back(r);
    std::vector<ErrorSummary> all;
    for (const auto& [name, members] : groups) all.push_back(summary(name, members));
    return all;
}

// By what a plan is cautioned of that makes runs stand still at times: nothing prices that.
void set_stalling_apart(std::vector<ScoredRow>& rows) {
    for (ScoredRow& r : rows) {
        if (!r.excluded.empty()) continue;
        r.stalls = stall_of(r.plan, r.memory_share);
        if (!r.stalls.empty()) r.excluded = "may stand still at times: " + r.stalls;
    }
}

void set_contradicted_apart(std::vector<ScoredRow>& rows) {
    const std::vector<std::string> why = contradicted_by(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i].excluded.empty() || why[i].empty()) continue;
        rows[i].contradicted = why[i];
        rows[i].excluded = "held up: " + why[i];
    }
}

std::optional<double> median_over(const std::vector<ErrorSummary>& sources) {
    std::vector<double> means;
    for (const ErrorSummary& s : sources)
        if (s.counted() > 0) means.push_back(s.mean_absolute);
    return means.empty() ? std::nullopt : std::optional(median(means));
}

}  // namespace

std::string method_key(const Method& m) {
    if (!trains_adapters(m)) return std::string(name_of(m.purpose));
    std::ostringstream key;
    key << name_of(m.trained) << ' ' << m.rank << ' ' << names_of_adapted(m.adapted) << ' ' << m.fused_adapters << ' '
        << m.trains_tables << ' ' << name_of(m.frozen) << ' ' << m.magnitudes << ' ' << m.adapter_dropout;
    return key.str();
}

ErrorSummary summary_of(const std::string& name, const std::vector<ScoredRow>& rows) {
    return summary(name, pointers(rows));
}

Score score(const PublishedRows& rows, const RowPresets& presets, const Stack* instead) {
    Score result;
    std::vector<std::string> configurations;
    for (const PublishedRow& row : rows) {
        FilledRun run = filled_run(row, presets);
        if (instead) run.scenario.stack = *instead;
        RowScore r = score_row(row, run);
        configurations.push_back(r.time.excluded.empty() ? configuration(row, run) : "");
        result.rows.push_back(std::move(r.time));
        if (r.memory) result.memory_rows.push_back(std::move(*r.memory));
        for (ScoredRow& other : r.others) result.other_rows.push_back(std::move(other));
    }
    keep_newest(rows, configurations, result.rows);
    set_stalling_apart(result.rows);
    set_contradicted_apart(result.rows);
    const auto dense = of_kind(result.rows, rows, false), experts = of_kind(result.rows, rows, true);
    result.sources = summaries(dense, &ScoredRow::source);
    result.families = summaries(dense, &ScoredRow::family);
    result.expert_sources = summaries(experts, &ScoredRow::source);
    result.memory_sources = summaries(pointers(result.memory_rows), &ScoredRow::source);
    result.dense = median_over(result.sources);
    result.experts = median_over(result.expert_sources);
    result.memory = median_over(result.memory_sources);
    return result;
}

namespace {

const std::string reference_row = "a reference row, not for scoring";

ScoredRow bare(const PublishedRow& row) {
    ScoredRow r;
    r.id = row.id;
    r.source = row.source;
    r.vendor = row.vendor;
    r.family = device_family(row.machine.device);
    r.software = joined({row.layout.framework, row.layout.precision, row.layout.recompute}, "; ");
    return r;
}

void compare(ScoredRow& r, const PublishedTime& published, const Estimate& e) {
    const double predicted = e.step.total() / second;
    r.quantity = published.quantity;
    r.published = published.value;
    r.measured = published.seconds;
    r.error = predicted / published.seconds - 1;
    r.predicted = published.rate ? published.value / (1 + r.error) : published.value * (1 + r.error);
}

void compare(ScoredRow& r, const char* quantity, double published, double predicted) {
    r.quantity = quantity;
    r.published = published;
    r.predicted = predicted;
    r.error = predicted / published - 1;
}

// What is shown beside the quantity that counts. Of a scored row only figures of
// the whole run: its other rates repeat the one that counts.
void add_others(const PublishedRow& row, const std::vector<PublishedTime>& times, const FilledRun& run,
                const Estimate& e, const ScoredRow& counted, std::vector<ScoredRow>& others) {
    ScoredRow other = counted;
    other.excluded = row.reference ? reference_row : "of the whole run, not scored";
    for (std::size_t i = 1; i < times.size(); ++i)
        if (row.reference || !times[i].rate) {
            compare(other, times[i], e);
            others.push_back(other);
        }
    const RowMeasured& m = row.measured;
    if (!m.energy_mwh && !m.power_watts) return;
    const Headline h = headline(run.scenario, e);
    const auto add = [&](const char* quantity, double published, double predicted) {
        compare(other, quantity, published, predicted);
        others.push_back(other);
    };
    // Sources meter or assume the power of the devices and multiply by the PUE.
    if (m.energy_mwh && row.layout.train_tokens)
        add("energy_mwh", *m.energy_mwh, h.device_energy * run.scenario.machine.power.pue / megawatt_hour);
    if (m.power_watts) add("power_w_per_device", *m.power_watts, h.device_power / watt);
}

void add_memory(const PublishedRow& row, const Estimate& e, ScoredRow& r) {
    const RowMeasured& m = row.measured;
    const bool first = reports_first_stage(row.layout.framework);
    const bool binary = memory_unit_of(row) == MemoryUnit::gibibyte;
    const Bytes unit = binary ? gibibyte : gigabyte;
    r.quantity = binary ? "memory_GiB_per_device" : "memory_gb_per_device";
    r.published = *m.memory_gb;
    r.measured = r.published * unit / byte;
    r.memory = {memory_kind_of(row), m.memory_rank.value_or(first ? MemoryRank::first : MemoryRank::worst)};
    r.predicted = figure_of(e, r.memory) / unit;
    r.error = r.predicted / r.published - 1;
    // A cache that may grow does, until the device is full.
    constexpr double full = 0.97;
    if (r.memory.kind == MemoryKind::used && r.measured * byte > full * e.memory_limit)
        r.excluded = "a monitor showed the device full: what the plan itself needs is not told";
}

std::string why_no_time(const PublishedRow& row) {
    const RowMeasured& m = row.measured;
    if (m.teraflops) return "how the source counts FLOP is not known";
    if (m.device_hours || m.train_days) return "hours or days without the tokens of the run";
    return "no step time, rate or hours: power, energy and memory are sanity checks";
}

}  // namespace

namespace {

// Beside tensors, what libraries allocate for themselves: 30 of Megatron-LM's functional tests, interquartile range
// 0.10 to 0.12 GiB.
constexpr Bytes allocated_by_libraries = 0.11 * gibibyte;

const MemoryUse& stage_of(const Estimate& e, MemoryRank rank) {
    if (rank == MemoryRank::first) return e.stages.front();
    return rank == MemoryRank::last ? e.stages.back() : e.worst();
}

}  // namespace

Bytes figure_of(const Estimate& e, const MemoryFigure& figure) {
    return figure_of(stage_of(e, figure.rank), figure.kind, e.devices);
}

Bytes figure_of(const MemoryUse& m, MemoryKind kind, int devices) {
    switch (kind) {
        case MemoryKind::reserved: break;
        case MemoryKind::allocated: return m.total() - m.fragmentation - m.context + allocated_by_libraries;
        case MemoryKind::used: return shown_by_monitor(m, devices);
    }
    return m.total();
}

RowScore score_row(const PublishedRow& row, const FilledRun& run) {
    RowScore result{bare(row), {}, {}};
    ScoredRow& r = result.time;
    r.filled = run.filled;
    r.weight = run.weight();
    r.own_knobs = run.own_knobs;
    r.excluded = run.excluded;
    r.plan = without_sources(run.scenario);
    std::optional<Estimate> e;
    if (r.excluded.empty()) {
        Outcome outcome = estimate(run.scenario);
        if (outcome) e = std::move(*outcome);
        else r.excluded = say(outcome.error().front());
    }
    if (e) r.memory_share = e->worst().total() / e->memory_limit;
    if (row.measured.memory_gb) {
        result.memory = r;
        if (e) add_memory(row, *e, *result.memory);
    }
    if (e) {
        const auto times = published_times(row, run.scenario, run.flop_rule);
        add_others(row, times, run, *e, r, result.others);
        if (times.empty()) r.excluded = why_no_time(row);
        else compare(r, times.front(), *e);
    }
    if (!row.reference) return result;
    for (ScoredRow* of : {&r, result.memory ? &*result.memory : nullptr})
        if (of) of->excluded = reference_row + (of->excluded.empty() ? "" : ": " + of->excluded);
    return result;
}

namespace {

constexpr int score_digits = 8;

std::string line(const ScoredRow& r) {
    CsvRow row;
    row.text(r.source).text(r.id).text(r.quantity);
    if (r.quantity.empty()) row.empty(3);
    else row.number(r.published, score_digits).number(r.predicted, score_digits).number(r.error, score_digits);
    row.quoted(r.excluded).quoted(r.family).text(r.plan.machine.id).quoted(r.plan.model.name);
    if (r.plan.machine.id.empty()) row.empty();
    else row.whole(r.plan.layout.devices);
    return row.quoted(joined(r.filled, "; ")).line();
}

}  // namespace

std::string csv_header() {
    return "source,id,quantity,published,predicted,error,excluded,device_family,machine,model,devices,assumed\n";
}

std::string to_csv(const std::vector<ScoredRow>& rows) {
    std::string text;
    for (const ScoredRow& r : rows) text += line(r);
    return text;
}

double flop_per_token(FlopRule rule, const Model& m, int sequence_length, double nominal) {
    const double blocks = matrix_parameters(m);
    const double attention = double(m.layers) * attention_of(m).values() * sequence_length;
    const double head = double(m.vocabulary) * m.hidden;
    switch (rule) {
        case FlopRule::hardware: return 8 * blocks + 16 * attention + 6 * head;
        case FlopRule::full_attention: return 6 * blocks + 12 * attention + 6 * head;
        case FlopRule::causal: return 6 * blocks + 6 * attention + 6 * head;
        case FlopRule::megatron:
            return model_flop(m, 1, sequence_length, m.vocabulary, FlopConvention::megatron) / flop / sequence_length;
        case FlopRule::all_parameters: return 6 * nominal + 12 * attention;
        case FlopRule::eight_n: return 8 * nominal;
        case FlopRule::six_n: return 6 * nominal;
        case FlopRule::unknown: break;
    }
    return 0;
}

namespace {

// MFU counts no recomputation, whatever the source's TFLOP/s count.
FlopRule model_rule(FlopRule rule) {
    const bool model = rule == FlopRule::causal || rule == FlopRule::megatron || rule == FlopRule::all_parameters
                    || rule == FlopRule::six_n;
    return model ? rule : FlopRule::full_attention;
}

}  // namespace

std::vector<PublishedTime> published_times(const PublishedRow& row, const Scenario& s, FlopRule rule) {
    const RowMeasured& m = row.measured;
    const double step_tokens = double(s.recipe.global_batch_sequences) * s.recipe.sequence_length;
    const double tokens = step_tokens / s.layout.devices;
    const double nominal = row.model.parameters.value_or(parameters(s.model));
    const double peak = s.machine.device.peak(matrix_format(s.recipe)) / (flop / second);
    std::vector<PublishedTime> times;
    const auto rate = [&](const char* key, const std::optional<double>& value, double work_per_unit) {
        if (value && work_per_unit > 0) times.push_back({key, *value, work_per_unit / *value, true});
    };
    const auto work = [&](FlopRule counted) {
        return tokens * flop_per_token(counted, s.model, s.recipe.sequence_length, nominal);
    };
    // The time of a step whose batch nobody states says less than a rate does.
    const auto step = [&] {
        if (m.step_seconds) times.push_back({"iteration_s", *m.step_seconds, *m.step_seconds, false});
    };
    if (row.layout.global_batch) step();
    rate("tokens_per_s_per_device", m.tokens_per_second, tokens);
    rate("tflops_per_device", m.teraflops, work(rule) / 1e12);
    if (peak > 0) {
        rate("mfu", m.mfu, work(model_rule(rule)) / peak);
        rate("hfu", m.hfu, work(s.layout.recompute == Recompute::full ? FlopRule::hardware : model_rule(rule)) / peak);
    }
    if (!row.layout.global_batch) step();
    if (row.layout.train_tokens) {
        const double steps = *row.layout.train_tokens / step_tokens;
        if (m.device_hours)
            times.push_back(
                {"device_hours", *m.device_hours, *m.device_hours * 3600 / s.layout.devices / steps, false});
        if (m.train_days) times.push_back({"train_days", *m.train_days, *m.train_days * 86400 / steps, false});
    }
    return times;
}

namespace {

constexpr double guide = 0.1;  // shaded around agreement
constexpr const char* near_label = "Within 10 %";
constexpr const char* own_label = "Your runs";

struct ScoredRun {
    const ScoredRow* row;
    bool own;
};

std::vector<ScoredRun> counted(const std::vector<ScoredRow>& shipped, const std::vector<ScoredRow>& own) {
    std::vector<ScoredRun> runs;
    for (const auto* rows : {&shipped, &own})
        for (const ScoredRow& r : *rows)
            if (r.excluded.empty()) runs.push_back({&r, rows == &own});
    return runs;
}

void add_point(Series& s, const std::string& name, double x, double y) {
    s.x.push_back(x);
    s.y.push_back(y);
    s.names.push_back(name);
}

Series points(const std::string& id, const std::string& label) { return {id, label, Mark::point, {}, {}, {}}; }

// Devices with most runs first, so that colours go to what is seen most.
std::vector<Series> by_family(const std::vector<ScoredRun>& runs) {
    std::map<std::string, Series> families;
    Series own = points("own", own_label);
    for (const ScoredRun& r : runs) {
        Series& s =
            r.own ? own : families.try_emplace(r.row->family, points(r.row->family, r.row->family)).first->second;
        add_point(s, r.row->id, r.row->measured, r.row->measured * (1 + r.row->error));
    }
    std::vector<Series> all;
    for (auto& [name, s] : families) all.push_back(std::move(s));
    std::stable_sort(all.begin(), all.end(), [](const Series& a, const Series& b) { return a.x.size() > b.x.size(); });
    if (!own.x.empty()) all.push_back(std::move(own));
    return all;
}

Figure parity(const std::vector<ScoredRun>& runs) {
    Figure f;
    f.id = "predicted-vs-published";
    f.title = "Predicted against published";
    f.x = {"Published time of a step", "s", true};
    f.y = {"Predicted time of a step", "s", true};
    f.series = by_family(runs);
    double low = 1e300, high = 0;
    for (const ScoredRun& r : runs) {
        low = std::min(low, r.row->measured);
        high = std::max(high, r.row->measured);
    }
    if (!runs.empty()) {
        f.series.push_back({"equal", "Agreement", Mark::ideal, {low, high}, {low, high}, {}});
        f.series.push_back({"near", near_label, Mark::band, {low, high}, {low * (1 - guide), high * (1 - guide)}, {},
                            {low * (1 + guide), high * (1 + guide)}});
    }
    f.caption = "Predicted against published time of one step, " + std::to_string(runs.size()) +
                " published runs. Rates were turned into times by each source's own way of counting FLOP. ";
    return f;
}

Figure errors(const char* id, const char* title, const char* what, const std::vector<ScoredRun>& runs,
              std::string ScoredRow::*by) {
    std::map<std::string, std::vector<const ScoredRun*>> groups;
    for (const ScoredRun& r : runs) groups[r.row->*by].push_back(&r);
    Figure f;
    f.id = id;
    f.title = title;
    f.x = {what, ""};
    f.y = {"Error", "%"};
    Series shipped = points("runs", "A run"), own = points("own", own_label), mean = points("mean", "Mean");
    for (const auto& [name, members] : groups) {
        const double at = double(f.categories.size());
        double sum = 0;
        for (const ScoredRun* r : members) {
            add_point(r->own ? own : shipped, r->row->id, at, 100 * r->row->error);
            sum += 100 * r->row->error;
        }
        add_point(mean, name, at, sum / double(members.size()));
        f.categories.push_back(name);
    }
    f.series = {shipped, mean};
    if (!own.x.empty()) f.series.push_back(own);
    const double first = -0.5, last = double(f.categories.size()) - 0.5;
    f.series.push_back(
        {"near", near_label, Mark::band, {first, last}, {-100 * guide, -100 * guide}, {}, {100 * guide, 100 * guide}});
    f.caption = "Errors of the predicted time of one step, " + std::to_string(runs.size()) +
                " published runs; positive is predicted too slow. ";
    return f;
}

}  // namespace

std::vector<Figure> residual_figures(const std::vector<ScoredRow>& shipped, const std::vector<ScoredRow>& own) {
    const std::vector<ScoredRun> runs = counted(shipped, own);
    return {parity(runs), errors("error-by-source", "Errors by source", "Source", runs, &ScoredRow::source),
            errors("error-by-device", "Errors by device", "Device", runs, &ScoredRow::family)};
}

}  // namespace plimsoll
