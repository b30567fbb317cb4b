#include "core/files/presets/unsaved_json.h"

#include "core/files/presets/parts.h"
#include "core/values/basics/fingerprint.h"
#include "core/values/basics/phrase.h"

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

using namespace files;

constexpr std::string_view unsaved_schema = "plimsoll/unsaved";

std::string text_at(const Reader& root, std::string_view key) {
    const auto at = root.member(key);
    return at ? at->text().value_or("") : std::string();
}

// The text is parsed and written once more on both sides, so that it is the same bytes that are hashed.
std::string canonical(const OrderedJson& plan) { return text_of(plan); }

}  // namespace

std::string write_unsaved(const UnsavedPlan& unsaved) {
    const OrderedJson plan = OrderedJson::parse(unsaved.plan, nullptr, false);
    return text_of({{"schema", unsaved_schema},
                    {"version", preset_version},
                    {"file", unsaved.file},
                    {"file_fingerprint", unsaved.fingerprint},
                    {"plan_fingerprint", fingerprint_of(canonical(plan))},
                    {"id", unsaved.id},
                    {"plan", plan}});
}

Expected<UnsavedPlan, Problems> read_unsaved(std::string_view text, const std::string& file) {
    // read_document() also refuses what nests too deep.
    return read_document<UnsavedPlan>(
        text, file, {unsaved_schema, preset_version}, [&](const Reader& root, UnsavedPlan& unsaved) {
            unsaved.file = text_at(root, "file");
            unsaved.fingerprint = text_at(root, "file_fingerprint");
            unsaved.id = text_at(root, "id");
            const OrderedJson ordered = OrderedJson::parse(text, nullptr, false);
            if (!root.member("plan")) root.missing("plan", phrase("a scenario"));
            else unsaved.plan = canonical(ordered.at("plan"));
            if (!unsaved.plan.empty() && text_at(root, "plan_fingerprint") != fingerprint_of(unsaved.plan))
                root.error(phrase("the plan is not the one that was written: its fingerprint differs"));
        });
}

}  // namespace plimsoll
