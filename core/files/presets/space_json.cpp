#include "core/files/presets/space_json.h"

#include "core/files/presets/parts.h"
#include "core/values/basics/names.h"
#include "core/values/basics/phrase.h"

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

using namespace files;

constexpr std::size_t most_values = 1000;
constexpr NumberRange any_degree{1, 1e6};

struct DegreeAxis {
    const char* key;
    std::vector<int> Space::*values;
    NumberRange range;
};
constexpr DegreeAxis degree_axes[] = {{"tensor_parallel", &Space::tensor_parallel, any_degree},
                                      {"pipeline_parallel", &Space::pipeline_parallel, any_degree},
                                      {"virtual_stages", &Space::virtual_stages, any_degree},
                                      {"context_parallel", &Space::context_parallel, any_degree},
                                      {"expert_parallel", &Space::expert_parallel, any_degree},
                                      {"micro_batch", &Space::micro_batch, any_degree},
                                      {"zero_stage", &Space::zero_stages, {0, 3}}};

constexpr std::string_view space_keys[] = {"schema",
                                           "version",
                                           "name",
                                           "from",
                                           "note",
                                           "tensor_parallel",
                                           "pipeline_parallel",
                                           "virtual_stages",
                                           "context_parallel",
                                           "expert_parallel",
                                           "micro_batch",
                                           "zero_stage",
                                           "tensor_mode",
                                           "context_mode",
                                           "schedule",
                                           "recompute",
                                           "sequence_parallel",
                                           "largest_tensor",
                                           "even_stages",
                                           "recompute_counts",
                                           "recompute_modules",
                                           "offload",
                                           "offload_modules"};

// The elements of a list, each as `read` makes it; an empty list is an error where the axis cannot be without a value.
template <class T, class Read>
void read_axis(const Reader& root, const char* key, std::vector<T>& axis, Read read) {
    const auto list = root.member(key);
    if (!list || !list->array(most_values)) return;
    std::vector<T> values;
    for (const Reader& element : list->elements())
        if (const auto value = read(element)) values.push_back(T(*value));
    if (values.empty()) return root.missing(key, phrase("at least one value"));
    axis = std::move(values);
}

template <class E>
void read_choices(const Reader& root, const char* key, std::vector<E>& axis) {
    read_axis(root, key, axis, [](const Reader& at) { return at.choice(names_of<E>()); });
}

void read_flag(const Reader& root, const char* key, bool& value) {
    if (const auto at = root.member(key)) value = at->flag().value_or(value);
}

void read_axes(const Reader& root, Space& s) {
    for (const DegreeAxis& axis : degree_axes)
        read_axis(root, axis.key, s.*axis.values, [&](const Reader& at) { return at.whole(axis.range); });
    read_choices(root, "tensor_mode", s.tensor_modes);
    read_choices(root, "context_mode", s.context_modes);
    read_choices(root, "schedule", s.schedules);
    read_choices(root, "recompute", s.recompute);
    read_axis(root, "sequence_parallel", s.sequence_parallel, [](const Reader& at) { return at.flag(); });
    read_axis(root, "offload", s.offload, [](const Reader& at) { return read_offload(at); });
    if (const auto at = root.member("largest_tensor")) s.largest_tensor = at->whole(any_degree).value_or(0);
    read_flag(root, "even_stages", s.even_stages);
    read_flag(root, "recompute_counts", s.recompute_counts);
    read_flag(root, "recompute_modules", s.module_lists);
    read_flag(root, "offload_modules", s.sent_lists);
}

}  // namespace

Expected<Space, Problems> read_space(std::string_view text, const std::string& file) {
    const DocumentKind kind{"plimsoll/space", preset_version, false};
    return read_document<Space>(text, file, kind, [&](const Reader& root, Space& space) {
        space = full_space();
        root.warn_of_keys_beyond(space_keys);
        constexpr std::string_view bases[] = {"full", "common"};
        if (const auto from = root.member("from"))
            if (const auto base = from->choice(bases); base && *base == 1) space = common_space();
        space.name = file;
        if (const auto name = root.member("name")) space.name = name->text().value_or(file);
        read_axes(root, space);
    });
}

}  // namespace plimsoll
