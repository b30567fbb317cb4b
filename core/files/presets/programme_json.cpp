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

struct LossField {
    static OrderedJson schema(const Field&) { return enum_schema(loss_words); }
    static std::string expected(const Field&) { return one_of(loss_words); }
    static void read(const Field&, const Reader& at, Loses& v) {
        if (const auto i = at.choice(loss_words)) v = static_cast<Loses>(*i);
    }
    static OrderedJson write(const Field&, Loses v) { return name_of_loss(v); }
};

// {"frontier": 1, "aurora": 1}
struct UnitsByMachine {
    static std::string expected(const Field&) { return phrase("an object of units by machine"); }
    static OrderedJson schema(const Field&) {
        return {{"type", "object"}, {"additionalProperties", number_schema("number", units)}};
    }
    static void read(const Field&, const Reader& at, std::map<std::string, double>& all) {
        if (!at.object()) return;
        all.clear();
        for (const std::string& key : at.keys())
            if (const auto v = at.member(key)->number(units)) all[key] = *v;
    }
    static OrderedJson write(const Field&, const std::map<std::string, double>& all) {
        OrderedJson object;
        for (const auto& [key, v] : all) object[key] = number_json(v);
        return object;
    }
};

constexpr Table unit_fields{
    text<&ProgrammeUnit::name>("name").needed().not_empty().about("As the programme writes it"),
    word<&ProgrammeUnit::hour_of>("hour_of", hour_words_of_files)
        .about("What the unit is an hour of on machines that per_node_hour does not list; absent: only on those"),
    pure<&ProgrammeUnit::factor>("factor", units).about("Units of one such hour; absent: 1"),
    row<UnitsByMachine, &ProgrammeUnit::per_node_hour>("per_node_hour")
        .about("Units of one node-hour, by the id of the machine's preset"),
    pure<&ProgrammeUnit::shortest_job_h>("shortest_job_h", not_negative)
        .schema_limits({0, 1000}).about("A shorter job is charged as if it took this long, hours"),
    text<&ProgrammeUnit::note>("note").prose().about("What else is charged"),
};
static_assert(complete(unit_fields), "every member has a row");

constexpr Table checkpoint_fields{
    pure<&UseCheckpoint::month>("month", months).needed().about("Months after the start"),
    pure<&UseCheckpoint::used_below>("used_below", share).needed().about("Share of the award"),
    row<LossField, &UseCheckpoint::of>("loses").needed().about("What is lost"),
    pure<&UseCheckpoint::share>("share", share).about("Of it; absent where the programme does not say"),
};
static_assert(complete(checkpoint_fields), "every member has a row");

constexpr Table periods_fields{
    text<&AwardPeriods::kind>("kind").needed().not_empty().about("In the programme's words"),
    pure<&AwardPeriods::months>("months", months).about("Length of an award"),
    whole<&AwardPeriods::parts>("parts", {1, 120}).about("Parts that an award is split into"),
    flag<&AwardPeriods::carry_over>("carry_over").about("Whether unused hours stay in the next part"),
    list<&AwardPeriods::checkpoints>("checkpoints", checkpoint_fields, 40)
        .each("When unused hours are lost").about("Use it or lose it"),
};
static_assert(complete(periods_fields), "every member has a row");

constexpr Table request_fields{
    optional<&RequestLimits::least>("least", not_negative).about("Smallest request, in the programme's unit"),
    optional<&RequestLimits::most>("most", not_negative).about("Largest request"),
    optional<&RequestLimits::share_of_machine_year>("share_of_machine_year", fraction)
        .about("Share of the machine's year above which a request is not reviewed"),
    text<&RequestLimits::note>("note").prose().about("What else limits a request"),
};
static_assert(complete(request_fields), "every member has a row");

constexpr Table document_fields{
    text<&ProgrammeDocument::name>("name").needed().not_empty().about("Of the document"),
    pure<&ProgrammeDocument::pages>("pages", not_negative).schema_limits({0, 1000}).about("Limit; absent: not known"),
    pure<&ProgrammeDocument::megabytes>("megabytes", not_negative).schema_limits({0, 1e5}).about("Limit of the file"),
    text<&ProgrammeDocument::note>("note").prose().about("What counts and what does not"),
};
static_assert(complete(document_fields), "every member has a row");

