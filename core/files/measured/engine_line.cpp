#include "core/files/measured/engine_line.h"

#include "core/files/measured/line_fields.h"

#include <nlohmann/json.hpp>

namespace plimsoll {

namespace {

using namespace files;

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
