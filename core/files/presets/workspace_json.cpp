#include "core/files/presets/workspace_json.h"

#include "core/files/presets/parts.h"

#include <nlohmann/json.hpp>

#include <array>

namespace plimsoll {
namespace {

using namespace files;

constexpr std::string_view workspace_schema = "plimsoll/workspace";
constexpr int workspace_version = 1;
constexpr std::array<std::string_view, 4> workspace_keys{"schema", "version", "shown", "plans"};

// A plan inside the file says where it is at fault by its own pointer behind that of the plan.
void read_plan(const Reader& at, const Library& library, WorkspaceFile& workspace) {
    if (!at.object()) return;
    auto read = read_scenario(at.json().dump(-1, ' ', false, Json::error_handler_t::replace), library);
    const Problems& said = read ? read->warnings : read.error();
    for (const Problem& p : said) {
        const std::string pointer = at.pointer() + p.pointer;
        if (p.severity == Severity::error) at.findings().error(pointer, p.message);
        else at.findings().warning(pointer, p.message);
    }
    if (!read) return;
    read->warnings.clear();
    workspace.plans.push_back(*std::move(read));
}

void read_plans(const Reader& root, const Library& library, WorkspaceFile& workspace) {
    const auto list = root.member("plans");
    if (!list) return root.missing("plans", "a list of scenarios");
    if (!list->array(most_plans_of_workspace)) return;
    const std::vector<Reader> plans = list->elements();
    if (plans.empty()) return list->error("is empty; a workspace holds at least one plan");
    for (const Reader& plan : plans) read_plan(plan, library, workspace);
    if (const auto shown = root.member("shown"))
        workspace.shown = shown->whole({0, double(plans.size() - 1)}).value_or(0);
}

}  // namespace

Expected<WorkspaceFile, Problems> read_workspace(std::string_view text, const Library& library,
                                                 const std::string& file) {
    const DocumentKind kind{workspace_schema, workspace_version, true, Conflicts::are_warnings};
    return read_document<WorkspaceFile>(text, file, kind, [&](const Reader& root, WorkspaceFile& workspace) {
        root.warn_of_keys_beyond(workspace_keys);
        read_plans(root, library, workspace);
    });
}

std::string write_workspace(std::span<const std::string> plans, int shown) {
    const auto parsed = [](const std::string& plan) { return OrderedJson::parse(plan, nullptr, false); };
    return text_of({{"schema", workspace_schema},
                    {"version", workspace_version},
                    {"shown", shown},
                    {"plans", json_list(plans, parsed)}});
}

bool is_workspace(std::string_view file_name, std::string_view text) {
    constexpr std::size_t beginning = 1000;   // the schema stands first in what is written
    const std::string quoted = '"' + std::string(workspace_schema) + '"';
    return file_name.ends_with(workspace_suffix) || text.substr(0, beginning).find(quoted) != text.npos;
}

}  // namespace plimsoll