constexpr Table evidence_fields{
    whole<&EvidenceWanted::points>("points", {0, 100}).about("Node counts of the scaling study"),
    pure<&EvidenceWanted::efficiency_floor>("efficiency_floor", share).about("Parallel efficiency that is required"),
    text<&EvidenceWanted::baseline>("baseline").about("What efficiency is relative to"),
    whole<&EvidenceWanted::repeats>("repeats", {0, 1000}).about("Runs of each point"),
    flag<&EvidenceWanted::different_days>("different_days").about("Repeats on different days"),
    flag<&EvidenceWanted::gpu_utilisation>("gpu_utilisation").about("Utilisation of the devices beside the times"),
    flag<&EvidenceWanted::same_machine>("same_machine").about("Measured on the machine that is asked for"),
    flag<&EvidenceWanted::job_script>("job_script").about("The batch script is part of the report"),
    text<&EvidenceWanted::note>("note").prose().about("What else is said of evidence"),
};
static_assert(complete(evidence_fields), "every member has a row");

constexpr Table energy_fields{
    pure<&EnergyRule::node_kW_if_unmeasured>("node_kW_if_unmeasured", not_negative)
        .schema_limits({0, 1000}).about("Of one node where it was not measured"),
    pure<&EnergyRule::overhead>("overhead", {1, 10}).about("Factor for switches and storage"),
    pure<&EnergyRule::plant>("plant", {1, 10}).about("Factor for the plant"),
    pure<&EnergyRule::embodied_kg_per_unit>("embodied_kg_per_unit", not_negative)
        .schema_limits({0, 1000}).about("kg CO2e of making the machine, per unit"),
    pure<&EnergyRule::grid_g_per_kWh>("grid_g_per_kWh", not_negative)
        .schema_limits({0, 3000}).about("Grid factor that the programme names; absent: the machine's"),
    text<&EnergyRule::note>("note").prose().about("What else is said of energy"),
};
static_assert(complete(energy_fields), "every member has a row");

constexpr Table requirement_fields{
    text<&Requirement::text>("text").needed().not_empty().prose().about("What is asked, close to the source's words"),
    text<&Requirement::source>("source").needed().not_empty().about("Where it says so, and the date of the copy"),
    text<&Requirement::met_by>("met_by").about("T05, F01 or text:NAME of the pack; absent: whoever applies"),
    texts<&Requirement::parts>("parts", 20)
        .about("Columns or rows of that table, or series of that figure, that have to be filled"),
};
static_assert(complete(requirement_fields), "every member has a row");

constexpr Table section_fields{
    text<&ProposalSection::title>("title").needed().not_empty().about("Of the section"),
    texts<&ProposalSection::items>("items", 60).needed().about("T01 to T12, F01 to F10, text:NAME, in order"),
};
static_assert(complete(section_fields), "every member has a row");

constexpr Table programme_fields{
    constant<Programme>("schema", programme_schema_id),
    constant<Programme>("version", preset_version),
    text<&Programme::id>("id").matching(id_pattern).needed().not_empty().about("File name without .json"),
    text<&Programme::name>("name").needed().not_empty().about("For people"),
    text<&Programme::country>("country").stated().about("Of the programme"),
    text<&Programme::as_of>("as_of")
        .matching(month_pattern).needed().not_empty().about("Year and month of the newest copy that was read"),
    word<&Programme::state>("completeness", state_words)
        .needed().about("complete: all that the tables need was read; partial: something was not found; skeleton: "
                        "hardly anything was"),
    text<&Programme::note>("note").prose().about("What was looked for and not found"),
    texts<&Programme::machines>("machines", 200).about("Ids of presets; none: any machine"),
    texts<&Programme::other_machines>("other_machines", 50).about("Machines that no preset describes"),
    pure<&Programme::cores_per_node>("cores_per_node", not_negative)
        .schema_limits({0, 1e5}).about("For core-hours where the site counts something else; 0: not known"),
    nested<&Programme::unit>("unit", unit_fields).needed().about("What time is counted in"),
    nested<&Programme::periods>("periods", periods_fields).needed().about("When hours are there to be used"),
    nested<&Programme::request>("request", request_fields).about("Limits of a request"),
    list<&Programme::documents>("documents", document_fields, 40).each("A document and its limits").about("To hand in"),
    nested<&Programme::evidence>("evidence", evidence_fields).about("Measurements that are asked for"),
    nested<&Programme::energy>("energy", energy_fields).about("Rule for energy and carbon, where there is one"),
    list<&Programme::requirements>("requirements", requirement_fields, 100)
        .each("One requirement").about("What the checklist goes through"),
    list<&Programme::sections>("sections", section_fields, 60)
        .each("A section").stated().about("Of the proposal, in the programme's order"),
    texts<&Programme::citations>("sources", 60)
        .needed().about("Where all this was read, each with the date of the copy"),
};
static_assert(complete(programme_fields), "every member has a row");

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
