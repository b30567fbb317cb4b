#include "core/files/results/fit_recipe.h"

#include "core/files/text/part.h"

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

using namespace files;

constexpr std::size_t most_constants = 500, most_names = 200;

std::vector<std::string> texts(const Reader& at, std::string_view key) {
    std::vector<std::string> all;
    const auto list = at.member(key);
    if (!list || !list->array(most_names)) return all;
    for (const Reader& element : list->elements())
        if (const auto text = element.text()) all.push_back(*text);
    return all;
}

std::string text_at(const Reader& at, std::string_view key) {
    const auto member = at.member(key);
    return member ? member->text().value_or("") : std::string{};
}

double number_at(const Reader& at, std::string_view key, NumberRange range) {
    const auto member = at.member(key);
    return member ? member->number(range).value_or(0) : 0;
}

void read_constant(const Reader& at, const Machines& machines, const Stacks& stacks, FitRecipe& recipe) {
    if (!at.object()) return;
    at.warn_of_keys_beyond(std::array<std::string_view, 5>{"knob", "of", "prior", "width", "reason"});
    const std::vector<std::string> names = texts(at, "of");
    if (names.empty()) return at.missing("of", "a list of device families, machines or stacks");
    auto constant = constant_of(text_at(at, "knob"), names, number_at(at, "prior", positive), number_at(at, "width", positive), machines, stacks);
    if (!constant) return at.error(constant.error());
    constant->reason = text_at(at, "reason");
    recipe.constants.push_back(*std::move(constant));
}

}  // namespace

Expected<FitRecipe, Problems> read_fit_recipe(std::string_view text, const Machines& machines, const Stacks& stacks, const std::string& file) {
    Findings findings(file);
    FitRecipe recipe;
    if (const auto json = parse(text, findings)) {
        const Reader root(*json, "", findings);
        if (check_header(root, "plimsoll/fit", preset_version, true)) {
            root.warn_of_keys_beyond(std::array<std::string_view, 7>{"schema", "version", "id", "title", "rows", "dense_only", "constants"});
            recipe.id = text_at(root, "id");
            recipe.title = text_at(root, "title");
            recipe.rows = texts(root, "rows");
            if (const auto dense = root.member("dense_only")) recipe.dense_only = dense->flag().value_or(false);
            const auto constants = root.member("constants");
            if (!constants) root.missing("constants", "a list of constants");
            else if (constants->array(most_constants))
                for (const Reader& at : constants->elements()) read_constant(at, machines, stacks, recipe);
        }
    }
    if (findings.errors() > 0) return Unexpected{findings.take()};
    return recipe;
}

}  // namespace plimsoll
