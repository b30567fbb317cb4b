#include "core/files/measured/engine_log.h"

#include "core/files/text/disk.h"
#include "core/files/text/reader.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plimsoll {

namespace {

constexpr std::size_t most_problems = 100;

}  // namespace

void EngineLog::note(Severity severity, const std::string& message) {
    if (problems.size() < most_problems)
        problems.push_back({severity, "", "", phrase("line {1}: {2}", lines, message)});
}

// False for a line of another run, which two engines that write to one file leave.
bool EngineLog::in_order(const EngineLine& line) {
    if (run.empty()) run = line.run;
    if (line.run != run) {
        note(Severity::warning, phrase("belongs to another run, '{1}', skipped", line.run));
        return false;
    }
    if (line.seq != expected_seq_)
        note(Severity::warning, phrase("number {1} where {2} was due: lines are missing or out of order", line.seq,
                                       expected_seq_));
    expected_seq_ = line.seq + 1;
    return true;
}

void EngineLog::keep(const EngineEvent& event) {
    if (const auto* step = std::get_if<EngineStep>(&event)) steps.push_back(*step);
    else if (const auto* said = std::get_if<EngineNote>(&event)) notes.push_back(*said);
    else if (const auto* first = std::get_if<EngineHello>(&event)) hello = *first;
    else if (const auto* node = std::get_if<EngineHardware>(&event)) nodes.push_back(*node);
    else if (const auto* told = std::get_if<EngineEnergy>(&event)) energy.push_back(*told);
    else if (const auto* last = std::get_if<EngineSummary>(&event)) summary = *last;
    else if (const auto* next = std::get_if<EngineLayout>(&event)) {
        layout = *next;
        latest_ = steps.size();
    }
}

std::optional<EngineEvent> EngineLog::take(std::string_view text) {
    ++lines;
    while (!text.empty() && (text.back() == '\r' || text.back() == '\n')) text.remove_suffix(1);
    if (refused_ || text.find_first_not_of(" \t") == text.npos) return std::nullopt;
    const auto line = read_engine_line(text);
    if (!line) {
        for (const Problem& p : line.error()) {
            refused_ = refused_ || p.pointer == "/schema";
            note(Severity::error, (p.pointer.empty() ? "" : p.pointer + ": ") + p.message);
        }
        return std::nullopt;
    }
    if (!in_order(*line)) return std::nullopt;
    at = line->at;
    if (line->event) keep(*line->event);
    return line->event;
}

bool EngineLog::take_stderr(std::string_view text) {
    if (!text.starts_with('{')) return false;
    const auto line = read_engine_line(text);
    const auto* said = line && line->event ? std::get_if<EngineNote>(&*line->event) : nullptr;
    if (said) notes.push_back(*said);
    return said != nullptr;
}

void EngineLog::forgive_last_line(std::size_t known) {
    if (problems.size() <= known || problems.back().severity != Severity::error) return;
    problems.resize(known);
    note(Severity::warning, phrase("cut off, skipped"));
}

std::string EngineLog::state() const {
    const auto n = (long long)steps.size();
    if (!summary) return phrase("no summary: {1} kept", numbered(n, "complete step", "complete steps"));
    const std::string done = numbered(n, "step", "steps");
    return summary->status.empty() ? phrase("{1}, ended without saying how", done)
                                   : phrase("{1}, ended {2}", done, summary->status);
}

std::optional<EngineStep> EngineLog::typical_step() const {
    const auto all = latest();
    if (all.empty()) return std::nullopt;
    std::vector<const EngineStep*> order;
    for (const EngineStep& each : all.subspan(all.size() > 1)) order.push_back(&each);
    std::sort(order.begin(), order.end(), [](const EngineStep* a, const EngineStep* b) { return a->wall < b->wall; });
    return *order[(order.size() - 1) / 2];
}

Expected<EngineLog, Problems> read_engine_log(const std::filesystem::path& path) {
    const auto text = read_text(path);
    if (!text) return Unexpected{text.error()};
    EngineLog log;
    take_all_lines(*text, log, log);
    for (Problem& p : log.problems) p.file = path.string();
    if (log.refused() || (log.lines > 0 && !log.hello && log.steps.empty() && !log.summary && has_errors(log.problems)))
        return Unexpected{log.problems};
    return log;
}


