#include "core/files/presets/preset_json.h"

#include "core/files/presets/parts.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"

#include <algorithm>
#include <array>

namespace plimsoll {

namespace {

using namespace files;

// Scenarios and the file name refer to the id, so a preset needs one.
void check_names(const Reader& root, const std::string& id, const std::string& name) {
    const auto stated = root.member("id");
    if (id.empty() && (!stated || stated->json() == "")) root.missing("id", phrase(say_plain_name));
    if (name.empty()) root.missing("name", phrase("a text"));
}

template <class File, class Part>
Expected<File, Problems> read(std::string_view text, const std::string& file, Part File::*part) {
    const DocumentKind kind{schema_of<Part>(), newest_version<Part>()};
    return read_document<File>(text, file, kind, [&](const Reader& root, File& result) {
        Part& p = result.*part;
        read_part(root, p);
        check_names(root, p.id, p.name);
        warn_of_idle_sources(root, p.sources);
    });
}

}  // namespace

Expected<ModelFile, Problems> read_model(std::string_view json, const std::string& file) {
    return read<ModelFile>(json, file, &ModelFile::model);
}
Expected<MachineFile, Problems> read_machine(std::string_view json, const std::string& file) {
    return read<MachineFile>(json, file, &MachineFile::machine);
}
Expected<StackFile, Problems> read_stack(std::string_view json, const std::string& file) {
    return read<StackFile>(json, file, &StackFile::stack);
}

std::string write_model(const Model& m) { return text_of(write_part(m)); }
std::string write_machine(const Machine& m) { return text_of(write_part(m)); }
std::string write_stack(const Stack& s) { return text_of(write_part(s)); }

std::string files::compact_text_of(const OrderedJson& json) {
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

std::string files::text_of(const OrderedJson& json) {
    return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

namespace {

using namespace files;

constexpr std::array<std::string_view, 8> kinds_with_schema{"model", "machine",        "stack",    "scenario",
                                                            "fit",   "published-runs", "left-out", "programme"};
constexpr std::array schema_writers{&preset_schema<Model>, &preset_schema<Machine>, &preset_schema<Stack>,
                                    &scenario_schema,      &fit_schema,             &published_runs_schema,
                                    &left_out_json_schema, &programme_schema};
static_assert(kinds_with_schema.size() == schema_writers.size());

}  // namespace

std::span<const std::string_view> schema_kinds() { return kinds_with_schema; }

std::optional<std::string> schema_text(std::string_view kind) {
    const auto found = std::find(kinds_with_schema.begin(), kinds_with_schema.end(), kind);
    if (found == kinds_with_schema.end()) return std::nullopt;
    return text_of(schema_writers[std::size_t(found - kinds_with_schema.begin())]());
}

}  // namespace plimsoll
