#include "core/files/results/fit_recipe.h"

#include "core/files/presets/parts.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

using namespace files;

constexpr std::size_t most_constants = 500, most_names = 200;

// As written; the readers below look the knob and its owners up.
struct RecipeConstant {
    std::string knob, name;
    std::vector<std::string> of;
    std::string pooled_with;
    double prior = 0, width = 0;
    std::string reason;
};

struct RecipeText {
    std::string id, title;
    std::vector<std::string> rows;
    bool dense_only = false;
    std::vector<RecipeConstant> constants;
    HoldBack hold_back;
};

constexpr Table recipe_constant_fields{
    text<&RecipeConstant::knob>("knob").not_empty().stated().about("Id of the input"),
    text<&RecipeConstant::name>("name").not_empty().about("Of a family that others are pooled with; \"of\" without"),
    texts<&RecipeConstant::of>("of", most_names).each({}, 1)
        .about("Device families, machines or stacks that share it; none: a family that others are pooled with"),
    text<&RecipeConstant::pooled_with>("pooled_with")
        .not_empty()
        .about("Name of the constant of the same input, listed before, that the prior is centred on"),
    pure<&RecipeConstant::prior>("prior", positive)
        .about("Expected value, in the unit of the input; the presets' present value without"),
    pure<&RecipeConstant::width>("width", positive).about("Standard deviation of the logarithm"),
    text<&RecipeConstant::reason>("reason").prose().not_empty().about("Where the prior comes from"),
};
static_assert(complete(recipe_constant_fields), "every member has a row");

constexpr Table hold_back_fields{
    text<&HoldBack::rule>("rule").prose().not_empty().stated().about("How rows and sources were chosen, for people"),
    whole<&HoldBack::modulus>("modulus", {0, 1e6})
        .about("Of the CRC-32 of a row's id; 0: no rows are drawn"),
    whole<&HoldBack::remainder>("remainder", {0, 1e6}).about("Rows whose CRC-32 leaves it are held back"),
    texts<&HoldBack::rows_of>("rows_of", most_names).about("Sources that the rows are drawn from"),
    texts<&HoldBack::sources>("sources", most_names).about("Sources held back whole"),
};
static_assert(complete(hold_back_fields), "every member has a row");

constexpr Table recipe_text_fields{
    constant<RecipeText>("schema", "plimsoll/fit"),
    constant<RecipeText>("version", preset_version),
    text<&RecipeText::id>("id").matching(id_pattern).stated().about("File name without .json"),
    text<&RecipeText::title>("title").not_empty().stated().about("For people"),
    texts<&RecipeText::rows>("rows", most_names)
        .about("Ids of published runs or files; none: all that ship"),
    flag<&RecipeText::dense_only>("dense_only").about("Leave mixtures of experts out"),
    list<&RecipeText::constants>("constants", recipe_constant_fields, most_constants).each({}, 1).stated(),
    nested<&RecipeText::hold_back>("hold_back", hold_back_fields).about("Rows that no fit sees"),
};
static_assert(complete(recipe_text_fields), "every member has a row");

// Place of the constant that `wanted` is pooled with; -1 where there is none before it.
int family_in(const std::vector<Constant>& constants, const RecipeConstant& wanted) {
    for (std::size_t i = 0; i < constants.size(); ++i)
        if (constants[i].knob->id == wanted.knob && constants[i].name == wanted.pooled_with) return int(i);
    return -1;
}

// Nothing, with the reason noted, when it makes no sense.
std::optional<Constant> constant_in(const Reader& at, const RecipeConstant& wanted, const Machines& machines,
                                    const Stacks& stacks, const std::vector<Constant>& before) {
    const int family = wanted.pooled_with.empty() ? -1 : family_in(before, wanted);
    if (!wanted.pooled_with.empty() && family < 0) {
        at.error("pooled_with", phrase("no constant of this input with the name {1} stands before this one",
                                       in_quotes(wanted.pooled_with)));
        return std::nullopt;
    }
    if (wanted.of.empty() && wanted.name.empty()) {
        at.missing("of", phrase("a list of device families, machines or stacks"));
        return std::nullopt;
    }
    const double prior = wanted.prior > 0 || family < 0 ? wanted.prior : before[std::size_t(family)].prior;
    auto constant = wanted.of.empty()
                      ? family_constant(wanted.knob, wanted.name, prior, wanted.width)
                      : constant_of(wanted.knob, wanted.of, prior, wanted.width, machines, stacks);
    if (!constant) {
        at.error(constant.error());
        return std::nullopt;
    }
    if (!wanted.name.empty()) constant->name = wanted.name;
    constant->reason = wanted.reason;
    constant->family = family;
    return *std::move(constant);
}

// Who a constant names by its own id belongs to no other one that names its family.
void leave_named_owners(const std::vector<Reader>& elements, const RecipeText& written,
                        std::vector<Constant>& constants) {
    using Owner = std::pair<std::string, std::string>;   // of a knob
    std::map<Owner, std::size_t> named;
    for (std::size_t i = 0; i < constants.size(); ++i)
        for (const std::string& owner : written.constants[i].of) {
            const auto& owners = constants[i].owners;
            if (std::find(owners.begin(), owners.end(), owner) == owners.end()) continue;   // a family
            if (!named.emplace(Owner{constants[i].knob->id, owner}, i).second)
                elements[i].error("of", phrase("{1} has a constant of this input already", in_quotes(owner)));
        }
    for (std::size_t i = 0; i < constants.size(); ++i)
        std::erase_if(constants[i].owners, [&](const std::string& owner) {
            const auto at = named.find({constants[i].knob->id, owner});
            return at != named.end() && at->second != i;
        });
}

FitRecipe recipe_of(const Reader& root, const Machines& machines, const Stacks& stacks) {
    RecipeText written;
    read_fields(recipe_text_fields, root, written);
    FitRecipe recipe{written.id, written.title, written.rows, written.dense_only, {}, written.hold_back};
    if (recipe.hold_back.modulus > 0 && recipe.hold_back.remainder >= recipe.hold_back.modulus)
        root.error("hold_back",
                   phrase("the remainder has to be below the modulus, {1}", recipe.hold_back.modulus));
    const auto constants = root.member("constants");
    if (!constants) root.missing("constants", phrase("a list of constants"));
    if (written.constants.empty()) return recipe;
    const std::vector<Reader> elements = constants->elements();
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!elements[i].json().is_object()) return recipe;  // noted already
        auto constant = constant_in(elements[i], written.constants[i], machines, stacks, recipe.constants);
        if (!constant) return recipe;
        recipe.constants.push_back(*std::move(constant));
    }
    leave_named_owners(elements, written, recipe.constants);
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
    const DocumentKind kind{"plimsoll/fit", preset_version};
    return read_document<FitRecipe>(text, file, kind, [&](const Reader& root, FitRecipe& recipe) {
        recipe = recipe_of(root, machines, stacks);
    });
}

}  // namespace plimsoll
