// Any bytes at all: readers answer with a value or with problems, and what they
// accept is written so that it reads the same.
#include "core/files/import/tensor_plan.h"
#include "core/files/import/model_import.h"
#include "core/files/presets/preset_json.h"
#include "core/files/presets/scenario_json.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace plimsoll;

namespace {

void require(bool holds, const char* promise) {
    if (holds) return;
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
}

template <class Read, class Write, class Part, class File>
void try_preset(std::string_view text, Read read, Write write, Part File::*part) {
    const auto first = read(text, "fuzz");
    require(first.has_value() || has_errors(first.error()), "a refused file has an error");
    if (!first) return;
    const auto again = read(write((*first).*part), "fuzz");
    require(again.has_value() && (*again).*part == (*first).*part, "what is written reads the same");
}

// The presets of the plan itself, so that ids resolve without a disk.
const Library& library() {
    static const Library all = [] {
        Library l;
        Model m;
        m.id = "model";
        l.models[m.id] = m;
        Machine machine;
        machine.id = "machine";
        machine.device.memory = 80 * gibibyte;
        machine.device.bandwidth = 2000 * gigabyte / second;
        machine.device.bf16 = 300 * teraflop / second;
        Level system;
        system.name = "system";
        system.bandwidth = 10 * gigabyte / second;
        machine.levels = {system};
        l.machines[machine.id] = machine;
        Stack stack;
        stack.id = "stack";
        l.stacks[stack.id] = stack;
        return l;
    }();
    return all;
}

void try_scenario(std::string_view text) {
    const auto first = read_scenario(text, library(), "fuzz");
    require(first.has_value() || has_errors(first.error()), "a refused plan has an error");
    if (!first) return;
    const std::string written = write_scenario(first->scenario, library(), first->extra_json);
    const auto again = read_scenario(written, library(), "fuzz");
    require(again.has_value() && again->scenario == first->scenario, "a saved plan opens as it was");
    require(again->extra_json == first->extra_json, "unknown keys are kept");
}

void try_import(std::string_view text) {
    const auto imported = import_model(text, {"fuzz.json", "", 8});
    require(imported.has_value() || has_errors(imported.error()), "a refused import has an error");
    if (!imported) return;
    const TensorPlan plan = tensor_plan(imported->shapes, 4);
    require(plan.per_device <= plan.parameters + 4 * double(imported->shapes.tensors.size()) * plan.parameters,
            "a cut never grows without bound");
    if (!imported->model) return;
    const auto again = read_model(write_model(*imported->model), "fuzz");
    require(again.has_value() && again->model == *imported->model, "an imported model is a preset");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 5) {
        case 0: try_preset(text, read_machine, write_machine, &MachineFile::machine); break;
        case 1: try_preset(text, read_model, write_model, &ModelFile::model); break;
        case 2: try_preset(text, read_stack, write_stack, &StackFile::stack); break;
        case 3: try_scenario(text); break;
        default: try_import(text);
    }
    return 0;
}
