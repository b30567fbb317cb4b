#include "core/files/presets/programme_json.h"

#include "core/files/presets/parts.h"
#include "core/files/text/disk.h"
#include "core/values/basics/foreign_text.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll {

namespace {

using namespace files;

constexpr std::string_view programme_schema_id = "plimsoll/programme";
constexpr std::array<std::string_view, 3> state_words{"complete", "partial", "skeleton"};
constexpr std::array<std::string_view, 4> loss_words{"unused", "shortfall", "period", "unstated"};
constexpr std::array<std::string_view, 5> hour_words_of_files{"node", "package", "device", "core", "site"};
constexpr NumberRange months{0, 120};
constexpr NumberRange units{smallest, 1e9};

// One of a few words.
template <const auto& Words>
struct WordField {
    OrderedJson schema() const { return enum_schema(Words); }
    std::optional<std::string> read(const Reader& at) const {
        if (const auto i = at.choice(Words)) return std::string(Words[std::size_t(*i)]);
        return std::nullopt;
    }
    OrderedJson write(const std::string& v) const { return v.empty() ? OrderedJson() : OrderedJson(v); }
    std::string expected() const { return one_of(Words); }
};

struct LossField {
    OrderedJson schema() const { return enum_schema(loss_words); }
    std::optional<Loses> read(const Reader& at) const {
        if (const auto i = at.choice(loss_words)) return static_cast<Loses>(*i);
        return std::nullopt;
    }
    OrderedJson write(Loses v) const { return name_of_loss(v); }
    std::string expected() const { return one_of(loss_words); }
};

// {"frontier": 1, "aurora": 1}
struct UnitsByMachine {
    OrderedJson schema() const {
        return {{"type", "object"}, {"additionalProperties", number_schema("number", units)}};
    }
    std::optional<std::map<std::string, double>> read(const Reader& at) const {
        if (!at.object()) return std::nullopt;
        std::map<std::string, double> all;
        for (const std::string& key : at.keys())
            if (const auto v = at.member(key)->number(units)) all[key] = *v;
        return all;
    }
    OrderedJson write(const std::map<std::string, double>& all) const {
        OrderedJson object;
        for (const auto& [key, v] : all) object[key] = number_json(v);
        return object;
    }
    std::string expected() const { return phrase("an object of units by machine"); }
};

constexpr auto unit_fields = std::tuple{
    text("name", &ProgrammeUnit::name).needed().not_empty().about("As the programme writes it"),
    Field{"hour_of", &ProgrammeUnit::hour_of, WordField<hour_words_of_files>{}}
        .about("What the unit is an hour of on machines that per_node_hour does not list; absent: only on those"),
    pure("factor", &ProgrammeUnit::factor, units).about("Units of one such hour; absent: 1"),
    Field{"per_node_hour", &ProgrammeUnit::per_node_hour, UnitsByMachine{}}
        .about("Units of one node-hour, by the id of the machine's preset"),
    pure("shortest_job_h", &ProgrammeUnit::shortest_job_h, not_negative)
        .schema_limits({0, 1000}).about("A shorter job is charged as if it took this long, hours"),
    text("note", &ProgrammeUnit::note).prose().about("What else is charged"),
};
static_assert(members_in(unit_fields) == members_of<ProgrammeUnit>, "every member has a row");

constexpr auto checkpoint_fields = std::tuple{
    pure("month", &UseCheckpoint::month, months).needed().about("Months after the start"),
    pure("used_below", &UseCheckpoint::used_below, share).needed().about("Share of the award"),
    Field{"loses", &UseCheckpoint::of, LossField{}}.needed().about("What is lost"),
    pure("share", &UseCheckpoint::share, share).about("Of it; absent where the programme does not say"),
};
static_assert(members_in(checkpoint_fields) == members_of<UseCheckpoint>, "every member has a row");

constexpr auto periods_fields = std::tuple{
    text("kind", &AwardPeriods::kind).needed().not_empty().about("In the programme's words"),
    pure("months", &AwardPeriods::months, months).about("Length of an award"),
    whole("parts", &AwardPeriods::parts, {1, 120}).about("Parts that an award is split into"),
    flag("carry_over", &AwardPeriods::carry_over).about("Whether unused hours stay in the next part"),
    list("checkpoints", &AwardPeriods::checkpoints, checkpoint_fields, 40)
        .each("When unused hours are lost").about("Use it or lose it"),
};
static_assert(members_in(periods_fields) == members_of<AwardPeriods>, "every member has a row");

constexpr auto request_fields = std::tuple{
    optional("least", &RequestLimits::least, not_negative).about("Smallest request, in the programme's unit"),
    optional("most", &RequestLimits::most, not_negative).about("Largest request"),
    optional("share_of_machine_year", &RequestLimits::share_of_machine_year, fraction)
        .about("Share of the machine's year above which a request is not reviewed"),
    text("note", &RequestLimits::note).prose().about("What else limits a request"),
};
static_assert(members_in(request_fields) == members_of<RequestLimits>, "every member has a row");

constexpr auto document_fields = std::tuple{
    text("name", &ProgrammeDocument::name).needed().not_empty().about("Of the document"),
    pure("pages", &ProgrammeDocument::pages, not_negative).schema_limits({0, 1000}).about("Limit; absent: not known"),
    pure("megabytes", &ProgrammeDocument::megabytes, not_negative).schema_limits({0, 1e5}).about("Limit of the file"),
    text("note", &ProgrammeDocument::note).prose().about("What counts and what does not"),
};
static_assert(members_in(document_fields) == members_of<ProgrammeDocument>, "every member has a row");

constexpr auto evidence_fields = std::tuple{
    whole("points", &EvidenceWanted::points, {0, 100}).about("Node counts of the scaling study"),
    pure("efficiency_floor", &EvidenceWanted::efficiency_floor, share).about("Parallel efficiency that is required"),
    text("baseline", &EvidenceWanted::baseline).about("What efficiency is relative to"),
    whole("repeats", &EvidenceWanted::repeats, {0, 1000}).about("Runs of each point"),
    flag("different_days", &EvidenceWanted::different_days).about("Repeats on different days"),
    flag("gpu_utilisation", &EvidenceWanted::gpu_utilisation).about("Utilisation of the devices beside the times"),
    flag("same_machine", &EvidenceWanted::same_machine).about("Measured on the machine that is asked for"),
    flag("job_script", &EvidenceWanted::job_script).about("The batch script is part of the report"),
    text("note", &EvidenceWanted::note).prose().about("What else is said of evidence"),
};
static_assert(members_in(evidence_fields) == members_of<EvidenceWanted>, "every member has a row");

constexpr auto energy_fields = std::tuple{
    pure("node_kW_if_unmeasured", &EnergyRule::node_kW_if_unmeasured, not_negative)
        .schema_limits({0, 1000}).about("Of one node where it was not measured"),
    pure("overhead", &EnergyRule::overhead, {1, 10}).about("Factor for switches and storage"),
    pure("plant", &EnergyRule::plant, {1, 10}).about("Factor for the plant"),
    pure("embodied_kg_per_unit", &EnergyRule::embodied_kg_per_unit, not_negative)
        .schema_limits({0, 1000}).about("kg CO2e of making the machine, per unit"),
    pure("grid_g_per_kWh", &EnergyRule::grid_g_per_kWh, not_negative)
        .schema_limits({0, 3000}).about("Grid factor that the programme names; absent: the machine's"),
    text("note", &EnergyRule::note).prose().about("What else is said of energy"),
};
static_assert(members_in(energy_fields) == members_of<EnergyRule>, "every member has a row");

constexpr auto requirement_fields = std::tuple{
    text("text", &Requirement::text).needed().not_empty().prose().about("What is asked, close to the source's words"),
    text("source", &Requirement::source).needed().not_empty().about("Where it says so, and the date of the copy"),
    text("met_by", &Requirement::met_by).about("T05, F01 or text:NAME of the pack; absent: whoever applies"),
    Field{"parts", &Requirement::parts, TextList{20}}
        .about("Columns or rows of that table, or series of that figure, that have to be filled"),
};
static_assert(members_in(requirement_fields) == members_of<Requirement>, "every member has a row");

constexpr auto section_fields = std::tuple{
    text("title", &ProposalSection::title).needed().not_empty().about("Of the section"),
    Field{"items", &ProposalSection::items, TextList{60}}.needed().about("T01 to T12, F01 to F10, text:NAME, in order"),
};
static_assert(members_in(section_fields) == members_of<ProposalSection>, "every member has a row");

constexpr auto programme_fields = std::tuple{
    FixedField{"schema", programme_schema_id},
    FixedField{"version", preset_version},
    text("id", &Programme::id).matching(id_pattern).needed().not_empty().about("File name without .json"),
    text("name", &Programme::name).needed().not_empty().about("For people"),
    text("country", &Programme::country).stated().about("Of the programme"),
    text("as_of", &Programme::as_of)
        .matching(month_pattern).needed().not_empty().about("Year and month of the newest copy that was read"),
    Field{"completeness", &Programme::state, WordField<state_words>{}}
        .needed().about("complete: all that the tables need was read; partial: something was not found; skeleton: "
                        "hardly anything was"),
    text("note", &Programme::note).prose().about("What was looked for and not found"),
    Field{"machines", &Programme::machines, TextList{200}}.about("Ids of presets; none: any machine"),
    Field{"other_machines", &Programme::other_machines, TextList{50}}.about("Machines that no preset describes"),
    pure("cores_per_node", &Programme::cores_per_node, not_negative)
        .schema_limits({0, 1e5}).about("For core-hours where the site counts something else; 0: not known"),
    nested("unit", &Programme::unit, unit_fields).needed().about("What time is counted in"),
    nested("periods", &Programme::periods, periods_fields).needed().about("When hours are there to be used"),
    feature("request", &Programme::request, request_fields).about("Limits of a request"),
    list("documents", &Programme::documents, document_fields, 40).each("A document and its limits").about("To hand in"),
    feature("evidence", &Programme::evidence, evidence_fields).about("Measurements that are asked for"),
    feature("energy", &Programme::energy, energy_fields).about("Rule for energy and carbon, where there is one"),
    list("requirements", &Programme::requirements, requirement_fields, 100)
        .each("One requirement").about("What the checklist goes through"),
    list("sections", &Programme::sections, section_fields, 60)
        .each("A section").stated().about("Of the proposal, in the programme's order"),
    Field{"sources", &Programme::citations, TextList{60}}
        .needed().about("Where all this was read, each with the date of the copy"),
};
static_assert(members_in(programme_fields) + 0 == members_of<Programme>, "every member has a row");

// What the pack can hold.
bool known_item(const std::string& item) {
    if (item.starts_with("text:")) return item.size() > 5;
    const auto digit = [&](std::size_t i) { return item[i] >= '0' && item[i] <= '9'; };
    if (item.size() != 3 || !digit(1) || !digit(2)) return false;
    const int number = (item[1] - '0') * 10 + (item[2] - '0');
    return number >= 1 && (item[0] == 'T' ? number <= 12 : item[0] == 'F' && number <= 10);
}

// Units of a machine that its own preset contradicts.
void check_units(const Reader& at, const Programme& p, const Library& l) {
    for (const auto& [id, rate] : p.unit.per_node_hour) {
        const Machine* m = machine_named(l.machines, id);
        if (!m) {
            at.conflict("unit/per_node_hour/" + id, phrase("found a machine that no preset describes"));
            continue;
        }
        const Accounting& a = m->accounting;
        if (a.unit == p.unit.name && std::abs(a.units_per_node_hour - rate) > 1e-9 * rate)
            at.conflict("unit/per_node_hour/" + id,
                        phrase("found {1}, expected {2}, as the preset says that {3} charges {4}s", shortest(rate),
                               shortest(a.units_per_node_hour), id, a.unit));
    }
    if (p.unit.hour_of.empty() && p.unit.per_node_hour.empty())
        at.conflict("unit", phrase("expected hour_of or per_node_hour: nothing says how node-hours become {1}s",
                                   p.unit.name));
}

void check_machines(const Reader& at, const Programme& p, const Library& l) {
    std::vector<std::string_view> ids;
    for (const auto& [id, machine] : l.machines) ids.push_back(id);
    for (std::size_t i = 0; i < p.machines.size(); ++i)
        if (!machine_named(l.machines, p.machines[i]))
            at.conflict("machines/" + std::to_string(i),
                        phrase("found {1}, expected the id of a machine preset", in_quotes(p.machines[i]))
                            + did_you_mean(p.machines[i], ids));
}

void check_date(const Reader& at, const Programme& p) {
    const std::string& d = p.as_of;
    const auto digit = [&](std::size_t i) { return d[i] >= '0' && d[i] <= '9'; };
    const bool shaped = d.size() == 7 && d[4] == '-' && digit(0) && digit(1) && digit(2) && digit(3) && digit(5)
                      && digit(6);
    const int month = shaped ? (d[5] - '0') * 10 + (d[6] - '0') : 0;
    if (month < 1 || month > 12)
        at.conflict("as_of", phrase("found {1}, expected year and month, as 2026-08", in_quotes(d)));
}

void check_items(const Reader& at, const Programme& p) {
    const auto check = [&](const std::string& item, const std::string& where) {
        if (!known_item(item))
            at.conflict(where, phrase("found {1}, expected T01 to T12, F01 to F10 or text:NAME", in_quotes(item)));
    };
    for (std::size_t i = 0; i < p.sections.size(); ++i)
        for (std::size_t k = 0; k < p.sections[i].items.size(); ++k)
            check(p.sections[i].items[k], "sections/" + std::to_string(i) + "/items/" + std::to_string(k));
    for (std::size_t i = 0; i < p.requirements.size(); ++i)
        if (!p.requirements[i].met_by.empty())
            check(p.requirements[i].met_by, "requirements/" + std::to_string(i) + "/met_by");
}

void check_programme(const Reader& at, const Programme& p, const Library& l) {
    if (!p.id.empty() && !is_plain_name(p.id)) at.conflict("id", phrase("expected {1}", phrase(say_plain_name)));
    check_date(at, p);
    check_units(at, p, l);
    check_machines(at, p, l);
    check_items(at, p);
    for (std::size_t i = 0; i < p.periods.checkpoints.size(); ++i)
        if (p.periods.checkpoints[i].month > p.periods.months)
            at.conflict("periods/checkpoints/" + std::to_string(i) + "/month",
                        phrase("expected at most the months of an award"));
    if (p.request.least && p.request.most && *p.request.least > *p.request.most)
        at.conflict("request/most", phrase("expected at least {1}", "request/least"));
    if (p.citations.empty()) at.conflict("sources", phrase("expected at least one"));
}

}  // namespace

