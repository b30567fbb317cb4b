#include "core/files/presets/parts.h"

#include "core/values/basics/phrase.h"

#include <algorithm>

namespace plimsoll::files {
namespace {

constexpr NumberRange any{-largest, largest};
constexpr NumberRange relative{0, 1e6};
constexpr NumberRange devices{1, 1e9};
constexpr std::size_t most_points = 5000, most_experiments = 100, most_constants = 500, most_rows = 500,
                      most_sentences = 500;

template <auto Member>
constexpr auto seconds(std::string_view key) { return real<Member>(key, second, not_negative); }

// ---- Points: a header and rows

constexpr Table columns{
    text<&MeasuredPoint::label>("label").prose().kept_when_empty(),        pure<&MeasuredPoint::size>("size", any),
    seconds<&MeasuredPoint::measured>("measured_s"), seconds<&MeasuredPoint::low>("low_s"),
    seconds<&MeasuredPoint::high>("high_s"),       seconds<&MeasuredPoint::fitted>("fitted_s"),
    flag<&MeasuredPoint::contended>("contended"),
};
static_assert(complete(columns), "every member has a row");
constexpr auto column_keys = keys_of(columns);
constexpr std::string_view table_keys[] = {"columns", "rows"};

// Where each of `columns` stands in the file's rows.
using Places = std::array<std::optional<std::size_t>, column_keys.size()>;

Places places_of(const Reader& header) {
    Places places;
    if (!header.array(most_points)) return places;
    const auto names = header.elements();
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto name = names[i].text();
        if (!name) continue;
        const auto at = std::find(column_keys.begin(), column_keys.end(), *name);
        if (at == column_keys.end())
            names[i].warning(phrase("unknown column, ignored") + did_you_mean(*name, column_keys));
        else places[std::size_t(at - column_keys.begin())] = i;
    }
    for (std::size_t c = 0; c < places.size(); ++c)
        if (!places[c]) header.error(phrase("expected a column {1}", in_quotes(column_keys[c])));
    return places;
}

MeasuredPoint point_of(const Reader& row, const Places& places, std::size_t width) {
    MeasuredPoint p;
    if (!row.array(width)) return p;
    const auto cells = row.elements();
    if (cells.size() != width) {
        row.error(phrase("found {1} values, expected one for each of {2} columns", cells.size(), width));
        return p;
    }
    for (std::size_t c = 0; c < places.size(); ++c)
        if (const auto place = places[c]) columns.fields[c].read_value(cells[*place], &p);
    return p;
}

struct PointTable {
    static std::string expected(const Field&) { return phrase("an object with columns and rows"); }
    static OrderedJson schema(const Field&) {
        OrderedJson names = list_schema(enum_schema(column_keys), 0, 0);
        OrderedJson rows = list_schema(list_schema({{"type", {"string", "number", "boolean"}}}, 0, 0), 0, 0);
        SchemaObject table;
        table.add("columns", std::move(names), "What the values of a row are, in any order", true);
        table.add("rows", std::move(rows), "In order of size", true);
        return std::move(table).finished();
    }
    static void read(const Field&, const Reader& at, std::vector<MeasuredPoint>& points) {
        if (!at.object()) return;
        at.warn_of_keys_beyond(table_keys);
        const auto header = at.member("columns"), rows = at.member("rows");
        if (!header) return at.missing("columns", phrase("a list"));
        if (!rows) return at.missing("rows", phrase("a list"));
        const Places places = places_of(*header);
        if (!header->json().is_array() || !rows->array(most_points)) return;
        points.clear();
        for (const Reader& row : rows->elements()) points.push_back(point_of(row, places, header->json().size()));
    }
    static OrderedJson write(const Field&, const std::vector<MeasuredPoint>& points) {
        OrderedJson rows = OrderedJson::array();
        for (const MeasuredPoint& p : points) {
            OrderedJson& row = rows.emplace_back(OrderedJson::array());
            for (const Field& column : columns.fields) row.push_back(column.value(&p));
        }
        return {{"columns", std::vector<std::string>(column_keys.begin(), column_keys.end())},
                {"rows", std::move(rows)}};
    }
};

// ---- The other fields

// Parts of a step by their ids, in seconds; those that take no time are left out.
struct StepParts : Object {
    static OrderedJson schema(const Field&) {
        return {{"type", "object"}, {"additionalProperties", number_schema("number", not_negative)}};
    }
    static void read(const Field&, const Reader& at, StepTime& time) {
        if (!at.object()) return;
        time = {};
        std::vector<std::string_view> known;
        for (const auto& part : step_parts) {
            known.push_back(part.id);
            if (const auto value = at.member(part.id))
                time.*part.value = value->number(not_negative).value_or(0) * second;
        }
        at.warn_of_keys_beyond(known);
    }
    static OrderedJson write(const Field&, const StepTime& time) {
        OrderedJson object;
        for (const auto& part : step_parts)
            if (const Seconds v = time.*part.value; v > Seconds{})
                object[std::string(part.id)] = number_json(v / second);
        return object;
    }
};

constexpr Table experiment_fields{
    text<&Experiment::id>("id").needed().about("Named by constants"),
    text<&Experiment::label>("label").prose().about("Matrix products ..."),
    text<&Experiment::size_label>("size_label").about("What size counts: FLOP, bytes ..."),
    pure<&Experiment::mean_error>("mean_error", relative)
        .about("Mean of |fitted / measured - 1| over points that were not contended"),
    row<PointTable, &Experiment::points>("points").stated().about("One row a point"),
};
static_assert(complete(experiment_fields), "every member has a row");

constexpr Table constant_fields{
    text<&MeasuredConstant::pointer>("pointer").prose().needed()
        .matching(R"(^(stack)?/.+$)").about("Of the machine, or after stack/ of its software"),
    text<&MeasuredConstant::experiment>("experiment").about("The points it comes from"),
    pure<&MeasuredConstant::before>("before", any).about("In the preset it is based on"),
    pure<&MeasuredConstant::value>("value", any).needed().about("In the unit of the preset"),
    pure<&MeasuredConstant::low>("low", any).needed().about("95 % interval"),
    pure<&MeasuredConstant::high>("high", any).needed().about("95 % interval"),
};
static_assert(complete(constant_fields), "every member has a row");

constexpr Table proof_fields{
    text<&ProofRow::id>("id").needed().about("Short name"),
    text<&ProofRow::label>("label").prose().about("For people"),
    flag<&ProofRow::held_out>("held_out").about("Not used by the fit"),
    flag<&ProofRow::fair>("fair").about("A device for every rank"),
    text<&ProofRow::caution>("caution").prose().about("Why it is not fair, or what disturbed it"),
    whole<&ProofRow::devices>("devices", devices).about("Ranks"),
    whole<&ProofRow::sequence_length>("sequence_length", devices).about("Tokens"),
    pure<&ProofRow::parameters>("parameters", not_negative).about("Of the model"),
    seconds<&ProofRow::predicted>("predicted_s").needed().about("Time of a step"),
    seconds<&ProofRow::predicted_low>("predicted_low_s").about("90 % interval"),
    seconds<&ProofRow::predicted_high>("predicted_high_s").about("90 % interval"),
    seconds<&ProofRow::measured>("measured_s").about("Median step; 0 where it did not run"),
    seconds<&ProofRow::measured_low>("measured_low_s").about("95 % interval of the median"),
    seconds<&ProofRow::measured_high>("measured_high_s").about("95 % interval of the median"),
    row<StepParts, &ProofRow::predicted_parts>("predicted_parts_s").about("By part of the step"),
    row<StepParts, &ProofRow::measured_parts>("measured_parts_s").about("By part of the step"),
    real<&ProofRow::memory_predicted>("memory_predicted_GiB", gibibyte, not_negative).about("Of the fullest rank"),
    real<&ProofRow::memory_measured>("memory_measured_GiB", gibibyte, not_negative).about("Of the fullest rank"),
    flag<&ProofRow::contended>("contended").about("Somebody else had the processor"),
};
static_assert(complete(proof_fields), "every member has a row");

constexpr Table codec_trial_fields{
    text<&CodecTrial::id>("id").needed().about("Short name"),
    text<&CodecTrial::label>("label").prose().about("For people"),
    text<&CodecTrial::traffic>("traffic").about("gradients, tensor or pipeline, as in scenarios"),
    text<&CodecTrial::codec>("codec").about("fp8, zfp or top_k, as in scenarios"),
    pure<&CodecTrial::ratio>("ratio", relative).about("Payload over message"),
    seconds<&CodecTrial::step>("step_s").about("Time of a step with the codec"),
    seconds<&CodecTrial::step_without>("step_without_s").about("Time of a step without it"),
    pure<&CodecTrial::loss_change>("loss_change", any).about("Nats per token, mean of the last three steps"),
    whole<&CodecTrial::steps>("steps", {0, 1e9}).about("Steps that both ran"),
    flag<&CodecTrial::contended>("contended").about("Somebody else had the processor"),
};
static_assert(complete(codec_trial_fields), "every member has a row");

constexpr Table calibration_fields{
    text<&Calibration::based_on>("based_on").needed().about("Id of the machine it started from"),
    text<&Calibration::based_on_hash>("based_on_hash")
        .about("SHA-256 of that preset as Plimsoll writes it, \"sha256:\" and 64 digits; 16 digits in older files are "
               "FNV-1a"),
    text<&Calibration::stack>("stack").about("Id of the software calibrated with it"),
    text<&Calibration::date>("date").needed().about("Of the measurement, ISO 8601"),
    text<&Calibration::host>("host").prose().about("Processor, cores, memory; no names"),
    text<&Calibration::software>("software").prose().about("Trainer and libraries"),
    text<&Calibration::precision>("precision").about("Of the layouts' products: fp32, bf16"),
    text<&Calibration::prediction_hash>("prediction_hash").about("Of all that was measured before the runs held back"),
    list<&Calibration::experiments>("experiments", experiment_fields, most_experiments)
        .each("Points of one kind").about("Measured points"),
    list<&Calibration::constants>("constants", constant_fields, most_constants)
        .each("A measured number").needed().about("Numbers they decided"),
    list<&Calibration::proof>("proof", proof_fields, most_rows)
        .each("A training layout, predicted and measured").about("Predicted and measured layouts"),
    list<&Calibration::codecs>("codecs", codec_trial_fields, most_rows)
        .each("Steps with and without a codec")
        .about("Codecs of compressed communication that were tried"),
    texts<&Calibration::assumed>("assumed", most_sentences).about("What short runs cannot tell"),
    texts<&Calibration::cautions>("cautions", most_sentences).about("Contention, points left out"),
    text<&Calibration::energy>("energy").prose().about("Where joules come from, or why there are none"),
};
static_assert(complete(calibration_fields), "every member has a row");

// An interval holds its value, and the points a constant names are there.
void check_constants(const Reader& at, const Calibration& c) {
    std::vector<std::string_view> ids;
    for (const Experiment& e : c.experiments) ids.push_back(e.id);
    for (std::size_t i = 0; i < c.constants.size(); ++i) {
        const MeasuredConstant& m = c.constants[i];
        const std::string path = std::string("constants/").append(std::to_string(i));
        if (m.low > m.value || m.high < m.value)
            at.conflict(path + "/value", phrase("expected a value from low to high"));
        if (!m.experiment.empty() && std::find(ids.begin(), ids.end(), m.experiment) == ids.end())
            at.conflict(path + "/experiment", phrase("found {1}, which has no points here", in_quotes(m.experiment))
                                                  + did_you_mean(m.experiment, ids));
    }
}

}  // namespace

void CalibrationField::read(const Field&, const Reader& at, CalibrationRecord& record) {
    const auto errors = at.findings().errors();
    Calibration c;
    read_fields(calibration_fields, at, c);
    if (at.findings().errors() == errors) check_constants(at, c);
    record = CalibrationRecord(std::move(c));
}

OrderedJson CalibrationField::schema(const Field&) { return object_schema(calibration_fields); }

OrderedJson CalibrationField::write(const Field&, const CalibrationRecord& record) {
    return record ? write_fields(calibration_fields, *record.get()) : OrderedJson();
}

}  // namespace plimsoll::files