namespace {

using namespace files;

// ---- Fields as values: a key that is missing or null leaves the value it finds.
//
//   take(line, "step_s", step.wall, second);    texts(line, "flags")

constexpr NumberRange any{-largest, largest};
constexpr NumberRange most_degree{1, 1000};
constexpr std::size_t longest_line = 1 << 16;

void take(const Reader& from, std::string_view key, double& value, NumberRange range) {
    if (const auto at = from.member(key)) value = at->number(range).value_or(value);
}
void take(const Reader& from, std::string_view key, int& value, NumberRange range = {0, 1e9}) {
    if (const auto at = from.member(key)) value = at->whole(range).value_or(value);
}
void take(const Reader& from, std::string_view key, std::string& value) {
    if (const auto at = from.member(key)) value = at->text().value_or(value);
}
void take(const Reader& from, std::string_view key, bool& value) {
    if (const auto at = from.member(key)) value = at->flag().value_or(value);
}
void take(const Reader& from, std::string_view key, std::optional<double>& value) {
    if (const auto at = from.member(key)) value = at->number(any);
}
template <int B, int F, int S, int J, int T>
void take(const Reader& from, std::string_view key, Quantity<B, F, S, J, T>& value,
                 Quantity<B, F, S, J, T> unit) {
    if (const auto at = from.member(key)) value = at->number(not_negative).value_or(value / unit) * unit;
}

std::vector<std::string> texts(const Reader& from, std::string_view key) {
    std::vector<std::string> all;
    const auto at = from.member(key);
    if (!at || !at->array(longest_line)) return all;
    for (const Reader& each : at->elements()) all.push_back(each.text().value_or(""));
    return all;
}

// {"gemm": {"max": 0.1, "mean": 0.1, "min": 0.1}, ...} in seconds; ids that the table lacks are ignored.
template <class Parts, std::size_t N>
void take(const Reader& from, std::string_view key, OverRanks<Parts>& value,
                 const Part<Parts, Seconds> (&table)[N]) {
    const auto all = from.member(key);
    if (!all || !all->object()) return;
    for (const auto& part : table) {
        const auto one = all->member(part.id);
        if (!one || !one->object()) continue;
        take(*one, "mean", value.mean.*part.value, second);
        value.most.*part.value = value.least.*part.value = value.mean.*part.value;
        take(*one, "max", value.most.*part.value, second);
        take(*one, "min", value.least.*part.value, second);
    }
}

// Nothing where it is null or missing.
template <class Unit>
void take(const Reader& from, std::string_view key, std::optional<Unit>& value, Unit unit) {
    if (const auto at = from.member(key))
        if (const auto number = at->number(any)) value = *number * unit;
}

// ---- Lines about power and energy

EngineEnergySource read_energy_source(const Reader& from) {
    EngineEnergySource source;
    if (!from.object()) return source;
    take(from, "source", source.source);
    take(from, "scope", source.scope);
    take(from, "reason", source.reason);
    take(from, "available", source.available);
    const auto domains = from.member("domains");
    if (!domains || !domains->array(longest_line)) return source;
    for (const Reader& each : domains->elements()) {
        std::string name;
        if (each.object()) take(each, "name", name);
        source.domains.push_back(name);
    }
    return source;
}

EngineEvent read_energy(const Reader& line) {
    EngineEnergy energy;
    take(line, "node", energy.node);
    take(line, "available", energy.available);
    if (const auto sources = line.member("sources"); sources && sources->array(longest_line))
        for (const Reader& each : sources->elements()) energy.sources.push_back(read_energy_source(each));
    return energy;
}

EngineEvent read_power(const Reader& line) {
    EnginePower power;
    take(line, "node", power.node);
    take(line, "source", power.source);
    take(line, "domain", power.domain);
    take(line, "W", power.watts, watt);
    take(line, "J", power.joules, joule);
    take(line, "counter_age_s", power.counter_age, second);
    return power;
}

EngineEnergyUse read_energy_use(const Reader& from) {
    EngineEnergyUse use;
    if (!from.object()) return use;
    take(from, "available", use.available);
    take(from, "reason", use.reason);
    take(from, "scope", use.scope);
    take(from, "source", use.source);
    take(from, "nodes", use.nodes);
    take(from, "steps", use.steps);
    take(from, "window_s", use.window, second);
    take(from, "gross_J", use.gross, joule);
    take(from, "idle_W", use.idle, watt);
    take(from, "net_J", use.net, joule);
    use.remarks = texts(from, "remarks");
    return use;
}

// ---- Lines of a calibration: its plan, its experiments, what they measured and what was predicted

// Words and numbers of an object, each under its key; lists and objects are left out.
void take_all(const Reader& object, BenchPoint& point) {
    for (const std::string& key : object.keys()) {
        const auto at = object.member(key);
        if (!at) continue;
        if (at->is_text()) point.words[key] = at->text().value_or("");
        else if (at->json().is_number()) point.numbers[key] = at->json().get<double>();
    }
}

// Boards and modules whose counters a point of power adds up.
int boards_of(const Reader& line) {
    int boards = 0;
    const auto domains = line.member("domains");
    if (!domains || !domains->array(longest_line)) return boards;
    for (const Reader& each : domains->elements()) {
        std::string scope;
        if (each.object()) take(each, "scope", scope);
        boards += scope == "gpu" || scope == "module";
    }
    return boards;
}

EngineEvent read_bench(const Reader& line) {
    BenchPoint point;
    if (!line.member("kind")) line.missing("kind", phrase("what was measured"));
    if (!line.member("median_s")) line.missing("median_s", a_number(positive));
    take_all(line, point);
    for (const char* own : {"type", "run", "kind"}) point.words.erase(own);
    for (const char* own : {"seq", "t_s"}) point.numbers.erase(own);
    if (const auto params = line.member("params"); params && params->object()) take_all(*params, point);
    take(line, "kind", point.kind);
    if (const auto at = line.member("median_s")) point.median = at->number(positive).value_or(1) * second;
    point.low = point.high = point.least = point.tenth = point.median;
    take(line, "lo95_s", point.low, second);
    take(line, "hi95_s", point.high, second);
    take(line, "min_s", point.least, second);
    take(line, "p10_s", point.tenth, second);
    take(line, "bytes", point.bytes, byte);
    take(line, "flop", point.flop, not_negative);
    take(line, "wall_over_cpu", point.wall_over_cpu, not_negative);
    point.flags = texts(line, "flags");
    if (const int boards = boards_of(line)) point.numbers["boards"] = boards;
    return point;
}

EngineEvent read_experiment(const Reader& line) {
    EngineExperiment experiment;
    if (!line.member("id")) line.missing("id", phrase("which run of the plan it is"));
    take(line, "id", experiment.id);
    take(line, "role", experiment.role);
    take(line, "label", experiment.label);
    take(line, "expected_s", experiment.expected, second);
    take(line, "fair", experiment.fair);
    take(line, "number", experiment.number);
    take(line, "of", experiment.of);
    take(line, "plan", experiment.plan);
    take(line, "resumed", experiment.resumed);
    return experiment;
}

EngineEvent read_prediction(const Reader& line) {
    EnginePrediction prediction;
    if (!line.member("id")) line.missing("id", phrase("which run of the plan is predicted"));
    if (!line.member("step_s")) line.missing("step_s", a_number(positive));
    take(line, "id", prediction.id);
    if (const auto at = line.member("step_s")) prediction.step = at->number(positive).value_or(1) * second;
    prediction.low = prediction.high = prediction.step;
    take(line, "lo90_s", prediction.low, second);
    take(line, "hi90_s", prediction.high, second);
    if (const auto parts = line.member("parts"); parts && parts->object())
        for (const auto& part : step_parts) take(*parts, part.id, prediction.parts.*part.value, second);
    take(line, "memory_B", prediction.memory, byte);
    take(line, "hash", prediction.hash);
    return prediction;
}

EngineEvent read_plan_part(const Reader& line) {
    EnginePlanPart plan;
    take(line, "text", plan.text);
    take(line, "part", plan.part);
    take(line, "of", plan.of);
    return plan;
}

EngineEvent read_run_end(const Reader& line) {
    EngineRunEnd end;
    take(line, "experiment", end.experiment);
    take(line, "status", end.status);
    take(line, "steps", end.steps);
    take(line, "mem_predicted_B", end.memory_predicted, byte);
    take(line, "mem_peak_B", end.memory_peak, byte);
    if (const auto energy = line.member("energy")) end.energy = read_energy_use(*energy);
    return end;
}

// ---- Lines of a run

EngineEvent read_hello(const Reader& line) {
    EngineHello hello;
    take(line, "schema", hello.schema);
    if (hello.schema > engine_schema)
        line.error("schema", phrase("protocol {1} is newer than {2}, the newest that this Plimsoll reads", hello.schema,
                                    engine_schema));
    take(line, "engine", hello.version);
    take(line, "started", hello.started);
    take(line, "blas", hello.blas);
    take(line, "mpi", hello.mpi);
    hello.arguments = texts(line, "arguments");
    return hello;
}

EngineEvent read_seal(const Reader& line) {
    EngineSeal seal;
    take(line, "hash", seal.hash);
    if (const auto constants = line.member("constants"); constants && constants->array(longest_line))
        for (const Reader& each : constants->elements()) {
            MeasuredConstant& c = seal.constants.emplace_back();
            if (!each.object()) continue;
            take(each, "pointer", c.pointer);
            take(each, "value", c.value, any);
            take(each, "low", c.low, any);
            take(each, "high", c.high, any);
        }
    return seal;
}

EngineRank read_rank(const Reader& place) {
    EngineRank rank;
    if (!place.object()) return rank;
    take(place, "rank", rank.rank);
    take(place, "dp", rank.data);
    take(place, "tp", rank.tensor);
    take(place, "pp", rank.pipeline);
    if (const auto at = place.member("node")) rank.node = at->is_text() ? *at->text() : at->json().dump();
    if (const auto at = place.member("device")) rank.device = at->is_text() ? *at->text() : at->json().dump();
    return rank;
}

EngineEvent read_layout(const Reader& line) {
    EngineLayout layout;
    take(line, "loss_floor", layout.loss_floor);
    take(line, "dp", layout.data, most_degree);
    take(line, "tp", layout.tensor, most_degree);
    take(line, "pp", layout.pipeline, most_degree);
    if (const auto grid = line.member("grid"); grid && grid->array(longest_line))
        for (const Reader& place : grid->elements()) layout.grid.push_back(read_rank(place));
    if (const auto predicted = line.member("predicted_B"); predicted && predicted->object()) {
        layout.predicted.emplace();
        for (const auto& part : memory_parts) take(*predicted, part.id, (*layout.predicted).*part.value, byte);
        Bytes scratch;
        take(*predicted, "scratch", scratch, byte);
        layout.predicted->buffers += scratch;
    }
    return layout;
}

EngineEvent read_step(const Reader& line) {
    EngineStep step;
    if (!line.member("step")) line.missing("step", a_whole_number({1, 1e9}));
    if (!line.member("step_s")) line.missing("step_s", a_number(positive));
    take(line, "step", step.step, {1, 1e9});
    if (const auto at = line.member("step_s")) step.wall = at->number(positive).value_or(1) * second;
    take(line, "loss", step.loss);
    take(line, "grad_norm", step.grad_norm);
    take(line, "tokens", step.tokens, token);
    take(line, "phase", step.parts, step_parts);
    take(line, "pass", step.passes, pass_parts);
    take(line, "mem_peak_B", step.memory_peak, byte);
    take(line, "mem_device_B", step.memory_device, byte);
    if (const auto at = line.member("energy_J"))
        if (const auto joules = at->number(not_negative)) step.energy = *joules * joule;
    take(line, "energy_steps", step.energy_steps);
    step.quality = texts(line, "quality");
    return step;
}

EngineEvent read_hardware(const Reader& line) {
    EngineHardware hardware;
    take(line, "cpu_model", hardware.cpu);
    take(line, "cores", hardware.cores);
    take(line, "threads_allowed", hardware.cores);
    take(line, "memory_B", hardware.memory, byte);
    return hardware;
}

// Ranks may share a device.
EngineEvent read_devices(const Reader& line) {
    Measurements all;
    const auto ranks = line.member("ranks");
    if (!ranks || !ranks->array(longest_line)) return EngineDevices{};
    for (const Reader& each : ranks->elements()) {
        EngineDevice device;
        if (!each.object()) continue;
        take(each, "node", device.node);
        take(each, "device", device.name);
        take(each, "bus_id", device.bus);
        take(each, "memory_B", device.memory, byte);
        all.add({{device}});
    }
    return EngineDevices{std::move(all.devices)};
}

EngineEvent read_beat(const Reader& line) {
    EngineBeat beat;
    const auto ranks = line.member("ranks");
    if (!ranks || !ranks->array(longest_line)) return beat;
    for (const Reader& each : ranks->elements()) {
        int rank = 0;
        std::string pass, phase;
        take(each, "rank", rank);
        take(each, "pass", pass);
        take(each, "phase", phase);
        beat.text.append(beat.text.empty() ? "rank " : "; rank ")
            .append(std::to_string(rank))
            .append(" ")
            .append(pass)
            .append(", ")
            .append(phase);
    }
    return beat;
}

EngineEvent read_note(const Reader& line, bool error) {
    EngineNote note;
    note.error = error;
    take(line, "fatal", note.fatal);
    take(line, "code", note.code);
    take(line, "text", note.text);
    take(line, "host", note.host);
    if (const auto at = line.member("rank")) note.rank = at->whole({-1, 1e9});
    return note;
}

EngineEvent read_summary(const Reader& line) {
    EngineSummary summary;
    if (!line.member("status")) line.missing("status", "\"ok\", \"cancelled\", \"failed\" or \"partial\"");
    take(line, "status", summary.status);
    take(line, "steps", summary.steps);
    take(line, "loss_first", summary.loss_first);
    take(line, "loss_last", summary.loss_last);
    take(line, "step_s", summary.step, second);
    take(line, "tok_per_s", summary.rate, token / second);
    take(line, "mem_predicted_B", summary.memory_predicted, byte);
    take(line, "mem_peak_B", summary.memory_peak, byte);
    if (const auto energy = line.member("energy")) summary.energy = read_energy_use(*energy);
    return summary;
}

std::optional<EngineEvent> read_event(const std::string& type, const Reader& line) {
    if (type == "hello") return read_hello(line);
    if (type == "hw") return read_hardware(line);
    if (type == "transport") return read_devices(line);
    if (type == "layout") return read_layout(line);
    if (type == "step") return read_step(line);
    if (type == "energy") return read_energy(line);
    if (type == "power") return read_power(line);
    if (type == "beat") return read_beat(line);
    if (type == "warn" || type == "error") return read_note(line, type == "error");
    if (type == "summary") return read_summary(line);
    if (type == "bench") return read_bench(line);
    if (type == "experiment") return read_experiment(line);
    if (type == "predict") return read_prediction(line);
    if (type == "seal") return read_seal(line);
    if (type == "plan") return read_plan_part(line);
    if (type == "run") return read_run_end(line);
    return std::nullopt;
}

}  // namespace

Expected<EngineLine, Problems> read_engine_line(std::string_view text) {
    Findings findings("");
    EngineLine line;
    if (text.size() > longest_line)
        findings.error("", phrase("longer than 65536 characters, which no line of the engine is"));
    else if (const auto json = parse(text, findings)) {
        const Reader root(*json, "", findings);
        std::string type;
        if (root.object()) {
            if (!root.member("type")) root.missing("type", phrase("what the line says"));
            double seq = 0;
            take(root, "type", type);
            take(root, "run", line.run);
            take(root, "seq", seq, not_negative);
            line.seq = static_cast<long long>(seq);
            take(root, "t_s", line.at, second);
            line.event = read_event(type, root);
        }
    }
    if (findings.errors() > 0) return Unexpected{findings.take()};
    return line;
}

}  // namespace plimsoll
