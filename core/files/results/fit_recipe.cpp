#include "core/files/results/fit_recipe.h"

#include "core/files/presets/parts.h"

namespace plimsoll {
namespace {

using namespace files;

constexpr std::size_t most_constants = 500, most_names = 200;

// As written; the readers below look the knob and its owners up.
struct RecipeConstant {
    std::string knob;
    std::vector<std::string> of;
    double prior = 0, width = 0;
    std::string reason;
};

struct RecipeText {
    std::string id, title;
    std::vector<std::string> rows;
    bool dense_only = false;
    std::vector<RecipeConstant> constants;
};

constexpr auto recipe_constant_fields = std::tuple{
    text("knob", &RecipeConstant::knob).not_empty().stated().about("Id of the input"),
    Field{"of", &RecipeConstant::of, TextList{most_names, 1}}
        .stated()
        .about("Device families, machines or stacks that share it"),
    pure("prior", &RecipeConstant::prior, positive)
        .about("Expected value, in the unit of the input; the presets' present value without"),
    pure("width", &RecipeConstant::width, positive).about("Standard deviation of the logarithm"),
    text("reason", &RecipeConstant::reason).not_empty().about("Where the prior comes from"),
};
static_assert(members_in(recipe_constant_fields) == members_of<RecipeConstant>, "every member has a row");

constexpr auto recipe_text_fields = std::tuple{
    FixedField{"schema", std::string_view("plimsoll/fit")},
    FixedField{"version", preset_version},
    text("id", &RecipeText::id).matching(id_pattern).stated().about("File name without .json"),
    text("title", &RecipeText::title).not_empty().stated().about("For people"),
    Field{"rows", &RecipeText::rows, TextList{most_names}}
        .about("Ids of published runs or files; none: all that ship"),
    flag("dense_only", &RecipeText::dense_only).about("Leave mixtures of experts out"),
    list("constants", &RecipeText::constants, recipe_constant_fields, most_constants).each({}, 1).stated(),
};
static_assert(members_in(recipe_text_fields) == members_of<RecipeText>, "every member has a row");

void add_constant(const Reader& at, const RecipeConstant& wanted, const Machines& machines, const Stacks& stacks,
                  std::vector<Constant>& constants) {
    if (!at.json().is_object()) return;  // noted already
    if (wanted.of.empty()) return at.missing("of", "a list of device families, machines or stacks");
    auto constant = constant_of(wanted.knob, wanted.of, wanted.prior, wanted.width, machines, stacks);
    if (!constant) return at.error(constant.error());
    constant->reason = wanted.reason;
    constants.push_back(*std::move(constant));
}

FitRecipe recipe_of(const Reader& root, const Machines& machines, const Stacks& stacks) {
    RecipeText written;
    read_fields(recipe_text_fields, root, written);
    FitRecipe recipe{written.id, written.title, written.rows, written.dense_only, {}};
    const auto constants = root.member("constants");
    if (!constants) root.missing("constants", "a list of constants");
    if (written.constants.empty()) return recipe;
    const std::vector<Reader> elements = constants->elements();
    for (std::size_t i = 0; i < elements.size(); ++i)
        add_constant(elements[i], written.constants[i], machines, stacks, recipe.constants);
    return recipe;
}

}  // namespace

OrderedJson files::fit_schema() {
    OrderedJson document = document_schema("Fit", object_schema(recipe_text_fields));
    document["description"] = "Which constants are fitted to which measured runs";
    return document;
}

Expected<FitRecipe, Problems> read_fit_recipe(std::string_view text, const Machines& machines, const Stacks& stacks,
                                              const std::string& file) {
    Findings findings(file);
    FitRecipe recipe;
    if (const auto json = parse(text, findings)) {
        const Reader root(*json, "", findings);
        if (check_header(root, "plimsoll/fit", preset_version, true)) recipe = recipe_of(root, machines, stacks);
    }
    if (findings.errors() > 0) return Unexpected{findings.take()};
    return recipe;
}

}  // namespace plimsoll
