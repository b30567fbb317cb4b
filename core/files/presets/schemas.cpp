#include "core/files/presets/schemas.h"

#include "core/files/text/part.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

using namespace files;

constexpr std::array<std::string_view, 6> kinds_with_schema{"model",    "machine", "stack",
                                                            "scenario", "fit",     "published-runs"};
constexpr std::array schema_writers{&preset_schema<Model>, &preset_schema<Machine>, &preset_schema<Stack>,
                                    &scenario_schema,      &fit_schema,             &published_runs_schema};
static_assert(kinds_with_schema.size() == schema_writers.size());

}  // namespace

std::span<const std::string_view> schema_kinds() { return kinds_with_schema; }

std::optional<std::string> schema_text(std::string_view kind) {
    const auto found = std::find(kinds_with_schema.begin(), kinds_with_schema.end(), kind);
    if (found == kinds_with_schema.end()) return std::nullopt;
    return text_of(schema_writers[std::size_t(found - kinds_with_schema.begin())]());
}

}  // namespace plimsoll
