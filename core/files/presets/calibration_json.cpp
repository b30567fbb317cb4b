#include "core/files/presets/calibration_json.h"

#include <algorithm>

namespace plimsoll::files {
namespace {

constexpr NumberRange any{-largest, largest};
constexpr NumberRange relative{0, 1e6};
constexpr NumberRange devices{1, 1e9};
constexpr std::size_t most_points = 5000, most_experiments = 100, most_constants = 500, most_rows = 500, most_sentences = 500;

template <class Owner>
constexpr auto seconds(std::string_view key, Seconds Owner::*m) { return real(key, m, second, not_negative); }
template <class Owner>
constexpr auto always(std::string_view key, std::string Owner::*m) { return Field{key, m, Text{true}}; }

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
        if (at == column_keys.end()) names[i].warning("unknown column, ignored" + did_you_mean(*name, column_keys));
        else places[std::size_t(at - column_keys.begin())] = i;
    }
    for (std::size_t c = 0; c < places.size(); ++c)
        if (!places[c]) header.error("expected a column " + in_quotes(column_keys[c]));
    return places;
}

MeasuredPoint point_of(const Reader& row, const Places& places, std::size_t width) {
    MeasuredPoint p;
    if (!row.array(width)) return p;
    const auto cells = row.elements();
    if (cells.size() != width) {
        row.error("found " + std::to_string(cells.size()) + " values, expected one for each of " + std::to_string(width) + " columns");
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
    std::optional<std::vector<MeasuredPoint>> read(const Reader& at) const {
        if (!at.object()) return std::nullopt;
        at.warn_of_keys_beyond(table_keys);
        const auto header = at.member("columns"), rows = at.member("rows");
        if (!header) return at.missing("columns", "a list"), std::nullopt;
        if (!rows) return at.missing("rows", "a list"), std::nullopt;
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
            std::apply([&](const auto&... column) { (row.push_back(column.codec.write(p.*column.member)), ...); }, columns);
        }
        return {{"columns", std::vector<std::string>(column_keys.begin(), column_keys.end())}, {"rows", std::move(rows)}};
    }
    std::string expected() const { return "an object with columns and rows"; }
};

// ---- The other fields

struct Sentences {
    std::optional<std::vector<std::string>> read(const Reader& at) const {
        if (!at.array(most_sentences)) return std::nullopt;
        std::vector<std::string> all;
        for (const Reader& each : at.elements()) all.push_back(each.text().value_or(""));
        return all;
    }
    OrderedJson write(const std::vector<std::string>& all) const { return all.empty() ? OrderedJson() : OrderedJson(all); }
    std::string expected() const { return "a list of texts"; }
};

// Parts of a step by their ids, in seconds; those that take no time are left out.
struct StepParts {
    std::optional<StepTime> read(const Reader& at) const {
        if (!at.object()) return std::nullopt;
        StepTime time;
        std::vector<std::string_view> known;
        for (const auto& part : step_parts) {
            known.push_back(part.id);
            if (const auto value = at.member(part.id)) time.*part.value = value->number(not_negative).value_or(0) * second;
        }
        at.warn_of_keys_beyond(known);
        return time;
    }
    OrderedJson write(const StepTime& time) const {
        OrderedJson object;
        for (const auto& part : step_parts)
            if (const Seconds v = time.*part.value; v > Seconds{}) object[std::string(part.id)] = number_json(v / second);
        return object;
    }
    std::string expected() const { return "an object"; }
};

constexpr auto experiment_fields = std::tuple{
    text("id", &Experiment::id).needed(),
    text("label", &Experiment::label),
    text("size_label", &Experiment::size_label),
    pure("mean_error", &Experiment::mean_error, relative),
    Field{"points", &Experiment::points, PointTable{}},
};
static_assert(members_in(experiment_fields) == members_of<Experiment>, "every member has a row");

constexpr auto constant_fields = std::tuple{
    text("pointer", &MeasuredConstant::pointer).needed(),
    text("experiment", &MeasuredConstant::experiment),
    pure("before", &MeasuredConstant::before, any),
    pure("value", &MeasuredConstant::value, any).needed(),
    pure("low", &MeasuredConstant::low, any).needed(),
    pure("high", &MeasuredConstant::high, any).needed(),
};
static_assert(members_in(constant_fields) == members_of<MeasuredConstant>, "every member has a row");

