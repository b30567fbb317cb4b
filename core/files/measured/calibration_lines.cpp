// Lines of a calibration: its plan, its experiments, what they measured and what was predicted.
#include "core/files/measured/line_fields.h"

#include <nlohmann/json.hpp>

namespace plimsoll::files {

namespace {

// Words and numbers of an object, each under its key; lists and objects are left out.
void take_all(const Reader& object, BenchPoint& point) {
    for (const std::string& key : object.keys()) {
        const auto at = object.member(key);
        if (!at) continue;
        if (at->is_text()) point.words[key] = at->text().value_or("");
        else if (at->json().is_number()) point.numbers[key] = at->json().get<double>();
    }
}

}  // namespace

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
    if (const auto energy = line.member("energy")) end.energy = read_energy_use(*energy);
    return end;
}

}  // namespace plimsoll::files
