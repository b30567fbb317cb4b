#include "core/files/results/left_out_json.h"

#include "core/files/presets/parts.h"
#include "core/values/basics/phrase.h"

#include <array>

namespace plimsoll {
namespace {

using namespace files;

constexpr std::string_view left_out_schema = "plimsoll/left-out";
constexpr std::array<std::string_view, 6> left_out_columns{"source", "id", "quantity", "experts", "shipped",
                                                           "left_out"};
constexpr std::array<std::string_view, 2> left_out_quantities{"time", "memory"};
constexpr std::size_t most_left_out = 100000;
constexpr NumberRange error_range{-1, 1e6};
constexpr int error_digits = 5;

OrderedJson left_out_line(const LeftOutRow& r) {
    return OrderedJson::array({r.source, r.id, left_out_quantities[r.memory ? 1 : 0], r.experts,
                               number_json(rounded(r.shipped, error_digits)),
                               number_json(rounded(r.left_out, error_digits))});
}

std::optional<LeftOutRow> left_out_row(const Reader& at) {
    if (!at.array(left_out_columns.size())) return std::nullopt;
    const std::vector<Reader> cells = at.elements();
    if (cells.size() != left_out_columns.size()) {
        at.error("expected " + std::to_string(left_out_columns.size()) + " values: " +
                 "source, id, quantity, experts, shipped, left_out");
        return std::nullopt;
    }
    const auto source = cells[0].text(), id = cells[1].text();
    const auto quantity = cells[2].choice(left_out_quantities);
    const auto experts = cells[3].flag();
    const auto shipped = cells[4].number(error_range), left_out = cells[5].number(error_range);
    if (!source || !id || !quantity || !experts || !shipped || !left_out) return std::nullopt;
    return LeftOutRow{*id, *source, *quantity == 1, *experts, *shipped, *left_out};
}

}  // namespace

OrderedJson files::left_out_json_schema() {
    OrderedJson row{{"type", "array"}, {"minItems", left_out_columns.size()}, {"maxItems", left_out_columns.size()}};
    const OrderedJson text{{"type", "string"}}, number{{"type", "number"}};
    row["prefixItems"] = {text, text, {{"enum", left_out_quantities}}, {{"type", "boolean"}}, number, number};
    row["description"] = "predicted / measured - 1 with the presets as they ship and with the source left out";
    OrderedJson schema{{"$schema", json_schema_dialect}, {"title", "Errors of sources left out"}, {"type", "object"}};
    OrderedJson& properties = schema["properties"];
    properties["schema"] = {{"const", left_out_schema}};
    properties["version"] = {{"const", 1}};
    for (const char* words : {"id", "recipe", "note"}) properties[words] = text;
    properties["columns"] = {{"const", left_out_columns}};
    properties["rows"] = {{"type", "array"}, {"items", row}};
    schema["required"] = {"schema", "version", "columns", "rows"};
    schema["additionalProperties"] = false;
    return schema;
}

std::string write_left_out(const LeftOut& errors) {
    const OrderedJson head{{"schema", left_out_schema},
                           {"version", preset_version},
                           {"id", "left_out"},
                           {"recipe", errors.recipe},
                           {"note", "Written by plimsoll fit --leave-out source --left-out: errors of every row with "
                                    "the presets as they ship, and with constants fitted to the other sources"},
                           {"columns", left_out_columns}};
    std::string text = text_of(head);
    text.erase(text.rfind("\n}"));   // the rows follow, one a line
    text += ",\n  \"rows\": [";
    for (std::size_t i = 0; i < errors.rows.size(); ++i)
        text += (i == 0 ? "\n    " : ",\n    ") + left_out_line(errors.rows[i]).dump();
    return text + "\n  ]\n}\n";
}

Expected<LeftOut, Problems> read_left_out(std::string_view text, const std::string& file) {
    return read_document<LeftOut>(
        text, file, {left_out_schema, preset_version}, [](const Reader& root, LeftOut& errors) {
            if (const auto recipe = root.member("recipe")) errors.recipe = recipe->text().value_or("");
            if (const auto rows = root.member("rows"); !rows) root.missing("rows", phrase("a list"));
            else if (rows->array(most_left_out))
                for (const Reader& row : rows->elements())
                    if (auto one = left_out_row(row)) errors.rows.push_back(*std::move(one));
        });
}

}  // namespace plimsoll
