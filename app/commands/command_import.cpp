#include "app/commands/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/plan.h"
#include "app/commands/tables.h"
#include "core/values/knobs/wording.h"
#include "core/files/import/tensor_plan.h"
#include "core/files/import/model_import.h"
#include "core/files/presets/preset_json.h"
#include "core/files/text/disk.h"

#include <iostream>

namespace plimsoll {

namespace {

std::string shape_of(const TensorCut& c) {
    std::string text;
    for (std::size_t i = 0; i < c.shape.size(); ++i) {
        const std::string side = std::to_string(c.shape[i]);
        text += (i ? " x " : "") + (int(i) == c.axis ? '[' + side + ']' : side);
    }
    return text;
}

void print_plan(const TensorPlan& plan, double bytes) {
    std::vector<std::vector<std::string>> rows{{"tensor", "count", "shape, [split]", "split along", "elements", "of one rank"}};
    for (const TensorCut& c : plan.cuts)
        rows.push_back({c.name, std::to_string(c.count), shape_of(c), std::string(say(c.split)) + (c.why.empty() ? "" : " (" + c.why + ")"),
                        say_count(c.elements), say_count(c.per_device)});
    std::cout << table(rows) << "\n";
    std::cout << table({{"over " + std::to_string(plan.ranks) + " tensor-parallel ranks", ""},
                        {"parameters", say_count(plan.parameters)},
                        {"of one rank", say_count(plan.per_device)},
                        {"states of all, " + fixed(bytes, 1) + " B a parameter", fixed(bytes * plan.parameters / 1e9, 1) + " GB"},
                        {"states of one rank", fixed(bytes * plan.per_device / 1e9, 2) + " GB"}});
}

// Whether states alone fit; activations come on top.
bool print_fit(const TensorPlan& plan, const ImportArguments& a) {
    if (a.memory_gb <= 0) return true;
    const double need = a.bytes_per_parameter * plan.per_device / 1e9;
    std::cout << fixed(need, 2) << " GB of states " << (need <= a.memory_gb ? "fit" : "do not fit") << " a device of "
              << fixed(a.memory_gb, 1) << " GB" << (need <= a.memory_gb ? "; activations come on top.\n" : ".\n");
    return need <= a.memory_gb;
}

int write_preset(const ImportedModel& imported, const std::string& out) {
    if (!imported.model) {
        std::cerr << "No preset is written: see the remarks above.\n";
        return exit_infeasible;
    }
    const auto written = write_atomically(out, write_model(*imported.model));
    if (!written) return refuse(Refusal{exit_invalid_file, say(written.error())});
    std::cout << "\nWrote " << out << ": model \"" << imported.model->id << "\". In models/ of a preset folder ($PLIMSOLL_PRESETS) scenarios find it by this id.\n";
    return exit_ok;
}

}  // namespace

int run_import(const ImportArguments& a) {
    const auto text = read_text(a.file);
    if (!text) return refuse(Refusal{exit_invalid_file, say(text.error())});
    const auto imported = import_model(*text, {a.file, a.name, a.heads});
    if (!imported) return refuse(Refusal{exit_invalid_file, say(imported.error())});
    std::cerr << say(imported->remarks);
    const int head_dim = imported->model && !has_latent_attention(*imported->model) ? imported->model->head_dim : 0;
    const TensorPlan plan = tensor_plan(imported->shapes, a.tensor_parallel, head_dim);
    print_plan(plan, a.bytes_per_parameter);
    const bool fits = print_fit(plan, a);
    if (!a.out.empty())
        if (const int code = write_preset(*imported, a.out); code != exit_ok) return code;
    return fits ? exit_ok : exit_infeasible;
}

}  // namespace plimsoll
