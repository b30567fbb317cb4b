#include "core/files/results/engine_line.h"

#include "core/files/text/reader.h"

#include <nlohmann/json.hpp>

namespace plimsoll {

namespace {

using namespace files;

constexpr Range any{-largest, largest};
constexpr Range most_degree{1, 1000};
constexpr std::size_t longest_line = 1 << 16;

void take(const Reader& from, std::string_view key, double& value, Range range) {
    if (const auto at = from.member(key)) value = at->number(range).value_or(value);
}
void take(const Reader& from, std::string_view key, int& value, Range range = {0, 1e9}) {
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
void take(const Reader& from, std::string_view key, Quantity<B, F, S, J, T>& value, Quantity<B, F, S, J, T> unit) {
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
void take(const Reader& from, std::string_view key, OverRanks<Parts>& value, const Part<Parts, Seconds> (&table)[N]) {
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

EngineEvent read_hello(const Reader& line) {
    EngineHello hello;
    take(line, "schema", hello.schema);
    if (hello.schema > engine_schema)
        line.error("schema", "protocol " + std::to_string(hello.schema) + " is newer than " + std::to_string(engine_schema) +
                                 ", the newest that this Plimsoll reads");
    take(line, "engine", hello.version);
    take(line, "started", hello.started);
    take(line, "blas", hello.blas);
    take(line, "mpi", hello.mpi);
    hello.arguments = texts(line, "arguments");
    return hello;
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

// Nothing where it is null or missing.
template <class Unit>
void take(const Reader& from, std::string_view key, std::optional<Unit>& value, Unit unit) {
    if (const auto at = from.member(key))
        if (const auto number = at->number(any)) value = *number * unit;
}

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
    return use;
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
        beat.text.append(beat.text.empty() ? "rank " : "; rank ").append(std::to_string(rank)).append(" ").append(pass).append(", ").append(phase);
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

// Words and numbers of an object, each under its key; lists and objects are left out.
void take_all(const Reader& object, BenchPoint& point) {
    for (const std::string& key : object.keys()) {
        const auto at = object.member(key);
        if (!at) continue;
        if (at->is_text()) point.words[key] = at->text().value_or("");
        else if (at->json().is_number()) point.numbers[key] = at->json().get<double>();
    }
}

EngineEvent read_bench(const Reader& line) {
    BenchPoint point;
    if (!line.member("kind")) line.missing("kind", "what was measured");
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
    return point;
}

EngineEvent read_experiment(const Reader& line) {
    EngineExperiment experiment;
    if (!line.member("id")) line.missing("id", "which run of the plan it is");
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
    if (!line.member("id")) line.missing("id", "which run of the plan is predicted");
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
    return end;
}

std::optional<EngineEvent> read_event(const std::string& type, const Reader& line) {
    if (type == "hello") return read_hello(line);
    if (type == "hw") return read_hardware(line);
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
    if (type == "plan") return read_plan_part(line);
    if (type == "run") return read_run_end(line);
    return std::nullopt;
}

}  // namespace

Expected<EngineLine, Problems> read_engine_line(std::string_view text) {
    Findings findings("");
    EngineLine line;
    if (text.size() > longest_line) findings.error("", "longer than 65536 characters, which no line of the engine is");
    else if (const auto json = parse(text, findings)) {
        const Reader root(*json, "", findings);
        std::string type;
        if (root.object()) {
            if (!root.member("type")) root.missing("type", "what the line says");
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