constexpr auto proof_fields = std::tuple{
    text("id", &ProofRow::id).needed(),
    text("label", &ProofRow::label),
    flag("held_out", &ProofRow::held_out),
    flag("fair", &ProofRow::fair),
    text("caution", &ProofRow::caution),
    whole("devices", &ProofRow::devices, devices),
    whole("sequence_length", &ProofRow::sequence_length, devices),
    pure("parameters", &ProofRow::parameters, not_negative),
    seconds("predicted_s", &ProofRow::predicted).needed(),
    seconds("predicted_low_s", &ProofRow::predicted_low),
    seconds("predicted_high_s", &ProofRow::predicted_high),
    seconds("measured_s", &ProofRow::measured),
    seconds("measured_low_s", &ProofRow::measured_low),
    seconds("measured_high_s", &ProofRow::measured_high),
    Field{"predicted_parts_s", &ProofRow::predicted_parts, StepParts{}},
    Field{"measured_parts_s", &ProofRow::measured_parts, StepParts{}},
    real("memory_predicted_GiB", &ProofRow::memory_predicted, gibibyte, not_negative),
    real("memory_measured_GiB", &ProofRow::memory_measured, gibibyte, not_negative),
    flag("contended", &ProofRow::contended),
};
static_assert(members_in(proof_fields) == members_of<ProofRow>, "every member has a row");

constexpr auto codec_trial_fields = std::tuple{
    text("id", &CodecTrial::id).needed(),
    text("label", &CodecTrial::label),
    text("traffic", &CodecTrial::traffic),
    text("codec", &CodecTrial::codec),
    pure("ratio", &CodecTrial::ratio, relative),
    seconds("step_s", &CodecTrial::step),
    seconds("step_without_s", &CodecTrial::step_without),
    pure("loss_change", &CodecTrial::loss_change, any),
    whole("steps", &CodecTrial::steps, {0, 1e9}),
    flag("contended", &CodecTrial::contended),
};
static_assert(members_in(codec_trial_fields) == members_of<CodecTrial>, "every member has a row");

constexpr auto calibration_fields = std::tuple{
    text("based_on", &Calibration::based_on).needed(),
    text("based_on_hash", &Calibration::based_on_hash),
    text("stack", &Calibration::stack),
    text("date", &Calibration::date).needed(),
    text("host", &Calibration::host),
    text("software", &Calibration::software),
    text("precision", &Calibration::precision),
    text("prediction_hash", &Calibration::prediction_hash),
    list("experiments", &Calibration::experiments, experiment_fields, most_experiments),
    list("constants", &Calibration::constants, constant_fields, most_constants).needed(),
    list("proof", &Calibration::proof, proof_fields, most_rows),
    list("codecs", &Calibration::codecs, codec_trial_fields, most_rows),
    Field{"assumed", &Calibration::assumed, Sentences{}},
    Field{"cautions", &Calibration::cautions, Sentences{}},
    text("energy", &Calibration::energy),
};
static_assert(members_in(calibration_fields) == members_of<Calibration>, "every member has a row");

// An interval holds its value, and the points a constant names are there.
void check_constants(const Reader& at, const Calibration& c) {
    std::vector<std::string_view> ids;
    for (const Experiment& e : c.experiments) ids.push_back(e.id);
    for (std::size_t i = 0; i < c.constants.size(); ++i) {
        const MeasuredConstant& m = c.constants[i];
        const std::string path = std::string("constants/").append(std::to_string(i));
        if (m.low > m.value || m.high < m.value) at.conflict(path + "/value", "expected a value from low to high");
        if (!m.experiment.empty() && std::find(ids.begin(), ids.end(), m.experiment) == ids.end())
            at.conflict(path + "/experiment", "found " + in_quotes(m.experiment) + ", which has no points here" + did_you_mean(m.experiment, ids));
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

OrderedJson CalibrationField::write(const CalibrationRecord& record) const {
    return record ? write_fields(calibration_fields, *record.get()) : OrderedJson();
}

}  // namespace plimsoll::files
