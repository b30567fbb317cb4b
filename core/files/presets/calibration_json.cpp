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

template <class Owner>
constexpr auto seconds(std::string_view key, Seconds Owner::*m) { return real(key, m, second, not_negative); }
template <class Owner>
constexpr auto always(std::string_view key, std::string Owner::*m) { return Field{key, m, TextField{true, true}}; }

// ---- Points: a header and rows

constexpr auto columns = std::tuple{
    always("label", &MeasuredPoint::label),        pure("size", &MeasuredPoint::size, any),
    seconds("measured_s", &MeasuredPoint::measured), seconds("low_s", &MeasuredPoint::low),
    seconds("high_s", &MeasuredPoint::high),       seconds("fitted_s", &MeasuredPoint::fitted),
    flag("contended", &MeasuredPoint::contended),
};
static_assert(members_in(columns) == members_of<MeasuredPoint>, "every member has a column");
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
    std::size_t c = 0;
    const auto take = [&](const auto& column) {
        if (const auto place = places[c++])
            if (auto v = column.codec.read(cells[*place])) p.*column.member = std::move(*v);
    };
    std::apply([&](const auto&... column) { (take(column), ...); }, columns);
    return p;
}

struct PointTable {
    OrderedJson schema() const {
        OrderedJson names = list_schema(enum_schema(column_keys), 0, 0);
        OrderedJson rows = list_schema(list_schema({{"type", {"string", "number", "boolean"}}}, 0, 0), 0, 0);
        SchemaObject table;
        table.add("columns", std::move(names), "What the values of a row are, in any order", true);
        table.add("rows", std::move(rows), "In order of size", true);
        return std::move(table).finished();
    }
    std::optional<std::vector<MeasuredPoint>> read(const Reader& at) const {
        if (!at.object()) return std::nullopt;
        at.warn_of_keys_beyond(table_keys);
        const auto header = at.member("columns"), rows = at.member("rows");
        if (!header) return at.missing("columns", phrase("a list")), std::nullopt;
        if (!rows) return at.missing("rows", phrase("a list")), std::nullopt;
        const Places places = places_of(*header);
        if (!header->json().is_array() || !rows->array(most_points)) return std::nullopt;
        std::vector<MeasuredPoint> points;
        for (const Reader& row : rows->elements()) points.push_back(point_of(row, places, header->json().size()));
        return points;
    }
    OrderedJson write(const std::vector<MeasuredPoint>& points) const {
        OrderedJson rows = OrderedJson::array();
        for (const MeasuredPoint& p : points) {
            OrderedJson& row = rows.emplace_back(OrderedJson::array());
            std::apply([&](const auto&... column) { (row.push_back(column.codec.write(p.*column.member)), ...); },
                       columns);
        }
        return {{"columns", std::vector<std::string>(column_keys.begin(), column_keys.end())},
                {"rows", std::move(rows)}};
    }
    std::string expected() const { return phrase("an object with columns and rows"); }
};

// ---- The other fields

// Parts of a step by their ids, in seconds; those that take no time are left out.
struct StepParts {
    OrderedJson schema() const {
        return {{"type", "object"}, {"additionalProperties", number_schema("number", not_negative)}};
    }
    std::optional<StepTime> read(const Reader& at) const {
        if (!at.object()) return std::nullopt;
        StepTime time;
        std::vector<std::string_view> known;
        for (const auto& part : step_parts) {
            known.push_back(part.id);
            if (const auto value = at.member(part.id))
                time.*part.value = value->number(not_negative).value_or(0) * second;
        }
        at.warn_of_keys_beyond(known);
        return time;
    }
    OrderedJson write(const StepTime& time) const {
        OrderedJson object;
        for (const auto& part : step_parts)
            if (const Seconds v = time.*part.value; v > Seconds{})
                object[std::string(part.id)] = number_json(v / second);
        return object;
    }
    std::string expected() const { return phrase("an object"); }
};

constexpr auto experiment_fields = std::tuple{
    text("id", &Experiment::id).needed().about("Named by constants"),
    text("label", &Experiment::label).prose().about("Matrix products ..."),
    text("size_label", &Experiment::size_label).about("What size counts: FLOP, bytes ..."),
    pure("mean_error", &Experiment::mean_error, relative)
        .about("Mean of |fitted / measured - 1| over points that were not contended"),
    Field{"points", &Experiment::points, PointTable{}}.stated().about("One row a point"),
};
static_assert(members_in(experiment_fields) == members_of<Experiment>, "every member has a row");

constexpr auto constant_fields = std::tuple{
    text("pointer", &MeasuredConstant::pointer).prose().needed()
        .matching(R"(^(stack)?/.+$)").about("Of the machine, or after stack/ of its software"),
    text("experiment", &MeasuredConstant::experiment).about("The points it comes from"),
    pure("before", &MeasuredConstant::before, any).about("In the preset it is based on"),
    pure("value", &MeasuredConstant::value, any).needed().about("In the unit of the preset"),
    pure("low", &MeasuredConstant::low, any).needed().about("95 % interval"),
    pure("high", &MeasuredConstant::high, any).needed().about("95 % interval"),
};
static_assert(members_in(constant_fields) == members_of<MeasuredConstant>, "every member has a row");