OrderedJson files::programme_schema() {
    return document_schema("Profile of an allocation programme", object_schema(programme_fields));
}

Expected<ProgrammeFile, Problems> read_programme(std::string_view json, const Library& library,
                                                 const std::string& file) {
    const DocumentKind kind{programme_schema_id, preset_version};
    return read_document<ProgrammeFile>(json, file, kind, [&](const Reader& root, ProgrammeFile& result) {
        read_fields(programme_fields, root, result.programme);
        if (root.findings().errors() == 0) check_programme(root, result.programme, library);
    });
}

Expected<ProgrammeFile, Problems> load_programme(const std::string& name, const Library& library) {
    const auto shipped = library.programmes.find(name);
    if (shipped == library.programmes.end() && !std::filesystem::exists(name)) {
        std::vector<std::string> ids;
        for (const auto& [id, path] : library.programmes) ids.push_back(id);
        return Unexpected{Problems{{Severity::error, name, "",
                                    phrase("no such file, and no programme has this id; there are {1}", joined(ids))}}};
    }
    const std::filesystem::path path = shipped == library.programmes.end() ? std::filesystem::path(name)
                                                                           : shipped->second;
    const auto text = read_text(path);
    if (!text) return Unexpected{text.error()};
    return read_programme(*text, library, path.string());
}

}  // namespace plimsoll