constexpr auto proof_fields = std::tuple{
    text("id", &ProofRow::id).needed().about("Short name"),
    text("label", &ProofRow::label).prose().about("For people"),
    flag("held_out", &ProofRow::held_out).about("Not used by the fit"),
    flag("fair", &ProofRow::fair).about("A device for every rank"),
    text("caution", &ProofRow::caution).prose().about("Why it is not fair, or what disturbed it"),
    whole("devices", &ProofRow::devices, devices).about("Ranks"),
    whole("sequence_length", &ProofRow::sequence_length, devices).about("Tokens"),
    pure("parameters", &ProofRow::parameters, not_negative).about("Of the model"),
    seconds("predicted_s", &ProofRow::predicted).needed().about("Time of a step"),
    seconds("predicted_low_s", &ProofRow::predicted_low).about("90 % interval"),
    seconds("predicted_high_s", &ProofRow::predicted_high).about("90 % interval"),
    seconds("measured_s", &ProofRow::measured).about("Median step; 0 where it did not run"),
    seconds("measured_low_s", &ProofRow::measured_low).about("95 % interval of the median"),
    seconds("measured_high_s", &ProofRow::measured_high).about("95 % interval of the median"),
    Field{"predicted_parts_s", &ProofRow::predicted_parts, StepParts{}}.about("By part of the step"),
    Field{"measured_parts_s", &ProofRow::measured_parts, StepParts{}}.about("By part of the step"),
    real("memory_predicted_GiB", &ProofRow::memory_predicted, gibibyte, not_negative).about("Of the fullest rank"),
    real("memory_measured_GiB", &ProofRow::memory_measured, gibibyte, not_negative).about("Of the fullest rank"),
    flag("contended", &ProofRow::contended).about("Somebody else had the processor"),
};
static_assert(members_in(proof_fields) == members_of<ProofRow>, "every member has a row");

constexpr auto codec_trial_fields = std::tuple{
    text("id", &CodecTrial::id).needed().about("Short name"),
    text("label", &CodecTrial::label).prose().about("For people"),
    text("traffic", &CodecTrial::traffic).about("gradients, tensor or pipeline, as in scenarios"),
    text("codec", &CodecTrial::codec).about("fp8, zfp or top_k, as in scenarios"),
    pure("ratio", &CodecTrial::ratio, relative).about("Payload over message"),
    seconds("step_s", &CodecTrial::step).about("Time of a step with the codec"),
    seconds("step_without_s", &CodecTrial::step_without).about("Time of a step without it"),
    pure("loss_change", &CodecTrial::loss_change, any).about("Nats per token, mean of the last three steps"),
    whole("steps", &CodecTrial::steps, {0, 1e9}).about("Steps that both ran"),
    flag("contended", &CodecTrial::contended).about("Somebody else had the processor"),
};
static_assert(members_in(codec_trial_fields) == members_of<CodecTrial>, "every member has a row");

constexpr auto calibration_fields = std::tuple{
    text("based_on", &Calibration::based_on).needed().about("Id of the machine it started from"),
    text("based_on_hash", &Calibration::based_on_hash)
        .about("SHA-256 of that preset as Plimsoll writes it, \"sha256:\" and 64 digits; 16 digits in older files are "
               "FNV-1a"),
    text("stack", &Calibration::stack).about("Id of the software calibrated with it"),
    text("date", &Calibration::date).needed().about("Of the measurement, ISO 8601"),
    text("host", &Calibration::host).prose().about("Processor, cores, memory; no names"),
    text("software", &Calibration::software).prose().about("Trainer and libraries"),
    text("precision", &Calibration::precision).about("Of the layouts' products: fp32, bf16"),
    text("prediction_hash", &Calibration::prediction_hash).about("Of all that was measured before the runs held back"),
    list("experiments", &Calibration::experiments, experiment_fields, most_experiments)
        .each("Points of one kind").about("Measured points"),
    list("constants", &Calibration::constants, constant_fields, most_constants)
        .each("A measured number").needed().about("Numbers they decided"),
    list("proof", &Calibration::proof, proof_fields, most_rows)
        .each("A training layout, predicted and measured").about("Predicted and measured layouts"),
    list("codecs", &Calibration::codecs, codec_trial_fields, most_rows)
        .each("Steps with and without a codec")
        .about("Codecs of compressed communication that were tried"),
    Field{"assumed", &Calibration::assumed, TextList{most_sentences}}.about("What short runs cannot tell"),
    Field{"cautions", &Calibration::cautions, TextList{most_sentences}}.about("Contention, points left out"),
    text("energy", &Calibration::energy).prose().about("Where joules come from, or why there are none"),
};
static_assert(members_in(calibration_fields) == members_of<Calibration>, "every member has a row");

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

std::optional<CalibrationRecord> CalibrationField::read(const Reader& at) const {
    const auto errors = at.findings().errors();
    Calibration c;
    read_fields(calibration_fields, at, c);
    if (at.findings().errors() == errors) check_constants(at, c);
    return CalibrationRecord(std::move(c));
}

OrderedJson CalibrationField::schema() const { return object_schema(calibration_fields); }

OrderedJson CalibrationField::write(const CalibrationRecord& record) const {
    return record ? write_fields(calibration_fields, *record.get()) : OrderedJson();
}

}  // namespace plimsoll::files
